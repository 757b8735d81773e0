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
    RIVAL_EXAMPLE,
    STABLE_EXAMPLE,
    AssetNameOutput,
    StableNameOutput,
    a_match_field,
    decided_by_field,
)
from stables.middleware import SEASON_ALONE
from stables.models import Season
from stables.presenters.standings import IndividualRow, StandingRow, in_order, individuals_in_order, tables_of
from stables.selectors.standings_version import standings_version

TOPIC = "Results and standings"
REMEMBERED_SECONDS = 24 * 3600


class PartOutput(Output):
    """What a cycle brought a stable. `place` and `purse` (Stones) are null until the cycle is closed, and for a stable
    without a place. `decided_by` is what separates the stable from the place above, null for the first.
    """

    cycle = serializers.IntegerField()
    reputation = serializers.IntegerField()
    kills = serializers.IntegerField()
    wins = serializers.IntegerField()
    matches = serializers.IntegerField()
    reputation_a_match = a_match_field()
    place = serializers.IntegerField(allow_null=True)
    purse = serializers.IntegerField(allow_null=True)
    decided_by = decided_by_field()


class CorrectedOutput(Output):
    """What a correction added to a stable's numbers. Those numbers already include it."""

    cycle = serializers.IntegerField()
    fixture = serializers.IntegerField(allow_null=True)
    reputation = serializers.IntegerField()
    kills = serializers.IntegerField()


class RankedOutput(Output):
    """A line of a table. Lines with equal reputation and kills share a rank. `decided_by` is "kills" when only kills
    separate a rank from the one above, otherwise null. `reputation_a_match` has two decimals, null without a match.
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
    reputation_a_match = a_match_field()


class AgainstOutput(Output):
    """What a stable did against one that it met: a statistic of the house, which decides no place. `losses` are the
    matches that the other one won. The reputation banked in a match counts in full against each opponent.
    """

    stable = StableNameOutput()
    matches = serializers.IntegerField()
    wins = serializers.IntegerField()
    losses = serializers.IntegerField()
    reputation = serializers.IntegerField()


class StableStandingOutput(RankedOutput):
    """A stable in the standings. `change` is the number of ranks that the stable has risen in the newest cycle with
    results (negative: fallen), null when that is the first cycle or there are none. `purses` is their sum in Stones.
    `cycles` say what each cycle brought, corrections included. `left_in_cycle` is null while the stable takes part.

    `strength_of_schedule` and `against` are statistics of the house: no place goes by them. The first says in percent,
    with one decimal, how often the stable's opponents won their matches against others; null without such matches.
    """

    change = serializers.IntegerField(allow_null=True)
    purses = serializers.IntegerField()
    left_in_cycle = serializers.IntegerField(allow_null=True)
    strength_of_schedule = serializers.FloatField(allow_null=True)
    against = AgainstOutput(many=True)
    cycles = PartOutput(many=True)
    corrections = CorrectedOutput(many=True)


class IndividualStandingOutput(RankedOutput):
    """A line for a pilot, or for a unit that fought without a pilot. Sold and dead individuals keep their lines.
    `matches` and `wins` are those in which it was in the arena; forfeits and voided results are none.
    """

    individual = AssetNameOutput()


class StandingsOutput(Output):
    """All stables, and a page of the individuals."""

    stables = StableStandingOutput(many=True)
    individuals = pages_of(IndividualStandingOutput)()


class StandingsQuery(Pages):
    """Which page of the individuals."""


PARTS_EXAMPLE = [
    {
        "cycle": 1, "reputation": 95, "kills": 1, "wins": 1, "matches": 1, "reputation_a_match": 95.0, "place": 1,
        "purse": 120, "decided_by": None,
    }
]  # fmt: skip
RANKED_EXAMPLE: dict[str, Any] = {
    "rank": 1, "is_shared": False, "decided_by": None, "is_champion": False, "stable": STABLE_EXAMPLE,
    "reputation": 95, "kills": 1, "wins": 1, "matches": 1, "reputation_a_match": 95.0,
}  # fmt: skip
EXAMPLE: dict[str, Any] = {
    "stables": [
        {
            **RANKED_EXAMPLE, "change": None, "purses": 120, "left_in_cycle": None, "strength_of_schedule": 50.0,
            "against": [{"stable": RIVAL_EXAMPLE, "matches": 1, "wins": 1, "losses": 0, "reputation": 95}],
            "cycles": PARTS_EXAMPLE, "corrections": [],
        }
    ],
    "individuals": page_example({**RANKED_EXAMPLE, "individual": PILOT_EXAMPLE}),
}  # fmt: skip


def parts_of(row: StandingRow) -> list[dict[str, Any]]:
    """Return what each cycle brought a stable, in order of the cycles; no query."""
    return [
        {
            "cycle": number,
            "reputation": tally.reputation,
            "kills": tally.kills,
            "wins": tally.wins,
            "matches": tally.matches,
            "reputation_a_match": tally.reputation_a_match,
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
        "reputation_a_match": row.total.reputation_a_match,
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
        "strength_of_schedule": row.schedule,
        "against": [
            {
                "stable": other,
                "matches": met.matches,
                "wins": met.wins,
                "losses": met.losses,
                "reputation": met.reputation,
            }
            for other, met in row.against
        ],
        "cycles": parts_of(row),
        "corrections": corrections,
    }


class Remembered(Response):
    """An answer whose `data` are the bytes of finished JSON, from the cache."""

    @property
    def rendered_content(self) -> bytes:  # type: ignore[override]
        self["Content-Type"] = JSONRenderer.media_type
        return bytes(self.data)


def tables(season: Season) -> dict[str, Any]:
    """Return all lines of both tables in the form of the interface; ten queries for a season without its release."""
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
        """Return all stables and one page of the individuals, each by reputation, then kills, then name."""
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
# Cached standings cost little more than reading their season, so the view asks for the season without its release.
setattr(standings, SEASON_ALONE, True)
