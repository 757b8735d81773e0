"""The addresses of a season's pictures; included by stables.urls, so the names are `stables:...`."""

from __future__ import annotations

from django.urls import path

from stables.views.reading import charts

PICTURES = "seasons/<slug:season_slug>/pictures/"
urlpatterns = [
    path(PICTURES, charts.pictures, name="pictures"),
    path(PICTURES + "<slug:name>.svg", charts.picture, name="picture"),
]
