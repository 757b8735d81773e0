"""The screens on which a dial is typed from a figure: the base, one screen a click, one a step of heat, the end.

Each screen of a dial begins as the one before it, because a figure changes little from click to click.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, NamedTuple

from rules.catalogue.bounds import LONGEST_DIALS
from rules.catalogue.vocabulary import CLASS_LETTERS
from rules.core.words import HEAT_VALUES

_DIALS = {"click": "dial", "step": "heat"}


class Screen(NamedTuple):
    """A screen: `kind` is base, click, step or end. `number` counts clicks and steps from 0."""

    kind: str
    number: int = 0

    def __str__(self) -> str:
        return f"{self.kind}-{self.number}" if self.kind in _DIALS else self.kind


def screen_named(name: str) -> Screen:
    """Return the screen of a name that `str` made; any other text means the base."""
    match = re.fullmatch(r"(click|step)-(\d{1,2})", name, re.ASCII)
    if match:
        return Screen(match[1], int(match[2]))
    return Screen("end") if name == "end" else Screen("base")


def blank_figure() -> dict[str, Any]:
    """Return the unit that a person begins with: what most bases say, and no dial."""
    damage = {"type": "energy", "targets": 1, "range": [0, 8]}
    return {
        "rank": "veteran",
        "statistics": "printed",
        "front_arc": 180,
        "rear_arc": 90,
        "vent": 2,
        "primary": damage,
        "secondary": deepcopy(damage),
        "dial": [],
        "heat": [],
    }


def completed(unit: dict[str, Any]) -> dict[str, Any]:
    """Fill in what follows from the base (an id from set and number, a class from the variant), and return the unit."""
    if not unit.get("id") and isinstance(unit.get("number"), int) and unit.get("set"):
        unit["id"] = f"{unit['set']}{unit['number']:03d}"[:40]
    variant = unit.get("variant")
    if not unit.get("class") and isinstance(variant, str) and variant[-1:].upper() in CLASS_LETTERS:
        unit["class"] = CLASS_LETTERS[variant[-1].upper()]
    return unit


def opened(unit: dict[str, Any], screen: Screen) -> Screen:
    """Return the screen that can be shown, with a row for it in the unit.

    A new row is as the one before it, without a repair marker. The first step of the heat dial is free (R-HET-13), so
    its screen is the second. A screen beyond the rows that may follow is the last one.
    """
    if screen.kind not in _DIALS:
        return screen
    part = _DIALS[screen.kind]
    rows = unit[part]
    if screen.kind == "step" and not rows:
        rows.append({**dict.fromkeys(HEAT_VALUES, 0), "effects": {}})
    least = 1 if screen.kind == "step" else 0
    number = max(least, min(screen.number, len(rows), LONGEST_DIALS[part][1] - 1))
    if number == len(rows):
        rows.append(_as_before(screen.kind, rows))
    return Screen(screen.kind, number)


def repeated(unit: dict[str, Any], screen: Screen) -> None:
    """Make the row of a screen as the one before it. The first row of a dial stays as it is."""
    if screen.kind in _DIALS and 0 < screen.number < len(unit[_DIALS[screen.kind]]):
        rows = unit[_DIALS[screen.kind]]
        rows[screen.number] = _as_before(screen.kind, rows[: screen.number])


def ended(unit: dict[str, Any], screen: Screen) -> Screen:
    """End the dial of a screen with its row, and return the next screen: that of the heat dial, or the end."""
    if screen.kind in _DIALS:
        del unit[_DIALS[screen.kind]][screen.number + 1 :]
    return Screen("step", 1) if screen.kind == "click" else Screen("end")


def after(screen: Screen) -> Screen:
    """Return the next screen of the same dial; the first click after the base."""
    if screen.kind == "base":
        return Screen("click", 0)
    return Screen(screen.kind, screen.number + 1) if screen.kind in _DIALS else screen


def before(unit: Mapping[str, Any], screen: Screen) -> Screen:
    """Return the screen before: the last of the dial before, or the base."""
    if screen.kind == "end" and unit["heat"]:
        return Screen("step", len(unit["heat"]) - 1)
    if screen.number > {"click": 0, "step": 1}.get(screen.kind, screen.number):
        return Screen(screen.kind, screen.number - 1)
    return Screen("click", len(unit["dial"]) - 1) if screen.kind in ("step", "end") and unit["dial"] else Screen("base")


def so_far(unit: Mapping[str, Any], screen: Screen) -> dict[str, Any]:
    """Return a whole unit whose problems are those of the rows up to a screen: the rest is filled up without any."""
    known = {"points": 1, "id": "X", "set": "X", "number": 0, "name": "X", **unit}
    if screen.kind == "end":
        return dict(unit)
    dial = list(unit["dial"][: screen.number + 1]) if screen.kind == "click" else list(unit["dial"])
    heat = list(unit["heat"][: screen.number + 1]) if screen.kind == "step" else []
    plain = {"primary": 0, "secondary": 0, "speed": 0, "attack": 0, "defense": 0, "repair_marker": False}
    free = {**dict.fromkeys(HEAT_VALUES, 0), "effects": {}}
    if screen.kind == "base":
        dial = []
    dial += [{**plain, "equipment": {}}] * max(0, 2 - len(dial))
    heat += [free] * max(0, 2 - len(heat))
    return {**(unit if screen.kind == "base" else known), "dial": dial, "heat": heat}


def screen_of(field: str) -> Screen:
    """Return the screen of a form's field such as `dial-3-attack` or `heat-2-speed`; the base for any other."""
    match = re.match(r"(dial|heat)-(\d{1,2})-", field, re.ASCII)
    if match is None:
        return Screen("base")
    return Screen("click" if match[1] == "dial" else "step", int(match[2]))


def _as_before(kind: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    row = deepcopy(rows[-1]) if rows else {"equipment": {}} if kind == "click" else {"effects": {}}
    return row | {"repair_marker": False} if kind == "click" else row
