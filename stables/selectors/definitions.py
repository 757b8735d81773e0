"""The definitions of a season: those of the release that it is pinned to."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from catalogue.selectors.releases import all_entries, release
from rules.campaign.market.prices import is_offered
from rules.catalogue import Catalogue
from rules.catalogue.vocabulary import KINDS as CATALOGUE_KINDS
from rules.core.refusals import Malformed
from stables.models import Asset, Season

KINDS: Mapping[str, str] = {"unit": "units", "pilot": "pilots", "gear": "gear", "rally_card": "rally_cards"}
"""The kind of catalogue entry for each kind of asset."""


def catalogue_of(season: Season) -> Catalogue:
    """Return the catalogue of the season's release, cached in the process because a release never changes.

    Fetch `season` with its release.
    """
    return _catalogue(season.release.content_hash)


@lru_cache(maxsize=8)
def _catalogue(content_hash: str) -> Catalogue:
    entries = all_entries(release(content_hash))
    return Catalogue(
        **{kind: {entry.key: entry.definition for entry in entries.get(kind, ())} for kind in CATALOGUE_KINDS}
    )


def offered_units(season: Season) -> list[dict[str, Any]]:
    """Return the units that the season's market offers, in order of id."""
    units = catalogue_of(season).units.values()
    return [unit for unit in units if is_offered("unit", unit, season.rules.dials)]


def definition(season: Season, kind: str, key: str) -> dict[str, Any]:
    """Return the definition of a kind of asset (KINDS) and a catalogue key.

    Raises Malformed (unknown_asset_kind, unknown_catalogue_entry).
    """
    if kind not in KINDS:
        raise Malformed("unknown_asset_kind", kind=kind)
    entry = catalogue_of(season).of_kind(KINDS[kind]).get(key)
    if entry is None:
        raise Malformed("unknown_catalogue_entry", kind=kind, key=key)
    return entry


def definition_of(season: Season, asset: Asset) -> dict[str, Any]:
    """Return the definition of an asset; that of two-sided gear has its declared "side" added (R-GER-05).

    A release never changes, and a season keeps its own once something was bought, so the entry always exists.
    """
    entry = catalogue_of(season).of_kind(KINDS[asset.kind])[asset.catalogue_key]
    return {**entry, "side": asset.side} if asset.side else entry
