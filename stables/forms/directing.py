"""The forms of what organisers do with an open match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from rules.campaign.season.directing import FORFEIT_REASONS, LARGEST_TABLE
from stables.forms.coded import CodedForm, number
from stables.forms.hand_over import moment
from stables.forms.reason import ReasonForm
from stables.models import Fixture
from stables.services.base.reasons import LONGEST
from stables.services.fixtures.directing import ARENAS, DATE, MODE, TABLE
from stables.text.reasons import DECLARED
from web.languages.words import sort_key

ARENA = "arena_"
"""The prefix of an arena's name in the form: a large ground has four."""

NAMES = {"translate": "no"}


def _in_zone() -> Any:
    return format_lazy(_("in your time zone, {zone}"), zone=timezone.get_current_timezone_name())


def _stable(label: Any, stables: Iterable[tuple[int, str]]) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(label=label, coerce=int, choices=list(stables), widget=forms.Select(attrs=NAMES))


class DirectForm(ReasonForm):
    """Date, mode, arenas and table of a match, filled in with those of `fixture` or with the typed values.

    A reason may be left out. Each other field also sends what it showed, so that only what its sender changed is a
    change.
    """

    mode = forms.ChoiceField(label=_("Played"), choices=Fixture.Mode.choices)

    def __init__(self, fixture: Fixture, arenas: Mapping[str, str], data: Mapping[str, str] | None = None) -> None:
        keys = fixture.arena_key.split("+")
        shown = {
            DATE: fixture.scheduled_at,
            MODE: fixture.mode,
            TABLE: fixture.table_number,
            **{f"{ARENA}{place}": key for place, key in enumerate(keys, 1)},
        }
        super().__init__(data, prefix_of_ids="direct", initial=shown)
        self.keys = keys
        if fixture.round.cycle.season.rules.table_only:
            at_table = [(Fixture.Mode.TABLE, Fixture.Mode.TABLE.label)]
            self.fields[MODE] = forms.ChoiceField(label=_("Played"), choices=at_table)
        self.fields[DATE] = moment(_("Date and time"), required=False)
        self.fields[DATE].help_text = _in_zone()
        by_name = sorted(arenas.items(), key=lambda arena: sort_key(arena[1]))
        for place in range(1, len(keys) + 1):
            label = _("Arena") if len(keys) == 1 else format_lazy(_("Arena {number}"), number=place)
            select = forms.Select(attrs=NAMES)
            self.fields[f"{ARENA}{place}"] = forms.ChoiceField(
                label=label,
                choices=by_name,
                widget=select,
            )
        self.fields[TABLE] = number(_("Table"), 1, LARGEST_TABLE, _("Empty: none."), required=False)
        self.order_fields([DATE, MODE, *(name for name in self.fields if name.startswith(ARENA)), TABLE])
        for each in self.of_match():
            each.field.show_hidden_initial = True

    def of_match(self) -> list[forms.BoundField]:
        """Return the fields that show what the match has: all but those of the reason."""
        return [self[name] for name in self.fields if name not in ReasonForm.base_fields]

    def changes(self) -> dict[str, Any]:
        """Return what was changed, in the form of the service. Raises Malformed (bad_field, not_a_number, ...)."""
        sent = self.read()
        changed = set(self.changed_data)
        found = {name: sent[name] for name in (DATE, MODE, TABLE) if name in changed}
        places = [f"{ARENA}{place}" for place in range(1, len(self.keys) + 1)]
        if changed & set(places):
            found[ARENAS] = [
                sent[name] if name in changed else key for name, key in zip(places, self.keys, strict=True)
            ]
        return found


class StableReasonForm(ReasonForm):
    """A stable of the match, by its number, and a reason."""

    def __init__(self, stables: Iterable[tuple[int, str]], prefix_of_ids: str, data: Any = None) -> None:
        super().__init__(data, prefix_of_ids=prefix_of_ids)
        self.fields["stable"] = _stable(_("Stable"), stables)


class ExcuseForm(StableReasonForm):
    """The stable that is excused, until when its match may be played, and a reason."""

    def __init__(self, stables: Iterable[tuple[int, str]], data: Any = None) -> None:
        super().__init__(stables, "excuse", data)
        self.fields["until"] = moment(_("The match may be played until"), required=False)
        self.fields["until"].help_text = _in_zone()


class SwapForm(StableReasonForm):
    """The stable of this match that leaves it, the one that comes instead, and a reason.

    `others` names each with its match, and with what would be unusual about it.
    """

    def __init__(self, stables: Iterable[tuple[int, str]], others: Iterable[tuple[int, str]], data: Any = None) -> None:
        super().__init__(stables, "swap", data)
        self.fields["other"] = _stable(_("Exchanged for"), others)


class ForfeitForm(CodedForm):
    """The stables that forfeit, by their numbers, and why."""

    why = forms.ChoiceField(
        label=_("Reason"),
        choices=lambda: [(why, DECLARED[why]) for why in FORFEIT_REASONS],
        widget=forms.RadioSelect,
    )
    words = forms.CharField(
        label=_("In your own words"),
        required=False,
        max_length=LONGEST,
        help_text=_("You may leave this empty. Everybody in the season can read it."),
    )

    def __init__(self, stables: Iterable[tuple[int, str]], data: Any = None) -> None:
        super().__init__(data, auto_id="forfeit-%s", label_suffix="")
        self.fields["stables"] = forms.TypedMultipleChoiceField(
            label=_("Who forfeits"),
            coerce=int,
            choices=list(stables),
            widget=forms.CheckboxSelectMultiple(attrs=NAMES),
        )
