"""The settings, match switches and calendar of a season as bodies: their fields with ranges and defaults.

They are made from the rules and from the forms of the pages, so that a new setting there appears here, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import override
from rest_framework import serializers

from api.fields import Input, StrictBoolean, StrictChoice, StrictInteger, StrictString
from rules.campaign.classes import FORMATS, MULTI_CLASS, WEIGHT_CLASSES
from rules.campaign.season.calendar import LEAST, MODES, MOST, PRESET_VALUES, PRESETS, Calendar
from rules.campaign.season.clock import LONGEST_DAYS_OFF, LONGEST_WORD, MOST_DAYS_OFF
from rules.campaign.season.settings import SeasonSettings
from rules.core.refusals import Malformed, Refused
from rules.solaris.house_rules import HouseRules
from stables.forms.coded import SWITCH, YesOrNo
from stables.forms.season import SettingsForm, SwitchesForm, switched
from stables.services.season.opening import PRESELECTED

A_DAY = RegexValidator(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")

SAYS_SOMETHING = RegexValidator(r"^[^\x00]*[^\s\x00][^\x00]*$")
"""Text with more than blanks, and without the zero character."""


class StrictIntegerChoice(serializers.ChoiceField):
    """One of a closed list of whole numbers. 1.0 is one, too: JSON Schema calls it an integer."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, float) and data.is_integer():
            data = int(data)
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid_choice", input=data)
        return int(super().to_internal_value(data))


@contextmanager
def rules_refuse() -> Iterator[None]:
    """Raise Refused (409) with the same code for Malformed: the body has the described form but breaks the rules."""
    try:
        yield
    except Malformed as raised:
        raise Refused(raised.code, **raised.parameters) from raised


def _field(asked: forms.Field, more: Mapping[str, Any]) -> serializers.Field:
    """Return the field for a field of a form; `more` says whether it may be left out, and its default."""
    facts: dict[str, Any] = {"help_text": f"{asked.label}. {asked.help_text}".strip(), **more}
    if not asked.required:
        facts["allow_null"] = True
    if isinstance(asked, YesOrNo):
        return StrictBoolean(**facts)
    if isinstance(asked, forms.IntegerField):
        facts |= {"min_value": asked.min_value, "max_value": asked.max_value}
        return StrictInteger(**facts)
    assert isinstance(asked, forms.ChoiceField), asked
    choices: Any = asked.choices
    keys = [key for key, _label in choices]
    if getattr(asked, "coerce", str) is int:
        return StrictIntegerChoice(choices=[int(key) for key in keys], **facts)
    return StrictChoice(choices=keys, **facts)


def _form(name: str, text: str, fields: Mapping[str, serializers.Field]) -> type[Input]:
    return type(name, (Input,), {"__doc__": text, "__module__": __name__, **fields})


def _asked(form: type[forms.Form], defaults: Mapping[str, Any] | None) -> dict[str, serializers.Field]:
    """Return the fields of a form with their `defaults`; with None a field that is left out keeps its present value."""
    asked = {name.removeprefix(SWITCH): field for name, field in form.base_fields.items()}
    return {
        name: _field(field, {"required": False} if defaults is None else {"default": defaults[name]})
        for name, field in asked.items()
    }


def _cycles(**more: Any) -> serializers.Field:
    phrase = "The formats of the cycles in order of play, each once."
    return serializers.ListField(
        child=StrictChoice(choices=FORMATS), min_length=1, max_length=6, help_text=phrase, **more
    )


def _classes(**more: Any) -> serializers.Field:
    phrase = "The class of each cycle of a multi-class season; empty for a season of one class."
    return serializers.ListField(child=StrictChoice(choices=WEIGHT_CLASSES), max_length=6, help_text=phrase, **more)


def _weight_class(names: tuple[str, ...], phrase: str, **more: Any) -> serializers.Field:
    return StrictChoice(choices=names, allow_null=True, help_text=phrase, **more)


# The description must be in English, even when the first reader uses another language.
with override("en"):
    _DEFAULTS = {**SeasonSettings().to_json(), **PRESELECTED}

    HouseRulesInput = _form(
        "HouseRulesInput",
        "The switches of the matches. Seasons do not follow `clock_seconds` yet, so it must be null.",
        _asked(SwitchesForm, HouseRules().to_json()),
    )
    ChangedHouseRulesInput = _form(
        "ChangedHouseRulesInput",
        "The switches of the matches that change; the others stay as they are.",
        _asked(SwitchesForm, None),
    )
    SeasonSettingsInput = _form(
        "SeasonSettingsInput",
        "The settings of a season. Either `weight_class` is one class, or it is “multi” or null and "
        "`multi_class_order` names the class of each cycle; for “multi” without an order the classes are drawn.",
        {
            "weight_class": _weight_class(
                (*WEIGHT_CLASSES, MULTI_CLASS), "The class of all matches, or “multi”.", default=None
            ),
            "multi_class_order": _classes(default=[]),
            "cycles": _cycles(default=list(FORMATS)),
            **_asked(SettingsForm, _DEFAULTS),
            "house_rules": HouseRulesInput(required=False),
        },
    )
    ChangedSettingsInput = _form(
        "ChangedSettingsInput",
        "The settings that change; the others stay as they are. Some are fixed once a stable is founded or the "
        "season has begun (409, setting_fixed).",
        {
            "weight_class": _weight_class(WEIGHT_CLASSES, "The class of matches; null for several.", required=False),
            "multi_class_order": _classes(required=False),
            "cycles": _cycles(required=False),
            **_asked(SettingsForm, None),
            "house_rules": ChangedHouseRulesInput(required=False),
        },
    )


def settings_from(sent: Mapping[str, Any], before: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return settings in the form of the services. The match switches replace those in `before`, the season's present
    switches, and switches at their default are left out.
    """
    found = dict(sent)
    if "house_rules" in found:
        found["house_rules"] = switched(found["house_rules"], before)
    return found


class DaysOffInput(Input):
    """Days on which nothing is due: the first and the last of them, and a word that says why."""

    first = StrictString(max_length=10, validators=[A_DAY])
    last = StrictString(max_length=10, validators=[A_DAY])
    word = StrictString(max_length=LONGEST_WORD, allow_blank=True, default="")


class CalendarInput(Input):
    """When things are due. A field that is left out follows the preset; `solo` has no deadlines at all.

    A time zone, a day or a time that does not exist is refused with 409 (setting_out_of_range).
    """

    preset = StrictChoice(choices=PRESETS)
    time_zone = StrictString(
        max_length=64,
        required=False,
        validators=[SAYS_SOMETHING],
        help_text="A name of the tz database; UTC when left out.",
    )
    mode = StrictChoice(choices=MODES, required=False, help_text="Who plays new fixtures; the AI (`ai`) when left out.")
    at = StrictString(
        required=False,
        max_length=5,
        validators=[RegexValidator(r"^([01][0-9]|2[0-3]):[0-5][0-9]$")],
        help_text="Time of day in the time zone.",
    )
    ends_on = StrictString(
        required=False,
        allow_blank=True,
        max_length=10,
        validators=[RegexValidator(r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$")],
        help_text="The day by which the season should be over; you are warned if it will not be.",
    )
    days_off = serializers.ListField(
        child=DaysOffInput(),
        required=False,
        max_length=MOST_DAYS_OFF,
        help_text=f"Hours stop on these days of the time zone and go on after them. A span has {LONGEST_DAYS_OFF} days "
        "at most.",
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        """Return the fields with the calendar's numbers, which have the ranges and presets of
        rules.campaign.season.calendar.
        """
        return {**super().get_fields(), **{name: _number_of_calendar(name) for name in MOST}}


def _number_of_calendar(name: str) -> serializers.Field:
    presets = {preset: values[name] for preset, values in PRESET_VALUES.items() if name in values}
    phrase = f"When left out: {getattr(Calendar(), name)}"
    phrase = "; ".join([phrase.replace("None", "no limit"), *(f"{key}: {value}" for key, value in presets.items())])
    may_be_null: dict[str, Any] = {"allow_null": True} if name == "hours_a_round" else {}
    return StrictInteger(
        min_value=LEAST.get(name, 0), max_value=MOST[name], required=False, help_text=phrase, **may_be_null
    )


def calendar_from(sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return a calendar in the form that seasons store.

    Raises Malformed (setting_out_of_range) for an unknown time zone, day or time.
    """
    values = {name: value for name, value in sent.items() if name != "preset"}
    return Calendar.of_preset(sent["preset"], **values).to_json()
