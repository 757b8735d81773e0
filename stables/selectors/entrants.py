"""The stables that take part in a cycle of a season (R-CYC-11, Q-159)."""

from __future__ import annotations

from collections.abc import Iterable

from rules.campaign.season.calendar import SOLO
from rules.campaign.season.participation import takes_part
from stables.models import Season, Stable


def entrants(season: Season, cycle: int) -> list[Stable]:
    """Return the stables that take part in a cycle, by number; two queries.

    A stable that withdrew during the cycle's rounds is among them.
    """
    return entering(season.stables.order_by("number").prefetch_related("skipped"), cycle)


def entering(stables: Iterable[Stable], cycle: int) -> list[Stable]:
    """Return those of the stables that take part in a cycle; no query when `skipped` is prefetched."""
    return [
        stable
        for stable in stables
        if takes_part(
            stable.joined_in_cycle,
            stable.left_in_cycle,
            {skip.cycle_number for skip in stable.skipped.all()},
            cycle,
        )
    ]


def playing(season: Season, cycle: int) -> list[Stable]:
    """Return the entrants of a cycle that have not left since, which are still paired in it; two queries."""
    return [stable for stable in entrants(season, cycle) if stable.left_in_cycle is None]


def in_season(season: Season) -> list[Stable]:
    """Return the stables that have not left, by number; they hold the season's places."""
    return list(season.stables.filter(left_in_cycle=None).order_by("number"))


def plays_alone(season_id: int) -> bool:
    """Return whether people run exactly one of the stables that have not left a season; one query."""
    return Stable.objects.filter(season_id=season_id, is_ai=False, left_in_cycle=None).count() == 1


def needs_telling(season: Season) -> bool:
    """Return whether people need notices of what a season waits for.

    A person who plays alone in a season with the calendar "solo" needs none: they move the season themselves, and every
    page says what comes next. At most one query.
    """
    return season.calendar.get("preset") != SOLO or not plays_alone(season.pk)
