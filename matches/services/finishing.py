"""The rest of a match, given to the AI by a person who plays against bots alone."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from matches.host import permissions_in, surroundings_of
from matches.models import Match
from matches.selectors.matches import find_match
from matches.selectors.permissions import subject_of
from matches.selectors.sides import side_views
from matches.services.matches import resolve_with_bots

STAND_IN = "greedy"
"""The bot that plays on for a person."""


def may_finish(match: Match, user: Any) -> bool:
    """Return whether a person may give the rest of an unfinished match to the AI.

    They must play in it, and every other seat must be a bot's, with at least one. One query, none if the seats of the
    match were fetched.
    """
    if match.is_finished or not user.is_authenticated:
        return False
    seats = list(match.seats.all())
    own = [seat for seat in seats if seat.user_id == user.pk]
    others = [seat for seat in seats if seat.user_id != user.pk]
    return bool(own) and bool(others) and all(seat.bot for seat in others)


def finish_for(match: Match, user: Any) -> Match:
    """Let the AI play for a person to the end of the match, and return the finished match.

    The steps of the person's side are stored as given to the AI. A second call, even from another tab at the same
    moment, finds the match finished and stores nothing. Call it outside transactions. Raises PermissionDenied unless
    `may_finish`, and Refused (stale_action) when others are faster three times.
    """
    match.refresh_from_db(fields=["state"])
    if match.is_finished:
        return match
    if not may_finish(match, user):
        raise PermissionDenied
    seats = list(match.seats.all())
    players = {seat.side: seat.bot or STAND_IN for seat in seats}
    return resolve_with_bots(match.pk, players, given=[seat.side for seat in seats if seat.user_id == user.pk])


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def finish(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Ask whether to give the rest of the match to the AI (GET), or give it and redirect to the match (POST).

    A player of a finished match is redirected there, too. 403 unless `may_finish`, 404 for an unknown match, 409 when
    others are faster three times.
    """
    match = find_match(public_id)
    plays = request.user.is_authenticated and any(seat.user_id == request.user.pk for seat in match.seats.all())
    if plays and match.is_finished:
        return redirect("matches:play", public_id)
    if not may_finish(match, request.user):
        raise PermissionDenied
    if request.method == "POST":
        finish_for(match, request.user)
        return redirect("matches:play", public_id)
    surroundings = surroundings_of(match)
    context = {
        "match": match,
        "sides": side_views(match, surroundings),
        "crumbs": surroundings.crumbs,
        "could_be_rated": permissions_in(subject_of(match), AnonymousUser()).is_open,
    }
    return render(request, "matches/finish.html", context)
