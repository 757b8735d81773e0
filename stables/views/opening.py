"""Opening a season: the form with every setting, and what it sends."""

from __future__ import annotations

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from catalogue.collections import usable_by
from matches.surroundings import Link
from rules.campaign.capital import STARTING_CAPITAL
from rules.campaign.classes import FORMATS, LARGEST_SEASON, MULTI_CLASS, WEIGHT_CLASSES
from stables import page_words as words
from stables import season_form
from stables.models import Season
from stables.requests import answer, for_people, number_of, read_input, text_of
from stables.services import openings


@require_http_methods(["GET", "HEAD", "POST"])
def open_season(request: HttpRequest) -> HttpResponse:
    """The form to open a season, for people who are logged in; a POST opens it (see `create_season`)."""
    if request.method == "POST":
        return create_season(request)
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    context = {
        "classes": [
            (key, words.word(words.CLASSES, key), STARTING_CAPITAL[key]) for key in (*WEIGHT_CLASSES, MULTI_CLASS)
        ],
        "class_questions": season_form.class_questions(),
        "most_ai_stables": LARGEST_SEASON - 1,
        "longest_name": openings.LONGEST_NAME,
        "collections": usable_by(request.user),
        "formats": [(key, words.word(words.FORMATS, key)) for key in FORMATS],
        "settings": season_form.setting_questions(),
        "switches": season_form.switch_questions(),
        "calendar": season_form.calendar_questions(time_zone=request.user.time_zone),
        "joining": Season.Joining.choices,
        "crumbs": [Link(gettext("Seasons"), reverse("stables:home"))],
    }
    return render(request, "stables/open_season.html", context)


@for_people
def create_season(request: HttpRequest) -> HttpResponse:
    """Open a season with the asking person as organiser.

    Fields: name, weight_class (or "multi", then if wished class_1 to class_6), ai_stables; if wished collection (its
    address), joining ("open", "invited"), the formats ticked (format_<key>: "yes") or cycles (1 to 6, the book's first
    so many), the settings of rules.campaign.settings by name, match switches as rule_<key>, the calendar as
    calendar_<key> (stables.calendar). The answer of choices of two is "yes" or "no".
    """
    fields = read_input(request)
    formats = season_form.read_formats(fields)
    opened = openings.open_for_people(
        name=text_of(fields, "name"),
        weight_class=text_of(fields, "weight_class"),
        class_order=season_form.read_classes(fields, len(formats)),
        ai_stables=number_of(fields, "ai_stables"),
        organiser=request.user,
        settings={**season_form.read_settings(fields), "cycles": list(formats)},
        collection=text_of(fields, "collection"),
        calendar=season_form.read_calendar(fields),
        joining=text_of(fields, "joining") or Season.Joining.OPEN,
    )
    sentence = gettext("Your season is open. Found a stable in it, invite others, and start it.")
    return answer(request, opened, sentence, reverse("stables:season", args=[opened.slug]), 201)
