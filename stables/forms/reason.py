"""The form of a reason: a usual one by a single tap, a person's own words, or both."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from rules.core.refusals import Malformed
from stables.forms.coded import CodedForm
from stables.services.results.rulings import LONGEST_REASON
from stables.text.reasons import LONGEST_WORDS, REASONS, own_words, reason_text


class ReasonForm(CodedForm):
    """A reason for something that everybody in the season can read. `components/reason.html` shows its two fields.

    The fields are `reason` (a key of REASONS, or "") and `words`. A form that asks for more is a subclass. Where a page
    shows several forms, `prefix_of_ids` tells their ids apart.
    """

    reason = forms.ChoiceField(
        label=_("Reason"), choices=list(REASONS.items()), required=False, widget=forms.RadioSelect
    )
    words = forms.CharField(
        label=_("In your own words"),
        required=False,
        max_length=LONGEST_WORDS,
        help_text=_("You may leave this empty. Everybody in the season can read it."),
    )

    def __init__(self, data: Any = None, *, prefix_of_ids: str = "reason", **options: Any) -> None:
        super().__init__(data, auto_id=f"{prefix_of_ids}-%s", label_suffix="", **options)

    def reason_text(self, *, may_lack: bool = False) -> str:
        """Return the sent reason as the services take it; "" for none with `may_lack`.

        Raises Malformed (bad_field; reason_missing if it is empty or too long).
        """
        sent = self.read()
        text = reason_text(sent["reason"], own_words(sent["words"]))
        if not text and not may_lack:
            raise self.refusal("words", "")
        return text

    def refusal(self, name: str, value: Any) -> Malformed:
        if name == "words":
            return Malformed("reason_missing", longest=LONGEST_REASON)
        return super().refusal(name, value)
