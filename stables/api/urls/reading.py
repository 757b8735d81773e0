"""The addresses of reading seasons; included by solaris_site.urls.api (`api:...`)."""

from __future__ import annotations

from django.urls import path

from stables.api.reading import books, champions, cycles, fixtures, results, seasons, stables, standings

SEASON = "seasons/<slug:season_slug>/"
STABLE = SEASON + "stables/<slug:stable_slug>/"
urlpatterns = [
    path("seasons/", seasons.Seasons.as_view(), name="seasons"),
    path("champions/", champions.Champions.as_view(), name="champions"),
    path(SEASON, seasons.SeasonItself.as_view(), name="season"),
    path(SEASON + "cycles/", cycles.Cycles.as_view(), name="cycles"),
    path(SEASON + "cycles/<int:number>/", cycles.CycleItself.as_view(), name="cycle"),
    path(SEASON + "fixtures/", fixtures.Fixtures.as_view(), name="fixtures"),
    path(SEASON + "fixtures/<int:fixture_id>/", fixtures.FixtureItself.as_view(), name="fixture"),
    path(SEASON + "results/", results.Results.as_view(), name="results"),
    path(SEASON + "stables/", stables.Stables.as_view(), name="stables"),
    path(STABLE, stables.StableItself.as_view(), name="stable"),
    path(STABLE + "assets/", stables.Assets.as_view(), name="assets"),
    path(STABLE + "ledger/", books.Ledger.as_view(), name="ledger"),
    path(SEASON + "standings/", standings.standings, name="standings"),
    path(SEASON + "champions/", champions.Titles.as_view(), name="titles"),
    path(SEASON + "log/", books.Log.as_view(), name="log"),
]
