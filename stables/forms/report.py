"""The forms of a result: a report, a referee's decision, a correction.

Fields are named by their place in the report: `units.red-1.clicks`, `sides.red.tokens`. The forms have labels and
limits, and show the typed values again. The rules read those values (rules.campaign.results.reports).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from rules.campaign.results.reports import ENDINGS, MOST_POINTS, Contest, Entrant
from stables.forms.reason import ReasonForm
from stables.models import Stable
from stables.text import results as words

NAMES = {"translate": "no"}
"""The attributes of a select whose options are names, which browsers must not translate."""


def _number(label: Any, most: int = MOST_POINTS, described_by: str = "") -> forms.IntegerField:
    described = {"aria-describedby": described_by} if described_by else {}
    widget = forms.NumberInput(attrs={"inputmode": "numeric", **described})
    return forms.IntegerField(label=label, required=False, min_value=0, max_value=most, widget=widget)


def _box(label: Any) -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False)


class _Part(forms.Form):
    """A part of a report with its place as `prefix`."""

    def __init__(self, data: Mapping[str, str] | None, initial: Mapping[str, Any], prefix: str = "") -> None:
        super().__init__(data, initial=dict(initial), prefix=prefix, auto_id="%s", label_suffix="")

    def add_prefix(self, field_name: str) -> str:
        return f"{self.prefix}.{field_name}" if self.prefix else field_name

    @property
    def document(self) -> dict[str, Any]:
        """The typed values as texts by name, without empty fields."""
        typed = {name: self.data.get(self.add_prefix(name)) for name in self.fields}
        return {name: value for name, value in typed.items() if value}


ROLL = "roll"
"""The fate of an eliminated unit's pilot that a report leaves open: the server rolls (O-S9)."""


class UnitPart(_Part):
    """How a unit left the match. Its damage from before the match is filled in unless the report has another value.

    For the pilot of an eliminated unit a report that chooses nothing says that the server rolls.
    """

    eliminated = _box(_("Eliminated"))
    died = forms.ChoiceField(
        label=_("Its pilot, if eliminated"),
        required=False,
        choices=[("", words.FATES[ROLL]), *((fate, text) for fate, text in words.FATES.items() if fate != ROLL)],
    )
    kills = _number(_("Kills"))

    field_order = ("clicks", "eliminated", "died", "kills")

    def __init__(
        self, data: Any, initial: Mapping[str, Any], key: str, name: str, entrant: Entrant, *, pilot_death: bool
    ) -> None:
        fate = initial.get("died") if initial.get("eliminated") and initial.get("died") != ROLL else ""
        super().__init__(data, {"clicks": entrant.before, **initial, "died": fate}, f"units.{key}")
        self.key, self.name = key, name
        self.fields["clicks"] = _number(_("Clicks of damage (of %(most)s)") % {"most": entrant.dial}, entrant.dial)
        if not (pilot_death and entrant.has_pilot):
            del self.fields["died"]
        self.order_fields(self.field_order)


class SidePart(_Part):
    """What a side earned, with its units."""

    eliminations = _number(_("Reputation for eliminations"), described_by="eliminations-help")
    tokens = _number(_("Reputation for target tokens"))
    flags = _number(_("Reputation for flags"))
    surrendered = _box(_("Surrendered"))

    def __init__(self, data: Any, initial: Mapping[str, Any], key: str, name: str, contest: Contest) -> None:
        super().__init__(data, initial, f"sides.{key}")
        self.key, self.name = key, name
        self.units: list[UnitPart] = []
        if not contest.tokens:
            del self.fields["tokens"]
        if contest.format != "capture_the_flag":
            del self.fields["flags"]


class ReportForm(_Part):
    """The report of a match, filled in from the report `given` or with the typed `data`.

    Without a contest it has no sides and no ending. `names` has the names of sides and units by their keys.
    """

    purpose = "report"
    ended_by = forms.ChoiceField(
        label=_("How it ended"),
        required=False,
        choices=lambda: [("", _("as the units tell")), *((key, words.ENDINGS[key]) for key in ENDINGS)],
    )

    def __init__(self, data: Any, given: Mapping[str, Any], contest: Contest | None, names: Mapping[str, str]) -> None:
        super().__init__(data, given)
        self.sides: list[SidePart] = []
        if contest is None:
            del self.fields["ended_by"]
            return
        of_sides, of_units = given.get("sides") or {}, given.get("units") or {}
        sides = {key: SidePart(data, of_sides.get(key) or {}, key, names[key], contest) for key in contest.sides}
        for key, entrant in contest.units.items():
            unit_report = of_units.get(key) or {}
            part = UnitPart(data, unit_report, key, names[key], entrant, pilot_death=contest.pilot_death)
            sides[entrant.side].units.append(part)
        self.sides = list(sides.values())
        offered = [("", _("as the reputation tells")), *((side.key, side.name) for side in self.sides)]
        self.fields["winner"] = forms.ChoiceField(
            label=_("Winner"), required=False, choices=offered, widget=forms.Select(attrs=NAMES)
        )

    @property
    def document(self) -> dict[str, Any]:
        """The typed report, with all values as texts and without empty fields."""
        sides = {side.key: side.document for side in self.sides}
        units = {unit.key: unit.document for side in self.sides for unit in side.units}
        ending = {name: self.data[name] for name in ("ended_by", "winner") if self.data.get(name)}
        return ending | {
            name: {key: typed for key, typed in parts.items() if typed}
            for name, parts in (("sides", sides), ("units", units))
        }


class DecisionForm(ReportForm):
    """The decision of an organiser or a referee: the report that counts, and the reason, a form of its own."""

    purpose = "decide"

    def __init__(self, data: Any, *facts: Any) -> None:
        super().__init__(data, *facts)
        self.why = ReasonForm(data)


class CorrectionForm(DecisionForm):
    """A correction of a result: its kind, the report or the number of the stable that forfeits, and the reason."""

    purpose = "correct"

    def __init__(
        self,
        data: Any,
        given: Mapping[str, Any],
        contest: Contest | None,
        names: Mapping[str, str],
        stables: Iterable[Stable],
    ) -> None:
        super().__init__(data, given, contest, names)
        kinds = [
            ("correct", _("Correct it: the fields below hold")),
            ("replace", _("Replace it by a forfeit of")),
            ("void", _("Void it: the match counts as not played")),
        ]
        offered = kinds if contest is not None else kinds[1:]
        self.fields["kind"] = forms.ChoiceField(choices=offered, widget=forms.RadioSelect)
        self.initial["kind"] = "correct" if contest is not None else "void"
        rivals = [(stable.number, stable.name) for stable in stables]
        select = forms.Select(attrs={"aria-label": _("Who forfeits"), **NAMES})
        self.fields["forfeits"] = forms.ChoiceField(required=False, choices=rivals, widget=select)
