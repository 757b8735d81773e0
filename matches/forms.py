"""The forms of a friendly match, of a write-up, and of the standing answers of a unit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from matches.models import Match, WriteUp
from matches.selectors.sides import names_in
from matches.services.beginning.friendly import (
    BY_LINK,
    CLASSES,
    HOT_SEAT,
    HOURS_A_ROUND,
    LONGEST_NAME,
    OPPONENTS,
    Wishes,
    misfits,
)
from matches.services.finished.write_ups import LONGEST_CAPTION, LONGEST_TEXT, Sent
from matches.services.preset_answers import answers_of
from matches.text.match import word
from rules.bots.preset_answers import ATTACKER, KEEP, NEAR, NEVER, NONE, REACTION, USEFUL
from rules.catalogue import load_builtin
from rules.competition.formats import FORMATS
from rules.core.refusals import Malformed
from rules.wording import sentence
from web.languages.reader import translate
from web.languages.words import sort_key
from web.names import NamesSelect
from web.photos import photo_field, photo_in

Choices = list[tuple[str, str]]

OPPONENT_WORDS: Mapping[str, str | Promise] = {
    "random": _("the AI, Easy: picks legal orders at random"),
    "greedy": _("the AI, Fair: takes the best order it sees"),
    "quick": _("the AI, Firm: compares a few orders"),
    "tactical": _("the AI, Hard: plans the whole round"),
    "strong": _("the AI, Expert: thinks as long as it may"),
    BY_LINK: _("somebody you send the link to"),
    HOT_SEAT: _("yourself or a friend at this screen (both sides)"),
}
"""The form's words for each of OPPONENTS, the bots in the order of their strength."""


class FriendlyForm(forms.Form):
    """The form of a friendly match. The first choice of every field is a usual one, so that one press begins."""

    format = forms.ChoiceField(label=_("Match"), choices=lambda: [(key, _capital(key)) for key in FORMATS])
    opponent = forms.ChoiceField(label=_("Against"), choices=lambda: _opponents(), initial=OPPONENTS[0])
    hours_a_round = forms.ChoiceField(
        label=_("Time for each round of the match"),
        required=False,
        choices=lambda: _hours(),
        help_text=_("What you do not use is saved up, three rounds’ worth at most. When it is over, the AI answers."),
    )
    weight_class = forms.ChoiceField(label=_("Class"), required=False, choices=lambda: _classes())
    arena = forms.ChoiceField(label=_("Arena"), required=False, choices=lambda: _arenas(), widget=NamesSelect)
    unit = forms.ChoiceField(label=_("Your ’Mech"), required=False, choices=lambda: _units(), widget=NamesSelect)
    second_unit = forms.ChoiceField(
        label=_("Your second ’Mech"),
        required=False,
        choices=lambda: _units(),
        widget=NamesSelect,
        help_text=_("For matches of two ’Mechs a side."),
    )
    pilot = forms.ChoiceField(label=_("Your pilot"), required=False, choices=lambda: _pilots(), widget=NamesSelect)

    rival_unit = forms.ChoiceField(
        label=_("The rival’s ’Mech"), required=False, choices=lambda: _units(), widget=NamesSelect
    )
    rival_name = forms.CharField(
        label=_("Name of the second player"),
        required=False,
        max_length=LONGEST_NAME,
        help_text=_("For two people at this screen; it stands on the board. Everybody who sees the match can read it."),
    )

    def clean(self) -> dict[str, str]:
        """Return the cleaned values. A ’Mech, class and pilot that do not fit together are an error of their field."""
        cleaned: dict[str, str] = super().clean() or {}
        fields = ("weight_class", "unit", "second_unit", "rival_unit", "pilot", "arena")
        asked: dict[str, Any] = {key: cleaned.get(key) or "" for key in fields}
        for field, refused in misfits(Wishes(**asked)).items():
            self.add_error(field, sentence(refused.code, refused.parameters, translate))
        return cleaned

    @property
    def wishes(self) -> Wishes:
        """The wishes in a form that is valid."""
        values = self.cleaned_data
        hours = int(values["hours_a_round"]) if values["hours_a_round"] else None
        chosen = {key: value for key, value in values.items() if key != "hours_a_round"}
        return Wishes(**chosen, hours_a_round=hours)


def _capital(key: str) -> str:
    return capfirst(word(key))


def _opponents() -> Choices:
    return [(key, str(OPPONENT_WORDS[key])) for key in OPPONENT_WORDS]


def _hours() -> Choices:
    return [
        ("", gettext("no hurry")),
        *(
            (str(hours), ngettext("%(hours)s hour", "%(hours)s hours", hours) % {"hours": hours})
            for hours in HOURS_A_ROUND
        ),
    ]


def _surprise() -> tuple[str, str]:
    return "", gettext("Surprise me")


def _arenas() -> Choices:
    arenas = sorted(load_builtin().arenas.items(), key=lambda each: sort_key(str(each[1]["name"])))
    return [_surprise(), *((key, str(arena["name"])) for key, arena in arenas)]


def _classes() -> Choices:
    return [_surprise(), *((key, _capital(key)) for key in CLASSES)]


def _units() -> list[tuple[str, str | Choices]]:
    return [_surprise(), *((_capital(key), _units_of(key)) for key in CLASSES)]


@cache
def _units_of(unit_class: str) -> Choices:
    """Return the choices for the units of a class, (id, name and points), in the order of their names.

    Names are the same in every language, and so is their order, so they are cached.
    """
    units = [unit for unit in load_builtin().units.values() if unit["class"] == unit_class]
    units.sort(key=lambda each: sort_key(each["name"], ""))
    return [(unit["id"], f"{unit['name']} ({unit['points']})") for unit in units]


def _pilots() -> Choices:
    return [_surprise(), *_named_pilots()]


@cache
def _named_pilots() -> tuple[tuple[str, str], ...]:
    pilots = sorted(load_builtin().pilots.values(), key=lambda each: sort_key(str(each["name"]), ""))
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
    photo = photo_field(_("A photo, if you like"))
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
        """The unchecked input. Use it once only, because it reads the file of the photo."""
        return Sent(
            text=self.data.get("text", ""),
            photo=photo_in(self.files),
            caption=self.data.get("photo_told", ""),
            without_photo="without_photo" in self.data,
        )


def _percent(label: Any, help_text: Any) -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"inputmode": "numeric"})
    return forms.IntegerField(
        label=label, help_text=help_text, required=False, min_value=0, max_value=100, widget=widget
    )


def _one_of(
    label: Any, *choices: tuple[str, Any], coerce: Callable[[str], Any] = str, none: Any = None
) -> forms.TypedChoiceField:
    offered = [("", none or _("ask me")), *choices]
    return forms.TypedChoiceField(label=label, required=False, choices=offered, coerce=coerce, empty_value=None)


def _chance(label: Any) -> forms.TypedChoiceField:
    return _one_of(
        label,
        ("0", _("always try")),
        ("50", _("try when the chance is at least 50 %")),
        ("66", _("try when the chance is at least 66 %")),
        (NEVER, _("never try")),
        coerce=lambda word: word if word == NEVER else int(word),
    )


class StandingForm(forms.Form):
    """The standing answers of one unit, or what was sent. `unit` is its id, `unit_name` its name."""

    leave = _percent(_("Attacked: let it come when it hits with at most"), _("percent; no reaction then, and no heat"))
    dig_in = _one_of(_("Attacked: dig in where it can"), ("yes", _("yes")), coerce=bool, none=_("no"))
    dodge = _percent(_("Attacked: dodge when the attack then misses with at least"), _("percent; empty: do not dodge"))
    defend = _percent(
        _("Attacked: defend when the attack then misses with at least"), _("percent; empty: do not defend")
    )
    otherwise = _one_of(_("When attacked in any other case"), (NONE, _("no reaction")))
    cancel = _one_of(_("Attacked, without a reaction left"), (KEEP, _("keep all equipment at work")))
    spin = _one_of(
        _("An opponent comes into base contact"), (ATTACKER, _("turn towards it")), (KEEP, _("keep the facing"))
    )
    revive = _chance(_("The pilot is unconscious"))
    restart = _chance(_("The unit is shut down and may restart"))
    rally = _one_of(
        _("A rally card could be played"),
        (USEFUL, _("ask me when a card would do something now")),
        (NEVER, _("never ask; keep the hand")),
    )
    source = _one_of(_("Two items give one value"), (KEEP, _("leave at work what is at work")))
    corner = _one_of(_("A new target token is counted from a corner"), (NEAR, _("take the corner nearest to my unit")))

    def __init__(self, data: Any = None, loadout: Any = None, name: str = "", answers: Any = None) -> None:
        shown = {**(answers or {}), **(answers or {}).get("react", {})}
        shown["dig_in"] = "yes" if shown.get("dig_in") else ""
        self.unit, self.unit_name = loadout["id"] if loadout else "", name
        super().__init__(data, initial=shown, auto_id=f"{self.unit}-%s", label_suffix="")
        if loadout and not loadout.get("hand"):
            del self.fields["rally"]

    def answers(self) -> dict[str, Any]:
        """Return the answers that were sent, without empty fields. Raises Malformed (bad_standing_answer)."""
        for name in self.errors:
            raise Malformed("bad_standing_answer", field=f"react.{name}" if name in REACTION else name)
        given = {name: value for name, value in self.cleaned_data.items() if value is not None}
        react = {name: given.pop(name) for name in REACTION if name in given}
        return given | ({"react": react} if react else {})


def standing_forms(match: Match, sides: tuple[str, ...]) -> list[StandingForm]:
    """Return the forms of the units of a person's own `sides`, in the order of the setup (1 query)."""
    names, kept = names_in(match.setup), answers_of(match, sides)
    return [
        StandingForm(None, loadout, names[loadout["id"]], kept[loadout["id"]])
        for side in match.setup["sides"]
        if side["id"] in sides
        for loadout in side["units"]
    ]
