"""The catalogue that a season plays with: the game's own release, or one in which a collection replaces parts of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.db.models import Sum

from catalogue.models import CatalogueRelease
from catalogue.selectors.releases import latest_release
from catalogue.services.collections import latest_version, overlay, usable_by
from catalogue.services.releases import drop_release, load_release
from rules.core.refusals import Malformed, SeasonRefused
from web.bounds import MOST_BYTES_PLAYED


@contextmanager
def catalogue_with(
    slug: str, organiser: Any, season: str = "", *, table_only: bool = False
) -> Iterator[CatalogueRelease]:
    """Yield the game's newest release, or with a `slug` a release with that collection, in a transaction.

    `season` is the address of a season that is there already. Unless the season is for real tables only (`table_only`),
    no unit of the collection without a dial, which nobody may use there, hides one of the game. The release is stored
    before the transaction begins, in parts, and nothing of it is kept when the transaction is refused. Raises Malformed
    (unknown_collection) for a collection that the organiser may not use, ImportRefused (too_many_definitions) and
    SeasonRefused (catalogues_too_large).
    """
    release = latest_release() or load_release()
    if slug:
        collection = usable_by(organiser, season).filter(slug=slug).first()
        version = latest_version(collection) if collection else None
        if version is None:
            raise Malformed("unknown_collection", collection=slug)
        release = overlay(release, version, keeps_dials=not table_only)
    try:
        with transaction.atomic():
            _refuse_too_large(release, organiser)
            yield release
    except (SeasonRefused, Malformed):
        drop_release(release)
        raise


def _refuse_too_large(release: CatalogueRelease, organiser: Any) -> None:
    """Raise SeasonRefused (catalogues_too_large) when the catalogues of an organiser's seasons take too many bytes.

    The game's own releases do not count.
    """
    if organiser is None or release.offered_at is not None:
        return
    played = CatalogueRelease.objects.filter(seasons__organiser=organiser, offered_at=None).exclude(pk=release.pk)
    used = played.distinct().aggregate(used=Sum("size"))["used"] or 0
    if used + (release.size or 0) > MOST_BYTES_PLAYED:
        raise SeasonRefused("catalogues_too_large", most=MOST_BYTES_PLAYED // 1_000_000)
