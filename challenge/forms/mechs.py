"""The forms of the list of 'Mechs: one 'Mech, and the GM's own prices."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from rules.challenge.book.price_list import LONGEST_NAME, id_of, price_of
from rules.challenge.mechs import FLAGS, LEAST_TONS, MOST_TONS, TECHNOLOGIES

FLAG_NAMES = {
    "targeting_computer": _("targeting computer"), "ecm": _("ECM"), "c3": _("C3"),
    "melee_weapon": _("melee weapon"), "a_pods": _("A-pods"), "b_pods": _("B-pods"),
    "anti_missile_system": _("anti-missile system"), "active_probe": _("active probe"), "tag": _("TAG"),
    "cargo": _("cargo space"), "narc": _("Narc"),
}  # fmt: skip
TECHNOLOGY_NAMES = {"inner_sphere": _("Inner Sphere"), "clan": _("Clan")}
LARGEST_FILE = 1_000_000
LONGEST_TEXT = 500_000


class MechForm(forms.Form):
    """One 'Mech: what the rules ask of it. The id follows from the name; an id that is there is replaced."""

    name = forms.CharField(label=_("Name and model"), max_length=LONGEST_NAME)
    tons = forms.IntegerField(label=_("Tons"), min_value=LEAST_TONS, max_value=MOST_TONS, step_size=5)
    cost = forms.CharField(
        label=_("Book cost in C-bills"), max_length=20, widget=forms.TextInput(attrs={"inputmode": "numeric"})
    )
    walk = forms.IntegerField(label=_("Walk"), min_value=0, max_value=30)
    jump = forms.IntegerField(label=_("Jump"), min_value=0, max_value=30, required=False)
    tech = forms.ChoiceField(label=_("Technology"), choices=[(each, TECHNOLOGY_NAMES[each]) for each in TECHNOLOGIES])
    omni = forms.BooleanField(label=_("OmniMech"), required=False)
    flags = forms.MultipleChoiceField(
        label=_("Equipment"), required=False, choices=[(flag, FLAG_NAMES[flag]) for flag in FLAGS],
        widget=forms.CheckboxSelectMultiple,
    )  # fmt: skip

    def clean_name(self) -> str:
        """Return the name. Raises ValidationError for one without a letter or a digit."""
        name: str = self.cleaned_data["name"]
        if not id_of(name):
            raise ValidationError(_("Name it with letters or digits."), code="name")
        return name

    def clean_cost(self) -> int:
        """Return the cost as a number. Raises ValidationError for anything else."""
        cost = price_of(self.cleaned_data["cost"])
        if cost is None:
            raise ValidationError(_("Write a whole number, such as 3,467,875."), code="cost")
        return cost

    def change(self) -> dict[str, Any]:
        """Return the change of the list, as `rules.challenge.book.setup.change_list` takes it."""
        chosen = self.cleaned_data
        return {
            id_of(chosen["name"]): {
                "name": chosen["name"],
                "tons": chosen["tons"],
                "cost": chosen["cost"],
                "walk": chosen["walk"],
                "jump": chosen["jump"] or 0,
                "tech": chosen["tech"],
                "omni": chosen["omni"],
                "flags": sorted(chosen["flags"]),
            }
        }


class PricesForm(forms.Form):
    """A list of prices, pasted or as a file."""

    text = forms.CharField(
        label=_("Lines"), required=False, max_length=LONGEST_TEXT, widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("Name; model; tons; price. Tabs or commas serve too, and a heading may be there."),
    )  # fmt: skip
    file = forms.FileField(label=_("Or a file with such lines (CSV)"), required=False)
    only = forms.BooleanField(label=_("Take all other ’Mechs out of the list"), required=False)

    def clean(self) -> dict[str, Any]:
        """Take the lines of the file where there is one. Raises ValidationError without any line."""
        chosen = super().clean() or self.cleaned_data
        upload = chosen.get("file")
        if upload is not None:
            if upload.size > LARGEST_FILE:
                raise ValidationError(_("The file is larger than 1 MB."), code="file")
            chosen["text"] = _decoded(upload.read())
        if not chosen.get("text", "").strip():
            raise ValidationError(_("Paste lines or choose a file."), code="text")
        return chosen


def _decoded(data: bytes) -> str:
    """Return the text of a file that a spreadsheet wrote: UTF-8, or else as Windows writes it in the West."""
    try:
        return data.decode("utf-8-sig").replace("\0", "")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace").replace("\0", "")
