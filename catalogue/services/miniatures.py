"""Photos of people's miniatures: sent, replaced and removed."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from catalogue.models import MiniaturePhoto
from people.models import User
from people.services.accounts import Limit, count_attempt, notify
from web.bounds import MOST_MINIATURE_PHOTOS
from web.photos import stored_photo

PHOTOS = Limit("miniature_photo", MOST_MINIATURE_PHOTOS)


def put_photo(owner: User, key: str, name: str, sent: bytes | None) -> None:
    """Store a person's photo of a unit, in place of the one before. `name` is the unit's.

    Raises TooOften (too_often) and Malformed (photo_too_large, photo_not_an_image, photo_too_many_pixels,
    photo_too_many_scans); then nothing has changed.
    """
    count_attempt(PHOTOS, str(owner.pk))
    photo = stored_photo(sent or b"", is_square=True)
    MiniaturePhoto.objects.update_or_create(user=owner, key=key, defaults={"name": name, "photo": photo})


def remove_photo(owner: User, key: str) -> bool:
    """Remove a person's photo of a unit, and return whether there was one."""
    return MiniaturePhoto.objects.filter(user=owner, key=key).delete()[0] > 0


@transaction.atomic
def take_down(photos: Iterable[MiniaturePhoto]) -> None:
    """Remove photos for the staff of this site; each owner gets a notice."""
    for photo in photos:
        if remove_photo(photo.user, photo.key):
            notify([photo.user], "miniature_taken_down", {"name": photo.name})
