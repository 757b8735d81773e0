"""The book of an event: all that was ever written, and the event that follows from it.

A row is written once. What was wrong is undone by a row that names it, and what was forgotten stands before a later
row. So the order in which rows count may differ from the order in which they were written:

    counting(rows)                    # the rows that count, in the order in which they count
    fold_rows(rows)                   # the event now
    fold_rows(rows, new={7})          # the same, but row 7 is checked where it stands; raises ChallengeRefused
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.challenge.book.setup import begin_session, change_list, check_form, event_of
from rules.challenge.entries import Entry, read_entry
from rules.challenge.folding import apply, enter, why_not
from rules.challenge.kinds import KINDS
from rules.challenge.state import Event
from rules.core.refusals import Malformed, Refusal
from rules.core.shape_checks import shown

DEED, UNDO, SETUP, SESSION, MECHS = "deed", "undo", "setup", "session", "mechs"
ROW_KINDS = (DEED, UNDO, SETUP, SESSION, MECHS)
"""What a row may be: an entry of the rules, the undoing of a row, settings of the whole event, limits from now on, a
change of the list of 'Mechs."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the book: its number from 1, and what it says.

    `undoes` is the number of the row that it undoes, `before` that of the row before which it counts, each None for
    most.
    """

    number: int
    kind: str
    document: Mapping[str, Any]
    undoes: int | None = None
    before: int | None = None
    entry: Entry | None = None
    """What the document of a deed says."""


def read_row(number: int, kind: str, document: Any, undoes: int | None = None, before: int | None = None) -> Row:
    """Return a row. Raises Malformed (bad_entry, bad_challenge) for a document without the form of its kind."""
    if kind == DEED:
        return Row(number, kind, document, undoes, before, read_entry(document, KINDS))
    if kind == UNDO:
        if undoes is None:
            raise Malformed("bad_entry", field="undoes", problem="missing_key", key="undoes")
        if document != {}:
            raise Malformed("bad_entry", field="undoes", problem="wrong_format", value=shown(document))
    elif kind in ROW_KINDS:
        check_form(kind, document)
    else:
        raise Malformed("bad_entry", field="kind", problem="unknown_key", key=kind[:60])
    return Row(number, kind, document, undoes, before)


def undone(rows: Sequence[Row]) -> set[int]:
    """Return the numbers of all rows that are undone; an undoing that is undone itself undoes nothing."""
    found: set[int] = set()
    for row in reversed(rows):
        if row.undoes is not None and row.number not in found:
            found.add(row.undoes)
    return found


def counting(rows: Sequence[Row]) -> list[Row]:
    """Return the rows that count, in the order in which they count.

    Rows that stand before the same row keep their own order. The settings of the event are not among them.
    """
    without = undone(rows)
    early: dict[int, list[Row]] = {}
    for row in rows:
        if row.before is not None and row.number not in without:
            early.setdefault(row.before, []).append(row)
    found: list[Row] = []

    def put(row: Row) -> None:
        for earlier in early.get(row.number, ()):
            put(earlier)
        if row.number not in without and row.kind not in (UNDO, SETUP):
            found.append(row)

    for row in rows:
        if row.before is None:
            put(row)
    return found


def setup_of(rows: Sequence[Row]) -> Mapping[str, Any]:
    """Return the settings that hold: the last ones that nobody undid; {} before the first."""
    without = undone(rows)
    return next((row.document for row in reversed(rows) if row.kind == SETUP and row.number not in without), {})


def fold_rows(rows: Sequence[Row], new: Container[int] = ()) -> Event:
    """Return the event that follows from all rows; those whose numbers are `new` are checked where they stand.

    Raises ChallengeRefused for a new row that the rules forbid and nobody overrules, and LookupError where a row needs
    one that is undone.
    """
    event = event_of(setup_of(rows))
    for row in counting(rows):
        if row.number in new and row.entry is not None:
            enter(event, row.entry)
        else:
            apply_row(event, row)
    return event


def objections(rows: Sequence[Row]) -> dict[int, Refusal]:
    """Return why the rules forbid rows that stand, by their numbers: the first reason of each, none for most.

    What the GM has overruled is not among them.
    """
    event, found = event_of(setup_of(rows)), {}
    for row in counting(rows):
        if row.entry is not None and row.entry.overruled is None:
            refusal = next(why_not(event, row.entry), None)
            if refusal is not None:
                found[row.number] = refusal
        apply_row(event, row)
    return found


def apply_row(event: Event, row: Row) -> None:
    """Apply a row that counts, whether the rules allow it or not."""
    if row.entry is not None:
        apply(event, row.entry)
    elif row.kind == SESSION:
        begin_session(event, row.document)
    elif row.kind == MECHS:
        change_list(event, row.document["mechs"])
