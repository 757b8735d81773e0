"""What a correction would move: balances, memberships, loans, places, and the rows that the rules then forbid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from challenge.models import Event
from challenge.selectors.access import Access
from challenge.selectors.books import Book
from challenge.services.books import Wish, checked
from challenge.text.amounts import figures
from rules.challenge.book.balances import changes
from rules.challenge.book.rows import UNDO, Row, objections
from rules.challenge.state import Event as EventState
from rules.wording import challenge_words as words
from rules.wording import sentence
from rules.wording.challenge_entries import entry_sentence
from web.languages.reader import translate

FIELDS: Mapping[str, str | Promise] = {
    "place": _("Place"),
    "fame": _("Fame"),
    "cp": _("CP"),
    "c_bills": _("C-bills"),
    "solo": _("Kills alone"),
    "assisted": _("Kills with others"),
    "edge": _("Edge"),
    "wounds": _("Wounds"),
    "alive": _("Alive"),
    "in_arena": _("In the arena"),
    "house": _("House"),
    "stable": _("Stable"),
    "sponsors": _("Sponsors"),
    "abilities": _("Abilities"),
    "loan": _("Loan"),
    "chips": _("Chips"),
    "mechs": _("’Mechs"),
}
"""What a pilot has (`rules.challenge.book.balances.balance`), in the order of the preview."""


@dataclass(frozen=True)
class Change:
    """One thing of a pilot that a correction changes, as words."""

    label: str
    old: str
    new: str


@dataclass(frozen=True)
class Moved:
    """A pilot whom a correction touches."""

    pilot: str
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Objection:
    """A row that the rules would forbid after the correction, and why; it stays as it is."""

    number: int
    sentence: str
    why: str


@dataclass(frozen=True)
class Preview:
    """What is written, what it moves, and what no longer fits."""

    sentences: tuple[str, ...]
    moved: tuple[Moved, ...]
    objections: tuple[Objection, ...]


def preview(event: Event, book: Book, who: Access, wishes: Sequence[Wish]) -> Preview:
    """Return what these wishes would do; nothing is written. Raises as `challenge.services.books.write`."""
    rows, after = checked(event, who, wishes)
    new = rows[-len(wishes) :]
    before = objections(book.rows)
    found = [
        Objection(number, entry_sentence(after, rows[number - 1], translate), _why(refusal))
        for number, refusal in objections(rows).items()
        if number not in before and number <= book.written
    ]
    return Preview(tuple(_said(rows, row, after) for row in new), tuple(moves(book.state, after)), tuple(found))


def _why(refusal: Any) -> str:
    return sentence(refusal.code, refusal.parameters, translate)


def _said(rows: Sequence[Row], row: Row, state: EventState) -> str:
    if row.kind != UNDO or row.undoes is None:
        return entry_sentence(state, row, translate)
    undone = entry_sentence(state, rows[row.undoes - 1], translate)
    return f"{entry_sentence(state, row, translate)} {undone}"


def moves(before: EventState, after: EventState) -> list[Moved]:
    """Return by pilot what differs between two moments."""
    return [
        Moved(
            words.pilot_called(after, pilot),
            tuple(
                Change(
                    str(FIELDS[name]), shown(before, name, differing[name][0]), shown(after, name, differing[name][1])
                )
                for name in FIELDS
                if name in differing
            ),
        )
        for pilot, differing in changes(before, after).items()
    ]


def shown(state: EventState, name: str, value: Any) -> str:
    """Return one thing that a pilot has as words, a dash for nothing."""
    if value is None or value == []:
        return "–"
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, int):
        return figures(value)
    if name == "loan":
        limit, owed = value
        if limit:
            return gettext("overdraft of {most}").format(most=figures(limit))
        return gettext("{owed} to repay").format(owed=figures(owed))
    if name == "mechs":
        return ", ".join(
            f"{words.mech_name(state, mech)} ({translate(words.MECH_STATES[condition])})"
            for mech, condition, _book in value
        )
    named = {
        "house": words.house_name,
        "stable": words.member_name,
        "sponsors": words.member_name,
        "abilities": words.ability_name,
    }.get(name)
    parts = value if isinstance(value, list) else [value]
    if name == "chips":
        return ", ".join(words.row_name(row, translate) for row in parts)
    return ", ".join(named(state, each, translate) if named else str(each) for each in parts)
