"""The addresses of titles, standings, log and identities; included by stables.urls, so the names are `stables:...`."""

from django.urls import path

from stables.views.organising import titles
from stables.views.reading import news, standings
from stables.views.stable import identities

SEASON = "seasons/<slug:season_slug>/"
STABLE = SEASON + "stables/<slug:stable_slug>/"
IDENTITY = "identities/<int:identity_id>/"
urlpatterns = [
    path("champions/", titles.champions, name="champions"),
    path("identities/", identities.own_identities, name="own_identities"),
    path(IDENTITY, identities.identity, name="identity"),
    path(IDENTITY + "change", identities.edit_identity, name="edit_identity"),
    path(IDENTITY + "against/<int:other_id>/", identities.against, name="against"),
    path(SEASON + "standings/", standings.standings, name="standings"),
    path(SEASON + "log/", news.log, name="log"),
    path(SEASON + "again", titles.next_season, name="again"),
    path(SEASON + "close", titles.close_season, name="close_season"),
    path(SEASON + "last-call", titles.last_call, name="last_call"),
    path(STABLE + "sudden-death", titles.sudden_death, name="sudden_death"),
]
