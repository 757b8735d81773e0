"""The form that puts off the close of a market."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from stables.forms.coded import number
from stables.forms.reason import ReasonForm
from stables.services.season.putting_off import MOST_HOURS

HOURS_OF = {"hours": 1, "days": 24}
"""Unit of time -> its hours."""


class PutOffForm(ReasonForm):
    """How much later the market closes, and a reason, which may be left out."""

    amount = number(_("Later by"), 1, MOST_HOURS)
    unit = forms.ChoiceField(label=_("Unit"), choices=[("hours", _("hours")), ("days", _("days"))], initial="days")

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, prefix_of_ids="put-off")

    def hours(self) -> int:
        """Return the chosen time in hours. Raises Malformed (bad_field)."""
        read = self.read()
        found = int(read["amount"]) * HOURS_OF[read["unit"]]
        if found > MOST_HOURS:
            raise self.refusal("amount", read["amount"])
        return found
