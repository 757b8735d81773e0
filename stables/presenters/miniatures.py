"""The ’Mechs of stables to look at: photos of their owners' miniatures, silhouettes where there is none."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse

from catalogue.presenters.miniatures import Miniature, miniature_of
from catalogue.selectors.miniatures import versions_of
from stables.models import Asset, Season, Stable
from stables.selectors.definitions import definition_of


def miniatures_of(season: Season, stables: Iterable[Stable], units: Iterable[Asset]) -> dict[int, Miniature]:
    """Return these units of these stables as pages of the season show them, by asset id; one query."""
    units = list(units)
    by_id = {stable.pk: stable for stable in stables}
    owners = {stable.owner_id for stable in by_id.values() if stable.owner_id is not None}
    versions = versions_of(owners, {unit.catalogue_key for unit in units})
    found = {}
    for unit in units:
        stable = by_id[unit.stable_id]
        version = "" if stable.owner_id is None else versions.get((stable.owner_id, unit.catalogue_key), "")
        address = reverse("stables:miniature_photo", args=[season.slug, stable.slug, unit.pk]) if version else ""
        found[unit.pk] = miniature_of(definition_of(season, unit), stable.name, address + version)
    return found
