"""A season's deadlines by its calendar, and the jobs that run when they pass.

The key of a job holds the time, so a moved deadline gets a job of its own. The job of the old time finds that the
deadline was moved and does nothing.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from rules.campaign.results.agreeing import CONFIRMS_AFTER, confirms_at
from rules.campaign.season.calendar import CLUB_NIGHT, SECONDS_OF_AN_HOUR, Calendar
from stables.models import Cycle, Fixture, NoShowClaim, Round, Season
from stables.selectors.fixtures import sides_with_owners
from stables.services.base.job_requests import ask_for
from stables.services.base.log import record
from stables.services.base.news import place_of, stored

MARKET, LINE_UPS, PLAY, RESULTS, NEW_DATE = "market", "line_ups", "play", "results", "new_date"
"""The deadlines that a job chases: a cycle's market, a round's line-ups, its matches, the reports from tables, and a
fixture's one new date."""

FIELD_OF = {LINE_UPS: "line_ups_due_at", PLAY: "play_due_at", RESULTS: "confirm_due_at"}
CLOCKS_DIFFER = timedelta(seconds=2)
"""The allowed difference between the database's clock, by which jobs wait, and this worker's clock."""

AFTER_AN_APPOINTMENT = timedelta(hours=3)
"""How long after an appointment its match may still be played and reported."""

EXTENDED = "fixture_extended"
"""The code of the log line that says that a fixture got its one new date."""


def calendar_of(season: Season) -> Calendar:
    """Return the season's calendar; a season without one has no deadlines."""
    return Calendar.from_json(season.calendar)


def silence_ends(season: Season, begins: datetime) -> datetime:
    """Return when a report is confirmed if nobody contradicts it from `begins` on (`silence_lasts`)."""
    return confirms_at(begins, silence_lasts(calendar_of(season)).total_seconds() / SECONDS_OF_AN_HOUR)


def silence_lasts(calendar: Calendar) -> timedelta:
    """Return how long silence must last to confirm a report.

    The calendar says so: in minutes for a club night, in hours otherwise. Without deadlines it is CONFIRMS_AFTER.
    """
    if calendar.preset == CLUB_NIGHT:
        return timedelta(minutes=calendar.confirm_minutes)
    return timedelta(hours=calendar.confirm_hours) if calendar.has_deadlines else CONFIRMS_AFTER


def open_market(cycle: Cycle, now: datetime | None = None) -> None:
    """Write when the market of a new cycle closes (None: no deadline), and ask for the job that closes it then."""
    cycle.market_closes_at = calendar_of(cycle.season).market_closes(now or timezone.now())
    cycle.save(update_fields=["market_closes_at"])
    ask_to_chase(cycle.season, MARKET, cycle.pk, cycle.market_closes_at)


def call_round(called: Round, now: datetime | None = None) -> None:
    """Write the times of a round that begins now or gets more fixtures; a time already set can only become later."""
    times = calendar_of(called.cycle.season).round_times(now or timezone.now(), called.cycle.format)
    for name, due in (
        ("line_ups_due_at", times.line_ups),
        ("play_due_at", times.play),
        ("confirm_due_at", times.confirm),
    ):
        there = getattr(called, name)
        setattr(called, name, due if there is None or (due is not None and due > there) else there)
    called.save(update_fields=["line_ups_due_at", "play_due_at", "confirm_due_at"])
    ask_for_round(called)


def ask_for_round(called: Round) -> None:
    """Ask for the jobs that chase a round's line-ups, matches and reports, each at its deadline."""
    for what, name in FIELD_OF.items():
        ask_to_chase(called.cycle.season, what, called.pk, getattr(called, name))


def ask_to_chase(season: Season, what: str, pk: int, due: datetime | None) -> None:
    """Ask for a job that chases a deadline once it has passed.

    `what` is one of the five deadlines above; `pk` is the id of its cycle, round or fixture. The job for NEW_DATE comes
    AFTER_AN_APPOINTMENT later. Nothing happens if `due` is None, or if the season is paused or does not run; a resumed
    season asks again.
    """
    if due is not None and season.paused_at is None and season.state == Season.State.RUNNING:
        key = f"chase:{what}:{pk}:{int(due.timestamp() * 1_000_000)}"
        over = due + AFTER_AN_APPOINTMENT if what == NEW_DATE else due
        ask_for(season, "stables.chase", key, not_before=over, what=what, id=pk, due=due.isoformat())


def give_new_date(fixture: Fixture, date: datetime) -> None:
    """Give an unplayed fixture its one new date (Q-157), and ask for the job that chases that date.

    The log line marks the fixture, so that it gets no second new date.
    """
    fixture.scheduled_at = date
    fixture.save(update_fields=["scheduled_at"])
    cycle = fixture.round.cycle
    values = {**place_of(fixture, sides_with_owners(fixture)), "at": stored(date)}
    record(cycle.season, EXTENDED, values, cycle=cycle, fixture=fixture)
    ask_to_chase(cycle.season, NEW_DATE, fixture.pk, date)


def extended(season: Season) -> Any:
    """Return the unsettled fixtures of a season that have got their one new date, as a queryset."""
    open_ones = Fixture.objects.filter(round__cycle__season=season).exclude(state=Fixture.State.SETTLED)
    return open_ones.filter(log__code=EXTENDED, scheduled_at__isnull=False).distinct()


def moved(due: datetime | None, by: timedelta) -> datetime | None:
    """Return a deadline moved later by `by`; None stays None."""
    return None if due is None else due + by


def move_all(season: Season, by: timedelta, now: datetime | None = None) -> None:
    """Move every open deadline of a season after a pause of the length `by` that ends `now`.

    Dates that players agreed on, or that a no-show claim set, move only if they fell into the pause; a date still ahead
    stays where people put it. A fixture's one new date always moves. Call it with the season locked. The caller asks
    for the jobs of the new times (`ask_for_all`).
    """
    ended = now or timezone.now()
    swallowed = (ended - by, ended)
    for cycle in season.cycles.filter(state=Cycle.State.MARKET, market_closes_at__isnull=False):
        cycle.market_closes_at = moved(cycle.market_closes_at, by)
        cycle.save(update_fields=["market_closes_at"])
    for called in Round.objects.filter(cycle__season=season).exclude(state=Round.State.SETTLED):
        for name in ("line_ups_due_at", "play_due_at", "confirm_due_at"):
            setattr(called, name, moved(getattr(called, name), by))
        called.save(update_fields=["line_ups_due_at", "play_due_at", "confirm_due_at"])
    waiting = Fixture.objects.filter(round__cycle__season=season).exclude(state=Fixture.State.SETTLED)
    for fixture in waiting.exclude(confirm_due_at=None):
        fixture.confirm_due_at = moved(fixture.confirm_due_at, by)
        fixture.save(update_fields=["confirm_due_at"])
    once_more = list(extended(season))
    for fixture in waiting.filter(scheduled_at__range=swallowed).exclude(pk__in=[fixture.pk for fixture in once_more]):
        once_more.append(fixture)
    for fixture in once_more:
        fixture.scheduled_at = moved(fixture.scheduled_at, by)
        fixture.save(update_fields=["scheduled_at"])
    for claim in NoShowClaim.objects.filter(fixture__in=waiting, new_date__range=swallowed):
        claim.new_date = moved(claim.new_date, by)
        claim.save(update_fields=["new_date"])
    for title in season.sudden_deaths.filter(decided_at=None, due_at__isnull=False):
        title.due_at = moved(title.due_at, by)
        title.save(update_fields=["due_at"])


def ask_for_all(season: Season) -> None:
    """Ask for the jobs that chase a running season's open markets, its open rounds and its fixtures' one new dates.

    Jobs that exist already stay as they are.
    """
    for cycle in season.cycles.filter(state=Cycle.State.MARKET):
        ask_to_chase(season, MARKET, cycle.pk, cycle.market_closes_at)
    for called in Round.objects.filter(cycle__season=season).exclude(state=Round.State.SETTLED):
        for what, name in FIELD_OF.items():
            ask_to_chase(season, what, called.pk, getattr(called, name))
    for fixture in extended(season):
        ask_to_chase(season, NEW_DATE, fixture.pk, fixture.scheduled_at)
