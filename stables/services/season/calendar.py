"""Moving a single deadline of a season."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from people.services.accounts import notify_newest
from rules.campaign.season.appointments import moment_text
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Cycle, Round, Season
from stables.selectors.entrants import in_season
from stables.services.base import deadlines
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.base.news import stored
from stables.services.base.reasons import optional

FURTHEST = timedelta(days=36525)
"""How far ahead a deadline may be set: a hundred years, so that sums of times stay in the range of dates."""

ROUND_FIELDS = {"line_ups": "line_ups_due_at", "play": "play_due_at", "confirm": "confirm_due_at"}

DEADLINE_NAMES = ("deadline", "cycle", "round", "title")
"""The parameters that say which deadline of a season a notice is about."""


@dataclass(frozen=True)
class MovedDeadline:
    """A deadline and its new time, as ISO 8601."""

    what: str
    at: str


@transaction.atomic
def move_deadline(
    *, season_id: int, what: str, at: datetime, reason: str = "", actor: Any = None, now: datetime | None = None
) -> MovedDeadline:
    """Set the deadline of the open market, or one of an open round, to a time in the future, and notify the owners.

    Others of the round that would then be in the wrong order move with it, and are named too. Log and notices say the
    `reason`, if there is one.

    `what` is "market", or one of ROUND_FIELDS for the earliest open round of the newest cycle. Raises Malformed
    (bad_field, reason_missing for one that is too long) or SeasonRefused (deadline_not_ahead, deadline_too_far,
    deadline_on_day_off, no_deadline).
    """
    why = optional(reason)
    season = lock_season(season_id)
    now = now or timezone.now()
    if what != deadlines.MARKET and what not in ROUND_FIELDS:
        raise Malformed("bad_field", field="what", value=what)
    if at <= now:
        raise SeasonRefused("deadline_not_ahead", date=moment_text(at))
    if at > now + FURTHEST:
        raise SeasonRefused("deadline_too_far", days=FURTHEST.days)
    cycle = season.cycles.order_by("-number").first()
    if season.state != Season.State.RUNNING or cycle is None:
        raise SeasonRefused("no_deadline")
    clock = deadlines.calendar_of(season).clock
    if clock.is_off(at):
        raise SeasonRefused("deadline_on_day_off", day=at.astimezone(clock.zone).date().isoformat())
    moved = _move_market(cycle, at) if what == deadlines.MARKET else _move_of_round(cycle, what, at)
    for facts in moved:
        values = {"cycle": cycle.number, "date": stored(at), **facts, **why}
        record(season, "deadline_moved", values, cycle=cycle, actor=actor)
        same = [name for name in DEADLINE_NAMES if name in values]
        notify_newest(
            owners_of(season), "deadline_moved", {"season": season.name, **values}, address_of(season),
            instead_of=["deadline_moved"], same=same,
        )  # fmt: skip
    return MovedDeadline(what, at.isoformat())


def _move_market(cycle: Cycle, at: datetime) -> list[dict[str, Any]]:
    """Move the end of the market, and return what names it in the news, with the time before."""
    if cycle.state != Cycle.State.MARKET:
        raise SeasonRefused("no_deadline")
    earlier, cycle.market_closes_at = cycle.market_closes_at, at
    cycle.save(update_fields=["market_closes_at"])
    deadlines.ask_to_chase(cycle.season, deadlines.MARKET, cycle.pk, at)
    return [{"deadline": deadlines.MARKET, "earlier": stored(earlier)}]


def _move_of_round(cycle: Cycle, what: str, at: datetime) -> list[dict[str, Any]]:
    """Set one time of the open round to `at`, and other times too that would be in the wrong order.

    Return what names each of them in the news, with the time before. Raises SeasonRefused (no_deadline) if no round of
    the cycle is open.
    """
    called = Round.objects.select_for_update().filter(cycle=cycle).exclude(state=Round.State.SETTLED).first()
    if called is None:
        raise SeasonRefused("no_deadline")
    order, moved = list(ROUND_FIELDS), []
    for name, field in ROUND_FIELDS.items():
        there = getattr(called, field)
        if there == at:
            continue  # it does not move, so there is no news of it
        if name == what or (there is not None and (there < at) == (order.index(name) > order.index(what))):
            setattr(called, field, at)
            moved.append({"deadline": name, "round": called.number, "earlier": stored(there)})
    called.save(update_fields=list(ROUND_FIELDS.values()))
    deadlines.ask_for_round(called)
    return moved


def owners_of(season: Season) -> list[Any]:
    """Return the owners of a season's stables."""
    return [stable.owner for stable in in_season(season) if stable.owner is not None]


def address_of(season: Season) -> str:
    """Return the address of the place of a season's page that says what is due."""
    return f"{season.get_absolute_url()}#now-heading"
