"""Sheets to print on A4: unit cards, two on a page while their dials are short, and arena maps, one on a page."""

from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from catalogue import pages, selectors
from catalogue.arena_picture import build_arena
from catalogue.dial_picture import base_view
from catalogue.models import CatalogueEntry
from catalogue.views import release_asked
from rules.catalogue.vocabulary import DIAL_VALUES, HEAT_VALUES

MOST_SHEETS = 40
HALF_PAGE_CLICKS = 18
HALF_PAGE_STEPS = 9
HALF_PAGE_MARKS = 8
"""The longest dials, and the most entries of the legend, that half an A4 page holds in readable lines."""


@require_safe
def sheets(request: HttpRequest) -> HttpResponse:
    """Print sheets of the units and arenas named (`unit=`, `arena=`, any number), in the order named."""
    release = release_asked(request)
    units, arenas = request.GET.getlist("unit"), request.GET.getlist("arena")
    if release is None or not 1 <= len(units) + len(arenas) <= MOST_SHEETS:
        raise Http404
    found = {item.key: item for item in selectors.entries(release, "units", key__in=units)}
    maps = {item.key: item for item in selectors.entries(release, "arenas", key__in=arenas)}
    if not (set(units) <= found.keys() and set(arenas) <= maps.keys()):
        raise Http404
    return sheets_of(request, [found[key] for key in units], [maps[key] for key in arenas])


def sheets_of(
    request: HttpRequest, units: Iterable[CatalogueEntry], arenas: Iterable[CatalogueEntry], back: str = ""
) -> HttpResponse:
    """The page with a sheet for each of these definitions; `back` is where its link leads, else the catalogue."""
    context = {
        "back": back or reverse("catalogue:index"),
        "cards": [_card(entry) for entry in units],
        "dial_columns": pages.column_names(DIAL_VALUES),
        "heat_columns": pages.column_names(HEAT_VALUES),
        "maps": [{"arena": entry, "board": build_arena(entry.definition)} for entry in arenas],
    }
    return render(request, "catalogue/sheets.html", context)


def _card(entry: CatalogueEntry) -> dict[str, Any]:
    unit = entry.definition
    marks = pages.marks_of(unit)
    return {
        "unit": pages.unit_card(entry),
        "dial": pages.dial_rows(unit),
        "heat": pages.heat_rows(unit),
        "base_view": base_view(unit),
        "marks": marks,
        "is_half": len(unit["dial"]) <= HALF_PAGE_CLICKS
        and len(unit["heat"]) <= HALF_PAGE_STEPS
        and len(marks) <= HALF_PAGE_MARKS,
    }
