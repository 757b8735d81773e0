"""Changing the calendar of a season, and the plan of what is left of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from people.services.accounts import notify_bounded
from rules.campaign.classes import SMALLEST_SEASON
from rules.campaign.season.calendar import Calendar
from rules.campaign.season.clock import DaysOff
from rules.campaign.season.planning import Plan, Playing, latest, plan
from rules.campaign.states import SEASON
from stables.models import Cycle, Fixture, Round, Season
from stables.services.base import deadlines
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.fixtures.rounds import silence_may_end
from stables.services.results.reports import ask_for_looks
from stables.services.season.calendar import address_of, owners_of
from stables.services.season.moved_deadlines import tell_moved


@transaction.atomic
def change_calendar(
    *,
    season_id: int,
    calendar: Mapping[str, Any],
    moves_deadlines: bool = False,
    actor: Any = None,
    now: datetime | None = None,
) -> int:
    """Change the calendar for all that opens from now on, notify the owners, and return how many deadlines moved.

    Open deadlines stay as they are. With `moves_deadlines` they move behind the days off that are new
    (rules.campaign.season.resting), each with a line and a notice of its own, but dates that people set for their
    matches stay. Missing values take the defaults of Calendar, not the ones of the calendar so far. Raises
    SeasonRefused (season_not_running) or Malformed (settings_not_an_object, unknown_setting, setting_out_of_range).
    """
    season = lock_season(season_id)
    SEASON.require("change_plan", season.state, "season_not_running", state=season.state)
    before, after = deadlines.calendar_of(season), Calendar.from_json(calendar)
    season.calendar = after.to_json()
    season.save(update_fields=["calendar"])
    changes = _changes(before.to_json(), season.calendar)
    facts: dict[str, Any] = {"changes": changes} if changes else {}
    others = [change for change in changes if change["setting"] != "calendar.days_off"]
    if others or not changes:
        record(season, "calendar_changed", {"changes": others} if others else {}, actor=actor)
    for each in _without(after, before):
        record(season, "calendar_days_off", each.to_json(), actor=actor)
    for each in _without(before, after):
        record(season, "calendar_days_off_dropped", each.to_json(), actor=actor)
    moved = _move_behind(season, before, after, now or timezone.now()) if moves_deadlines else []
    if moved:
        facts["count"] = len(moved)
        record(season, "deadline_behind_days_off", {"count": len(moved)}, actor=actor)
    notify_bounded(owners_of(season), "calendar_changed", {"season": season.name, **facts}, address_of(season))
    tell_moved(season, moved, actor)
    return len(moved)


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what differs between two calendars, as stables.text.settings words it."""
    return [
        {"setting": f"calendar.{name}", "before": before[name], "after": value}
        for name, value in after.items()
        if value != before[name]
    ]


def _without(calendar: Calendar, other: Calendar) -> list[DaysOff]:
    """Return the days off of a calendar that the other one does not name."""
    return [each for each in calendar.days_off if each not in other.days_off]


def _move_behind(season: Season, before: Calendar, after: Calendar, now: datetime) -> list[deadlines.Moved]:
    """Move the deadlines of a season that are set behind its new days off, and return those that have moved."""
    moved = deadlines.move_all(season, deadlines.days_off_came(before, after, now))
    deadlines.ask_for_all(season)
    reported = Fixture.objects.filter(round__cycle__season=season, confirm_due_at__isnull=False)
    if moved and season.paused_at is None:
        for fixture in reported.filter(state=Fixture.State.SEALED).select_related("round__cycle__season"):
            ask_for_looks(fixture, now)
    return moved


def season_plan(season: Season, cycle: Cycle | None, stables: int, now: datetime | None = None) -> Plan:
    """Return the latest times of what is left of the season, at most two queries; `cycle` is its newest one, if any.

    What is set counts: when the open market closes, and what is left of the rounds that are played. Before the start,
    and with a market that has no deadline, a market opens at `now`. A paused season counts as if it went on `now`.
    `stables` is the number of stables, which counts as at least SMALLEST_SEASON.
    """
    now = now or timezone.now()
    own = deadlines.calendar_of(season)
    has_market = cycle is not None and cycle.state == Cycle.State.MARKET
    first = 1 if cycle is None else cycle.number + (not has_market)
    stables = max(SMALLEST_SEASON, stables)
    coming = season.rules.cycles[first - 1 :]
    rounds = [season.rules.rounds_of(number, stables) for number in range(first, first + len(coming))]
    if cycle is None or not own.has_deadlines or season.state != Season.State.RUNNING:
        return plan(own, now, coming, rounds, first)
    closes = _market_closes(season, cycle, now) if has_market else None
    playing = _playing(season, cycle, now) if cycle.state == Cycle.State.ROUNDS else None
    return plan(own, now, coming, rounds, first, closes=closes, playing=playing)


def _market_closes(season: Season, cycle: Cycle, now: datetime) -> datetime | None:
    """Return when the open market of a running season closes; None when nothing closes it.

    The first market has no deadline of its own: the start of the season closes it.
    """
    if cycle.market_closes_at is None:
        return now if cycle.number == 1 else None
    return deadlines.after_pause_of(season, cycle.market_closes_at, now)


def _playing(season: Season, cycle: Cycle, now: datetime) -> Playing:
    """Return what is set of a cycle whose rounds are played; at most two queries."""
    is_open = ~Q(fixtures__state=Fixture.State.SETTLED)
    rounds = list(
        cycle.rounds.annotate(
            silent=Max("fixtures__confirm_due_at", filter=is_open),
            agreed=Max("fixtures__scheduled_at", filter=is_open),
            claimed=Max("fixtures__no_show__new_date", filter=is_open),
            excused=Max("fixtures__excused_until", filter=is_open),
            extended=Max("fixtures__scheduled_at", filter=is_open & Q(fixtures__log__code=deadlines.EXTENDED)),
        )
    )
    dues = tuple(_due(season, each, now) for each in rounds if each.state != Round.State.SETTLED)
    unpaired = (cycle.rounds_planned or 0) - len(rounds)
    cycle.season = season
    waits_until = silence_may_end(cycle, now) if not dues and unpaired <= 0 else None
    return Playing(cycle.number, cycle.format, dues, max(0, unpaired), waits_until)


def _due(season: Season, called: Any, now: datetime) -> datetime | None:
    """Return the latest time that is set for an open round or one of its matches (`_playing`), None without any."""

    def moved(due: datetime | None) -> datetime | None:
        return None if due is None else deadlines.after_pause_of(season, due, now)

    def kept(date: datetime | None) -> datetime | None:
        """Return where a date goes that people set: one that did not fall into the pause stays."""
        is_ahead = season.paused_at is not None and date is not None and not season.paused_at <= date <= now
        return date if is_ahead else moved(date)

    appointed = latest([kept(called.agreed), kept(called.claimed), moved(called.extended), moved(called.excused)])
    due = latest(map(moved, (called.line_ups_due_at, called.play_due_at, called.confirm_due_at, called.silent)))
    return latest([due, None if appointed is None else appointed + deadlines.AFTER_AN_APPOINTMENT])
