"""The page of a stable's line-ups, for its owner alone: the one that is called for, and those he saved for later."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from rules.core.refusals import Malformed, Refused
from rules.wording import sentence
from stables import page_words as words
from stables.line_up_form import filled, line_up_form, saved_form
from stables.models import SavedLineUp, Stable
from stables.requests import own_stable
from stables.services.windows import Window, window_of
from stables.stable_page import page_of_stable


@require_safe
@login_required
def line_ups(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
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
