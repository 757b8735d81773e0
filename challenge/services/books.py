"""The only writer of an event's book: it locks the event, folds, asks the rules, and appends.

    write(event_id, who, [Wish("7f3a", DEED, {"what": "crowd", "by": "1"})])

All wishes of one call are written or none is. A wish whose client id is known already was written before: it is not
written again, whoever asks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction

from challenge.models import Closing, Entry, Event
from challenge.selectors.access import Access
from challenge.selectors.books import Book, keep, rows_of
from challenge.services.news import say_rows
from rules.challenge.book.balances import balances
from rules.challenge.book.rows import DEED, Row, counting, fold_rows, read_row, undone
from rules.challenge.folding import ChallengeRefused
from rules.challenge.state import Event as EventState
from rules.core.refusals import Malformed
from rules.core.shape_checks import shown

LONGEST_CLIENT_ID, LONGEST_REASON = 64, 200
MOST_WISHES = 200
OF_THE_GM = frozenset({"stage", "end_day", "forfeit", "give"})
"""Deeds that only a GM enters."""

AFTER_TURN: list[Callable[[int], None]] = []
"""What is called with the event's id when a turn has been closed and committed."""


@dataclass(frozen=True)
class Wish:
    """What somebody wants to write: a row without its number. `reason` says why a closed turn is corrected."""

    client_id: str
    kind: str
    document: Mapping[str, Any]
    undoes: int | None = None
    before: int | None = None
    reason: str = ""


def lock_event(event_id: int) -> Event:
    """Return the event, its row locked until the transaction ends. Raises Event.DoesNotExist."""
    return Event.objects.select_for_update(of=("self",), no_key=True).get(pk=event_id)


def write(event_id: int, who: Access, wishes: Sequence[Wish]) -> list[int]:
    """Write rows, and return the number of each wish.

    All rows are written or none. Raises PermissionDenied for what is not theirs to write, ChallengeRefused for what
    the rules forbid, Malformed for what cannot be read.
    """
    with transaction.atomic():
        event = lock_event(event_id)
        known = _written_before(event, wishes)
        new = [wish for wish in wishes if wish.client_id not in known]
        if new:
            rows, state = checked(event, who, new)
            _append(event, who, new, rows, state)
            known |= {wish.client_id: row.number for wish, row in zip(new, rows[-len(new) :], strict=True)}
    return [known[wish.client_id] for wish in wishes]


def _written_before(event: Event, wishes: Sequence[Wish]) -> dict[str, int]:
    ids = [wish.client_id for wish in wishes]
    if not 1 <= (count := len(ids)) <= MOST_WISHES:
        raise Malformed("bad_entry", field="client_id", problem="wrong_count", count=count, least=1, most=MOST_WISHES)
    for number, each in enumerate(ids):
        if not 0 < len(each) <= LONGEST_CLIENT_ID or each in ids[:number]:
            raise Malformed("bad_entry", field="client_id", problem="wrong_format", value=shown(each))
    return dict(Entry.objects.filter(event=event, client_id__in=ids).values_list("client_id", "number"))


def checked(event: Event, who: Access, wishes: Sequence[Wish]) -> tuple[list[Row], EventState]:
    """Return all rows as they would be with these wishes, and what would follow; nothing is written.

    Previews use it: it needs no lock. Raises as `write`.
    """
    if event.closed_at is not None:
        raise ChallengeRefused("event_closed")
    rows = list(rows_of(event))
    for wish in wishes:
        row = read_row(len(rows) + 1, wish.kind, wish.document, wish.undoes, wish.before)
        _permit(who, row, rows)
        _check_name(row)
        _check_place(rows, row, wish.reason)
        rows.append(row)
    new = range(len(rows) - len(wishes) + 1, len(rows) + 1)
    try:
        return rows, fold_rows(rows, new)
    except (LookupError, ValueError) as error:
        if all(row.kind == DEED and row.before is None for row in rows[-len(wishes) :]):
            raise
        raise ChallengeRefused("entry_needed") from error


def _permit(who: Access, row: Row, rows: Sequence[Row]) -> None:
    """Let a GM write everything, and an agent what happens at their tables and off the board."""
    if who.is_gm:
        return
    entry = rows[row.undoes - 1].entry if row.undoes and row.undoes <= len(rows) else row.entry
    if entry is None or entry.what in OF_THE_GM or entry.overruled is not None or not who.is_agent:
        raise PermissionDenied
    if not who.runs(entry.table):
        raise PermissionDenied


def stands_in_address(name: str) -> bool:
    """Return whether the address of a page can hold a name (`<str:pilot>`)."""
    return "/" not in name and name.strip(".") != ""


def _check_name(row: Row) -> None:
    """Refuse a new pilot whose pages would have no address, also when a GM overrules the rules."""
    entry = row.entry
    if entry is not None and entry.what == "new_pilot" and entry.pilot and not stands_in_address(entry.pilot):
        raise ChallengeRefused("pilot_name_unfit", pilot=entry.pilot)


def _check_place(rows: Sequence[Row], row: Row, reason: str) -> None:
    """Refuse to undo what is not there or undone already, and to change a closed turn without a reason."""
    target = row.undoes or row.before
    if target is None:
        return
    if not 1 <= target <= len(rows):
        raise ChallengeRefused("no_such_entry", entry=target)
    if target in undone(rows):
        raise ChallengeRefused("entry_undone", entry=target)
    if len(reason) > LONGEST_REASON:
        raise Malformed("bad_entry", field="reason", problem="too_long", longest=LONGEST_REASON)
    if is_closed(rows, target) and not reason.strip():
        raise ChallengeRefused("why_missing", entry=target)


def is_closed(rows: Sequence[Row], number: int) -> bool:
    """Return whether a later row that stands closes the turn of a row, or the row itself does and more has followed.

    Settings and what was undone belong to no turn.
    """
    target = rows[number - 1]
    if target.entry is None:
        return False
    table, after = target.entry.table, [row for row in counting(rows) if row.entry is not None]
    place = next((place for place, row in enumerate(after) if row.number == number), len(after))
    later = [row.entry for row in after[place + 1 :] if row.entry is not None and row.entry.table == table]
    if target.entry.what == "end_turn":
        return bool(later)
    return any(entry.what == "end_turn" for entry in later)


def _append(event: Event, who: Access, wishes: Sequence[Wish], rows: Sequence[Row], state: EventState) -> None:
    new = rows[-len(wishes) :]
    Entry.objects.bulk_create(
        Entry(
            event=event,
            number=row.number,
            client_id=wish.client_id,
            kind=row.kind,
            document=row.document,
            undoes=row.undoes,
            before=row.before,
            reason=wish.reason,
            role=who.role,
            by="" if who.user_id is not None else who.name,
            user_id=who.user_id,
        )
        for wish, row in zip(wishes, new, strict=True)
    )
    event.written = rows[-1].number
    event.save(update_fields=["written"])
    transaction.on_commit(partial(keep, event, Book(tuple(rows), state)))
    if any(row.entry is not None and row.entry.what == "end_turn" for row in new):
        Closing.objects.create(event=event, number=event.written, balances=balances(state))
        for tell in AFTER_TURN:
            transaction.on_commit(partial(tell, event.pk))
    say_rows(event, who, new)
