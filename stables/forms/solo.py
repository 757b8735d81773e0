"""The form of a solo evening."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from rules.bots.owners.evenings import DIFFICULTIES, LENGTHS, matches_of
from rules.campaign.classes import WEIGHT_CLASSES
from rules.core.refusals import Malformed
from stables.forms.coded import CodedForm
from stables.presenters.solo import DIFFICULTY_WORDS, GO, LENGTH_WORDS, STANDING_WORDS, Choice
from stables.services.season.seasons import LONGEST_NAME
from stables.text import names as words


class ChoiceRadios(forms.RadioSelect):
    """Radio buttons, each described by the element `<its id>-description`."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)
        option["attrs"] |= {"id": f"{name}-{value}", "aria-describedby": f"{name}-{value}-description"}
        return option


class YesBox(forms.CheckboxInput):
    """A box that sends "yes"; anything else does not tick it."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> bool:
        return bool(data.get(name) == "yes")


class EveningForm(CodedForm):
    """The choices of an evening, or what was sent. The service refuses an empty or long name.

    Without an answer to a question, its usual answer counts.
    """

    name = forms.CharField(
        label=_("Name of your stable"),
        required=False,
        widget=forms.TextInput(attrs={"maxlength": LONGEST_NAME, "required": True}),
    )
    length = forms.ChoiceField(
        label=_("How long"),
        required=False,
        choices=[(key, Choice(*LENGTH_WORDS[key], matches_of(key))) for key in LENGTHS],
        initial=LENGTHS[0],
        widget=ChoiceRadios,
    )
    difficulty = forms.ChoiceField(
        label=_("How hard"),
        required=False,
        choices=[(key, Choice(*DIFFICULTY_WORDS[key])) for key in DIFFICULTIES],
        initial="fair",
        widget=ChoiceRadios,
    )
    ready_made = forms.BooleanField(
        label=_("Give me a ready-made stable"),
        required=False,
        widget=YesBox(attrs={"value": "yes"}),
        help_text=_(
            "An AI owner spends your Stones in the market, by the same rules as everybody, and the first match is "
            "called at once."
        ),
    )
    weight_class = forms.ChoiceField(
        label=_("Weight class"),
        required=False,
        choices=lambda: [(key, words.word(words.CLASSES, key)) for key in WEIGHT_CLASSES],
        initial=WEIGHT_CLASSES[0],
        help_text=_("The class of every ’Mech in the season. Heavier ’Mechs last longer, and cost more."),
    )
    standing_answers = forms.ChoiceField(
        label=_("Questions during a match"),
        required=False,
        choices=[(key, STANDING_WORDS[key]) for key in ("routine", "none")],
        initial="routine",
        help_text=_(
            "Routine: a pilot always tries to wake up, a ’Mech always tries to restart, helpful equipment stays on, "
            "and you are asked about a rally card when it would do something. You can change this in every match."
        ),
    )

    def __init__(self, data: Any = None, initial: Any = None) -> None:
        super().__init__(data, initial=initial, auto_id="solo-%s", label_suffix="")

    def refusal(self, name: str, value: Any) -> Malformed:
        if name in ("weight_class", "standing_answers"):
            return Malformed("setting_out_of_range", setting=name, value=value)
        return super().refusal(name, value)

    @property
    def chosen(self) -> dict[str, Any]:
        """The answers that the form allows, the name not too long."""
        self.is_valid()
        answers = {name: answer for name, answer in self.cleaned_data.items() if answer}
        if "name" in answers:
            answers["name"] = " ".join(answers["name"].split())[:LONGEST_NAME]
        return answers

    def wishes(self) -> dict[str, Any]:
        """Return what was sent, for solo.open_evening. Raises as `read` does."""
        answers = self.read()
        return {"stable_name": answers.pop("name"), **{name: each for name, each in answers.items() if each}}

    @property
    def address(self) -> str:
        """The address of the form with these choices. Opening it begins nothing; a sign-up on the way to it does."""
        fields = {name: "yes" if answer is True else answer for name, answer in self.chosen.items()}
        return f"{reverse('stables:solo')}?{urlencode(fields | {GO: '1'})}"
