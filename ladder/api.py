"""The endpoint of the ladder: how strong bots and people are, by rated matches."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Endpoint, Pages, pages_of
from api.fields import Output, StrictChoice, page_example
from ladder.selectors.ladder import Kind, lines, shown

TOPIC = "Results and standings"


class LadderLineOutput(Output):
    """A player on the ladder. The strength lies between `low` and `high` with a chance of about 95%.

    `kind` is a bot of the house, a person, or an external bot that plays with an account (`program`). Only
    bots of the house have a `rules_version`, and a line for each. `place` is the place among the players that were
    asked for, from 1.
    """

    place = serializers.IntegerField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=Kind.values)
    rules_version = serializers.SerializerMethodField()
    rating = serializers.FloatField(source="rating.mean")
    deviation = serializers.FloatField(source="rating.deviation")
    low = serializers.FloatField(source="rating.low")
    high = serializers.FloatField(source="rating.high")
    matches = serializers.IntegerField()
    last_match_at = serializers.DateTimeField()

    def get_rules_version(self, line: Any) -> str | None:
        return line.rules_version or None


class LadderQuery(Pages):
    """Which players to list."""

    kind = StrictChoice(choices=Kind.values, required=False)


EXAMPLE: dict[str, Any] = {
    "place": 1,
    "name": "strong",
    "kind": "bot",
    "rules_version": "1.0",
    "rating": 1741.3,
    "deviation": 42.6,
    "low": 1656.1,
    "high": 1826.5,
    "matches": 212,
    "last_match_at": "3152-03-02T09:00:00Z",
}


class Ladder(Endpoint):
    """The ladder."""

    @describes(
        "ladder_list",
        "The ladder of bots and people",
        TOPIC,
        answers=pages_of(LadderLineOutput),
        asks=LadderQuery,
        examples=[example("The first on it", page_example(EXAMPLE))],
    )
    def get(self, request: Any) -> Response:
        """List bots, and active accounts that want to be shown, those with the highest `low` first.

        The page *Ladder* says how ratings are worked out.
        """
        asked = self.asked(LadderQuery)
        found = shown()
        if "kind" in asked:
            found = found.filter(kind=asked["kind"])
        return self.page_of(found, asked, lambda rows: LadderLineOutput(lines(rows), many=True).data)
