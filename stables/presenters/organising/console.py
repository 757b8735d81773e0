"""What the organiser of a season has to know: what is open, and whom the season waits for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from rules.campaign.season.clock import DaysOff
from rules.campaign.season.planning import Plan
from rules.campaign.states import OPEN
from stables.models import Cycle, HandOver, Season, Stable
from stables.presenters.jobs import JobLine, season_jobs
from stables.presenters.season_parts import own_stable
from stables.presenters.waiting import Now, coming_days_off, season_now
from stables.selectors.crews import InMarket, in_market
from stables.selectors.entrants import entering
from stables.selectors.seating import running_at
from stables.services.fixtures.pairing import ready_for_rounds
from stables.services.running.calendars import season_plan


@dataclass(frozen=True)
class Waiting:
    """What is open in a season and whom the season waits for, as its organisers read it.

    `ready` are the rounds that could be paired already: {"round": number, "stables": ready stables}. `market` are the
    stables that take part in the cycle whose market is open. `plan_closes_at` is when results become final by the plan,
    None without one.
    """

    stables: list[Stable]
    now: Now
    ready: list[dict[str, Any]]
    plan: Plan
    days_off: list[DaysOff]
    jobs: list[JobLine]
    market: list[InMarket]
    plan_closes_at: datetime | None


def waiting(season: Season, user: Any) -> Waiting:
    """Return what is open in a season, for its organiser or co-organiser `user`; a constant number of queries.

    Each of the stables says by `is_away` whether the AI acts for its owner now.
    """
    away = Exists(HandOver.objects.filter(running_at(timezone.now()), stable=OuterRef("pk")))
    known = season.stables.select_related("owner").prefetch_related("skipped").annotate(is_away=away)
    stables: list[Stable] = [*known.order_by("number")]
    newest = season.cycles.order_by("-number").first()
    now = season_now(season, newest, stables, own_stable(user, stables), office="organiser")
    plan = season_plan(season, now.cycle, sum(each.left_in_cycle is None for each in stables))
    last = plan.cycles[-1] if plan.cycles else plan.played
    return Waiting(
        stables,
        now,
        _ready(season, now.cycle, stables),
        plan,
        coming_days_off(season),
        season_jobs(season),
        _market(season, now, stables),
        None if last is None else last.ends + timedelta(hours=season.rules.closing_hours),
    )


def _market(season: Season, now: Now, stables: list[Stable]) -> list[InMarket]:
    if now.cycle is None or not now.is_market or season.state not in OPEN:
        return []
    now.cycle.season = season
    return in_market(now.cycle, stables, now.away)


def _ready(season: Season, cycle: Cycle | None, stables: list[Stable]) -> list[dict[str, Any]]:
    """Return the rounds that two or more stables are ready for; [] unless the season plays the rounds of a cycle."""
    if season.state != Season.State.RUNNING or cycle is None or cycle.state != Cycle.State.ROUNDS:
        return []
    cycle.season = season
    part = [stable for stable in entering(stables, cycle.number) if stable.left_in_cycle is None]
    groups = sorted(ready_for_rounds(cycle, part).items())
    return [{"round": number, "stables": group} for number, group in groups if len(group) > 1]


def known_invitations(season: Season) -> QuerySet[Any]:
    """Return the invitations of a season, the newest first; `used` counts the stables that joined with each."""
    return season.invitations.annotate(used=Count("stables", filter=Q(stables__removed_at=None))).order_by("-pk")
