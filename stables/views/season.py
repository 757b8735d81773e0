"""Opening a season, joining it, and what its organisers decide."""

from __future__ import annotations

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from catalogue.collections import usable_by
from matches.surroundings import Link
from rules.campaign.capital import STARTING_CAPITAL
from rules.campaign.classes import FORMATS, LARGEST_SEASON, WEIGHT_CLASSES
from rules.core.refusals import SeasonRefused
from stables import page_words as words
from stables.models import Round, Season, Stable
from stables.requests import answer, for_people, number_of, organised, read_input, text_of, yes_of
from stables.services import openings, rounds, season_collections, seasons


@require_http_methods(["GET", "HEAD", "POST"])
def open_season(request: HttpRequest) -> HttpResponse:
    """The form to open a season, for people who are logged in; a POST opens it (see `create_season`)."""
    if request.method == "POST":
        return create_season(request)
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    context = {
        "classes": [(key, words.word(words.CLASSES, key), STARTING_CAPITAL[key]) for key in WEIGHT_CLASSES],
        "most_ai_stables": LARGEST_SEASON - 1,
        "longest_name": openings.LONGEST_NAME,
        "collections": usable_by(request.user),
        "formats": [words.word(words.FORMATS, key) for key in FORMATS],
        "crumbs": [Link(gettext("Seasons"), reverse("stables:home"))],
    }
    return render(request, "stables/open_season.html", context)


@for_people
def create_season(request: HttpRequest) -> HttpResponse:
    """Open a season with the asking person as organiser.

    Fields: name, weight_class, ai_stables, and if wished loser_keeps_reputation ("yes", "no"), absence_pays, dials
    ("house", "printed"), collection (its address) and cycles (1 to 6, the book's first so many).
    """
    fields = read_input(request)
    opened = openings.open_for_people(
        name=text_of(fields, "name"),
        weight_class=text_of(fields, "weight_class"),
        ai_stables=number_of(fields, "ai_stables"),
        organiser=request.user,
        loser_keeps_reputation=yes_of(fields, "loser_keeps_reputation", True),
        absence_pays=number_of(fields, "absence_pays") if "absence_pays" in fields else 0,
        dials=text_of(fields, "dials") if "dials" in fields else "house",
        collection=text_of(fields, "collection") if "collection" in fields else "",
        cycles=number_of(fields, "cycles") if "cycles" in fields else len(FORMATS),
    )
    sentence = gettext("Your season is open. Found a stable in it, tell others its address, and start it.")
    return answer(request, opened, sentence, reverse("stables:season", args=[opened.slug]), 201)


@for_people
def found_stable(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Found a stable in a recruiting season. Field: name."""
    season = get_object_or_404(Season, slug=season_slug)
    if season.state == Season.State.DRAFT:
        raise SeasonRefused("season_closed_to_newcomers")
    founded = seasons.found_stable(season_id=season.pk, name=text_of(read_input(request), "name"), owner=request.user)
    address = Stable.objects.select_related("season").get(pk=founded.stable_id).get_absolute_url()
    sentence = gettext("Your stable is founded with {capital} Stones.").format(capital=founded.capital)
    return answer(request, founded, sentence, address, 201)


@for_people
def start_season(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Start a recruiting season; its organiser only."""
    season = organised(request, season_slug)
    seasons.start_season(season_id=season.pk)
    return answer(request, None, gettext("The season has begun."), season.get_absolute_url())


@for_people
def take_up_collection(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Play a recruiting season with a collection (field `collection`, "" for none); its organiser only."""
    season = organised(request, season_slug)
    slug = str(read_input(request).get("collection", ""))
    taken = season_collections.take_up(season_id=season.pk, organiser=request.user, slug=slug)
    return answer(request, taken, gettext("The season plays with these units now."), season.get_absolute_url())


@for_people
def make_collection(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Make a collection for this season alone (field `name`); its organiser only."""
    season = organised(request, season_slug)
    name = text_of(read_input(request), "name")
    made = season_collections.make_for_season(season_id=season.pk, organiser=request.user, name=name)
    sentence = gettext("Send the collection a file, then take it up on the season’s page.")
    return answer(request, None, sentence, reverse("catalogue:collection", args=[made.slug]), 201)


@for_people
def start_cycle(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Close the market and start the next cycle of a running season; its organiser only."""
    season = organised(request, season_slug)
    seasons.start_cycle(season_id=season.pk)
    return answer(request, None, gettext("The cycle has begun."), season.get_absolute_url())


@for_people
def call_time(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Wait no longer for line-ups of the newest round; the season's organiser only."""
    season = organised(request, season_slug)
    newest = Round.objects.filter(cycle__season=season).order_by("-cycle__number", "-number").first()
    if newest is None:
        raise SeasonRefused("no_round_to_call", state=season.get_state_display())
    called = rounds.call_time(round_id=newest.pk)
    return answer(request, called, gettext("Time is up for line-ups of this round."), season.get_absolute_url())
