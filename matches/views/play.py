"""The views of people who play: the page of a match, one step of it, and whether anything is new."""

from __future__ import annotations

from contextlib import suppress
from http import HTTPStatus
from urllib.parse import urlencode
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from matches.host import surroundings_of
from matches.models import Match
from matches.presenters.advice import advice_context
from matches.presenters.board_words import words_of
from matches.presenters.lessons.tutorial import tutorial_of
from matches.presenters.live import news
from matches.presenters.play import hand_over_context, play_page, side_to_hand_over
from matches.presenters.proposals import narrowed
from matches.presenters.replaying.scene import scene_of
from matches.selectors.matches import find_match, rebuild, sides_of
from matches.selectors.permissions import may_watch
from matches.selectors.versions import is_current, version_for
from matches.services import advice, presence, preset_answers, taking_back
from matches.services.beginning.open_seats import open_seat_of
from matches.services.finished.continuing import may_have_rematch, may_nod, nodders
from matches.services.leaving_early import LEAVING, agreed_name, leave
from matches.services.matches import play_action
from people.models import User
from people.services.accounts import TooOften
from people.services.guests import may_become_account
from people.views.frame import logged_in
from rules.bots.preset_answers import key_of
from rules.core.refusals import Malformed, Refused
from rules.wording import sentence
from web.languages.reader import translate
from web.problems import answers_json
from web.reached import full_address
from web.template_loading import without_blank_lines

PART = "X-Part"
"""The header by which the page's script asks for what a step changes: no head and foot, no ground of the board, and
only the places of sheets, sums, and logs of what was before.
"""

NO_ANSWERS = (
    "at",
    "seen",
    "take",
    "kind",
    "unit",
    "leave",
    "confirm",
    "advice",
    "always",
    "view",
    "back",
    "csrfmiddlewaretoken",
    "ruler_from",
    "ruler_to",
    "threat",
)
"""Fields of the page's forms and addresses that are not answers to a question."""

OVERTAKEN = ("stale_action", "match_over", "not_your_unit")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def play(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Show the page with the answer that the address holds so far (GET), or play it and redirect to the page (POST).

    `ruler_from` and `ruler_to` measure a line of fire between two hexes, and `threat` marks where the reader's unit
    could be attacked. With `always` ("yes") the answer stands until the match is over. The page's script asks by the
    header PART for what a step changes, after its POST too, without a redirect.

    POST also serves other fields: `take` shows a side's hand at one screen, `advice` asks what a good player would do,
    `back` takes the last step back, and `leave` agrees to the end or surrenders. 409 for a form that comes too late and
    for a request that the match refuses, 400 for another `leave`, 429 for too many requests for advice, 404 for an
    unknown match or a person who may not watch it. One who may watch but does not play is redirected to the public page
    (GET) or gets 403 (POST).
    """
    match = find_match(public_id)
    sides = sides_of(match, request.user)
    if not may_watch(match, request.user):
        raise Http404
    if not sides:
        if request.method == "POST":
            raise PermissionDenied
        return redirect(match)
    if request.method == "POST" and "take" in request.POST:
        request.session[_screen(match)] = request.POST["take"]
        return redirect("matches:play", match.public_id)
    if request.method == "POST" and "advice" in request.POST:
        return _advise(request, match, sides)
    if request.method == "POST" and "back" in request.POST:
        return _take_back(request, match, sides)
    if request.method == "POST":
        return _leave(request, match, sides) if "leave" in request.POST else _answer(request, match, sides)
    answers = _answers(request.GET.dict())
    is_late = "at" in request.GET and not is_current(match, rebuild(match), sides, request.GET["at"])
    notice = gettext("The match has gone on since. What is open now stands below.") if is_late else ""
    return _show(request, match, sides, {} if is_late else answers, notice)


@answers_json
@never_cache
@require_safe
def changes(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Answer 204 while the page with this `?version=` is current, otherwise 200 with the new version as JSON.

    The header `X-There` of a 204 names the sides of rivals who look at the match too. Pages ask once a second. 404 for
    a person who may not watch the match, 403 for one who does not play.
    """
    match = find_match(public_id)
    sides = sides_of(match, request.user)
    if not may_watch(match, request.user):
        raise Http404
    if not sides:
        raise PermissionDenied
    presence.look(match, sides)
    found = news(match, sides, request.GET.get("version", ""))
    if found is None:
        there = [rival.side for rival in presence.rivals_of(match, sides) if rival.is_there]
        return HttpResponse(status=HTTPStatus.NO_CONTENT, headers={"X-There": " ".join(there)})
    return JsonResponse({"version": found.version})


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
    engine = rebuild(match)
    presence.look(match, sides)
    seat = open_seat_of(match, request.user, full_address(request, match.get_absolute_url()))
    if seat is not None:
        version = version_for(match, engine, sides)
        context = {"match": match, "open_seat": seat, "version": version, "notice": notice}
        return render(request, "matches/play_waiting.html", context, status=status)
    side = side_to_hand_over(match, engine, sides)
    if side and request.session.get(_screen(match)) != side:
        context = {**hand_over_context(match, engine, sides, side), "notice": notice}
        return render(request, "matches/play_hand_over.html", context, status=status)
    leaving, overview = request.GET.get("leave") == "surrender", request.GET.get("view") == "whole"
    ruler, threat = (request.GET.get("ruler_from", ""), request.GET.get("ruler_to", "")), "threat" in request.GET
    page = play_page(match, engine, sides, answers, leaving, overview, ruler, threat)
    context = {"page": page, "board": page.board, "notice": notice, "is_part": PART in request.headers}
    context["words"] = None if context["is_part"] else words_of(page.board)
    context["zoom"] = None if page.is_overview else page.zoom
    context["tutorial"] = tutorial_of(match, engine, page.side.key, answers, page.choosing)
    context["rivals"] = presence.rivals_of(match, sides)
    context["open_form"] = reverse("matches:new")
    context["may_nod"], context["nodders"] = may_nod(match, request.user), nodders(match, page.sides)
    context["may_have_rematch"] = may_have_rematch(match, request.user)
    context["may_become_account"] = match.is_over and may_become_account(logged_in(request))
    events = [event for batch in engine.events for event in batch]
    context["scene"] = scene_of(match, events, page.sides, page.miniatures)
    context |= advice_context(page, engine, sides, request.user)
    if context["is_part"]:
        # Where tags of the template say nothing they leave blank lines: some thousands, in a grand melee.
        return HttpResponse(
            without_blank_lines(render_to_string("matches/play_answer.html", context, request)), status=status
        )
    return render(request, "matches/play.html", context, status=status)


def _screen(match: Match) -> str:
    """Return the session's key for the side at the screen, of a match in which one person plays several sides."""
    return f"screen:{match.public_id}"


def _seen(request: HttpRequest) -> str:
    return request.POST.get("seen", "")


def _answer(request: HttpRequest, match: Match, sides: tuple[str, ...]) -> HttpResponse:
    answers = _answers(request.POST.dict())
    engine = rebuild(match)
    decision = engine.decision
    if decision is None or decision.side not in sides or not is_current(match, engine, sides, _seen(request)):
        return _late(request, match, sides, answers)
    found = narrowed(engine, answers)
    if found.action is None:
        return HttpResponseRedirect(f"{request.path}?{urlencode(answers)}")
    try:
        key = key_of(engine)
        play_action(match.pk, decision.side, match.last_sequence, found.action)
    except Refused as refused:
        if refused.code not in OVERTAKEN:
            raise
        return _late(request, match, sides, answers)
    if request.POST.get("always") == "yes":
        # The answer is played and stands: whoever plays on faster than the bots changes neither.
        with suppress(Refused):
            preset_answers.keep_asking_no_more(match.pk, request.user, decision.unit, key, found.action)
    if PART in request.headers:
        return _show(request, find_match(match.public_id), sides, {})
    return HttpResponseRedirect(request.path)


def _advise(request: HttpRequest, match: Match, sides: tuple[str, ...]) -> HttpResponse:
    """Let the adviser think, then redirect to the page with the choices so far.

    429 for a person who asks too often, 409 when no adviser answers, the form is late or advice is not allowed.
    """
    answers = _answers(request.GET.dict())
    engine = rebuild(match)
    if not is_current(match, engine, sides, _seen(request)):
        return _late(request, match, sides, answers)
    assert isinstance(request.user, User)
    try:
        advice.ask(match, engine, sides, surroundings_of(match), request.user)
    except TooOften as refused:
        notice = sentence(refused.code, refused.parameters, translate)
        return _show(request, match, sides, answers, notice, HTTPStatus.TOO_MANY_REQUESTS)
    except Refused as refused:
        if refused.code != "no_advice":
            raise
        notice = sentence(refused.code, refused.parameters, translate)
        return _show(request, match, sides, answers, notice, HTTPStatus.CONFLICT)
    return HttpResponseRedirect(f"{request.get_full_path()}#advice")


def _take_back(request: HttpRequest, match: Match, sides: tuple[str, ...]) -> HttpResponse:
    """Take the player's last step back and redirect to the page, or answer with it as for a step that is played.

    A form that comes too late, and a step that cannot be taken back, change nothing (409).
    """
    try:
        taking_back.take_back(match, sides, _seen(request))
    except Refused as refused:
        if refused.code == "taken_back_too_often":
            notice = sentence(refused.code, refused.parameters, translate)
            return _show(request, find_match(match.public_id), sides, {}, notice, HTTPStatus.CONFLICT)
        if refused.code not in (*OVERTAKEN, "nothing_to_take_back"):
            raise
        return _late(request, match, sides, {})
    if PART in request.headers:
        return _show(request, find_match(match.public_id), sides, {})
    return HttpResponseRedirect(request.path)


def _late(request: HttpRequest, match: Match, sides: tuple[str, ...], answers: dict[str, str]) -> HttpResponse:
    """Show the current page (409), with the choices kept if the same unit still has the same question."""
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
    """Agree to end the match, or surrender, which must be confirmed, and redirect to the page.

    An outdated form and a second agreement change nothing (409). Raises Malformed (bad_field) for any other word.
    """
    order = request.POST["leave"]
    if order not in LEAVING:
        raise Malformed("bad_field", field="leave")
    engine = rebuild(match)
    if order == "agree" and (agreed := agreed_name(match, engine, sides)):
        sentence = gettext("%(side)s has already agreed to end the match in this phase. Nothing was changed.")
        return _show(request, match, sides, {}, sentence % {"side": agreed}, HTTPStatus.CONFLICT)
    seen = _seen(request)
    if not is_current(match, engine, sides, seen):
        return _late(request, match, sides, {})
    if order == "surrender" and request.POST.get("confirm") != "yes":
        return HttpResponseRedirect(f"{request.path}?leave=surrender")
    try:
        leave(match, sides, order, seen)
    except Refused as refused:
        if refused.code not in OVERTAKEN:
            raise
        return _late(request, match, sides, {})
    return HttpResponseRedirect(request.path)
