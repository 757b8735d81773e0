"""Events that formats bring: who is active in a tag team, flags, the fate of pilots, the order of places."""

from __future__ import annotations

from collections.abc import Sequence

from rules.competition.state.event_kinds import kind, nothing
from rules.competition.state.position import PILOT_DEAD, Position

# --- tag team -----------------------------------------------------------------------------------------------------


ActiveNamedEvent = tuple[int, int, int]


def _waits(position: Position, event: ActiveNamedEvent) -> None:
    unit = event[2]
    position.waiting = (*position.waiting, (unit, position.hex[unit]))
    position.hex[unit] = -1


ACTIVE_NAMED = kind("active_named", "unit:u waiting:u")(_waits)


def _without(position: Position, unit: int) -> int:
    """Take a unit off the waiting ones and return the hex in which it waited."""
    place = next(at for waiting, at in position.waiting if waiting == unit)
    position.waiting = tuple(entry for entry in position.waiting if entry[0] != unit)
    return place


TaggedEvent = tuple[int, int, int, int, int]


def _tagged(position: Position, event: TaggedEvent) -> None:
    _, out, into, facing_out, facing_in = event
    place = _without(position, into)
    position.hex[into] = position.hex[out]
    position.hex[out] = -1
    position.waiting = (*position.waiting, (out, place))
    position.facing[out], position.facing[into] = facing_out, facing_in


TAGGED = kind("tagged", "unit:u with:u facing:n facing_with:n")(_tagged)


ActivatedEvent = tuple[int, int]


def _activated(position: Position, event: ActivatedEvent) -> None:
    position.hex[event[1]] = _without(position, event[1])


ACTIVATED = kind("activated", "unit:u")(_activated)

# --- capture the flag ---------------------------------------------------------------------------------------------


FlagPlacedEvent = tuple[int, int, int]


def _flag_placed(position: Position, event: FlagPlacedEvent) -> None:
    flags = list(position.flags) or [(-1, -1, -1)] * len(position.reputation)
    flags[event[1]] = (event[2], event[2], -1)
    position.flags = tuple(flags)


FLAG_PLACED = kind("flag_placed", "side:s hex:h")(_flag_placed)
FLAG_TRIED = kind("flag_tried", "unit:u side:s die:n modifier:n success:n")(nothing)


FlagCapturedEvent = tuple[int, int, int]


def _flag_captured(position: Position, event: FlagCapturedEvent) -> None:
    _move_flag(position, event[2], -1, event[1])


FLAG_CAPTURED = kind("flag_captured", "unit:u side:s")(_flag_captured)
FLAG_SHAKEN = kind("flag_shaken", "unit:u die:n dropped:n")(nothing)


FlagDroppedEvent = tuple[int, int, int, int, str]


def _flag_dropped(position: Position, event: FlagDroppedEvent) -> None:
    _move_flag(position, event[2], event[3], -1)


FLAG_DROPPED = kind("flag_dropped", "unit:u side:s hex:h cause:n")(_flag_dropped)


def _move_flag(position: Position, side: int, place: int, carrier: int) -> None:
    flags = list(position.flags)
    flags[side] = (flags[side][0], place, carrier)
    position.flags = tuple(flags)


# --- pilots and places --------------------------------------------------------------------------------------------


PilotFateEvent = tuple[int, int, int, bool]


def _pilot_fate(position: Position, event: PilotFateEvent) -> None:
    if event[3]:
        position.status[event[1]] |= PILOT_DEAD


PILOT_FATE = kind("pilot_fate", "unit:u die:n dead:n")(_pilot_fate)
PLACE_ROLLED = kind("place_rolled", "side:s die:n")(nothing)


PlacesEvent = tuple[int, Sequence[int]]


def _places(position: Position, event: PlacesEvent) -> None:
    position.places = tuple(event[1])


PLACES = kind("places", "sides:S")(_places)
