"""The addresses of sharing, verifying and writing up a match; included by matches.urls (`matches:...`)."""

from __future__ import annotations

from django.urls import URLPattern, path

from matches.views import match, write_ups

urlpatterns: list[URLPattern] = [
    path("<uuid:public_id>/verify/", match.verify, name="verify"),
    path("<uuid:public_id>/turning-points/", match.ask_turning_points, name="turning_points"),
    path("<uuid:public_id>/picture.png", match.picture, name="picture"),
    path("shared/<str:key>/picture.png", match.picture, name="shared_picture"),
    path("<uuid:public_id>/units/<str:unit>/photo.jpg", match.unit_photo, name="unit_photo"),
    path("shared/<str:key>/units/<str:unit>/photo.jpg", match.unit_photo, name="shared_unit_photo"),
    path("<uuid:public_id>/share", match.share, name="share"),
    path("<uuid:public_id>/revoke", match.revoke, name="revoke"),
    path("shared/<str:key>/", match.show, name="shared_show"),
    path("shared/<str:key>/sheets/", match.sheets, name="shared_sheets"),
    path("shared/<str:key>/replay.json", match.download, name="shared_download"),
    path("shared/<str:key>/verify/", match.verify, name="shared_verify"),
    path("shared/<str:key>/write-ups/<int:number>/photo.jpg", write_ups.photo, name="shared_write_up_photo"),
    path("write-ups/of/<str:subject>/", write_ups.write_up, name="write_up"),
    path("write-ups/<int:number>/photo.jpg", write_ups.photo, name="write_up_photo"),
    path("write-ups/<int:number>/delete", write_ups.delete, name="delete_write_up"),
    path("write-ups/<int:number>/take-down", write_ups.take_down, name="take_down_write_up"),
]
