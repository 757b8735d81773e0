"""The forms of the settings: rules, options and tables of the whole event, and the limits of a session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from challenge.forms.opening import CLASS_NAMES, OPTION_NAMES, read_tables
from challenge.selectors.books import Book
from challenge.text.switches import GROUPS, SWITCH_TEXTS, SwitchText, Text
from rules.challenge.book.rows import SESSION
from rules.challenge.switches import OPTIONS, TRUTHS, Switches
from rules.challenge.tables import AWARD_TABLES

COLOUR_NAMES = {
    "kills": pgettext_lazy("Challenge", "kills"), "crippling": _("crippling"),
    "special": _("special"), "flashy": _("flashy"),
}  # fmt: skip
WEIGHTS = [("1", "1"), ("0.5", "½"), ("0", "0")]
LONGEST_COLOUR = 30


def _weight(value: Any) -> str:
    return f"{value:g}"


class SettingsForm(forms.Form):
    """What holds for the whole event: a field for each option, switch and table. `state` says what is in use."""

    tables = forms.CharField(
        label=_("Tables"), widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("One line for each table: its name, a colon, the names of its portals with commas between them."),
    )  # fmt: skip
    options = forms.MultipleChoiceField(
        label=_("Optional rules"), required=False, widget=forms.CheckboxSelectMultiple,
        choices=[(option, OPTION_NAMES[option]) for option in OPTIONS],
    )  # fmt: skip
    house_list = forms.BooleanField(label=_("The list of ’Mechs begins with the house list"), required=False)

    def __init__(self, book: Book, data: Any = None) -> None:
        self.book, self.current = book, normal(book.setup)
        super().__init__(data, initial=_initial(self.current))
        for name, text in SWITCH_TEXTS.items():
            self.fields[name] = _switch_field(name, text)
        for table in AWARD_TABLES:
            self.fields[f"colour_{table}"] = forms.CharField(
                label=COLOUR_NAMES[table], max_length=LONGEST_COLOUR, required=False
            )

    @property
    def groups(self) -> list[tuple[Text, list[tuple[forms.BoundField, SwitchText, bool]]]]:
        """The switches by topic: the field of each, its words, whether it is not as the rulings say."""
        turned = self.current["switches"]
        return [
            (title, [(self[name], text, name in turned) for name, text in group.items()]) for title, group in GROUPS
        ]

    @property
    def colours(self) -> list[forms.BoundField]:
        """The fields for colours of chips."""
        return [self[f"colour_{table}"] for table in AWARD_TABLES]

    def clean_tables(self) -> list[dict[str, Any]]:
        """Return the tables. Raises ValidationError for names without their form, and where a table in use is gone."""
        found = read_tables(self.cleaned_data["tables"])
        names = {table["id"] for table in found}
        for pilot in self.book.state.pilots.values():
            if pilot.is_in_arena and pilot.table not in names:
                said = gettext("Pilots are on the board of table %(table)s. It stays.")
                raise ValidationError(said % {"table": pilot.table}, code="in_use")
        return found

    def setup(self) -> dict[str, Any]:
        """Return the settings as `rules.challenge.book.setup` reads them."""
        chosen = self.cleaned_data
        switches = {name: chosen[name] for name in SWITCH_TEXTS}
        weight = float(switches["assist_weight"])
        switches["assist_weight"] = int(weight) if weight.is_integer() else weight
        return normal(
            {
                "tables": chosen["tables"],
                "options": chosen["options"],
                "switches": switches,
                "house_list": chosen["house_list"],
                "chip_colours": {
                    table: chosen[f"colour_{table}"] for table in AWARD_TABLES if chosen[f"colour_{table}"]
                },
            }
        )


def normal(setup: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings in one form: of the switches only those that are not as the rulings say."""
    rulings = asdict(Switches())
    switches = setup.get("switches") or {}
    tables = setup.get("tables") or ()
    return {
        "tables": [{"id": each["id"], "portals": list(each.get("portals") or ())} for each in tables],
        "options": sorted(setup.get("options") or ()),
        "switches": {name: switches[name] for name in rulings if switches.get(name, rulings[name]) != rulings[name]},
        "house_list": setup.get("house_list", True),
        "chip_colours": dict(setup.get("chip_colours") or {}),
    }


def _initial(setup: Mapping[str, Any]) -> dict[str, Any]:
    lines = [": ".join(filter(None, [table["id"], ", ".join(table["portals"])])) for table in setup["tables"]]
    switches = {**asdict(Switches()), **setup["switches"]}
    switches["assist_weight"] = _weight(switches["assist_weight"])
    colours = {f"colour_{table}": colour for table, colour in setup["chip_colours"].items()}
    return {
        "tables": "\n".join(lines), "options": setup["options"], "house_list": setup["house_list"],
        **switches, **colours,
    }  # fmt: skip


def _switch_field(name: str, text: SwitchText) -> forms.Field:
    label: Any = text.title
    if name in TRUTHS:
        return forms.BooleanField(label=label, required=False)
    if name == "assist_weight":
        return forms.ChoiceField(label=label, choices=WEIGHTS)
    if text.answers:
        return forms.ChoiceField(label=label, choices=list(text.answers.items()))
    return forms.IntegerField(label=label, min_value=0, max_value=99)


class SessionForm(forms.Form):
    """The limits from now on. All of `fame`, `cp` and `c_bills` empty: nobody may leave early."""

    label = forms.CharField(label=_("Name of the session"), max_length=60, required=False)
    most_value = forms.IntegerField(
        label=_("Most that a ’Mech may cost, in C-bills"), min_value=0, max_value=10**9, required=False,
        help_text=_("Empty: no limit."),
    )  # fmt: skip
    weight_class = forms.ChoiceField(
        label=_("Class allowed now, by which newcomers start"), required=False,
        choices=[("", _("any")), *CLASS_NAMES.items()],
    )  # fmt: skip
    minimum_turns = forms.IntegerField(
        label=_("Turns on the field before a pilot may leave by a portal"), min_value=0, max_value=99
    )
    fame = forms.IntegerField(label=_("Fame"), min_value=0, max_value=999, required=False)
    cp = forms.IntegerField(label=_("CP"), min_value=0, max_value=999, required=False)
    c_bills = forms.IntegerField(label=_("C-bills"), min_value=0, max_value=10**9, required=False)

    def __init__(self, book: Book, data: Any = None) -> None:
        state, early = book.state, book.state.early_leaving
        initial = {
            "label": session_of(book).get("label", ""),
            "most_value": state.most_value,
            "weight_class": state.allowed_class or "",
            "minimum_turns": state.minimum_turns,
        }
        if early is not None:
            initial |= {"fame": early.fame, "cp": early.cp, "c_bills": early.c_bills}
        super().__init__(data, initial=initial)

    def session(self) -> dict[str, Any]:
        """Return the limits as `rules.challenge.book.setup` reads them."""
        chosen = self.cleaned_data
        price = {name: chosen[name] for name in ("fame", "cp", "c_bills") if chosen[name] is not None}
        found = {
            "most_value": chosen["most_value"],
            "class": chosen["weight_class"] or None,
            "minimum_turns": chosen["minimum_turns"],
            "early_leaving": price or None,
        }
        return {**found, "label": chosen["label"]} if chosen["label"] else found


def session_of(book: Book) -> Mapping[str, Any]:
    """Return the limits that hold now, as they were written; {} before the first."""
    return next((row.document for row in reversed(book.counting) if row.kind == SESSION), {})
