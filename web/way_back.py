"""The way back from a page that refuses something."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.urls import Resolver404, resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme

_PAGE_OF = {"stables:line_up": "stables:line_ups", "stables:line_up_save": "stables:line_ups"}
"""Addresses that only take a form, and show it again when it is refused -> the page of that form."""


def way_back(request: HttpRequest, *, is_there: bool) -> str:
    """Return the path of this site's page that somebody came from, with its query.

    When it is unknown or is the refused page itself, return the path of the season in the address, otherwise that of
    the front page. `is_there` says whether the address they asked for exists: nobody is sent to the page of a season
    that may not exist.
    """
    came_from = request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(came_from, _own_host(request), require_https=request.is_secure()):
        parts = urlsplit(came_from)
        path = parts.path or "/"
        # The refused address would refuse again, and a path without a page leads nowhere.
        page = _page_at(path)
        if page and (request.method not in ("GET", "HEAD") or page != request.path):
            return f"{page}?{parts.query}" if parts.query else page
    slug = request.resolver_match.kwargs.get("season_slug") if request.resolver_match is not None else None
    season = reverse("stables:season", args=[slug]) if slug and is_there else ""
    return season if season and season != request.path else reverse("stables:home")


def _own_host(request: HttpRequest) -> set[str] | None:
    try:
        return {request.get_host()}
    except DisallowedHost:
        return None


def _page_at(path: str) -> str:
    """Return the path of the page behind a path (_PAGE_OF); empty when no address matches."""
    try:
        found = resolve(path)
    except Resolver404:
        return ""
    page = _PAGE_OF.get(found.view_name)
    return reverse(page, args=found.args, kwargs=found.kwargs) if page else path
