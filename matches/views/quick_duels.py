"""Matches that begin at a press, for visitors without an account too, who become guests of this browser."""

from __future__ import annotations

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from matches.selectors.matches import find_match, sides_of
from matches.services.beginning import quick_duels
from people.models import User
from people.services import guests
from people.views.frame import log_in_guest
from web.places import client_place


def player_of(request: HttpRequest) -> User:
    """Return the person who plays: the reader, or for a visitor a new guest, whom their browser is from now on.

    For everybody without an account the match counts against the limits. Raises TooOften (too_often).
    """
    person = request.user if isinstance(request.user, User) else None
    if person is None or person.is_guest:
        guests.count_match(client_place(request))
    if person is None:
        person = guests.make_guest()
        log_in_guest(request, person)
    return person


@require_POST
def fight(request: HttpRequest) -> HttpResponse:
    """Begin a duel against the AI and redirect to it. No fields. Raises TooOften (too_often)."""
    return redirect("matches:play", quick_duels.fight(player_of(request)).public_id)


@require_POST
def fight_a_friend(request: HttpRequest) -> HttpResponse:
    """Begin a duel with a free seat and redirect to the page with its link. No fields. Raises TooOften (too_often)."""
    return redirect("matches:play", quick_duels.fight_a_friend(player_of(request)).public_id)


@require_POST
def tutorial(request: HttpRequest) -> HttpResponse:
    """Begin the tutorial match and redirect to it. No fields. Raises TooOften (too_often)."""
    return redirect("matches:play", quick_duels.teach(player_of(request)).public_id)


@require_POST
def skip_tutorial(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Let the match go on without the steps of the tutorial, and redirect to it. No fields.

    404 for an unknown match, 403 for a person who does not play in it.
    """
    match = find_match(public_id)
    if not sides_of(match, request.user):
        raise PermissionDenied
    quick_duels.stop_teaching(match)
    return redirect("matches:play", public_id)
