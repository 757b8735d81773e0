"""The pauses and days off of seasons for the time banks of matches: no time to think passes in them."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from matches.models import Match
from rules.campaign.season.calendar import Calendar
from rules.campaign.season.clock import Clock
from stables.models import Fixture, Season, SuddenDeath


def stops_of_seasons(match_ids: Collection[int]) -> dict[int, tuple[datetime | None, Clock]]:
    """Return the start of the pause that lasts (None without one) and the clock of the season of each match.

    Matches outside of seasons are left out. Two queries.
    """
    found: dict[int, tuple[datetime | None, Clock]] = {}
    for rows, season in ((Fixture.objects, "round__cycle__season__"), (SuddenDeath.objects, "season__")):
        named = rows.filter(match__in=list(match_ids)).values_list(
            "match_id", f"{season}paused_at", f"{season}calendar"
        )
        for match_id, paused_at, calendar in named:
            found[match_id] = (paused_at, Calendar.from_json(calendar).clock)
    return found


def hurried_matches(season: Season) -> list[int]:
    """Return the ids of the season's unfinished matches with time banks; two queries."""
    running = Match.objects.filter(seconds_a_round__isnull=False).exclude(state__in=Match.OVER)
    fixtures = running.filter(fixture__round__cycle__season=season).values_list("pk", flat=True)
    titles = SuddenDeath.objects.filter(season=season, match__in=running).values_list("match_id", flat=True)
    return [*fixtures, *(pk for pk in titles if pk is not None)]
