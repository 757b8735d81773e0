"""The ’Mechs of stables to look at: photos of their owners' miniatures, silhouettes where there is none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from catalogue.presenters.miniatures import Miniature, miniature_of
from catalogue.selectors.miniatures import photo_changed_at, version_at
from stables.models import Asset, Season, Stable
from stables.selectors.definitions import definition_of


def with_photos(assets: QuerySet[Asset]) -> QuerySet[Any]:
    """Return assets with the annotation `photo_at`: when their owner last changed the photo, None without one."""
    return assets.annotate(photo_at=photo_changed_at("stable__owner", "catalogue_key"))


def miniatures_of(season: Season, stables: Iterable[Stable], units: Iterable[Any]) -> dict[int, Miniature]:
    """Return units of these stables as pages of the season show them, by asset id; no query.

    Fetch the units by `with_photos`.
    """
    by_id = {stable.pk: stable for stable in stables}
    found = {}
    for unit in units:
        stable, url = by_id[unit.stable_id], ""
        if unit.photo_at is not None:
            address = reverse("stables:miniature_photo", args=[season.slug, stable.slug, unit.pk])
            url = address + version_at(unit.photo_at)
        found[unit.pk] = miniature_of(definition_of(season, unit), stable.name, url)
    return found
