"""What a notice of a season is about, by the address that it leads to."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.urls import Resolver404, resolve

from people.models import Notice

KEPT_ADDRESSES = 4096


def place_in(notice: Notice) -> dict[str, Any]:
    """Return the parts of the address that a notice leads to, as its view gets them; {} for none."""
    return dict(_parts_of(notice.url))


def season_of(notice: Notice) -> object:
    """Return the slug of the season that a notice leads to, None without one."""
    return place_in(notice).get("season_slug")


@lru_cache(maxsize=KEPT_ADDRESSES)
def _parts_of(address: str) -> tuple[tuple[str, Any], ...]:
    """Return the parts of an address. Each tick asks for those of all open acts, two or three times."""
    try:
        return tuple(resolve(address.partition("#")[0]).kwargs.items())
    except Resolver404:
        return ()
