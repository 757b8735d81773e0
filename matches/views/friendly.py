"""Where friendly matches begin, on their page, as a rematch, and from a moment of a match; and a nod after a match."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from matches.forms import FriendlyForm
from matches.selectors.matches import find_match, open_matches_of
from matches.selectors.permissions import find_watched
from matches.selectors.sides import opponents_in
from matches.services.beginning.friendly import start_friendly
from matches.services.finished import continuing
from people.models import User
from people.services import guests
from rules.bots.preset_answers import ROUTINE
from rules.core.digits import whole_number
from web.places import client_place

MOST_DIGITS = 6


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Show the form and the person's open matches (GET), or begin a match and redirect to it (POST).

    400 for an invalid form, 429 for too many matches.
    """
    form = FriendlyForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        assert isinstance(request.user, User)
        match = start_friendly(request.user, form.wishes, standing=ROUTINE)
        return redirect("matches:play", match.public_id)
    context = {"form": form, "open_matches": [(match, opponents_in(match)) for match in open_matches_of(request.user)]}
    return render(request, "matches/new.html", context, status=400 if form.is_bound else 200)


@login_required
@require_POST
def nod(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Say "well played" to the others who played the match, and redirect to it.

    404 for an unknown match, 403 for people who did not play it and where nobody else did, 409 before its end.
    """
    assert isinstance(request.user, User)
    match = find_match(public_id)
    continuing.nod(match, request.user)
    return redirect(match)


@login_required
@require_POST
def rematch(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Begin the rematch of a friendly match, or sit down in the one that waits, and redirect to it.

    404 for an unknown match, 403 for people who did not play it, for a guest who played it against the AI, and for a
    match of a season, 409 before its end and when no seat is free any more, 429 for too many matches.
    """
    assert isinstance(request.user, User)
    match = find_match(public_id)
    if request.user.is_guest and continuing.may_have_rematch(match, request.user):
        guests.count_match(client_place(request))
    begun = continuing.rematch(match, request.user)
    return redirect("matches:play", begun.public_id)


@login_required
@require_POST
def play_on(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Begin a match against the AI that goes on from the field `at` of a finished match, and redirect to it.

    `at` is the number of an action, `side` the side that the person plays. 404 for a match that the person may not
    watch, 409 when the match cannot go on from there, 429 for too many matches.
    """
    assert isinstance(request.user, User)
    watch = find_watched(request.user, public_id)
    number = whole_number(request.POST.get("at", ""), MOST_DIGITS)
    at = -1 if number is None else number
    begun = continuing.play_on(watch.match, request.user, at, request.POST.get("side", ""))
    return redirect("matches:play", begun.public_id)
