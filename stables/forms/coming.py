"""The forms of an evening, to which people come or not: the organisers' question, and an owner's answer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from rules.core.refusals import Malformed
from stables.forms.coded import CodedForm
from stables.forms.hand_over import moment


class AskForm(CodedForm):
    """The evening that the organisers ask about."""

    def __init__(self, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, auto_id="ask-%s", label_suffix="")
        self.fields["at"] = moment(_("The evening begins"))
        self.fields["at"].help_text = format_lazy(
            _("in your time zone, {zone}"), zone=timezone.get_current_timezone_name()
        )

    def at(self) -> datetime:
        """Return the moment. Raises Malformed (bad_field, time_skipped)."""
        at: datetime | None = self.read()["at"]
        if at is None:
            raise Malformed("bad_field", field="at")
        return at


class AnswerForm(CodedForm):
    """The answer of an owner: one of two buttons."""

    coming = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")])

    def is_coming(self) -> bool:
        """Return the answer. Raises Malformed (bad_field)."""
        return bool(self.read()["coming"] == "yes")
