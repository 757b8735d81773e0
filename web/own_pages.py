"""Paths of this site's own pages, without the secrets that some of them hold."""

from __future__ import annotations

from django.urls import Resolver404, ResolverMatch, resolve

SECRET_PARTS = frozenset({"key", "code", "secret", "token", "uidb64"})
"""The names of the parts of this site's addresses that open something to whoever has the address."""

IN_PLACE = "…"
"""What stands in a path in the place of a secret."""


def without_secrets(path: str, found: ResolverMatch) -> str:
    """Return a path with IN_PLACE for its secrets; `found` is what it leads to.

    A part that is a slug, such as the key of a unit, names something for everybody and stays.
    """
    for name in SECRET_PARTS & found.kwargs.keys():
        if f"<slug:{name}>" not in found.route:
            path = path.replace(str(found.kwargs[name]), IN_PLACE)
    return path


def own_page(path: str) -> str | None:
    """Return a path of this site's, without its secrets and what follows it; None for any other text."""
    path = path.partition("#")[0].partition("?")[0]
    if not path.startswith("/") or path.startswith("//"):
        return None
    try:
        return without_secrets(path, resolve(path))
    except Resolver404:
        return None
