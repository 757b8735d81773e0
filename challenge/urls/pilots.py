"""Pilots' own pages, the off-board cycle, what phones claim."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
