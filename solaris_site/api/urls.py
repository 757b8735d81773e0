"""The addresses of the interface below /api/, by topic."""

from __future__ import annotations

from django.urls import include, path

from solaris_site.api import documents

app_name = "api"

VERSION_1 = [
    path("", include("solaris_site.api.season_urls")),
    path("", include("solaris_site.api.organising_urls")),
    path("", include("solaris_site.api.stable_urls")),
    path("", include("solaris_site.api.match_urls")),
    path("", include("solaris_site.api.catalogue_urls")),
    path("", include("solaris_site.api.account_urls")),
    path("", include("solaris_site.api.outlet_urls")),
]

urlpatterns = [
    path("v1/openapi.json", documents.openapi, name="openapi"),
    path("v1/", include(VERSION_1)),
]
