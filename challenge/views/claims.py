"""Feats that players claim from their phones, and the answers of those who run a table."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST

from challenge.forms.claimed_feats import feat_of
from challenge.models import Claim
from challenge.presenters.claimed_feats import feat_for, feat_names, may_claim, phases
from challenge.presenters.offers import names_of
from challenge.presenters.pilot import claim_line
from challenge.services import claims
from challenge.views.frame import Visit, for_agents, of_event
from challenge.views.pilot import pilot_or_404
from rules.challenge.folding import ChallengeRefused
from rules.core.digits import whole_number
from rules.core.refusals import Malformed, Refused
from web.problems import show_again

CLAIMS_SHOWN = 20
MOST_ANSWERED = 200


@require_http_methods(["GET", "HEAD", "POST"])
@of_event
def claim(visit: Visit, pilot: str) -> HttpResponse:
    """Show the feats that a player may claim for their pilot and what became of them; a press claims one.

    Only the player's own pilot: others get 403. A refusal shows the page again with its sentence.
    """
    found = pilot_or_404(visit, pilot)
    if pilot not in visit.who.pilots:
        raise PermissionDenied
    data = visit.request.POST
    problem: Malformed | Refused | None = None
    if visit.request.method == "POST":
        try:
            document = feat_of(data, visit.state, found)
            if not may_claim(visit.state, found):
                raise ChallengeRefused("pilot_not_in_arena", pilot=pilot)
            client_id, kind = data.get("client_id", ""), Claim.Kind.FEAT
            claims.claim(visit.event, visit.who, client_id, kind, pilot, found.table, [document])
        except (ChallengeRefused, Malformed) as fault:
            problem = fault
        else:
            return redirect("challenge:claim", visit.event.slug, pilot)
    chosen = data.get("what") if problem is not None else visit.request.GET.get("what")
    rows = Claim.objects.filter(event=visit.event, pilot=pilot, kind=Claim.Kind.FEAT).order_by("-pk")[:CLAIMS_SHOWN]
    context = visit.context(
        here=pilot,
        pilot=found,
        may_claim=may_claim(visit.state, found),
        turn=visit.state.table(found.table).turn,
        feats=feat_names(),
        feat=feat_for(visit.state, found, chosen or ""),
        phases=phases(),
        claims=[claim_line(visit.state, each) for each in rows],
    )
    return show_again(visit.request, "challenge/claim.html", context, problem, names_of(visit.state))


@require_POST
@of_event
@for_agents
def answer(visit: Visit) -> HttpResponse:
    """Accept claims, all or none, or strike them; then go back to the page named by `next`."""
    data = visit.request.POST
    read = [whole_number(each) for each in data.getlist("claim")[:MOST_ANSWERED]]
    numbers = [number for number in read if number is not None]
    if not numbers:
        raise Malformed("bad_field", field="claim")
    if data.get("press") == "accept":
        claims.accept(visit.event.pk, visit.who, numbers)
    elif data.get("press") == "strike":
        claims.strike(visit.event.pk, visit.who, numbers)
    else:
        raise Malformed("bad_field", field="press")
    following = data.get("next", "")
    if not url_has_allowed_host_and_scheme(following, None) or not following.startswith("/"):
        following = reverse("challenge:off_board", args=[visit.event.slug])
    return redirect(following)
