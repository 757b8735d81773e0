"""The page that gives the rest of a match to the AI."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from matches.host import permissions_in, surroundings_of
from matches.selectors.matches import find_match
from matches.selectors.permissions import subject_of
from matches.selectors.sides import side_views
from matches.services.finishing import finish_for, may_finish


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def finish(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Ask whether to give the rest of the match to the AI (GET), or give it and redirect to the match (POST).

    A player of a finished match is redirected there, too. 403 unless `may_finish`, 404 for an unknown match, 409 when
    others are faster three times.
    """
    match = find_match(public_id)
    plays = request.user.is_authenticated and any(seat.user_id == request.user.pk for seat in match.seats.all())
    if plays and match.is_over:
        return redirect("matches:play", public_id)
    if not may_finish(match, request.user):
        raise PermissionDenied
    if request.method == "POST":
        if not finish_for(match, request.user).is_over:
            messages.info(request, gettext("The AI plays your match to the end. It is over in a minute or so."))
        return redirect("matches:play", public_id)
    surroundings = surroundings_of(match)
    context = {
        "match": match,
        "sides": side_views(match, surroundings),
        "crumbs": surroundings.crumbs,
        "could_be_rated": permissions_in(subject_of(match), AnonymousUser()).is_open,
    }
    return render(request, "matches/finish.html", context)
