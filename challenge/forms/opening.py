"""The form that opens an event."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from challenge.models import LONGEST_NAME
from challenge.services.books import stands_in_address
from rules.challenge.book.setup import MOST_PORTALS, MOST_TABLES
from rules.challenge.state import MINIMUM_TURNS
from rules.challenge.switches import OPTIONS, WORDS

OPTION_NAMES = {
    "advanced_sponsors": _("Advanced sponsors: they want to see earnings"),
    "advanced_stables": _("Advanced stables: they drop who falls below their Fame"),
    "betting": _("Betting: awards are chips until they are cashed"),
    "clan_mechs": _("Clan ’Mechs for members of stables with the Clan mark"),
    "knock_outs": _("Knock-outs: who stays unconscious is removed"),
    "last_man_standing": _("Last man standing wins the final"),
    "newcomers": _("Newcomers: who comes later starts with more"),
    "several_mechs": _("A pilot may own several ’Mechs"),
    "teams": _("Teams share a log"),
}
PRINTING_NAMES = {"body": _("the tables in the text"), "reference": _("the reference sheets at the end")}
CLASS_NAMES = {
    "light": _("light"), "medium": _("medium"), "heavy": _("heavy"), "assault": _("assault"),
}  # fmt: skip
LONGEST_TABLE, LONGEST_PORTAL = 60, 40


def read_tables(text: str) -> list[dict[str, Any]]:
    """Return the tables that lines name, as settings have them.

    Raises ValidationError for names that are missing, come twice or cannot stand in an address.
    """
    found: list[dict[str, Any]] = []
    for line in text.splitlines():
        name, _colon, portals = line.partition(":")
        if line.strip():
            names = [portal.strip() for portal in portals.split(",") if portal.strip()]
            found.append({"id": name.strip(), "portals": names})
    if not 1 <= len(found) <= MOST_TABLES or not all(0 < len(each["id"]) <= LONGEST_TABLE for each in found):
        raise forms.ValidationError(_("Name one table to eight, one on each line."), code="tables")
    for each in found:
        if len(each["portals"]) > MOST_PORTALS or len(set(each["portals"])) < len(each["portals"]):
            raise forms.ValidationError(_("The portals of a table have different names, 24 at most."), code="tables")
        if any(len(portal) > LONGEST_PORTAL for portal in each["portals"]):
            raise forms.ValidationError(_("The name of a portal has 40 letters at most."), code="tables")
    if not all(stands_in_address(each["id"]) for each in found):
        raise forms.ValidationError(_("The name of a table has no slash, and more than dots."), code="tables")
    if len({each["id"] for each in found}) < len(found):
        raise forms.ValidationError(_("Two tables have the same name."), code="tables")
    return found


class OpeningForm(forms.Form):
    """What a GM settles before the first pilot comes. Each line of `tables` is a table: its name, then its portals."""

    name = forms.CharField(label=_("Name of the event"), max_length=LONGEST_NAME)
    tables = forms.CharField(
        label=_("Tables"),
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("One line for each table: its name, a colon, the names of its portals with commas between them."),
    )
    most_value = forms.IntegerField(
        label=_("Most that a ’Mech may cost, in C-bills"), min_value=0, max_value=10**9, required=False,
        help_text=_("Empty: no limit."),
    )  # fmt: skip
    weight_class = forms.ChoiceField(
        label=_("Heaviest class"), required=False, choices=[("", _("any")), *CLASS_NAMES.items()]
    )
    minimum_turns = forms.IntegerField(
        label=_("Turns on the field before a pilot may leave by a portal"), min_value=0, max_value=99,
        initial=MINIMUM_TURNS,
    )  # fmt: skip
    table_printing = forms.ChoiceField(
        label=_("Where the two printings differ, follow"),
        choices=[(word, PRINTING_NAMES[word]) for word in WORDS["table_printing"]],
    )
    options = forms.MultipleChoiceField(
        label=_("Optional rules"), required=False, widget=forms.CheckboxSelectMultiple,
        choices=[(option, OPTION_NAMES[option]) for option in OPTIONS],
    )  # fmt: skip
    is_listed = forms.BooleanField(label=_("Show the event in the list for everybody"), required=False, initial=True)

    def clean_tables(self) -> list[dict[str, Any]]:
        """Return the tables as settings have them. Raises ValidationError for names that are missing or come twice."""
        return read_tables(self.cleaned_data["tables"])

    def setup(self) -> dict[str, Any]:
        """Return the settings of the whole event, as `rules.challenge.book.setup` reads them."""
        chosen = self.cleaned_data
        return {
            "tables": chosen["tables"],
            "options": sorted(chosen["options"]),
            "switches": {"table_printing": chosen["table_printing"]},
        }

    def session(self) -> dict[str, Any]:
        """Return the limits of the first session."""
        chosen = self.cleaned_data
        return {
            "most_value": chosen["most_value"],
            "class": chosen["weight_class"] or None,
            "minimum_turns": chosen["minimum_turns"],
        }
