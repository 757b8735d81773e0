"""The form of a unit. A field's name says its place on the unit: `name`, `primary-range-1`, `dial-3-attack`,
`dial-3-equipment-attack`, `dial-3-circle-attack`, `heat-2-effects-speed`. Clicks and steps count from 0 here.

No field refuses its input: a number field passes other input on as text, and the checks of the catalogue report it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from typing import Any

from django import forms
from django.utils.translation import gettext

from catalogue.text import labels
from rules.catalogue import written
from rules.catalogue.vocabulary import CLASSES, DIAL_VALUES, EQUIPMENT_PLACES
from rules.core.definition_checks import HEAT_EFFECT_PLACES
from rules.core.table_units import MARK
from rules.core.words import DAMAGE_VALUES, HEAT_VALUES, RANGE_TYPES, RANKS
from web.languages.words import sort_key

MOST_CLICKS, MOST_STEPS = 40, 20
FRONT_ARCS = ("135", "180", "270", "360")
STATISTICS = ("house", "printed")
REAL_CLICKS = "real-clicks"
"""The field of the clicks of a unit without a dial. `clicks` of a form are the rows of its dial."""


def _number(text: str) -> int | str:
    found = written.number(text)
    return text if found is None else found


class _Text(forms.CharField):
    """A text field that strips the blanks around its text."""

    def __init__(self, label: str, **attributes: str) -> None:
        widget = forms.TextInput(attrs={"maxlength": "80", **attributes})
        super().__init__(label=label, required=False, widget=widget)


class _Number(_Text):
    """A field for a whole number; any other input stays text."""

    def __init__(self, label: str) -> None:
        super().__init__(label, inputmode="numeric", **{"class": "small-number"})

    def to_python(self, value: Any) -> Any:
        return _number(super().to_python(value) or "")


class _Word(forms.TypedChoiceField):
    """A choice among listed words that accepts other words, too."""

    def __init__(self, label: str, choices: Iterable[tuple[str, str]], coerce: Callable[[Any], Any] = str) -> None:
        super().__init__(label=label, choices=choices, coerce=coerce, required=False)

    def valid_value(self, value: Any) -> bool:
        return True


class _Box(forms.BooleanField):
    def __init__(self, label: str) -> None:
        super().__init__(label=label, required=False)


class _Part(forms.Form):
    """A form that returns what was typed into its fields."""

    def typed(self) -> dict[str, Any]:
        """Return the input by the names of the fields, without empty fields and boxes that are not ticked."""
        self.full_clean()
        return {name: value for name, value in self.cleaned_data.items() if value != "" and value is not False}


class _Row(_Part):
    """One row of a dial. Its cells show no labels, so each field has an aria-label."""

    def put(self, name: str, field: forms.Field) -> None:
        field.widget.attrs["aria-label"] = field.label
        self.fields[name] = field


class ClickForm(_Row):
    """One click of the combat dial. `places` names the place by which the equipment of each value is chosen."""

    def __init__(self, number: int, places: Mapping[str, str], data: Any, click: Mapping[str, Any] | None) -> None:
        super().__init__(data, prefix=f"dial-{number}", auto_id=False, initial=_shown_click(click or {}))
        self.number = number + 1
        for value in DIAL_VALUES:
            place = gettext("%(value)s on click %(click)s") % {"value": labels.name(value), "click": self.number}
            special = gettext("Special equipment of %(place)s") % {"place": place}
            self.put(value, _Number(place))
            self.put(f"equipment-{value}", _Word(special, _allowed(EQUIPMENT_PLACES, places[value])))
            self.put(f"circle-{value}", _Box(gettext("Single use: %(place)s") % {"place": place}))
        self.put("repair_marker", _Box(gettext("Repair marker on click %(click)s") % {"click": self.number}))

    @property
    def cells(self) -> list[list[forms.BoundField]]:
        """The fields of each value: its number, its equipment, whether the equipment is in a circle."""
        return [[self[value], self[f"equipment-{value}"], self[f"circle-{value}"]] for value in DIAL_VALUES]

    @property
    def row(self) -> dict[str, Any]:
        """The click in the form of a definition, without empty fields."""
        typed = self.typed()
        equipment = {value: typed[f"equipment-{value}"] for value in DIAL_VALUES if f"equipment-{value}" in typed}
        for value, key in equipment.items():
            if f"circle-{value}" in typed:
                equipment[value] = {"key": key, "single_use": True}
        numbers = {value: typed[value] for value in DIAL_VALUES if value in typed}
        return {**numbers, "repair_marker": "repair_marker" in typed, "equipment": equipment}


class StepForm(_Row):
    """One step of the heat dial. `places` names for each value the place by which its effects are chosen."""

    def __init__(self, number: int, places: Mapping[str, str], data: Any, step: Mapping[str, Any] | None) -> None:
        effects = {f"effects-{value}": effect for value, effect in (step or {}).get("effects", {}).items()}
        super().__init__(data, prefix=f"heat-{number}", auto_id=False, initial={**(step or {}), **effects})
        self.number = number
        for value in HEAT_VALUES:
            place = gettext("%(value)s at heat %(step)s") % {"value": labels.name(value), "step": number}
            effect = gettext("Effect on %(place)s") % {"place": place}
            self.put(value, _Number(place))
            self.put(f"effects-{value}", _Word(effect, _allowed(HEAT_EFFECT_PLACES, places[value])))

    @property
    def cells(self) -> list[list[forms.BoundField]]:
        """The fields of each value: its number and its effect."""
        return [[self[value], self[f"effects-{value}"]] for value in HEAT_VALUES]

    @property
    def row(self) -> dict[str, Any]:
        """The step in the form of a definition, without empty fields."""
        typed = self.typed()
        effects = {value: typed[f"effects-{value}"] for value in HEAT_VALUES if f"effects-{value}" in typed}
        return {**{value: typed[value] for value in HEAT_VALUES if value in typed}, "effects": effects}


class UnitForm(_Part):
    """A whole unit: the fields of the base, and a form for each click (`clicks`) and each step of the heat dial
    (`steps`).

    It is filled from a request (`data`) or from a definition (`unit`).
    """

    def __init__(self, data: Mapping[str, str] | None = None, unit: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial=_shown_base(unit or {}), auto_id="%s", label_suffix="")
        self.fields |= _base_fields()
        # Special equipment and effects of a damage value belong to its range type, those of other values to the value.
        places = {value: value for value in (*DIAL_VALUES, *HEAT_VALUES)}
        places |= {value: self[f"{value}-type"].value() or "" for value in DAMAGE_VALUES}
        clicks, steps = (
            (unit.get("dial", ()), unit.get("heat", ()))
            if unit
            else ([None] * _count(data or {}, "dial", MOST_CLICKS), [None] * _count(data or {}, "heat", MOST_STEPS))
        )
        self.clicks = [ClickForm(number, places, data, click) for number, click in enumerate(clicks)]
        self.steps = [StepForm(number, places, data, step) for number, step in enumerate(steps)]

    @property
    def definition(self) -> dict[str, Any]:
        """The definition that was sent. Empty fields are left out, except the ends of a range, which are then ""."""
        typed = self.typed()
        unit = {name: value for name, value in typed.items() if "-" not in name}
        if REAL_CLICKS in typed:
            unit["clicks"] = typed[REAL_CLICKS]
        for value in DAMAGE_VALUES:
            unit[value] = {part: typed[f"{value}-{part}"] for part in ("type", "targets") if f"{value}-{part}" in typed}
            unit[value]["range"] = [typed.get(f"{value}-range-{end}", "") for end in (0, 1)]
        return {**unit, "dial": [form.row for form in self.clicks], "heat": [form.row for form in self.steps]}


def blank_unit() -> dict[str, Any]:
    """Return the unit that the editor starts with: a small light unit, complete except for its id and name."""
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


def changed_unit(unit: dict[str, Any], change: str) -> dict[str, Any]:
    """Add a last row to a dial of the given unit, or remove it, and return the same unit. `change` is add_click,
    remove_click, add_step or remove_step; any other word changes nothing.

    A new row repeats the last one without its equipment, effects and repair marker. A dial keeps at least one row, and
    at most MOST_CLICKS or MOST_STEPS.
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


def _base_fields() -> dict[str, forms.Field]:
    fields: dict[str, forms.Field] = {
        "id": _Text(gettext("Id")),
        "set": _Text(gettext("Set")),
        "name": _Text(gettext("Name")),
        "variant": _Text(gettext("Variant (its last letter is the class)")),
        "class": _Word(gettext("Class"), [("", "–"), *_named(CLASSES)]),  # the variant of a typed figure says it
        "rank": _Word(gettext("Rank"), [("", "–"), *_named(RANKS)]),  # a unit without a dial may have none
        "statistics": _Word(gettext("Whose numbers"), _named(STATISTICS)),
    }
    of_damage = gettext("%(value)s: %(fact)s")
    for value in DAMAGE_VALUES:
        label = of_damage % {"value": labels.name(value), "fact": gettext("range type")}
        fields[f"{value}-type"] = _Word(label, _named(RANGE_TYPES))
    fields |= {
        MARK: _Box(gettext("For real tables only: it needs no dial and no damage values")),
        REAL_CLICKS: _Number(gettext("Its clicks, if it has no dial here")),
    }
    fields |= {
        "number": _Number(gettext("Collector’s number")),
        "points": _Number(gettext("Points")),
        "front_arc": _Word(gettext("Front arc, degrees"), _named(FRONT_ARCS), coerce=_number),
        "rear_arc": _Number(gettext("Rear arc, degrees")),
        "vent": _Number(gettext("Vent rating")),
    }
    facts = {"targets": gettext("targets"), "range-0": gettext("minimum range"), "range-1": gettext("maximum range")}
    for value in DAMAGE_VALUES:
        for part, fact in facts.items():
            fields[f"{value}-{part}"] = _Number(of_damage % {"value": labels.name(value), "fact": fact})
    return fields


def _named(words: Iterable[str]) -> list[tuple[str, str]]:
    return [(word, labels.name(word)) for word in words]


def _allowed(places: Mapping[str, str], place: str) -> list[tuple[str, str]]:
    found = _named(key for key, where in places.items() if where == place)
    return [("", "–"), *sorted(found, key=lambda choice: sort_key(choice[1]))]


def _shown_base(unit: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a definition's base by the names of their fields."""
    shown = {**unit, REAL_CLICKS: unit.get("clicks")}
    for value in DAMAGE_VALUES:
        damage = unit.get(value, {})
        shown |= {f"{value}-{part}": damage.get(part) for part in ("type", "targets")}
        shown |= {f"{value}-range-{end}": number for end, number in enumerate(damage.get("range", ()))}
    return shown


def _shown_click(click: Mapping[str, Any]) -> dict[str, Any]:
    shown = dict(click)
    for value, item in click.get("equipment", {}).items():
        is_mapping = isinstance(item, Mapping)
        shown[f"equipment-{value}"] = item["key"] if is_mapping else item
        shown[f"circle-{value}"] = is_mapping and bool(item.get("single_use"))
    return shown


def _count(values: Mapping[str, str], dial: str, most: int) -> int:
    """Return the number of rows of a dial in a form: one more than the highest number in its names, at most `most`."""
    numbers = (re.fullmatch(rf"{dial}-([0-9]{{1,2}})-(?:speed|primary)", name) for name in values)
    return min(most, max((int(found[1]) + 1 for found in numbers if found), default=0))
