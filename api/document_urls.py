"""The pages of the documentation below /api/ (`api_help:...`); the document itself is with the interface."""

from __future__ import annotations

from django.urls import URLPattern, path

from api import document_pages

app_name = "api_help"
urlpatterns: list[URLPattern] = [
    path("", document_pages.overview, name="overview"),
    path("topics/<slug:topic>/", document_pages.topic, name="topic"),
]
