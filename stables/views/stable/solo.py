"""The solo evening: one press to begin it, and one address that always redirects to the next step."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Max
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from matches.services.finishing import finish_for, may_finish
from people.services.accounts import TooOften
from rules.core.refusals import Malformed, Refused, SeasonRefused
from stables.forms.solo import EveningForm
from stables.models import Fixture, LogEntry, Season, Stable
from stables.presenters import solo as solo_page
from stables.presenters.fixture import can_hand_to_ai
from stables.presenters.next_step import Step, evenings_of, next_step
from stables.presenters.season_parts import home_crumb
from stables.selectors.entrants import plays_alone
from stables.services.ai import solo
from stables.services.line_ups import appointments
from stables.views.fixtures.fixtures import own_side
from stables.views.frame import answer, for_people, own_stable
from stables.views.reading.season import find_season
from web.problems import answers_json, show_again
from web.reading import number_of, yes_of

NO_CONTENT = 204


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest) -> HttpResponse:
    """Show the form of an evening, filled in from the address (GET), or begin the evening (POST).

    Fields: those of EveningForm. A refused form is shown again with status 400 or 409. A visitor is sent to sign up,
    which begins the evening, or with `door` "log_in" to log in; then one press is left. Raises TooOften.
    """
    is_known, is_sent = request.user.is_authenticated, request.method == "POST"
    form = EveningForm(request.POST if is_sent else request.GET)
    problem = None
    if is_sent and not is_known:
        door = "people:log_in" if request.POST.get("door") == "log_in" else "people:sign_up"
        return redirect(f"{reverse(door)}?{urlencode({'next': form.address})}")
    if is_sent:
        try:
            return _begin(request, form)
        except TooOften:
            raise
        except (Malformed, Refused) as refused:
            problem = refused
    else:
        chosen = form.chosen
        form = EveningForm(initial=chosen | {"name": solo_page.suggested_name(request.user, chosen.get("name", ""))})
    context = {
        "form": form,
        "is_one_press_left": is_known and solo_page.GO in request.GET,
        "evenings": evenings_of(request.user) if is_known else [],
        "crumbs": [home_crumb()],
    }
    return show_again(request, "stables/solo.html", context, problem)


def _begin(request: HttpRequest, form: EveningForm) -> HttpResponse:
    made = solo.open_evening(player=request.user, **form.wishes())
    sentence = gettext("Your season has begun.")
    if made.bought:
        sentence += " " + gettext("Bought for you: {names}.").format(names=", ".join(made.bought))
    return answer(request, sentence, reverse("stables:season_next", args=[made.slug]))


@never_cache
@require_safe
def go_on(request: HttpRequest) -> HttpResponse:
    """Redirect to the next step of the newest evening in play; without one, to the form of a new evening."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    found = evenings_of(request.user)
    return redirect("stables:season_next", found[0].season.slug) if found else redirect("stables:solo")


@never_cache
@require_safe
def season_next(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Redirect the owner of a stable to their next step in a season. While they have to wait, show what for.

    Everybody else is redirected to the season's page.
    """
    season = find_season(season_slug)
    stable = _stable_in(season, request.user)
    if stable is None:
        return redirect(season)
    step = next_step(stable)
    if not step.is_waiting:
        return redirect(step.address)
    return waiting_page(request, stable, step)


def waiting_page(request: HttpRequest, stable: Stable, step: Step) -> HttpResponse:
    """Show the owner of a stable what they wait for; one query. Fetch the stable with its season."""
    context = {
        "season": stable.season,
        "stable": stable,
        "step": step,
        "version": version_of(step),
        "is_quick": plays_alone(stable.season_id),
        "crumbs": [home_crumb()],
    }
    return render(request, "stables/solo_wait.html", context)


@never_cache
@answers_json
@require_safe
def changes(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Answer 204 while the next step has the version `?version=`, otherwise 200 with {"version": the new one}.

    The page of an owner who waits asks once a second.
    """
    season = find_season(season_slug)
    stable = _stable_in(season, request.user)
    if stable is None:
        raise PermissionDenied
    version = version_of(next_step(stable))
    if version == request.GET.get("version"):
        return HttpResponse(status=NO_CONTENT)
    return JsonResponse({"version": version})


def version_of(step: Step) -> str:
    """Return what pages that wait for a step ask by: another step has another version."""
    state = repr((step.kind, step.sentence, step.address))
    return salted_hmac("stables.solo", state, algorithm="sha256").hexdigest()[:12]


def _stable_in(season: Season, user: Any) -> Stable | None:
    if not user.is_authenticated:
        return None
    stable = Stable.objects.filter(season=season, owner=user).first()
    if stable is not None:
        stable.season = season
    return stable


@for_people
def make_ready(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Let an AI owner buy for a stable whose owner plays alone. No fields."""
    stable = own_stable(request, season_slug, stable_slug)
    bought = solo.make_ready(stable_id=stable.pk)
    count = len(bought)
    sentence = ngettext("Bought for you, {count} asset: {names}.", "Bought for you, {count} assets: {names}.", count)
    return answer(request, sentence.format(count=count, names=", ".join(bought) or "–"), stable.get_absolute_url())


@for_people
def hand_to_ai(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
    """Let the AI play a fixture for its only person, to the end. Field: sure ("yes").

    A match that has begun is finished at once. Before that, the owner proposes that the AI plays it.
    """
    side = own_side(request, season_slug, fixture_id)
    fixture = get_object_or_404(Fixture.objects.select_related("match", "round__cycle__season"), pk=fixture_id)
    if not can_hand_to_ai(fixture, list(fixture.sides.select_related("stable")), side):
        raise SeasonRefused("appointment_over")
    if not yes_of(request.POST.dict(), "sure", False):
        return redirect("stables:fixture", season_slug, fixture_id)
    onward = reverse("stables:after_match", args=[season_slug, fixture_id])
    if fixture.match is not None and may_finish(fixture.match, request.user):
        finish_for(fixture.match, request.user)
    else:
        appointments.propose(stable_id=side.stable_id, fixture_id=fixture_id, mode=Fixture.Mode.AI, actor=request.user)
    return answer(request, gettext("The AI plays this match."), onward)


@for_people
def read_report(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Note that the owner has read what happened up to a line of the season's log. Field: upto."""
    stable = own_stable(request, season_slug, stable_slug)
    newest = LogEntry.objects.filter(season=stable.season).aggregate(newest=Max("pk"))["newest"] or 0
    upto = min(number_of(request.POST.dict(), "upto"), newest)
    Stable.objects.filter(pk=stable.pk, seen_log__lt=upto).update(seen_log=upto)
    return redirect(stable.season)
