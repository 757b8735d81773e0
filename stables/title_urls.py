"""The addresses of titles and of what outlives a season; included by stables.urls, so the names are `stables:...`."""

from django.urls import path

from stables import standings_page
from stables.views import titles

SEASON = "seasons/<slug:season_slug>/"
STABLE = SEASON + "stables/<slug:stable_slug>/"
urlpatterns = [
    path(SEASON + "standings/", standings_page.standings, name="standings"),
    path(SEASON + "last-call", titles.last_call, name="last_call"),
    path(STABLE + "sudden-death", titles.sudden_death, name="sudden_death"),
]
