"""What people ask of seasons: open one, found a stable, buy, sell, repair, hand in a line-up, start it, call time.

Each answers a form with a redirect to the page it came from and JSON with JSON. Refusals become 409 and malformed
input 400 in the site's middleware.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from catalogue.collections import usable_by
from matches.surroundings import Link
from rules.campaign.capital import STARTING_CAPITAL
from rules.campaign.classes import FORMATS, LARGEST_SEASON, WEIGHT_CLASSES
from rules.core.refusals import Malformed, SeasonRefused
from stables import page_words as words
from stables.models import Fixture, FixtureSide, Round, Season, Stable
from stables.services import garage, line_ups, market, openings, rounds, season_collections, seasons

View = Callable[..., HttpResponse]


def wants_json(request: HttpRequest) -> bool:
    """Return whether the client sends JSON, or would rather read it than HTML."""
    if request.content_type == "application/json":
        return True
    return request.get_preferred_type(["text/html", "application/json"]) != "text/html"


def for_people(view: View) -> View:
    """Let in those who are logged in: others are sent to log in, which the site makes a 401 in JSON. POST only."""

    @wraps(view)
    def guarded(request: HttpRequest, *arguments: Any, **names: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.META.get("HTTP_REFERER", "/"))
        return view(request, *arguments, **names)

    return require_POST(guarded)


def _input(request: HttpRequest) -> Mapping[str, Any]:
    """Return the fields of a form or of a JSON object. Raises Malformed (not_an_object)."""
    if request.content_type != "application/json":
        return request.POST.dict()
    try:
        document = json.loads(request.body)
    except ValueError as error:
        raise Malformed("not_an_object") from error
    if not isinstance(document, dict):
        raise Malformed("not_an_object")
    return document


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name, "")
    if not isinstance(value, str):
        raise Malformed("not_a_text", field=name)
    return value


def _given(fields: Mapping[str, Any], name: str) -> str:
    """Return a text that must be there. Raises Malformed (not_a_text, bad_field)."""
    value = _text(fields, name)
    if not value:
        raise Malformed("bad_field", field=name)
    return value


def _number(fields: Mapping[str, Any], name: str) -> int:
    value = fields.get(name)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63:
        return value
    raise Malformed("not_a_number", field=name)


def _yes(fields: Mapping[str, Any], name: str, default: bool) -> bool:
    """Return a choice of "yes" or "no", or a JSON truth value. Raises Malformed (setting_out_of_range)."""
    value = fields.get(name, default)
    if value in ("yes", "no") or isinstance(value, bool):
        return value in ("yes", True)
    raise Malformed("setting_out_of_range", setting=name, value=value)


def _own_stable(request: HttpRequest, season_slug: str, stable_slug: str) -> Stable:
    """Return the stable at this address. Raises Http404 when there is none, PermissionDenied for a rival's."""
    stable = get_object_or_404(Stable.objects.select_related("season"), season__slug=season_slug, slug=stable_slug)
    if stable.owner_id is None or stable.owner_id != request.user.pk:
        raise PermissionDenied
    return stable


def _organised(request: HttpRequest, season_slug: str) -> Season:
    """Return the season at this address. Raises Http404 when there is none, PermissionDenied but for its organiser."""
    season = get_object_or_404(Season, slug=season_slug)
    if season.organiser_id is None or season.organiser_id != request.user.pk:
        raise PermissionDenied
    return season


def _answer(request: HttpRequest, outcome: Any, sentence: str, address: str, status: int = 200) -> HttpResponse:
    if wants_json(request):
        return JsonResponse(asdict(outcome) if outcome is not None else {}, status=status)
    messages.success(request, sentence)
    return redirect(address or "/")


@require_http_methods(["GET", "HEAD", "POST"])
def open_season(request: HttpRequest) -> HttpResponse:
    """The form to open a season, for people who are logged in; a POST opens it (see `create_season`)."""
    if request.method == "POST":
        return create_season(request)
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    context = {
        "classes": [(key, words.word(words.CLASSES, key), STARTING_CAPITAL[key]) for key in WEIGHT_CLASSES],
        "most_ai_stables": LARGEST_SEASON - 1,
        "longest_name": openings.LONGEST_NAME,
        "collections": usable_by(request.user),
        "formats": [words.word(words.FORMATS, key) for key in FORMATS],
        "crumbs": [Link(gettext("Seasons"), reverse("stables:home"))],
    }
    return render(request, "stables/open_season.html", context)


@for_people
def create_season(request: HttpRequest) -> HttpResponse:
    """Open a season with the asking person as organiser.

    Fields: name, weight_class, ai_stables, and if wished loser_keeps_reputation ("yes", "no"), absence_pays, dials
    ("house", "printed"), collection (its address) and cycles (1 to 6, the book's first so many).
    """
    fields = _input(request)
    opened = openings.open_for_people(
        name=_text(fields, "name"),
        weight_class=_text(fields, "weight_class"),
        ai_stables=_number(fields, "ai_stables"),
        organiser=request.user,
        loser_keeps_reputation=_yes(fields, "loser_keeps_reputation", True),
        absence_pays=_number(fields, "absence_pays") if "absence_pays" in fields else 0,
        dials=_text(fields, "dials") if "dials" in fields else "house",
        collection=_text(fields, "collection") if "collection" in fields else "",
        cycles=_number(fields, "cycles") if "cycles" in fields else len(FORMATS),
    )
    sentence = gettext("Your season is open. Found a stable in it, tell others its address, and start it.")
    return _answer(request, opened, sentence, reverse("stables:season", args=[opened.slug]), 201)


@for_people
def found_stable(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Found a stable in a recruiting season. Field: name."""
    season = get_object_or_404(Season, slug=season_slug)
    if season.state == Season.State.DRAFT:
        raise SeasonRefused("season_closed_to_newcomers")
    founded = seasons.found_stable(season_id=season.pk, name=_text(_input(request), "name"), owner=request.user)
    address = Stable.objects.select_related("season").get(pk=founded.stable_id).get_absolute_url()
    sentence = gettext("Your stable is founded with {capital} Stones.").format(capital=founded.capital)
    return _answer(request, founded, sentence, address, 201)


@for_people
def buy(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Buy an asset. Fields: kind ("unit" or "pilot"), key (catalogue number)."""
    stable = _own_stable(request, season_slug, stable_slug)
    fields = _input(request)
    trade = market.buy(stable_id=stable.pk, kind=_given(fields, "kind"), key=_given(fields, "key"))
    sentence = gettext("{name} bought for {price} Stones.").format(name=trade.name, price=trade.price)
    return _answer(request, trade, sentence, stable.get_absolute_url(), 201)


@for_people
def sell(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Sell an asset back. Field: asset."""
    stable = _own_stable(request, season_slug, stable_slug)
    trade = market.sell(stable_id=stable.pk, asset_id=_number(_input(request), "asset"))
    sentence = gettext("{name} sold for {price} Stones.").format(name=trade.name, price=trade.price)
    return _answer(request, trade, sentence, stable.get_absolute_url())


@for_people
def repair(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Repair a unit. Field: asset."""
    stable = _own_stable(request, season_slug, stable_slug)
    bill = garage.repair(stable_id=stable.pk, asset_id=_number(_input(request), "asset"))
    mended = bill.repairs[0]
    sentence = gettext("{name} repaired for {price} Stones.").format(name=mended.name, price=mended.cost)
    return _answer(request, bill, sentence, stable.get_absolute_url())


@for_people
def order_repairs(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Say in what order units are repaired when a cycle closes.

    Fields: a place for each unit, `place_12` for asset 12, the smallest first; or `order`, a JSON list of assets.
    """
    stable = _own_stable(request, season_slug, stable_slug)
    order = garage.set_repair_order(stable_id=stable.pk, asset_ids=_order(_input(request)))
    return _answer(request, order, gettext("The order of your repairs is noted."), stable.get_absolute_url())


def _order(fields: Mapping[str, Any]) -> list[int]:
    """Return assets in order; of two in the same place the one that comes first in the form. Raises Malformed."""
    if "order" in fields:
        named = fields["order"]
        if not isinstance(named, list):
            raise Malformed("bad_field", field="order")
        return [_number({"order": entry}, "order") for entry in named]
    places = [name for name in fields if name.startswith("place_") and fields[name] != ""]
    if not places:
        raise Malformed("bad_field", field="order")
    ranked = sorted(places, key=lambda name: _number(fields, name))
    return [_number({name: name.removeprefix("place_")}, name) for name in ranked]


@for_people
def hand_in_line_up(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Hand in the line-up for the stable's open fixture.

    Fields: unit and pilot (or empty) by asset, or both as `crew` ("12-34"; "12-" without a pilot), the second crew of a
    match of two units as `crew_2`; the tokens as `tokens` ("T-001 T-002 T-003" or a list), or one each as `token_1` to
    `token_3`.
    """
    stable = _own_stable(request, season_slug, stable_slug)
    fields = _input(request)
    side = (
        FixtureSide.objects.filter(stable=stable, fixture__kind=Fixture.Kind.MATCH)
        .exclude(fixture__state=Fixture.State.SETTLED)
        .order_by("-id")
        .first()
    )
    if side is None:
        raise SeasonRefused("no_open_fixture")
    sealed = line_ups.submit(
        stable_id=stable.pk, fixture_id=side.fixture_id, crews=_crews(fields), tokens=_tokens(fields)
    )
    return _answer(request, sealed, gettext("Your line-up is handed in and sealed."), stable.get_absolute_url())


def _crews(fields: Mapping[str, Any]) -> list[line_ups.CrewChoice]:
    if "crew" not in fields:
        return [_crew(fields)]
    written = [_text(fields, name) for name in ("crew", "crew_2") if fields.get(name)]
    parts = [crew.partition("-") for crew in written]
    return [_crew({"unit": unit, "pilot": pilot}) for unit, _, pilot in parts]


def _crew(fields: Mapping[str, Any]) -> line_ups.CrewChoice:
    return line_ups.CrewChoice(_number(fields, "unit"), _number(fields, "pilot") if fields.get("pilot") else None)


def _tokens(fields: Mapping[str, Any]) -> list[str]:
    tokens = fields.get("tokens")
    if tokens is None:
        tokens = [fields[name] for name in ("token_1", "token_2", "token_3") if fields.get(name)]
    keys = tokens.split() if isinstance(tokens, str) else tokens
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise Malformed("not_a_text", field="tokens")
    return keys


@for_people
def start_season(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Start a recruiting season; its organiser only."""
    season = _organised(request, season_slug)
    seasons.start_season(season_id=season.pk)
    return _answer(request, None, gettext("The season has begun."), season.get_absolute_url())


@for_people
def take_up_collection(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Play a recruiting season with a collection (field `collection`, "" for none); its organiser only."""
    season = _organised(request, season_slug)
    slug = str(_input(request).get("collection", ""))
    taken = season_collections.take_up(season_id=season.pk, organiser=request.user, slug=slug)
    return _answer(request, taken, gettext("The season plays with these units now."), season.get_absolute_url())


@for_people
def make_collection(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Make a collection for this season alone (field `name`); its organiser only."""
    season = _organised(request, season_slug)
    name = _text(_input(request), "name")
    made = season_collections.make_for_season(season_id=season.pk, organiser=request.user, name=name)
    sentence = gettext("Send the collection a file, then take it up on the season’s page.")
    return _answer(request, None, sentence, reverse("catalogue:collection", args=[made.slug]), 201)


@for_people
def start_cycle(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Close the market and start the next cycle of a running season; its organiser only."""
    season = _organised(request, season_slug)
    seasons.start_cycle(season_id=season.pk)
    return _answer(request, None, gettext("The cycle has begun."), season.get_absolute_url())


@for_people
def call_time(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Wait no longer for line-ups of the newest round; the season's organiser only."""
    season = _organised(request, season_slug)
    newest = Round.objects.filter(cycle__season=season).order_by("-cycle__number", "-number").first()
    if newest is None:
        raise SeasonRefused("no_round_to_call", state=season.get_state_display())
    called = rounds.call_time(round_id=newest.pk)
    return _answer(request, called, gettext("Time is up for line-ups of this round."), season.get_absolute_url())
