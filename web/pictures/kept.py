"""Pictures kept by the hash of what they show, in the site's cache.

A picture has one of MOST_PICTURES places there, which its hash names, and a new one takes the place of an older one: so
their number is bounded whatever the cache does. Everything can be drawn again.
"""

from __future__ import annotations

from django.core.cache import cache

from web.bounds import MOST_PICTURES
from web.pictures.poster import Poster

LASTS = 30 * 24 * 3600
"""Seconds for which a picture is kept at most."""


def kept(poster: Poster) -> bytes | None:
    """Return the picture of a poster if it is kept, otherwise None."""
    found = cache.get(_place(poster))
    return found[1] if found is not None and found[0] == poster.hash else None


def keep(poster: Poster, picture: bytes) -> None:
    """Keep the picture of a poster for LASTS seconds; a later poster may take its place sooner."""
    cache.set(_place(poster), (poster.hash, picture), LASTS)


def _place(poster: Poster) -> str:
    return f"picture:{int(poster.hash, 16) % MOST_PICTURES}"
