"""Folding: one entry after another makes of a setup what the event is now.

    event = fold(event, entries)      # applies all; nothing stored is ever refused
    list(why_not(event, entry))       # why the rules forbid an entry now; none when they allow it
    enter(event, entry)               # asks first, then applies; raises ChallengeRefused

What the GM overrules is applied as it is. Undone entries are left out before folding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.challenge.cycle import begin_step, entrance_faults, go_to, off_board_faults
from rules.challenge.deeds import surprises
from rules.challenge.entries import Entry, Kind
from rules.challenge.kinds import KINDS
from rules.challenge.off_board.money import give_cycle_bonus
from rules.challenge.state import Event, Fact, Table
from rules.core.refusals import Refusal, Refused


class ChallengeRefused(Refused):
    """An entry that the rules of the Challenge do not allow now."""


NOT_OF_A_TURN = frozenset(
    {"give", "new_pilot", "approve", "sheets_in", "forfeit", "stage", "end_turn", "end_day", "noted", "settle_bet"}
    | {kind.name for kind in surprises.KINDS}
)
"""What may be entered whatever turn it is."""


def why_not(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Yield why the rules forbid an entry now."""
    kind = KINDS[entry.what]
    yield from _wrong_turn(event, entry)
    if kind.off_board:
        refusals = [] if entry.what == "prison_roll" else list(off_board_faults(event, entry, step_of(event, kind)))
        yield from refusals
        if any(refusal.code in ("pilot_unknown", "pilot_dead") for refusal in refusals):
            return
    if entry.what == "enter":
        yield from entrance_faults(event, entry)
    yield from kind.check(event, entry)


def step_of(event: Event, kind: Kind) -> int | None:
    """Return the step of the off-board cycle that a kind of entry belongs to in this event."""
    return kind.step_in(event.switches.strict_tier4_order)


def not_of_open_turn(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Refuse an entry of the board that names another turn than the one that is open at its table."""
    table = event.table(entry.table)
    if entry.turn is None or KINDS[entry.what].off_board:
        return
    if entry.turn < table.turn:
        yield Refusal("turn_closed", {"turn": entry.turn, "now": table.turn})
    elif entry.turn > table.turn:
        yield Refusal("turn_open_at_table", {"table": table.id, "turn": table.turn})


def _wrong_turn(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Refuse a turn that is closed, and one that has not begun while another is open."""
    table = event.table(entry.table)
    for refusal in not_of_open_turn(event, entry):
        if refusal.code == "turn_closed" or table.facts:
            yield refusal


def enter(event: Event, entry: Entry) -> None:
    """Apply an entry that the rules allow or the GM overrules. Raises ChallengeRefused with the first reason."""
    if entry.overruled is None:
        refusal = next(why_not(event, entry), None)
        if refusal is not None:
            raise ChallengeRefused(refusal.code, **refusal.parameters)
    apply(event, entry)


def apply(event: Event, entry: Entry) -> None:
    """Apply an entry, whether the rules allow it or not."""
    kind, table = KINDS[entry.what], event.table(entry.table)
    if entry.turn is not None and not kind.off_board and not table.facts:
        table.turn = max(table.turn, entry.turn)
    begin_step(event, entry, kind.off_board, step_of(event, kind))
    kind.apply(event, entry)
    if kind.off_board:
        go_to(event.pilots[entry.pilot or ""], step_of(event, kind))
    elif entry.what not in NOT_OF_A_TURN:
        table.facts.append(Fact(event.applied, entry))
    if entry.what in ("exit", "eject", "kill", "end_turn"):
        _bonuses(event, table)
    event.applied += 1


def _bonuses(event: Event, table: Table) -> None:
    """Give what an arena cycle has earned beside its awards, to those who have left."""
    for pilot in event.pilots.values():
        if not pilot.is_in_arena and pilot.left_turns:
            give_cycle_bonus(event, pilot)


def fold(event: Event, entries: Iterable[Entry]) -> Event:
    """Apply all entries in their order and return the event."""
    for entry in entries:
        apply(event, entry)
    return event
