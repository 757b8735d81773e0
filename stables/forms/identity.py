"""The form of an identity: what a stable keeps from season to season, and the stables that it calls its rivals."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from rules.core.refusals import Malformed
from stables.forms.coded import CodedForm
from stables.models import StableIdentity
from stables.models.emblems import EMBLEMS
from stables.services.season.identities import LONGEST_NAME


class RivalIds(forms.TypedMultipleChoiceField):
    """The ids of the ticked rivals. The service refuses an id that nobody has."""

    def valid_value(self, value: Any) -> bool:
        return True


class IdentityForm(CodedForm):
    """The name and looks of `identity` and its `rivals` (ids), or what was typed.

    The service refuses an empty or long name and a text that is no colour, as it does for programs.
    """

    name = forms.CharField(
        label=_("Name"),
        required=False,
        widget=forms.TextInput(attrs={"maxlength": LONGEST_NAME, "required": True}),
        help_text=_("For the seasons to come; stables that were founded keep their names."),
    )
    colour = forms.CharField(
        label=_("Colour of the ground"), required=False, widget=forms.TextInput(attrs={"type": "color"})
    )
    second_colour = forms.CharField(
        label=_("Colour of the emblem"), required=False, widget=forms.TextInput(attrs={"type": "color"})
    )
    emblem = forms.ChoiceField(label=_("Emblem"), choices=[(key, emblem.name) for key, emblem in EMBLEMS.items()])
    rivals = RivalIds(label=_("Rivals"), required=False, coerce=int)

    def __init__(self, identity: StableIdentity, rivals: Collection[int], data: QueryDict | None = None) -> None:
        shown = {name: getattr(identity, name) for name in ("name", "colour", "second_colour", "emblem")}
        super().__init__(data, initial={**shown, "rivals": rivals}, auto_id="identity-%s", label_suffix="")

    @property
    def ticked(self) -> set[str]:
        """The ids of the rivals to show as ticked, as texts."""
        return {str(each) for each in self["rivals"].value() or ()}

    def refusal(self, name: str, value: Any) -> Malformed:
        if name == "emblem":
            return Malformed("unknown_emblem", emblem=str(value or "")[:30])
        return Malformed("not_a_number", field=name) if name == "rivals" else super().refusal(name, value)
