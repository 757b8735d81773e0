"""The addresses of the solo evening and a season's news; included by stables.urls, so the names are `stables:...`."""

from __future__ import annotations

from django.urls import path

from stables.views.reading import news
from stables.views.stable import after_match, solo

SEASON = "seasons/<slug:season_slug>/"
STABLE = SEASON + "stables/<slug:stable_slug>/"
urlpatterns = [
    path("solo/", solo.begin, name="solo"),
    path("solo/continue/", solo.go_on, name="solo_continue"),
    path(SEASON + "next/", solo.season_next, name="season_next"),
    path(SEASON + "next/changes/", solo.changes, name="season_next_changes"),
    path(SEASON + "fixtures/<int:fixture_id>/after/", after_match.after_match, name="after_match"),
    path(SEASON + "news/", news.news, name="news"),
    path(SEASON + "fixtures/<int:fixture_id>/hand-to-ai", solo.hand_to_ai, name="hand_to_ai"),
    path(STABLE + "make-ready", solo.make_ready, name="make_ready"),
    path(STABLE + "read-report", solo.read_report, name="read_report"),
]
