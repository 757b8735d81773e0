"""Photos of people's miniatures: which there are, and one of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from django.db.models import OuterRef, Subquery
from django.http import Http404

from catalogue.models import MiniaturePhoto
from people.models import User

Versions = Mapping[tuple[int, str], str]
"""The owner's id and the unit's id of each photo -> what its address ends in, which changes with the photo."""


def versions_of(owners: Collection[int], keys: Collection[str]) -> Versions:
    """Return the photos that these people have of these units; one query, none without people or units."""
    if not owners or not keys:
        return {}
    found = MiniaturePhoto.objects.filter(user__in=owners, key__in=keys).order_by()
    return {
        (owner, key): version_at(changed_at)
        for owner, key, changed_at in found.values_list("user", "key", "changed_at")
    }


def photo_changed_at(owner: str, key: str) -> Subquery:
    """Return when the photo of each row was last changed, as an annotation: None without one, and no query of its own.

    The fields `owner` and `key` of a row hold its owner and the unit's id.
    """
    found = MiniaturePhoto.objects.filter(user=OuterRef(owner), key=OuterRef(key))
    return Subquery(found.order_by().values("changed_at"))


def version_at(changed_at: datetime) -> str:
    """Return what the address of a photo ends in that was last changed at a time."""
    return f"?{changed_at.timestamp():.3f}"


def photos_of(owner: User) -> list[tuple[str, str, str]]:
    """Return the id and the name of each unit that a person has a photo of, and what its address ends in; one query."""
    found = MiniaturePhoto.objects.filter(user=owner).values_list("key", "name", "changed_at")
    return [(key, name, version_at(changed_at)) for key, name, changed_at in found]


def photo_of(owner: int | None, key: str) -> bytes:
    """Return a person's photo of a unit; one query. Raises Http404 without one."""
    found = MiniaturePhoto.objects.filter(user=owner, key=key).values_list("photo", flat=True).first()
    if owner is None or found is None:
        raise Http404
    return bytes(found)
