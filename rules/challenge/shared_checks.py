"""Questions that many checks ask, each answered by the refusals that follow: none when all is well."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from rules.challenge.entries import PHASES, Entry
from rules.challenge.state import Event, Fact, Pilot, Table
from rules.challenge.worth import Worth
from rules.core.refusals import Refusal


def pilot_of(event: Event, entry: Entry) -> Pilot:
    """Return the one pilot that an entry is about. Raises KeyError when it names none of the event."""
    return event.pilots[entry.pilot or ""]


def subject_of(event: Event, entry: Entry) -> Pilot:
    """Return the pilot that an entry happened to. Raises KeyError when it names none of the event."""
    return event.pilots[entry.subject or ""]


def unknown(event: Event, entry: Entry) -> Generator[Refusal, None, bool]:
    """Refuse names that no pilot of the event has, and return whether there is one.

    `if (yield from unknown(event, entry)): return` ends a check that needs the pilots.
    """
    names = [name for name in (*entry.by, entry.at) if name is not None and name not in event.pilots]
    for name in names:
        yield Refusal("pilot_unknown", {"pilot": name})
    return bool(names)


def needs_one(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Refuse an entry that names nobody, or several where one is meant."""
    if len(entry.by) != 1 and entry.subject is None:
        yield Refusal("pilot_missing_in_entry", {"what": entry.what})


def not_alive(pilot: Pilot) -> Iterator[Refusal]:
    """Refuse what a dead pilot would do: their record is closed (MC-DEATH-01)."""
    if not pilot.alive:
        yield Refusal("pilot_dead", {"pilot": pilot.id})


def living_of(event: Event, player: str | None) -> Pilot | None:
    """Return the living pilot of a player, who has one at a time (MC-DEATH-02)."""
    return next((pilot for pilot in event.pilots.values() if pilot.player == player and pilot.alive), None)


def not_in_arena(pilot: Pilot) -> Iterator[Refusal]:
    """Refuse a pilot who is not on the board."""
    yield from not_alive(pilot)
    if pilot.alive and not pilot.is_in_arena:
        yield Refusal("pilot_not_in_arena", {"pilot": pilot.id})


def turn_of(event: Event, entry: Entry) -> int:
    """Return the turn of an entry: the one that it names, where that is still to begin, or else the table's."""
    return max(event.table(entry.table).turn, entry.turn or 0)


def claimants_of(table: Table, entry: Entry) -> tuple[str, ...]:
    """Return who may claim a kill, cripple or knock-out (MC-AWD-02): whom the entry names.

    Where it names nobody, whoever is known to have hurt the target in the same phase; an attacker of an earlier phase
    has no share (MCQ-AWD-11).
    """
    if entry.by_is_named:
        return entry.by
    found = {
        name: None
        for _, other in table.facts
        if other.at == entry.at and other.phase == entry.phase and _has_hurt(other)
        for name in other.by
    }
    return tuple(found)


_HURTING = frozenset({"head_hit", "critical", "blown_off", "melee", "melee_weapon", "charge"})


def _has_hurt(entry: Entry) -> bool:
    """Return whether an entry is a hit that did damage (MC-AWD-02); every band of damage does."""
    if entry.what == "damage":
        return entry.facts.get("points") != 0
    if entry.facts.get("push", False):
        return False
    return entry.what in _HURTING or (entry.what == "death_from_above" and bool(entry.facts["hit"]))


def same_fall(table: Table, entry: Entry) -> list[Fact]:
    """Return the kills of the open turn with the target and the phase of this one."""
    return [
        fact
        for fact in table.facts
        if fact.entry.what == "kill" and (fact.entry.at, fact.entry.phase) == (entry.at, entry.phase)
    ]


def joins_a_fall(table: Table, entry: Entry) -> bool:
    """Return whether a kill shares one that has been entered in the open turn (MC-AWD-04)."""
    return bool(entry.facts.get("joins")) and bool(same_fall(table, entry))


LEAVING = frozenset({"kill", "eject", "exit", "death"})
"""Entries with which a pilot leaves the board."""


def not_there(event: Event, entry: Entry, name: str) -> Iterator[Refusal]:
    """Refuse a pilot who was not at the table of an entry in its phase.

    A pilot who left in the open turn was there until the end of that phase (MC-DESTR-01): what they did and what
    happened to them by then still counts (MC-AWD-03).
    """
    pilot = event.pilots[name]
    if pilot.is_in_arena:
        if pilot.table != entry.table:
            yield Refusal("pilot_at_other_table", {"pilot": name, "table": pilot.table})
        return
    left = next(
        (
            fact.entry
            for fact in event.table(entry.table).facts
            if fact.entry.what in LEAVING and fact.entry.subject == name
        ),
        None,
    )
    if left is None or is_after(entry.phase, left.phase):
        yield from not_in_arena(pilot)


def is_after(phase: str | None, other: str | None) -> bool:
    """Return whether a phase comes after another one; of a phase that nobody named nothing is known."""
    return phase is not None and other is not None and PHASES.index(phase) > PHASES.index(other)


def not_off_board(pilot: Pilot) -> Iterator[Refusal]:
    """Refuse a pilot who is on the board: this belongs to the off-board cycle (MC-PILOT-05)."""
    yield from not_alive(pilot)
    if pilot.is_in_arena:
        yield Refusal("pilot_in_arena", {"pilot": pilot.id})


def spendable(event: Event, pilot: Pilot) -> int:
    """Return the C-bills that a pilot can spend: cash, and what an open loan still allows (MCQ-LOAN-01)."""
    return pilot.c_bills + (pilot.loan.limit if pilot.loan else 0)


def cannot_pay(event: Event, pilot: Pilot, price: Worth) -> Iterator[Refusal]:
    """Refuse a price, as amounts to pay, that a pilot cannot pay in CP or in C-bills."""
    if price.cp > max(pilot.cp, 0):
        yield Refusal("too_few_cp", {"pilot": pilot.id, "needed": price.cp, "there": pilot.cp})
    if price.c_bills > 0 and price.c_bills > spendable(event, pilot):
        there = spendable(event, pilot)
        yield Refusal("too_few_c_bills", {"pilot": pilot.id, "needed": price.c_bills, "there": there})


def owes(pilot: Pilot) -> Iterator[Refusal]:
    """Refuse a pilot who owes money: a loan, or cash below 0 after a repair beyond a sale (MCQ-LOAN-04)."""
    if pilot.loan is not None:
        yield Refusal("stablemate_loan_open" if pilot.loan.lender else "loan_open", {"pilot": pilot.id})
    elif pilot.c_bills < 0:
        yield Refusal("cash_below_zero", {"pilot": pilot.id, "there": pilot.c_bills})


def too_little_fame(pilot: Pilot, fame: int) -> Iterator[Refusal]:
    """Refuse a pilot without the Fame that is asked for; none of it is spent."""
    if pilot.fame < fame:
        yield Refusal("too_little_fame", {"pilot": pilot.id, "needed": fame, "there": pilot.fame})
