"""The addresses of events (`challenge:...`)."""

from __future__ import annotations

from django.urls import path

from challenge.views import events

app_name = "challenge"
urlpatterns = [
    path("", events.events, name="events"),
    path("open/", events.open_new, name="open"),
    path("<slug:event_slug>/", events.event, name="event"),
    path("<slug:event_slug>/key/<str:secret>/", events.use_key, name="use_key"),
]
