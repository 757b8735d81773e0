"""The translation of events between the engine's tuples and JSON: numbers become the names of units, sides and hexes.

Every event says who may see it. No event of a match is hidden, so all say "all".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rules.competition.state import card_events, events, format_events, scene_events, special_events
from rules.competition.state.event_kinds import FIELDS, KIND_OF, KINDS, Event
from rules.competition.state.position import ORDER_BITS, ORDER_NAMES, PHASE_NAMES
from rules.competition.state.roster import Roster
from rules.core.equipment import bits_of, keys_of
from rules.core.refusals import Malformed

DECLARED = (card_events, events, format_events, scene_events, special_events)
"""The modules that declare kinds of event. They are imported here so that all are known before the first is read."""

SEEN_BY_ALL = "all"


class EventCodec:
    """The codec of the events of one match, between tuples and JSON."""

    def __init__(self, roster: Roster) -> None:
        lattice = roster.lattice
        names = [fighter.name for fighter in roster.fighters]
        self._write: Mapping[str, Callable[[Any], Any]] = {
            "u": lambda unit: names[unit] if unit >= 0 else None,
            "U": lambda units: [names[unit] for unit in units],
            "t": roster.target_name,
            "T": lambda targets: [roster.target_name(target) for target in targets],
            "s": lambda side: roster.sides[side],
            "S": lambda sides: [roster.sides[side] for side in sides],
            "h": lattice.name,
            "H": lambda path: [lattice.name(place) for place in path],
            "k": lambda token: roster.token_names[token],
            "o": lambda order: ORDER_NAMES[order],
            "e": keys_of,
            "p": lambda phase: PHASE_NAMES[phase],
            "n": _plain,
        }
        self._read: Mapping[str, Callable[[Any], Any]] = {
            "u": lambda name: -1 if name is None else roster.unit_of[name],
            "U": lambda found: tuple(roster.unit_of[name] for name in found),
            "t": roster.target_of,
            "T": lambda found: tuple(roster.target_of(name) for name in found),
            "s": lambda name: roster.side_of_name[name],
            "S": lambda found: tuple(roster.side_of_name[name] for name in found),
            "h": lattice.index,
            "H": lambda path: tuple(lattice.index(name) for name in path),
            "k": lambda name: roster.token_of[name],
            "o": lambda name: ORDER_BITS[name],
            "e": bits_of,
            "p": PHASE_NAMES.index,
            "n": lambda value: value,
        }

    def encode(self, event: Event) -> dict[str, Any]:
        """Return the JSON form of one event."""
        write = self._write
        document: dict[str, Any] = {"event": KINDS[event[0]], "see": SEEN_BY_ALL}
        for (name, form), value in zip(FIELDS[event[0]], event[1:], strict=True):
            document[name] = write[form](value)
        return document

    def decode(self, document: Mapping[str, Any]) -> Event:
        """Return the engine's form of one event. Raises Malformed (bad_event, unknown_hex, unknown_target)."""
        read = self._read
        try:
            kind = KIND_OF[document["event"]]
            return (kind, *(read[form](document[name]) for name, form in FIELDS[kind]))
        except (KeyError, TypeError, ValueError) as problem:
            raise Malformed("bad_event", event=str(document.get("event")), problem=repr(problem)) from problem

    def encode_all(self, events: Iterable[Event]) -> list[dict[str, Any]]:
        """Return the JSON form of several events."""
        return [self.encode(event) for event in events]


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
