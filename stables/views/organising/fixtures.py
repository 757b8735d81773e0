"""What organisers do with an open match: one page with a form for each act, and one POST for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from rules.core.refusals import Malformed, SeasonRefused
from stables.forms.directing import ExcuseForm, ForfeitForm
from stables.forms.reason import ReasonForm
from stables.models import Fixture
from stables.presenters.fixture import find_fixture
from stables.presenters.organising.directing import (
    direct_form,
    directing_context,
    doubt_sentences,
    reopen_form,
    swap_choices,
    swap_form,
)
from stables.selectors.offices import organises
from stables.services.fixtures import declared_forfeits, directing, excuses, swaps, taking_back
from stables.views.frame import answer
from web.problems import show_again

TEMPLATE = "stables/fixture_organise.html"
Act = Callable[[Fixture, Any, Any], str]
"""Does an act with its bound form for a person, and returns the sentence about it."""


def _organised(request: HttpRequest, season_slug: str, fixture_id: int) -> Fixture:
    """Return the fixture at this address for an organiser. Raises Http404 without one, PermissionDenied for others."""
    fixture = find_fixture(season_slug, fixture_id)
    if not organises(request.user, fixture.round.cycle.season):
        raise PermissionDenied
    return fixture


@never_cache
@require_safe
def organise_fixture(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
    """Show the acts that are possible on a match; organisers only (403), visitors are sent to log in."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    fixture = _organised(request, season_slug, fixture_id)
    return show_again(request, TEMPLATE, directing_context(fixture, request.user), None)


def _acting(name: str, form_of: Callable[[Fixture, Any], Any]) -> Callable[[Act], Callable[..., HttpResponse]]:
    """Make the view of an act: it reads its form, does the act, and shows a refused form again as it was typed."""

    def wrap(act: Act) -> Callable[..., HttpResponse]:
        def view(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
            if not request.user.is_authenticated:
                return redirect_to_login(request.META.get("HTTP_REFERER", "/"))
            fixture = _organised(request, season_slug, fixture_id)
            form = form_of(fixture, request.POST)
            try:
                with form.in_words():
                    sentence = act(fixture, form, request.user)
            except (Malformed, SeasonRefused) as problem:
                context = directing_context(fixture, request.user, {name: form})
                return show_again(request, TEMPLATE, context, problem)
            return answer(request, sentence, fixture.get_absolute_url())

        view.__doc__ = act.__doc__
        return require_POST(view)

    return wrap


def _stables(fixture: Fixture) -> list[tuple[int, str]]:
    return [(side.stable.number, side.stable.name) for side in fixture.sides.all()]


def _id_of(fixture: Fixture, number: int) -> int:
    """Return the id of a stable of the fixture by its number, which its form has checked."""
    return next(side.stable_id for side in fixture.sides.all() if side.stable.number == number)


@_acting("direct", direct_form)
def direct(fixture: Fixture, form: Any, user: Any) -> str:
    """Set date, mode, arenas or table of a match. Fields: those of DirectForm."""
    reason = form.reason_text(may_lack=True)
    directing.direct(fixture_id=fixture.pk, changes=form.changes(), reason=reason, user=user)
    return gettext("It is set; both sides are told.")


@_acting("excuse", lambda fixture, data: ExcuseForm(_stables(fixture), data))
def excuse(fixture: Fixture, form: Any, user: Any) -> str:
    """Excuse a stable. Fields: those of ExcuseForm."""
    reason, sent = form.reason_text(), form.read()
    excuses.excuse(
        fixture_id=fixture.pk,
        stable_id=_id_of(fixture, sent["stable"]),
        until=sent["until"],
        reason=reason,
        user=user,
    )
    return gettext("The stable is excused; both sides are told.")


@_acting("withdraw_excuse", lambda fixture, data: ReasonForm(data, prefix_of_ids="withdraw-excuse"))
def withdraw_excuse(fixture: Fixture, form: Any, user: Any) -> str:
    """Take the excuse of a match back. Fields: those of ReasonForm."""
    excuses.withdraw(fixture_id=fixture.pk, reason=form.reason_text(), user=user)
    return gettext("The excuse is withdrawn; both sides are told.")


@_acting("forfeit", lambda fixture, data: ForfeitForm(_stables(fixture), data))
def forfeit(fixture: Fixture, form: Any, user: Any) -> str:
    """Declare a forfeit. Fields: those of ForfeitForm."""
    sent = form.read()
    made = declared_forfeits.declare_forfeit(
        fixture_id=fixture.pk,
        stable_ids=[_id_of(fixture, number) for number in sent["stables"]],
        why=sent["why"],
        words=sent["words"],
        user=user,
    )
    if made.is_decided:
        return gettext("The forfeit is declared, and the match is settled by it.")
    return gettext("The forfeit is declared; the others play on.")


@_acting("reopen", lambda fixture, data: reopen_form(_stables(fixture), data))
def reopen_line_up(fixture: Fixture, form: Any, user: Any) -> str:
    """Open a sealed line-up again, unseen. Fields: stable, and those of ReasonForm."""
    reason, sent = form.reason_text(), form.read()
    taking_back.reopen(fixture_id=fixture.pk, stable_id=_id_of(fixture, sent["stable"]), reason=reason, user=user)
    return gettext("The line-up is open again; its owner is told and may hand in another.")


@_acting("swap", lambda fixture, data: swap_form(swap_choices(fixture), data))
def swap(fixture: Fixture, form: Any, user: Any) -> str:
    """Exchange a side with another match of the round, or with a bye. Fields: those of SwapForm."""
    if not swap_choices(fixture):
        raise SeasonRefused("swap_too_late")
    reason, sent = form.reason_text(), form.read()
    comes = next(
        choice.comes.stable_id for choice in swap_choices(fixture) if choice.comes.stable.number == sent["other"]
    )
    made = swaps.swap(
        fixture_id=fixture.pk,
        stable_id=_id_of(fixture, sent["stable"]),
        other_id=comes,
        reason=reason,
        user=user,
    )
    return " ".join([gettext("The pairings are changed; everybody is told."), *doubt_sentences(made.doubts)])
