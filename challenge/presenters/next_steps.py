"""What comes next in an event, for those who run it."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from challenge.models import Event
from challenge.presenters.door import waiting, without_sheets
from challenge.selectors.access import Access
from challenge.selectors.books import Book
from rules.challenge.deeds.doors import on_board


@dataclass(frozen=True)
class TableNow:
    """A table that somebody runs: its name, its open turn, how many pilots are on its board."""

    id: str
    turn: int
    on_board: int


@dataclass(frozen=True)
class NextSteps:
    """What waits: whether nobody has come, who waits for approval, whose sheets are out, the tables, who is off them.

    Each is a number of pilots except `is_empty` and `tables`.
    """

    is_empty: bool
    waiting: int
    without_sheets: int
    off_board: int
    tables: tuple[TableNow, ...]


def next_steps(book: Book, who: Access) -> NextSteps:
    """Return what waits for somebody who runs tables."""
    state = book.state
    tables = (table.id for table in book.tables if who.runs(table.id))
    return NextSteps(
        is_empty=not state.pilots,
        waiting=len(waiting(state)),
        without_sheets=len(without_sheets(state)),
        off_board=sum(
            pilot.alive and pilot.approved and not pilot.forfeited and not pilot.is_in_arena
            for pilot in state.pilots.values()
        ),
        tables=tuple(
            TableNow(table, state.tables[table].turn if table in state.tables else 1, len(on_board(state, table)))
            for table in tables
        ),
    )


@dataclass(frozen=True)
class SecondPlace:
    """How far the copy in the second place goes (`challenge.receivers`), in entries of the book.

    `is_behind` says that the last closed turn did not come there.
    """

    copied: int
    written: int
    is_behind: bool


def second_place(event: Event, book: Book) -> SecondPlace | None:
    """Return how far the copy goes, None where no second place is named."""
    if not settings.CHALLENGE_COPY_TO:
        return None
    closed = (row.number for row in reversed(book.rows) if row.entry is not None and row.entry.what == "end_turn")
    return SecondPlace(event.copied, event.written, next(closed, 0) > event.copied)
