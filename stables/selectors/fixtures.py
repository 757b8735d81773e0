"""Fixtures with their seasons, sides and crews."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Prefetch, QuerySet

from rules.wording.isolation import name_of
from stables.models import Crew, CrewCard, Fixture, FixtureSide, Season
from stables.selectors.definitions import catalogue_of

SMALLEST_MATCH = 2
"""The number of sides that a match needs; a fixture with fewer ready ones is settled without a match."""


def is_excused(fixture: Fixture, now: datetime) -> bool:
    """Return whether the line-ups of a fixture may come in later than those of its round, because of an excuse.

    Fetch `fixture` with its round. No query.
    """
    until = fixture.line_ups_due_at or fixture.excused_until
    return fixture.excused_until is not None and until is not None and until > now


def lock_fixture(fixture_id: int) -> Fixture:
    """Return the fixture with its round, cycle, season and release, its row locked until the transaction ends.

    Raises Fixture.DoesNotExist.
    """
    return _with_season(Fixture.objects.select_for_update(of=("self",))).get(pk=fixture_id)


def look_at_fixture(fixture_id: int) -> Fixture:
    """Return the fixture with its round, cycle, season and release, without a lock. Raises Fixture.DoesNotExist."""
    return _with_season(Fixture.objects.all()).get(pk=fixture_id)


def _with_season(fixtures: QuerySet[Fixture]) -> QuerySet[Fixture]:
    return fixtures.select_related("round__cycle__season__release")


def sides_with_line_ups(fixture: Fixture) -> list[FixtureSide]:
    """Return the sides in order, with stable, line-up, crews, their assets and cards; three queries."""
    crews = Prefetch("line_up__crews", Crew.objects.select_related("unit", "pilot"))
    cards = Prefetch("line_up__crews__cards", CrewCard.objects.select_related("asset"))
    sides = FixtureSide.objects.filter(fixture=fixture).select_related("stable", "line_up")
    return list(sides.prefetch_related(crews, cards).order_by("id"))


def sides_with_owners(fixture: Fixture) -> list[FixtureSide]:
    """Return the sides in order, with their stables, the owners of those and their stand-ins; one query."""
    sides = FixtureSide.objects.filter(fixture=fixture).select_related("stable__owner", "stand_in")
    return list(sides.order_by("id"))


def pairing_of(sides: Iterable[FixtureSide]) -> str:
    """Return who meets whom by the names of the stables, as "Ash – Birch" or "Ash & Birch – Cedar & Dogwood"."""
    names: dict[str, list[str]] = {}
    for side in sides:
        names.setdefault(side.side, []).append(side.stable.name)
    return " – ".join(" & ".join(partners) for partners in names.values())


def arena_names(season: Season, arena_key: str) -> str:
    """Return the name of a fixture's arena, or of its four maps; a name that is gone shows as its key.

    Fetch `season` with its release.
    """
    arenas = catalogue_of(season).arenas
    return " + ".join(name_of(arenas[key]) if key in arenas else key for key in arena_key.split("+") if key)


def match_unit(side: str, position: int) -> str:
    """Return the id of a crew's unit inside the match: "red-1" for position 1 of side "red"."""
    return f"{side}-{position}"


def crews_by_unit(sides: Iterable[FixtureSide], *, with_forfeits: bool = False) -> dict[str, tuple[FixtureSide, Crew]]:
    """Return the crews of sides with line-ups, each with its side, by the ids of their units inside the match.

    The units of two stables that share a side are numbered on in their order: the second stable's only unit is number 2
    (Q-168). Pass all sides: those that forfeit keep their numbers, so that marks and reports stay with their units, but
    their crews are left out without `with_forfeits`. So are sides without a line-up. No query on sides from
    `sides_with_line_ups`.
    """
    found: dict[str, tuple[FixtureSide, Crew]] = {}
    counts: dict[str, int] = {}
    for side in sides:
        for crew in side.line_up.crews.all() if hasattr(side, "line_up") else ():
            counts[side.side] = counts.get(side.side, 0) + 1
            if with_forfeits or not side.forfeits:
                found[match_unit(side.side, counts[side.side])] = (side, crew)
    return found
