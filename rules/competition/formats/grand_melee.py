"""Grand Melee: up to eight units, each for itself, on one map or on four assembled ones (R-FMT-20, R-FMT-21)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.competition.formats.base import RulesOfCompetition
from rules.competition.ground.arena import COLUMNS, ROWS
from rules.competition.state.format_events import PLACE_ROLLED, PLACES
from rules.competition.state.match_state import MatchState
from rules.competition.state.setup import MatchSetup
from rules.core.refusals import Malformed

SIDES_ON_ONE_MAP = 4
GROUND_COLUMNS, GROUND_ROWS = 2 * COLUMNS - 1, 2 * ROWS
"""The assembled ground: the middle column is shared, odd columns have 30 hexes and even ones 29."""


class GrandMelee(RulesOfCompetition):
    """Two to eight sides of one unit; more than four need the four-map ground (R-FMT-21, Q-146)."""

    key = "grand_melee"
    units = (1, 1)

    def check(self, setup: MatchSetup) -> None:
        """Raise Malformed as the base does, and (format_ground) for too small a ground (R-FMT-21).

        More than four sides need the size of four maps.
        """
        super().check(setup)
        columns, rows = setup.arena.get("columns", COLUMNS), setup.arena.get("rows", ROWS)
        is_small = columns < GROUND_COLUMNS or rows < GROUND_ROWS
        if len(setup.sides) > SIDES_ON_ONE_MAP and is_small:
            raise Malformed("format_ground", format=self.key, count=len(setup.sides), most=SIDES_ON_ONE_MAP)

    def rank(self, table: MatchState, winner: int) -> None:
        """Rank the winner first, the others by reputation of the match, kills, lower total, and a die (Q-167)."""
        position, roster = table.position, table.roster

        def standing(side: int) -> tuple[int, int, int]:
            kills = sum(position.kills[unit] for unit in roster.side_units[side])
            return -position.reputation[side], -kills, roster.side_totals[side]

        order = [winner]
        others = [side for side in range(len(roster.sides)) if side != winner]
        for standing_of in sorted({standing(side) for side in others}):
            order += _diced(table, [side for side in others if standing(side) == standing_of])
        table.emit(PLACES, tuple(order))


def _diced(table: MatchState, sides: list[int]) -> list[int]:
    """Roll a die for each of these sides and return them, the highest die first; equal dice are rolled again."""
    if len(sides) < 2:
        return sides
    results: dict[int, list[int]] = {}
    for side in sides:
        (die,) = table.dice.roll(1, "place")
        table.emit(PLACE_ROLLED, side, die)
        results.setdefault(die, []).append(side)
    return [side for die in sorted(results, reverse=True) for side in _diced(table, results[die])]


def assemble(maps: Sequence[Mapping[str, Any]], key: str = "four-maps", name: str = "Four maps") -> dict[str, Any]:
    """Return one ground of four arena definitions: north-west, north-east, south-west, south-east.

    The hexes of both seams are clear: the shared middle column, and in even columns the hex made of two halves. Each
    map keeps the starting hexes of its outer half. Raises Malformed("ground_needs_four_maps") unless there are four
    maps of the common size.
    """
    if len(maps) != 4:
        raise Malformed("ground_needs_four_maps", count=len(maps))
    hexes: dict[str, str] = {}
    starts: dict[str, list[str]] = {}
    for number, arena in enumerate(maps):
        if (arena.get("columns", COLUMNS), arena.get("rows", ROWS)) != (COLUMNS, ROWS):
            raise Malformed("ground_needs_four_maps", count=number)
        is_east, is_south = number % 2, number // 2
        for place, terrain in arena.get("hexes", {}).items():
            moved = _moved(place, is_east, is_south)
            if int(moved[:2]) != COLUMNS:
                hexes[moved] = terrain
        for label, places in arena.get("starts", {}).items():
            outer = [place for place in places if (int(place[2:]) > ROWS // 2) == is_south]
            starts.setdefault(label, []).extend(_moved(place, is_east, is_south) for place in outer)
    return {
        "id": key,
        "name": name,
        "columns": GROUND_COLUMNS,
        "rows": GROUND_ROWS,
        "hexes": dict(sorted(hexes.items())),
        "starts": starts,
    }


def _moved(place: str, is_east: int, is_south: int) -> str:
    """Return the name of a map's hex on the ground."""
    return f"{int(place[:2]) + is_east * (COLUMNS - 1):02d}{int(place[2:]) + is_south * ROWS:02d}"
