"""Why something is corrected, given or overruled: a chip, or own words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from challenge.forms.offers import offer

LONGEST_REASON = 200
Choices = Mapping[str, "str | Promise"]

CORRECTING: Choices = {
    "wrong click": _("wrong click"),
    "forgotten": _("forgotten"),
    "judge's ruling": _("judge’s ruling"),
    "wrong pilot": _("wrong pilot"),
}
OVERRULING: Choices = {
    "wrong click": _("wrong click"),
    "judge's ruling": _("judge’s ruling"),
    "paper says so": _("paper says so"),
    "agreed": _("agreed"),
}
GIVING: Choices = {
    "judge's ruling": _("judge’s ruling"),
    "prize": _("prize"),
    "penalty": _("penalty"),
    "paper says so": _("paper says so"),
    "agreed": _("agreed"),
}
EMPTY_SEAT: Choices = {
    "has left": _("has left"),
    "does not want to": _("does not want to"),
    "not found": _("not found"),
}
NAMES: Choices = {**CORRECTING, **OVERRULING, **GIVING, **EMPTY_SEAT}
"""What the reasons of chips are called on pages; own words stand as they are."""


class ReasonForm(forms.Form):
    """A chip or own words; `needed` says whether one of them must be there."""

    reason = forms.ChoiceField(widget=forms.RadioSelect, required=False)
    words = forms.CharField(label=_("Or in your own words"), required=False, max_length=LONGEST_REASON)

    def __init__(
        self, *arguments: Any, choices: Choices = CORRECTING, needed: bool = False, label: Any = None, **named: Any
    ) -> None:
        super().__init__(*arguments, **named)
        self.needed = needed
        self.fields["reason"].label = label or _("Why")
        offer(self, "reason", choices.items())

    def clean(self) -> dict[str, Any]:
        """Return the fields. A form without the reason that it needs is at fault."""
        found: dict[str, Any] = super().clean() or self.cleaned_data
        if self.needed and not self.text():
            self.add_error("reason", _("Say why, with a chip or in your own words."))
        return found

    def text(self) -> str:
        """Return the reason as it is stored, "" for none."""
        chosen = self.cleaned_data
        return str(chosen.get("words", "").strip() or chosen.get("reason", ""))


def reason_name(reason: str) -> str:
    """Return a stored reason as a page shows it."""
    return str(NAMES.get(reason, reason))
