"""An arena at true size on sheets of paper: which part of its picture each sheet holds, and where its tokens lie.

Lengths are in millimetres, except those of the picture, which are SVG user units. Nothing here depends on requests.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from catalogue.presenters.arena_picture import HALF_HEIGHT, ArenaView

PAPERS: Mapping[str, tuple[int, int]] = {"a4": (190, 275), "a3": (277, 398)}
"""The width and height of what is printed on a sheet of each paper: the paper without margins of about 10 mm."""
BORDER = 6
"""The width of the strip around the part of a sheet that is kept: the crop marks stand in it, and it is cut off."""
NARROWEST, WIDEST, USUAL = 20, 80, 38
"""The bounds of the width of a hex, from side to opposite side, and the width when nobody asks for another."""


FOOT = 5
"""The height of the line at the foot of a sheet of tokens."""
OF_A_HEX = 0.8
"""The width of a token as a part of the width of a hex: it lies inside a hex and leaves its number to be seen."""


@dataclass(frozen=True)
class Tile:
    """A sheet by its row and column, from 1, and the part of the picture on it."""

    row: int
    column: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Tiling:
    """The sheets of an arena, row by row. `paper` is the printed area, `kept` the part inside the crop marks."""

    tiles: tuple[Tile, ...]
    rows: int
    columns: int
    paper: tuple[int, int]
    kept: tuple[int, int]

    @property
    def marks(self) -> str:
        """The crop marks, as SVG writes a path: two lines at each corner of what is kept, outside it."""
        (wide, high), end = self.kept, BORDER - 1
        lines = [
            f"M{BORDER + x} {y}v{end}M{x_line} {BORDER + y_line}h{end}"
            for x, x_line in ((0, 0), (wide, BORDER + wide + 1))
            for y, y_line in ((0, 0), (BORDER + high + 1, high))
        ]
        return "".join(lines)


def tiles_of(board: ArenaView, hex_width: int, paper: str) -> Tiling:
    """Return the sheets for a picture whose hexes are `hex_width` wide, on a paper of PAPERS."""
    wide, high = (length - 2 * BORDER for length in PAPERS[paper])
    a_millimetre = 2 * HALF_HEIGHT / hex_width
    width, height = wide * a_millimetre, high * a_millimetre
    columns, rows = ceil(board.width / width), ceil(board.height / height)
    tiles = tuple(
        Tile(row + 1, column + 1, round(column * width, 3), round(row * height, 3), round(width, 3), round(height, 3))
        for row in range(rows)
        for column in range(columns)
    )
    return Tiling(tiles, rows, columns, PAPERS[paper], (wide, high))


@dataclass(frozen=True)
class Places:
    """Where round tokens lie on sheets: the upper left corner of the square around each, by sheet, and its width."""

    sheets: tuple[tuple[tuple[float, float], ...], ...]
    width: float
    paper: tuple[int, int]


def places_of(count: int, hex_width: int, paper: str) -> Places:
    """Return the places of `count` tokens for hexes of this width, row by row, with 2 mm around each."""
    (wide, high), width = PAPERS[paper], round(hex_width * OF_A_HEX, 2)
    step = width + 2
    columns, rows = int((wide - 2) // step), int((high - 2 - FOOT) // step)
    corners = [
        (round(2 + column * step, 2), round(2 + row * step, 2)) for row in range(rows) for column in range(columns)
    ]
    each = len(corners)
    sheets = tuple(tuple(corners[: count - first]) for first in range(0, count, each))
    return Places(sheets, width, PAPERS[paper])
