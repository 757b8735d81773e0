"""Gear and pilots on units between matches: what may be assigned, what may move, and when that ends the repairs.

R-AST-04, R-AST-10, R-AST-11, R-CRP-08, R-CRP-12; Q-170, Q-171.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.campaign.classes import BUILD_TOTAL
from rules.campaign.garage.repair import ELIMINATED
from rules.core.refusals import Refusal
from rules.solaris.building import Combatant, card_problems, class_of, total_problems
from rules.solaris.house_rules import HouseRules

TWO_SIDED = "either"
"""The slot of gear whose side is declared when it is assigned (R-GER-05)."""


def ceiling_of(unit: Mapping[str, Any], house_rules: HouseRules) -> int | None:
    """Return the points that a unit, its gear and its pilot may reach together: the house rule's, or its class's.

    None means no limit: when only the team's total counts (Q-114), or when there is no house rule and the unit is from
    before Age of Destruction and above every class.
    """
    if house_rules.build_total_per == "team":
        return None
    own = class_of(unit)
    return house_rules.build_total or (None if own is None else BUILD_TOTAL[own])


def check_loadout(
    unit: Mapping[str, Any],
    state: str,
    pilot: Mapping[str, Any] | None,
    gear: Sequence[Mapping[str, Any]],
    house_rules: HouseRules,
) -> list[Refusal]:
    """Return why a unit may not carry these cards between matches; empty when it may (R-AST-10).

    Two-sided gear needs its declared `side`. An eliminated unit gets nothing until it is repaired (R-CRP-08). The codes
    are unit_eliminated, over_build_total and those of `rules.solaris.building.card_problems`. Raises Malformed
    (bad_gear).
    """
    problems = []
    if state == ELIMINATED:
        problems.append(Refusal("unit_eliminated", {"name": unit["name"], "rule": "R-CRP-08"}))
    combatant = Combatant(unit, pilot, gear)
    return problems + card_problems(combatant) + total_problems(combatant, ceiling_of(unit, house_rules))


def check_gear_moves(name: str, unit: str, state: str) -> list[Refusal]:
    """Return why the gear called `name` may not leave its unit, which is in `state`; empty when it may.

    Gear stays on an eliminated unit (gear_locked: R-CRP-08, Q-171). Pilots need no such check: a living pilot is free
    at once (R-CRP-12).
    """
    if state == ELIMINATED:
        return [Refusal("gear_locked", {"name": name, "unit": unit, "rule": "R-CRP-08"})]
    return []


def check_swap(damaged: Sequence[str], repairs_are_over: bool, is_confirmed: bool) -> list[Refusal]:
    """Return why gear may not be swapped now; empty when it may (R-AST-11, Q-170).

    A swap ends the repairs of this pause. Moving gear or taking it off a unit is a swap, for any reason. `damaged`
    names the units that could not be repaired any more; an owner who confirms that may swap. The code is
    repairs_would_end.
    """
    if damaged and not repairs_are_over and not is_confirmed:
        return [Refusal("repairs_would_end", {"units": list(damaged), "rule": "R-AST-11"})]
    return []
