"""The folded book of an event.

A process keeps the newest books that it has folded, by event and last row. Nobody changes a kept one: a writer folds
its own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from threading import Lock
from typing import Any

from challenge.models import Entry, Event
from rules.challenge.book.rows import Row, counting, fold_rows, read_row, setup_of, undone
from rules.challenge.book.setup import TableSetup, tables_of
from rules.challenge.state import Event as EventState

MOST_KEPT = 16


@dataclass(frozen=True)
class Book:
    """All rows of an event, and what follows from them. `state` is shared: read it, never change it."""

    rows: tuple[Row, ...]
    state: EventState = field(compare=False)

    @cached_property
    def setup(self) -> Mapping[str, Any]:
        """The settings that hold."""
        return setup_of(self.rows)

    @cached_property
    def tables(self) -> list[TableSetup]:
        """The tables in the GM's order."""
        return tables_of(self.setup)

    @cached_property
    def undone(self) -> set[int]:
        """The numbers of the rows that are undone."""
        return undone(self.rows)

    @cached_property
    def counting(self) -> list[Row]:
        """The rows that count in their order."""
        return counting(self.rows)

    @property
    def written(self) -> int:
        """The number of the last row, 0 for none."""
        return len(self.rows)


_kept: OrderedDict[tuple[int, datetime], Book] = OrderedDict()
"""By the event's id and when it was opened: a database that goes back in time may give an id away again."""
_lock = Lock()


def _key(event: Event) -> tuple[int, datetime]:
    return event.pk, event.opened_at


def read_rows(entries: Iterable[Entry]) -> list[Row]:
    """Return stored entries as rows."""
    return [read_row(each.number, each.kind, each.document, each.undoes, each.before) for each in entries]


def rows_of(event: Event) -> tuple[Row, ...]:
    """Return all rows of an event up to `event.written`; one query for those that no kept book has."""
    with _lock:
        kept = _kept.get(_key(event))
    rows = kept.rows if kept is not None and kept.written <= event.written else ()
    if len(rows) < event.written:
        new = Entry.objects.filter(event=event, number__gt=len(rows), number__lte=event.written).order_by("number")
        rows = (*rows, *read_rows(new))
    return rows


def folded(rows: Sequence[Row]) -> Book:
    """Return rows with what follows from them. Raises LookupError where a row needs one that is undone."""
    return Book(tuple(rows), fold_rows(rows))


def book_of(event: Event) -> Book:
    """Return the book of an event as it is at `event.written`; at most one query."""
    with _lock:
        kept = _kept.get(_key(event))
    if kept is not None and kept.written == event.written:
        return kept
    book = folded(rows_of(event))
    keep(event, book)
    return book


def book_at(event: Event, number: int) -> Book:
    """Return the book of an event as it was after a row: nothing that was undone or added later. At most one query."""
    return book_of(event) if number == event.written else folded(rows_of(event)[:number])


def keep(event: Event, book: Book) -> None:
    """Keep a book that has been committed, unless a newer one is kept."""
    with _lock:
        kept = _kept.get(_key(event))
        if kept is None or kept.written < book.written:
            _kept[_key(event)] = book
        _kept.move_to_end(_key(event))
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
