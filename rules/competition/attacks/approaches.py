"""Where a charge or a death from above comes from, and what that does to its attack value (sections CHG, DFA)."""

from __future__ import annotations

from typing import NamedTuple

from rules.competition.attacks.fixed_modifiers import FROM_ABOVE, HAMPERED_CHARGE, REAR_ARC, TARGET_SHUT_DOWN
from rules.competition.attacks.forms import Attack
from rules.competition.attacks.sighting import is_rear_side, is_shutdown
from rules.competition.ground.line_of_fire import charge_lines
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import CHARGE
from rules.core.equipment_hooks import Modifier


class Approach(NamedTuple):
    """The line of a charge, judged before the move.

    `is_hampered`: it meets a hindering or blocking boundary, or starts outside the front arc. `is_rear`: it arrives in
    the target's rear arc.
    """

    is_hampered: bool
    is_rear: bool


FROM_THE_AIR = Approach(False, False)
"""A death from above, which follows no line."""


def charge_line(table: MatchState, unit: int, target: int, destination: int, facing: int) -> Approach:
    """Return the best line from the charger's present hex, given where and how it will end (R-CHG-05, Q-85, Q-86)."""
    position, roster = table.position, table.roster
    place, at = position.hex[unit], position.hex[target]
    fighter = roster.fighters[unit]
    side = roster.lattice.direction(place, at)
    if side >= 0:  # adjacent across a height step: no hexside to cross
        in_front = fighter.front_sides[position.facing[unit]] >> side & 1
        return Approach(not in_front, is_rear_side(table, place, target, at))
    front = fighter.front_corners[position.facing[unit]]
    rear = roster.fighters[target].rear_corners[position.facing[target]]
    found = [
        Approach(option.hindering or not front >> option.first & 1, bool(rear >> option.last & 1))
        for option in charge_lines(roster.arena, place, at).options
    ]
    bonus = REAR_ARC[1] * ends_behind(table, unit, target, destination, facing)
    return max(found, key=lambda line: (bonus * line.is_rear + HAMPERED_CHARGE[1] * line.is_hampered, line.is_rear))


def ends_behind(table: MatchState, unit: int, target: int, place: int, facing: int) -> bool:
    """Return whether a unit in this place has a side of its front arc inside the target's rear arc (R-CHG-09)."""
    at = table.position.hex[target]
    side = table.roster.lattice.direction(place, at)
    in_front = side >= 0 and table.fighter(unit).front_sides[facing] >> side & 1
    return bool(in_front) and is_rear_side(table, place, target, at)


def special_modifiers(table: MatchState, attack: Attack, approach: Approach, place: int, facing: int) -> list[Modifier]:
    """Return the modifiers to the attack value of a charge or a death from above that ends in this place and facing.

    They come from the approach, a shutdown target, and the attacker's gear and pilot. Height and all others do not
    count (Q-93).
    """
    unit, target = attack.attacker, attack.targets[0]
    fighter = table.fighter(unit)
    found: list[Modifier] = []
    if attack.order == CHARGE:
        if approach.is_hampered:
            found.append(HAMPERED_CHARGE)
        if approach.is_rear and ends_behind(table, unit, target, place, facing):
            found.append(REAR_ARC)
    else:
        found.append(FROM_ABOVE)
    if is_shutdown(table, target):
        found.append(TARGET_SHUT_DOWN)
    found.extend(fighter.attack_given[table.pilot_counts(unit)][table.position.clicks[unit]])
    return found
