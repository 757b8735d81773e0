"""The addresses of events (`challenge:...`), by topic."""

from __future__ import annotations

from django.urls import include, path

from challenge.views import events, files

app_name = "challenge"
urlpatterns = [
    path("", events.events, name="events"),
    path("open/", events.open_new, name="open"),
    path("go-on/", files.go_on, name="go_on"),
    path("<slug:event_slug>/", events.event, name="event"),
    path("<slug:event_slug>/document/", files.document, name="document"),
    path("<slug:event_slug>/key/<str:secret>/", events.use_key, name="use_key"),
    path("<slug:event_slug>/", include("challenge.urls.door")),
    path("<slug:event_slug>/", include("challenge.urls.judging")),
    path("<slug:event_slug>/", include("challenge.urls.playing")),
    path("<slug:event_slug>/", include("challenge.urls.pilots")),
    path("<slug:event_slug>/", include("challenge.urls.showing")),
]
