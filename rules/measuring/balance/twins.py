"""Twins: units with one better entry on their sheet. A twin's wins against its unit show what that entry is worth.

The units of a catalogue are made to fit their points: strong dials have fewer clicks. So their differences say little
about the worth of each number. A twin differs from its unit in only one thing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.catalogue.pricing import WORTHLESS_ALONE
from rules.core.equipment import EQUIPMENT, LOCATIONS

Unit = Mapping[str, Any]
"""A unit as a catalogue document."""

MARK = "+"
"""The mark between a unit's id and the change, in the id of a twin."""

FARTHER = 4
"""How much farther the range of a twin is, in hexsides."""

COLOURED = 1 / 3
"""The share of a dial, from its start, that an equipment colours; printed dials have about as much."""

Change = Callable[[Unit], dict[str, Any] | None]


def _click_more(part: float) -> Change:
    """Return the change that repeats the click at this share of the dial, 0 to 1; a repair marker is not repeated."""

    def change(unit: Unit) -> dict[str, Any] | None:
        dial = list(unit["dial"])
        place = int(len(dial) * part)
        return {**unit, "dial": [*dial[:place], {**dial[place], "repair_marker": False}, *dial[place:]]}

    return change


def _value_more(value: str) -> Change:
    """Return the change that raises a combat value by one on every click; a damage value of 0 stays 0."""

    def change(unit: Unit) -> dict[str, Any] | None:
        is_damage = value in ("primary", "secondary")
        dial = [{**click, value: click[value] + (click[value] > 0 or not is_damage)} for click in unit["dial"]]
        return {**unit, "dial": dial}

    return change


def _reach_more(unit: Unit) -> dict[str, Any] | None:
    """Return the unit with FARTHER more range for each damage value that is not melee; None if both are."""
    ranged = [value for value in ("primary", "secondary") if unit[value]["type"] != "melee"]
    if not ranged:
        return None
    longer = {}
    for value in ranged:
        low, high = unit[value]["range"]
        longer[value] = {**unit[value], "range": [low, high + FARTHER]}
    return {**unit, **longer}


def _targets_more(unit: Unit) -> dict[str, Any] | None:
    """Return the unit with one more target for each damage value that is not melee; None if both are."""
    ranged = [value for value in ("primary", "secondary") if unit[value]["type"] != "melee"]
    more = {value: {**unit[value], "targets": unit[value]["targets"] + 1} for value in ranged}
    return {**unit, **more} if more else None


def _arc_more(unit: Unit) -> dict[str, Any] | None:
    """Return the unit with the next wider front arc; None if none is wider."""
    wider = {135: 180, 180: 270, 270: 360}.get(unit["front_arc"])
    return {**unit, "front_arc": wider} if wider else None


def _vent_more(unit: Unit) -> dict[str, Any] | None:
    return {**unit, "vent": unit["vent"] + 1}


def _cool_step_more(unit: Unit) -> dict[str, Any] | None:
    """Return the unit with one more step at the start of its heat dial."""
    return {**unit, "heat": [unit["heat"][0], *unit["heat"]]}


def _equipment_on(value: str) -> Change:
    """Return the change that adds an equipment to a combat value on the first third of the dial.

    The unit's id decides which equipment, so that a catalogue's units try everything that fits the value. The change
    returns None if the value has equipment there already, or if none fits it.
    """

    def change(unit: Unit) -> dict[str, Any] | None:
        place = unit[value]["type"] if value in ("primary", "secondary") else value
        keys = [key for key, row in EQUIPMENT.items() if row.place == place and key not in WORTHLESS_ALONE]
        coloured = max(1, round(len(unit["dial"]) * COLOURED))
        if not keys or any((click.get("equipment") or {}).get(value) for click in unit["dial"][:coloured]):
            return None
        key = keys[sum(map(ord, str(unit["id"]))) % len(keys)]
        dial = [
            {**click, "equipment": {**(click.get("equipment") or {}), value: key}} if number < coloured else click
            for number, click in enumerate(unit["dial"])
        ]
        return {**unit, "dial": dial}

    return change


CHANGES: Mapping[str, Change] = {
    "early_click": _click_more(1 / 6),
    "middle_click": _click_more(1 / 2),
    "late_click": _click_more(5 / 6),
    **{value: _value_more(value) for value in LOCATIONS},
    "reach": _reach_more,
    "targets": _targets_more,
    "front_arc": _arc_more,
    "vent": _vent_more,
    "heat_step": _cool_step_more,
    **{f"{value}_equipment": _equipment_on(value) for value in LOCATIONS},
}
"""The changes that make twins. Three of them add a click, because a fresh click is worth far more than one of Salvage.
A change returns None for a unit to which it does not apply. It leaves the points unchanged."""


def twin_of(unit: Unit, change: str) -> dict[str, Any] | None:
    """Return the unit with one change of CHANGES and the id of a twin; None if the change does not apply to it."""
    changed = CHANGES[change](unit)
    return {**changed, "id": f"{unit['id']}{MARK}{change}"} if changed is not None else None


def find_unit(units: Mapping[str, Unit], key: str) -> Unit:
    """Return a unit of a catalogue, or a twin of one, by its id. Raises KeyError if there is none."""
    own, mark, change = key.partition(MARK)
    if not mark:
        return units[key]
    twin = twin_of(units[own], change)
    if twin is None:
        raise KeyError(key)
    return twin
