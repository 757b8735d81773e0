"""The form of the organisers' acts for several absent stables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from stables.forms.hand_over import moment
from stables.forms.reason import ReasonForm
from stables.services.running.absent import ACTS, REMIND
from stables.services.running.absentees import BYE, CHOICES, FORFEIT, NEW_DATE, STAND_IN

MORE_TIME = timedelta(days=2)

LABELS: Mapping[str, Any] = {
    STAND_IN: _("The AI stands in until then, and repairs for half of its Stones at most"),
    NEW_DATE: _("Its match may be played until then"),
    FORFEIT: _("It forfeits its match"),
    BYE: _("It takes over the bye of the round, if that would be its turn (Q-158)"),
}
"""Choice -> its label."""


class AbsentForm(ReasonForm):
    """For which stables, what, why, and until when. Its buttons say which of ACTS is meant.

    `stables` are (id, name) of those that the page lists; all are ticked at first.
    """

    act = forms.ChoiceField(choices=[(each, each) for each in ACTS])

    def __init__(
        self, stables: Iterable[tuple[int, str]], data: Mapping[str, Any] | None = None, now: datetime | None = None
    ) -> None:
        listed = list(stables)
        shown = {"stables": [pk for pk, _name in listed], "until": (now or timezone.now()) + MORE_TIME}
        super().__init__(data, prefix_of_ids="absent", initial=shown)
        self.fields["stables"] = forms.TypedMultipleChoiceField(
            label=_("Stables"),
            choices=listed,
            coerce=int,
            required=False,
            widget=forms.CheckboxSelectMultiple,
        )
        self.fields["until"] = moment(_("More time: until"), required=False)
        self.fields["until"].help_text = format_lazy(
            _("in your time zone, {zone}"), zone=timezone.get_current_timezone_name()
        )

    def asked(self) -> dict[str, Any]:
        """Return what `act_for` takes. Raises Malformed (bad_field, time_skipped, reason_missing)."""
        sent = self.read()
        reason = "" if sent["act"] == REMIND else self.reason_text()
        return {"act": sent["act"], "stable_ids": sent["stables"], "until": sent["until"], "reason": reason}


class ChoiceForm(ReasonForm):
    """What happens to the match of one absent stable, and why. `stables` are (id, name) of those to choose from.

    In a season for real tables only (`table_only`) no AI stands in.
    """

    choice = forms.ChoiceField(label=_("What happens"), widget=forms.RadioSelect)

    def __init__(
        self,
        stables: Iterable[tuple[int, str]],
        data: Mapping[str, Any] | None = None,
        now: datetime | None = None,
        *,
        table_only: bool = False,
    ) -> None:
        super().__init__(data, prefix_of_ids="choose", initial={"until": (now or timezone.now()) + MORE_TIME})
        choice = self.fields["choice"]
        assert isinstance(choice, forms.ChoiceField)
        choice.choices = [(each, LABELS[each]) for each in CHOICES if each != STAND_IN or not table_only]
        self.fields["stable"] = forms.TypedChoiceField(
            label=_("Stable"), choices=list(stables), coerce=int, widget=forms.Select(attrs={"translate": "no"})
        )
        until = _("Until, for a new date") if table_only else _("Until, for the AI or a new date")
        self.fields["until"] = moment(until, required=False)
        self.fields["until"].help_text = format_lazy(
            _("in your time zone, {zone}"), zone=timezone.get_current_timezone_name()
        )

    def asked(self) -> dict[str, Any]:
        """Return what `choose` takes. Raises Malformed (bad_field, time_skipped, reason_missing)."""
        sent = self.read()
        return {
            "stable_id": sent["stable"],
            "choice": sent["choice"],
            "until": sent["until"],
            "reason": self.reason_text(),
        }
