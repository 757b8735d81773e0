"""The addresses of the documentation's pages below /api/ (`api_help:...`). `solaris_site.urls.api` has the address of
the document itself.
"""

from __future__ import annotations

from django.urls import URLPattern, path

from api import document_pages

app_name = "api_help"
urlpatterns: list[URLPattern] = [
    path("", document_pages.overview, name="overview"),
    path("topics/<slug:topic>/", document_pages.topic, name="topic"),
]
