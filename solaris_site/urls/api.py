"""The addresses of the interface below /api/, by topic."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from api import documents
from ladder.api import Ladder

app_name = "api"

VERSION_1: list[URLPattern | URLResolver] = [
    path("", include("stables.api.urls.reading")),
    path("ladder/", Ladder.as_view(), name="ladder"),
    path("", include("stables.api.urls.organising")),
    path("", include("stables.api.urls.stable")),
    path("", include("matches.api.urls")),
    path("", include("challenge.api.urls")),
    path("", include("catalogue.api.urls")),
    path("", include("solaris_site.urls.accounts")),
    path("", include("stables.api.urls.files")),
]

urlpatterns = [
    path("v1/openapi.json", documents.openapi, name="openapi"),
    path("v1/", include(VERSION_1)),
]
