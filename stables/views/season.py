"""Units of its own that a season plays with: its organisers make a collection, and take it up."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext

from stables.requests import answer, for_people, organised, read_input, text_of
from stables.services import season_collections


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
