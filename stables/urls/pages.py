"""The addresses of the pages to look at; included by stables.urls, so the names are `stables:...`."""

from django.urls import path

from stables.views.organising import inbox
from stables.views.reading import evening, home, season
from stables.views.stable import stable

urlpatterns = [
    path("", home.home, name="home"),
    path("inbox/", inbox.show, name="inbox"),
    path("appearance/", season.appearance, name="appearance"),
    path("seasons/<slug:season_slug>/", season.season, name="season"),
    path("seasons/<slug:season_slug>/evening/", evening.show, name="evening"),
    path("seasons/<slug:season_slug>/evening/changes", evening.changes, name="evening_changes"),
    path("seasons/<slug:season_slug>/stables/<slug:stable_slug>/", stable.stable, name="stable"),
]
