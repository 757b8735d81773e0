"""Whole addresses for codes that phones scan."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

LOOPBACK = ("localhost", "127.0.0.1", "::1")


def full_address(request: HttpRequest, name: str, *arguments: str) -> str:
    """Return the whole address of a page, as other devices reach it.

    It begins as the request does. A reader on the laptop that serves is at its loopback, where no phone comes: then it
    begins with SITE_URL.
    """
    path = reverse(name, args=arguments)
    host = urlsplit(f"//{request.get_host()}").hostname or ""
    if host in LOOPBACK:
        return f"{settings.SITE_URL}{path}"
    return request.build_absolute_uri(path)
