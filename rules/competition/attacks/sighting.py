"""Which targets can be attacked from where: close combat through sides, lines of fire through corners, indirect fire.

The questions take the place and facing to attack from, so that an assault can ask about a hex that it has not reached.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.competition.attacks.fixed_modifiers import HINDERING, INTERVENING, REAR_ARC
from rules.competition.ground.hexside_walks import hexside_range
from rules.competition.ground.line_of_fire import LineOption, Lines, beacon_lines, lines
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import SHUTDOWN
from rules.competition.state.roster import TOKEN
from rules.core.attack_hooks import shuns_indirect_and_missiles
from rules.core.refusals import Refusal

ADJACENT = LineOption(-1, -1, False, False)
"""The line to an adjacent target: no hexside in it (R-LOF-07)."""


class Sight(NamedTuple):
    """How one target can be fired at: the best line, whether it is in the target's rear arc, and what both together
    add to the attack."""

    line: LineOption
    is_rear: bool
    modifier: int


def sight_along(line: LineOption, is_rear: bool) -> Sight:
    """Return the sight along one line (R-RMD-01, R-RMD-11, R-RMD-13)."""
    on_the_way = HINDERING[1] * line.hindering + INTERVENING[1] * line.intervening
    return Sight(line, is_rear, REAR_ARC[1] * is_rear + on_the_way)


_BESIDE = (sight_along(ADJACENT, False), sight_along(ADJACENT, True))
"""The sight of an adjacent target, outside and inside its rear arc."""


def place_of(table: MatchState, target: int) -> int:
    """Return the hex of a unit or token, -1 when it is not in the arena."""
    if target < TOKEN:
        return table.position.hex[target]
    for token, place in table.position.tokens:
        if token == target - TOKEN:
            return place
    return -1


def candidates(table: MatchState, unit: int) -> list[int]:
    """Return everything in the arena that this unit may attack: opponents and tokens (R-ATK-07, Q-71)."""
    position = table.position
    found = [other for other in table.roster.opponents[unit] if position.hex[other] >= 0]
    found.extend(TOKEN + token for token, _ in position.tokens)
    return found


def third_parties(table: MatchState, unit: int, target: int) -> int:
    """Return the hexes of units other than attacker and target, as bits (Q-39)."""
    mask = 0
    for other, place in enumerate(table.position.hex):
        if place >= 0 and other != unit and other != target:
            mask |= 1 << place
    return mask


def close_facings(table: MatchState, unit: int, target: int, place: int) -> int:
    """Return the facings, as 12 bits, from which the unit in `place` can make a close combat attack on the target."""
    roster = table.roster
    target_place = place_of(table, target)
    side = roster.lattice.direction(place, target_place)
    if side < 0 or is_out_of_hand(table, place, target_place):
        return 0
    return roster.fighters[unit].facings_by_side[side]


def is_marked(table: MatchState, unit: int, value: int, target: int) -> bool:
    """Return whether a Homing Beacon makes every line of this value to the target clear (R-SED-02)."""
    return target in table.position.beacons and table.roster.fighters[unit].range_types[value] == "ballistic"


def lines_to(table: MatchState, unit: int, value: int, target: int, place: int) -> Lines:
    """Return the lines for one damage value from a place to a target that is not adjacent."""
    arena, others = table.roster.arena, third_parties(table, unit, target)
    if table.position.beacons and is_marked(table, unit, value, target):
        return beacon_lines(arena, place, place_of(table, target), others)
    return lines(arena, place, place_of(table, target), others)


def is_out_of_hand(table: MatchState, place: int, target_place: int) -> bool:
    """Return whether a hex is an abrupt height that nobody in this hex reaches by hand (R-TER-20)."""
    arena = table.roster.arena
    return bool(arena.abrupt >> target_place & 1 and not arena.elevated >> place & 1)


def can_reach_by_hand(table: MatchState, place: int, facing: int, unit: int, target_place: int) -> bool:
    """Return whether close combat reaches a hex: adjacent through a front side, and not from the ground up an abrupt
    height (R-CLO-02, R-CLO-03, R-TER-20)."""
    roster = table.roster
    side = roster.lattice.direction(place, target_place)
    if side < 0 or not roster.fighters[unit].front_sides[facing] >> side & 1:
        return False
    return not is_out_of_hand(table, place, target_place)


def is_rear_side(table: MatchState, place: int, target: int, target_place: int) -> bool:
    """Return whether the side shared with an adjacent attacker lies in the target's rear arc (R-CLO-09)."""
    if target >= TOKEN:  # R-TGT-18
        return False
    side = table.roster.lattice.direction(target_place, place)
    return bool(table.roster.fighters[target].rear_sides[table.position.facing[target]] >> side & 1)


def _rear_corners(table: MatchState, target: int) -> int:
    if target >= TOKEN:
        return 0
    return table.roster.fighters[target].rear_corners[table.position.facing[target]]


def sight(
    table: MatchState,
    unit: int,
    value: int,
    target: int,
    place: int,
    facing: int,
    ignores: int | bool = 0,
    known: Lines | None = None,
) -> Sight | None:
    """Return the best unblocked line to the target, whatever the range; None when there is none (Q-35, Q-36).

    With `ignores` (Streak Missiles) nothing is in the way of any line. `known`: the result of `lines_to`, for callers
    that have it already; the target is then not adjacent.
    """
    roster = table.roster
    fighter = roster.fighters[unit]
    if known is None:
        target_place = place_of(table, target)
        side = roster.lattice.direction(place, target_place)
        if side >= 0:
            if not fighter.front_sides[facing] >> side & 1:
                return None
            return _BESIDE[is_rear_side(table, place, target, target_place)]
        known = lines_to(table, unit, value, target, place)
    front, rear = fighter.front_corners[facing], _rear_corners(table, target)
    key = front << 7 | rear << 1 | (1 if ignores else 0)
    if key not in known.sights:
        known.sights[key] = _best_sight(known.all_options if ignores else known.options, front, rear)
    return known.sights[key]  # type: ignore[no-any-return] # the cache in Lines is not typed


def _best_sight(options: tuple[LineOption, ...], front: int, rear: int) -> Sight | None:
    """Return the best line that leaves by a corner in `front`, the first of equal ones; None when there is none."""
    best: Sight | None = None
    for option in options:
        if front >> option.first & 1:
            found = sight_along(option, bool(rear >> option.last & 1))
            if best is None or found.modifier > best.modifier:
                best = found
    return best


_INDIRECT = 1 << 13
"""The bit that marks the keys of `indirect_sight` in the cache that it shares with `sight`."""


def indirect_sight(
    table: MatchState, unit: int, value: int, target: int, place: int, facing: int, known: Lines | None = None
) -> Sight | None:
    """Return the best line for indirect fire, which no boundary or unit blocks (R-IND-08).

    Return None when the target is adjacent, a direct line is open, or no shortest walk starts in the front arc
    (R-IND-01, Q-35). `known`: the result of `lines_to`, for callers that have it already.
    """
    roster = table.roster
    if known is None:
        if roster.lattice.direction(place, place_of(table, target)) >= 0:
            return None
        known = lines_to(table, unit, value, target, place)
    front, rear = roster.fighters[unit].front_corners[facing], _rear_corners(table, target)
    key = _INDIRECT | front << 7 | rear << 1
    if key not in known.sights:
        is_open = known.openings & front
        known.sights[key] = None if is_open else _best_sight(known.all_options, front, rear)
    return known.sights[key]  # type: ignore[no-any-return] # as in `sight`


def range_to(table: MatchState, place: int, target: int) -> int:
    """Return the range to the target in hexsides (R-LOF-06), 0 when adjacent."""
    return hexside_range(table.roster.lattice, place, place_of(table, target))


def is_in_range(table: MatchState, unit: int, value: int, place: int, target: int) -> bool:
    """Return whether the target is between the minimum and the maximum range of the value used (R-LOF-02)."""
    fighter = table.roster.fighters[unit]
    return fighter.minimum[value] <= range_to(table, place, target) <= fighter.maximum[value]


def indirect_problems(table: MatchState, unit: int, value: int, place: int, target: int) -> list[Refusal]:
    """Return why indirect fire is not allowed, lines aside; an empty list when it is (R-IND-03 to R-IND-07).

    The codes are indirect_needs_ballistic, indirect_needs_range, indirect_needs_attack_value, indirect_in_contact,
    target_shuns_indirect and indirect_near_friend.
    """
    fighter = table.roster.fighters[unit]
    found = []
    if fighter.range_types[value] != "ballistic":
        found.append(Refusal("indirect_needs_ballistic", {}))
    if fighter.maximum[value] <= 0:
        found.append(Refusal("indirect_needs_range", {}))
    if table.attack(unit) <= 0:
        found.append(Refusal("indirect_needs_attack_value", {}))
    if table.opponents_touching(unit, place):
        found.append(Refusal("indirect_in_contact", {}))
    if target < TOKEN and shuns_indirect_and_missiles(table.equipment(target)):
        found.append(Refusal("target_shuns_indirect", {"target": table.roster.target_name(target)}))
    if target < TOKEN and table.friends_touching(fighter.side, place_of(table, target), unit):
        found.append(Refusal("indirect_near_friend", {"target": table.roster.target_name(target)}))
    return found


def is_shutdown(table: MatchState, target: int) -> bool:
    """Return whether the target is a shutdown unit."""
    return target < TOKEN and bool(table.position.status[target] & SHUTDOWN)


def friends_at(table: MatchState, unit: int, target: int) -> list[int]:
    """Return units friendly to the attacker that touch the target, the attacker not counted (R-RMD-03, Q-59)."""
    if target >= TOKEN:
        return []
    return table.friends_touching(table.roster.side_of[unit], table.position.hex[target], unit)


def mendable(table: MatchState, unit: int) -> int:
    """Return how many clicks a repair can turn back, to the start or the first black marker (R-GEN-05, R-GEN-06)."""
    markers = table.fighter(unit).repair_markers
    now = table.position.clicks[unit]
    clicks = 0
    while now - clicks > 0 and not markers[now - clicks]:
        clicks += 1
    return clicks
