"""The line-ups of a stable: the page, handing in, keeping for later, forfeiting where nothing must be fielded."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial, wraps
from http import HTTPStatus
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from rules.campaign.line_ups.tokens import TOKENS_PER_SIDE
from rules.core.refusals import Malformed, Refused, SeasonRefused
from rules.solaris.cards import HAND_SIZE
from rules.wording import sentence
from stables.models import SavedLineUp, Stable
from stables.presenters.line_up import filled, line_up_form, saved_form
from stables.presenters.next_step import onward
from stables.selectors.windows import Window, window_of
from stables.services.line_ups import line_ups
from stables.services.line_ups import saved as saved_line_ups
from stables.services.line_ups.sealing import CrewChoice
from stables.text import names as words
from stables.views.frame import View, answer, for_people, own_stable
from stables.views.stable import page_of_stable
from web.reading import given, number_of, text_of

CREWS = ("crew", "crew_2")
"""The fields of the crews of a line-up, in order."""


def _kept_when_refused(view: View, *, is_saved: bool) -> View:
    """The same view, but people find what they had chosen in the form again when it is refused."""

    @wraps(view)
    def kept(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
        try:
            return view(request, season_slug, stable_slug)
        except (Malformed, Refused) as problem:
            stable = own_stable(request, season_slug, stable_slug)
            return refused_line_up(request, stable, request.POST.dict(), problem, is_saved=is_saved)

    return kept


@partial(_kept_when_refused, is_saved=False)
@for_people
def hand_in_line_up(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Hand in the line-up for the stable's open fixture.

    Fields: `crew` and, in a match of two units, `crew_2`, each as "unit-pilot" by asset ("12-34"; "12-" without a
    pilot; "12-34-56" with the gear 56 alone, "12-34-0" without its gear), or `unit` and `pilot`; the rally cards by
    asset as `hand_1` to `hand_5` for the first unit and `hand_6` to `hand_10` for the second; the tokens as `tokens`
    ("T-001 T-002 T-003"), or one each as `token_1` to `token_3`.
    """
    stable = own_stable(request, season_slug, stable_slug)
    fields = request.POST.dict()
    line_ups.submit(stable_id=stable.pk, fixture_id=_open_fixture(stable), crews=_crews(fields), tokens=_tokens(fields))
    return answer(request, gettext("Your line-up is handed in and sealed."), onward(stable, stable.get_absolute_url()))


@for_people
def forfeit_match(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Forfeit the stable's open fixture, which only a stable without an able fitting unit may. No fields."""
    stable = own_stable(request, season_slug, stable_slug)
    line_ups.decline(stable_id=stable.pk, fixture_id=_open_fixture(stable))
    return answer(request, gettext("Your stable forfeits this match."), onward(stable, stable.get_absolute_url()))


@partial(_kept_when_refused, is_saved=True)
@for_people
def save_line_up(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Keep a line-up for matches of a class and format: `match_class`, `format`, and the fields of a line-up."""
    stable = own_stable(request, season_slug, stable_slug)
    fields = request.POST.dict()
    saved_line_ups.save(
        stable_id=stable.pk,
        match_class=given(fields, "match_class"),
        format_name=given(fields, "format"),
        crews=_crews(fields),
        tokens=_tokens(fields),
    )
    return answer(request, gettext("The line-up is saved."), _saved_page(stable))


@for_people
def delete_line_up(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Keep no line-up for matches of a class and format any more: `match_class` and `format`."""
    stable = own_stable(request, season_slug, stable_slug)
    fields = request.POST.dict()
    saved_line_ups.delete(
        stable_id=stable.pk, match_class=given(fields, "match_class"), format_name=given(fields, "format")
    )
    return answer(request, gettext("The saved line-up is deleted."), _saved_page(stable))


def _saved_page(stable: Stable) -> str:
    return reverse("stables:line_ups", args=[stable.season.slug, stable.slug])


def _open_fixture(stable: Stable) -> int:
    fixture_id = line_ups.open_fixture_of(stable)
    if fixture_id is None:
        raise SeasonRefused("no_open_fixture")
    return fixture_id


def _crews(fields: Mapping[str, Any]) -> list[CrewChoice]:
    if "crew" not in fields:
        return [_crew(fields, {}, 0)]
    found = []
    for place, name in enumerate(CREWS):
        if fields.get(name):
            unit, _, cards = text_of(fields, name).partition("-")
            pilot, _, gear = cards.partition("-")
            found.append(_crew(fields, {"unit": unit, "pilot": pilot, "gear": gear}, place))
    return found


def _crew(fields: Mapping[str, Any], written: Mapping[str, Any], place: int) -> CrewChoice:
    named = written or fields
    return CrewChoice(
        number_of(named, "unit"),
        number_of(named, "pilot") if named.get("pilot") else None,
        _gear(named),
        _hand(fields, place),
    )


def _gear(named: Mapping[str, Any]) -> tuple[int, ...] | None:
    """What goes with the unit: empty says all that it carries, "0" nothing."""
    told = text_of(named, "gear")
    if not told:
        return None
    numbers = [number_of({"gear": one}, "gear") for one in told.split(".")]
    return tuple(number for number in numbers if number)


def _hand(fields: Mapping[str, Any], place: int) -> tuple[int, ...]:
    """The rally cards of the first unit (place 0) or the second."""
    names = [f"hand_{number}" for number in range(HAND_SIZE * place + 1, HAND_SIZE * (place + 1) + 1)]
    return tuple(number_of(fields, name) for name in names if fields.get(name))


def _tokens(fields: Mapping[str, Any]) -> list[str]:
    if "tokens" in fields:
        return text_of(fields, "tokens").split()
    names = [f"token_{number}" for number in range(1, TOKENS_PER_SIDE + 1)]
    return [fields[name] for name in names if fields.get(name)]


@require_safe
@login_required
def line_ups_page(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """The stable's line-ups, for its owner alone: the one that is called for, and those saved for class and format.

    `class` and `format` in the address open the form for what is saved for matches of that kind.
    """
    stable = own_stable(request, season_slug, stable_slug)
    asked = (request.GET.get("class", ""), request.GET.get("format", ""))
    return render(request, "stables/line_ups.html", _context(stable, window_of(stable), asked))


def refused_line_up(
    request: HttpRequest, stable: Stable, typed: Mapping[str, Any], problem: Malformed | Refused, *, is_saved: bool
) -> HttpResponse:
    """The same page with a refusal's sentence on top and what was chosen in the form: that of the line-up which is
    called for, or that of a saved one. Raises the refusal again where there is no such form (any more).
    """
    window = window_of(stable)
    asked = (str(typed.get("match_class", "")), str(typed.get("format", ""))) if is_saved else ("", "")
    try:
        context = _context(stable, window, asked)
    except Malformed:
        raise problem from None
    form = context["editing" if is_saved else "line_up"]
    if not form or not form.get("crew_selects"):
        raise problem
    context["editing" if is_saved else "line_up"] = filled(form, typed)
    context["problem"] = sentence(problem.code, problem.parameters, gettext)
    status = HTTPStatus.BAD_REQUEST if isinstance(problem, Malformed) else HTTPStatus.CONFLICT
    return render(request, "stables/line_ups.html", context, status=status)


def _context(stable: Stable, window: Window, asked: tuple[str, str]) -> dict[str, Any]:
    season = stable.season
    saved = {(each.match_class, each.format): each for each in SavedLineUp.objects.filter(stable=stable)}
    plan = [(season.rules.class_of(number), format_name) for number, format_name in enumerate(season.rules.cycles, 1)]
    return page_of_stable(stable, gettext("Line-ups")) | {
        "line_up": line_up_form(stable, window),
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
        "editing": saved_form(stable, *asked, saved.get(asked)) if all(asked) else None,
        "back": "line_ups",
    }
