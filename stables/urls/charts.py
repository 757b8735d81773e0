"""The addresses of a season's pictures; included by stables.urls, so the names are `stables:...`."""

from __future__ import annotations

from django.urls import path

from stables.views.reading import ceremony, charts

SEASON = "seasons/<slug:season_slug>/"
PICTURES = SEASON + "pictures/"
urlpatterns = [
    path(PICTURES, charts.pictures, name="pictures"),
    path(PICTURES + "<slug:name>.svg", charts.picture, name="picture"),
    path(SEASON + "ceremony/", ceremony.ceremony, name="ceremony"),
    path(SEASON + "picture.png", ceremony.season_picture, name="season_picture"),
    path(SEASON + "stables/<slug:stable_slug>/picture.png", ceremony.stable_picture, name="stable_picture"),
]
