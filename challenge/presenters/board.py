"""The board for a projector: what its scene shows, and the version by which it asks whether something has changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from challenge.models import Event
from challenge.selectors.books import Book
from rules.challenge.deeds.doors import back_in
from rules.challenge.ranking import SEATS, final_points, ranking, seats
from rules.challenge.state import Event as EventState
from rules.challenge.state import Line, Pilot
from rules.wording.challenge_lines import line_sentence
from rules.wording.challenge_words import worth_words
from web.languages.reader import translate

HEADLINES_BESIDE, HEADLINES_ALONE = 1, 5
"""Headlines below the standings, and on the scene that shows nothing else."""
BELOW_THE_CUT = 1
MOST_WAITING = 9
"""Lines of the scene of those off the board: more do not fit in letters that everybody reads."""
NEXT_SHOWN = 3
_NEWS = frozenset({"death", "prison_saved"})
"""Lines of the book that are headlines beside the rows of the event table."""


@dataclass(frozen=True)
class BoardLine:
    """A pilot on the board. `points` are those of the final. `back_in` is None for a pilot who need not wait.

    A pilot who neither waits nor may enter has no 'Mech that can fight.
    """

    place: int
    pilot: Pilot
    points: float
    back_in: int | None
    waits: bool
    may_enter: bool
    is_below_cut: bool = False


@dataclass(frozen=True)
class Headline:
    """An award as the board calls it out: what happened, and what it paid; "" for a chip, whose sentence says it."""

    sentence: str
    worth: str


@dataclass(frozen=True)
class Board:
    """What the board shows in its scene, as of `at`."""

    scene: str
    version: str
    at: datetime
    lines: Sequence[BoardLine]
    has_cut: bool
    next_in: Sequence[BoardLine]
    waiting: Sequence[BoardLine]
    more_waiting: int
    headlines: Sequence[Headline]


def version_of(event: Event) -> str:
    """Return what changes with everything that the board shows."""
    return f"{event.written}.{event.scene}.{event.cheers}.{int(event.closed_at is not None)}"


def board(event: Event, book: Book, at: datetime) -> Board:
    """Return what the board shows now."""
    state, scene = book.state, event.scene
    waiting = sorted(_off_board(state), key=_order)
    alone = scene == Event.Scene.HEADLINES
    has_lines = scene in (Event.Scene.LIVE, Event.Scene.TOP, Event.Scene.FINAL)
    lines = _finalists(state) if scene == Event.Scene.FINAL else _leaders(state)
    return Board(
        scene=scene,
        version=version_of(event),
        at=at,
        lines=lines if has_lines else (),
        has_cut=state.stage != "final" and scene != Event.Scene.FINAL,
        next_in=[line for line in waiting if line.may_enter or line.waits][:NEXT_SHOWN],
        waiting=waiting[:MOST_WAITING] if scene == Event.Scene.QUEUE else (),
        more_waiting=max(0, len(waiting) - MOST_WAITING),
        headlines=list(_headlines(state, HEADLINES_ALONE if alone else HEADLINES_BESIDE)),
    )


def _line(state: EventState, place: int, pilot: Pilot, is_below_cut: bool = False) -> BoardLine:
    back = None if pilot.is_in_arena else back_in(state, pilot, pilot.table)
    now = state.tables[pilot.table].turn if pilot.table in state.tables else 1
    waits, is_fit = back is not None and back > now, pilot.mech is not None and pilot.mech.can_fight
    return BoardLine(place, pilot, final_points(pilot) / 2, back, waits, is_fit and not waits, is_below_cut)


def _order(line: BoardLine) -> tuple[bool, bool, int, int]:
    """Return what sorts those off the board: who may enter, who waits for a turn, who has nothing to fight in."""
    return not line.may_enter, not line.waits, line.back_in or 0, line.place


def _leaders(state: EventState) -> list[BoardLine]:
    """Return the first eight who may have a seat, and who stands first below the cut."""
    names = _finalist_names(state) if state.stage == "final" else seats(state)[: SEATS + BELOW_THE_CUT]
    places = {name: place for place, name in enumerate(ranking(state), start=1)}
    return [
        _line(state, places[name], state.pilots[name], state.stage != "final" and number >= SEATS)
        for number, name in enumerate(names)
    ]


def _finalist_names(state: EventState) -> list[str]:
    return ranking(state)[:SEATS] if state.stage == "final" else seats(state)[:SEATS]


def _finalists(state: EventState) -> list[BoardLine]:
    """Return the pilots of the final; before it those who would sit down."""
    return [_line(state, place, state.pilots[name]) for place, name in enumerate(_finalist_names(state), start=1)]


def _off_board(state: EventState) -> Iterator[BoardLine]:
    """Yield the living pilots who may still come back in."""
    for place, name in enumerate(ranking(state), start=1):
        pilot = state.pilots[name]
        is_out = not pilot.alive or pilot.forfeited or pilot.eliminated or not pilot.approved
        if not pilot.is_in_arena and not is_out:
            yield _line(state, place, pilot)


def _headlines(state: EventState, most: int) -> Iterator[Headline]:
    """Yield the newest awards, newest first."""
    for line in reversed(state.lines):
        if most <= 0:
            return
        if _is_news(line):
            most -= 1
            worth = worth_words(line.worth, translate, with_sign=True) if any(line.worth) else ""
            yield Headline(line_sentence(state, line, translate), worth)


def _is_news(line: Line) -> bool:
    return "." in line.reason or line.reason in _NEWS
