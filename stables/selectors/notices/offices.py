"""What waits for the people who run seasons, apart from disputed results (stables.selectors.reports)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from jobs.models import Job
from rules.campaign.states import OPEN, UNDECIDED
from stables.models import ExternalSeat, Fixture, FixtureSide, NoShowClaim, Proposal, Season, WaitingPlace

MOST = 100
"""The most of each kind that is read, the oldest first."""

SEASON_OF_MATCH = "fixture__round__cycle__season"


def claims_in(seasons: Iterable[int]) -> list[NoShowClaim]:
    """Return the open claims that somebody did not come to a match, with their stables; one query."""
    found = NoShowClaim.objects.filter(_open_match(seasons), state__in=UNDECIDED)
    return list(found.select_related("absent", "claimant").order_by("created_at", "pk")[:MOST])


def proposals_in(seasons: Iterable[int]) -> list[Proposal]:
    """Return the proposals of dates and modes that nobody has answered, with their stables; one query."""
    found = Proposal.objects.filter(_open_match(seasons), state=Proposal.State.OPEN, fixture__reports=None)
    return list(found.select_related("stable").order_by("pk")[:MOST])


def late_in(seasons: Iterable[int], now: datetime) -> list[int]:
    """Return the ids of open matches whose time is over, by the round, the agreed date or an excuse; one query."""
    running = Q(round__cycle__season__in=seasons, round__cycle__season__state=Season.State.RUNNING)
    late = (
        Fixture.objects.filter(running, round__play_due_at__lte=now, round__cycle__season__paused_at=None, reports=None)
        .exclude(state=Fixture.State.SETTLED)
        .exclude(Q(scheduled_at__gt=now) | Q(excused_until__gt=now))
    )
    return list(late.order_by("pk").values_list("pk", flat=True)[:MOST])


def waiting_in(seasons: Iterable[int]) -> list[WaitingPlace]:
    """Return the people who wait for a place, in their order; one query."""
    listed = WaitingPlace.objects.filter(season__in=seasons, season__state__in=OPEN)
    return list(listed.select_related("user").order_by("season", "pk")[:MOST])


def seats_in(seasons: Iterable[int]) -> list[ExternalSeat]:
    """Return the programs to which not everybody has agreed yet, with their stables; one query."""
    asked = ExternalSeat.objects.filter(agreed_at=None, ended_at=None, stable__season__in=seasons)
    return list(asked.filter(stable__season__state__in=OPEN).select_related("stable").order_by("pk")[:MOST])


def failed_in(seasons: Collection[int]) -> list[Any]:
    """Return (season, name) of the failed jobs of seasons, which only organisers start again; one query."""
    failed = Job.objects.filter(state=Job.State.FAILED, payload__season__in=list(seasons))
    return list(failed.order_by("pk").values_list("payload__season", "name")[:MOST])


def sides_of(fixtures: Iterable[int]) -> dict[int, list[FixtureSide]]:
    """Return the sides of matches, each with stable, round and season; one query, none for no match."""
    wanted = set(fixtures)
    found: dict[int, list[FixtureSide]] = {}
    if wanted:
        rows: QuerySet[FixtureSide] = FixtureSide.objects.filter(fixture__in=wanted).select_related(
            "stable", "fixture__round__cycle"
        )
        for side in rows.order_by("fixture", "id"):
            found.setdefault(side.fixture_id, []).append(side)
    return found


def _open_match(seasons: Iterable[int]) -> Q:
    is_running = Q(**{f"{SEASON_OF_MATCH}__in": seasons, f"{SEASON_OF_MATCH}__state": Season.State.RUNNING})
    return is_running & ~Q(fixture__state=Fixture.State.SETTLED)
