"""An event as tables for spreadsheets: the standings, a pilot's ledger, the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext

from challenge.models import Entry
from challenge.presenters.log import undoers
from challenge.presenters.printing import ledgers
from challenge.presenters.standings import standings
from challenge.selectors.books import Book
from rules.wording.challenge_entries import entry_sentence
from web.languages.reader import translate
from web.tables import Cell

STANDINGS = ("place", "pilot", "player", "mech", "kills", "solo", "fame", "cp", "c_bills", "alive", "in_arena", "seat")
LEDGER = ("table", "turn", "why", "fame", "cp", "c_bills", "fame_then", "cp_then", "c_bills_then")
LOG = ("number", "entered_at", "role", "by", "table", "turn", "phase", "kind", "what", "undone_by", "reason")


def standings_rows(book: Book) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for each pilot, best first, with the columns STANDINGS."""
    for line in standings(book):
        pilot = line.pilot
        yield (
            line.place, pilot.id, pilot.player, pilot.mech.model.name if pilot.mech else None,
            int(pilot.kills.total()), pilot.kills.solo, pilot.fame, pilot.cp, pilot.c_bills, pilot.alive,
            pilot.is_in_arena, line.has_seat,
        )  # fmt: skip


def ledger_rows(book: Book, pilot: str) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for each line of a pilot, oldest first, with the columns LEDGER.

    The first row is what they began with, without table and turn.
    """
    (ledger,) = ledgers(book, [pilot])
    yield None, None, gettext("At the start"), *ledger.start, *ledger.start
    for line in ledger.lines:
        yield line.table, line.turn, line.sentence, *line.worth, *line.after


def log_rows(book: Book, entries: Iterable[Entry]) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for each of these stored entries, in their order, with the columns LOG."""
    undoing = undoers(book)
    for entry in entries:
        row = book.rows[entry.number - 1]
        deed = row.entry
        place = (deed.table, deed.turn, deed.phase) if deed is not None else (None, None, None)
        yield (
            entry.number, entry.entered_at.isoformat(), entry.role, entry.name, *place, entry.kind,
            entry_sentence(book.state, row, translate), undoing.get(entry.number), entry.reason,
        )  # fmt: skip
