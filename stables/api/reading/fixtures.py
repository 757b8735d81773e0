"""The endpoints of a season's fixtures: the list, and one fixture with the players who decide, its line-ups after the
reveal, and its result.
"""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet, prefetch_related_objects
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Pages, pages_of
from api.fields import StrictChoice, StrictInteger, page_example
from stables.api.base import SeasonEndpoint
from stables.api.reading.fixture_shapes import (
    DETAIL_EXAMPLE,
    EXAMPLE,
    FixtureDetailOutput,
    FixtureOutput,
    fixture_detail_document,
    fixture_document,
)
from stables.api.references import MOST_CYCLES, cycle_filter, stable_filter
from stables.models import Fixture, Season
from stables.presenters.fixture import find_fixture, fixture_context
from stables.presenters.results import results_context
from stables.presenters.season_parts import fixtures

TOPIC = "Cycles and fixtures"


class FixturesQuery(Pages):
    """Which fixtures."""

    cycle = cycle_filter()
    round = StrictInteger(
        min_value=1, max_value=MOST_CYCLES, required=False, help_text="Number of the round in its cycle."
    )
    state = StrictChoice(choices=Fixture.State.values, required=False)
    kind = StrictChoice(choices=Fixture.Kind.values, required=False)
    mode = StrictChoice(
        choices=Fixture.Mode.values, required=False, help_text="How the players have agreed to play it."
    )
    stable = stable_filter()


FILTERS = {
    "cycle": "round__cycle__number",
    "round": "round__number",
    "state": "state",
    "kind": "kind",
    "mode": "mode",
    "stable": "sides__stable__slug",
}


def fixtures_of(season: Season) -> QuerySet[Fixture]:
    """Return the fixtures of a season by cycle, round and number, with everything that `fixture_document` needs; three
    queries.
    """
    found = fixtures().filter(round__cycle__season=season).select_related("round__cycle")
    return found.order_by("round__cycle__number", "round__number", "number")


class Fixtures(SeasonEndpoint):
    """The fixtures of a season."""

    @describes(
        "fixtures_list",
        "The fixtures",
        TOPIC,
        answers=pages_of(FixtureOutput),
        asks=FixturesQuery,
        examples=[example("A fixture that is settled", page_example(EXAMPLE))],
    )
    def get(self, request: Any, season_slug: str) -> Response:
        """List the fixtures in the order of play: cycle, round, number."""
        asked = self.asked(FixturesQuery)
        season = self.season()
        found = fixtures_of(season).filter(**{FILTERS[name]: asked[name] for name in FILTERS if name in asked})
        return self.page_of(
            found, asked, lambda rows: FixtureOutput([fixture_document(season, row) for row in rows], many=True).data
        )


class FixtureItself(SeasonEndpoint):
    """One fixture."""

    @describes(
        "fixtures_read",
        "A fixture",
        TOPIC,
        answers=FixtureDetailOutput,
        examples=[example("A fixture that is settled", DETAIL_EXAMPLE)],
    )
    def get(self, request: Any, season_slug: str, fixture_id: int) -> Response:
        """Return who meets whom, who decides, the dates, the claim, the result that counts now and its corrections.

        Everybody sees the line-ups once all are in, and nobody before that. Rally hands and target tokens show only in
        the match. Only the owners of its stables see proposals.
        """
        found = find_fixture(season_slug, fixture_id)
        if hasattr(found, "result"):
            prefetch_related_objects([found.result], "corrections__user")
        context = fixture_context(found, request.user) | results_context(found, request.user)
        return Response(FixtureDetailOutput(fixture_detail_document(found, context)).data)
