"""A grid of everybody against everybody: it turns counts into the cells of a picture. No database, no words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from web.charts.lines import SIZE, WIDTH, Text
from web.charts.scales import shortened, width_of
from web.charts.signs import Sign

NAMES = 112.0
"""The least width of the column of names."""

COLUMN = 36.0
"""The width that a column of results keeps when names take more than NAMES."""

ROW = 27.0
TOP = 24.0

MORE, FEWER, EVEN = "▲", "▼", "="
"""The signs beside the numbers: the row's stable won more, fewer or as many matches."""


@dataclass(frozen=True)
class Cell:
    """The cell of a row and a column; `balance` is MORE, FEWER, EVEN, or empty if they never met."""

    x: float
    y: float
    width: float
    text: str
    balance: str
    words: str

    @property
    def text_x(self) -> float:
        return round(self.x + self.width / 2, 2)

    @property
    def text_y(self) -> float:
        return round(self.y + ROW / 2 + 4, 2)


@dataclass(frozen=True)
class Grid:
    """Everything that templates/components/chart_grid.svg.html draws. `own_row` is the top of the reader's row."""

    key: str
    title: str
    description: str
    width: float
    height: float
    row_height: float
    columns: tuple[Text, ...]
    names: tuple[Text, ...]
    cells: tuple[Cell, ...]
    own_row: float | None
    kind: str = "grid"


def grid(
    key: str,
    title: str,
    description: str,
    signs: Sequence[Sign],
    wins: Mapping[tuple[int, int], tuple[int, int, str]],
    own: int | None,
) -> Grid:
    """Return the grid of the stables with these signs.

    `wins` maps (row, column), both from 0, to the row's wins, its losses, and both in words; pairs that never met are
    left out. `own` is the reader's row, None without one.
    """
    listed = [f"{sign.letter} {sign.name}" for sign in signs]
    longest = max((width_of(text, SIZE) for text in listed), default=0.0) + 6
    left = max(NAMES, min(longest, WIDTH - COLUMN * len(signs)))
    width = (WIDTH - left) / max(len(signs), 1)
    cells = []
    for row in range(len(signs)):
        for column in range(len(signs)):
            if row == column:
                continue
            won, lost, phrase = wins.get((row, column), (0, 0, ""))
            balance = "" if not phrase else MORE if won > lost else FEWER if won < lost else EVEN
            text = f"{won}–{lost}" if phrase else "·"
            cells.append(Cell(round(left + column * width, 2), TOP + row * ROW, round(width, 2), text, balance, phrase))
    return Grid(
        key=key,
        title=title,
        description=description,
        width=WIDTH,
        height=TOP + ROW * len(signs) + 4,
        row_height=ROW,
        columns=tuple(
            Text(round(left + (place + 0.5) * width, 2), TOP - 8, sign.letter) for place, sign in enumerate(signs)
        ),
        names=tuple(
            Text(2, TOP + place * ROW + ROW / 2 + 4, shortened(text, SIZE, left - 6))
            for place, text in enumerate(listed)
        ),
        cells=tuple(cells),
        own_row=None if own is None else TOP + own * ROW,
    )
