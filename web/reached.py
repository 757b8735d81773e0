"""Addresses as other devices reach them: nobody else can follow one that names this very computer."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest


def full_address(request: HttpRequest, path: str) -> str:
    """Return the full address of a path of the site, for people who read it on another device."""
    return reached(request.build_absolute_uri(path))


def reached(address: str) -> str:
    """Return a full address of the site as other devices reach it.

    Where it names this computer by a name such as localhost, it gets the origin of SITE_URL, unless that does the same.
    """
    if not is_here(address) or is_here(settings.SITE_URL):
        return address
    parts = urlsplit(address)
    return settings.SITE_URL + address[len(f"{parts.scheme}://{parts.netloc}") :]


def is_here(address: str) -> bool:
    """Return whether the host of a full address is a name that every computer has for itself.

    >>> [is_here(f"http://{host}:8000/") for host in ("localhost", "127.0.0.1", "[::1]", "192.0.2.10", "host.example")]
    [True, True, True, False, False]
    """
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
