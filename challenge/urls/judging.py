"""The log with its corrections, gifts, the end of a day, the final."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
