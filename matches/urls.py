from django.urls import include, path

from matches import friendly_views, play_views, views

app_name = "matches"
urlpatterns = [
    path("", include("matches.standing_urls")),
    path("", include("matches.replay_urls")),
    path("new/", friendly_views.new, name="new"),
    path("<uuid:public_id>/", views.show, name="show"),
    path("<uuid:public_id>/play/", play_views.play, name="play"),
    path("<uuid:public_id>/play/changes/", play_views.changes, name="changes"),
    path("<uuid:public_id>/sheets/", views.sheets, name="sheets"),
    path("<uuid:public_id>/replay.json", views.download, name="download"),
]
