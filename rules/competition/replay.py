"""Matches rebuilt from their events alone: this needs no dice and no rules, so it works for every stored match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from rules.competition.setups import roster_of
from rules.competition.state.encoding import EventCodec
from rules.competition.state.event_kinds import apply
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import Position
from rules.competition.state.roster import Roster
from rules.competition.state.setup import MatchSetup
from rules.competition.state.snapshot import snapshot_of
from rules.core.dice import ScriptedDice
from rules.core.refusals import Malformed


def rebuild(roster: Roster, events: Iterable[Mapping[str, Any]]) -> Position:
    """Return the position after these events. Raises Malformed (bad_event, unknown_hex, unknown_target).

    >>> from rules.competition.setups import roster_of
    >>> events = [event for batch in match.events for event in batch]
    >>> rebuild(roster_of(match.setup), events) == match.table.position
    True
    """
    codec = EventCodec(roster)
    position = Position.empty(len(roster.fighters), len(roster.sides))
    for event in events:
        _write(position, codec, event)
    return position


def last_hexes(events: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return by unit the hex in which it stood last, steps that were taken back left out."""
    found: dict[str, str] = {}
    for event in events:
        if event["event"] in ("unit_placed", "moved"):
            found[event["unit"]] = event["hex"]
        elif event["event"] == "taken_back":
            found |= zip(event["units"], event["hexes"], strict=True)
    return found


def _write(position: Position, codec: EventCodec, event: Mapping[str, Any]) -> None:
    """Write an event to the position. Raises Malformed as `rebuild`: also for values that no match writes."""
    try:
        apply(position, codec.decode(event))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as problem:
        raise Malformed("bad_event", event=str(event.get("event")), problem=repr(problem)) from problem


def snapshots_at(
    setup: MatchSetup, events: Iterable[Mapping[str, Any]], stops: Sequence[int]
) -> Iterator[dict[str, Any]]:
    """Yield the visible state after the first n events for each n of `stops`, which must ascend.

    Raises Malformed (unknown_format), and what `rebuild` raises.
    """
    roster = roster_of(setup)
    codec = EventCodec(roster)
    position = Position.empty(len(roster.fighters), len(roster.sides))
    table = MatchState(roster, position, ScriptedDice([]), None)
    remaining = iter(events)
    done = 0
    for stop in stops:
        for event in islice(remaining, stop - done):
            _write(position, codec, event)
        done = stop
        yield snapshot_of(table)
