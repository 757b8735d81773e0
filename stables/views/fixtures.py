"""A fixture's page, and its players' forms for dates, modes and absent opponents."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from rules.core.refusals import Malformed
from stables.matches_host.permissions import write_ups_of_fixture
from stables.models import Fixture, FixtureSide, Proposal
from stables.presenters import fixture as fixture_page
from stables.presenters.results import results_context
from stables.services.fixtures import no_shows
from stables.services.line_ups import appointments
from stables.views.frame import answer, for_people
from web.reading import moment_of, number_of, text_of


@require_safe
def show(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
    """Show the page of a fixture to anybody who may see the season."""
    fixture = fixture_page.find_fixture(season_slug, fixture_id)
    context = fixture_page.fixture_context(fixture, request.user) | results_context(fixture, request.user)
    context["write_ups"] = write_ups_of_fixture(fixture, request.user)
    return render(request, "stables/fixture_page.html", context)


def own_side(request: HttpRequest, season_slug: str, fixture_id: int) -> FixtureSide:
    """Return the reader's side of a fixture, with its stable.

    Raises Http404 for an unknown fixture, PermissionDenied for a reader without a side in it.
    """
    fixture = get_object_or_404(Fixture, pk=fixture_id, round__cycle__season__slug=season_slug)
    side = FixtureSide.objects.filter(fixture=fixture, stable__owner=request.user.pk).select_related("stable").first()
    if side is None:
        raise PermissionDenied
    return side


def _page(season_slug: str, fixture_id: int) -> str:
    return reverse("stables:fixture", args=[season_slug, fixture_id])


@for_people
def propose(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
    """Propose a date, a mode or both. Fields: date (empty: none), mode (empty: none)."""
    side = own_side(request, season_slug, fixture_id)
    fields = request.POST.dict()
    made = appointments.propose(
        stable_id=side.stable_id,
        fixture_id=fixture_id,
        mode=text_of(fields, "mode"),
        at=moment_of(fields, "date"),
        actor=request.user,
    )
    is_agreed = made.state == Proposal.State.ACCEPTED
    sentence = gettext("It is agreed.") if is_agreed else gettext("It is proposed; the others are told.")
    return answer(request, sentence, _page(season_slug, fixture_id))


@for_people
def answer_proposal(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
    """Answer a proposal. Fields: proposal (its number), answer ("accept", "decline"; "withdraw" for an own one)."""
    side = own_side(request, season_slug, fixture_id)
    fields = request.POST.dict()
    number, word = number_of(fields, "proposal"), text_of(fields, "answer")
    if not Proposal.objects.filter(pk=number, fixture=fixture_id).exists():
        raise Malformed("bad_field", field="proposal")
    if word == "accept":
        appointments.accept(stable_id=side.stable_id, proposal_id=number, actor=request.user)
        sentence = gettext("You accepted.")
    elif word == "decline":
        appointments.decline(stable_id=side.stable_id, proposal_id=number, actor=request.user)
        sentence = gettext("You declined.")
    elif word == "withdraw":
        appointments.withdraw(stable_id=side.stable_id, proposal_id=number)
        sentence = gettext("Your proposal is withdrawn.")
    else:
        raise Malformed("bad_field", field="answer")
    return answer(request, sentence, _page(season_slug, fixture_id))


@for_people
def claim_no_show(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
    """Claim that another player did not come.

    Fields: absent (the stable's number; optional in a match of two), new_date (for the first claim).
    """
    side = own_side(request, season_slug, fixture_id)
    fields = request.POST.dict()
    absent_id = None
    if fields.get("absent"):
        number = number_of(fields, "absent")
        others = FixtureSide.objects.filter(fixture=fixture_id, stable__number=number)
        absent_id = others.values_list("stable", flat=True).first()
        if absent_id is None:
            raise Malformed("bad_field", field="absent")
    made = no_shows.claim(
        stable_id=side.stable_id,
        fixture_id=fixture_id,
        absent_id=absent_id,
        new_date=moment_of(fields, "new_date"),
        actor=request.user,
    )
    is_second = made.state == "choice"
    sentence = (
        gettext("Choose what happens now.") if is_second else gettext("The new date is set; the other one is told.")
    )
    return answer(request, sentence, _page(season_slug, fixture_id))


@for_people
def answer_no_show(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
    """Answer a claim of an absent player.

    Field answer: "withdraw", "forfeit" or "stand_in" from the player who claimed, "here" from the absent one.
    """
    side = own_side(request, season_slug, fixture_id)
    word = text_of(request.POST.dict(), "answer")
    if word == "withdraw":
        no_shows.withdraw(stable_id=side.stable_id, fixture_id=fixture_id, actor=request.user)
        sentence = gettext("The claim is withdrawn.")
    elif word == "here":
        no_shows.appear(stable_id=side.stable_id, fixture_id=fixture_id, actor=request.user)
        sentence = gettext("You are here; the claim is off. Play your match.")
    elif word in ("forfeit", "stand_in"):
        no_shows.choose(stable_id=side.stable_id, fixture_id=fixture_id, forfeit=word == "forfeit", actor=request.user)
        is_forfeit = word == "forfeit"
        sentence = (
            gettext("The absent stable forfeits.") if is_forfeit else gettext("The AI stands in; play your match.")
        )
    else:
        raise Malformed("bad_field", field="answer")
    return answer(request, sentence, _page(season_slug, fixture_id))
