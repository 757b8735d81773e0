"""Deeds that nobody has entered yet, folded behind the book: what they would move, and where the rules stop them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from challenge.presenters.offers import refusal_words
from challenge.selectors.books import Book
from challenge.text.amounts import figures
from rules.challenge.book.rows import fold_rows
from rules.challenge.entries import read_entry
from rules.challenge.folding import ChallengeRefused, enter
from rules.challenge.kinds import KINDS
from rules.challenge.state import Event, Line, Pilot
from rules.challenge.worth import Worth
from rules.core.refusals import Malformed, Refusal
from rules.wording import challenge_words as words
from rules.wording import sentence
from rules.wording.challenge_deeds import deed_words
from rules.wording.challenge_lines import line_sentence
from web.languages.reader import translate


@dataclass(frozen=True)
class PlannedDeed:
    """A deed of a plan: its words, the sentences of the lines that it writes, what it moves."""

    name: str
    sentences: tuple[str, ...]
    moves: str
    problem: str = ""


@dataclass(frozen=True)
class Plan:
    """Deeds in their order and the event after them, up to the first that the rules forbid."""

    state: Event
    deeds: tuple[PlannedDeed, ...]
    problem: str = ""
    fault: Refusal | None = None
    """The refusal behind the problem, None where a deed cannot be read or all is well."""

    @property
    def is_sound(self) -> bool:
        """Whether the rules allow all of it."""
        return not self.problem


def plan_of(book: Book, pilot: str, documents: Sequence[Mapping[str, Any]]) -> Plan:
    """Return what these deeds of a pilot would make of the event; without any it is the book as it stands."""
    if not documents:
        return Plan(book.state, ())
    state, deeds, problem, found = fold_rows(book.rows), [], "", None
    for document in documents:
        before, fault = len(state.lines), ""
        try:
            entry = read_entry(document, KINDS)
        except Malformed as malformed:
            fault = sentence(malformed.code, malformed.parameters, translate)
            deeds.append(PlannedDeed("?", (), "", fault))
            problem = problem or fault
            continue
        if not problem:
            try:
                enter(state, entry)
            except ChallengeRefused as refused:
                found = Refusal(refused.code, refused.parameters)
                problem = fault = refusal_words(state, found)
        new = [line for line in state.lines[before:] if line.pilot == pilot]
        deeds.append(PlannedDeed(deed_words(state, entry, translate), *_said(state, new), fault))
    return Plan(state, tuple(deeds), problem, found)


def _said(state: Event, lines: Sequence[Line]) -> tuple[tuple[str, ...], str]:
    """Return the sentences of lines, and all that they move together."""
    moved = Worth(*(sum(line.worth[place] for line in lines) for place in range(3)))
    return (
        tuple(line_sentence(state, line, translate) for line in lines),
        words.worth_words(moved, translate, with_sign=True) if any(moved) else "",
    )


@dataclass(frozen=True)
class Moved:
    """What a pilot has before a plan and after it, in one currency."""

    name: str
    before: str
    after: str


def moved(before: Pilot, after: Pilot) -> list[Moved]:
    """Return Fame, CP, C-bills and Edge of a pilot before and after a plan."""
    return [
        Moved(_("Fame"), figures(before.fame), figures(after.fame)),
        Moved(_("CP"), figures(before.cp), figures(after.cp)),
        Moved(_("C-bills"), figures(before.c_bills), figures(after.c_bills)),
        Moved(_("Edge"), str(before.edge), str(after.edge)),
    ]
