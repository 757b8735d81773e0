"""The fields of one screen on which a dial is typed from a figure; all other fields of the unit are hidden."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django import forms
from django.forms.boundfield import BoundField, BoundWidget
from django.utils.translation import gettext

from catalogue.forms.unit import REAL_CLICKS, UnitForm
from catalogue.text import labels
from rules.catalogue.colours import EFFECTS_BY_COLOUR, EQUIPMENT_BY_COLOUR, EQUIPMENT_COLOURS, HEAT_COLOURS
from rules.catalogue.dial_entry import Screen
from rules.catalogue.vocabulary import DIAL_VALUES
from rules.core.table_units import MARK
from rules.core.words import DAMAGE_VALUES, HEAT_VALUES

OF_UNITS_WITHOUT_DIAL = (MARK, REAL_CLICKS)
"""Fields of a unit that mean nothing where a dial is typed."""


class ColourButton(NamedTuple):
    """A radio button of an equipment or an effect. `colour` is "" for the one that means none."""

    colour: str
    button: BoundWidget


class Cell(NamedTuple):
    """A value on a screen: its number, its colours, and the box for a circle (None on the heat dial)."""

    name: str
    number: BoundField
    buttons: list[ColourButton]
    circle: BoundField | None

    @property
    def chosen(self) -> str:
        """The label of the button that is pressed; it says so if the equipment stands in a circle."""
        label = next((str(one.button.choice_label) for one in self.buttons if one.button.data["selected"]), "")
        is_circle = self.circle is not None and self.circle.value()
        return gettext("%(equipment)s, in a circle") % {"equipment": label} if is_circle else label


class DialScreen:
    """One screen of a unit that is typed. `fields` are those of the base, `cells` those of a row; either is empty.

    `repair_marker` is the box of a click; None on any other screen.
    """

    def __init__(self, unit: Mapping[str, Any], screen: Screen) -> None:
        self.screen = screen
        self._form = UnitForm(unit=unit)
        self._types = {value: unit[value].get("type", "") for value in DAMAGE_VALUES}
        for name in OF_UNITS_WITHOUT_DIAL:
            del self._form.fields[name]
        self.fields = list(self._form) if screen.kind == "base" else []
        self.cells = list(self._cells())
        self.repair_marker = self._box(self._form.clicks[screen.number], "repair_marker") if self.is_click else None

    @property
    def is_click(self) -> bool:
        return self.screen.kind == "click"

    @property
    def hidden(self) -> Iterator[str]:
        """Every field of the other screens, as hidden inputs."""
        if self.screen.kind != "base":
            yield from (field.as_hidden() for field in self._form)
        for kind, forms_of_rows in (("click", self._form.clicks), ("step", self._form.steps)):
            for number, form in enumerate(forms_of_rows):
                if (kind, number) != self.screen:
                    yield from (field.as_hidden() for field in form)

    def _cells(self) -> Iterator[Cell]:
        if self.is_click:
            click = self._form.clicks[self.screen.number]
            for value in DIAL_VALUES:
                keys = EQUIPMENT_BY_COLOUR.get(self._types.get(value, value), {})
                buttons = self._buttons(click, f"equipment-{value}", keys.values(), EQUIPMENT_COLOURS)
                yield Cell(labels.name(value), click[value], buttons, self._box(click, f"circle-{value}"))
        elif self.screen.kind == "step":
            step = self._form.steps[self.screen.number]
            for value in HEAT_VALUES:
                effects = EFFECTS_BY_COLOUR.get(self._types.get(value, value), {})
                buttons = self._buttons(step, f"effects-{value}", effects.values(), HEAT_COLOURS)
                yield Cell(labels.name(value), step[value], buttons, None)

    def _box(self, form: forms.Form, name: str) -> BoundField:
        """Return the field of a box without the label that it has in a table: here its text stands beside it."""
        form.fields[name].widget.attrs.pop("aria-label", None)
        return form[name]

    def _buttons(self, form: forms.Form, name: str, keys: Any, colours: Mapping[str, str]) -> list[ColourButton]:
        """Return the buttons of a field, which becomes one of radio buttons; a word that fits nowhere keeps its own."""
        choices = [("", gettext("none"))]
        choices += [(key, f"{labels.colour(colours[key])} · {labels.name(key)}") for key in keys]
        now = form[name].value() or ""
        if now not in [key for key, _ in choices]:
            choices.append((now, labels.name(now)))
        field: Any = form.fields[name]
        field.widget = forms.RadioSelect()
        field.choices = choices
        bound = form[name]
        return [ColourButton(colours.get(str(button.data["value"]), ""), button) for button in bound]
