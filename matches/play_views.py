"""The addresses of people who play: the page of a match, one step of it, and whether anything is new."""

from __future__ import annotations

from http import HTTPStatus
from urllib.parse import urlencode
from uuid import UUID

from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from matches.choosing import narrowed
from matches.models import Match
from matches.playing import is_current, looking, play_page, version_for
from matches.selectors import find_match, rebuild, sides_of
from matches.services import play_action
from rules.competition.match import Match as EngineMatch
from rules.core.refusals import Refused

NO_ANSWERS = ("at", "seen", "kind", "unit", "leave", "confirm", "csrfmiddlewaretoken")
"""Fields of the page's forms and addresses that are no answers to a question."""

OVERTAKEN = ("stale_action", "match_over", "not_your_unit")
VERSIONS_LAST = 3600
"""Seconds for which the version of a step is remembered."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def play(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """GET: the page, with the answer as far as the address chooses it. POST: play the answer; 409 when it came late.

    Who does not play is led to the public page, or refused (403).
    """
    match = find_match(public_id)
    sides = sides_of(match, request.user)
    if not sides:
        if request.method == "POST":
            raise PermissionDenied
        return redirect(match)
    if request.method == "POST":
        return _leave(request, match, sides) if "leave" in request.POST else _answer(request, match, sides)
    answers = _answers(request.GET.dict())
    is_late = "at" in request.GET and not is_current(match, request.GET["at"])
    notice = gettext("The match has gone on since. What is open now stands below.") if is_late else ""
    return _show(request, match, sides, {} if is_late else answers, notice)


@never_cache
@require_safe
def changes(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """204 while the page that has `?version=` still shows what is; else the new version. Asked once a second."""
    match = find_match(public_id)
    sides = sides_of(match, request.user)
    if not sides:
        raise PermissionDenied
    version = cache.get_or_set(
        f"matches.version:{match.public_id}:{match.last_sequence}:{'+'.join(sides)}",
        lambda: version_for(match, rebuild(match), sides),
        VERSIONS_LAST,
    )
    if version == request.GET.get("version"):
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return JsonResponse({"version": version})


def _answers(fields: dict[str, str]) -> dict[str, str]:
    return {key: word for key, word in fields.items() if key not in NO_ANSWERS}


def _show(
    request: HttpRequest,
    match: Match,
    sides: tuple[str, ...],
    answers: dict[str, str],
    notice: str = "",
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    page = play_page(match, rebuild(match), sides, answers, is_leaving=request.GET.get("leave") == "surrender")
    context = {"page": page, "board": page.board, "notice": notice, "open_form": reverse("matches:new")}
    return render(request, "matches/play.html", context, status=status)


def _answer(request: HttpRequest, match: Match, sides: tuple[str, ...]) -> HttpResponse:
    answers = _answers(request.POST.dict())
    engine = rebuild(match)
    decision = engine.decision
    if decision is None or decision.side not in sides or not is_current(match, request.POST.get("seen", "")):
        return _late(request, match, sides, answers)
    found = narrowed(engine, answers)
    if found.action is None:
        return HttpResponseRedirect(f"{request.path}?{urlencode(answers)}")
    try:
        play_action(match.pk, decision.side, match.last_sequence, found.action)
    except Refused as refused:
        if refused.code not in OVERTAKEN:
            raise
        return _late(request, match, sides, answers)
    return HttpResponseRedirect(request.path)


def _late(request: HttpRequest, match: Match, sides: tuple[str, ...], answers: dict[str, str]) -> HttpResponse:
    """The page as it is now, with what was chosen where the same unit is still asked the same."""
    match = find_match(match.public_id)
    decision = rebuild(match).decision
    asked = (request.POST.get("kind"), request.POST.get("unit"))
    is_same = decision is not None and asked == (decision.kind, decision.unit)
    notice = gettext(
        "This came too late: the match has gone on, perhaps in another tab or by a second click. Nothing was changed."
    )
    if is_same:
        notice += " " + gettext("What you chose is kept below; look at it again before you play it.")
    return _show(request, match, sides, answers if is_same else {}, notice, HTTPStatus.CONFLICT)


def _leave(request: HttpRequest, match: Match, sides: tuple[str, ...]) -> HttpResponse:
    """Agree to end the match, or surrender, which must be confirmed."""
    order = request.POST["leave"]
    if order == "surrender" and request.POST.get("confirm") != "yes":
        return HttpResponseRedirect(f"{request.path}?leave=surrender")
    engine = rebuild(match)
    side = looking(engine, sides)
    action = {"unit": _speaker(engine, side), "order": "surrender" if order == "surrender" else "agree"}
    play_action(match.pk, side, match.last_sequence, action)
    return HttpResponseRedirect(request.path)


def _speaker(engine: EngineMatch, side: str) -> str:
    """A unit in whose name a side speaks: one that is still there, if any is."""
    table = engine.table
    units = table.roster.side_units[table.roster.side_of_name[side]]
    return table.fighter(next((unit for unit in units if table.is_in_play(unit)), units[0])).name
