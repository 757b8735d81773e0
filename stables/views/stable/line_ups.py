"""The line-ups of a stable: the page, handing in, keeping for later, and forfeiting without a unit to field."""

from __future__ import annotations

from functools import partial, wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from rules.core.refusals import Malformed, Refused, SeasonRefused
from stables.forms.line_up import crews_of, tokens_of
from stables.models import SavedLineUp, Stable
from stables.presenters.line_up import Typed, line_up_form, saved_form
from stables.presenters.next_step import onward
from stables.selectors.standing_in import may_line_up
from stables.selectors.windows import Window, window_of
from stables.services.fixtures import taking_back
from stables.services.line_ups import line_ups
from stables.services.line_ups import saved as saved_line_ups
from stables.text import names as words
from stables.views.frame import View, answer, for_people, own_stable
from stables.views.stable.stable import page_of_stable
from web.problems import show_again
from web.reading import given

STOOD_IN = "stables/stand_in_line_up.html"


def _kept_when_refused(view: View, *, is_saved: bool) -> View:
    """Wrap a view so that a refused form is shown again with what its owner chose in it."""

    @wraps(view)
    def kept(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
        try:
            return view(request, season_slug, stable_slug)
        except (Malformed, Refused) as problem:
            if is_saved:
                stable = own_stable(request, season_slug, stable_slug)
            else:
                stable, _ = _called(request, season_slug, stable_slug)
            return refused_line_up(request, stable, problem, is_saved=is_saved)

    return kept


@partial(_kept_when_refused, is_saved=False)
@for_people
def hand_in_line_up(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Hand in the line-up for the stable's open fixture, by the fields of its form; its owner or a stand-in."""
    stable, fixture_id = _called(request, season_slug, stable_slug)
    line_ups.submit(
        stable_id=stable.pk, fixture_id=fixture_id, crews=crews_of(request.POST), tokens=tokens_of(request.POST)
    )
    is_owner = stable.owner_id == request.user.pk
    address = onward(stable, stable.get_absolute_url()) if is_owner else _line_ups_of(stable)
    return answer(request, gettext("Your line-up is handed in and sealed."), address)


@for_people
def forfeit_match(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Forfeit the stable's open fixture. Only a stable without a duty to play may do so (R-FOR-04). No fields."""
    stable = own_stable(request, season_slug, stable_slug)
    line_ups.decline(stable_id=stable.pk, fixture_id=_open_fixture(stable))
    return answer(request, gettext("Your stable forfeits this match."), onward(stable, stable.get_absolute_url()))


@for_people
def take_line_up_back(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Take the line-up for the stable's open fixture back, while a rival's is missing. No fields.

    Its owner may, and a stand-in.
    """
    stable, fixture_id = _called(request, season_slug, stable_slug)
    taking_back.take_back(stable_id=stable.pk, fixture_id=fixture_id, actor=request.user)
    address = stable.get_absolute_url() if stable.owner_id == request.user.pk else _line_ups_of(stable)
    return answer(request, gettext("Your line-up is yours again; hand in another."), address)


@partial(_kept_when_refused, is_saved=True)
@for_people
def save_line_up(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Keep a line-up for matches of a class and format: `match_class`, `format`, and the fields of a line-up."""
    stable = own_stable(request, season_slug, stable_slug)
    saved_line_ups.save(
        stable_id=stable.pk,
        match_class=given(request.POST, "match_class"),
        format_name=given(request.POST, "format"),
        crews=crews_of(request.POST),
        tokens=tokens_of(request.POST),
    )
    return answer(request, gettext("The line-up is saved."), _line_ups_of(stable))


@for_people
def delete_line_up(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Delete the line-up kept for matches of a class and format: `match_class` and `format`."""
    stable = own_stable(request, season_slug, stable_slug)
    saved_line_ups.delete(
        stable_id=stable.pk, match_class=given(request.POST, "match_class"), format_name=given(request.POST, "format")
    )
    return answer(request, gettext("The saved line-up is deleted."), _line_ups_of(stable))


def _line_ups_of(stable: Stable) -> str:
    return reverse("stables:line_ups", args=[stable.season.slug, stable.slug])


def _called(request: HttpRequest, season_slug: str, stable_slug: str) -> tuple[Stable, int]:
    """Return the stable at this address and its open fixture, for its owner or who stands in for them in it.

    Raises Http404, PermissionDenied for other people, or SeasonRefused (no_open_fixture).
    """
    stable = get_object_or_404(Stable.objects.select_related("season"), season__slug=season_slug, slug=stable_slug)
    fixture_id = line_ups.open_fixture_of(stable)
    if not may_line_up(request.user, stable, fixture_id):
        raise PermissionDenied
    return stable, _open_fixture(stable)


def _open_fixture(stable: Stable) -> int:
    fixture_id = line_ups.open_fixture_of(stable)
    if fixture_id is None:
        raise SeasonRefused("no_open_fixture")
    return fixture_id


@require_safe
@login_required
def line_ups_page(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Show the stable's line-ups to its owner: the one called for now, and those saved by class and format.

    `class` and `format` in the address open the form of the line-up saved for such matches. A stand-in sees only the
    line-up of their match.
    """
    stable = get_object_or_404(Stable.objects.select_related("season"), season__slug=season_slug, slug=stable_slug)
    if stable.owner_id != request.user.pk:
        return render(request, STOOD_IN, _context_of_stand_in(request, stable))
    asked = (request.GET.get("class", ""), request.GET.get("format", ""))
    return render(request, "stables/line_ups.html", _context(stable, window_of(stable), asked))


def refused_line_up(
    request: HttpRequest, stable: Stable, problem: Malformed | Refused, *, is_saved: bool
) -> HttpResponse:
    """Return the page with a refusal's sentence on top, and the refused choices in the form.

    The form is that of a saved line-up if `is_saved`, otherwise that of the line-up called for now. Raises `problem`
    again when the page has no such form.
    """
    window = window_of(stable)
    typed = request.POST
    if not is_saved and stable.owner_id != request.user.pk:
        return show_again(request, STOOD_IN, _context_of_stand_in(request, stable, typed), problem)
    asked = (typed.get("match_class", ""), typed.get("format", "")) if is_saved else ("", "")
    try:
        context = _context(stable, window, asked, typed)
    except Malformed:
        raise problem from None
    if not (context["editing" if is_saved else "line_up"] or {}).get("form"):
        raise problem
    return show_again(request, "stables/line_ups.html", context, problem)


def _context_of_stand_in(request: HttpRequest, stable: Stable, typed: Typed = None) -> dict[str, Any]:
    """Return the context of a stand-in's page: the line-up of their match. Raises PermissionDenied for other people."""
    line_up = line_up_form(stable, window_of(stable), typed)
    if line_up is None or not may_line_up(request.user, stable, line_up["fixture"].pk):
        raise PermissionDenied
    return page_of_stable(stable, gettext("Line-ups")) | {"line_up": line_up, "is_stood_in": True}


def _context(stable: Stable, window: Window, asked: tuple[str, str], typed: Typed = None) -> dict[str, Any]:
    """Return the page's context. `asked` is (class, format) of the saved line-up to edit, ("", "") for none.

    `typed` fills in the form of that saved line-up; without one, that of the line-up called for now.
    """
    season = stable.season
    saved = {(each.match_class, each.format): each for each in SavedLineUp.objects.filter(stable=stable)}
    plan = [(season.rules.class_of(number), format_name) for number, format_name in enumerate(season.rules.cycles, 1)]
    return page_of_stable(stable, gettext("Line-ups")) | {
        "line_up": line_up_form(stable, window, None if all(asked) else typed),
        "kinds": [
            {
                "class": match_class,
                "format": format_name,
                "class_name": words.word(words.CLASSES, match_class),
                "format_name": words.word(words.FORMATS, format_name),
                "saved": saved.get((match_class, format_name)),
            }
            for match_class, format_name in dict.fromkeys([*plan, *saved])
        ],
        "editing": saved_form(stable, *asked, saved.get(asked), typed) if all(asked) else None,
        "back": "line_ups",
    }
