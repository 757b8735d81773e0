"""The standings: who leads, and who would sit down to the final."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from challenge.selectors.books import Book
from rules.challenge.deeds.doors import back_in
from rules.challenge.ranking import SEATS, ranking, seats
from rules.challenge.state import Event, Pilot

MOST_FIRST = 10
"""Lines in sight where the cut lies a little below the eighth place."""


@dataclass(frozen=True)
class StandingsLine:
    """A pilot's line: their place, what they have, whether they would sit down to the final.

    `is_cut` says that the line of the cut is drawn behind this one. `back_in` is the first turn in which a pilot who
    is off the board may come back, None for those who need not wait.
    """

    place: int
    pilot: Pilot
    has_seat: bool
    is_cut: bool
    back_in: int | None


@dataclass(frozen=True)
class FoldedStandings:
    """The standings as the front page shows them: the first lines in sight, the others behind a line.

    `own` are lines of the reader's pilots that are not among the first.
    """

    own: tuple[StandingsLine, ...]
    first: tuple[StandingsLine, ...]
    others: tuple[StandingsLine, ...]


def folded(lines: Sequence[StandingsLine], own: Container[str]) -> FoldedStandings:
    """Return the standings for the reader of these pilots: the first are those down to the cut, at most MOST_FIRST."""
    cut = next((line.place for line in lines if line.is_cut), SEATS)
    seen = cut if cut <= MOST_FIRST else SEATS
    first, others = tuple(lines[:seen]), tuple(lines[seen:])
    return FoldedStandings(tuple(line for line in others if line.pilot.id in own), first, others)


def standings(book: Book) -> list[StandingsLine]:
    """Return all pilots, best first, with the cut at eight (MC-RANK-02)."""
    state = book.state
    seated = set(state.finalists if state.finalists is not None else seats(state)[:SEATS])
    names = ranking(state)
    last = max((place for place, name in enumerate(names) if name in seated), default=-1)
    return [
        StandingsLine(
            place + 1,
            state.pilots[name],
            name in seated,
            place == last and len(seated) == SEATS,
            must_wait(state, state.pilots[name]),
        )
        for place, name in enumerate(names)
    ]


def must_wait(state: Event, pilot: Pilot) -> int | None:
    """Return the later turn in which a pilot who is off the board may come back, None for those who need not wait."""
    first = None if pilot.is_in_arena else back_in(state, pilot, pilot.table)
    return first if first is not None and first > state.table(pilot.table).turn else None
