"""The endpoints of opening: a new season, publishing a draft, the next season, and a season's own units."""

from __future__ import annotations

from typing import Any

from django.core.validators import RegexValidator
from django.urls import reverse
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Input, Output, StrictBoolean, StrictChoice, StrictInteger, StrictString
from rules.campaign.classes import LARGEST_SEASON, MULTI_CLASS
from stables.api.base import SeasonEndpoint
from stables.api.organising.ai_stables import who_plays
from stables.api.organising.base import COURSE, TOPIC, CourseOutput, Organising
from stables.api.organising.settings import (
    SAYS_SOMETHING,
    CalendarInput,
    SeasonSettingsInput,
    calendar_from,
    rules_refuse,
    settings_from,
)
from stables.models import Season
from stables.services.season import collections, opening
from stables.services.season.next_season import open_next_season

SLUG = RegexValidator(r"^[-a-zA-Z0-9_]*$")
LONGEST_SLUG = 100


class OpenSeasonInput(Input):
    """A season to open."""

    name = StrictString(max_length=opening.LONGEST_NAME, validators=[SAYS_SOMETHING])
    settings = SeasonSettingsInput()
    ai_stables = StrictInteger(
        min_value=0,
        max_value=LARGEST_SEASON - 1,
        default=0,
        help_text="Stables of the AI to found at once; one place is left for a person.",
    )
    ai_bot = who_plays("Who plays the matches of these stables.")
    collection = StrictString(
        max_length=LONGEST_SLUG,
        allow_blank=True,
        default="",
        validators=[SLUG],
        help_text="The address of a collection whose definitions take precedence over the game's own.",
    )
    calendar = CalendarInput(required=False, help_text="Left out: no deadlines.")
    joining = StrictChoice(choices=Season.Joining.values, default=Season.Joining.OPEN.value)
    visibility = StrictChoice(choices=Season.Visibility.values, default=Season.Visibility.PUBLIC.value)
    draft = StrictBoolean(default=False, help_text="Its organisers alone see a draft, until it is published.")


class OpenedSeasonOutput(Output):
    """A season that was opened. `settings` has all settings. They include an order of classes that was drawn."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=Season.State.values)
    joining = serializers.ChoiceField(choices=Season.Joining.values)
    visibility = serializers.ChoiceField(choices=Season.Visibility.values)
    settings = serializers.DictField()
    calendar = serializers.DictField()
    catalogue_release = serializers.CharField(source="release.content_hash")


OPENED: dict[str, Any] = {
    "slug": "spring-circuit",
    "name": "Spring Circuit",
    "state": "recruiting",
    "joining": "open",
    "visibility": "public",
    "settings": {"weight_class": "light", "multi_class_order": [], "cycles": ["standard", "team"], "places": 6},
    "calendar": {"preset": "weekly", "time_zone": "Europe/Berlin", "mode": "browser", "weekday": 6, "at": "20:00"},
    "catalogue_release": "5f0c0b6d",
}


def opened(slug: str) -> Response:
    """Return the answer to an opened season (201): its facts, and its address in `Location`; one query."""
    season = Season.objects.select_related("release").defer("secret").get(slug=slug)
    headers = {"Location": reverse("api:season", args=[slug])}
    return Response(OpenedSeasonOutput(season).data, status=201, headers=headers)


class OpensSeasons(SeasonEndpoint):
    """The method that opens a season at the address of all seasons; stables.api.reading.seasons.Seasons adds a list."""

    write_scope = "organise"

    @describes(
        "seasons_open",
        "Open a season",
        TOPIC,
        sends=OpenSeasonInput,
        answers=OpenedSeasonOutput,
        status=201,
        examples=[
            example(
                "A weekly season with two stables of the AI",
                {
                    "name": "Spring Circuit",
                    "settings": {
                        "weight_class": "light",
                        "cycles": ["standard", "team"],
                        "places": 6,
                        "house_rules": {"pilot_death": True},
                    },
                    "ai_stables": 2,
                    "ai_bot": "quick",
                    "calendar": {"preset": "weekly", "time_zone": "Europe/Berlin", "mode": "browser"},
                },
                sent=True,
            ),
            example("Opened", OPENED, status=201),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any) -> Response:
        """Open a season as its organiser. It recruits at once, or stays a draft until it is published.

        By default losers keep their reputation and absence pays nothing. By the book it is the other way round.
        Settings that contradict each other are refused with 409 and a code: a format named twice, a class together with
        an order of classes, or fewer classes than cycles (setting_out_of_range); as many stables of the AI as places
        (ai_stables_out_of_range); a collection that you may not use (unknown_collection); a switch that seasons do not
        follow (setting_not_built). Also refused: too_many_seasons_recruiting, printed_dials_missing,
        too_many_definitions, catalogues_too_large.
        """
        sent = self.sent(OpenSeasonInput)
        settings = dict(sent["settings"])
        order, weight_class = settings["multi_class_order"], settings.pop("weight_class")
        if order and weight_class is None:
            weight_class = MULTI_CLASS
        if weight_class == MULTI_CLASS:
            del settings["multi_class_order"]
        with rules_refuse():
            made = opening.open_for_people(
                name=sent["name"],
                weight_class=weight_class,
                class_order=order,
                ai_stables=sent["ai_stables"],
                ai_bot=sent["ai_bot"],
                organiser=request.user,
                settings=settings_from(settings),
                collection=sent["collection"],
                calendar=calendar_from(sent["calendar"]) if "calendar" in sent else None,
                joining=sent["joining"],
                visibility=sent["visibility"],
                is_draft=sent["draft"],
            )
        return opened(made.slug)


class Publish(Organising):
    """The publication of a draft."""

    @describes(
        "season_publish",
        "Publish a draft",
        TOPIC,
        answers=CourseOutput,
        examples=[example("It recruits", {**COURSE, "state": "recruiting"})],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Begin recruiting, and show the season as its visibility says. Refused: season_no_draft."""
        season = self.organised_season()
        opening.publish_season(season_id=season.pk, actor=request.user)
        return self.course(season)


class AgainInput(Input):
    """The season after this one. Without a `name` it gets the old name with the next number."""

    name = StrictString(required=False, max_length=opening.LONGEST_NAME, validators=[SAYS_SOMETHING])


class NextSeason(Organising):
    """The season after a finished or cancelled one."""

    @describes(
        "season_again",
        "Open the season after this one",
        TOPIC,
        sends=AgainInput,
        answers=OpenedSeasonOutput,
        status=201,
        examples=[
            example("With a name", {"name": "Summer Circuit"}, sent=True),
            example("Opened", {**OPENED, "slug": "summer-circuit", "name": "Summer Circuit"}, status=201),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Open a season with the settings, calendar, stables of the AI and roles of this one, and invite the people who
        played. You organise the new season.

        A second call while your new season still recruits returns that season. Refused: season_not_over,
        too_many_seasons_recruiting. 429 (`too_often`) for too many within an hour.
        """
        season = self.organised_season()
        name = self.sent(AgainInput).get("name", "")
        with rules_refuse():
            made = open_next_season(season_id=season.pk, organiser=request.user, name=name)
        return opened(made.slug)


class TakeUpCollectionInput(Input):
    """The address of a collection, empty for the game's own definitions alone."""

    collection = StrictString(max_length=LONGEST_SLUG, allow_blank=True, validators=[SLUG])


class SeasonCatalogueOutput(Output):
    """What a season plays with: the hash of its release, and the address of the collection that takes precedence, empty
    for none.
    """

    release = serializers.CharField()
    collection = serializers.CharField(allow_blank=True)


class TakeUpCollection(Organising):
    """A season's choice of a collection of units."""

    @describes(
        "season_take_up_collection",
        "Play with a collection of units",
        TOPIC,
        sends=TakeUpCollectionInput,
        answers=SeasonCatalogueOutput,
        examples=[
            example("A collection", {"collection": "our-miniatures"}, sent=True),
            example("Taken up", {"release": "5f0c0b6d", "collection": "our-miniatures"}),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Let the season play with the newest version of a collection, while it recruits and nothing was bought.

        Refused: season_not_recruiting, catalogue_in_use, printed_dials_missing, unknown_collection,
        too_many_definitions, catalogues_too_large.
        """
        season = self.organised_season()
        slug = self.sent(TakeUpCollectionInput)["collection"]
        with rules_refuse():
            taken = collections.take_up(season_id=season.pk, organiser=request.user, slug=slug)
        return Response(SeasonCatalogueOutput(taken).data)


class MakeSeasonCollectionInput(Input):
    """A collection for this season alone."""

    name = StrictString(max_length=80, validators=[SAYS_SOMETHING])


class MadeSeasonCollectionOutput(Output):
    """A collection that was made; fill it, then let the season play with it."""

    slug = serializers.SlugField()
    name = serializers.CharField()


class MakeCollection(Organising):
    """A collection that only one season may use."""

    @describes(
        "season_make_collection",
        "Make a collection for this season",
        TOPIC,
        sends=MakeSeasonCollectionInput,
        answers=MadeSeasonCollectionOutput,
        status=201,
        examples=[
            example("A name", {"name": "Our miniatures"}, sent=True),
            example("Made", {"slug": "our-miniatures", "name": "Our miniatures"}, status=201),
        ],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str) -> Response:
        """Make an empty collection. You keep it, and no other season may use it. Refused: too_many_collections."""
        season = self.organised_season()
        name = self.sent(MakeSeasonCollectionInput)["name"]
        with rules_refuse():
            made = collections.make_for_season(season_id=season.pk, organiser=request.user, name=name)
        return Response(MadeSeasonCollectionOutput(made).data, status=201)
