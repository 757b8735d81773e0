"""Events of the special attacks: declarations, pins, units that cannot move."""

from __future__ import annotations

from rules.competition.state.event_kinds import kind, nothing
from rules.competition.state.position import HELD, Position

SPECIAL_DECLARED = kind("special_attack", "unit:u target:u attack:n")(nothing)


PinnedEvent = tuple[int, int, int]


def _pinned(position: Position, event: PinnedEvent) -> None:
    position.pins = (*position.pins, (event[1], event[2]))
    position.orders[event[1]] |= HELD


PINNED = kind("pinned", "unit:u target:u")(_pinned)


GroundedEvent = tuple[int, int]


def _grounded(position: Position, event: GroundedEvent) -> None:
    position.orders[event[1]] |= HELD


GROUNDED = kind("grounded", "unit:u")(_grounded)
