"""A season that a person opens for others to join, with as many stables of the AI as are wanted from the start."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction

from catalogue.selectors import latest_release
from catalogue.services import load_release
from rules.campaign.classes import LARGEST_SEASON
from rules.core.refusals import Malformed, SeasonRefused
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

CYCLES = ("standard",)
"""The cycles of a season opened on a page: those that this version plays."""


@transaction.atomic
def open_for_people(
    *,
    name: str,
    weight_class: str,
    ai_stables: int,
    organiser: Any,
    loser_keeps_reputation: bool = True,
    absence_pays: int = 0,
) -> OpenedSeason:
    """Open a recruiting season of the cycles that are built and found `ai_stables` stables of the AI in it.

    Losers keep their reputation and absence pays nothing unless the organiser says otherwise; the book has it the
    other way round. Raises Malformed (season_name_missing, ai_stables_out_of_range, setting_out_of_range) or
    SeasonRefused (too_many_seasons_recruiting); then nothing is left behind.
    """
    name = " ".join(name.split())
    if not 1 <= len(name) <= LONGEST_NAME:
        raise Malformed("season_name_missing", longest=LONGEST_NAME)
    if not 0 <= ai_stables < LARGEST_SEASON:
        raise Malformed("ai_stables_out_of_range", stables=ai_stables, largest=LARGEST_SEASON - 1)
    # The organiser's row is locked, so that two requests at once are counted one after the other.
    get_user_model().objects.select_for_update().get(pk=organiser.pk)
    recruiting = Season.objects.filter(organiser=organiser, state=Season.State.RECRUITING).count()
    if recruiting >= MOST_RECRUITING:
        raise SeasonRefused("too_many_seasons_recruiting", seasons=recruiting)
    settings = {
        "weight_class": weight_class,
        "cycles": list(CYCLES),
        "loser_keeps_reputation": loser_keeps_reputation,
        "absence_pays": absence_pays,
    }
    release = latest_release() or load_release()
    opened = open_season(name=name, settings=settings, release=release, organiser=organiser)
    for stable_name in NAMES[:ai_stables]:
        found_stable(season_id=opened.season_id, name=stable_name)
    return opened
