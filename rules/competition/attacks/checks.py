"""The check of an attack: targets, arcs, ranges, lines, equipment. One checker for people, bots and pages."""

from __future__ import annotations

from typing import NamedTuple

from rules.competition.attacks.armament import close_values, missile_problem, ranged_values
from rules.competition.attacks.forms import AttackChoice, CloseChoice, RangedChoice
from rules.competition.attacks.sighting import (
    can_reach_by_hand,
    indirect_problems,
    indirect_sight,
    is_in_range,
    is_marked,
    mendable,
    place_of,
    range_to,
    sight,
    third_parties,
)
from rules.competition.ground.line_of_fire import Lines, line_option, line_problem
from rules.competition.ground.line_of_fire import lines as line_table
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import CLOSE
from rules.competition.state.roster import DAMAGE_LOCATIONS, TOKEN
from rules.competition.units.cancelling import cancel_problems
from rules.core.attack_hooks import ignores_lines, repairs, strikes_all
from rules.core.refusals import Refusal


def attack_problems(table: MatchState, unit: int, choice: AttackChoice, place: int, facing: int) -> list[Refusal]:
    """Return why this attack is not allowed from this place and facing, an empty list when it is legal.

    The codes are those of this module, `cancel_problems`, `missile_problem`, `indirect_problems` and `line_problem`.
    Raises Malformed (unknown_corner) for a drawn line.
    """
    if choice[0] == CLOSE:
        return _close_problems(table, unit, choice, place, facing)
    return _ranged_problems(table, unit, choice, place, facing)


def _target_problem(table: MatchState, unit: int, target: int) -> Refusal | None:
    name = table.roster.target_name(target)
    if target == unit:
        return Refusal("target_self", {"target": name})
    if target < TOKEN and table.roster.side_of[target] == table.roster.side_of[unit]:
        return Refusal("target_friend", {"target": name})
    if place_of(table, target) < 0:
        is_waiting = any(waiting == target for waiting, _ in table.position.waiting)
        return Refusal("target_waits" if is_waiting else "target_gone", {"target": name})
    return None


def _close_problems(table: MatchState, unit: int, choice: CloseChoice, place: int, facing: int) -> list[Refusal]:
    _, value, targets, cancelled = choice
    found = cancel_problems(table, unit, cancelled)
    if value not in close_values(table, unit):
        found.append(Refusal("close_needs_primary_or_melee", {"value": DAMAGE_LOCATIONS[value]}))
    if len(targets) > 1 and not strikes_all(table.equipment_on_value(unit, value) & ~cancelled):
        found.append(Refusal("too_many_targets", {"count": len(targets), "limit": 1}))
    if len(set(targets)) != len(targets):
        found.append(Refusal("target_twice", {}))
    touching = table.opponents_touching(unit, place)
    for target in targets:
        if len(targets) > 1 and target not in touching:  # a sweep takes units in base contact, nothing else
            found.append(Refusal("not_in_base_contact", {"target": table.roster.target_name(target)}))
        found.extend(_blow_problems(table, unit, target, place, facing, cancelled))
    return found


def _blow_problems(table: MatchState, unit: int, target: int, place: int, facing: int, cancelled: int) -> list[Refusal]:
    """Return why the unit may not strike, or repair, one target; an empty list when it may."""
    found: list[Refusal] = []
    is_friend = target < TOKEN and target != unit and table.roster.side_of[target] == table.roster.side_of[unit]
    if is_friend and repairs(table.equipment(unit) & ~cancelled) and place_of(table, target) >= 0:
        if table.opponents_touching(unit, place) or table.opponents_in_contact(target):
            return [Refusal("repair_near_opponent", {"target": table.roster.target_name(target)})]
        if not mendable(table, target):
            return [Refusal("nothing_to_repair", {"target": table.roster.target_name(target)})]
        if not table.roster.arena.contact[place] >> table.position.hex[target] & 1:
            return [Refusal("not_in_base_contact", {"target": table.roster.target_name(target)})]
    else:
        problem = _target_problem(table, unit, target)
        if problem:
            return [problem]
    name = table.roster.target_name(target)
    target_place = place_of(table, target)
    if table.roster.lattice.direction(place, target_place) < 0:
        found.append(Refusal("not_in_base_contact", {"target": name}))
    elif not can_reach_by_hand(table, place, facing, unit, target_place):
        side = table.roster.lattice.direction(place, target_place)
        in_front = table.roster.fighters[unit].front_sides[facing] >> side & 1
        found.append(Refusal("abrupt_out_of_reach" if in_front else "not_in_front_arc", {"target": name}))
    return found


def _ranged_problems(table: MatchState, unit: int, choice: RangedChoice, place: int, facing: int) -> list[Refusal]:
    _, value, targets, indirect, drawn, _, cancelled = choice
    fighter = table.roster.fighters[unit]
    if not table.roster.format.allows_ranged:
        return [Refusal("no_ranged_attacks", {"format": table.roster.format.key})]
    found = cancel_problems(table, unit, cancelled)
    if fighter.range_types[value] == "melee":
        found.append(Refusal("melee_has_no_range", {"value": DAMAGE_LOCATIONS[value]}))
    elif value not in ranged_values(table, unit):
        found.append(Refusal("value_jammed", {"value": DAMAGE_LOCATIONS[value]}))
    if len(set(targets)) != len(targets):
        found.append(Refusal("target_twice", {}))
    if len(targets) > fighter.targets[value]:
        found.append(Refusal("too_many_targets", {"count": len(targets), "limit": fighter.targets[value]}))
    if indirect and len(targets) != 1:
        found.append(Refusal("indirect_single_target", {}))
    if found:
        return found
    missiles = ignores_lines(table.equipment_on_value(unit, value) & ~cancelled, True, len(targets) == 1)
    if missiles and indirect:
        return [Refusal("missiles_fly_direct", {"target": table.roster.target_name(targets[0])})]
    for number, target in enumerate(targets):
        line = drawn[number] if drawn else None
        found.extend(_shot_problems(table, Shot(unit, value, target, indirect, line, missiles), place, facing))
    return found


class Shot(NamedTuple):
    """One attacker, value and target of a ranged attack.

    `line`: the corners that the attacker drew, None for the best line. `missiles`: the bits that ignore lines.
    """

    unit: int
    value: int
    target: int
    indirect: bool
    line: tuple[str, ...] | None
    missiles: int


def _shot_problems(table: MatchState, shot: Shot, place: int, facing: int) -> list[Refusal]:
    unit, value, target, indirect, line, missiles = shot
    problem = _target_problem(table, unit, target)
    if problem is None and missiles:
        problem = missile_problem(table, target)
    if problem:
        return [problem]
    fighter = table.roster.fighters[unit]
    name = table.roster.target_name(target)
    if not is_in_range(table, unit, value, place, target):
        limits = {"minimum": fighter.minimum[value], "maximum": fighter.maximum[value]}
        return [Refusal("out_of_range", {"target": name, "range": range_to(table, place, target), **limits})]
    if indirect:
        found = indirect_problems(table, unit, value, place, target)
        if not found and indirect_sight(table, unit, value, target, place, facing) is None:
            code = "not_in_front_arc" if _nothing_in_arc(table, unit, target, place, facing) else "direct_line_open"
            found = [Refusal(code, {"target": name})]
        if found or line is None:
            return found
    if line is not None:
        return _drawn_line_problems(table, shot, line, place, facing)
    if sight(table, unit, value, target, place, facing, missiles) is None:
        code = "not_in_front_arc" if _nothing_in_arc(table, unit, target, place, facing) else "line_blocked"
        return [Refusal(code, {"target": name})]
    return []


def _nothing_in_arc(table: MatchState, unit: int, target: int, place: int, facing: int) -> bool:
    from_here = table.roster.fighters[unit]
    target_place = place_of(table, target)
    side = table.roster.lattice.direction(place, target_place)
    if side >= 0:
        return not from_here.front_sides[facing] >> side & 1
    starts = lines_from(table, unit, target, place).starts
    return not starts & from_here.front_corners[facing]


def _drawn_line_problems(
    table: MatchState, shot: Shot, line: tuple[str, ...], place: int, facing: int
) -> list[Refusal]:
    unit, target = shot.unit, shot.target
    is_free = shot.indirect or bool(shot.missiles)
    arena = table.roster.arena
    target_place = place_of(table, target)
    name = table.roster.target_name(target)
    others = third_parties(table, unit, target)
    if arena.lattice.direction(place, target_place) >= 0:
        return [Refusal("line_to_adjacent", {"target": name})]
    marked = is_marked(table, unit, shot.value, target)
    problem = line_problem(arena, place, target_place, line, others, is_free or marked)
    if problem:
        return [problem]
    option = line_option(arena, place, target_place, line, others, is_free, marked)
    if not table.roster.fighters[unit].front_corners[facing] >> option.first & 1:
        return [Refusal("not_in_front_arc", {"target": name})]
    return []


def lines_from(table: MatchState, unit: int, target: int, place: int) -> Lines:
    """Return all lines from a place to a target that is not adjacent."""
    from_arena = table.roster.arena
    return line_table(from_arena, place, place_of(table, target), third_parties(table, unit, target))
