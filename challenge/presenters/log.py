"""The log: every row of the book as a sentence, newest first, with what may be done about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from challenge.models import Entry, Key
from challenge.selectors.access import Access
from challenge.selectors.books import Book
from challenge.services.books import OF_THE_GM
from rules.challenge.book.rows import DEED, UNDO, Row
from rules.wording.challenge_entries import entry_sentence
from rules.wording.challenge_words import reason_words
from web.languages.reader import translate


@dataclass(frozen=True)
class LogLine:
    """A row of the log: the stored entry, its row, its sentence.

    `undone_by` is the number of the row that undid it, None for a row that counts. `is_closed` says that its turn is
    over, `is_last` that one press undoes it: it is the last of its table. `may_correct` says whether the reader may.
    """

    entry: Entry
    row: Row
    sentence: str
    undone_by: int | None
    is_closed: bool
    is_last: bool
    may_correct: bool

    @property
    def reason(self) -> str:
        """Why a closed turn was corrected, "" for most rows."""
        return reason_words(self.entry.reason, translate)

    @property
    def role(self) -> str:
        """The role of the person who entered it, as a page says it; for an entry without a name."""
        roles = dict(Key.Role.choices)
        return str(roles.get(self.entry.role, self.entry.role))

    @property
    def ends_turn(self) -> bool:
        """Whether a forgotten deed may be added before this row: it ends a turn."""
        return self.row.entry is not None and self.row.entry.what == "end_turn"


def log_lines(book: Book, entries: Iterable[Entry], who: Access, is_over: bool = False) -> list[LogLine]:
    """Return the lines of these stored entries, in their order. Once the event `is_over` nothing is corrected."""
    closed, last, undoing = closed_rows(book), last_rows(book), undoers(book)
    return [
        LogLine(
            entry=entry,
            row=(row := book.rows[entry.number - 1]),
            sentence=entry_sentence(book.state, row, translate),
            undone_by=undoing.get(entry.number),
            is_closed=entry.number in closed,
            is_last=entry.number in last,
            may_correct=not is_over and may_correct(who, row) and entry.number not in book.undone,
        )
        for entry in entries
    ]


def may_correct(who: Access, row: Row) -> bool:
    """Return whether somebody may undo a row: a GM everything, an agent what happened at their table."""
    if who.is_gm:
        return True
    entry = row.entry
    return entry is not None and who.runs(entry.table) and entry.what not in OF_THE_GM and entry.overruled is None


def undoers(book: Book) -> dict[int, int]:
    """Return for each undone row the number of the row that undid it."""
    return {
        row.undoes: row.number
        for row in book.rows
        if row.kind == UNDO and row.undoes is not None and row.number not in book.undone
    }


def closed_rows(book: Book) -> set[int]:
    """Return the numbers of the rows whose turn is over, undone ones as those that still count; one look at each row.

    It agrees with `challenge.services.books.is_closed` on rows that stand.
    """
    found: set[int] = set()
    open_ones: dict[str, list[int]] = {}
    for row in book.counting:
        if row.entry is None:
            continue
        before = open_ones.setdefault(row.entry.table, [])
        if row.entry.what == "end_turn":
            found.update(before)
            open_ones[row.entry.table] = [row.number]
            continue
        if before and _ends_turn(book, before[0]):
            # Something has followed the end of the turn before.
            found.add(before.pop(0))
        before.append(row.number)
    return found


def _ends_turn(book: Book, number: int) -> bool:
    entry = book.rows[number - 1].entry
    return entry is not None and entry.what == "end_turn"


def last_rows(book: Book) -> set[int]:
    """Return the number of the last deed of each table that counts."""
    return set({row.entry.table: row.number for row in book.counting if row.kind == DEED and row.entry}.values())
