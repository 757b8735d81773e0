"""The addresses of a season's calendar feeds; included by stables.urls, so the names are `stables:...`."""

from __future__ import annotations

from django.urls import path

from stables.views.reading import calendar

CALENDAR = "seasons/<slug:season_slug>/calendar/"
urlpatterns = [
    path(CALENDAR + "make", calendar.make, name="make_calendar_feed"),
    path(CALENDAR + "revoke", calendar.revoke, name="revoke_calendar_feed"),
    path(CALENDAR + "<str:key>.ics", calendar.show, name="calendar_feed"),
]
