"""The pauses of seasons for the time banks of matches: in a paused season no time to think passes."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from matches.models import Match
from stables.models import Fixture, Season, SuddenDeath


def stopped_by_pauses(match_ids: Collection[int]) -> dict[int, datetime]:
    """Return which of these matches are in a paused season, each with the start of the pause; two queries."""
    paused = {"match__in": list(match_ids)}
    fixtures = Fixture.objects.filter(**paused, round__cycle__season__paused_at__isnull=False)
    titles = SuddenDeath.objects.filter(**paused, season__paused_at__isnull=False)
    found: dict[int | None, datetime | None] = dict(fixtures.values_list("match_id", "round__cycle__season__paused_at"))
    found.update(titles.values_list("match_id", "season__paused_at"))
    return {match_id: since for match_id, since in found.items() if match_id is not None and since is not None}


def hurried_matches(season: Season) -> list[int]:
    """Return the ids of the season's unfinished matches with time banks; two queries."""
    running = Match.objects.filter(seconds_a_round__isnull=False).exclude(state__in=Match.OVER)
    fixtures = running.filter(fixture__round__cycle__season=season).values_list("pk", flat=True)
    titles = SuddenDeath.objects.filter(season=season, match__in=running).values_list("match_id", flat=True)
    return [*fixtures, *(pk for pk in titles if pk is not None)]
