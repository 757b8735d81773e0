"""The base of the organisers' endpoints, and their usual answer: the state of the season now."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.response import Response

from api.fields import Output
from stables.api.base import SeasonEndpoint
from stables.models import Cycle, Fixture, Season

TOPIC = "Running a season"
SEASON = "seasons/<slug:season_slug>/"
LARGEST_ID = 2**63 - 1


class CourseOutput(Output):
    """The state of a season. `cycle` and `cycle_state` are the number and state of its newest cycle, null before the
    first. `paused_at` is null unless the season is paused. `closes_at` is null unless its champions are provisional.
    """

    season = serializers.SlugField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=Season.State.values)
    visibility = serializers.ChoiceField(choices=Season.Visibility.values)
    joining = serializers.ChoiceField(choices=Season.Joining.values)
    paused_at = serializers.DateTimeField(allow_null=True)
    closes_at = serializers.DateTimeField(allow_null=True)
    cycle = serializers.IntegerField(allow_null=True)
    cycle_state = serializers.ChoiceField(choices=Cycle.State.values, allow_null=True)


COURSE: dict[str, Any] = {
    "season": "spring-circuit",
    "name": "Spring Circuit",
    "state": "running",
    "visibility": "public",
    "joining": "open",
    "paused_at": None,
    "closes_at": None,
    "cycle": 1,
    "cycle_state": "market",
}
"""An example of CourseOutput."""


def closing_time(season: Season) -> datetime | None:
    """Return when the results of a season with provisional champions become final; None for any other season."""
    return season.closes_at if season.state == Season.State.PROVISIONAL else None


def course_of(season_id: int) -> dict[str, Any]:
    """Return the fields of CourseOutput for a season, read again from the database; two queries."""
    season = Season.objects.defer("secret").get(pk=season_id)
    newest = season.cycles.order_by("-number").first()
    return {
        "season": season.slug,
        "name": season.name,
        "state": season.state,
        "visibility": season.visibility,
        "joining": season.joining,
        "paused_at": season.paused_at,
        "closes_at": closing_time(season),
        "cycle": None if newest is None else newest.number,
        "cycle_state": None if newest is None else newest.state,
    }


class Organising(SeasonEndpoint):
    """An endpoint for the organiser and co-organisers of a season. A token needs the scope “organise” for changes."""

    open_to_all = False
    write_scope = "organise"

    def recheck_permission(self, **names: Any) -> None:
        self.organised_season()

    def course(self, season: Season) -> Response:
        """Return the answer to a finished act: the state of the season now; two queries."""
        return Response(CourseOutput(course_of(season.pk)).data)

    def fixture(self, fixture_id: int) -> Fixture:
        """Return a fixture of the season, with its round, cycle and season; one query. Raises Http404."""
        found = None
        if fixture_id <= LARGEST_ID:
            known = Fixture.objects.select_related("round__cycle__season")
            found = known.filter(pk=fixture_id, round__cycle__season=self.season()).first()
        if found is None:
            raise Http404
        return found
