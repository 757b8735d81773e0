"""An arena as a picture: functions make plain shapes from its definition, and a template draws them as SVG.

The hexes have flat tops. Even columns are half a hex lower than odd ones and have one hex less. Lengths are SVG user
units. Nothing here depends on requests, databases or colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import cos, radians, sin, sqrt
from typing import Any

from rules.wording.isolation import isolated

RADIUS = 24.0
HALF_HEIGHT = RADIUS * sqrt(3) / 2
MARGIN = 14.0
"""The space around the hexes: the arc of a unit on the rim reaches this far beyond them."""
LABEL_DROP = 9.6
"""The distance from a hex's upper side to the foot of its number, clear of the thick outline of a patch of terrain."""

SLOPE = 5.4
"""The breadth of a slope, on the side of the higher hex."""

_LIGHTS = ("lit", "dim", "dark", "dark", "dim", "lit")
"""The light on a slope towards each neighbour, from north clockwise."""

_CORNERS = (30, 90, 150, 210, 270, 330)
_SIDES = (0, 60, 120, 180, 240, 300)


@dataclass(frozen=True)
class HexView:
    """One hex with its middle and corners, its terrain (`clear`, `hindering`, `blocking` or `water`), and the places of
    the texts on it. `height` is 0 for grounded, 1 for elevated and 2 for abrupt hexes. `start` is the letter of a
    starting area, "" outside one.
    """

    code: str
    x: float
    y: float
    points: str
    terrain: str
    height: int
    label_y: float
    start: str
    start_y: float


@dataclass(frozen=True)
class Slope:
    """The slopes of one height (1 or 2) that have the same light, as one SVG path: "lit", "dim" or "dark"."""

    height: int
    light: str
    path: str


@dataclass(frozen=True)
class ArenaView:
    """An arena in drawing order: hexes, high ground, its slopes, the outlines of the patches of terrain.

    `heights` are (height, SVG path of the hexes), `slopes` stand where high ground meets lower ground, `cliffs` are the
    SVG path along the slopes of abrupt ground, `outlines` are (terrain, SVG path).
    `legend` has the words for the terrains and heights in it, `starts` the letters of the starting areas.
    """

    name: str
    width: float
    height: float
    hexes: tuple[HexView, ...]
    heights: tuple[tuple[int, str], ...]
    slopes: tuple[Slope, ...]
    cliffs: str
    outlines: tuple[tuple[str, str], ...]
    legend: tuple[str, ...]
    starts: tuple[str, ...]


def build_arena(arena: Mapping[str, Any]) -> ArenaView:
    """Return the picture of an arena without units and tokens."""
    terrain = arena.get("hexes", {})
    columns, rows = int(arena.get("columns", 11)), int(arena.get("rows", 15))
    codes = [hex_code(column, row) for column in range(1, columns + 1) for row in range(1, rows_of(column, rows) + 1)]
    ground = {code: _ground(terrain.get(code, "clear")) for code in codes}
    start_of = {code: letter for letter, places in sorted(arena.get("starts", {}).items()) for code in places}
    slopes, cliffs = _slopes(ground)
    return ArenaView(
        name=isolated(str(arena.get("name", ""))),
        width=round(2 * MARGIN + RADIUS * (1.5 * columns + 0.5), 2),
        height=round(2 * MARGIN + 2 * HALF_HEIGHT * rows, 2),
        hexes=tuple(_hex(code, *ground[code], start_of.get(code, "")) for code in codes),
        heights=_heights(ground),
        slopes=slopes,
        cliffs=cliffs,
        outlines=_outlines(ground),
        legend=_legend(ground.values()),
        starts=tuple(sorted(set(start_of.values()))),
    )


def column_and_row(code: str) -> tuple[int, int]:
    """Return the column and row of a hex code, both from 1: `0607` gives (6, 7)."""
    return int(code[:2]), int(code[2:])


def hex_code(column: int, row: int) -> str:
    return f"{column:02d}{row:02d}"


def rows_of(column: int, rows: int) -> int:
    """Return the number of hexes in a column: `rows` in odd ones, one fewer in even ones."""
    return rows if column % 2 else rows - 1


def centre(code: str) -> tuple[float, float]:
    """Return the middle of a hex as (x, y) in SVG user units."""
    column, row = column_and_row(code)
    lowered = 0 if column % 2 else 1
    x = MARGIN + RADIUS + (column - 1) * RADIUS * 1.5
    y = MARGIN + HALF_HEIGHT * (2 * row - 1 + lowered)
    return round(x, 2), round(y, 2)


def neighbour(code: str, direction: int) -> tuple[int, int]:
    """Return the column and row of the hex beyond a side: 0 is north, then clockwise. The hex may be off the board."""
    column, row = column_and_row(code)
    even = 0 if column % 2 else 1
    steps = ((0, -1), (1, even - 1), (1, even), (0, 1), (-1, even), (-1, even - 1))
    across, down = steps[direction]
    return column + across, row + down


def _ground(written: str) -> tuple[str, int]:
    """Return the terrain and the height: `water+elevated` gives ("water", 1). Abrupt ground has the height 2."""
    parts = written.split("+")
    height = 2 if "abrupt" in parts else 1 if "elevated" in parts else 0
    kinds = [part for part in parts if part not in ("elevated", "abrupt")]
    return (kinds[0] if kinds else "clear"), height


def point_at(x: float, y: float, angle: float, length: float) -> tuple[float, float]:
    """Return the point `length` away at `angle` degrees clockwise from north."""
    return round(x + length * sin(radians(angle)), 2), round(y - length * cos(radians(angle)), 2)


def polygon(x: float, y: float, angles: Iterable[float], length: float) -> str:
    """Return the points `length` away from (x, y), as SVG writes them: one for each angle in degrees clockwise from
    north.
    """
    return " ".join("{:g},{:g}".format(*point_at(x, y, angle, length)) for angle in angles)


def _hex(code: str, terrain: str, height: int, start: str) -> HexView:
    x, y = centre(code)
    return HexView(
        code=code,
        x=x,
        y=y,
        points=polygon(x, y, _CORNERS, RADIUS),
        terrain=terrain,
        height=height,
        label_y=round(y - HALF_HEIGHT + LABEL_DROP, 2),
        start=start,
        start_y=round(y + HALF_HEIGHT - 3.4, 2),
    )


def _heights(ground: Mapping[str, tuple[str, int]]) -> tuple[tuple[int, str], ...]:
    """Return the hexes of each height above the ground: (height, SVG path)."""
    found: dict[int, list[str]] = {}
    for code, (_, height) in ground.items():
        if height:
            found.setdefault(height, []).append(f"M{polygon(*centre(code), _CORNERS, RADIUS)}z")
    return tuple((height, "".join(found[height])) for height in sorted(found))


def _slopes(ground: Mapping[str, tuple[str, int]]) -> tuple[tuple[Slope, ...], str]:
    """Return the slopes inside the sides of high hexes that face lower ones, and the path along the abrupt ones.

    The sun stands in the north-west. Slopes of neighbours meet on the side that the hexes share.
    """
    found: dict[tuple[int, str], list[str]] = {}
    cliffs = []
    for code, (_, height) in ground.items():
        lower = [ground.get(hex_code(*neighbour(code, side)), ("", 0))[1] < height for side in range(6)]
        for side, light in enumerate(_LIGHTS):
            if not lower[side]:
                continue
            left, right = (point_at(*centre(code), _SIDES[side] + turn, RADIUS) for turn in (-30, 30))
            before, after = (_foot(code, side, turn, is_mitred=lower[(side + turn) % 6]) for turn in (-1, 1))
            ends = "{:g},{:g} {:g},{:g} {:g},{:g} {:g},{:g}".format(*left, *right, *after, *before)
            found.setdefault((height, light), []).append(f"M{ends}z")
            if height == 2:
                middles = [(a + b) / 2 for a, b in zip((*left, *right), (*before, *after), strict=True)]
                cliffs.append("M{:.1f} {:.1f}L{:.1f} {:.1f}".format(*middles))
    slopes = tuple(Slope(*key, "".join(paths)) for key, paths in sorted(found.items()))
    return slopes, "".join(cliffs)


def _foot(code: str, side: int, turn: int, is_mitred: bool) -> tuple[float, float]:
    """Return the inner end of a slope at the corner next to `side`, counter-clockwise of it (`turn` -1) or clockwise.

    It lies towards the middle of the hex if the next side has a slope too (`is_mitred`), otherwise on that side.
    """
    angle = _SIDES[side] + 30 * turn
    corner = point_at(*centre(code), angle, RADIUS)
    end = centre(code) if is_mitred else point_at(*centre(code), angle + 60 * turn, RADIUS)
    share = SLOPE * 2 / sqrt(3) / RADIUS
    return round(corner[0] + (end[0] - corner[0]) * share, 2), round(corner[1] + (end[1] - corner[1]) * share, 2)


def _outlines(ground: Mapping[str, tuple[str, int]]) -> tuple[tuple[str, str], ...]:
    """Return the boundary of each patch of hindering, blocking and water terrain: (terrain, SVG path)."""
    paths: dict[str, list[str]] = {}
    for code, (terrain, _) in ground.items():
        if terrain == "clear":
            continue
        x, y = centre(code)
        for direction, side in enumerate(_SIDES):
            beyond = ground.get(hex_code(*neighbour(code, direction)))
            if beyond is not None and beyond[0] == terrain:
                continue
            # Drawn a little inside the hex, so that two patches that touch keep their own lines.
            start, end = (point_at(x, y, side + turn, RADIUS * 0.965) for turn in (-30, 30))
            paths.setdefault(terrain, []).append("M{:g} {:g}L{:g} {:g}".format(*start, *end))
    return tuple((terrain, "".join(paths[terrain])) for terrain in sorted(paths))


def _legend(grounds: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    """Return the words for the terrains and heights that the arena has, in a fixed order."""
    found = set()
    for terrain, height in grounds:
        found |= {terrain, ("", "elevated", "abrupt")[height]}
    return tuple(kind for kind in ("clear", "hindering", "blocking", "water", "elevated", "abrupt") if kind in found)
