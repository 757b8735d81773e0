"""Collections of a season: its organiser makes them, and the season takes one up before anybody buys anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from catalogue.models import Collection
from catalogue.services.collections import make_collection
from rules.campaign.states import SEASON
from rules.core.refusals import SeasonRefused
from stables.models import Asset, Season
from stables.services.base.locks import lock_season
from stables.services.season.catalogues import catalogue_with
from stables.services.season.opening import require_units


@dataclass(frozen=True)
class SeasonCatalogue:
    """The catalogue of a season: the hash of its release, and the address of its collection ("" for none)."""

    release: str
    collection: str


def make_for_season(*, season_id: int, organiser: Any, name: str) -> Collection:
    """Make an empty collection that only this season may use; `organiser` keeps it.

    Raises Season.DoesNotExist, Malformed (collection_name_missing) or ImportRefused (too_many_collections).
    """
    season = Season.objects.get(pk=season_id)
    return make_collection(name=name, keeper=organiser, audience=Collection.Audience.SEASON, season=season.slug)


def take_up(*, season_id: int, organiser: Any, slug: str) -> SeasonCatalogue:
    """Let a recruiting season play with the newest version of a collection, or with the game's own release alone ("").

    Once a stable has bought something the catalogue is in use. The season keeps its catalogue if it raises. Raises
    SeasonRefused (season_not_recruiting, catalogue_in_use, printed_dials_missing, catalogues_too_large), Malformed
    (unknown_collection) or ImportRefused (too_many_definitions).
    """
    before = Season.objects.get(pk=season_id)
    with catalogue_with(slug, organiser, before.slug, table_only=before.rules.table_only) as release:
        season = lock_season(season_id)
        SEASON.require("take_up_collection", season.state, "season_not_recruiting", state=season.state)
        if Asset.objects.filter(stable__season=season).exists():
            raise SeasonRefused("catalogue_in_use")
        season.release = release
        season.save(update_fields=["release"])
        require_units(season)
    return SeasonCatalogue(release.content_hash, slug)
