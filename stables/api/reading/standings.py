"""The endpoint of a season's standings, cached until its books change (stables.selectors.standings_version)."""

from __future__ import annotations

from typing import Any

from django.core.cache import cache
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Pages, pages_of
from api.fields import Output, page_example
from stables.api.base import SeasonEndpoint
from stables.api.references import (
    PILOT_EXAMPLE,
    STABLE_EXAMPLE,
    AssetNameOutput,
    StableNameOutput,
    decided_by_field,
)
from stables.middleware import SEASON_ALONE
from stables.models import Season
from stables.presenters.standings import IndividualRow, StandingRow, in_order, individuals_in_order, tables_of
from stables.selectors.standings_version import standings_version

TOPIC = "Results and standings"
REMEMBERED_SECONDS = 24 * 3600


class PartOutput(Output):
    """What a cycle brought a stable. Place, purse in Stones and what decided the place are null until it is closed."""

    cycle = serializers.IntegerField()
    reputation = serializers.IntegerField()
    kills = serializers.IntegerField()
    wins = serializers.IntegerField()
    matches = serializers.IntegerField()
    place = serializers.IntegerField(allow_null=True)
    purse = serializers.IntegerField(allow_null=True)
    decided_by = decided_by_field()


class CorrectedOutput(Output):
    """What a correction added to a stable's numbers, which already include it."""

    cycle = serializers.IntegerField()
    fixture = serializers.IntegerField(allow_null=True)
    reputation = serializers.IntegerField()
    kills = serializers.IntegerField()


class RankedOutput(Output):
    """A line of a table. Lines with equal reputation and kills share a rank. `decided_by` is the tie-break that parted
    the line from the one above, None for reputation.
    """

    rank = serializers.IntegerField()
    is_shared = serializers.BooleanField()
    decided_by = decided_by_field()
    is_champion = serializers.BooleanField()
    stable = StableNameOutput()
    reputation = serializers.IntegerField()
    kills = serializers.IntegerField()
    wins = serializers.IntegerField()
    matches = serializers.IntegerField()


class StableStandingOutput(RankedOutput):
    """A stable in the standings. `change` is the number of ranks that it rose in the newest cycle, null in the first
    one; `cycles` are what its numbers are made of, corrections included.
    """

    change = serializers.IntegerField(allow_null=True)
    purses = serializers.IntegerField()
    left_in_cycle = serializers.IntegerField(allow_null=True)
    cycles = PartOutput(many=True)
    corrections = CorrectedOutput(many=True)


class IndividualStandingOutput(RankedOutput):
    """A pilot, or a unit that fought without one, in the standings; those who were sold or died too."""

    individual = AssetNameOutput()


class StandingsOutput(Output):
    """All stables, and a page of the individuals."""

    stables = StableStandingOutput(many=True)
    individuals = pages_of(IndividualStandingOutput)()


class StandingsQuery(Pages):
    """Which page of the individuals."""


PARTS_EXAMPLE = [
    {
        "cycle": 1, "reputation": 95, "kills": 1, "wins": 1, "matches": 1, "place": 1, "purse": 120,
        "decided_by": None,
    }
]  # fmt: skip
RANKED_EXAMPLE: dict[str, Any] = {
    "rank": 1, "is_shared": False, "decided_by": None, "is_champion": False, "stable": STABLE_EXAMPLE,
    "reputation": 95, "kills": 1, "wins": 1, "matches": 1,
}  # fmt: skip
EXAMPLE: dict[str, Any] = {
    "stables": [
        {
            **RANKED_EXAMPLE, "change": None, "purses": 120, "left_in_cycle": None, "cycles": PARTS_EXAMPLE,
            "corrections": [],
        }
    ],
    "individuals": page_example({**RANKED_EXAMPLE, "individual": PILOT_EXAMPLE}),
}  # fmt: skip


def parts_of(row: StandingRow) -> list[dict[str, Any]]:
    """Return the parts of a stable's numbers, cycle by cycle; no query."""
    return [
        {
            "cycle": number,
            "reputation": tally.reputation,
            "kills": tally.kills,
            "wins": tally.wins,
            "matches": tally.matches,
            "place": placing.place if placing is not None else None,
            "purse": placing.purse if placing is not None else None,
            "decided_by": placing.decided_by if placing is not None else None,
        }
        for number, tally, placing in row.parts
    ]


def _ranked(row: StandingRow | IndividualRow) -> dict[str, Any]:
    return {
        "rank": row.standing.rank,
        "is_shared": row.standing.is_shared,
        "decided_by": row.standing.decided_by,
        "is_champion": row.is_champion,
        "stable": row.stable,
        "reputation": row.total.reputation,
        "kills": row.total.kills,
        "wins": row.total.wins,
        "matches": row.total.matches,
    }


def _stable(row: StandingRow) -> dict[str, Any]:
    corrections = [
        {
            "cycle": entry.cycle.number,
            "fixture": entry.fixture_id,
            "reputation": entry.amount,
            "kills": entry.kills,
        }
        for entry in row.corrections
    ]
    return _ranked(row) | {
        "change": row.change,
        "purses": row.purses,
        "left_in_cycle": row.stable.left_in_cycle,
        "cycles": parts_of(row),
        "corrections": corrections,
    }


class Remembered(Response):
    """An answer from the cache, whose JSON is made already: `data` has its bytes."""

    @property
    def rendered_content(self) -> bytes:  # type: ignore[override]
        self["Content-Type"] = JSONRenderer.media_type
        return bytes(self.data)


def tables(season: Season) -> dict[str, Any]:
    """Return both tables, complete, in the form of the interface; eleven queries."""
    rows, individuals = tables_of(season)
    listed = [_ranked(row) | {"individual": row.asset} for row in individuals_in_order(individuals.values())]
    return {
        "stables": StableStandingOutput([_stable(row) for row in in_order(rows.values())], many=True).data,
        "individuals": IndividualStandingOutput(listed, many=True).data,
    }


class Standings(SeasonEndpoint):
    """The standings of a season."""

    @describes(
        "standings_read",
        "The standings",
        TOPIC,
        answers=StandingsOutput,
        asks=StandingsQuery,
        examples=[example("After the first cycle", EXAMPLE)],
        tagged=True,
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """Return all stables in the order of the rules with what their numbers are made of, and the individuals page by
        page.
        """
        asked = self.asked(StandingsQuery)
        season = self.season()
        version = standings_version(season)

        def answer() -> Response:
            key = f"api:standings:{season.pk}:{version}:{asked['page']}:{asked['page_size']}"
            text = cache.get(key)
            if text is None:
                found = tables(season)
                page = self.page_of(found["individuals"], asked, list)
                text = JSONRenderer().render({"stables": found["stables"], "individuals": page.data})
                cache.set(key, text, REMEMBERED_SECONDS)
            return Remembered(text)

        return self.tagged(version, answer)


standings = Standings.as_view()
# Cached standings cost little more than reading their season, so the view says that it needs the season alone.
setattr(standings, SEASON_ALONE, True)
