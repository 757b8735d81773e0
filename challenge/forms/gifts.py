"""The form with which a GM gives or takes Fame, CP and C-bills."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from challenge.forms.offers import offer
from rules.challenge.state import Event
from rules.wording.challenge_words import pilot_called

MOST = 10**10


class GiftForm(forms.Form):
    """The pilots and how much each gets; a minus takes."""

    pilot = forms.ChoiceField(label=_("Pilot"))
    fame = forms.IntegerField(label=_("Fame"), required=False, min_value=-999, max_value=999)
    cp = forms.IntegerField(label=_("CP"), required=False, min_value=-999, max_value=999)
    c_bills = forms.IntegerField(label=_("C-bills"), required=False, min_value=-MOST, max_value=MOST)

    def __init__(self, state: Event, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        offer(self, "pilot", ((name, pilot_called(state, name)) for name in state.pilots))

    def clean(self) -> dict[str, Any]:
        """Return the fields. A gift of nothing is at fault."""
        found: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and not any(found.get(name) for name in ("fame", "cp", "c_bills")):
            raise forms.ValidationError(_("Enter Fame, CP or C-bills; a minus takes."), code="nothing")
        return found

    def worth(self) -> dict[str, int]:
        """Return the amounts that are not 0."""
        return {name: self.cleaned_data[name] for name in ("fame", "cp", "c_bills") if self.cleaned_data.get(name)}
