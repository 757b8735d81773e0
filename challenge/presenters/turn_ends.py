"""The summary before a turn ends: every pilot with what they get, and what damage in bands leaves open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from challenge.presenters.table import PilotTile, tiles_of
from challenge.selectors.books import Book
from rules.challenge.awards import BANDS, FIFTY
from rules.challenge.entries import Entry
from rules.challenge.state import Event
from rules.core.digits import whole_number


@dataclass(frozen=True)
class Sustained:
    """What a pilot took in one phase: between `least` and `most` points.

    `asks_points` says that a stable takes Fame from a number that lies between the two. `may_stand` says that it may
    have been fifty or more, so that who still stands earns a row; `surely` that it was.
    """

    pilot: str
    phase: str
    least: int
    most: int
    asks_points: bool
    may_stand: bool
    surely: bool

    @property
    def field(self) -> str:
        """The beginning of the names of its fields."""
        return f"{self.phase}:{self.pilot}"


@dataclass(frozen=True)
class EndView:
    """What the end of a turn shows."""

    tiles: list[PilotTile]
    questions: list[Sustained]


def span_of(entry: Entry) -> tuple[int, int]:
    """Return the least and the most points of a damage entry.

    >>> span_of(Entry("damage", facts={"band": "20-39"}))
    (20, 39)
    """
    band = entry.facts.get("band")
    if band is None:
        points = int(entry.facts["points"])
        return points, points
    return BANDS[band], int(band.partition("-")[2])


def questions_of(state: Event, table: str) -> list[Sustained]:
    """Return what is still open about damage taken in the open turn, by pilot and phase.

    A number that somebody has entered (`sustained`) answers it.
    """
    facts = [fact.entry for fact in state.table(table).facts]
    taken: dict[tuple[str, str], tuple[int, int]] = {}
    for entry in facts:
        if entry.what == "damage" and entry.at in state.pilots and entry.phase is not None:
            least, most = span_of(entry)
            before = taken.get((entry.at, entry.phase), (0, 0))
            taken[entry.at, entry.phase] = (before[0] + least, before[1] + most)
    told = {(entry.subject, entry.phase): int(entry.facts["points"]) for entry in facts if entry.what == "sustained"}
    stood = {(entry.subject, entry.phase) for entry in facts if entry.what == "standing_after_50"}
    fallen = {entry.at for entry in facts if entry.what == "kill"}
    found = []
    for (name, phase), (least, most) in taken.items():
        asks = (name, phase) not in told and _matters(state, name, least, most)
        low, high = (told[name, phase],) * 2 if (name, phase) in told else (least, most)
        may_stand = high >= FIFTY and (name, phase) not in stood and name not in fallen
        if asks or may_stand:
            found.append(Sustained(name, phase, least, most, asks, may_stand, low >= FIFTY))
    return found


def _matters(state: Event, name: str, least: int, most: int) -> bool:
    """Return whether a stable takes Fame from a number between the two (MC-STAB-06)."""
    return any(
        least < happening.least <= most
        for _member, happening in state.pilots[name].events_on("sustained_damage_in_phase")
    )


def end_view(book: Book, table: str) -> EndView:
    """Return the summary of the open turn of a table."""
    return EndView(tiles_of(book, table), questions_of(book.state, table))


def answers(questions: list[Sustained], sent: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the deeds that a form's answers write; an empty answer writes nothing."""
    deeds: list[dict[str, Any]] = []
    for question in questions:
        points = whole_number(sent.get(f"points:{question.field}", "").strip(), len("999"))
        if question.asks_points and points is not None:
            deeds.append({"what": "sustained", "by": [question.pilot], "phase": question.phase, "points": points})
        if question.may_stand and sent.get(f"stands:{question.field}") == "yes":
            deeds.append({"what": "standing_after_50", "by": [question.pilot], "phase": question.phase})
    return deeds
