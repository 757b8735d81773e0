"""Which route a request took: a name and a template from a finite list, never what stood in the address itself."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.urls import Resolver404, ResolverMatch, resolve

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


@dataclass(frozen=True)
class Route:
    """A name as `reverse` takes it, and the address with the names of its parameters in place of what they were."""

    name: str
    template: str


UNKNOWN = Route("unknown", "(unknown)")
"""Any address that leads nowhere: it is not repeated, as it may be a secret one with a letter wrong."""
STATIC = Route("static", "(static)")


def route_of(request: HttpRequest) -> Route:
    """Return the route of a request, also when it was answered before anybody looked where it leads. No query."""
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
    # What has no name of its own is a class or a function, whose name may hold anything but never a value.
    return Route(found.view_name if found.url_name else template, template)


def method_of(request: HttpRequest) -> str:
    """Return the method of a request; one of those that there are, or "other"."""
    return request.method if request.method in METHODS else "other"
