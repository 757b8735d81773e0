"""How hard a stable of the AI plays, and the form that founds one."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from rules.bots.owners.evenings import DIFFICULTY_OF
from stables.forms.coded import QuestionForm
from stables.models import Stable
from stables.presenters.ai_owners import how_hard
from stables.services.season.opening import USUAL_BOT


def how_hard_field() -> forms.CharField:
    """Return the field for the bot of AI stables. It takes any text; the service that founds refuses unknown bots."""
    return forms.CharField(
        label=_("How hard the AI plays"),
        help_text=_(
            "Easy picks legal orders at random. Fair takes the best order it sees. Firm compares a few orders. Hard "
            "plans the whole round. Buying and line-ups depend on the character alone."
        ),
        required=False,
        empty_value=USUAL_BOT,
        initial=USUAL_BOT,
        widget=forms.Select(choices=[(bot, how_hard(bot)) for bot in DIFFICULTY_OF]),
    )


class AiStableForm(QuestionForm):
    """A stable of the AI to found in an existing season."""

    character = forms.ChoiceField(label=_("A stable of the AI"), choices=Stable.Character.choices, required=False)
    bot = how_hard_field()
