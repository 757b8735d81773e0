"""Taking a free seat of a match, and giving it to the AI."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from matches.selectors.matches import find_match, free_seat, sides_of
from matches.selectors.permissions import may_watch
from matches.services.beginning import open_seats
from matches.views.quick_duels import player_of
from rules.core.refusals import Refused


@require_POST
def take_seat(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Seat the person in the free seat and redirect to the match. A visitor becomes a guest of this browser.

    404 for an unknown match or a person who may not watch it, 409 when the match is over or no seat is free. Raises
    TooOften (too_often) for a visitor or a guest.
    """
    match = find_match(public_id)
    if not may_watch(match, request.user):
        raise Http404
    if sides_of(match, request.user):
        return redirect("matches:play", public_id)
    if free_seat(match) is None:
        # Nobody becomes a guest, or is counted, for a seat that is gone.
        raise Refused("match_over" if match.is_over else "seat_taken")
    if open_seats.take(match.pk, player_of(request)):
        messages.success(request, gettext("The seat is yours. Have a good match."))
    return redirect("matches:play", public_id)


@login_required
@require_POST
def close_seat(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Give the free seat to the AI, and redirect to the match.

    404 for an unknown match or a person who may not watch it, 403 for one who does not play in it, 409 when the match
    is over, no seat is free, or others are faster three times.
    """
    match = find_match(public_id)
    if not may_watch(match, request.user):
        raise Http404
    if not sides_of(match, request.user):
        raise PermissionDenied
    open_seats.close(match.pk)
    return redirect("matches:play", public_id)
