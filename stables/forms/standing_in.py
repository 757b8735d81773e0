"""The form that names a person who plays for the owner of a stable."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from stables.forms.hand_over import moment
from stables.forms.managing import LONGEST_ACCOUNT
from stables.forms.reason import ReasonForm

NAME, LINK = "name", "link"
EVENING = "evening"
USUAL_EVENING = timedelta(hours=8)


class StandInForm(ReasonForm):
    """Who plays what for the owner, and why. Its button says whether an account is named or a link made.

    `matches` are (id, words) of the open matches; EVENING stands for all that are called for before `until`.
    """

    act = forms.ChoiceField(choices=[(NAME, NAME), (LINK, LINK)])
    person = forms.CharField(
        label=_("Name of the account that plays"),
        required=False,
        max_length=LONGEST_ACCOUNT,
        help_text=_("Not needed for a link."),
    )

    def __init__(self, matches: Iterable[tuple[int, str]], data: Any = None, now: datetime | None = None) -> None:
        listed: list[tuple[Any, Any]] = [*matches, (EVENING, _("All its matches that are called for until then"))]
        proposed = {"match": listed[0][0], "until": (now or timezone.now()) + USUAL_EVENING}
        super().__init__(data, prefix_of_ids="stand-in", initial=proposed)
        self.fields["match"] = forms.ChoiceField(label=_("Plays"), choices=listed, widget=forms.RadioSelect)
        self.fields["until"] = moment(_("Until, for an evening"), required=False)
        self.fields["until"].help_text = format_lazy(
            _("in your time zone, {zone}"), zone=timezone.get_current_timezone_name()
        )
