"""The addresses of the pages to look at; included by stables.urls, so the names are `stables:...`."""

from django.urls import path

from stables import home_page, pages, stable_page

urlpatterns = [
    path("", home_page.home, name="home"),
    path("appearance/", pages.appearance, name="appearance"),
    path("seasons/<slug:season_slug>/", pages.season, name="season"),
    path("seasons/<slug:season_slug>/stables/<slug:stable_slug>/", stable_page.stable, name="stable"),
]
