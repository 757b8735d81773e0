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

from django.utils.translation import gettext

from catalogue.presenters.arena_picture import ArenaView, HexView, Slope, build_arena, centre, point_at
from catalogue.presenters.figures import Figure, figure_of
from catalogue.text import labels
from matches.text import match as words
from rules.wording.isolation import isolated

UNIT_RADIUS = 17.0
WEDGE_RADIUS = 33.0

HEAT_ASIDE = 15.0
"""How far from the middle of a unit its heat stands, to the right or to the left."""

SHAPES: dict[str, tuple[tuple[float, float], ...]] = {
    "circle": (),
    "square": ((-14, -14), (14, -14), (14, 14), (-14, 14)),
    "diamond": ((0, -20), (20, 0), (0, 20), (-20, 0)),
    "triangle": ((-4, -19), (4, -19), (19, 11), (15, 15), (-15, 15), (-19, 11)),
    "wedge": ((-19, -11), (-15, -15), (15, -15), (19, -11), (5, 19), (-5, 19)),
    "cross": (
        (-9, -18), (9, -18), (9, -9), (18, -9), (18, 9), (9, 9), (9, 18), (-9, 18), (-9, 9), (-18, 9), (-18, -9),
        (-9, -9),
    ),
    "hexagon": ((0, -18), (15.6, -9), (15.6, 9), (0, 18), (-15.6, 9), (-15.6, -9)),
    "star": tuple(
        point_at(0, 0, 22.5 * corner, 12.5 if corner % 2 else 20) for corner in range(16)
    ),
}  # fmt: skip
"""The shapes of the sides' units, in the order of the sides, by their corners around the middle; a circle has none.

They show the side where colour does not. Each has room for a figure and two digits.
"""


COLOURS = ("#b3152f", "#1a56a5", "#1e6b2e", "#756300", "#7a3fb0", "#a84a00", "#00696f", "#4c535c")
"""The sides' colours on light ground, in the order of the sides. static/css/board.css has those on dark ground, too."""


def colour_of(side_index: int) -> str:
    """Return the colour of a side on light ground; from the ninth side on they come again."""
    return COLOURS[side_index % len(COLOURS)]


def shape_of(side_index: int) -> str:
    """Return the name of the shape of a side; from the ninth side on they come again."""
    return list(SHAPES)[side_index % len(SHAPES)]


@dataclass(frozen=True)
class UnitView:
    """One unit on the board, or the mark where it fell (`eliminated`).

    `label` names its side, with its number where the side has several units; `pips` then has a mark for each unit up to
    it: their places across. `points` are the corners of its `shape`, "" for a circle. `wedge` is the SVG path of its
    front arc, "" without one. `clock` is its facing, 1 to 12. `clicks` are those left, `heat` is the step that shows.
    `heat_x` is the place of the heat, beside the arrow.
    """

    id: str
    name: str
    label: str
    side: str
    side_index: int
    colour: str
    shape: str
    points: str
    x: float
    y: float
    figure: Figure
    pips: tuple[float, ...]
    arrow: str
    wedge: str
    hex: str
    clock: int
    clicks: int
    heat: int
    heat_x: float
    shutdown: bool
    unconscious: bool
    eliminated: bool
    active: bool


@dataclass(frozen=True)
class TokenView:
    """A target token: its place, its defense, and in `words` what it pays."""

    id: str
    label: str
    hex: str
    x: float
    y: float
    label_y: float
    defense: int
    words: str


@dataclass(frozen=True)
class FlagView:
    """A side's flag on its hex, or next to the unit that carries it. `carrier` is that unit's id, "" without one.

    `label` names the side, and `sign` are the corners of its shape on the cloth, "" for a circle.
    """

    side_index: int
    colour: str
    label: str
    sign: str
    hex: str
    carrier: str
    pole: str
    cloth: str
    x: float
    y: float


@dataclass(frozen=True)
class BoardView:
    """Everything that the SVG needs, in drawing order.

    `heights`, `slopes`, `cliffs` and `outlines` are those of the arena's picture, `trail` the points of a polyline,
    "" without a path. `ground_key` is the hash of the arena's content.
    """

    name: str
    width: float
    height: float
    hexes: tuple[HexView, ...]
    heights: tuple[tuple[int, str], ...]
    slopes: tuple[Slope, ...]
    cliffs: str
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
        heights=ground.heights,
        slopes=ground.slopes,
        cliffs=ground.cliffs,
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
    for side_index, side in enumerate(sides):
        for number, loadout in enumerate(side["units"], start=1):
            state = snapshot["units"].get(loadout["id"])
            if state is None:
                continue
            gone = bool(state["eliminated"])
            place = fallen.get(loadout["id"]) if gone else state["hex"]
            if not place:
                continue
            view = _unit(loadout, state, side_index, side, number, place, snapshot.get("turn"))
            (wrecks if gone else standing).append(view)
    return standing, wrecks


def _unit(
    loadout: Mapping[str, Any],
    state: Mapping[str, Any],
    side_index: int,
    side: Mapping[str, Any],
    number: int,
    place: str,
    turn: str | None,
) -> UnitView:
    x, y = centre(place)
    facing = int(state["facing"] or 0)
    shape = shape_of(side_index)
    unit, is_one_of = loadout["unit"], len(side["units"]) > 1
    label = words.heading(words.SIDES, str(side["id"]))
    return UnitView(
        id=str(loadout["id"]),
        name=isolated(str(unit["name"])),
        label=f"{label} {number}" if is_one_of else label,
        side=str(side["id"]),
        side_index=side_index,
        colour=colour_of(side_index),
        shape=shape,
        points=corners(shape),
        x=x,
        y=y,
        figure=figure_of(unit),
        pips=tuple(5.2 * (pip - (number - 1) / 2) for pip in range(number)) if is_one_of else (),
        arrow=arrow(0, 0, facing * 30),
        wedge=wedge(x, y, facing * 30, float(unit.get("front_arc", 180))),
        hex=place,
        clock=facing or 12,
        clicks=max(len(unit.get("dial", ())) - int(state.get("clicks") or 0), 0),
        heat=int(state.get("heat") or 0),
        heat_x=-HEAT_ASIDE if 1 <= facing <= 3 else HEAT_ASIDE,
        shutdown=bool(state.get("shutdown")),
        unconscious=bool(state.get("unconscious")),
        eliminated=bool(state["eliminated"]),
        active=turn == loadout["id"],
    )


def arrow(x: float, y: float, angle: float) -> str:
    """Return the corners of the arrow of a unit that faces `angle` degrees, its tip first."""
    tip = point_at(x, y, angle, UNIT_RADIUS + 12)
    left, right = (point_at(x, y, angle + turned, UNIT_RADIUS) for turned in (-25, 25))
    return "{:g},{:g} {:g},{:g} {:g},{:g}".format(*tip, *left, *right)


def corners(shape: str, x: float = 0, y: float = 0, size: float = 1.0) -> str:
    """Return the corners of a shape around a point; empty for a circle."""
    return " ".join(f"{x + size * across:.4g},{y + size * down:.4g}" for across, down in SHAPES[shape])


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


def token_words(token: Mapping[str, Any]) -> str:
    """Return what destroying a target token of a snapshot pays; empty where the snapshot does not say."""
    if "method" not in token:
        return ""
    return gettext("%(rp)s reputation if destroyed %(how)s") % {"rp": token["rp"], "how": labels.earned_by(token)}


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
                words=token_words(token),
            )
        )
    return views


def _flags(snapshot: Mapping[str, Any], sides: Sequence[str]) -> list[FlagView]:
    """Return the flags of capture the flag; a carried flag is next to its unit."""
    views = []
    for side, flag in snapshot.get("flags", {}).items():
        carrier = flag.get("carrier") or ""
        place = snapshot["units"][carrier]["hex"] if carrier else flag.get("hex")
        if not place or side not in sides:
            continue
        middle, height = centre(place)
        x, y = round(middle - 10, 2), round(height - 4, 2)
        cloth = f"{x:g},{y - 14:g} {x + 17:g},{y - 9:g} {x:g},{y - 3:g}"
        pole = f"M{x:g} {y - 15:g}V{y + 9:g}"
        index = sides.index(side)
        sign_x, sign_y = round(x + 5.5, 2), round(y - 8.6, 2)
        sign = corners(shape_of(index), sign_x, sign_y, 0.2)
        label = words.heading(words.SIDES, side)
        views.append(FlagView(index, colour_of(index), label, sign, place, carrier, pole, cloth, sign_x, sign_y))
    return views


def _trail(path: Sequence[str]) -> str:
    """Return a unit's path as the points of a polyline; empty for fewer than two hexes."""
    if len(path) < 2:
        return ""
    return " ".join("{:g},{:g}".format(*centre(code)) for code in path)
