"""Events of scenarios only: they state a position without the play that led to it."""

from __future__ import annotations

from collections.abc import Sequence

from rules.competition.state.event_kinds import kind
from rules.competition.state.position import Position

SetUpEvent = tuple[int, int, int, int, int, int, int, int, int]


def _set_up(position: Position, event: SetUpEvent) -> None:
    unit = event[1]
    position.hex[unit], position.facing[unit], position.clicks[unit] = event[2], event[3], event[4]
    position.heat[unit], position.heat_die[unit] = event[5], event[6]
    position.status[unit], position.orders[unit] = event[7], event[8]


SET_UP = kind("set_up", "unit:u hex:h facing:n clicks:n heat:n heat_die:n status:n orders:n")(_set_up)


SetSceneEvent = tuple[int, int, int, Sequence[int], Sequence[tuple[int, int]], Sequence[int]]


def _set_scene(position: Position, event: SetSceneEvent) -> None:
    position.round, position.phase, position.order = event[1], event[2], tuple(event[3])
    position.tokens = tuple((token, place) for token, place in event[4])
    position.reputation[:] = event[5]
    position.round_hex = tuple(position.hex)


SET_SCENE = kind("set_scene", "round:n phase:p order:U tokens:n reputation:n")(_set_scene)
