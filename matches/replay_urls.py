"""The addresses of sharing, checking and telling of a match; included by matches.urls (`matches:...`)."""

from __future__ import annotations

from django.urls import URLPattern, path

from matches import views, write_up_views

urlpatterns: list[URLPattern] = [
    path("<uuid:public_id>/verify/", views.verify, name="verify"),
    path("<uuid:public_id>/share", views.share, name="share"),
    path("<uuid:public_id>/revoke", views.revoke, name="revoke"),
    path("shared/<str:key>/", views.show, name="shared_show"),
    path("shared/<str:key>/sheets/", views.sheets, name="shared_sheets"),
    path("shared/<str:key>/replay.json", views.download, name="shared_download"),
    path("shared/<str:key>/verify/", views.verify, name="shared_verify"),
    path("shared/<str:key>/write-ups/<int:number>/photo.jpg", write_up_views.photo, name="shared_write_up_photo"),
    path("write-ups/of/<str:subject>/", write_up_views.write_up, name="write_up"),
    path("write-ups/<int:number>/photo.jpg", write_up_views.photo, name="write_up_photo"),
    path("write-ups/<int:number>/delete", write_up_views.delete, name="delete_write_up"),
    path("write-ups/<int:number>/take-down", write_up_views.take_down, name="take_down_write_up"),
]
