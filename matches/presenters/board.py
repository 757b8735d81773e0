"""The board of a match as a picture: plain shapes made from an arena and a snapshot. A template draws them as SVG.

Lengths are SVG user units. Nothing here knows of requests, databases or colours.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

from catalogue.presenters.arena_picture import ArenaView, HexView, build_arena, centre, point_at, polygon
from rules.wording.isolation import isolated

UNIT_RADIUS = 12.5
WEDGE_RADIUS = 33.0

SHAPES = ("circle", "square", "diamond", "triangle", "pentagon", "hexagon", "heptagon", "octagon")
"""The shapes of the sides' units, in the order of the sides: shape and letter show the side, not only the colour."""

_POLYGON_SIDES = {"square": 4, "diamond": 4, "triangle": 3, "pentagon": 5, "hexagon": 6, "heptagon": 7, "octagon": 8}
_POLYGON_TURN = {"square": 45.0, "heptagon": 0.0, "octagon": 22.5}


@dataclass(frozen=True)
class UnitView:
    """One unit on the board, or the mark where it fell (`eliminated`).

    `points` are the corners of its `shape`, "" for a circle. `wedge` is the SVG path of its front arc, "" without one.
    `clock` is its facing, 1 to 12.
    """

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
    """A target token: its place and its defense."""

    id: str
    label: str
    hex: str
    x: float
    y: float
    label_y: float
    defense: int


@dataclass(frozen=True)
class FlagView:
    """A side's flag on its hex, or next to the unit that carries it. `carrier` is that unit's id, "" without one."""

    side_index: int
    label: str
    hex: str
    carrier: str
    pole: str
    cloth: str
    x: float
    y: float


@dataclass(frozen=True)
class BoardView:
    """Everything that the SVG needs, in drawing order.

    `outlines` are (terrain, SVG path), `trail` the points of a polyline, "" without a path. `ground_key` is the hash of
    the arena's content.
    """

    name: str
    width: float
    height: float
    hexes: tuple[HexView, ...]
    outlines: tuple[tuple[str, str], ...]
    wrecks: tuple[UnitView, ...]
    units: tuple[UnitView, ...]
    tokens: tuple[TokenView, ...]
    flags: tuple[FlagView, ...]
    trail: str
    legend: tuple[str, ...]
    starts: tuple[str, ...]
    ground_key: str


def build_board(
    arena: Mapping[str, Any],
    snapshot: Mapping[str, Any],
    sides: Sequence[Mapping[str, Any]],
    fallen: Mapping[str, str] | None = None,
    path: Iterable[str] = (),
) -> BoardView:
    """Return the picture of `snapshot` in `arena`.

    `sides` are those of the match's setup (their order gives shape and colour, their units names and arcs). `fallen`
    says for each eliminated unit where it stood last. `path` is a list of hexes to draw as a trail.
    """
    key, ground = ground_of(arena)
    standing, wrecks = _units(snapshot, sides, fallen or {})
    return BoardView(
        name=ground.name,
        width=ground.width,
        height=ground.height,
        hexes=ground.hexes,
        outlines=ground.outlines,
        wrecks=tuple(wrecks),
        units=tuple(standing),
        tokens=tuple(_tokens(snapshot)),
        flags=tuple(_flags(snapshot, [str(side["id"]) for side in sides])),
        trail=_trail(list(path)),
        legend=ground.legend,
        starts=ground.starts,
        ground_key=key,
    )


def ground_of(arena: Mapping[str, Any]) -> tuple[str, ArenaView]:
    """Return the hash of an arena's content, and its picture, which is cached for later requests."""
    text = json.dumps(arena, sort_keys=True)
    return sha256(text.encode()).hexdigest(), _ground(text)


@lru_cache(maxsize=64)
def _ground(text: str) -> ArenaView:
    return build_arena(json.loads(text))


def _units(
    snapshot: Mapping[str, Any], sides: Sequence[Mapping[str, Any]], fallen: Mapping[str, str]
) -> tuple[list[UnitView], list[UnitView]]:
    standing: list[UnitView] = []
    wrecks: list[UnitView] = []
    letters = side_letters([str(side["id"]) for side in sides])
    for side_index, side in enumerate(sides):
        for number, loadout in enumerate(side["units"], start=1):
            state = snapshot["units"].get(loadout["id"])
            if state is None:
                continue
            gone = bool(state["eliminated"])
            place = fallen.get(loadout["id"]) if gone else state["hex"]
            if not place:
                continue
            label = letters[side_index] if len(side["units"]) == 1 else f"{letters[side_index]}{number}"
            view = _unit(loadout, state, side_index, str(side["id"]), label, place, snapshot.get("turn"))
            (wrecks if gone else standing).append(view)
    return standing, wrecks


def side_letters(sides: Sequence[str]) -> list[str]:
    """Return the first letter of each side as a capital, or its first two when an earlier side has that one."""
    found: list[str] = []
    for side in sides:
        letter = side[:1].upper()
        found.append(letter if letter not in found else side[:2].upper())
    return found


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
    tip = point_at(x, y, angle, UNIT_RADIUS + 12)
    left, right = (point_at(x, y, angle + turned, UNIT_RADIUS + 1.5) for turned in (-30, 30))
    return UnitView(
        id=str(loadout["id"]),
        name=isolated(str(loadout["unit"]["name"])),
        label=label,
        side=side,
        side_index=side_index,
        shape=shape,
        points=_shape_points(x, y, shape),
        x=x,
        y=y,
        label_y=round(y + 4.6, 2),
        arrow="{:g},{:g} {:g},{:g} {:g},{:g}".format(*tip, *left, *right),
        wedge=wedge(x, y, angle, float(loadout["unit"].get("front_arc", 180))),
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
    """Return the corners of a shape; a circle has none."""
    count = _POLYGON_SIDES.get(shape)
    if count is None:
        return ""
    turn = _POLYGON_TURN.get(shape, 0.0)
    size = UNIT_RADIUS * (1.22 if count == 4 else 1.25 if count == 3 else 1.1)
    return polygon(x, y, [turn + 360 / count * corner for corner in range(count)], size)


def wedge(x: float, y: float, angle: float, width: float) -> str:
    """Return the front arc of `width` degrees around the facing `angle` as an SVG path, a whole circle for 360.

    Empty for a width of 0.
    """
    if width <= 0:
        return ""
    if width >= 360:
        top, bottom = point_at(x, y, 0, WEDGE_RADIUS), point_at(x, y, 180, WEDGE_RADIUS)
        arc = f"A{WEDGE_RADIUS:g} {WEDGE_RADIUS:g} 0 1 1 "
        return "M{:g} {:g}".format(*top) + arc + "{:g} {:g}".format(*bottom) + arc + "{:g} {:g}Z".format(*top)
    start, end = point_at(x, y, angle - width / 2, WEDGE_RADIUS), point_at(x, y, angle + width / 2, WEDGE_RADIUS)
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


def _flags(snapshot: Mapping[str, Any], sides: Sequence[str]) -> list[FlagView]:
    """Return the flags of capture the flag; a carried flag is next to its unit."""
    views = []
    letters = dict(zip(sides, side_letters(sides), strict=True))
    for side, flag in snapshot.get("flags", {}).items():
        carrier = flag.get("carrier") or ""
        place = snapshot["units"][carrier]["hex"] if carrier else flag.get("hex")
        if not place or side not in letters:
            continue
        middle, height = centre(place)
        x, y = round(middle - 10, 2), round(height - 4, 2)
        cloth = f"{x:g},{y - 14:g} {x + 17:g},{y - 9:g} {x:g},{y - 3:g}"
        pole = f"M{x:g} {y - 15:g}V{y + 9:g}"
        views.append(
            FlagView(sides.index(side), letters[side], place, carrier, pole, cloth, round(x + 5.5, 2), round(y - 6, 2))
        )
    return views


def _trail(path: Sequence[str]) -> str:
    """Return a unit's path as the points of a polyline; empty for fewer than two hexes."""
    if len(path) < 2:
        return ""
    return " ".join("{:g},{:g}".format(*centre(code)) for code in path)
