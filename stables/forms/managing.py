"""The forms of the organisers' hand: what they do with a stable, and a season's name and class."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from rules.campaign.classes import MULTI_CLASS, WEIGHT_CLASSES
from rules.core.refusals import Malformed
from stables.forms.coded import CodedForm, number
from stables.forms.hand_over import USUAL_DAYS, moment
from stables.forms.reason import ReasonForm
from stables.forms.solo import YesBox
from stables.models import HandOver, Stable
from stables.services.fixtures.hand_overs import LARGEST_LIMIT
from stables.services.season.opening import LONGEST_NAME
from stables.text import names as words
from web.bounds import MOST_USES

REMOVE, WITHDRAW, HAND_TO_AI, TAKE_BACK = "remove", "withdraw", "hand_to_ai", "take_back"
PASS_TO, MAKE_LINK, SEAT_GUEST = "pass_to", "make_link", "seat_guest"
ACTS = (REMOVE, WITHDRAW, HAND_TO_AI, TAKE_BACK, PASS_TO, MAKE_LINK, SEAT_GUEST)

LONGEST_ACCOUNT = 150


class ManageForm(ReasonForm):
    """What an organiser does with a stable, and why. Its button says which of ACTS is meant.

    `to`, `scope` and `spending_limit` are for a hand-over to the AI, `name` for passing the stable to an account, and
    `sure` for removing and withdrawing it.
    """

    act = forms.ChoiceField(choices=[(each, each) for each in ACTS])
    scope = forms.ChoiceField(
        label=_("What the AI may do"),
        choices=HandOver.Scope.choices,
        required=False,
        initial=HandOver.Scope.PLAY_AND_REPAIR,
    )
    spending_limit = number(
        _("Stones it may spend at most"), 0, LARGEST_LIMIT, _("Empty: as many as there are."), required=False
    )
    name = forms.CharField(
        label=_("Name of the account that gets it"),
        required=False,
        max_length=LONGEST_ACCOUNT,
        help_text=_("An account without a stable in this season. Not needed for a link."),
    )
    sure = forms.BooleanField(
        label=_("I am sure that it goes for good"), required=False, widget=YesBox(attrs={"value": "yes"})
    )

    def __init__(self, stable: Stable, now: datetime | None = None, data: Any = None) -> None:
        now = now or timezone.now()
        proposed = {"to": now + timedelta(days=USUAL_DAYS), "spending_limit": stable.capital // 2}
        super().__init__(data, prefix_of_ids=f"manage-{stable.slug}", initial=proposed)
        self.fields["to"] = moment(_("Until"), required=False)
        self.fields["to"].help_text = format_lazy(
            _("in your time zone, {zone}"), zone=timezone.get_current_timezone_name()
        )

    @property
    def of_hand_over(self) -> list[Any]:
        """The fields of a hand-over."""
        return [self[name] for name in ("to", "scope", "spending_limit")]


class NameForm(CodedForm):
    """The name of a season: its new one, or that of a copy."""

    name = forms.CharField(label=_("Name"), required=False, widget=forms.TextInput(attrs={"maxlength": LONGEST_NAME}))


class ClassForm(CodedForm):
    """The class of a season, "multi" for all classes in an order that is drawn."""

    weight_class = forms.ChoiceField(
        label=_("Class"),
        choices=lambda: [(key, words.word(words.CLASSES, key)) for key in (*WEIGHT_CLASSES, MULTI_CLASS)],
    )

    def refusal(self, name: str, value: Any) -> Malformed:
        return Malformed("setting_out_of_range", setting=name, value="" if value is None else value)


class InvitationForm(CodedForm):
    """An invitation to make."""

    most_uses = number(
        _("How many stables it is for at most (empty: as many as there are places)"), 1, MOST_USES, required=False
    )

    def refusal(self, name: str, value: Any) -> Malformed:
        return Malformed("not_a_number", field=name) if str(value).startswith("-") else super().refusal(name, value)
