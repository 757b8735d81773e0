"""Opening a season: the form with every setting, what it sends, and units of a season's own."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import cast

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from catalogue.services.collections import usable_by
from people.models import User
from rules.campaign.capital import STARTING_CAPITAL
from rules.campaign.classes import FORMATS, LARGEST_SEASON, MULTI_CLASS, WEIGHT_CLASSES
from rules.core.refusals import Malformed, Refused
from rules.wording import sentence
from stables.models import Season
from stables.presenters import season_form
from stables.presenters.ai_owners import how_hard_field
from stables.services.season import collections, opening
from stables.text import names as words
from stables.views.frame import answer, for_people, organised
from web.crumbs import Link
from web.reading import number_of, text_of, yes_of

PROPOSED_AI_STABLES = 3
"""What the form proposes."""


@require_http_methods(["GET", "HEAD", "POST"])
def open_season(request: HttpRequest) -> HttpResponse:
    """The form to open a season, for people who are logged in; a POST opens it (see `create_season`)."""
    if request.method == "POST":
        return create_season(request)
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    return _form(request)


def _form(request: HttpRequest, problem: Malformed | Refused | None = None) -> HttpResponse:
    """The form; after a refusal with its sentence on top and everything as it was typed."""
    typed: Mapping[str, str] = {} if problem is None else request.POST.dict()
    status = HTTPStatus.OK
    if problem is not None:
        status = HTTPStatus.BAD_REQUEST if isinstance(problem, Malformed) else HTTPStatus.CONFLICT
    user = cast(User, request.user)
    context = {
        "problem": "" if problem is None else sentence(problem.code, season_form.in_words(problem), gettext),
        "typed": {"ai_stables": PROPOSED_AI_STABLES, **typed},
        "classes": [
            (key, words.word(words.CLASSES, key), STARTING_CAPITAL[key]) for key in (*WEIGHT_CLASSES, MULTI_CLASS)
        ],
        "class_questions": season_form.filled(season_form.class_fields(), typed),
        "most_ai_stables": LARGEST_SEASON - 1,
        "how_hard": how_hard_field("ai_bot", typed.get("ai_bot", opening.USUAL_BOT)),
        "longest_name": opening.LONGEST_NAME,
        "collections": usable_by(user),
        # A box that is not ticked sends nothing, so it is the whole form that tells whether one was.
        "formats": [(key, words.word(words.FORMATS, key), not typed or f"format_{key}" in typed) for key in FORMATS],
        "settings": season_form.filled(season_form.setting_fields(), typed),
        "switches": season_form.filled(season_form.switch_fields(), typed),
        "calendar": season_form.filled(season_form.calendar_fields(time_zone=user.time_zone), typed),
        "joining": Season.Joining.choices,
        "visibility": Season.Visibility.choices,
        "drafts": Season.objects.filter(organiser=user, state=Season.State.DRAFT).defer("secret"),
        "crumbs": [Link(gettext("Seasons"), reverse("stables:home"))],
    }
    return render(request, "stables/open_season.html", context, status=status)


@for_people
def create_season(request: HttpRequest) -> HttpResponse:
    """Open a season (see `_open`). People whose form is refused find it again as they had filled it in."""
    try:
        return _open(request)
    except (Malformed, Refused) as problem:
        return _form(request, problem)


def _open(request: HttpRequest) -> HttpResponse:
    """Open a season with the asking person as organiser.

    Fields: name, weight_class (or "multi", then if wished class_1 to class_6), ai_stables; if wished ai_bot (who plays
    the matches of all these: "random", "greedy", "quick", "tactical"), collection (its address), joining ("open",
    "invited"), visibility ("public", "unlisted", "private"), draft ("yes": not published yet), the formats
    ticked (format_<key>: "yes") or cycles (1 to 6, the book's first so many), the settings of
    rules.campaign.season.settings by name, match switches as rule_<key>, the calendar as calendar_<key>
    (rules.campaign.season.calendar). The answer of choices of two is "yes" or "no".
    """
    fields = request.POST.dict()
    formats = season_form.read_formats(fields)
    is_draft = yes_of(fields, "draft", False)
    opened = opening.open_for_people(
        name=text_of(fields, "name"),
        weight_class=text_of(fields, "weight_class"),
        class_order=season_form.read_classes(fields, len(formats)),
        ai_stables=number_of(fields, "ai_stables"),
        ai_bot=text_of(fields, "ai_bot") or opening.USUAL_BOT,
        organiser=request.user,
        settings={**season_form.read_settings(fields), "cycles": list(formats)},
        collection=text_of(fields, "collection"),
        calendar=season_form.read_calendar(fields),
        joining=text_of(fields, "joining") or Season.Joining.OPEN,
        visibility=text_of(fields, "visibility") or Season.Visibility.PUBLIC,
        is_draft=is_draft,
    )
    told = gettext("Your season is open. Found a stable in it, invite others, and start it.")
    if is_draft:
        told = gettext("Your draft is saved. Nobody else sees it until you publish it.")
    return answer(request, told, reverse("stables:season", args=[opened.slug]))


@for_people
def take_up_collection(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Play a recruiting season with a collection (field `collection`, "" for none); its organiser only."""
    season = organised(request, season_slug)
    slug = str(request.POST.dict().get("collection", ""))
    collections.take_up(season_id=season.pk, organiser=request.user, slug=slug)
    return answer(request, gettext("The season plays with these units now."), season.get_absolute_url())


@for_people
def make_collection(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Make a collection for this season alone (field `name`); its organiser only."""
    season = organised(request, season_slug)
    name = text_of(request.POST.dict(), "name")
    made = collections.make_for_season(season_id=season.pk, organiser=request.user, name=name)
    sentence = gettext("Send the collection a file, then take it up on the season’s page.")
    return answer(request, sentence, reverse("catalogue:collection", args=[made.slug]))
