"""The days off of a calendar in a form: rows of a first day, a last day and a word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from rules.campaign.season.clock import LONGEST_WORD, MOST_DAYS_OFF, DaysOff
from rules.core.refusals import Malformed
from stables.forms.coded import QuestionForm
from web.names import printable, proper_name

OFF = "off"
EMPTY_ROWS = 2
"""How many empty rows a form offers below the filled ones."""


def _day(label: Any, help_text: Any = "") -> forms.DateField:
    widget = forms.DateInput({"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, help_text=help_text, required=False, widget=widget, input_formats=["%Y-%m-%d"])


class DaysOffForm(QuestionForm):
    """A form with MOST_DAYS_OFF rows of days off. A row without any day is none."""

    def __init__(self, data: Mapping[str, str] | None = None, initial: Any = None, auto_id: str = "season-%s") -> None:
        super().__init__(data, initial, auto_id)
        for number in range(1, MOST_DAYS_OFF + 1):
            self.fields[f"{OFF}_first_{number}"] = _day(format_lazy(_("Days off {number}, from"), number=number))
            self.fields[f"{OFF}_last_{number}"] = _day(_("to"), _("Empty: one day."))
            self.fields[f"{OFF}_word_{number}"] = forms.CharField(
                label=_("Why"), required=False, widget=forms.TextInput({"maxlength": LONGEST_WORD})
            )

    @staticmethod
    def shown_days_off(spans: tuple[DaysOff, ...]) -> dict[str, str]:
        """Return the initial values of the rows that show these spans."""
        return {
            f"{OFF}_{name}_{number}": value
            for number, span in enumerate(spans, 1)
            for name, value in span.to_json().items()
        }

    @property
    def days_off_rows(self) -> list[list[BoundField]]:
        """The rows to show: up to the last filled one, and EMPTY_ROWS more."""
        rows = [[self[f"{OFF}_{name}_{number}"] for name in ("first", "last", "word")] for number in self._numbers]
        filled = max((at for at, row in enumerate(rows, 1) if any(each.value() for each in row)), default=0)
        return rows[: filled + EMPTY_ROWS]

    @property
    def has_days_off(self) -> bool:
        """Whether a row is filled."""
        return len(self.days_off_rows) > EMPTY_ROWS

    @property
    def _numbers(self) -> range:
        return range(1, MOST_DAYS_OFF + 1)

    def days_off(self, values: Mapping[str, Any]) -> list[dict[str, str]]:
        """Return the spans among the values of the form, as a calendar takes them.

        Raises Malformed (setting_out_of_range) for a row with a last day or a word and no first day, and for a word
        that cannot be shown or is too long.
        """
        found = []
        for number in self._numbers:
            first, last, typed = (values.get(f"{OFF}_{name}_{number}") for name in ("first", "last", "word"))
            if first is None:
                if last is not None or typed:
                    raise Malformed("setting_out_of_range", setting=f"{OFF}_first_{number}", value="")
                continue
            word = printable(proper_name(typed, LONGEST_WORD)) if typed else ""
            if typed and not word:
                raise Malformed("setting_out_of_range", setting=f"{OFF}_word_{number}", value=typed)
            if last is not None and last < first:
                raise Malformed("setting_out_of_range", setting=f"{OFF}_last_{number}", value=last.isoformat())
            found.append({"first": first.isoformat(), "last": (last or first).isoformat(), "word": word})
        return found
