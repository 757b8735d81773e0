"""Putting off the close of an open market."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from people.services.accounts import notify_bounded
from rules.campaign.states import CYCLE, SEASON
from rules.core.refusals import SeasonRefused
from stables.selectors.entrants import in_season
from stables.services.base import deadlines
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.base.news import stored
from stables.services.base.reasons import optional
from stables.services.season.calendar import FURTHEST
from stables.services.season.seasons import has_begun

MOST_HOURS = 90 * 24
"""The most hours that a market is put off by at once: a quarter of a year."""


@dataclass(frozen=True)
class PutOff:
    """The old and the new deadline of a market."""

    before: datetime
    at: datetime


@transaction.atomic
def put_market_off(
    *, season_id: int, hours: int, reason: str = "", actor: Any = None, now: datetime | None = None
) -> PutOff:
    """Let the open market of a running season close `hours` (1 to MOST_HOURS) later, and notify the owners.

    Whole days go by the season's wall clock, and days off do not count. Log and notices say the `reason`, if there is
    one. Raises SeasonRefused (no_open_market, no_market_deadline,
    deadline_not_ahead, deadline_too_far) or Malformed (reason_missing for one that is too long).
    """
    why = optional(reason)
    season = lock_season(season_id)
    now = now or timezone.now()
    SEASON.require("start_cycle", season.state, "no_open_market", state=season.state)
    cycle = season.cycles.order_by("-number").first()
    if cycle is None or not CYCLE.may("start", cycle.state) or has_begun(cycle):
        raise SeasonRefused("no_open_market", state=season.state)
    before = cycle.market_closes_at
    if before is None:
        raise SeasonRefused("no_market_deadline")
    at = deadlines.calendar_of(season).clock.later(before, hours)
    if at <= now and season.paused_at is None:
        raise SeasonRefused("deadline_not_ahead", date=at.isoformat())
    if at > now + FURTHEST:
        raise SeasonRefused("deadline_too_far", days=FURTHEST.days)
    cycle.market_closes_at = at
    cycle.save(update_fields=["market_closes_at"])
    deadlines.ask_to_chase(season, deadlines.MARKET, cycle.pk, at)
    times = {"cycle": cycle.number, "from": stored(before), "to": stored(at), **why}
    record(season, "deadline_market_put_off", times, cycle=cycle, actor=actor)
    owners = [stable.owner for stable in in_season(season) if stable.owner is not None]
    notify_bounded(owners, "market_put_off", {"season": season.name, **times}, season.get_absolute_url())
    return PutOff(before, at)
