"""A form for any deed, made from the form that the rules give its kind (`rules.challenge.entries.Kind`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from challenge.forms.deed_words import FACT_NAMES
from rules.challenge.entries import PHASES, Entry, Kind
from rules.challenge.mechs import COUNTED
from rules.challenge.state import Event
from rules.core.digits import whole_number
from rules.wording import challenge_words as words
from rules.wording.challenge_surprises import CONTENTS, TURRETS
from web.languages.reader import translate
from web.languages.words import sort_key

Choices = list[tuple[str, str]]
LONGEST_LINE = 400
_NUMBERS = ("dice", "cards")
"""Lists of numbers."""
_WORDS: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("", "part"): words.CRITICALS,
    ("", "method"): words.METHODS,
    ("", "band"): words.BANDS,
    ("", "class"): words.WEIGHT_CLASSES,
    ("turret_search", "class"): TURRETS,
    ("turret_damage", "class"): TURRETS,
    ("", "contents"): CONTENTS,
}
"""Words of closed lists by kind and fact, or by fact alone."""


class DeedForm(forms.Form):
    """What a deed of one kind says. `state` lends pilots and lists, `entry` the values of a deed that is changed."""

    note = forms.CharField(label=gettext_lazy("Note"), max_length=200, required=False)

    def __init__(self, state: Event, kind: Kind, *arguments: Any, entry: Entry | None = None, **named: Any) -> None:
        if entry is not None:
            named.setdefault("initial", _initial(entry))
        super().__init__(*arguments, **named)
        self.kind = kind
        pilots = [(name, words.pilot_called(state, name)) for name in state.pilots]
        made: dict[str, forms.Field] = {}
        if kind.off_board:
            made["pilot"] = _choice(_("Pilot"), pilots, is_needed=True)
        else:
            several = forms.CheckboxSelectMultiple
            made["by"] = forms.MultipleChoiceField(label=_("By"), choices=pilots, widget=several, required=False)
            made["at"] = _choice(_("At, or whom it befell"), pilots)
            phases = [(each, translate(words.PHASES[each])) for each in PHASES]
            made["phase"] = _choice(pgettext("Challenge", "Phase"), phases)
        for name, schema in kind.facts.items():
            made |= _fields_of(state, kind, name, schema)
        self.fields = {**made, **self.fields}

    def document(self) -> dict[str, Any]:
        """Return the deed without its place; what was left empty is not in it."""
        chosen, kind = self.cleaned_data, self.kind
        found: dict[str, Any] = {"do" if kind.off_board else "what": kind.name}
        for name in ("pilot", "by", "at", "phase", "note"):
            if chosen.get(name):
                found[name] = chosen[name]
        if len(found.get("by", ())) == 1:
            found["by"] = found["by"][0]
        for name, schema in kind.facts.items():
            value = self._fact(name, schema)
            if value is not None:
                found[name] = value
        return found

    def _fact(self, name: str, schema: Mapping[str, Any]) -> Any:
        chosen = self.cleaned_data
        if schema.get("type") == "object":
            parts = {part: chosen.get(f"{name}-{part}") for part in schema["properties"]}
            return {part: number for part, number in parts.items() if number is not None} or None
        value = chosen.get(name)
        if value in (None, "", []):
            return None
        if schema.get("type") == "boolean":
            return value == "yes"
        if schema.get("type") == "array":
            return _listed(name, str(value))
        return value


def _listed(name: str, line: str) -> list[Any]:
    parts = [part.strip() for part in line.replace(" ", ",").split(",")] if name in _NUMBERS else line.split(",")
    found = [part.strip() for part in parts if part.strip()]
    if name not in _NUMBERS:
        return list(found)
    return [part if (number := whole_number(part)) is None else number for part in found]


def _initial(entry: Entry) -> dict[str, Any]:
    """Return the values of a form that shows a deed."""
    found: dict[str, Any] = {"by": list(entry.by), "at": entry.at or "", "phase": entry.phase or ""}
    found["pilot"] = entry.by[0] if entry.by else ""
    for name, value in entry.facts.items():
        if isinstance(value, Mapping):
            found |= {f"{name}-{part}": number for part, number in value.items()}
        elif isinstance(value, (list, tuple)):
            found[name] = ", ".join(str(each) for each in value)
        else:
            found[name] = ("no", "yes")[value] if isinstance(value, bool) else value
    return found


def _fields_of(state: Event, kind: Kind, name: str, schema: Mapping[str, Any]) -> dict[str, forms.Field]:
    label, is_needed = str(FACT_NAMES[name]), name in kind.required
    form = schema.get("type")
    if form == "object":
        return {
            f"{name}-{part}": forms.IntegerField(
                label=f"{label}: {translate(words.REPAIR_PARTS[part])}", min_value=0, max_value=99, required=False
            )
            for part in COUNTED
        }
    choices = _choices(state, kind, name, schema)
    if choices is not None:
        return {name: _choice(label, choices, is_needed)}
    if form == "integer":
        least, most = schema["minimum"], schema["maximum"]
        return {name: forms.IntegerField(label=label, min_value=least, max_value=most, required=is_needed)}
    help_text = _("Several with commas between them.") if form == "array" else ""
    longest = LONGEST_LINE if form == "array" else schema.get("maxLength", LONGEST_LINE)
    return {name: forms.CharField(label=label, required=is_needed, max_length=longest, help_text=help_text)}


def _choices(state: Event, kind: Kind, name: str, schema: Mapping[str, Any]) -> Choices | None:
    """Return what may stand in a fact where that is a closed list, None for free text and numbers."""
    if schema.get("type") == "boolean":
        return [("yes", _("yes")), ("no", _("no"))]
    if "enum" in schema:
        known = _WORDS.get((kind.name, name)) or _WORDS.get(("", name), {})
        return [
            (
                str(each),
                translate(known[each]) if each in known else str(FACT_NAMES.get(str(each), each)).replace("_", " "),
            )
            for each in schema["enum"]
            if each is not None
        ]
    listed = _LISTED.get((kind.name, name)) or _LISTED.get(("", name))
    return None if listed is None else listed(state)


def _choice(label: Any, choices: Sequence[tuple[str, str]], is_needed: bool = False) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=[("", "–"), *choices], required=is_needed)


def _members(of: str) -> Callable[[Event], Choices]:
    return lambda state: [
        (each.id, words.member_name(state, each.id, translate))
        for each in state.printed.memberships.values()
        if of in ("", each.kind)
    ]


def _abilities(state: Event) -> Choices:
    return [(each, words.ability_name(state, each, translate)) for each in state.printed.abilities]


def _houses(state: Event) -> Choices:
    return [(each, words.house_name(state, each, translate)) for each in state.printed.houses]


def _models(state: Event) -> Choices:
    return sorted(((each, words.mech_name(state, each)) for each in state.models), key=lambda pair: sort_key(pair[1]))


def _pilots(state: Event) -> Choices:
    return [(name, words.pilot_called(state, name)) for name in state.pilots]


def _pilots_and_house(state: Event) -> Choices:
    return [*_pilots(state), ("house", _("the house"))]


_LISTED: Mapping[tuple[str, str], Callable[[Event], Choices]] = {
    ("", "ability"): _abilities,
    ("", "sponsor"): _members("sponsor"),
    ("", "stable"): _members("stable"),
    ("", "house"): _houses,
    ("", "mech"): _models,
    ("", "to"): _pilots,
    ("bet", "with"): _pilots_and_house,
    ("", "with"): _members(""),
}
"""Closed lists by kind and fact, or by fact alone."""
