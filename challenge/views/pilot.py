"""A pilot's page: its public part for everybody, all of it for the player and those who run a table."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from challenge.models import Claim
from challenge.presenters.cycle import within_reach
from challenge.presenters.pilot import (
    TURNS_ON_A_PAGE,
    claim_line,
    history_of,
    private_card,
    public_card,
    turn_in_words,
)
from challenge.views.frame import Visit, of_event
from rules.challenge.state import Pilot

CLAIMS_SHOWN = 5


def pilot_or_404(visit: Visit, name: str) -> Pilot:
    """Return a pilot of the event. Raises Http404."""
    found = visit.state.pilots.get(name)
    if found is None:
        raise Http404
    return found


@require_safe
@of_event
def pilot(visit: Visit, pilot: str) -> HttpResponse:
    """Show a pilot: to spectators what the board shows, to the player and agents everything with its history."""
    found = pilot_or_404(visit, pilot)
    context = visit.context(here=pilot, pilot=found, public=public_card(visit.state, found))
    if visit.who.reads(pilot):
        turns = Paginator(history_of(visit.state, pilot), TURNS_ON_A_PAGE).get_page(visit.request.GET.get("page"))
        claims = Claim.objects.filter(event=visit.event, pilot=pilot).order_by("-pk")[:CLAIMS_SHOWN]
        context |= {
            "private": private_card(visit.state, found),
            "reach": within_reach(visit.state, found) if found.alive else [],
            "page": turns,
            "turns": [turn_in_words(visit.state, lines) for lines in turns],
            "claims": [claim_line(visit.state, each) for each in claims],
            "is_own": pilot in visit.who.pilots,
        }
    return render(visit.request, "challenge/pilot.html", context)
