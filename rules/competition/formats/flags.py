"""Flags: who carries them, which moves try for one, and the decision in which hex one is put down (Q-143, Q-144)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.competition.attacks.sighting import is_out_of_hand
from rules.competition.ground.hexes import bits
from rules.competition.ground.paths import HEX_COST, entry_cost, jump_reach, reach, route, wavefront
from rules.competition.phases.move_phase import JUMP, MOVE_TURN, RUN, stop_hexes
from rules.competition.state import reading
from rules.competition.state.format_events import FLAG_DROPPED
from rules.competition.state.match_format import FlagTry, Path
from rules.competition.state.match_state import DecisionKind, MatchState
from rules.core.equipment_hooks import flat_entry_cost
from rules.core.refusals import Refusal


def carried_by(table: MatchState, unit: int) -> list[int]:
    """Return the flags that a unit carries, each by the side that it belongs to."""
    return [side for side, (_, _, carrier) in enumerate(table.position.flags) if carrier == unit]


def lying(table: MatchState) -> set[int]:
    """Return the hexes in which flags lie."""
    return {place for _, place, _ in table.position.flags if place >= 0}


def flags_at(table: MatchState, unit: int, place: int) -> list[int]:
    """Return the flags that lie in a hex, opposing ones first."""
    own = table.roster.side_of[unit]
    found = [side for side, (_, at, _) in enumerate(table.position.flags) if at == place]
    return sorted(found, key=lambda side: side == own)


def steps_of(table: MatchState, path: Path, is_jump: bool) -> list[tuple[int, bool]]:
    """Return each hex of a declared path, and whether the unit only tries for a flag there and does not enter.

    A jump passes over flags: it can try only for those named after the hex where it lands.
    """
    places = lying(table)
    steps = [(place, place in places) for place in path]
    if is_jump:
        landed = max((number for number, (_, is_try) in enumerate(steps) if not is_try), default=-1)
        steps = [(place, is_try and number > landed) for number, (place, is_try) in enumerate(steps)]
    return steps


CarriedFlag = tuple[int, bool]
"""The side of a carried flag, and whether it must be put down."""

DropChoice = tuple[int]
"""(hex,), or (-1,) to keep the flag."""


class FlagDrop(DecisionKind[CarriedFlag, DropChoice]):
    """Where a carried flag is put down, if it is. Data: the flag's side, and whether it must be put down."""

    name = "flag_drop"

    def options(self, table: MatchState, unit: int, data: CarriedFlag) -> list[DropChoice]:
        if data[1]:
            return [(place,) for place in bits(free_beside(table, unit))]
        return [(-1,), (table.position.flags[table.roster.side_of[unit]][0],)]

    def problems(self, table: MatchState, unit: int, data: CarriedFlag, choice: DropChoice) -> list[Refusal]:
        if choice in self.options(table, unit, data):
            return []
        if choice[0] < 0:
            return [Refusal("flag_must_drop", {"unit": table.fighter(unit).name})]
        return [Refusal("flag_not_here", {"hex": table.roster.lattice.name(choice[0])})]

    def read(self, table: MatchState, unit: int, data: CarriedFlag, document: Mapping[str, Any]) -> DropChoice:
        reading.only(document, "choose", "hex")
        if document.get("hex") is None:
            return (-1,)
        return (reading.hex_index(table.roster, document["hex"]),)

    def write(self, table: MatchState, unit: int, data: CarriedFlag, choice: DropChoice) -> dict[str, Any]:
        return {"choose": self.name, "hex": table.roster.lattice.name(choice[0]) if choice[0] >= 0 else None}

    def why(self, table: MatchState, unit: int, data: CarriedFlag) -> dict[str, Any]:
        return {"flag": table.roster.sides[data[0]], "forced": data[1]}

    def resolve(self, table: MatchState, unit: int, data: CarriedFlag, choice: DropChoice) -> None:
        if choice[0] >= 0:
            table.emit(FLAG_DROPPED, unit, data[0], choice[0], "shaken" if data[1] else "home")


FLAG_DROP = FlagDrop()


def free_beside(table: MatchState, unit: int) -> int:
    """Return the hexes next to a unit into which a flag can fall, as bits: free and not blocking (Q-144)."""
    arena = table.roster.arena
    return arena.adjacent[table.position.hex[unit]] & arena.passable & ~table.position.filled()


def ask_flag_drop(table: MatchState, unit: int, flag: int) -> None:
    """Offer to put a carried flag down in the hex where the unit's own flag began (R-FMT-17).

    There is no offer while a unit is in that hex, or when the unit no longer carries the flag.
    """
    home = table.position.flags[table.roster.side_of[unit]][0]
    if flag in carried_by(table, unit) and not table.position.occupied() >> home & 1:
        table.ask(FLAG_DROP, unit, (flag, False))


def ask_forced_drop(table: MatchState, unit: int, flag: int) -> None:
    """Ask the player of a carrier where its flag falls (R-FMT-18); the carrier keeps the flag when no hex is free."""
    if flag in carried_by(table, unit) and free_beside(table, unit):
        table.ask(FLAG_DROP, unit, (flag, True))


def flag_tries(table: MatchState, unit: int) -> list[FlagTry]:
    """Return every move that tries for one flag, one for each mode, flag hex and destination.

    If two flags lie in one hex, it tries for the first of `flags_at`.
    """
    position, arena = table.position, table.roster.arena
    origin = position.hex[unit]
    distance = arena.lattice.distance
    places = sorted(lying(table))
    if not places:
        return []
    found: list[FlagTry] = []
    filled = position.filled() & ~(1 << origin)
    flat = bool(flat_entry_cost(table.equipment(unit)))
    stops = stop_hexes(table, unit, table.opponents_in_contact(unit))
    for mode in MOVE_TURN.modes(table, unit):
        speed = table.speed(unit) * (2 if mode == RUN else 1)
        near = [place for place in places if HEX_COST * distance(origin, place) <= speed]
        if near and mode == JUMP:
            ends = jump_reach(arena, origin, speed - HEX_COST, filled) | 1 << origin
            found.extend(
                FlagTry(JUMP, place, end, 0, end) for place in near for end in bits(ends & arena.adjacent[place])
            )
        elif near:
            waves = wavefront(arena, origin, speed, filled, stops, flat)
            for place in near:
                seen = 0
                for spent, wave in enumerate(waves):
                    for before in bits(wave & arena.adjacent[place] & (~stops | 1 << origin)):
                        needed = spent + entry_cost(arena, before, place, flat)
                        if needed > speed or is_out_of_hand(table, before, place):
                            continue
                        ends = reach(arena, before, speed - spent, filled, stops, flat) | 1 << before
                        found.extend(FlagTry(mode, place, before, spent, end) for end in bits(ends & ~seen))
                        seen |= ends
    return found


def path_of_try(table: MatchState, unit: int, way: FlagTry) -> Path:
    """Return the cheapest path of a try: to the hex before the flag, the flag's hex, and on to the destination."""
    position, arena = table.position, table.roster.arena
    origin = position.hex[unit]
    speed = table.speed(unit) * (2 if way.mode == RUN else 1)
    filled = position.filled() & ~(1 << origin)
    flat = bool(flat_entry_cost(table.equipment(unit)))
    stops = stop_hexes(table, unit, table.opponents_in_contact(unit))
    first = route(arena, origin, way.before, speed, filled, stops, flat, way.mode == JUMP)
    last = route(arena, way.before, way.destination, speed - way.spent, filled, stops, flat)
    return (*first, way.tried, *last)


def try_problem(table: MatchState, unit: int, path: Path, speed: int, flat: bool, is_jump: bool) -> Refusal | None:
    """Return why a unit may not try for the flags that a path names; None when it may.

    The unit must be able to enter their hexes, and each flag has one try (Q-143). The codes are flag_tried_already,
    path_not_adjacent, path_must_stop, path_abrupt and path_too_long.
    """
    arena = table.roster.arena
    name = arena.lattice.name
    before = table.position.hex[unit]
    stops = stop_hexes(table, unit, table.opponents_in_contact(unit))
    tried: list[int] = []
    cost = step = 0
    for place, is_try in steps_of(table, path, is_jump):
        if not is_try:
            cost += HEX_COST if is_jump else entry_cost(arena, before, place, flat)
            before, step = place, step + 1
            continue
        tried.append(place)
        needed = cost + (HEX_COST if is_jump else entry_cost(arena, before, place, flat))
        if tried.count(place) > len(flags_at(table, unit, place)):
            return Refusal("flag_tried_already", {"hex": name(place)})
        if arena.lattice.direction(before, place) < 0:
            return Refusal("path_not_adjacent", {"from": name(before), "to": name(place)})
        if not is_jump and step and stops >> before & 1:
            return Refusal("path_must_stop", {"hex": name(before)})
        if not is_jump and is_out_of_hand(table, before, place):
            return Refusal("path_abrupt", {"from": name(before), "hex": name(place)})
        if needed > speed:
            return Refusal("path_too_long", {"cost": needed, "speed": speed})
    return None
