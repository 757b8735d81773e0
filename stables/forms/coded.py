"""What the forms of a season have in common: the wording of their refusals, and the kinds of their fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rules.core.refusals import Malformed, Refused
from rules.wording import sentence
from stables.text import names as words
from web.languages.reader import translate

Text = Any
"""A text, or a lazy one that is translated when it is shown."""

SWITCH = "rule_"
"""The prefix of a match switch's name in a form."""

TIME = "calendar_"
"""The prefix of a calendar value's name in a form."""

DURATIONS = ("_hours", "_minutes")
"""How the names of a calendar's durations end; `hours_a_round` is none of them."""

OTHER_LABELS: Mapping[str, Text] = {
    "weight_class": _("Class of all matches"),
    "multi_class_order": _("The class of each cycle"),
    "cycles": _("Cycles"),
    "calendar": _("Calendar"),
    "days_off": _("Days off"),
    "house_rules": _("Switches of the matches"),
}
"""Labels for names in refusals that are no field of a form, and a shorter label for the class."""

PLACES = {
    "season_name_missing": "name",
    "ai_stables_out_of_range": "ai_stables",
    "unknown_bot": "ai_bot",
    "unknown_collection": "collection",
    "multi_class_order": "class_1",
    "days_off": "off_first_1",
}
"""Code of a refusal or name of a setting -> the field that its sentence is shown at."""

QUOTING = ("bad_field", "unknown_field")
"""Refusals whose sentences put quotes around the field themselves."""


class YesOrNo(forms.TypedChoiceField):
    """A choice of yes and no, read as True and False. `neither` is the label of a third answer, read as None."""

    def __init__(self, label: Text, help_text: Text = "", neither: Text = "") -> None:
        choices = [("", neither)] if neither else []
        super().__init__(
            label=label,
            help_text=help_text,
            choices=[*choices, ("yes", _("yes")), ("no", _("no"))],
            coerce=lambda answer: answer == "yes",
            required=not neither,
            empty_value=None,
        )

    def prepare_value(self, value: Any) -> Any:
        return {True: "yes", False: "no"}.get(value, value)


def one_of(keys: Sequence[str], label: Text, help_text: Text = "", **names: Text) -> forms.ChoiceField:
    """Return a field of one of these keys, each with its name; the first is preselected."""
    choices = [(key, names[key]) for key in keys]
    return forms.ChoiceField(label=label, help_text=help_text, choices=choices, initial=keys[0])


def number(label: Text, least: int, most: int, help_text: Text = "", *, required: bool = True) -> forms.IntegerField:
    """Return a field for a whole number from `least` to `most`. An optional field is None when it is empty."""
    widget = forms.NumberInput(attrs={"inputmode": "numeric"})
    return forms.IntegerField(
        label=label, help_text=help_text, min_value=least, max_value=most, required=required, widget=widget
    )


class CodedForm(forms.Form):
    """A form that refuses with the codes of the rules."""

    def read(self) -> dict[str, Any]:
        """Return the values that were sent.

        Raises Malformed for the first that the form refuses (bad_field, not_a_number, time_skipped, or the code of
        `refusal`).
        """
        for name, errors in self.errors.as_data().items():
            field, code, value = self.fields[name], errors[0].code, self[name].data
            if code == "time_skipped":
                raise Malformed(code, **dict(errors[0].params or {}))
            if code == "null_characters_not_allowed" or isinstance(field, forms.DateTimeField):
                raise Malformed("bad_field", field=name)
            if isinstance(field, forms.IntegerField) and code in ("required", "invalid"):
                raise Malformed("not_a_number", field=name)
            raise self.refusal(name, value)
        return self.cleaned_data

    def refusal(self, name: str, value: Any) -> Malformed:
        """Return the refusal of a value that the field does not allow (here bad_field)."""
        return Malformed("bad_field", field=name)

    @contextmanager
    def in_words(self) -> Iterator[None]:
        """Raise refusals from inside the block again, with labels of the form instead of the names of its fields.

        The first sentence is also added to the form as the error of its field.
        """
        try:
            yield
        except (Malformed, Refused) as problem:
            reworded = type(problem)(problem.code, **self._parameters_in_words(problem))
            named = problem.parameters.get("setting") or problem.parameters.get("key") or problem.code
            place = PLACES.get(named, named)
            for name in {place, f"{SWITCH}{place}", f"{TIME}{place}"} & set(self.fields):
                if not self.errors:
                    self.add_error(name, sentence(reworded.code, reworded.parameters, translate))
            raise reworded from problem

    def _parameters_in_words(self, problem: Malformed | Refused) -> dict[str, Any]:
        parameters, labels = dict(problem.parameters), {name: field.label for name, field in self.fields.items()}
        labels |= {name.removeprefix(start): label for name, label in labels.items() for start in (SWITCH, TIME)}
        labels |= OTHER_LABELS
        for key in {"field", "setting", "key"} & set(parameters):
            label = labels.get(str(parameters[key]))
            if label is not None:
                parameters[key] = str(label) if problem.code in QUOTING else gettext("“{label}”").format(label=label)
        if isinstance(parameters.get("value"), list):
            parameters["value"] = ", ".join(words.word(words.CLASSES, str(each)) for each in parameters["value"])
        return parameters


class QuestionForm(CodedForm):
    """The questions of a season.

    A field that was not sent keeps the value that the form shows; a box that was not sent is not ticked. A value is
    refused by setting_out_of_range; that of a match switch with other choices than yes and no, by bad_house_rule.
    """

    def __init__(self, data: Mapping[str, str] | None = None, initial: Any = None, auto_id: str = "season-%s") -> None:
        super().__init__(initial=initial, auto_id=auto_id)
        if data is not None:
            shown = {each.html_name: each.value() for each in self}
            self.is_bound, self.sent, self.data = True, data, {**shown, **data}

    def refusal(self, name: str, value: Any) -> Malformed:
        if name.startswith(SWITCH) and not isinstance(self.fields[name], YesOrNo):
            return Malformed("bad_house_rule", key=name, value=value)
        return Malformed("setting_out_of_range", setting=name, value="" if value is None else value)

    @property
    def parts(self) -> dict[str, list[BoundField]]:
        """The fields by the first word of their names, such as "rule" and "calendar"."""
        found: dict[str, list[BoundField]] = {}
        for each in self:
            found.setdefault(each.name.partition("_")[0], []).append(each)
        return found
