"""The page of a stable's line-ups, for its owner alone: the one that is called for, and those he saved for later."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from stables import page_words as words
from stables.line_up_form import line_up_form, saved_form
from stables.models import SavedLineUp
from stables.requests import own_stable
from stables.services.windows import window_of
from stables.stable_page import page_of_stable


@require_safe
@login_required
def line_ups(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """The stable's line-ups, for its owner alone: the one that is called for, and those saved for class and format.

    `class` and `format` in the address open the form for what is saved for matches of that kind.
    """
    stable = own_stable(request, season_slug, stable_slug)
    season = stable.season
    window = window_of(stable)
    saved = {(each.match_class, each.format): each for each in SavedLineUp.objects.filter(stable=stable)}
    plan = [(season.rules.class_of(number), format_name) for number, format_name in enumerate(season.rules.cycles, 1)]
    asked = (request.GET.get("class", ""), request.GET.get("format", ""))
    context = page_of_stable(stable, gettext("Line-ups")) | {
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
    return render(request, "stables/line_ups.html", context)
