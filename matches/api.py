"""What a player's browser or program may ask of a running match, in JSON."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from matches.models import Match, MatchSeat
from matches.selectors import rebuild, seat_of
from matches.services import play_action
from rules.core.refusals import Malformed

LARGEST_BODY = 20_000


@never_cache
@require_http_methods(["GET", "POST"])
def actions(request: HttpRequest, public_id: UUID) -> JsonResponse:
    """GET: the open decision, and the legal actions when it is the asking player's own. POST: play one action.

    The body of a POST is `{"sequence": last step seen, "action": {...}}`. Answers: 200; 400 malformed; 403 for who
    does not play in this match; 404 no such match; 409 illegal or stale, and nothing has changed.
    """
    match = Match.objects.prefetch_related("seats__user").filter(public_id=public_id).first()
    if match is None:
        return problem(HTTPStatus.NOT_FOUND, "no_such_match", _("There is no such match."))
    seat = seat_of(match, request.user)
    if seat is None:
        return problem(HTTPStatus.FORBIDDEN, "not_a_player", _("Only the players of this match may do this."))
    if request.method == "POST":
        sequence, action = read_body(request)
        events = play_action(match.pk, seat.side, sequence, action)
        match.refresh_from_db()
        return JsonResponse({"events": events, **state_for(match, seat)})
    return JsonResponse(state_for(match, seat))


def state_for(match: Match, seat: MatchSeat) -> dict[str, Any]:
    """What the player in `seat` may know: who is waited for, and decision and options when they are their own.

    What a rival is asked can tell what the rival holds, so of it only the side is named (`waiting_for`, null at the
    end).
    """
    engine = rebuild(match)
    decision = engine.decision
    own = decision is not None and decision.side == seat.side
    return {
        "state": match.state,
        "side": seat.side,
        "sequence": match.last_sequence,
        "waiting_for": None if decision is None else decision.side,
        "decision": decision.to_json() if decision is not None and own else None,
        "legal_actions": engine.legal_actions() if own else [],
        "result": match.result,
    }


def read_body(request: HttpRequest) -> tuple[int, dict[str, Any]]:
    """Raises Malformed for what is no JSON object with a sequence and an action."""
    if len(request.body) > LARGEST_BODY:
        raise Malformed("body_too_large", limit=LARGEST_BODY)
    try:
        body = json.loads(request.body)
    except ValueError:
        raise Malformed("bad_json") from None
    if not isinstance(body, dict):
        raise Malformed("bad_json")
    sequence, action = body.get("sequence"), body.get("action")
    if not isinstance(sequence, int) or isinstance(sequence, bool) or sequence < 0:
        raise Malformed("bad_field", field="sequence")
    if not isinstance(action, dict):
        raise Malformed("bad_field", field="action")
    return sequence, action


def problem(status: HTTPStatus, code: str, detail: str) -> JsonResponse:
    """A JSON problem (RFC 9457) like those of the refusal middleware."""
    document: dict[str, Any] = {
        "type": "about:blank",
        "title": status.phrase,
        "status": status.value,
        "code": code,
        "detail": detail,
        "parameters": {},
    }
    return JsonResponse(document, status=status, content_type="application/problem+json")
