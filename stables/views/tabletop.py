"""Beside a real table: the page, the marks that its phones send, the second player on one phone, and the worker that
keeps the page without a network.

Marks come as JSON ({"since", "marks": [{"uid", "side", "at", "mark"}]}) or, one by one, from plain forms (field mark).
"""

from __future__ import annotations

import json
import secrets
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from rules.campaign.results.tabletop_counts import DICE
from rules.core.refusals import Malformed, SeasonRefused
from rules.wording import sentence
from stables.models import Fixture, FixtureSide, SeasonRole
from stables.presenters.fixture import find_fixture, title_of
from stables.presenters.results import names_of
from stables.presenters.season_parts import home_crumb
from stables.presenters.tabletop import Tabletop, lines_of, tabletop_context, version_of
from stables.services.results import reports, tabletop
from stables.views.frame import answer, for_people
from web.crumbs import Link
from web.problems import answers_json
from web.reading import number_of, text_of

MOST_BYTES = 100_000
"""The most bytes of a message from a phone; a hundred marks take a third of them."""

GUESTS = "table_guests"
"""The session's key for guests, owners who let its phone count for them too: fixture -> account -> proof."""


def _address(name: str, fixture: Fixture) -> str:
    return reverse(f"stables:{name}", args=[fixture.round.cycle.season.slug, fixture.pk])


def _phone(request: HttpRequest, fixture: Fixture, *, is_form: bool = False) -> tabletop.Phone:
    """Return whom the phone counts for: its own person, and the guests who typed their passwords on it."""
    guests = request.session.get(GUESTS, {}).get(str(fixture.pk), {})
    sides: dict[str, int] = {}
    for side in _playing(fixture):
        owner = side.stable.owner
        if owner is not None and owner.pk == request.user.pk:
            sides = {side.side: owner.pk, **sides}
        elif owner is not None and guests.get(str(owner.pk)) == owner.get_session_auth_hash():
            sides.setdefault(side.side, owner.pk)
    return tabletop.Phone(sides, is_form)


def _playing(fixture: Fixture) -> list[FixtureSide]:
    return [side for side in fixture.sides.all() if not side.forfeits]


def _require_at_it(request: HttpRequest, fixture: Fixture) -> None:
    """Let in the fixture's players and people who run or judge the season; one query. Raises PermissionDenied."""
    if any(side.stable.owner_id == request.user.pk for side in _playing(fixture)):
        return
    season = fixture.round.cycle.season
    if season.organiser_id == request.user.pk:
        return
    if not SeasonRole.objects.filter(season=season, user=request.user.pk).exists():
        raise PermissionDenied


@require_safe
@never_cache
def show(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
    """Show the page beside the table to the match's players; people who run or judge the season only watch."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    fixture = find_fixture(season_slug, fixture_id)
    _require_at_it(request, fixture)
    phone = _phone(request, fixture)
    counted = Tabletop(fixture)
    others = [side for side in _playing(fixture) if side.stable.owner_id not in (None, request.user.pk)]
    is_player = len(others) < sum(side.stable.owner_id is not None for side in _playing(fixture))
    season = fixture.round.cycle.season
    title = title_of(fixture, fixture.sides.all())
    context = tabletop_context(counted, list(phone.sides), request.user) | {
        "title": title,
        "addresses": {
            name: _address(name, fixture)
            for name in ("table_mark", "table_marks", "table_guest", "table_confirm", "report_result", "confirm_report")
        },
        "others": [side.stable for side in others] if is_player else [],
        "guests": [side.stable for side in others if side.side in phone.sides],
        "crumbs": [
            home_crumb(),
            Link(season.name, season.get_absolute_url()),
            Link(title, _address("fixture", fixture)),
        ],
    }
    return render(request, "stables/table.html", context)


@for_people
def mark(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
    """Make one mark by a plain form, rolling the dice if it is a roll. Field: mark, {"side", "mark"} as JSON."""
    fixture = find_fixture(season_slug, fixture_id)
    _require_at_it(request, fixture)
    tabletop.require_open(fixture)
    try:
        document = json.loads(text_of(request.POST.dict(), "mark"))
    except (ValueError, RecursionError) as error:
        raise Malformed("not_an_object") from error
    what = document.get("mark") if isinstance(document, dict) else None
    if not isinstance(what, dict):
        raise Malformed("not_an_object")
    if what.get("kind") == "roll":
        count = DICE.get(str(what.get("purpose")), 1)
        what = {**what, "dice": [secrets.randbelow(6) + 1 for _ in range(count)], "by": "site"}
    sent = {"uid": str(uuid4()), "side": document.get("side"), "mark": what}
    phone = _phone(request, fixture, is_form=True)
    for refused in tabletop.take_marks(fixture=fixture, sides=_sides(fixture), phone=phone, documents=[sent]):
        raise refused.problem
    unit = what.get("unit")
    return redirect(_address("table", fixture) + (f"#{unit}" if isinstance(unit, str) and unit.isascii() else ""))


def _sides(fixture: Fixture) -> list[FixtureSide]:
    return list(fixture.sides.all())


@answers_json
@for_people
def marks(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
    """Store the marks of a phone, and answer with those of all phones since its cursor. Each id counts once.

    The answer is {"cursor", "version", "marks", "refused": [{"uid", "code", "detail"}]}.
    """
    if len(request.body) > MOST_BYTES:
        raise Malformed("table_batch_too_large", most=tabletop.MOST_AT_ONCE)
    fixture = find_fixture(season_slug, fixture_id)
    _require_at_it(request, fixture)
    tabletop.require_at_table(fixture)
    fields = _document(request)
    since = fields.get("since", 0)
    if type(since) is not int or not 0 <= since < 2**63:
        raise Malformed("not_a_number", field="since")
    documents = fields.get("marks", [])
    if not isinstance(documents, list):
        raise Malformed("bad_field", field="marks")
    names = names_of(_sides(fixture))
    refused = tabletop.take_marks(
        fixture=fixture, sides=_sides(fixture), phone=_phone(request, fixture), documents=documents
    )
    stored = tabletop.stored_marks(fixture, since)
    facts: dict[str, Any] = {
        "cursor": stored[-1].pk if stored else since,
        "version": version_of(fixture, reports.newest_reports(fixture)),
        "marks": lines_of(stored, names),
        "refused": [
            {
                "uid": each.uid,
                "code": each.problem.code,
                "detail": sentence(each.problem.code, each.problem.parameters, gettext),
            }
            for each in refused
        ],
    }
    return JsonResponse(facts)


def _document(request: HttpRequest) -> dict[str, Any]:
    """Return the JSON object that was sent. Raises Malformed (not_an_object)."""
    try:
        document = json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise Malformed("not_an_object") from error
    if not isinstance(document, dict):
        raise Malformed("not_an_object")
    return document


# One phone for two -----------------------------------------------------------------------------------------------


def _other(request: HttpRequest, fixture: Fixture) -> tuple[FixtureSide, Any]:
    """Return the side and the account of another player, who types their password on this phone.

    Fields: stable (its number), password. Raises Malformed (not_a_number, bad_field), PermissionDenied or
    SeasonRefused (table_wrong_password).
    """
    fields = request.POST.dict()
    playing = _playing(fixture)
    if all(side.stable.owner_id != request.user.pk for side in playing):
        raise PermissionDenied
    number = number_of(fields, "stable")
    side = next((each for each in playing if each.stable.number == number), None)
    owner = None if side is None else side.stable.owner
    if side is None or owner is None or owner.pk == request.user.pk:
        raise Malformed("bad_field", field="stable")
    # Failures are counted, and lock out, like those of logging in.
    found = authenticate(request, username=owner.username, password=text_of(fields, "password"))
    if found is None or found.pk != owner.pk:
        raise SeasonRefused("table_wrong_password", name=owner.get_username())
    return side, owner


@for_people
def guest(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
    """Let this phone count for another player of the match too, until its person logs out. Fields: stable, password."""
    fixture = find_fixture(season_slug, fixture_id)
    tabletop.require_open(fixture)
    _, owner = _other(request, fixture)
    guests = request.session.get(GUESTS, {})
    guests.setdefault(str(fixture.pk), {})[str(owner.pk)] = owner.get_session_auth_hash()
    request.session[GUESTS] = guests
    messages.success(request, gettext("This phone counts for both of you now."))
    return redirect(_address("table", fixture))


@for_people
def confirm(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
    """Confirm a report as another player, on this phone. Fields: report (its id), stable (its number), password."""
    fixture = find_fixture(season_slug, fixture_id)
    side, owner = _other(request, fixture)
    filed = reports.confirm_report(
        fixture_id=fixture.pk,
        stable_id=side.stable_id,
        report_id=number_of(request.POST.dict(), "report"),
        user=owner,
    )
    text = gettext("The result is settled.") if filed.settled else gettext("Your word is noted; others are waited for.")
    return answer(request, text, _address("fixture", fixture))


# Without a network -----------------------------------------------------------------------------------------------


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Serve the worker that keeps the page of a table on a phone. Each page registers it for its own address alone."""
    script = (settings.BASE_DIR / "static" / "js" / "table-worker.js").read_text(encoding="utf-8")
    served = HttpResponse(script, content_type="text/javascript; charset=utf-8")
    served["Service-Worker-Allowed"] = "/seasons/"
    served["Cache-Control"] = "no-cache"
    return served
