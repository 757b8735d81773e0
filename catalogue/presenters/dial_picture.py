"""A unit's dials and base as pictures: functions make plain shapes from its definition, a template draws them as SVG.

Lengths are SVG user units around the origin; angles are degrees clockwise from the top.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Any

from catalogue.text.marks import EQUIPMENT_MARKS, HEAT_MARKS, Mark
from rules.catalogue.vocabulary import DIAL_VALUES
from rules.core.words import HEAT_VALUES

RIM = 200.0
HUB = 62.0
BASE_RADIUS = 60.0


@dataclass(frozen=True)
class DialCell:
    """One number on a wheel. `path` is the SVG path of the coloured piece behind it. `path`, `colour` and `code` are ""
    without equipment or an effect. `is_circle` says that the equipment is single-use.
    """

    text: str
    x: float
    y: float
    path: str
    colour: str
    code: str
    is_circle: bool


@dataclass(frozen=True)
class DialSector:
    """One click or step of a wheel: its number and the number's place on the rim, and its cells from the rim inwards.
    `marker` is start, repair, shutdown or "".
    """

    number: str
    x: float
    y: float
    marker: str
    cells: tuple[DialCell, ...]


@dataclass(frozen=True)
class Wheel:
    """A dial seen from above. `size` is its radius, `spokes` the SVG path of the lines between its sectors, `rings` the
    radii of its circles.
    """

    size: float
    sectors: tuple[DialSector, ...]
    spokes: str
    rings: tuple[float, ...]


@dataclass(frozen=True)
class BaseView:
    """The base with its arcs: the SVG path of each arc, "" for an arc of 0 degrees, and its degrees."""

    front: str
    rear: str
    front_degrees: int
    rear_degrees: int


def combat_wheel(unit: Mapping[str, Any]) -> Wheel:
    """Return the combat dial: one sector a click, rings from the rim inwards in the order of DIAL_VALUES."""
    rows = []
    for number, click in enumerate(unit["dial"], 1):
        cells = []
        for value in DIAL_VALUES:
            item = click["equipment"].get(value)
            key = item["key"] if isinstance(item, Mapping) else item
            is_circle = isinstance(item, Mapping) and bool(item.get("single_use"))
            cells.append((str(click[value]), EQUIPMENT_MARKS[key] if key else None, is_circle))
        marker = "start" if number == 1 else "repair" if click["repair_marker"] else ""
        rows.append((str(number), marker, cells))
    return _wheel(rows)


def heat_wheel(unit: Mapping[str, Any]) -> Wheel:
    """Return the heat dial: one sector a step and one for shutdown, rings from the rim inwards in the order of
    HEAT_VALUES.
    """
    rows: list[tuple[str, str, list[tuple[str, Mark | None, bool]]]] = []
    for number, step in enumerate(unit["heat"]):
        cells = [(_signed(step[value]), HEAT_MARKS.get(step["effects"].get(value, "")), False) for value in HEAT_VALUES]
        rows.append((str(number), "start" if number == 0 else "", cells))
    rows.append((str(len(unit["heat"])), "shutdown", [("☢", None, False)] * len(HEAT_VALUES)))
    return _wheel(rows)


def _signed(number: int) -> str:
    return f"{number:+d}".replace("-", "−") if number else "0"


def base_view(unit: Mapping[str, Any]) -> BaseView:
    """Return the base from above, its front at the top."""
    front, rear = int(unit["front_arc"]), int(unit["rear_arc"])
    return BaseView(_sector(0.0, front), _sector(180.0, rear), front, rear)


def _wheel(rows: Sequence[tuple[str, str, Sequence[tuple[str, Mark | None, bool]]]]) -> Wheel:
    width = 360 / len(rows)
    rings = len(rows[0][2])
    depth = (RIM - 16 - HUB) / rings
    sectors = []
    for position, (number, marker, found) in enumerate(rows):
        angle = position * width
        cells = []
        for ring, (text, mark, is_circle) in enumerate(found):
            outer = RIM - 16 - ring * depth
            x, y = _at(angle, outer - depth / 2)
            path = _piece(angle, width, outer, outer - depth) if mark else ""
            colour, code = (mark.colour, mark.code) if mark else ("", "")
            cells.append(DialCell(text, x, y, path, colour, code, is_circle))
        x, y = _at(angle, RIM - 8)
        sectors.append(DialSector(number, x, y, marker, tuple(cells)))
    edges = (position * width - width / 2 for position in range(len(rows)))
    spokes = "".join("M{:g} {:g}L{:g} {:g}".format(*_at(edge, HUB), *_at(edge, RIM)) for edge in edges)
    lines = tuple(round(RIM - 16 - ring * depth, 2) for ring in range(rings + 1))
    return Wheel(RIM, tuple(sectors), spokes, (RIM, *lines))


def _at(angle: float, length: float) -> tuple[float, float]:
    return round(length * sin(radians(angle)), 2), round(-length * cos(radians(angle)), 2)


def _piece(angle: float, width: float, outer: float, inner: float) -> str:
    """Return the SVG path of a piece of a ring, `width` degrees wide and never the whole ring."""
    left, right = angle - width / 2, angle + width / 2
    large = 1 if width > 180 else 0
    return (
        "M{:g} {:g}".format(*_at(left, outer))
        + f"A{outer:g} {outer:g} 0 {large} 1 "
        + "{:g} {:g}".format(*_at(right, outer))
        + "L{:g} {:g}".format(*_at(right, inner))
        + f"A{inner:g} {inner:g} 0 {large} 0 "
        + "{:g} {:g}Z".format(*_at(left, inner))
    )


def _sector(middle: float, width: int) -> str:
    """Return the SVG path of a sector of the base around an angle: a whole circle for 360 degrees, "" for 0."""
    if width <= 0:
        return ""
    size = f"A{BASE_RADIUS:g} {BASE_RADIUS:g} 0"
    if width >= 360:
        top, bottom = ("{:g} {:g}".format(*_at(angle, BASE_RADIUS)) for angle in (0, 180))
        return f"M{top}{size} 1 1 {bottom}{size} 1 1 {top}Z"
    left, right = ("{:g} {:g}".format(*_at(middle + turn, BASE_RADIUS)) for turn in (-width / 2, width / 2))
    return f"M0 0L{left}{size} {1 if width > 180 else 0} 1 {right}Z"
