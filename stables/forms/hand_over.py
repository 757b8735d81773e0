"""The form of a hand-over: when, what the AI may do, and how many Stones it may spend."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from rules.core.refusals import Malformed
from rules.wording import sentence
from stables.forms.coded import CodedForm, number
from stables.models import HandOver, Stable
from stables.services.fixtures.hand_overs import LARGEST_LIMIT
from web.languages.reader import translate
from web.reading import in_current_zone

USUAL_DAYS = 7
"""The length in days of the hand-over that the form proposes."""


class Moment(forms.DateTimeField):
    """A date and time. A value without an offset is in the current time zone, the person's.

    Of a time that comes twice the first counts; one that the clocks go forward over is refused (time_skipped).
    """

    def to_python(self, value: Any) -> datetime | None:
        try:
            found: datetime | None = super().to_python(value)
        except forms.ValidationError as problem:
            if problem.code != "ambiguous_timezone":
                raise
        else:
            return found
        try:
            return in_current_zone(datetime.fromisoformat(value))
        except Malformed as problem:
            raise forms.ValidationError(
                sentence(problem.code, problem.parameters, translate), code=problem.code, params=problem.parameters
            ) from problem


def moment(label: Any, *, required: bool = True) -> Moment:
    """Return a field for a date and time of the person's own clock."""
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    return Moment(label=label, required=required, widget=widget)


class HandOverForm(CodedForm):
    """A hand-over of `stable`: a proposal for the week from `now` and half of the capital, or the typed values."""

    scope = forms.ChoiceField(
        label=_("What the AI may do"), choices=HandOver.Scope.choices, required=False, initial="play_and_repair"
    )
    spending_limit = number(
        _("Stones it may spend at most"), 0, LARGEST_LIMIT, _("Empty: as many as there are."), required=False
    )

    def __init__(self, stable: Stable, now: datetime, data: Mapping[str, str] | None = None) -> None:
        # Half of the capital is enough for repairs, and leaves the owner something to come back to.
        proposed = {"from": now, "to": now + timedelta(days=USUAL_DAYS), "spending_limit": stable.capital // 2}
        super().__init__(data, initial=proposed, auto_id="hand-over-%s", label_suffix="")
        self.fields["from"] = moment(_("From"), required=False)
        self.fields["to"] = moment(_("To"))
        self.fields["to"].help_text = format_lazy(
            _("in your time zone, {zone}"), zone=timezone.get_current_timezone_name()
        )
        self.order_fields(["from", "to"])
