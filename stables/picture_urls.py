"""The addresses of pictures of a season; included by stables.urls (`stables:...`)."""

from __future__ import annotations

from django.urls import path

from stables.pictures import pages

PICTURES = "seasons/<slug:season_slug>/pictures/"
urlpatterns = [
    path(PICTURES, pages.pictures, name="pictures"),
    path(PICTURES + "<slug:name>.svg", pages.picture, name="picture"),
]
