"""A unit as the fields of a form and back. Fields are named by their place: `name`, `primary-range-1`,
`dial-3-attack`, `dial-3-equipment-attack`, `dial-3-circle-attack`, `heat-2-effects-speed`.

What a person typed comes back as typed: a field that holds no number stays text, and the schema says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from catalogue.text import labels
from rules.catalogue.vocabulary import CLASSES, DIAL_VALUES, EQUIPMENT_PLACES
from rules.core.definition_checks import HEAT_EFFECT_PLACES
from rules.core.words import DAMAGE_VALUES, HEAT_VALUES, RANGE_TYPES, RANKS

MOST_CLICKS, MOST_STEPS = 40, 20
FRONT_ARCS = ("135", "180", "270", "360")
STATISTICS = ("house", "printed")

_TEXTS = ("id", "set", "name", "variant")
_WORDS: dict[str, tuple[str, ...]] = {
    "class": CLASSES,
    "rank": RANKS,
    "statistics": STATISTICS,
    "primary-type": RANGE_TYPES,
    "secondary-type": RANGE_TYPES,
}
_NUMBERS = ("number", "points", "front_arc", "rear_arc", "vent")
_DAMAGE_NUMBERS = tuple(f"{value}-{part}" for value in DAMAGE_VALUES for part in ("targets", "range-0", "range-1"))

BASE_FIELDS: tuple[str, ...] = (*_TEXTS, *_WORDS, *_NUMBERS, *_DAMAGE_NUMBERS)
"""The names of the fields of the base."""


@dataclass(frozen=True)
class FormField:
    """One field: its name, label and value; `choices` (word, display name) make it a list, `is_number` a number."""

    name: str
    label: str
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    is_number: bool = False


@dataclass(frozen=True)
class FormCell:
    """One combat value of a click or step: its number, what may stand on it, and whether it stands in a circle."""

    number: FormField
    mark: FormField
    circle: FormField | None


@dataclass(frozen=True)
class FormRow:
    """One click (from 1) or step (from 0) of a dial; a step has no repair marker."""

    number: int
    cells: tuple[FormCell, ...]
    marker: FormField | None


def blank_unit() -> dict[str, Any]:
    """What the editor starts with: a small light unit that is almost a definition; it lacks an id and a name."""
    click = {"primary": 2, "secondary": 3, "speed": 8, "attack": 9, "defense": 18, "repair_marker": False}
    free: dict[str, Any] = {"primary": 0, "secondary": 0, "speed": 0, "effects": {}}
    damage = {"type": "energy", "targets": 1, "range": [0, 8]}
    return {
        "id": "",
        "set": "OWN",
        "number": 1,
        "name": "",
        "variant": "OWN-1-L",
        "class": "light",
        "rank": "veteran",
        "statistics": "house",
        "points": 100,
        "front_arc": 180,
        "rear_arc": 90,
        "vent": 2,
        "primary": dict(damage),
        "secondary": dict(damage),
        "dial": [{**click, "equipment": {}} for _ in range(9)],
        "heat": [deepcopy(free) for _ in range(4)],
    }


def read_unit(values: Mapping[str, str]) -> dict[str, Any]:
    """The definition that a filled form says; empty fields are left out."""
    unit: dict[str, Any] = {name: values[name].strip() for name in _TEXTS if values.get(name, "").strip()}
    unit |= {name: values[name] for name in ("class", "rank", "statistics") if values.get(name)}
    unit |= {name: _number(values[name]) for name in _NUMBERS if values.get(name, "").strip()}
    for value in DAMAGE_VALUES:
        damage: dict[str, Any] = {"range": [_number(values.get(f"{value}-range-{end}", "")) for end in (0, 1)]}
        if values.get(f"{value}-type"):
            damage["type"] = values[f"{value}-type"]
        if values.get(f"{value}-targets", "").strip():
            damage["targets"] = _number(values[f"{value}-targets"])
        unit[value] = damage
    unit["dial"] = [_read_click(values, number) for number in range(_count(values, "dial", MOST_CLICKS))]
    unit["heat"] = [_read_step(values, number) for number in range(_count(values, "heat", MOST_STEPS))]
    return unit


def changed_unit(unit: dict[str, Any], change: str) -> dict[str, Any]:
    """The unit with a row more or less: add_click, remove_click, add_step, remove_step; any other word changes nothing.

    A new row repeats the last one without what is special on it.
    """
    dial, heat = unit["dial"], unit["heat"]
    if change == "add_click" and dial and len(dial) < MOST_CLICKS:
        dial.append({**dial[-1], "repair_marker": False, "equipment": {}})
    elif change == "remove_click" and len(dial) > 1:
        dial.pop()
    elif change == "add_step" and heat and len(heat) < MOST_STEPS:
        heat.append({**heat[-1], "effects": {}})
    elif change == "remove_step" and len(heat) > 1:
        heat.pop()
    return unit


def base_rows(unit: Mapping[str, Any]) -> list[FormField]:
    """The fields of the base, in the order of BASE_FIELDS."""
    fields = []
    for name in BASE_FIELDS:
        words = FRONT_ARCS if name == "front_arc" else _WORDS.get(name, ())
        choices = tuple((word, labels.name(word)) for word in words)
        is_number = name in (*_NUMBERS, *_DAMAGE_NUMBERS) and not choices
        fields.append(FormField(name, _label(name), _shown(_base_value(unit, name)), choices, is_number))
    return fields


def dial_rows(unit: Mapping[str, Any]) -> list[FormRow]:
    """One row a click, with what may stand on each of its values."""
    rows = []
    for number, click in enumerate(unit["dial"]):
        cells = tuple(_click_cell(unit, click, number, value) for value in DIAL_VALUES)
        is_marked = "on" if click.get("repair_marker") is True else ""
        label = gettext("Repair marker on click %(click)s") % {"click": number + 1}
        rows.append(FormRow(number + 1, cells, FormField(f"dial-{number}-repair_marker", label, is_marked)))
    return rows


def heat_rows(unit: Mapping[str, Any]) -> list[FormRow]:
    """One row a step, with the effects that may show at each of its values."""
    rows = []
    for number, step in enumerate(unit["heat"]):
        cells = []
        for value in HEAT_VALUES:
            place = gettext("%(value)s at heat %(step)s") % {"value": labels.name(value), "step": number}
            effect = gettext("Effect on %(place)s") % {"place": place}
            allowed = _allowed(HEAT_EFFECT_PLACES, _place(unit, value))
            cells.append(
                FormCell(
                    FormField(f"heat-{number}-{value}", place, _shown(step.get(value)), is_number=True),
                    FormField(f"heat-{number}-effects-{value}", effect, step["effects"].get(value, ""), allowed),
                    None,
                )
            )
        rows.append(FormRow(number, tuple(cells), None))
    return rows


def _click_cell(unit: Mapping[str, Any], click: Mapping[str, Any], number: int, value: str) -> FormCell:
    item = click["equipment"].get(value)
    is_single_use = isinstance(item, Mapping) and bool(item.get("single_use"))
    key = str(item["key"] if isinstance(item, Mapping) else item or "")
    place = gettext("%(value)s on click %(click)s") % {"value": labels.name(value), "click": number + 1}
    return FormCell(
        FormField(f"dial-{number}-{value}", place, _shown(click.get(value)), is_number=True),
        FormField(
            f"dial-{number}-equipment-{value}",
            gettext("Special equipment of %(place)s") % {"place": place},
            key,
            _allowed(EQUIPMENT_PLACES, _place(unit, value)),
        ),
        FormField(
            f"dial-{number}-circle-{value}",
            gettext("Single use: %(place)s") % {"place": place},
            "on" if is_single_use else "",
        ),
    )


def _place(unit: Mapping[str, Any], value: str) -> str:
    """Where special equipment and effects of a value belong: the range type of a damage value, else the value."""
    return str(unit[value].get("type", "")) if value in DAMAGE_VALUES else value


def _allowed(places: Mapping[str, str], place: str) -> tuple[tuple[str, str], ...]:
    found = ((key, labels.name(key)) for key, where in places.items() if where == place)
    return (("", "–"), *sorted(found, key=lambda choice: choice[1]))


def _read_click(values: Mapping[str, str], number: int) -> dict[str, Any]:
    prefix = f"dial-{number}-"
    click: dict[str, Any] = {
        value: _number(values[prefix + value]) for value in DIAL_VALUES if values.get(prefix + value, "").strip()
    }
    click["repair_marker"] = bool(values.get(prefix + "repair_marker"))
    click["equipment"] = {}
    for value in DIAL_VALUES:
        key = values.get(f"{prefix}equipment-{value}", "")
        if key:
            is_single_use = bool(values.get(f"{prefix}circle-{value}"))
            click["equipment"][value] = {"key": key, "single_use": True} if is_single_use else key
    return click


def _read_step(values: Mapping[str, str], number: int) -> dict[str, Any]:
    prefix = f"heat-{number}-"
    step: dict[str, Any] = {
        value: _number(values[prefix + value]) for value in HEAT_VALUES if values.get(prefix + value, "").strip()
    }
    effects = {value: values.get(f"{prefix}effects-{value}", "") for value in HEAT_VALUES}
    step["effects"] = {value: effect for value, effect in effects.items() if effect}
    return step


def _count(values: Mapping[str, str], dial: str, most: int) -> int:
    """How many rows a form has: one more than the highest number in its names."""
    numbers = (re.fullmatch(rf"{dial}-(\d{{1,2}})-(?:speed|primary)", name) for name in values)
    return min(most, max((int(found[1]) + 1 for found in numbers if found), default=0))


def _number(text: str) -> int | str:
    stripped = text.strip()
    return int(stripped) if re.fullmatch(r"[+-]?\d{1,6}", stripped, re.ASCII) else stripped


def _shown(value: Any) -> str:
    return "" if value is None else str(value)


def _base_value(unit: Mapping[str, Any], name: str) -> Any:
    value, _, part = name.partition("-")
    if not part:
        return unit.get(name)
    damage = unit.get(value, {})
    if part.startswith("range-"):
        return damage.get("range", [None, None])[int(part[-1])]
    return damage.get(part)


def _label(name: str) -> str:
    own: dict[str, Callable[[], str]] = {
        "id": lambda: gettext("Id"),
        "set": lambda: gettext("Set"),
        "name": lambda: gettext("Name"),
        "variant": lambda: gettext("Variant (its last letter is the class)"),
        "class": lambda: gettext("Class"),
        "rank": lambda: gettext("Rank"),
        "statistics": lambda: gettext("Whose numbers"),
        "number": lambda: gettext("Collector’s number"),
        "points": lambda: gettext("Points"),
        "front_arc": lambda: gettext("Front arc, degrees"),
        "rear_arc": lambda: gettext("Rear arc, degrees"),
        "vent": lambda: gettext("Vent rating"),
        "type": lambda: gettext("range type"),
        "targets": lambda: gettext("targets"),
        "range-0": lambda: gettext("minimum range"),
        "range-1": lambda: gettext("maximum range"),
    }
    value, _, part = name.partition("-")
    if not part:
        return own[name]()
    return gettext("%(value)s: %(fact)s") % {"value": labels.name(value), "fact": own[part]()}
