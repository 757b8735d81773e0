"""The endpoints of seasons: the list of those that the asker may see, and one season with its plan."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Pages, pages_of
from api.fields import Output, StrictChoice, page_example, searched
from rules.campaign.classes import MULTI_CLASS
from rules.catalogue.vocabulary import CLASSES
from stables.api.base import SeasonEndpoint
from stables.api.organising.base import closing_time
from stables.api.organising.opening import OpensSeasons
from stables.api.reading.cycles import CycleBriefOutput
from stables.api.references import format_field
from stables.models import Cycle, Season
from stables.presenters.waiting import season_now
from stables.selectors.access import listed_seasons, named
from stables.text.calendar import DEADLINES

TOPIC = "Seasons"
STATES = [state for state in Season.State.values if state != Season.State.DRAFT]


class SeasonOutput(Output):
    """A season as lists show it. `formats` are those of its cycles in order. `cycle` is the newest cycle whose market
    has opened. `organiser` is null when nobody organises it.

    `stables` counts the stables that have not left, `places` how many may take part at a time. While a season is
    `provisional` its results may be corrected until `closes_at`, which is null in every other state.
    """

    slug = serializers.SlugField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=Season.State.values)
    weight_class = serializers.ChoiceField(choices=[*CLASSES, MULTI_CLASS], source="rules.season_class")
    visibility = serializers.ChoiceField(choices=Season.Visibility.values)
    joining = serializers.ChoiceField(choices=Season.Joining.values)
    organiser = serializers.SerializerMethodField()
    paused = serializers.SerializerMethodField()
    closes_at = serializers.SerializerMethodField()
    opened_at = serializers.DateTimeField(source="created_at")
    formats = serializers.ListField(child=format_field(), source="rules.cycles")
    cycle = CycleBriefOutput(source="newest_cycle", allow_null=True)
    stables = serializers.IntegerField(source="stables_taking_part")
    places = serializers.IntegerField(source="rules.places")

    def get_organiser(self, season: Season) -> str | None:
        return season.organiser.get_username() if season.organiser else None

    def get_closes_at(self, season: Season) -> datetime | None:
        return closing_time(season)

    def get_paused(self, season: Season) -> bool:
        return season.paused_at is not None

    def to_representation(self, season: Season) -> Any:
        """Return a season of `with_course` in the form of the interface; no query."""
        season.newest_cycle = next(iter(season.cycles.all()), None)  # type: ignore[attr-defined]
        return super().to_representation(season)


class DeadlineOutput(Output):
    """An open deadline: its kind, its round (null for the market and for the end of the season), and its time."""

    what = serializers.ChoiceField(choices=list(DEADLINES))
    round = serializers.IntegerField(allow_null=True)
    at = serializers.DateTimeField()


class SeasonDetailOutput(SeasonOutput):
    """A season with its settings, its calendar and its open deadlines. `announced_settings` hold from the next cycle
    on. `catalogue_release` is the hash of the release that it is played with.
    """

    settings = serializers.DictField()
    announced_settings = serializers.DictField(source="pending_settings")
    calendar = serializers.DictField()
    deadlines = serializers.SerializerMethodField()
    catalogue_release = serializers.CharField(source="release.content_hash")

    @extend_schema_field(DeadlineOutput(many=True))
    def get_deadlines(self, season: Season) -> Any:
        stables = season.stables.order_by("number").prefetch_related("skipped")
        due = season_now(season, next(iter(season.cycles.all()), None), stables, None).deadlines
        dates = [{"what": each.what, "round": each.round or None, "at": each.at} for each in due]
        return DeadlineOutput(dates, many=True).data


class SeasonsQuery(Pages):
    """Which seasons."""

    state = StrictChoice(choices=STATES, required=False)
    weight_class = StrictChoice(
        choices=[*CLASSES, MULTI_CLASS], required=False, help_text="`multi`: each cycle has its own class."
    )
    search = searched("Part of the name.")


EXAMPLE: dict[str, Any] = {
    "slug": "spring-circuit",
    "name": "Spring Circuit",
    "state": "running",
    "weight_class": "light",
    "visibility": "public",
    "joining": "open",
    "organiser": "organiser",
    "paused": False,
    "closes_at": None,
    "opened_at": "3152-03-01T18:00:00Z",
    "formats": ["standard", "team"],
    "cycle": {
        "number": 1,
        "format": "standard",
        "match_class": "light",
        "state": "rounds",
        "market_closes_at": "3152-03-06T18:00:00Z",
    },
    "stables": 4,
    "places": 8,
}
DETAIL_EXAMPLE: dict[str, Any] = {
    **EXAMPLE,
    "settings": {"weight_class": "light", "cycles": ["standard", "team"], "places": 8},
    "announced_settings": {},
    "calendar": {"preset": "club_night", "time_zone": "UTC"},
    "deadlines": [{"what": "line_ups", "round": 1, "at": "3152-03-06T18:10:00Z"}],
    "catalogue_release": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
}


def with_course(seasons: QuerySet[Season]) -> QuerySet[Season]:
    """Return a query of seasons with organiser, release, cycles (the newest first) and `stables_taking_part`, the
    number of stables that have not left; two queries.

    The seasons' secrets are not read.
    """
    taking_part = Count("stables", filter=Q(stables__left_in_cycle=None, stables__removed_at=None), distinct=True)
    return (
        seasons.select_related("organiser", "release")
        .defer("secret")
        .annotate(stables_taking_part=taking_part)
        .prefetch_related(Prefetch("cycles", queryset=Cycle.objects.order_by("-number")))
    )


class Seasons(OpensSeasons):
    """The seasons."""

    @describes(
        "seasons_list",
        "The seasons that are listed for you",
        TOPIC,
        answers=pages_of(SeasonOutput),
        asks=SeasonsQuery,
        examples=[example("One season", page_example(EXAMPLE))],
    )
    def get(self, request: Any) -> Response:
        """List public seasons and those that you take part in, the newest first."""
        asked = self.asked(SeasonsQuery)
        found = with_course(named(listed_seasons(request.user), asked.get("search", ""))).order_by("-id")
        if "state" in asked:
            found = found.filter(state=asked["state"])
        if "weight_class" in asked:
            found = found.filter(of_class(asked["weight_class"]))
        return self.page_of(found, asked, lambda rows: SeasonOutput(rows, many=True).data)


def of_class(wanted: str) -> Q:
    """Return the condition that a Season has this class. `wanted` is a class, or MULTI_CLASS for seasons with several
    classes, which store none of their own.
    """
    if wanted != MULTI_CLASS:
        return Q(settings__weight_class=wanted)
    return Q(settings__weight_class=None) | Q(settings__weight_class__isnull=True)


class SeasonItself(SeasonEndpoint):
    """One season."""

    @describes(
        "seasons_read",
        "A season",
        TOPIC,
        answers=SeasonDetailOutput,
        examples=[example("A running season", DETAIL_EXAMPLE)],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """Return a season with its settings, its announced settings, its calendar and its open deadlines."""
        found = with_course(Season.objects.filter(pk=self.season().pk)).get()
        return Response(SeasonDetailOutput(found).data)
