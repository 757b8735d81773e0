"""Repair between matches: the state of a unit, what a repair costs, who sits out (R-CRP-01..13, Q-130..Q-132)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.core.table_units import clicks_of, is_table_only

UNDAMAGED, ABLE, SALVAGE, ELIMINATED = "undamaged", "able", "salvage", "eliminated"
"""The states of a unit between matches. "able" means damaged, yet neither eliminated nor showing Salvage (R-CRP-11)."""

BRACKETS: tuple[tuple[int, Mapping[str, int]], ...] = (
    (160, {ABLE: 50, SALVAGE: 75, ELIMINATED: 100}),
    (210, {ABLE: 75, SALVAGE: 100, ELIMINATED: 125}),
    (280, {ABLE: 100, SALVAGE: 150, ELIMINATED: 175}),
    (350, {ABLE: 150, SALVAGE: 200, ELIMINATED: 225}),
)
"""(highest points of the bracket, Stones by state): R-CRP-03..06; the third ceiling is misprinted 180 (Q-01)."""


def unit_state(dial: Sequence[Mapping[str, Any]], clicks: int, eliminated: bool = False) -> str:
    """Return the state of a unit whose dial (catalogue shape) has turned `clicks` clicks from the start marker.

    A unit past the last entry of its dial is eliminated, whatever `eliminated` says.
    """
    if eliminated or clicks >= len(dial):
        return ELIMINATED
    if clicks == 0:
        return UNDAMAGED
    for entry in dial[clicks].get("equipment", {}).values():
        key = entry.get("key") if isinstance(entry, Mapping) else entry
        if key == "salvage":
            return SALVAGE
    return ABLE


def state_of_unit(unit: Mapping[str, Any], clicks: int, eliminated: bool = False) -> str:
    """Return the state of a unit (catalogue shape) that has lost so many clicks.

    A unit without a dial is never in SALVAGE: nobody here knows where its dial shows that, so its repair has the price
    of ABLE.
    """
    if not is_table_only(unit):
        return unit_state(unit["dial"], clicks, eliminated)
    if eliminated or clicks >= clicks_of(unit):
        return ELIMINATED
    return ABLE if clicks else UNDAMAGED


def repair_cost(points: int, state: str) -> int:
    """Return the Stones for bringing a unit back to its start marker.

    `points` are those of the unit and its gear, without the pilot (R-CRP-02); above 350 the last bracket counts and
    an undamaged unit costs nothing (Q-130). Raises KeyError for an unknown state.

    >>> repair_cost(146, ABLE), repair_cost(146, ELIMINATED), repair_cost(300, SALVAGE)
    (50, 100, 200)
    """
    if state == UNDAMAGED:
        return 0
    for ceiling, costs in BRACKETS:
        if points <= ceiling:
            return costs[state]
    return BRACKETS[-1][1][state]


def repair_points(unit: Mapping[str, Any], gear: Iterable[Mapping[str, Any]] = ()) -> int:
    """Return the points that decide a unit's bracket: its own and those of its gear, not its pilot's (R-CRP-02)."""
    return int(unit["points"]) + sum(int(card["points"]) for card in gear)


def must_sit_out(state: str, in_cycle_break: bool) -> bool:
    """Return whether a unit repaired from `state` misses the stable's next match (R-CRP-09, Q-132).

    A bye or a forfeit counts as the match sat out; a repair after the last match of a cycle delays nothing.
    """
    return state == ELIMINATED and not in_cycle_break


def compulsory_repairs(costs: Mapping[str, int], priority: Sequence[str], capital: int) -> list[str]:
    """Return the keys of the damaged units that are repaired at the end of a cycle, in order (R-CRP-10, Q-131, Q-170).

    The list also serves an owner who repairs all they can afford between matches. `costs` holds the damaged units and
    the Stones of each repair. `priority` is the owner's order; units that it does not name follow by price and key. A
    repair that the Stones left do not cover is skipped, and the next one is tried.

    >>> compulsory_repairs({"a": 75, "b": 50, "c": 100}, priority=["c"], capital=160)
    ['c', 'b']
    """
    named = [key for key in dict.fromkeys(priority) if key in costs]
    rest = sorted((key for key in costs if key not in named), key=lambda key: (costs[key], key))
    repaired = []
    for key in named + rest:
        if costs[key] <= capital:
            capital -= costs[key]
            repaired.append(key)
    return repaired
