"""The forms that search, filter and sort the catalogue's lists by the query string of a request."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.paginator import Page, Paginator
from django.db.models import Case, F, IntegerField, Q, QuerySet, Value, When
from django.utils.translation import gettext_lazy as _

from catalogue.models import CatalogueEntry
from catalogue.text import labels
from rules.catalogue.vocabulary import CLASSES, EQUIPMENT_PLACES
from rules.core.words import PILOT_KINDS, RANGE_TYPES, RANKS
from web.languages.words import sort_key, variants

PAGE_SIZE = 50

SORTS = {
    "class": _("Class, then id"),
    "name": _("Name"),
    "points": _("Points, fewest first"),
    "-points": _("Points, most first"),
    "-speed": _("Speed, fastest first"),
    "-attack": _("Attack, best first"),
    "-defense": _("Defense, best first"),
    "-reach": _("Range, longest first"),
    "-clicks": _("Clicks, most first"),
}

_CLASS_ORDER = Case(
    *(When(unit_class=weight_class, then=Value(position)) for position, weight_class in enumerate(CLASSES)),
    default=Value(len(CLASSES)),
    output_field=IntegerField(),
)


def _choices(words: Any, empty: Any, *, by_name: bool = False) -> Any:
    """Return a function that gives the choices, so that they are in the reader's language when they are shown. `empty`
    is the label of the choice that filters nothing. With `by_name` the others stand in the order of their names.
    """

    def named() -> list[tuple[str, Any]]:
        found = [(word, labels.name(word)) for word in words]
        return [("", empty), *(sorted(found, key=lambda choice: sort_key(choice[1])) if by_name else found)]

    return named


def _found(entries: QuerySet[CatalogueEntry], question: str) -> QuerySet[CatalogueEntry]:
    """Return the entries with every word of a question (web.languages.words)."""
    for word in question.split():
        typed = Q()
        for form in variants(word):
            typed |= Q(search__contains=form)
        entries = entries.filter(typed)
    return entries


class UnitFilter(forms.Form):
    """The filters of the unit list. Every field is optional, but an unknown word makes the form invalid. Without
    `has_shelf` there is no filter by the shelf.
    """

    q = forms.CharField(label=_("Search"), required=False, max_length=80)
    unit_class = forms.ChoiceField(label=_("Class"), required=False, choices=_choices(CLASSES, _("All classes")))
    rank = forms.ChoiceField(label=_("Rank"), required=False, choices=_choices(RANKS, _("All ranks")))
    type = forms.ChoiceField(label=_("Range type"), required=False, choices=_choices(RANGE_TYPES, _("All types")))
    equipment = forms.ChoiceField(
        label=_("Special equipment"), required=False, choices=_choices(EQUIPMENT_PLACES, _("Any or none"), by_name=True)
    )
    least = forms.IntegerField(label=_("Points from"), required=False, min_value=0, max_value=1000)
    most = forms.IntegerField(label=_("Points to"), required=False, min_value=0, max_value=1000)
    reach = forms.IntegerField(label=_("Range at least"), required=False, min_value=0, max_value=40)
    shelf = forms.BooleanField(label=_("On my shelf"), required=False)
    sort = forms.ChoiceField(label=_("Sort by"), required=False, choices=list(SORTS.items()))

    def __init__(self, data: Any, *, has_shelf: bool) -> None:
        # `class` is the word that links from other pages use.
        values = data.copy()
        if "class" in values:
            values["unit_class"] = values["class"]
        super().__init__(values, auto_id="filter-%s", label_suffix="")
        if not has_shelf:
            del self.fields["shelf"]

    @property
    def is_narrow(self) -> bool:
        """Whether any filter is set, apart from the order; only for a valid form."""
        return any(value not in ("", None, False) for key, value in self.cleaned_data.items() if key != "sort")

    def select(self, units: QuerySet[CatalogueEntry], shelf: set[str]) -> QuerySet[CatalogueEntry]:
        """Return the units that pass the filters, in the chosen order; only for a valid form."""
        asked = self.cleaned_data
        units = _found(units, asked["q"])
        plain = {"unit_class": "unit_class", "rank": "rank", "least": "points__gte", "most": "points__lte"}
        plain["reach"] = "reach__gte"
        units = units.filter(**{look_up: asked[key] for key, look_up in plain.items() if asked[key] not in ("", None)})
        if asked["type"]:
            units = units.filter(types__contains=f" {asked['type']} ")
        if asked["equipment"]:
            units = units.filter(equipment__contains=f" {asked['equipment']} ")
        if asked.get("shelf"):
            units = units.filter(key__in=shelf)
        order = asked["sort"] or "class"
        if order == "class":
            return units.order_by(_CLASS_ORDER, "key")
        # Units without a dial have no such number: they come last, in every database.
        by = F(order[1:]).desc(nulls_last=True) if order.startswith("-") else F(order).asc(nulls_last=True)
        return units.order_by(by, "key")


class CardFilter(forms.Form):
    """The filters of the lists of pilots, cards, tokens and arenas. Only with `has_kinds` there is a filter by kind of
    pilot.
    """

    q = forms.CharField(label=_("Search"), required=False, max_length=80)
    kind = forms.ChoiceField(label=_("Kind"), required=False, choices=_choices(PILOT_KINDS, _("All kinds")))

    def __init__(self, data: Any, *, has_kinds: bool) -> None:
        super().__init__(data, auto_id="filter-%s", label_suffix="")
        if not has_kinds:
            del self.fields["kind"]

    def select(self, entries: QuerySet[CatalogueEntry]) -> QuerySet[CatalogueEntry]:
        """Return the entries that pass the filters, in order of id; only for a valid form."""
        entries = _found(entries, self.cleaned_data["q"])
        if self.cleaned_data.get("kind"):
            entries = entries.filter(rank=self.cleaned_data["kind"])
        return entries.order_by("key")


def page_of(entries: QuerySet[CatalogueEntry], number: str, *, by_name: bool = False) -> Page[CatalogueEntry]:
    """Return one page of a list. Text that is not a number gives the first page, a number out of range the last.

    With `by_name` the list is in the order of the names in the reader's language, which no database knows.
    """
    if not by_name:
        return Paginator(entries, PAGE_SIZE).get_page(number)
    names = sorted(entries.values_list("name", "key", "pk"), key=lambda row: (sort_key(row[0]), row[1]))
    page: Page[Any] = Paginator([row[2] for row in names], PAGE_SIZE).get_page(number)
    found = entries.in_bulk(list(page.object_list))
    page.object_list = [found[pk] for pk in page.object_list]
    return page
