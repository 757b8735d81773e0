"""The way back from a page that says no."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.urls import Resolver404, resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme

_PAGE_OF = {"stables:line_up": "stables:line_ups", "stables:line_up_save": "stables:line_ups"}
"""Addresses that take a form alone, yet show it again when it is refused -> the page of that form."""


def way_back(request: HttpRequest, *, is_there: bool) -> str:
    """Return the address where somebody came from, as a path of this site; else that of the season asked of, or the
    front.

    `is_there` tells whether what was asked for exists: nobody is sent to the page of a season that may be none.
    """
    came_from = request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(came_from, _own_host(request), require_https=request.is_secure()):
        parts = urlsplit(came_from)
        path = parts.path or "/"
        # To ask the same again would be refused again, and what can be no page here leads nowhere.
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
    """Return the path of the page that was shown at a path; empty when there is nothing."""
    try:
        found = resolve(path)
    except Resolver404:
        return ""
    page = _PAGE_OF.get(found.view_name)
    return reverse(page, args=found.args, kwargs=found.kwargs) if page else path
