"""The endpoints of a season's cycles: format and class, rounds with their deadlines, places and purses."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.http import Http404
from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Pages, pages_of
from api.fields import Output, StrictChoice, page_example
from stables.api.base import SeasonEndpoint
from stables.api.references import (
    RIVAL_EXAMPLE,
    STABLE_EXAMPLE,
    StableNameOutput,
    a_match_field,
    class_field,
    decided_by_field,
    format_field,
)
from stables.models import Cycle, Placing, Round, Season

TOPIC = "Cycles and fixtures"


class CycleBriefOutput(Output):
    """A cycle in short. `market_closes_at` is null when the market has no deadline."""

    number = serializers.IntegerField()
    format = format_field()
    match_class = class_field()
    state = serializers.ChoiceField(choices=Cycle.State.values)
    market_closes_at = serializers.DateTimeField(allow_null=True)


class RoundOutput(Output):
    """A round and its deadlines for line-ups, for playing and reporting, and for confirming. Null means no deadline."""

    number = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Round.State.values)
    line_ups_due_at = serializers.DateTimeField(allow_null=True)
    play_due_at = serializers.DateTimeField(allow_null=True)
    confirm_due_at = serializers.DateTimeField(allow_null=True)


class PlacingOutput(Output):
    """A stable's place in a closed cycle. `decided_by` is what separates it from the place above, null for the first.
    `reputation_a_match` has two decimals, null without a match; when the stables of a cycle have played unequal numbers
    of matches, places go by it (exactly) instead of `reputation`. `purse` is in Stones.
    """

    place = serializers.IntegerField()
    stable = StableNameOutput()
    reputation = serializers.IntegerField()
    kills = serializers.IntegerField()
    wins = serializers.IntegerField()
    matches = serializers.IntegerField()
    reputation_a_match = a_match_field()
    decided_by = decided_by_field()
    purse = serializers.IntegerField()


class CycleOutput(CycleBriefOutput):
    """A cycle with its rounds and places.

    `placings` are empty until the cycle is closed. A later correction writes all of them again as a new revision, which
    `placings_revision` counts. `stables_at_start` and `rounds_planned` are null while the market is open.
    """

    stables_at_start = serializers.IntegerField(source="started_with", allow_null=True)
    rounds_planned = serializers.IntegerField(allow_null=True)
    rounds = RoundOutput(many=True)
    placings_revision = serializers.IntegerField()
    placings = PlacingOutput(many=True)


class CyclesQuery(Pages):
    """Which cycles."""

    state = StrictChoice(choices=Cycle.State.values, required=False)


EXAMPLE: dict[str, Any] = {
    "number": 1,
    "format": "standard",
    "match_class": "light",
    "state": "closed",
    "market_closes_at": None,
    "stables_at_start": 2,
    "rounds_planned": 1,
    "rounds": [
        {
            "number": 1,
            "state": "settled",
            "line_ups_due_at": "3152-03-06T18:10:00Z",
            "play_due_at": "3152-03-06T20:00:00Z",
            "confirm_due_at": "3152-03-06T20:10:00Z",
        }
    ],
    "placings_revision": 1,
    "placings": [
        {
            "place": 1, "stable": STABLE_EXAMPLE, "reputation": 95, "kills": 1, "wins": 1, "matches": 1,
            "reputation_a_match": 95.0, "decided_by": None, "purse": 120,
        },
        {
            "place": 2, "stable": RIVAL_EXAMPLE, "reputation": 20, "kills": 0, "wins": 0, "matches": 1,
            "reputation_a_match": 20.0, "decided_by": "reputation", "purse": 80,
        },
    ],
}  # fmt: skip


def cycles_of(season: Season) -> QuerySet[Cycle]:
    """Return the cycles of a season whose market has opened, in order, with rounds and valid places; three queries."""
    placings = Placing.current().select_related("stable").order_by("place")
    rounds = Round.objects.order_by("number")
    listed = Cycle.objects.filter(season=season).order_by("number")
    return listed.prefetch_related(Prefetch("rounds", queryset=rounds), Prefetch("placings", queryset=placings))


class Cycles(SeasonEndpoint):
    """The cycles of a season."""

    @describes(
        "cycles_list",
        "The cycles that have begun",
        TOPIC,
        answers=pages_of(CycleOutput),
        asks=CyclesQuery,
        examples=[example("A closed cycle", page_example(EXAMPLE))],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """List the cycles whose market has opened, in order. The season's settings name the cycles still to come."""
        asked = self.asked(CyclesQuery)
        found = cycles_of(self.season())
        if "state" in asked:
            found = found.filter(state=asked["state"])
        return self.page_of(found, asked, lambda rows: CycleOutput(rows, many=True).data)


class CycleItself(SeasonEndpoint):
    """One cycle."""

    @describes("cycles_read", "A cycle", TOPIC, answers=CycleOutput, examples=[example("A closed cycle", EXAMPLE)])
    def get(self, request: Any, season_slug: str, number: int) -> Response:
        """Return a cycle with its rounds, and with its places and purses once it is closed."""
        found = cycles_of(self.season()).filter(number=number).first()
        if found is None:
            raise Http404
        return Response(CycleOutput(found).data)
