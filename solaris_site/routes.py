"""The route of a request: a name and a template from a finite list, without any value from the address."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.urls import Resolver404, ResolverMatch, resolve

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


@dataclass(frozen=True)
class Route:
    """A route's name, and its template: the address with the names of its parameters instead of their values. A route
    without a name of its own has its template as the name.
    """

    name: str
    template: str


UNKNOWN = Route("unknown", "(unknown)")
"""The route of every address without a view. It does not repeat the address, which may be a mistyped secret one."""
STATIC = Route("static", "(static)")


def route_of(request: HttpRequest) -> Route:
    """Return the route of a request, even of one that was answered before Django resolved its address. No query."""
    found = request.resolver_match
    if found is None:
        if request.path.startswith(settings.STATIC_URL):
            return STATIC
        try:
            found = resolve(request.path_info)
        except Resolver404:
            return UNKNOWN
    return _of(found)


def _of(found: ResolverMatch) -> Route:
    template = f"/{found.route}"
    # A route without a name would be called after its class or function, so its template is the name.
    return Route(found.view_name if found.url_name else template, template)


def method_of(request: HttpRequest) -> str:
    """Return the method of a request if METHODS has it, otherwise "other"."""
    return request.method if request.method in METHODS else "other"
