"""Events of the special attacks: declarations, pins, units that cannot move."""

from __future__ import annotations

from rules.competition.state.event_kinds import Event, kind, nothing
from rules.competition.state.position import HELD, Position

SPECIAL_DECLARED = kind("special_attack", "unit:u target:u attack:n")(nothing)


def _pinned(position: Position, event: Event) -> None:
    position.pins = (*position.pins, (event[1], event[2]))
    position.orders[event[1]] |= HELD


PINNED = kind("pinned", "unit:u target:u")(_pinned)


def _grounded(position: Position, event: Event) -> None:
    position.orders[event[1]] |= HELD


GROUNDED = kind("grounded", "unit:u")(_grounded)
