"""The forms of a friendly match and of a write-up."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matches.models import WriteUp
from matches.services.friendly import BY_LINK, CLASSES, HOT_SEAT, HOURS_A_ROUND, OPPONENTS, Wishes, misfits
from matches.services.photos import LARGEST_UPLOAD
from matches.services.write_ups import LONGEST_CAPTION, LONGEST_TEXT, Sent
from matches.text.match import word
from rules.catalogue import load_builtin
from rules.competition.formats import FORMATS
from rules.wording import sentence

Choices = list[tuple[str, str]]

OPPONENT_WORDS: Mapping[str, str | Promise] = {
    "greedy": _("the AI"),
    "quick": _("the AI, trying a few orders in thought"),
    "tactical": _("the AI, planning the round ahead"),
    "strong": _("the AI, thinking as long as it may"),
    "random": _("a beginner who plays at random"),
    BY_LINK: _("somebody you send the link to"),
    HOT_SEAT: _("yourself or a friend at this screen (both sides)"),
}
"""The form's words for each of OPPONENTS."""


class NamesSelect(forms.Select):
    """A select of names, marked as not to be translated, except the empty option, which leaves the choice to chance."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)
        if value:
            option["attrs"]["translate"] = "no"
        return option


class FriendlyForm(forms.Form):
    """The form of a friendly match. The first choice of every field is a usual one, so that one press begins."""

    format = forms.ChoiceField(label=_("Match"), choices=lambda: [(key, _capital(key)) for key in FORMATS])
    opponent = forms.ChoiceField(label=_("Against"), choices=lambda: _opponents())
    hours_a_round = forms.ChoiceField(
        label=_("Time for each round of the match"),
        required=False,
        choices=lambda: _hours(),
        help_text=_("What you do not use is saved up, three rounds’ worth at most. When it is over, the AI answers."),
    )
    weight_class = forms.ChoiceField(label=_("Class"), required=False, choices=lambda: _classes())
    unit = forms.ChoiceField(label=_("Your ’Mech"), required=False, choices=lambda: _units(), widget=NamesSelect)
    pilot = forms.ChoiceField(label=_("Your pilot"), required=False, choices=lambda: _pilots(), widget=NamesSelect)

    def clean(self) -> dict[str, str]:
        """Return the cleaned values. A ’Mech, class and pilot that do not fit together are an error of their field."""
        cleaned: dict[str, str] = super().clean() or {}
        unit_class, unit, pilot = (cleaned.get(key) or "" for key in ("weight_class", "unit", "pilot"))
        for field, refused in misfits(Wishes(weight_class=unit_class, unit=unit, pilot=pilot)).items():
            self.add_error(field, sentence(refused.code, refused.parameters, gettext))
        return cleaned

    @property
    def wishes(self) -> Wishes:
        """The wishes in a form that is valid."""
        values = self.cleaned_data
        hours = int(values["hours_a_round"]) if values["hours_a_round"] else None
        chosen = {key: values[key] for key in ("format", "weight_class", "unit", "pilot", "opponent")}
        return Wishes(**chosen, hours_a_round=hours)


def _capital(key: str) -> str:
    name = word(key)
    return name[:1].upper() + name[1:]


def _opponents() -> Choices:
    return [(key, str(OPPONENT_WORDS[key])) for key in OPPONENTS]


def _hours() -> Choices:
    return [
        ("", gettext("no hurry")),
        *((str(hours), gettext("%(hours)s hours") % {"hours": hours}) for hours in HOURS_A_ROUND),
    ]


def _surprise() -> tuple[str, str]:
    return "", gettext("Surprise me")


def _classes() -> Choices:
    return [_surprise(), *((key, _capital(key)) for key in CLASSES)]


def _units() -> list[tuple[str, str | Choices]]:
    return [_surprise(), *((_capital(key), _units_of(key)) for key in CLASSES)]


@cache
def _units_of(unit_class: str) -> Choices:
    """Return the choices for the units of a class, (id, name and points), in the order of their names.

    They are the same in every language, so they are cached.
    """
    units = [unit for unit in load_builtin().units.values() if unit["class"] == unit_class]
    return [(unit["id"], f"{unit['name']} ({unit['points']})") for unit in sorted(units, key=lambda each: each["name"])]


def _pilots() -> Choices:
    return [_surprise(), *_named_pilots()]


@cache
def _named_pilots() -> tuple[tuple[str, str], ...]:
    pilots = sorted(load_builtin().pilots.values(), key=lambda each: str(each["name"]))
    return tuple((pilot["id"], f"{pilot['name']} ({pilot['points']})") for pilot in pilots)


class WriteUpForm(forms.Form):
    """The form of a player's own write-up. It shows what was sent, otherwise `own`, the stored one (None: no text).

    Do not validate it: the service checks `sent` and refuses what is too long.
    """

    text = forms.CharField(
        label=_("Text"),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 12}),
        help_text=format_lazy(
            _("Plain text of up to {longest} characters; an empty line begins a paragraph."), longest=LONGEST_TEXT
        ),
    )
    without_photo = forms.BooleanField(
        label=_("Remove this photo"), required=False, widget=forms.CheckboxInput(attrs={"value": "yes"})
    )
    photo = forms.FileField(
        label=_("A photo, if you like"),
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
        help_text=format_lazy(
            _(
                "JPEG, PNG or WebP of up to {megabytes} MB. It is stored smaller, and without what the camera noted, "
                "such as the place."
            ),
            megabytes=LARGEST_UPLOAD // 2**20,
        ),
    )
    photo_told = forms.CharField(
        label=_("What the photo shows, for those who cannot see it"), required=False, max_length=LONGEST_CAPTION
    )

    def __init__(self, own: WriteUp | None, data: Any, files: Any) -> None:
        shown = {} if own is None else {"text": own.text, "photo_told": own.photo_told}
        super().__init__(data, files, initial=shown, auto_id="write-up-%s", label_suffix="")
        if not getattr(own, "has_photo", False):
            del self.fields["without_photo"]
        else:
            self.fields["photo"].label = _("Another photo instead")

    @property
    def sent(self) -> Sent:
        """The unchecked input. Use it once only, because it reads the file of the photo.

        At most one byte more than LARGEST_UPLOAD is read, enough for the refusal.
        """
        file = self.files.get("photo")
        return Sent(
            text=self.data.get("text", ""),
            photo=None if file is None else file.read(LARGEST_UPLOAD + 1),
            caption=self.data.get("photo_told", ""),
            without_photo="without_photo" in self.data,
        )
