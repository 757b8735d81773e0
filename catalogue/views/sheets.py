"""Sheets to print on A4: unit cards, two on a page when their dials are short, and arena maps, one on a page.

An arena can also be printed at true size, on several sheets of A4 or A3.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from catalogue.models import CatalogueEntry, CatalogueRelease
from catalogue.presenters import definitions
from catalogue.presenters.arena_picture import build_arena
from catalogue.presenters.dial_picture import base_view
from catalogue.presenters.tiles import BORDER, NARROWEST, PAPERS, USUAL, WIDEST, places_of, tiles_of
from catalogue.selectors import releases
from catalogue.text import labels
from catalogue.views.browsing import release_asked, scope_of
from rules.catalogue.vocabulary import DIAL_VALUES
from rules.core.digits import whole_number
from rules.core.table_units import is_table_only
from rules.core.words import HEAT_VALUES
from web.crumbs import Link
from web.languages.words import sort_key

MOST_SHEETS = 40
HALF_PAGE_CLICKS = 18
HALF_PAGE_STEPS = 9
HALF_PAGE_MARKS = 8
"""The most clicks, heat steps and legend entries that half an A4 page holds in readable lines."""
HALF_PAGE_LINES = 5
"""The lines about a unit's cards that fit on half a page under the longest dials that fit. Shorter dials leave more."""
FLAGS = 2
"""The flags of a match, one for each side (R-FMT-14)."""
LETTERS_A_LINE = 105
"""The number of small letters that fit on a line."""


@dataclass(frozen=True)
class Aboard:
    """A unit in use: `label` names its owner, `damage` counts clicks off the start marker.

    `lines` are the cards on it, each with its kind, name and effect.
    """

    label: str
    damage: int
    is_eliminated: bool = False
    lines: tuple[tuple[str, str, str], ...] = ()

    @property
    def height(self) -> int:
        """The most lines of text that the label and the cards take on a sheet."""
        texts = [f"{self.label} {'-' * 45}", *(" ".join(line) for line in self.lines)]
        return sum(1 + _letters(text) // LETTERS_A_LINE for text in texts)


def _letters(text: str) -> int:
    """Return the width of a text in small letters. A capital counts as two, and so does a character above U+2E80."""
    return sum(2 if character.isupper() or character > "\u2e80" else 1 for character in text)


@require_safe
def sheets(request: HttpRequest) -> HttpResponse:
    """Show sheets to print: the named units (`unit=`), then the named arenas (`arena=`), each in the order of the
    request. Answer 404 for more than 40 sheets and for unknown names.

    Without a name, show a form that asks what to print.
    """
    release = release_asked(request)
    units, arenas = request.GET.getlist("unit"), request.GET.getlist("arena")
    if release is not None and not units and not arenas:
        return _choose(request, release)
    if release is None or not 1 <= len(units) + len(arenas) <= MOST_SHEETS:
        raise Http404
    found = {item.key: item for item in releases.entries(release, "units", key__in=units)}
    maps = {item.key: item for item in releases.entries(release, "arenas", key__in=arenas)}
    if not (set(units) <= found.keys() and set(arenas) <= maps.keys()):
        raise Http404
    return sheets_of(request, [found[key] for key in units], [maps[key] for key in arenas])


def _choose(request: HttpRequest, release: CatalogueRelease) -> HttpResponse:
    """Show the units and arenas of a release as a form; two queries."""
    context = {
        "crumbs": [Link(gettext("Catalogue"), reverse("catalogue:index"))],
        "release": release,
        "most": MOST_SHEETS,
        "arenas": releases.entries(release, "arenas"),
        "units": releases.entries(release, "units"),
    }
    return render(request, "catalogue/sheets_choose.html", context)


def sheets_of(
    request: HttpRequest, units: Iterable[CatalogueEntry], arenas: Iterable[CatalogueEntry], back: str = ""
) -> HttpResponse:
    """Show the page with a sheet for each of these units and arenas. Its link back goes to `back`, or to the catalogue
    without it.
    """
    context = {
        "back": back or reverse("catalogue:index"),
        "cards": [card_of(entry) for entry in units],
        **columns(),
        "maps": [map_of(entry) for entry in arenas],
    }
    return render(request, "catalogue/sheets.html", context)


def columns() -> dict[str, list[str]]:
    """Return the headings of the dials for catalogue/sheet_card.html."""
    return {
        "dial_columns": [str(labels.DIAL_HEADS[value]) for value in DIAL_VALUES],
        "heat_columns": [str(labels.DIAL_HEADS[value]) for value in HEAT_VALUES],
    }


def card_of(entry: CatalogueEntry, aboard: Aboard | None = None) -> dict[str, Any]:
    """Return the context of catalogue/sheet_card.html for a unit: as new, or in use with its damage and cards
    (`aboard`).
    """
    unit = entry.definition
    if is_table_only(unit):
        return _without_dial(entry, aboard)
    marks = definitions.marks_of(unit)
    clicks = len(unit["dial"])
    lost = 0 if aboard is None else clicks if aboard.is_eliminated else min(aboard.damage, clicks)
    return {
        "unit": definitions.unit_card(entry),
        "dial": definitions.dial_rows(unit),
        "heat": definitions.heat_rows(unit),
        "base_view": base_view(unit),
        "marks": marks,
        "aboard": aboard,
        "lost": lost,
        "is_half": clicks <= HALF_PAGE_CLICKS
        and len(unit["heat"]) <= HALF_PAGE_STEPS
        and len(marks) <= HALF_PAGE_MARKS
        and (aboard is None or aboard.height <= HALF_PAGE_LINES + _spare(unit)),
    }


def _without_dial(entry: CatalogueEntry, aboard: Aboard | None) -> dict[str, Any]:
    """Return the context of a sheet for a unit without a dial: its base, and boxes for its damage if it says how many
    clicks it has.
    """
    clicks = entry.clicks or 0
    lost = 0 if aboard is None else clicks if aboard.is_eliminated else min(aboard.damage, clicks)
    return {
        "unit": definitions.unit_card(entry),
        "aboard": aboard,
        "boxes": [(number, number <= lost) for number in range(1, clicks + 1)],
        "is_half": aboard is None or aboard.height <= HALF_PAGE_LINES,
    }


def _spare(unit: Mapping[str, Any]) -> int:
    """Return the number of lines that a unit's dials leave free on half a page, below 0 when they do not fit."""
    return min(HALF_PAGE_CLICKS - len(unit["dial"]), HALF_PAGE_STEPS - len(unit["heat"]))


def map_of(entry: CatalogueEntry) -> dict[str, Any]:
    """Return the context of catalogue/sheet_map.html for an arena: its picture, and its starting hexes by letter."""
    starts: Mapping[str, Any] = entry.definition.get("starts", {})
    return {
        "arena": entry,
        "board": build_arena(entry.definition),
        "starts": [(letter, ", ".join(sorted(codes))) for letter, codes in sorted(starts.items())],
    }


@require_safe
def arena_tiles(request: HttpRequest, key: str) -> HttpResponse:
    """Show an arena at true size, cut into sheets of a paper: `hex` is the width of a hex in millimetres, `paper` is
    "a4" or "a3". Answer 404 for an unknown arena, paper or width.
    """
    release = release_asked(request)
    found = None if release is None else releases.entries(release, "arenas", key=key).first()
    if found is None:
        raise Http404
    asked = _true_size(request)
    board = build_arena(found.definition)
    context = asked | {
        "title": found.name,
        "arena": found,
        "board": board,
        "tiling": tiles_of(board, asked["hex_width"], asked["paper"]),
        "border": BORDER,
        "back": reverse("catalogue:arena", args=[found.key]) + asked["query"],
    }
    return render(request, "catalogue/arena_tiles.html", context)


@require_safe
def token_sheet(request: HttpRequest) -> HttpResponse:
    """Show the target tokens of a release at true size, and the two flags. Asks as `arena_tiles`."""
    release = release_asked(request)
    if release is None:
        raise Http404
    asked = _true_size(request)
    tokens = list(releases.entries(release, "target_tokens"))
    statistics = {labels.name(token.definition.get("statistics", "imported")) for token in tokens}
    drawn: list[CatalogueEntry | None] = [*tokens, *[None] * FLAGS]
    places = places_of(len(drawn), asked["hex_width"], asked["paper"])
    left = iter(drawn)
    context = asked | {
        "title": gettext("Target tokens and flags"),
        "places": places,
        "statistics": ", ".join(sorted(statistics, key=sort_key)),
        "sheets": [[(x, y, _face(next(left))) for x, y in sheet] for sheet in places.sheets],
        "back": reverse("catalogue:target_tokens") + asked["query"],
    }
    return render(request, "catalogue/token_sheet.html", context)


def _face(entry: CatalogueEntry | None) -> dict[str, Any]:
    """Return what stands on a token; a flag, None, has its word only."""
    if entry is None:
        return {"name": gettext("Flag"), "defense": None}
    token = entry.definition
    return {
        "name": entry.name,
        "defense": token["defense"],
        "armor": labels.name(token["armor"] or ""),
        "method": labels.name(token["method"]),
        "rp": f"{token['rp']} / {token['else_rp']}",
    }


def _true_size(request: HttpRequest) -> dict[str, Any]:
    """Return the width of a hex and the paper that are asked for, and the form that asks. Raises Http404 for others."""
    width, paper = whole_number(request.GET.get("hex", str(USUAL)), 2), request.GET.get("paper", "a4")
    if width is None or not NARROWEST <= width <= WIDEST or paper not in PAPERS:
        raise Http404
    scope = scope_of(request)
    return {
        "hex_width": width,
        "narrowest": NARROWEST,
        "widest": WIDEST,
        "paper": paper,
        "papers": list(PAPERS),
        "kept_query": [(name, request.GET[name]) for name in ("release", "collection") if name in request.GET],
        "query": f"?{scope}" if scope else "",
        "scope": f"&{scope}" if scope else "",
    }
