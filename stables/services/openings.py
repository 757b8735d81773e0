"""A season that a person opens for others to join, with as many stables of the AI as are wanted from the start."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction

from catalogue.collections import latest_version, overlay, usable_by
from catalogue.selectors import latest_release
from catalogue.services import load_release
from rules.campaign.classes import FORMATS, LARGEST_SEASON
from rules.core.building import class_of
from rules.core.refusals import Malformed, SeasonRefused
from stables.catalogues import offered_units
from stables.models import Season
from stables.services.seasons import OpenedSeason, found_stable, open_season

NAMES = (
    "Iron Parish",
    "Kestrel Row",
    "Lowland Furnace",
    "Marrow Street",
    "Northlight",
    "Obsidian Court",
    "Pilgrim Motors",
)
"""The stables of the AI in a season that people may join, in order of founding; one place is always left."""

LONGEST_NAME = 80
MOST_RECRUITING = 10
"""Seasons that one organiser may have recruiting at a time: enough for any club, and no flood."""


@transaction.atomic
def open_for_people(
    *,
    name: str,
    weight_class: str,
    ai_stables: int,
    organiser: Any,
    loser_keeps_reputation: bool = True,
    absence_pays: int = 0,
    dials: str = "house",
    collection: str = "",
    cycles: int = len(FORMATS),
) -> OpenedSeason:
    """Open a recruiting season of the book's first `cycles` cycles and found `ai_stables` stables of the AI in it.

    Losers keep their reputation and absence pays nothing unless the organiser says otherwise; the book has it the
    other way round. `collection` is the address of one whose definitions stand over the game's own; with `dials`
    printed the market has no unit of house statistics. Raises Malformed (season_name_missing, ai_stables_out_of_range,
    setting_out_of_range, unknown_collection) or SeasonRefused (too_many_seasons_recruiting, printed_dials_missing);
    then nothing is left behind.
    """
    name = " ".join(name.split())
    if not 1 <= len(name) <= LONGEST_NAME:
        raise Malformed("season_name_missing", longest=LONGEST_NAME)
    if not 1 <= cycles <= len(FORMATS):
        raise Malformed("setting_out_of_range", setting="cycles", value=cycles)
    if not 0 <= ai_stables < LARGEST_SEASON:
        raise Malformed("ai_stables_out_of_range", stables=ai_stables, largest=LARGEST_SEASON - 1)
    # The organiser's row is locked, so that two requests at once are counted one after the other.
    get_user_model().objects.select_for_update().get(pk=organiser.pk)
    recruiting = Season.objects.filter(organiser=organiser, state=Season.State.RECRUITING).count()
    if recruiting >= MOST_RECRUITING:
        raise SeasonRefused("too_many_seasons_recruiting", seasons=recruiting)
    settings = {
        "weight_class": weight_class,
        "cycles": list(FORMATS[:cycles]),
        "loser_keeps_reputation": loser_keeps_reputation,
        "absence_pays": absence_pays,
        "dials": dials,
    }
    release = _release_with(collection, organiser)
    opened = open_season(name=name, settings=settings, release=release, organiser=organiser)
    for stable_name in NAMES[:ai_stables]:
        found_stable(season_id=opened.season_id, name=stable_name)
    require_units(Season.objects.select_related("release").get(pk=opened.season_id))
    return opened


def _release_with(slug: str, organiser: Any) -> Any:
    """The game's own release, or the one in which a collection stands over it."""
    base = latest_release() or load_release()
    if not slug:
        return base
    collection = usable_by(organiser).filter(slug=slug).first()
    version = latest_version(collection) if collection else None
    if version is None:
        raise Malformed("unknown_collection", collection=slug)
    return overlay(base, version)


def require_units(season: Season) -> None:
    """Raise SeasonRefused when the market of some cycle would have no unit at all."""
    offered = {class_of(unit) for unit in offered_units(season)}
    for cycle in range(1, len(season.rules.cycles) + 1):
        if season.rules.class_of(cycle) not in offered:
            raise SeasonRefused("printed_dials_missing", **{"class": season.rules.class_of(cycle)})
