"""Who holds a stable's seat: handing it over while away, and programs by consent."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from rules.core.refusals import Malformed, SeasonRefused
from stables.forms.hand_over import HandOverForm
from stables.models import ExternalSeat, HandOver, Stable
from stables.presenters import seats
from stables.services.fixtures import hand_overs
from stables.services.fixtures import programs as external_seats
from stables.views.frame import answer, for_people, own_stable
from stables.views.reading.season import find_season
from web.problems import show_again
from web.reading import text_of


@require_http_methods(["GET", "HEAD", "POST"])
def hand_over(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Show the owner's page of hand-overs. A POST hands the stable over; a form that is refused is shown again.

    Fields: those of HandOverForm.
    """
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    stable = own_stable(request, season_slug, stable_slug)
    now = timezone.now()
    form = HandOverForm(stable, now, request.POST if request.method == "POST" else None)
    problem = None
    if form.is_bound:
        try:
            return _hand_over(request, stable, form, now)
        except (Malformed, SeasonRefused) as refused:
            problem = refused
    return show_again(request, "stables/hand_over.html", seats.hand_over_context(stable) | {"form": form}, problem)


def _hand_over(request: HttpRequest, stable: Stable, form: HandOverForm, now: datetime) -> HttpResponse:
    with form.in_words():
        asked = form.read()
        hand_overs.hand_over(
            stable_id=stable.pk,
            starts_at=asked["from"] or now,
            ends_at=asked["to"],
            scope=asked["scope"] or HandOver.Scope.PLAY_AND_REPAIR,
            spending_limit=asked["spending_limit"],
            actor=request.user,
        )
    sentence = gettext("The AI acts for your stable in this time. You can take it back whenever you want.")
    return answer(request, sentence, reverse("stables:hand_over", args=[stable.season.slug, stable.slug]))


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
    """Show an owner what the AI did while they were away. Once the hand-over has ended, this marks it as read."""
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
    """Show the programs that play in a season, or ask to, to anybody who may see the season."""
    season = find_season(season_slug)
    return render(request, "stables/programs.html", seats.programs_context(season, request.user))


@for_people
def propose_program(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Propose a program for the reader's stable. Field: account, the name of the program's account."""
    stable = own_stable(request, season_slug, stable_slug)
    name = text_of(request.POST.dict(), "account")
    made = external_seats.propose(stable_id=stable.pk, username=name, actor=request.user)
    sentence = gettext("The program plays.") if made.agreed else gettext("The others are asked for their consent.")
    return answer(request, sentence, reverse("stables:programs", args=[season_slug]))


@for_people
def answer_program(request: HttpRequest, season_slug: str, stable_slug: str, seat_id: int) -> HttpResponse:
    """Consent to a program or end it, as the owner of `stable_slug`. Field answer: "consent" or "end".

    The account of a program ends its own seat for `stable_slug`.
    """
    word = text_of(request.POST.dict(), "answer")
    own_seat = seats.seat_of(request.user, season_slug, stable_slug, seat_id)
    if own_seat is not None and word == "end":
        external_seats.step_down(seat_id=own_seat.pk, account=request.user)
        sentence = gettext("You do not play for %(stable)s any more.") % {"stable": own_seat.stable.name}
        # The account may see a private season no more.
        return answer(request, sentence, reverse("stables:home"))
    stable = own_stable(request, season_slug, stable_slug)
    get_object_or_404(ExternalSeat, pk=seat_id, stable__season=stable.season)
    if word == "consent":
        external_seats.consent(seat_id=seat_id, stable_id=stable.pk, actor=request.user)
        sentence = gettext("You consent.")
    elif word == "end":
        external_seats.end(seat_id=seat_id, stable_id=stable.pk, actor=request.user)
        sentence = gettext("The program does not play any more.")
    else:
        raise Malformed("bad_field", field="answer")
    return answer(request, sentence, reverse("stables:programs", args=[season_slug]))
