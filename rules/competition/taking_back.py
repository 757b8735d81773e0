"""Taking a step back while no die has fallen and nothing hidden was shown since.

A match that keeps its events remembers the table before each answer as a return point, until dice fall, a target token
is drawn or a rally card is played. Taking back is a step of its own: nothing that was played is ever removed.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any, NamedTuple

from rules.competition.state import reading
from rules.competition.state.events import TAKEN_BACK
from rules.competition.state.match_state import MatchState
from rules.core.refusals import IllegalAction


class ReturnPoint(NamedTuple):
    """The table before the answer with number `step` (from 1) of a match."""

    step: int
    table: MatchState


class ReturnPoints:
    """The return points of one match, the oldest first."""

    __slots__ = ("_points",)

    def __init__(self, points: tuple[ReturnPoint, ...] = ()) -> None:
        self._points = points

    def copy(self) -> ReturnPoints:
        """Return the same return points for a copy of the match."""
        return ReturnPoints(self._points)

    def steps_of(self, side: int) -> list[int]:
        """Return the numbers of the steps that a side may take back now, the oldest first."""
        return [point.step for point in self._points if _asked_side(point.table) == side]

    def before(self, table: MatchState, step: int) -> ReturnPoint | None:
        """Return the point before an answer that is about to be played; None in a match that keeps no events."""
        return None if table.log is None else ReturnPoint(step, table.copy(copy(table.dice)))

    def after(self, table: MatchState, point: ReturnPoint | None) -> None:
        """Keep the point of an answer that was played; forget all when something fell or was shown, and without one."""
        if point is not None and table.open is not None and _is_quiet(point.table, table):
            self._points = (*self._points, point)
        else:
            self._points = ()

    def read(self, side: int, action: Mapping[str, Any]) -> ReturnPoint:
        """Return the point before the last `answers` of a side, 1 if the action does not say how many.

        Raises Malformed (bad_field, unknown_field), and IllegalAction (nothing_to_take_back) where it has fewer answers
        that can be taken back.
        """
        reading.only(action, "order", "answers")
        count = reading.whole({"answers": 1, **action}, "answers")
        own = [point for point in self._points if _asked_side(point.table) == side]
        if not 1 <= count <= len(own):
            raise IllegalAction("nothing_to_take_back", answers=count)
        return own[-count]

    def take_back(self, table: MatchState, point: ReturnPoint) -> None:
        """Put the table back to a return point, as an event of its own, and forget the point and all after it."""
        now, then = table.position.to_json(), point.table.position.to_json()
        changes = {name: _plain(value) for name, value in then.items() if value != now[name]}
        stood = {unit: place for unit, place in enumerate(then["hex"]) if place not in (-1, now["hex"][unit])}
        table.emit(TAKEN_BACK, _asked_side(point.table), tuple(stood), tuple(stood.values()), changes)
        table.agenda = point.table.agenda[:]
        table.open = point.table.open
        self._points = tuple(other for other in self._points if other.step < point.step)


def _asked_side(table: MatchState) -> int:
    assert table.open is not None, "a return point has an open decision"
    return table.roster.side_of[table.open[1]]


def _is_quiet(before: MatchState, after: MatchState) -> bool:
    """Return whether no die fell and nothing hidden was shown between two states of a match."""
    then, now = before.position, after.position
    return before.dice == after.dice and then.pool == now.pool and then.rallies == now.rallies


def _plain(value: Any) -> Any:
    """Return a value of a position as JSON text would give it back."""
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
