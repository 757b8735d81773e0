"""Who holds a stable's seat: handing it over while away, and programs by consent."""

from __future__ import annotations

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from rules.core.refusals import Malformed
from stables.models import ExternalSeat, HandOver
from stables.presenters import seats
from stables.services.fixtures import hand_overs
from stables.services.fixtures import programs as external_seats
from stables.views.frame import answer, for_people, own_stable
from stables.views.season import find_season
from web.reading import moment_of, number_of, text_of


@require_http_methods(["GET", "HEAD", "POST"])
def hand_over(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Show the owner's page of hand-overs; a POST hands the stable over (see `begin_hand_over`)."""
    if request.method == "POST":
        return begin_hand_over(request, season_slug, stable_slug)
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    stable = own_stable(request, season_slug, stable_slug)
    return render(request, "stables/hand_over.html", seats.hand_over_context(stable))


@for_people
def begin_hand_over(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Hand a stable over. Fields: from (empty: now), to, scope, spending_limit (empty: none)."""
    stable = own_stable(request, season_slug, stable_slug)
    fields = request.POST.dict()
    ends_at = moment_of(fields, "to")
    if ends_at is None:
        raise Malformed("bad_field", field="to")
    hand_overs.hand_over(
        stable_id=stable.pk,
        starts_at=moment_of(fields, "from") or timezone.now(),
        ends_at=ends_at,
        scope=text_of(fields, "scope") or HandOver.Scope.PLAY_AND_REPAIR,
        spending_limit=number_of(fields, "spending_limit") if fields.get("spending_limit") not in (None, "") else None,
        actor=request.user,
    )
    sentence = gettext("The AI acts for your stable in this time. You can take it back whenever you want.")
    return answer(request, sentence, reverse("stables:hand_over", args=[season_slug, stable_slug]))


@for_people
def take_back(request: HttpRequest, season_slug: str, stable_slug: str, hand_over_id: int) -> HttpResponse:
    """Take a stable back at once, or call a coming hand-over off."""
    stable = own_stable(request, season_slug, stable_slug)
    get_object_or_404(HandOver, pk=hand_over_id, stable=stable)
    hand_overs.take_back(stable_id=stable.pk, hand_over_id=hand_over_id, actor=request.user)
    address = reverse("stables:hand_over_summary", args=[season_slug, stable_slug, hand_over_id])
    return answer(request, gettext("Your stable is in your hands again."), address)


@require_safe
def hand_over_summary(request: HttpRequest, season_slug: str, stable_slug: str, hand_over_id: int) -> HttpResponse:
    """Show what was done while the owner was away; for the owner alone. Seen once it is over, it counts as read."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    stable = own_stable(request, season_slug, stable_slug)
    made = get_object_or_404(HandOver, pk=hand_over_id, stable=stable)
    context = seats.summary_context(stable, made)
    if context["is_over"] and made.summary_read_at is None:
        hand_overs.mark_read(hand_over_id=made.pk)
    return render(request, "stables/hand_over_summary.html", context)


@require_safe
def programs(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show the programs that play in a season, or ask to; anybody may look."""
    season = find_season(season_slug)
    return render(request, "stables/programs.html", seats.programs_context(season, request.user))


@for_people
def propose_program(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Name the account of a program for an own stable. Field: account."""
    stable = own_stable(request, season_slug, stable_slug)
    name = text_of(request.POST.dict(), "account")
    made = external_seats.propose(stable_id=stable.pk, username=name, actor=request.user)
    sentence = gettext("The program plays.") if made.agreed else gettext("The others are asked for their consent.")
    return answer(request, sentence, reverse("stables:programs", args=[season_slug]))


@for_people
def answer_program(request: HttpRequest, season_slug: str, stable_slug: str, seat_id: int) -> HttpResponse:
    """Consent to a program or end it, as the owner of `stable_slug`. Field answer: "consent" or "end"."""
    stable = own_stable(request, season_slug, stable_slug)
    get_object_or_404(ExternalSeat, pk=seat_id, stable__season=stable.season)
    word = text_of(request.POST.dict(), "answer")
    if word == "consent":
        external_seats.consent(seat_id=seat_id, stable_id=stable.pk, actor=request.user)
        sentence = gettext("You consent.")
    elif word == "end":
        external_seats.end(seat_id=seat_id, stable_id=stable.pk, actor=request.user)
        sentence = gettext("The program does not play any more.")
    else:
        raise Malformed("bad_field", field="answer")
    return answer(request, sentence, reverse("stables:programs", args=[season_slug]))
