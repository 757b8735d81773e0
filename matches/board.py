"""The hex board as a picture: an arena and a snapshot in, plain shapes out. A template draws them as SVG.

Flat-topped hexes, column by column; odd columns start at the top, even ones stand half a hex lower. Lengths are
SVG user units. Nothing here knows of requests, databases or colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import cos, radians, sin, sqrt
from typing import Any

RADIUS = 24.0
HALF_HEIGHT = RADIUS * sqrt(3) / 2
MARGIN = 14.0
"""Around the hexes: the arc of a unit on the rim reaches this far beyond them."""
UNIT_RADIUS = 12.5
WEDGE_RADIUS = 33.0
LABEL_DROP = 9.6
"""From a hex's upper side to the foot of its number: clear of the thick outline of a patch of terrain."""

SHAPES = ("circle", "square", "diamond", "triangle", "pentagon", "hexagon", "heptagon", "octagon")
"""The shape of a side's units, by the order of the sides: shape and letter tell a side, not colour alone."""

_POLYGON_SIDES = {"square": 4, "diamond": 4, "triangle": 3, "pentagon": 5, "hexagon": 6, "heptagon": 7, "octagon": 8}
_POLYGON_TURN = {"square": 45.0, "heptagon": 0.0, "octagon": 22.5}
_CORNERS = (30, 90, 150, 210, 270, 330)
_SIDES = (0, 60, 120, 180, 240, 300)


@dataclass(frozen=True)
class HexView:
    """One hex: its code, ground (`clear`, `hindering`, `blocking`, `water`), height and the texts on it."""

    code: str
    x: float
    y: float
    points: str
    terrain: str
    rings: tuple[str, ...]
    label_y: float
    start: str
    start_y: float


@dataclass(frozen=True)
class UnitView:
    """One unit on the board, or the mark where it fell (`eliminated`)."""

    id: str
    name: str
    label: str
    side: str
    side_index: int
    shape: str
    points: str
    x: float
    y: float
    label_y: float
    arrow: str
    wedge: str
    hex: str
    clock: int
    shutdown: bool
    unconscious: bool
    eliminated: bool
    active: bool
    badge_x: float
    badge_y: float
    second_badge_x: float


@dataclass(frozen=True)
class TokenView:
    """A target token: its place, defense and what destroying it pays."""

    id: str
    label: str
    hex: str
    x: float
    y: float
    label_y: float
    defense: int


@dataclass(frozen=True)
class BoardView:
    """Everything that the SVG needs, in drawing order."""

    name: str
    width: float
    height: float
    hexes: tuple[HexView, ...]
    outlines: tuple[tuple[str, str], ...]
    wrecks: tuple[UnitView, ...]
    units: tuple[UnitView, ...]
    tokens: tuple[TokenView, ...]
    trail: str
    legend: tuple[str, ...]
    starts: tuple[str, ...]


def column_and_row(code: str) -> tuple[int, int]:
    """`0607` -> (6, 7), 1-based."""
    return int(code[:2]), int(code[2:])


def hex_code(column: int, row: int) -> str:
    return f"{column:02d}{row:02d}"


def rows_of(column: int, rows: int) -> int:
    """The number of hexes in a column: `rows` in odd ones, one fewer in even ones."""
    return rows if column % 2 else rows - 1


def centre(code: str) -> tuple[float, float]:
    """The middle of a hex."""
    column, row = column_and_row(code)
    lowered = 0 if column % 2 else 1
    x = MARGIN + RADIUS + (column - 1) * RADIUS * 1.5
    y = MARGIN + HALF_HEIGHT * (2 * row - 1 + lowered)
    return round(x, 2), round(y, 2)


def neighbour(code: str, direction: int) -> tuple[int, int]:
    """Column and row of the hex beyond a side: 0 = N, then clockwise. The result may lie off the board."""
    column, row = column_and_row(code)
    even = 0 if column % 2 else 1
    steps = ((0, -1), (1, even - 1), (1, even), (0, 1), (-1, even), (-1, even - 1))
    across, down = steps[direction]
    return column + across, row + down


def build_board(
    arena: Mapping[str, Any],
    snapshot: Mapping[str, Any],
    sides: Sequence[Mapping[str, Any]],
    fallen: Mapping[str, str] | None = None,
    path: Iterable[str] = (),
) -> BoardView:
    """The picture of `snapshot` in `arena`.

    `sides` are those of the match's setup (their order gives shape and colour, their units names and arcs). `fallen`
    tells for each eliminated unit where it stood last. `path` is a list of hexes to draw as a trail.
    """
    terrain = arena.get("hexes", {})
    columns, rows = int(arena.get("columns", 11)), int(arena.get("rows", 15))
    codes = [hex_code(column, row) for column in range(1, columns + 1) for row in range(1, rows_of(column, rows) + 1)]
    ground = {code: _ground(terrain.get(code, "clear")) for code in codes}
    start_of = {code: letter for letter, places in sorted(arena.get("starts", {}).items()) for code in places}
    standing, wrecks = _units(snapshot, sides, fallen or {})
    return BoardView(
        name=str(arena.get("name", "")),
        width=round(2 * MARGIN + RADIUS * (1.5 * columns + 0.5), 2),
        height=round(2 * MARGIN + 2 * HALF_HEIGHT * rows, 2),
        hexes=tuple(_hex(code, *ground[code], start_of.get(code, "")) for code in codes),
        outlines=_outlines(ground),
        wrecks=tuple(wrecks),
        units=tuple(standing),
        tokens=tuple(_tokens(snapshot)),
        trail=_trail(list(path)),
        legend=_legend(ground.values()),
        starts=tuple(sorted(set(start_of.values()))),
    )


def _ground(written: str) -> tuple[str, int]:
    """`water+elevated` -> ("water", 1): the terrain and the number of rings (two: abrupt)."""
    parts = written.split("+")
    height = 2 if "abrupt" in parts else 1 if "elevated" in parts else 0
    kinds = [part for part in parts if part not in ("elevated", "abrupt")]
    return (kinds[0] if kinds else "clear"), height


def _at(x: float, y: float, angle: float, length: float) -> tuple[float, float]:
    """The point `length` away at `angle` degrees clockwise from north."""
    return round(x + length * sin(radians(angle)), 2), round(y - length * cos(radians(angle)), 2)


def _points(x: float, y: float, angles: Iterable[float], length: float) -> str:
    return " ".join("{:g},{:g}".format(*_at(x, y, angle, length)) for angle in angles)


def _hex(code: str, terrain: str, height: int, start: str) -> HexView:
    x, y = centre(code)
    return HexView(
        code=code,
        x=x,
        y=y,
        points=_points(x, y, _CORNERS, RADIUS),
        terrain=terrain,
        rings=tuple(_points(x, y, _CORNERS, RADIUS * share) for share in (0.84, 0.68)[:height]),
        label_y=round(y - HALF_HEIGHT + LABEL_DROP, 2),
        start=start,
        start_y=round(y + HALF_HEIGHT - 3.4, 2),
    )


def _outlines(ground: Mapping[str, tuple[str, int]]) -> tuple[tuple[str, str], ...]:
    """The boundary of each patch of hindering, blocking and water terrain: (terrain, SVG path), on-board sides only."""
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
            start, end = (_at(x, y, side + turn, RADIUS * 0.965) for turn in (-30, 30))
            paths.setdefault(terrain, []).append("M{:g} {:g}L{:g} {:g}".format(*start, *end))
    return tuple((terrain, "".join(paths[terrain])) for terrain in sorted(paths))


def _legend(grounds: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    """The kinds of ground that the arena has, in a fixed order."""
    found = set()
    for terrain, height in grounds:
        found |= {terrain, ("", "elevated", "abrupt")[height]}
    return tuple(kind for kind in ("clear", "hindering", "blocking", "water", "elevated", "abrupt") if kind in found)


def _units(
    snapshot: Mapping[str, Any], sides: Sequence[Mapping[str, Any]], fallen: Mapping[str, str]
) -> tuple[list[UnitView], list[UnitView]]:
    standing: list[UnitView] = []
    wrecks: list[UnitView] = []
    for side_index, side in enumerate(sides):
        for number, loadout in enumerate(side["units"], start=1):
            state = snapshot["units"].get(loadout["id"])
            if state is None:
                continue
            gone = bool(state["eliminated"])
            place = fallen.get(loadout["id"]) if gone else state["hex"]
            if not place:
                continue
            letter = str(side["id"])[:1].upper()
            label = letter if len(side["units"]) == 1 else f"{letter}{number}"
            view = _unit(loadout, state, side_index, str(side["id"]), label, place, snapshot.get("turn"))
            (wrecks if gone else standing).append(view)
    return standing, wrecks


def _unit(
    loadout: Mapping[str, Any],
    state: Mapping[str, Any],
    side_index: int,
    side: str,
    label: str,
    place: str,
    turn: str | None,
) -> UnitView:
    x, y = centre(place)
    facing = int(state["facing"] or 0)
    angle = facing * 30
    shape = SHAPES[side_index % len(SHAPES)]
    tip = _at(x, y, angle, UNIT_RADIUS + 12)
    left, right = (_at(x, y, angle + turned, UNIT_RADIUS + 1.5) for turned in (-30, 30))
    return UnitView(
        id=str(loadout["id"]),
        name=str(loadout["unit"]["name"]),
        label=label,
        side=side,
        side_index=side_index,
        shape=shape,
        points=_shape_points(x, y, shape),
        x=x,
        y=y,
        label_y=round(y + 4.6, 2),
        arrow="{:g},{:g} {:g},{:g} {:g},{:g}".format(*tip, *left, *right),
        wedge=_wedge(x, y, angle, float(loadout["unit"].get("front_arc", 180))),
        hex=place,
        clock=facing or 12,
        shutdown=bool(state.get("shutdown")),
        unconscious=bool(state.get("unconscious")),
        eliminated=bool(state["eliminated"]),
        active=turn == loadout["id"],
        badge_x=round(x + 11, 2),
        badge_y=round(y + 11, 2),
        second_badge_x=round(x - 11, 2),
    )


def _shape_points(x: float, y: float, shape: str) -> str:
    """The corners of a shape; a circle has none."""
    count = _POLYGON_SIDES.get(shape)
    if count is None:
        return ""
    turn = _POLYGON_TURN.get(shape, 0.0)
    size = UNIT_RADIUS * (1.22 if count == 4 else 1.25 if count == 3 else 1.1)
    return _points(x, y, [turn + 360 / count * corner for corner in range(count)], size)


def _wedge(x: float, y: float, angle: float, width: float) -> str:
    """The front arc as a sector around the facing; a whole circle for 360 degrees. Empty without an arc."""
    if width <= 0:
        return ""
    if width >= 360:
        top, bottom = _at(x, y, 0, WEDGE_RADIUS), _at(x, y, 180, WEDGE_RADIUS)
        arc = f"A{WEDGE_RADIUS:g} {WEDGE_RADIUS:g} 0 1 1 "
        return "M{:g} {:g}".format(*top) + arc + "{:g} {:g}".format(*bottom) + arc + "{:g} {:g}Z".format(*top)
    start, end = _at(x, y, angle - width / 2, WEDGE_RADIUS), _at(x, y, angle + width / 2, WEDGE_RADIUS)
    large = 1 if width > 180 else 0
    return (
        f"M{x:g} {y:g}"
        + "L{:g} {:g}".format(*start)
        + f"A{WEDGE_RADIUS:g} {WEDGE_RADIUS:g} 0 {large} 1 "
        + "{:g} {:g}Z".format(*end)
    )


def _tokens(snapshot: Mapping[str, Any]) -> list[TokenView]:
    views = []
    for number, (identifier, token) in enumerate(sorted(snapshot.get("tokens", {}).items()), start=1):
        if not token.get("hex"):
            continue
        x, y = centre(token["hex"])
        views.append(
            TokenView(
                id=str(identifier),
                label=str(number),
                hex=token["hex"],
                x=x,
                y=y,
                label_y=round(y + 3.4, 2),
                defense=int(token.get("defense") or 0),
            )
        )
    return views


def _trail(path: Sequence[str]) -> str:
    """The way that a unit took, as a polyline; empty for fewer than two hexes."""
    if len(path) < 2:
        return ""
    return " ".join("{:g},{:g}".format(*centre(code)) for code in path)
