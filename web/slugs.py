"""Addresses made from names."""

from __future__ import annotations

from collections.abc import Container
from itertools import chain, count

from django.db.models import Manager, QuerySet
from django.utils.text import slugify


def slug_of(name: str, otherwise: str, longest: int = 80) -> str:
    """Return a name as a part of an address, cut to `longest` characters.

    Accents and all characters outside ASCII are dropped. Return `otherwise` when no letter or digit is left.
    """
    return slugify(name)[:longest] or otherwise


def free_slug(base: str, taken: Container[str]) -> str:
    """Return a free address: `base`, or the first free one of `base`-2, `base`-3 and so on."""
    return next(slug for slug in chain([base], (f"{base}-{number}" for number in count(2))) if slug not in taken)


def free_slug_among(rows: Manager | QuerySet, base: str) -> str:
    """Return an address that none of the rows has in its field `slug`; one query."""
    return free_slug(base, set(rows.filter(slug__startswith=base).values_list("slug", flat=True)))
