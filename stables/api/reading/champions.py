"""The endpoints of titles: of one season, and of all finished seasons that the asker may see."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Pages, pages_of
from api.fields import Output, StrictChoice, page_example, searched
from stables.api.base import SeasonEndpoint
from stables.api.references import (
    PILOT_EXAMPLE,
    STABLE_EXAMPLE,
    AssetNameOutput,
    MatchNameOutput,
    StableNameOutput,
)
from stables.models import ProvisionalTitle, Season, Title
from stables.selectors import honours
from stables.selectors.access import named
from stables.selectors.leaders import HEAVY

TOPIC = "Results and standings"


class TitleOutput(Output):
    """A champion: a stable, or one of its individuals (null for the title of a stable). Several champions of one kind
    share the title.

    `decided_by` is what set the holder apart. `match` is the match of a sudden death, null without one.
    `is_provisional` says that a correction may still change it, because the season is not closed.
    """

    kind = serializers.ChoiceField(choices=Title.Kind.values)
    stable = StableNameOutput()
    individual = AssetNameOutput(source="asset", allow_null=True)
    reputation = serializers.IntegerField()
    kills = serializers.IntegerField()
    decided_by = serializers.ChoiceField(choices=Title.Decision.values)
    match = MatchNameOutput(allow_null=True)
    is_provisional = serializers.SerializerMethodField()

    def get_is_provisional(self, title: Title | ProvisionalTitle) -> bool:
        return isinstance(title, ProvisionalTitle)


class SeasonNameOutput(Output):
    """A season: its address and its name."""

    slug = serializers.SlugField()
    name = serializers.CharField()


class ChampionsOutput(Output):
    """A finished season and its champions, the stables first."""

    season = SeasonNameOutput()
    titles = TitleOutput(many=True)


class TitlesQuery(Pages):
    """Which titles."""

    kind = StrictChoice(choices=Title.Kind.values, required=False)


class ChampionsQuery(Pages):
    """Which seasons."""

    search = searched("Part of the season's name.")


EXAMPLE: dict[str, Any] = {
    "kind": "pilot",
    "stable": STABLE_EXAMPLE,
    "individual": PILOT_EXAMPLE,
    "reputation": 410,
    "kills": 6,
    "decided_by": "reputation",
    "match": None,
    "is_provisional": False,
}


class Titles(SeasonEndpoint):
    """The champions of a season."""

    @describes(
        "titles_list",
        "The champions of a season",
        TOPIC,
        answers=pages_of(TitleOutput),
        asks=TitlesQuery,
        examples=[example("The champion pilot", page_example(EXAMPLE))],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """List the titles that are decided, stables first. No title is decided before the last cycle is closed.

        The titles of a `provisional` season hold once it is `finished`.
        """
        asked = self.asked(TitlesQuery)
        season = self.season()
        titles: Any = season.provisional_titles if season.state == Season.State.PROVISIONAL else season.titles
        found = titles.select_related("stable", "asset", "match").defer(*HEAVY)
        if "kind" in asked:
            found = found.filter(kind=asked["kind"])
        return self.page_of(found.order_by("-kind", "id"), asked, lambda rows: TitleOutput(rows, many=True).data)


class Champions(SeasonEndpoint):
    """The hall of champions."""

    @describes(
        "champions_list",
        "The champions of all seasons",
        TOPIC,
        answers=pages_of(ChampionsOutput),
        asks=ChampionsQuery,
        examples=[
            example(
                "One season",
                page_example({"season": {"slug": "winter-circuit", "name": "Winter Circuit"}, "titles": [EXAMPLE]}),
            )
        ],
    )
    def get(self, request: Any) -> Response:
        """List the finished seasons with their champions, the newest first: public ones, and those you take part in.

        A season counts once it is closed.
        """
        asked = self.asked(ChampionsQuery)
        found = honours.finished(request.user).defer("secret", "settings", "calendar")
        if "search" in asked:
            found = named(found, asked["search"])

        def documents(seasons: list[Any]) -> Any:
            held = honours.with_champions(seasons)
            rows = [{"season": each.season, "titles": [*each.stables, *each.individuals]} for each in held]
            return ChampionsOutput(rows, many=True).data

        return self.page_of(found, asked, documents)
