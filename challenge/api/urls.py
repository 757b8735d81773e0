"""The addresses of events; included by solaris_site.urls.api (`api:...`)."""

from __future__ import annotations

from django.urls import path

from challenge.api import reading, writing

EVENT = "challenges/<slug:event_slug>/"
urlpatterns = [
    path("challenges/", reading.Events.as_view(), name="challenges"),
    path(EVENT, reading.EventItself.as_view(), name="challenge"),
    path(EVENT + "entries/", writing.Entries.as_view(), name="challenge_entries"),
    path(EVENT + "document/", writing.EventDocument.as_view(), name="challenge_document"),
    path(EVENT + "standings.csv", reading.EventTable.as_view(), name="challenge_standings_csv"),
]
