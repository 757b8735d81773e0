"""The pages around a match in play: standing answers, coming back, and what to do about an absent rival."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from matches.forms import StandingForm, standing_forms
from matches.host import surroundings_of
from matches.selectors.matches import find_match, sides_of
from matches.services import absent, preset_answers, time_banks
from people.models import User


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Show a form for each own unit (GET), or store the answers of one and redirect to the forms (POST).

    404 for people who do not play, 400 for an unreadable answer, 409 for a rival's unit or a finished match.
    """
    match = find_match(public_id)
    sides = sides_of(match, request.user)
    if not sides:
        raise Http404
    if request.method == "POST":
        preset_answers.keep(match, request.user, request.POST.get("unit", ""), StandingForm(request.POST).answers())
        messages.success(request, gettext("The answers stand from the next decision on."))
        return redirect("matches:standing", match.public_id)
    context = {"match": match, "forms": standing_forms(match, sides), "surroundings": surroundings_of(match)}
    return render(request, "matches/standing.html", context)


@login_required
@require_POST
def come_back(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Give a player their decisions back from the AI in the round in which their time ran out; redirect to the match.

    403 for people who do not play.
    """
    match = find_match(public_id)
    if not sides_of(match, request.user):
        raise PermissionDenied
    assert isinstance(request.user, User)
    if time_banks.come_back(match.pk, request.user.pk):
        messages.success(request, gettext("Your next decisions are yours again."))
    return redirect("matches:play", match.public_id)


@login_required
@require_POST
def rival_away(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Replace absent rivals of a friendly match by the AI (field `what`: "ai"), or surrender for one ("end").

    Then redirect to the match. 403 for people who do not play, 400 for another word, 404 for an unknown match, 409
    unless a rival's time has run out three times, for "end" while the open decision is not theirs, and when somebody
    plays at the same moment.
    """
    match = find_match(public_id)
    if not sides_of(match, request.user):
        raise PermissionDenied
    absent.decide(match, request.user, request.POST.get("what", ""))
    return redirect("matches:play", match.public_id)
