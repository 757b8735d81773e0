"""The form of the door: who comes, in which 'Mech, and where they go."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from challenge.forms.offers import offer
from challenge.forms.opening import CLASS_NAMES
from challenge.presenters.door import Offer, offers, the_only
from challenge.selectors.access import Access
from challenge.selectors.books import Book
from challenge.services.books import stands_in_address
from challenge.services.door import Newcomer
from rules.challenge.deeds.desk import MOST_CARDS, next_card
from rules.challenge.newcomers import start_of_newcomer
from rules.challenge.worth import Worth

LONGEST_NAME = 60
LATER = "-"
"""The choice of a pilot who buys a 'Mech later."""
HOUSES = {
    "CC": _("Capellan Confederation"), "DC": _("Draconis Combine"), "FS": _("Federated Suns"),
    "FWL": _("Free Worlds League"), "LA": _("Lyran Alliance"),
}  # fmt: skip


def check_address(name: str) -> None:
    """Raise ValidationError for a name that cannot stand in an address."""
    if not stands_in_address(name):
        raise ValidationError(_("A name has no slash, and more than dots."), code="address")


def places_of(book: Book, who: Access) -> dict[str, tuple[str, str]]:
    """Return where a pilot may go straight in, by what the choice says: each table and portal that somebody runs."""
    found = {}
    for table in book.tables:
        if who.runs(table.id):
            for portal in table.portals:
                found[f"{table.id} · {portal}"] = (table.id, portal)
            found.setdefault(table.id, (table.id, ""))
    return found


class DoorForm(forms.Form):
    """What somebody at the door types. `mech` is one of the offers, or LATER; a search that finds one alone serves."""

    card = forms.IntegerField(label=_("Card"), min_value=1, max_value=MOST_CARDS)
    name = forms.CharField(label=_("Pilot"), max_length=LONGEST_NAME, validators=[check_address])
    player = forms.CharField(label=_("Player, if called otherwise"), max_length=LONGEST_NAME, required=False)
    search = forms.CharField(label=_("Find a ’Mech"), max_length=LONGEST_NAME, required=False)
    mech = forms.CharField(max_length=LONGEST_NAME, required=False)
    loan = forms.BooleanField(label=_("Borrow what is missing (a loan, 5 CP)"), required=False)
    edge = forms.BooleanField(label=_("One more Edge card (5 CP)"), required=False)
    place = forms.ChoiceField(label=_("Goes straight in at"), required=False)
    house = forms.ChoiceField(
        label=_("House (declare: 1 CP)"),
        required=False,
        choices=[("", pgettext_lazy("a house", "none")), *HOUSES.items()],
    )
    weight_class = forms.ChoiceField(
        label=_("Starts as a newcomer of the class"), required=False,
        choices=[("", _("as the event says")), *CLASS_NAMES.items()],
    )  # fmt: skip

    def __init__(self, book: Book, who: Access, data: Any = None, **more: Any) -> None:
        more.setdefault("initial", {"card": next_card(book.state), "mech": ""})
        super().__init__(data, **more)
        self.state = book.state
        self.places = places_of(book, who)
        names = [(name, name) for name in self.places]
        offer(self, "place", [("", _("nowhere yet")), *names])
        if not self.state.plays("newcomers"):
            del self.fields["weight_class"]
        self.fields["name"].widget.attrs |= {"autocomplete": "off", "autocapitalize": "words"}
        self.fields["player"].widget.attrs |= {"autocomplete": "off"}
        self.fields["search"].widget = forms.TextInput(attrs={"type": "search", "autocomplete": "off"})

    def typed(self, field: str) -> str:
        """Return what stands in a field now."""
        return str(self[field].value() or "").strip() if field in self.fields else ""

    @property
    def start(self) -> Worth:
        """What the pilot starts with."""
        chosen = self.typed("weight_class")
        return start_of_newcomer(self.state, chosen if chosen in CLASS_NAMES else None)

    def offers(self) -> list[Offer]:
        """Return the 'Mechs that answer the search, all of them without one."""
        return offers(self.state, self.start, self.typed("search")[:LONGEST_NAME])

    def clean(self) -> dict[str, Any]:
        """Take the one 'Mech that a search leaves. Raises ValidationError where nobody has said which 'Mech."""
        chosen = super().clean() or self.cleaned_data
        search = chosen.get("search", "")
        if not chosen.get("mech"):
            only = the_only(self.offers(), search) if search else None
            if only is None:
                self.add_error("mech", ValidationError(_("Choose a ’Mech, or that it is bought later."), code="mech"))
            else:
                chosen["mech"] = only.model.id
        return chosen

    def newcomer(self) -> Newcomer:
        """Return what a valid form says."""
        chosen = self.cleaned_data
        mech = "" if chosen["mech"] == LATER else chosen["mech"]
        wanted = next((each for each in offers(self.state, self.start) if each.model.id == mech), None)
        return Newcomer(
            name=chosen["name"],
            player=chosen["player"] or chosen["name"],
            card=chosen["card"],
            mech=mech,
            edge=chosen["edge"],
            house=chosen["house"],
            borrowed=wanted.missing if chosen["loan"] and wanted is not None else 0,
            place=self.places.get(chosen["place"], ("", "")),
            weight_class=chosen.get("weight_class") or "",
        )
