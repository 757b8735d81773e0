"""The catalogue's reading pages: lists with search and filters, and a page for each definition."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from catalogue.forms.listing import CardFilter, UnitFilter, page_of
from catalogue.host import offer_of
from catalogue.models import CatalogueEntry, CatalogueRelease, Collection
from catalogue.presenters import definitions
from catalogue.presenters.arena_picture import build_arena
from catalogue.presenters.arena_words import in_words
from catalogue.presenters.dial_picture import base_view, combat_wheel, heat_wheel
from catalogue.presenters.unit_poster import unit_poster
from catalogue.selectors import releases
from catalogue.services import collections
from catalogue.text import labels
from people.views.pictures import picture_of
from rules.catalogue.vocabulary import DIAL_VALUES, KINDS
from rules.core.table_units import is_table_only
from rules.core.words import HEAT_VALUES
from web.crumbs import Link
from web.languages.words import sort_key

ADDRESSES = {
    "units": "units",
    "pilots": "pilots",
    "gear": "gear",
    "rally_cards": "rally-cards",
    "target_tokens": "target-tokens",
    "arenas": "arenas",
}
"""Kind -> its part of the addresses under /catalogue/."""


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show the units of a release (`?release=HASH`, `?collection=ADDRESS`, or the latest without either), filtered by
    `UnitFilter`. Answer 404 for a release that is unknown or hidden, and for an unknown filter.
    """
    release = release_asked(request)
    shelf = collections.owned_miniatures(request.user)
    form = UnitFilter(request.GET, has_shelf=request.user.is_authenticated)
    if not form.is_valid():
        raise Http404
    context = {**frame(request, release, "units"), "form": form, "shelf": shelf}
    if release is not None:
        units = form.select(releases.entries(release, "units"), shelf)
        page = page_of(units, request.GET.get("page", ""), by_name=form.cleaned_data["sort"] == "name")
        context |= {"page": page, "units": [definitions.unit_card(item, shelf) for item in page]}
    return render(request, "catalogue/index.html", context)


@require_safe
def cards(request: HttpRequest, kind: str) -> HttpResponse:
    """Show the list of one kind other than units, filtered by `CardFilter`. Answer 404 as `index` does."""
    release = release_asked(request)
    form = CardFilter(request.GET, has_kinds=kind == "pilots")
    if not form.is_valid():
        raise Http404
    context = {**frame(request, release, kind), "form": form}
    if release is not None:
        page = page_of(form.select(releases.entries(release, kind)), request.GET.get("page", ""))
        names = definitions.unit_names(release, page)
        context |= {"page": page, "rows": [definitions.card_row(item, names) for item in page]}
    return render(request, "catalogue/cards.html", context)


@require_safe
def unit(request: HttpRequest, key: str) -> HttpResponse:
    """Show one unit with its dials as tables and as drawings, its base, its cost and its record; 404 when unknown. For
    a unit without a dial a sentence says so instead.
    """
    release, found = _found(request, "units", key)
    shelf = collections.owned_miniatures(request.user)
    scope = scope_of(request)
    context = {
        **frame(request, release, "units"),
        "crumbs": [
            Link(gettext("Catalogue"), reverse("catalogue:index") + (f"?{scope}" if scope else "")),
            Link(found.key),
        ],
        "unit": definitions.unit_card(found, shelf),
        "picture_url": reverse("catalogue:unit_picture", args=[key]) + (f"?{scope}" if scope else ""),
        "records": definitions.records_table("units", key),
        "offer": offer_of(request.user, "units", key, release.content_hash, request.GET.dict()),
        **({} if is_table_only(found.definition) else _dials(found.definition)),
    }
    return render(request, "catalogue/unit.html", context)


@require_safe
def unit_picture(request: HttpRequest, key: str) -> HttpResponse:
    """Send the picture of a unit to people who may see its page; 404 when unknown. Raises TooOften."""
    release, found = _found(request, "units", key)
    return picture_of(request, unit_poster(found), is_open=release.is_builtin)


def _dials(definition: Mapping[str, Any]) -> dict[str, Any]:
    """Return the dials and the base of a unit as tables and as drawings."""
    return {
        "base": [
            (labels.name(value), labels.name(definition[value]["type"]), definition[value])
            for value in ("primary", "secondary")
        ],
        "base_view": base_view(definition),
        "dial": definitions.dial_rows(definition),
        "dial_columns": definitions.column_names(DIAL_VALUES),
        "wheel": combat_wheel(definition),
        "heat": definitions.heat_rows(definition),
        "heat_columns": definitions.column_names(HEAT_VALUES),
        "heat_wheel": heat_wheel(definition),
        "marks": definitions.marks_of(definition),
    }


@require_safe
def card(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Show one pilot, gear card, rally card or target token; 404 when unknown."""
    release, found = _found(request, kind, key)
    names = definitions.unit_names(release, [found])
    context = {
        **frame(request, release, kind),
        "card": definitions.card_row(found, names),
        "records": definitions.records_table(kind, key),
        "offer": offer_of(request.user, kind, key, release.content_hash, request.GET.dict()),
        "unit_names": names,
    }
    return render(request, "catalogue/card.html", context)


@require_safe
def arena(request: HttpRequest, key: str) -> HttpResponse:
    """Show one arena with its picture; 404 when unknown."""
    release, found = _found(request, "arenas", key)
    board = build_arena(found.definition)
    shown = {"arena": found, "board": board, "words": in_words(board.hexes, {})}
    context = {**frame(request, release, "arenas"), **shown}
    return render(request, "catalogue/arena.html", context)


def frame(request: HttpRequest, release: CatalogueRelease | None, kind: str) -> dict[str, Any]:
    """Return the context that every page of the catalogue shares; `kind` is the section of the page."""
    listed = collections.listed_to(request.user).filter(versions__isnull=False)
    return {
        "release": release,
        "scope": scope_of(request),
        "kind": kind,
        "kinds": [(word, ADDRESSES[word], labels.name(word)) for word in KINDS],
        # Not every page of the frame lists them.
        "collections": SimpleLazyObject(lambda: by_name(listed.distinct()[:50])),
        "asked_collection": request.GET.get("collection", ""),
    }


def by_name(listed: Iterable[Collection]) -> list[Collection]:
    """Return collections in the order of the reader's alphabet."""
    return sorted(listed, key=lambda collection: sort_key(collection.name))


def scope_of(request: HttpRequest) -> str:
    """Return the query string that keeps a reader in the release or collection they look at, without the `?`."""
    kept = request.GET.copy()
    for name in list(kept):
        if name not in ("release", "collection"):
            del kept[name]
    return kept.urlencode()


def release_asked(request: HttpRequest) -> CatalogueRelease | None:
    """Return the release of a request: the newest of `?collection=`, that of `?release=`, or the latest one (None when
    no release is loaded). Raises Http404 for a collection or release that is unknown or hidden.
    """
    slug, pinned = request.GET.get("collection"), request.GET.get("release")
    if slug:
        collection = collections.visible_to(request.user).filter(slug=slug).first()
        version = collections.latest_version(collection) if collection else None
        if version is None:
            raise Http404
        return version.release
    if not pinned:
        return releases.latest_release()
    try:
        return releases.release(pinned)
    except CatalogueRelease.DoesNotExist:
        raise Http404 from None


def _found(request: HttpRequest, kind: str, key: str) -> tuple[CatalogueRelease, CatalogueEntry]:
    release = release_asked(request)
    if release is None:
        raise Http404
    try:
        return release, releases.entry(release, kind, key)
    except CatalogueEntry.DoesNotExist:
        raise Http404 from None
