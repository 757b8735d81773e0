"""Matches rebuilt from their events alone: this needs no dice and no rules, so it works for every stored match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from rules.competition.attacks.forms import Attack
from rules.competition.attacks.modifiers import line_to
from rules.competition.attacks.sighting import place_of
from rules.competition.setups import roster_of
from rules.competition.state.encoding import EventCodec
from rules.competition.state.event_kinds import apply
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import ORDER_BITS, Position
from rules.competition.state.roster import DAMAGE_LOCATIONS, Roster
from rules.competition.state.setup import MatchSetup
from rules.competition.state.snapshot import snapshot_of
from rules.core.dice import ScriptedDice
from rules.core.refusals import IllegalAction, Malformed


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


class AimedShot(NamedTuple):
    """Where an attacker and one of its targets stand, by the names of their hexes.

    `line` has the corners, 0 to 5, of the two hexes between which the line of fire runs; None for an attack without
    one, and where the present rules see none.
    """

    hex: str
    target: str
    target_hex: str
    line: tuple[int, int] | None


def shots_at(
    setup: MatchSetup, events: Sequence[Mapping[str, Any]], place: int, drawn: Mapping[str, Sequence[str]] | None = None
) -> list[AimedShot]:
    """Return the shots of the attack whose `attack_resolved` is the event at `place`, one for each target in the arena.

    `drawn` are the corners of the lines that the player chose, by target. Raises what `rebuild` raises.
    """
    resolved = events[place]
    why = resolved.get("why") or {}
    names = [str(name) for name in (why.get("targets") or resolved["hit"])]
    roster = roster_of(setup)
    table = MatchState(roster, rebuild(roster, events[:place]), ScriptedDice([]), None)
    unit = roster.target_of(str(resolved["unit"]))
    targets = tuple(roster.target_of(name) for name in names)
    lines = tuple(tuple(drawn[name]) if name in drawn else None for name in names) if drawn else None
    attack = Attack(
        unit,
        ORDER_BITS.get(str(why.get("order")), 0),
        bool(why.get("ranged")),
        DAMAGE_LOCATIONS.index(why.get("value") or DAMAGE_LOCATIONS[0]),
        targets,
        bool(why.get("indirect")),
        lines,
        False,
        declared=len(targets),
    )
    own = table.position.hex[unit]
    shots = []
    for name, target in zip(names, targets, strict=True):
        there = place_of(table, target)
        if own >= 0 and there >= 0:
            line = _line_of(table, attack, target) if attack.is_ranged else None
            shots.append(AimedShot(roster.lattice.name(own), name, roster.lattice.name(there), line))
    return shots


def _line_of(table: MatchState, attack: Attack, target: int) -> tuple[int, int] | None:
    try:
        sight = line_to(table, attack, target)
    except (IllegalAction, Malformed):
        return None
    return None if sight is None or sight.line.first < 0 else (sight.line.first, sight.line.last)
