"""Why something is corrected, given or overruled: a chip, or own words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from challenge.forms.offers import offer
from rules.wording.challenge_words import REASONS
from web.languages.reader import translate_lazily

LONGEST_REASON = 200
Choices = Mapping[str, "str | Promise"]


def _named(*reasons: str) -> Choices:
    return {reason: translate_lazily(REASONS[reason]) for reason in reasons}


CORRECTING = _named("wrong click", "forgotten", "judge's ruling", "wrong pilot")
OVERRULING = _named("wrong click", "judge's ruling", "paper says so", "agreed")
GIVING = _named("judge's ruling", "prize", "penalty", "paper says so", "agreed")
NEVER_OVERRULED = frozenset(
    {"event_closed", "claim_answered", "no_such_entry", "entry_undone", "entry_needed", "pilot_unknown",
     "pilot_missing_in_entry", "target_missing", "no_deck", "turn_closed", "why_missing"}
)  # fmt: skip
"""Refusals of what cannot be, or would say nothing."""
EMPTY_SEAT = _named("has left", "does not want to", "not found")


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
