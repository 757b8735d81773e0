"""The board for a projector, and what is printed."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
