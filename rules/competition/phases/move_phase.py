"""The move phase: move orders, running, jumping, breaking away (sections MOV, BAS, BRK)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Literal

from rules.competition.ground.hexes import bits, nth_bit, popcount
from rules.competition.ground.paths import entry_cost, jump_reach, path_problem, reach, route
from rules.competition.state import reading
from rules.competition.state.events import CANCELLED, FACED, MOVED, ORDER_GIVEN, PASSED, TURN_BEGAN
from rules.competition.state.match_state import DecisionKind, MatchState
from rules.competition.state.position import HELD, MOVE, SPECIAL_MOVE
from rules.competition.units import sources
from rules.competition.units.breaking_away import break_away
from rules.competition.units.cancelling import cancel_problems
from rules.competition.units.free_spins import ask_free_spin
from rules.competition.units.rally import ask_rally
from rules.competition.units.sources import ask_sources
from rules.core.equipment import keys_of
from rules.core.equipment_hooks import flat_entry_cost, jumps, run_heat
from rules.core.refusals import IllegalAction, Malformed, Refusal

remembered_route = lru_cache(maxsize=512)(route)
"""`route` with a cache, so that the twelve facings in which a move can end share one search."""

PASS: Final = 0
PassChoice = tuple[Literal[0]]
"""(PASS,)."""

DeclaredMove = tuple[Literal[1], int, int, int, tuple[int, ...] | None, int]
"""(MOVE, mode, destination, facing, path, cancelled); `path` is None when the engine may take its own route, which has
the same outcome."""

MoveChoice = PassChoice | DeclaredMove

BARS_MOVE = SPECIAL_MOVE | HELD
"""The bits of `orders` that rule out a move order (R-MOV-20, R-MOV-21)."""

WALK, RUN, JUMP = range(3)
MODES = ("walk", "run", "jump")

Reachable = tuple[int, int]


def stop_hexes(table: MatchState, unit: int, broken_from: list[int]) -> int:
    """Return the hexes in which contact ends a move (R-MOV-11), as bits.

    Opponents that the unit breaks away from do not count (Q-50).
    """
    position = table.position
    contact = table.roster.arena.contact
    mask = 0
    for other in table.roster.opponents[unit]:
        place = position.hex[other]
        if place >= 0 and other not in broken_from:
            mask |= contact[place]
    return mask


def destinations(table: MatchState, unit: int, mode: int, speed: int, active: int, broken_from: list[int]) -> int:
    """Return the hexes where a move can end, as bits, without the unit's own.

    `speed` is that of the mode, `active` the equipment bits at work; the unit breaks away from `broken_from`.
    """
    position = table.position
    origin = position.hex[unit]
    filled = position.filled() & ~(1 << origin)
    if mode == JUMP:
        return jump_reach(table.roster.arena, origin, speed, filled)
    stops = stop_hexes(table, unit, broken_from)
    return reach(table.roster.arena, origin, speed, filled, stops, bool(flat_entry_cost(active)))


def move_problem(
    table: MatchState, unit: int, mode: int, path: tuple[int, ...], speed: int, active: int, broken_from: list[int]
) -> Refusal | None:
    """Return why a player's path is not allowed, with a code of `path_problem`; None when it is.

    The arguments are those of `destinations`.
    """
    position = table.position
    origin = position.hex[unit]
    return path_problem(
        table.roster.arena,
        origin,
        path,
        speed,
        position.filled() & ~(1 << origin),
        stop_hexes(table, unit, broken_from),
        bool(flat_entry_cost(active)),
        mode == JUMP,
    )


def carry_out_move(
    table: MatchState,
    unit: int,
    mode: int,
    destination: int,
    facing: int,
    path: tuple[int, ...] | None,
    name: str,
    spared: int = -1,
    breaks_away: bool = True,
) -> int:
    """Move the unit, offer free spins to the opponents that it then touches, and return the equipment bits used.

    `spared` is an opponent without a free spin, -1 for none. `breaks_away`: opponents in contact at the start do not
    stop the unit (Q-50).
    """
    position = table.position
    origin = position.hex[unit]
    active = table.equipment(unit)
    circles = table.fighter(unit).single_use[position.clicks[unit]]
    flat = flat_entry_cost(active)
    used = jumps(active) if mode == JUMP and destination != origin else 0
    follows = table.roster.format.follows_path(table, unit)
    arena = table.roster.arena
    if path is None and destination != origin and (table.log is not None or flat & circles or follows):
        filled = position.filled() & ~(1 << origin)
        speed = table.speed(unit) * (2 if mode == RUN else 1)
        stops = stop_hexes(table, unit, table.opponents_in_contact(unit) if breaks_away else [])
        path = route(arena, origin, destination, speed, filled, stops, bool(flat), mode == JUMP)
    if path or follows:
        path = table.roster.format.on_the_way(table, unit, path or (), mode == JUMP)
    if path and destination != origin and flat and mode != JUMP:
        steps = zip((origin, *path), path, strict=False)
        if any(entry_cost(arena, a, b) > 2 for a, b in steps):
            used |= flat
    table.emit(MOVED, unit, path or (), destination, facing, name)
    if destination != origin or path:
        touching = [other for other in table.in_turn_order(table.opponents_in_contact(unit)) if other != spared]
        if touching:
            table.push(*((ask_free_spin, other, unit) for other in touching))
    return used


class Move(DecisionKind[None, MoveChoice]):
    """A unit's turn in the move phase."""

    name = "move"

    def options(self, table: MatchState, unit: int, data: None) -> list[MoveChoice]:
        position = table.position
        origin = position.hex[unit]
        found: list[MoveChoice] = [(PASS,)]
        for mode, places in self._reachable(table, unit):
            ends = [origin, *bits(places)] if mode != JUMP else list(bits(places))
            found += [(MOVE, mode, end, facing, None, 0) for end in ends for facing in range(12)]
        for way in table.roster.format.flag_tries(table, unit):
            path = table.roster.format.path_of(table, unit, way)
            found.extend((MOVE, way.mode, way.destination, facing, path, 0) for facing in range(12))
        return found

    def sample(self, table: MatchState, unit: int, data: None, rng: random.Random) -> MoveChoice:
        pick = rng.random
        if pick() < 0.1:
            return (PASS,)
        ways = table.roster.format.flag_tries(table, unit)
        if ways and pick() < 0.3:
            way = ways[int(pick() * len(ways))]
            path = table.roster.format.path_of(table, unit, way)
            return (MOVE, way.mode, way.destination, int(pick() * 12), path, 0)
        modes = self.modes(table, unit)
        mode = modes[int(pick() * len(modes))]
        active = table.equipment(unit)
        speed = table.speed(unit) * (2 if mode == RUN else 1)
        places = destinations(table, unit, mode, speed, active, table.opponents_in_contact(unit))
        number = int(pick() * (popcount(places) + 1))
        if number:
            return (MOVE, mode, nth_bit(places, number - 1), int(pick() * 12), None, 0)
        return (MOVE, WALK, table.position.hex[unit], int(pick() * 12), None, 0)

    def modes(self, table: MatchState, unit: int) -> tuple[int, ...]:
        """Return the modes in which the unit may move now.

        It can always walk, run unless Engine Overheat bars it, and jump with Jump Jets.
        """
        may_run = not table.fighter(unit).no_run[table.position.heat[unit]]
        if jumps(table.equipment(unit)):
            return (WALK, RUN, JUMP) if may_run else (WALK, JUMP)
        return (WALK, RUN) if may_run else (WALK,)

    def _reachable(self, table: MatchState, unit: int) -> list[Reachable]:
        """Return each mode with its destinations; a jump that is as good as a walk is left out."""
        active = table.equipment(unit)
        broken_from = table.opponents_in_contact(unit)
        speed = table.speed(unit)
        walked = destinations(table, unit, WALK, speed, active, broken_from)
        found = [(WALK, walked)]
        for mode in self.modes(table, unit):
            if mode == RUN:
                found.append((RUN, destinations(table, unit, RUN, 2 * speed, active, broken_from)))
            elif mode == JUMP:
                jumped = destinations(table, unit, JUMP, speed, active, broken_from)
                circles = table.fighter(unit).single_use[table.position.clicks[unit]]
                found.append((JUMP, jumped if circles & jumps(active) else jumped & ~walked))
        return found

    def problems(self, table: MatchState, unit: int, data: None, choice: MoveChoice) -> list[Refusal]:
        if choice[0] == PASS:
            return []
        _, mode, _, _, path, cancelled = choice
        assert path is not None, "an answer from outside has a path"
        found = cancel_problems(table, unit, cancelled)
        active = table.equipment(unit) & ~cancelled
        if mode == RUN and table.fighter(unit).no_run[table.position.heat[unit]]:
            found.append(Refusal("run_engine_overheat", {"unit": table.fighter(unit).name}))
        if mode == JUMP and not jumps(active):
            found.append(Refusal("no_jump_jets", {"unit": table.fighter(unit).name}))
        if found:
            return found
        speed = table.speed(unit) * (2 if mode == RUN else 1)
        broken_from = table.opponents_in_contact(unit)
        entered = table.roster.format.entered(table, path, mode == JUMP)
        problem = move_problem(table, unit, mode, entered, speed, active, broken_from)
        if problem is None:
            flat = bool(flat_entry_cost(active))
            problem = table.roster.format.try_problem(table, unit, path, speed, flat, mode == JUMP)
        return [problem] if problem else []

    def read(self, table: MatchState, unit: int, data: None, document: Mapping[str, Any]) -> MoveChoice:
        order = document.get("order")
        if order == "pass":
            reading.only(document, "order")
            return (PASS,)
        if order != "move":
            raise IllegalAction("order_not_now", order=order, phase="move")
        reading.only(document, "order", "path", "facing", "run", "jump", "cancel")
        runs = reading.flag(document, "run", False)
        leaps = reading.flag(document, "jump", False)
        if runs and leaps:
            raise Malformed("bad_field", field="jump", value=True)
        path = reading.hexes(table.roster, document)
        facing = reading.facing(document, default=table.position.facing[unit])
        cancelled = reading.equipment(document)
        entered = table.roster.format.entered(table, path, leaps)
        destination = entered[-1] if entered else table.position.hex[unit]
        mode = RUN if runs else JUMP if leaps else WALK
        choice: MoveChoice = (MOVE, mode, destination, facing, path, cancelled)
        if mode == WALK and path and self.problems(table, unit, data, choice):
            # Jump Jets are on unless cancelled, so a plain move that only a jump can make is a jump.
            entered = table.roster.format.entered(table, path, True)
            destination = entered[-1] if entered else table.position.hex[unit]
            jump: MoveChoice = (MOVE, JUMP, destination, facing, path, cancelled)
            if not self.problems(table, unit, data, jump):
                return jump
        return choice

    def write(self, table: MatchState, unit: int, data: None, choice: MoveChoice) -> dict[str, Any]:
        if choice[0] == PASS:
            return {"order": "pass"}
        _, mode, destination, facing, path, cancelled = choice
        document: dict[str, Any] = {
            "order": "move",
            "path": path_names(table, unit, mode, destination, path, cancelled),
            "facing": facing,
        }
        if mode != WALK:
            document[MODES[mode]] = True
        if cancelled:
            document["cancel"] = keys_of(cancelled)
        return document

    def resolve(self, table: MatchState, unit: int, data: None, choice: MoveChoice) -> None:
        if choice[0] == PASS:
            table.emit(PASSED, unit)
            return
        _, mode, destination, facing, path, cancelled = choice
        if cancelled:
            table.emit(CANCELLED, unit, cancelled)
        table.emit(ORDER_GIVEN, unit, MOVE, False)
        used = 0
        if table.opponents_in_contact(unit):
            success, used = break_away(table, unit, mode == RUN)
            if not success:
                table.emit(FACED, unit, facing, "failed_break_away")  # R-BRK-02
                table.charge_single_use(unit, used)
                return
        if mode == RUN:
            heat, saved = run_heat(table.equipment(unit))
            used |= saved
            table.note_heat(unit, heat, "run")
        name = MODES[mode] if destination != table.position.hex[unit] else "turn"
        used |= carry_out_move(table, unit, mode, destination, facing, path, name)
        table.charge_single_use(unit, used)


def path_names(
    table: MatchState,
    unit: int,
    mode: int,
    destination: int,
    path: tuple[int, ...] | None,
    cancelled: int,
    breaks_away: bool = True,
) -> list[str]:
    """Return the hexes entered, by name: the given path or the engine's route.

    `breaks_away`: opponents in contact at the start do not stop the unit (Q-50).
    """
    position = table.position
    origin = position.hex[unit]
    if path is None:
        if destination == origin:
            return []
        path = remembered_route(
            table.roster.arena,
            origin,
            destination,
            table.speed(unit) * (2 if mode == RUN else 1),
            position.filled() & ~(1 << origin),
            stop_hexes(table, unit, table.opponents_in_contact(unit) if breaks_away else []),
            bool(flat_entry_cost(table.equipment(unit) & ~cancelled)),
            mode == JUMP,
        )
    return [table.roster.lattice.name(place) for place in path]


MOVE_TURN = Move()


def begin_turn(table: MatchState, unit: int) -> None:
    """Begin one unit's place in the move phase: its cards, then its order."""
    if not table.roster.has_cards:
        take_turn(table, unit)
        return
    begins = may_move(table, unit)
    if begins:  # before the cards: the events must not reveal whether a card or an order is asked for
        table.emit(TURN_BEGAN, unit)
    table.push((ask_rally, unit), (ask_sources, unit, sources.MOVE_TURN), (take_turn, unit, begins))


def may_move(table: MatchState, unit: int) -> bool:
    """Return whether the unit can be given a move order now."""
    position = table.position
    return table.can_take_orders(unit) and position.hex[unit] >= 0 and not position.orders[unit] & BARS_MOVE


def take_turn(table: MatchState, unit: int, has_begun: bool = False) -> None:
    """Ask for the order of a unit that can take one; `has_begun`: the event of its turn came before its cards."""
    if may_move(table, unit):
        if not has_begun:
            table.emit(TURN_BEGAN, unit)
        table.ask(MOVE_TURN, unit)
