"""Attacks as they are declared: which there are from a place, what forbids one, how one is read and written.

A choice of attack is `(CLOSE, value, target, cancelled)` or
`(RANGED, value, targets, indirect, lines, ignore_friendly_fire, cancelled)`; `lines` is None or, for each target, the
corners of the line that the attacker drew.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any, NamedTuple

from rules.competition import reading
from rules.competition.line_of_fire import line_option, line_problem
from rules.competition.line_of_fire import lines as line_table
from rules.competition.moving import cancel_problems
from rules.competition.position import CLOSE, RANGED
from rules.competition.roster import DAMAGE_LOCATIONS, PRIMARY, SECONDARY, TOKEN
from rules.competition.sighting import (
    can_reach_by_hand,
    candidates,
    close_facings,
    direct_facings,
    indirect_facings,
    indirect_sight,
    is_in_range,
    may_fire_indirectly,
    place_of,
    range_to,
    sight,
    third_parties,
)
from rules.competition.table import Choice, Table
from rules.core.equipment import keys_of
from rules.core.refusals import IllegalAction, Malformed, Refusal

ALL_FACINGS = (1 << 12) - 1

Lines = tuple[tuple[str, ...] | None, ...]


class Attack(NamedTuple):
    """A declared attack on its way to the dice. `order` is the order bit that it belongs to (heat, modifiers)."""

    attacker: int
    order: int
    is_ranged: bool
    value: int
    targets: tuple[int, ...]
    indirect: bool
    lines: Lines | None
    ignores_friendly_fire: bool


def close_values(table: Table, unit: int) -> tuple[int, ...]:
    """The damage values a close combat attack may use (R-CLO-05, R-CLO-13)."""
    types = table.roster.fighters[unit].range_types
    return (PRIMARY, SECONDARY) if types[SECONDARY] == "melee" else (PRIMARY,)


def ranged_values(table: Table, unit: int) -> list[int]:
    """The damage values that can make a ranged attack now (R-RNG-05, R-HEF-04, R-HEF-07)."""
    fighter = table.roster.fighters[unit]
    jammed = fighter.jammed[table.position.heat[unit]]
    return [value for value in (PRIMARY, SECONDARY) if fighter.range_types[value] != "melee" and not jammed[value]]


Faced = tuple[int, Choice]
"""A choice of attack with the facings, as 12 bits, from which it can be made."""


def close_attacks(table: Table, unit: int, place: int) -> list[Faced]:
    """Every close combat attack from this place, with its facings."""
    found: list[Faced] = []
    for target in candidates(table, unit):
        facings = close_facings(table, unit, target, place)
        if facings:
            found.extend((facings, (CLOSE, value, target, 0)) for value in close_values(table, unit))
    return found


def ranged_attacks(table: Table, unit: int, place: int) -> list[Faced]:
    """Every ranged attack from this place that has an outcome of its own, with its facings."""
    found: list[Faced] = []
    values = ranged_values(table, unit)
    if not values:
        return found
    targets = candidates(table, unit)
    seen: dict[int, int] = {}
    for value in values:
        direct = []
        for target in targets:
            if not is_in_range(table, unit, value, place, target):
                continue
            if target not in seen:
                seen[target] = direct_facings(table, unit, target, place)
            if seen[target]:
                direct.append(target)
            if seen[target] != ALL_FACINGS:
                found.extend(_indirect_attack(table, unit, value, target, place))
        for count in range(1, min(table.roster.fighters[unit].targets[value], len(direct)) + 1):
            for group in combinations(direct, count):
                found.extend(_direct_attack(table, unit, value, group, seen))
    return found


def _indirect_attack(table: Table, unit: int, value: int, target: int, place: int) -> list[Faced]:
    if table.roster.fighters[unit].range_types[value] != "ballistic":
        return []
    facings = indirect_facings(table, unit, target, place)
    if not facings or may_fire_indirectly(table, unit, value, place, target):
        return []
    return [(facings, (RANGED, value, (target,), True, None, False, 0))]


def _direct_attack(table: Table, unit: int, value: int, group: tuple[int, ...], seen: dict[int, int]) -> list[Faced]:
    """The attack on a group of targets; twice where friendly fire may be waived (R-RMD-04)."""
    facings = ALL_FACINGS
    for target in group:
        facings &= seen[target]
    if not facings:
        return []
    found: list[Faced] = [(facings, (RANGED, value, group, False, None, False, 0))]
    if any(friends_at(table, unit, target) for target in group):
        found.append((facings, (RANGED, value, group, False, None, True, 0)))
    return found


def close_choices(table: Table, unit: int, place: int, facing: int) -> list[Choice]:
    """Every close combat attack from this place and facing."""
    return [choice for facings, choice in close_attacks(table, unit, place) if facings >> facing & 1]


def ranged_choices(table: Table, unit: int, place: int, facing: int) -> list[Choice]:
    """Every ranged attack from this place and facing that has an outcome of its own."""
    return [choice for facings, choice in ranged_attacks(table, unit, place) if facings >> facing & 1]


def friends_at(table: Table, unit: int, target: int) -> list[int]:
    """Units friendly to the attacker that touch the target, the attacker not counted (R-RMD-03, Q-59)."""
    if target >= TOKEN:
        return []
    return table.friends_touching(table.roster.side_of[unit], table.position.hex[target], unit)


def attack_problems(table: Table, unit: int, choice: Choice, place: int, facing: int) -> list[Refusal]:
    """What forbids this attack from this place; empty when it is legal."""
    if choice[0] == CLOSE:
        return _close_problems(table, unit, choice, place, facing)
    return _ranged_problems(table, unit, choice, place, facing)


def _target_problem(table: Table, unit: int, target: int) -> Refusal | None:
    name = table.roster.target_name(target)
    if target == unit:
        return Refusal("target_self", {"target": name})
    if target < TOKEN and table.roster.side_of[target] == table.roster.side_of[unit]:
        return Refusal("target_friend", {"target": name})
    if place_of(table, target) < 0:
        return Refusal("target_gone", {"target": name})
    return None


def _close_problems(table: Table, unit: int, choice: Choice, place: int, facing: int) -> list[Refusal]:
    _, value, target, cancelled = choice
    found = cancel_problems(table, unit, cancelled)
    if value not in close_values(table, unit):
        found.append(Refusal("close_needs_primary_or_melee", {"value": DAMAGE_LOCATIONS[value]}))
    problem = _target_problem(table, unit, target)
    if problem:
        return [*found, problem]
    name = table.roster.target_name(target)
    target_place = place_of(table, target)
    if table.roster.lattice.direction(place, target_place) < 0:
        found.append(Refusal("not_in_base_contact", {"target": name}))
    elif not can_reach_by_hand(table, place, facing, unit, target_place):
        side = table.roster.lattice.direction(place, target_place)
        in_front = table.roster.fighters[unit].front_sides[facing] >> side & 1
        found.append(Refusal("abrupt_out_of_reach" if in_front else "not_in_front_arc", {"target": name}))
    return found


def _ranged_problems(table: Table, unit: int, choice: Choice, place: int, facing: int) -> list[Refusal]:
    _, value, targets, indirect, drawn, _, cancelled = choice
    fighter = table.roster.fighters[unit]
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
    for number, target in enumerate(targets):
        line = drawn[number] if drawn else None
        found.extend(_shot_problems(table, unit, value, target, indirect, line, place, facing))
    return found


def _shot_problems(
    table: Table, unit: int, value: int, target: int, indirect: bool, line: tuple[str, ...] | None,
    place: int, facing: int,
) -> list[Refusal]:  # fmt: skip
    problem = _target_problem(table, unit, target)
    if problem:
        return [problem]
    fighter = table.roster.fighters[unit]
    name = table.roster.target_name(target)
    if not is_in_range(table, unit, value, place, target):
        return [
            Refusal(
                "out_of_range",
                {
                    "target": name,
                    "range": range_to(table, place, target),
                    "minimum": fighter.minimum[value],
                    "maximum": fighter.maximum[value],
                },
            )
        ]
    if indirect:
        found = may_fire_indirectly(table, unit, value, place, target)
        if not found and indirect_sight(table, unit, target, place, facing) is None:
            code = "not_in_front_arc" if _nothing_in_arc(table, unit, target, place, facing) else "direct_line_open"
            found = [Refusal(code, {"target": name})]
        if found or line is None:
            return found
    if line is not None:
        return _drawn_line_problems(table, unit, target, line, indirect, place, facing)
    if sight(table, unit, target, place, facing) is None:
        code = "not_in_front_arc" if _nothing_in_arc(table, unit, target, place, facing) else "line_blocked"
        return [Refusal(code, {"target": name})]
    return []


def _nothing_in_arc(table: Table, unit: int, target: int, place: int, facing: int) -> bool:
    from_here = table.roster.fighters[unit]
    target_place = place_of(table, target)
    side = table.roster.lattice.direction(place, target_place)
    if side >= 0:
        return not from_here.front_sides[facing] >> side & 1
    starts = lines_from(table, unit, target, place).starts
    return not starts & from_here.front_corners[facing]


def _drawn_line_problems(
    table: Table, unit: int, target: int, line: tuple[str, ...], indirect: bool, place: int, facing: int
) -> list[Refusal]:
    arena = table.roster.arena
    target_place = place_of(table, target)
    name = table.roster.target_name(target)
    others = third_parties(table, unit, target)
    if arena.lattice.direction(place, target_place) >= 0:
        return [Refusal("line_to_adjacent", {"target": name})]
    problem = line_problem(arena, place, target_place, line, others, indirect)
    if problem:
        return [problem]
    option = line_option(arena, place, target_place, line, others, indirect)
    if not table.roster.fighters[unit].front_corners[facing] >> option.first & 1:
        return [Refusal("not_in_front_arc", {"target": name})]
    return []


def lines_from(table: Table, unit: int, target: int, place: int) -> Any:
    """All lines from a place to a target that is not adjacent (rules.competition.line_of_fire.Lines)."""
    from_arena = table.roster.arena
    return line_table(from_arena, place, place_of(table, target), third_parties(table, unit, target))


def read_attack(table: Table, unit: int, document: Mapping[str, Any]) -> Choice:
    """Read a `close` or `ranged` order; raises Malformed, or IllegalAction when no value is possible."""
    order = document.get("order")
    cancelled = reading.equipment(document)
    named = document.get("targets")
    if not isinstance(named, list) or not named:
        raise Malformed("bad_field", field="targets", value=named)
    targets = tuple(table.roster.target_of(name) for name in named)
    value = document.get("value", "primary")  # R-RNG-03
    if value not in DAMAGE_LOCATIONS:
        raise Malformed("bad_field", field="value", value=value)
    if order == "close":
        reading.only(document, "order", "value", "targets", "cancel")
        if len(targets) != 1:
            raise IllegalAction("too_many_targets", count=len(targets), limit=1)
        return (CLOSE, DAMAGE_LOCATIONS.index(value), targets[0], cancelled)
    if order != "ranged":
        raise Malformed("bad_field", field="order", value=order)
    reading.only(document, "order", "value", "targets", "cancel", "indirect", "line", "ignore_friendly_fire")
    drawn = document.get("line")
    lines: Lines | None = None
    if drawn is not None:
        if not isinstance(drawn, Mapping) or not set(drawn) <= set(named):
            raise Malformed("bad_field", field="line", value=drawn)
        lines = tuple(_read_line(drawn.get(name)) for name in named)
    return (
        RANGED,
        DAMAGE_LOCATIONS.index(value),
        targets,
        reading.flag(document, "indirect", False),
        lines,
        reading.flag(document, "ignore_friendly_fire", False),
        cancelled,
    )


def _read_line(corners: Any) -> tuple[str, ...] | None:
    if corners is None:
        return None
    if not isinstance(corners, list) or not all(isinstance(corner, str) for corner in corners):
        raise Malformed("bad_field", field="line", value=corners)
    return tuple(corners)


def write_attack(table: Table, choice: Choice) -> dict[str, Any]:
    """The JSON form of a choice of attack."""
    roster = table.roster
    if choice[0] == CLOSE:
        _, value, target, cancelled = choice
        document: dict[str, Any] = {
            "order": "close",
            "value": DAMAGE_LOCATIONS[value],
            "targets": [roster.target_name(target)],
        }
    else:
        _, value, targets, indirect, drawn, ignores, cancelled = choice
        names = [roster.target_name(target) for target in targets]
        document = {"order": "ranged", "value": DAMAGE_LOCATIONS[value], "targets": names}
        if indirect:
            document["indirect"] = True
        if drawn:
            document["line"] = {name: list(line) for name, line in zip(names, drawn, strict=True) if line is not None}
        if ignores:
            document["ignore_friendly_fire"] = True
    if cancelled:
        document["cancel"] = keys_of(cancelled)
    return document


def as_attack(unit: int, order: int, choice: Choice) -> Attack:
    """The declared attack behind a choice; `order` is the order it belongs to (its own, assault, dig in, defend)."""
    if choice[0] == CLOSE:
        return Attack(unit, order, False, choice[1], (choice[2],), False, None, False)
    return Attack(unit, order, True, choice[1], choice[2], choice[3], choice[4], choice[5])
