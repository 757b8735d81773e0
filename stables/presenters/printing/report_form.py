"""A match as a form to fill in by hand: its sides, their units with a box for each click."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.campaign.line_ups.checks import MatchTerms
from rules.core.table_units import clicks_of, says_its_clicks
from stables.models import Fixture
from stables.presenters.printing.sheets import crews_of, open_sides
from stables.selectors.definitions import definition_of

BLANK_CLICKS = 20
"""The number of boxes for a unit that the reader does not know, or that does not say how many clicks it has."""


@dataclass(frozen=True)
class UnitToReport:
    """A unit with its clicks: (number, whether it was lost before the match). Names are empty for an unknown unit."""

    name: str
    pilot: str
    boxes: tuple[tuple[int, bool], ...]


@dataclass(frozen=True)
class SideToReport:
    """A side, or one of two stables that share it, with its units."""

    name: str
    units: tuple[UnitToReport, ...]
    is_forfeited: bool = False


BLANK = UnitToReport("", "", tuple((number, False) for number in range(1, BLANK_CLICKS + 1)))


def sides_to_report(fixture: Fixture, user: Any) -> list[SideToReport]:
    """Return the sides of a match from `fixture_to_print`. No query.

    Line-ups that `user` may not see stay blank; a side that forfeits has no units.
    """
    season, cycle = fixture.round.cycle.season, fixture.round.cycle
    may_see = {side.pk for side in open_sides(fixture, user)}
    sides = list(fixture.sides.all())
    found = []
    for side in sides:
        sharing = sum(other.side == side.side for other in sides)
        if side.pk in may_see:
            units = tuple(
                UnitToReport(
                    crew.unit.label,
                    "" if crew.pilot is None else crew.pilot.label,
                    tuple(
                        (number, number <= crew.damage)
                        for number in range(1, _boxes(definition_of(season, crew.unit)) + 1)
                    ),
                )
                for crew in crews_of(side)
            )
        else:
            size = MatchTerms(cycle.match_class, cycle.format, sharing=sharing).size
            units = () if side.forfeits else (BLANK,) * size
        found.append(SideToReport(side.stable.name, units, bool(side.forfeits)))
    return found


def _boxes(unit: Mapping[str, Any]) -> int:
    return clicks_of(unit) if says_its_clicks(unit) else BLANK_CLICKS


def blank_sides(sides: int, units: int) -> list[SideToReport]:
    """Return this many blank sides, each of this many blank units."""
    return [SideToReport("", (BLANK,) * units) for _ in range(sides)]
