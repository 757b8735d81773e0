"""A season's fixtures as a picture, without words: one cycle below the other, the rounds of each side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from web.charts.lines import SIZE, WIDTH, Text
from web.charts.scales import shortened, width_of

NAMES = 84.0
LINE = 18.0
HEAD = 20.0
SIGNS = {
    "settled": "M-4 0l3 3.5 5.5-7.5",
    "sealed": "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0M-4 0h8M-3 2h6",
    "line_ups": "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
    "bye": "M-4 0h8",
}
"""State of a fixture, or "bye" -> the SVG path of the sign before its words; the path is stroked."""


@dataclass(frozen=True)
class Meeting:
    """A fixture: the letters of its sides, its state (a key of SIGNS), and all that in words.

    `winner` is the index of the side that won, None without a winner.
    """

    sides: tuple[str, ...]
    winner: int | None
    state: str
    is_own: bool
    words: str


@dataclass(frozen=True)
class CycleRow:
    """One row of the picture: a cycle with its rounds of meetings. `note` is the text of a cycle without rounds."""

    name: str
    under: str
    rounds: tuple[tuple[str, tuple[Meeting, ...]], ...]
    note: str = ""


@dataclass(frozen=True)
class Entry:
    """A meeting as it is drawn. `before` and `behind` are the letters on both sides of the winner's.

    Without a winner `before` has all letters, and `winner` and `behind` are empty.
    """

    x: float
    y: float
    width: float
    sign: str
    before: str
    winner: str
    behind: str
    is_own: bool
    words: str

    @property
    def squeezed(self) -> float | None:
        """The width to squeeze the letters into; None when they fit."""
        room = self.width - 22
        return round(room, 2) if width_of(self.before + self.winner + self.behind, SIZE) > room else None

    @property
    def own_width(self) -> float:
        """The width of the frame around a meeting of the reader's stable."""
        return round(self.width - 4, 2)


@dataclass(frozen=True)
class Row:
    """A cycle as it is drawn."""

    y: float
    height: float
    name: Text
    under: Text
    note: Text | None


@dataclass(frozen=True)
class Calendar:
    """Everything that templates/components/chart_calendar.svg.html draws."""

    key: str
    title: str
    description: str
    width: float
    height: float
    rows: tuple[Row, ...]
    heads: tuple[Text, ...]
    entries: tuple[Entry, ...]
    kind: str = "calendar"


def calendar(key: str, title: str, description: str, cycles: Sequence[CycleRow]) -> Calendar:
    """Return the picture of the cycles, from top to bottom in their order; the rounds of a cycle share its width."""
    rows: list[Row] = []
    heads: list[Text] = []
    entries: list[Entry] = []
    y = 2.0
    for cycle in cycles:
        most = max((len(meetings) for _, meetings in cycle.rounds), default=1)
        height = HEAD + LINE * max(most, 1) + 6
        width = (WIDTH - NAMES) / max(len(cycle.rounds), 1)
        note = Text(NAMES + 6, y + 16, shortened(cycle.note, SIZE, WIDTH - NAMES - 10)) if cycle.note else None
        rows.append(
            Row(
                y,
                height,
                Text(4, y + 16, shortened(cycle.name, SIZE, NAMES - 8)),
                Text(4, y + 31, shortened(cycle.under, SIZE - 2, NAMES - 8)),
                note,
            )
        )
        for place, (name, meetings) in enumerate(cycle.rounds):
            x = round(NAMES + place * width, 2)
            heads.append(Text(x + 4, y + 15, shortened(name, SIZE - 2, width - 6)))
            entries += [
                _entry(meeting, x, y + HEAD + line * LINE, round(width, 2)) for line, meeting in enumerate(meetings)
            ]
        y += height + 4
    return Calendar(key, title, description, WIDTH, y, tuple(rows), tuple(heads), tuple(entries))


def _entry(meeting: Meeting, x: float, y: float, width: float) -> Entry:
    winner = -1 if meeting.winner is None else meeting.winner
    before = "".join(f"{side}–" for side in meeting.sides[: max(winner, 0)])
    if winner < 0:
        return Entry(x, y, width, SIGNS[meeting.state], "–".join(meeting.sides), "", "", meeting.is_own, meeting.words)
    behind = "".join(f"–{side}" for side in meeting.sides[winner + 1 :])
    return Entry(
        x, y, width, SIGNS[meeting.state], before, meeting.sides[winner], behind, meeting.is_own, meeting.words
    )
