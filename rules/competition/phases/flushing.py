"""Coolant Flush: a close combat order that cools a friend (R-SEA-01, Q-106).

A choice with the unit's own hex and facing means that the unit does not move first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from rules.competition.attacks.aftermath import finish_attack
from rules.competition.attacks.forms import plain_attack
from rules.competition.attacks.repairing import roll_friendly
from rules.competition.ground.hexes import bits
from rules.competition.phases.move_phase import JUMP, WALK, carry_out_move, destinations, move_problem, path_names
from rules.competition.state import reading
from rules.competition.state.events import CANCELLED, ORDER_GIVEN
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import CLOSE
from rules.competition.state.roster import TOKEN
from rules.competition.units.cancelling import cancel_problems
from rules.competition.units.heat import shed
from rules.core.attack_hooks import flush_bits, flushes
from rules.core.equipment import keys_of
from rules.core.equipment_hooks import jumps
from rules.core.refusals import Refusal

FLUSH: Final = -2

FlushChoice = tuple[Literal[-2], int, int, int, int, tuple[int, ...] | None, int]
"""(FLUSH, target, mode, destination, facing, path, cancelled); without a path the engine chooses one."""


def flush_choices(table: MatchState, unit: int) -> list[FlushChoice]:
    """Return every possible Coolant Flush by friend, mode, hex and facing."""
    if not flushes(table.equipment(unit), False):
        return []
    position, roster = table.position, table.roster
    fighter = roster.fighters[unit]
    friends = [
        friend
        for friend in roster.side_units[fighter.side]
        if friend != unit and position.hex[friend] >= 0 and not table.opponents_in_contact(friend)
    ]
    if not friends:
        return []
    origin = position.hex[unit]
    found: list[FlushChoice] = []
    seen = 0
    for mode in (WALK, JUMP) if jumps(table.equipment(unit)) else (WALK,):
        places = destinations(table, unit, mode, table.speed(unit), table.equipment(unit), [])
        for place in bits((places | 1 << origin) & ~seen):
            for friend in friends:
                side = roster.lattice.direction(place, position.hex[friend])
                if side >= 0 and roster.arena.contact[place] >> position.hex[friend] & 1:
                    facings = bits(fighter.facings_by_side[side])
                    found.extend((FLUSH, friend, mode, place, facing, None, 0) for facing in facings)
        seen |= places | 1 << origin
    return found


def flush_problems(table: MatchState, unit: int, choice: FlushChoice) -> list[Refusal]:
    """Return why this Coolant Flush is not allowed, an empty list when it is.

    The codes are flush_needs_friend, flush_near_opponent, not_in_base_contact, not_in_front_arc, and those of
    `cancel_problems` and `move_problem`.
    """
    _, target, mode, destination, facing, path, cancelled = choice
    roster = table.roster
    found = cancel_problems(table, unit, cancelled)
    name = roster.target_name(target)
    is_friend = target < TOKEN and target != unit and roster.side_of[target] == roster.side_of[unit]
    if not flushes(table.equipment(unit) & ~cancelled, False) or not is_friend or table.position.hex[target] < 0:
        return [*found, Refusal("flush_needs_friend", {"target": name})]
    if table.opponents_in_contact(target):
        return [*found, Refusal("flush_near_opponent", {"target": name})]
    if path is not None and (
        problem := move_problem(table, unit, mode, path, table.speed(unit), table.equipment(unit) & ~cancelled, [])
    ):
        return [*found, problem]
    side = roster.lattice.direction(destination, table.position.hex[target])
    if side < 0 or not roster.arena.contact[destination] >> table.position.hex[target] & 1:
        found.append(Refusal("not_in_base_contact", {"target": name}))
    elif not roster.fighters[unit].front_sides[facing] >> side & 1:
        found.append(Refusal("not_in_front_arc", {"target": name}))
    return found


def flushed_friend(table: MatchState, unit: int, document: Mapping[str, Any]) -> int:
    """Return the friend that a `close` order on one friend would flush, -1 when it is no Coolant Flush.

    Raises Malformed (unknown_target, bad_field, unknown_equipment).
    """
    named = document.get("targets")
    if not isinstance(named, list) or len(named) != 1:
        return -1
    target = table.roster.target_of(named[0])
    if target >= TOKEN or target == unit or table.roster.side_of[target] != table.roster.side_of[unit]:
        return -1
    return target if flushes(table.equipment(unit) & ~reading.equipment(document), False) else -1


def read_flush(table: MatchState, unit: int, target: int, document: Mapping[str, Any]) -> FlushChoice:
    """Read a `close` order on a friend that may have a path and a facing.

    Raises Malformed (bad_field, unknown_field, unknown_hex, unknown_equipment).
    """
    reading.only(document, "order", "value", "targets", "path", "facing", "cancel")
    path = reading.hexes(table.roster, document)
    facing = reading.facing(document, default=table.position.facing[unit])
    destination = path[-1] if path else table.position.hex[unit]
    cancelled = reading.equipment(document)
    choice: FlushChoice = (FLUSH, target, WALK, destination, facing, path, cancelled)
    if path and jumps(table.equipment(unit) & ~cancelled) and flush_problems(table, unit, choice):
        return (FLUSH, target, JUMP, destination, facing, path, cancelled)
    return choice


def write_flush(table: MatchState, unit: int, choice: FlushChoice) -> dict[str, Any]:
    """Return the JSON form of a Coolant Flush."""
    _, target, mode, destination, facing, path, cancelled = choice
    document: dict[str, Any] = {
        "order": "close",
        "targets": [table.roster.target_name(target)],
        "path": path_names(table, unit, mode, destination, path, cancelled, breaks_away=False),
        "facing": facing,
    }
    if cancelled:
        document["cancel"] = keys_of(cancelled)
    return document


def carry_out_flush(table: MatchState, unit: int, choice: FlushChoice) -> None:
    """Move the unit if the choice says so, offer the free spins that follow, then roll."""
    _, target, mode, destination, facing, path, cancelled = choice
    position = table.position
    if cancelled:
        table.emit(CANCELLED, unit, cancelled)
    table.emit(ORDER_GIVEN, unit, CLOSE, False)
    has_moved = destination != position.hex[unit] or bool(path) or facing != position.facing[unit]
    table.push((roll_flush, unit, target, has_moved))
    if has_moved:
        used = carry_out_move(table, unit, mode, destination, facing, path, "flush", breaks_away=False)
        table.charge_single_use(unit, used)


def roll_flush(table: MatchState, unit: int, target: int, has_moved: bool) -> None:
    """Roll for a flush: on success the friend loses heat at once; critical results change nothing (R-SEA-01, Q-61)."""
    if not table.is_in_play(unit):
        return
    attack = plain_attack(unit, CLOSE, target)
    table.push((finish_attack, attack, None, 0))
    active = table.equipment(unit)
    if table.is_in_play(target) and roll_friendly(table, attack)[0]:
        shed(table, target, flushes(active, has_moved), keys_of(flush_bits(active))[0])
    table.charge_single_use(unit, flush_bits(active))
