"""A season's deadlines by its calendar, and the jobs that run when they pass.

The key of a job holds the time, so a moved deadline gets a job of its own. The job of the old time finds that the
deadline was moved and does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max
from django.utils import timezone

from rules.campaign.results.agreeing import CONFIRMS_AFTER
from rules.campaign.season.calendar import CLUB_NIGHT, Calendar, RoundTimes
from rules.campaign.season.resting import NewDaysOff
from stables.models import Cycle, Fixture, NoShowClaim, Round, Season
from stables.selectors.fixtures import sides_with_owners
from stables.services.base.job_requests import ask_for
from stables.services.base.log import record
from stables.services.base.news import place_of, stored

MARKET, LINE_UPS, PLAY, RESULTS, NEW_DATE = "market", "line_ups", "play", "results", "new_date"
OWN_LINE_UPS = "own_line_ups"
"""The deadlines that a job chases: a cycle's market, a round's line-ups, its matches, the reports from tables, a
fixture's date after the round's deadline, and the line-ups of a fixture of which a stable is excused."""

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
    """Return when a report is confirmed if nobody contradicts it from `begins` on (`silence_lasts`).

    Days off of the calendar do not count.
    """
    calendar = calendar_of(season)
    return calendar.clock.passing(begins, silence_lasts(calendar))


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

    `what` is one of the six deadlines above; `pk` is the id of its cycle, round or fixture. The job for NEW_DATE comes
    AFTER_AN_APPOINTMENT later. Nothing happens if `due` is None, or if the season is paused or does not run; a resumed
    season asks again.
    """
    if due is not None and season.paused_at is None and season.state == Season.State.RUNNING:
        key = f"chase:{what}:{pk}:{int(due.timestamp() * 1_000_000)}"
        over = due + AFTER_AN_APPOINTMENT if what == NEW_DATE else due
        ask_for(season, "stables.chase", key, not_before=over, what=what, id=pk, due=due.isoformat())


def ask_to_close(season: Season) -> None:
    """Ask for the job that closes a season with provisional champions once its time to correct results is over.

    Nothing happens in any other season and in a paused one; a resumed season asks again.
    """
    if season.state == Season.State.PROVISIONAL and season.paused_at is None and season.closes_at is not None:
        # After a correction the ceremony writes its rows again; then a job that came in between must not be the last.
        newest = season.provisional_titles.aggregate(newest=Max("pk"))["newest"]
        key = f"season:{season.pk}:close:{int(season.closes_at.timestamp() * 1_000_000)}:{newest}"
        ask_for(season, "stables.close_season", key, not_before=season.closes_at)


def give_new_date(fixture: Fixture, date: datetime, people: Sequence[int]) -> None:
    """Give an unplayed fixture its one new date (Q-157), and ask for the job that chases that date.

    `people` are the ids of the stables for which a person must come. The log line marks the fixture, so that it gets no
    second new date.
    """
    fixture.scheduled_at = date
    fixture.save(update_fields=["scheduled_at"])
    cycle = fixture.round.cycle
    values = {**place_of(fixture, sides_with_owners(fixture)), "at": stored(date)}
    record(cycle.season, EXTENDED, values, cycle=cycle, fixture=fixture, asks=people)
    ask_to_chase(cycle.season, NEW_DATE, fixture.pk, date)


def ask_for_excused(fixture: Fixture) -> None:
    """Ask for the jobs that chase the own deadlines of a fixture of which a stable is excused.

    Fetch it with its round, cycle and season.
    """
    season = fixture.round.cycle.season
    if fixture.excused_by is not None:
        ask_to_chase(season, OWN_LINE_UPS, fixture.pk, fixture.line_ups_due_at)
    ask_to_chase(season, NEW_DATE, fixture.pk, appointment_of(fixture))


def appointment_of(fixture: Fixture) -> datetime | None:
    """Return the latest of a fixture's date, the new date of its claim, and the time until which it is excused (Q-157).

    Return None when there is none of them. One query.
    """
    claim = NoShowClaim.objects.filter(fixture=fixture).first()
    dates = [fixture.scheduled_at, None if claim is None else claim.new_date, fixture.excused_until]
    return max((date for date in dates if date is not None), default=None)


def excused(season: Season) -> Any:
    """Return the unsettled fixtures of a season of which a stable is excused, as a queryset."""
    return _open_ones(season).exclude(excused_until=None)


def _open_ones(season: Season) -> Any:
    found = Fixture.objects.filter(round__cycle__season=season).exclude(state=Fixture.State.SETTLED)
    return found.select_related("round__cycle__season")


def extended(season: Season) -> Any:
    """Return the unsettled fixtures of a season that have got their one new date, as a queryset."""
    return _open_ones(season).filter(log__code=EXTENDED, scheduled_at__isnull=False).distinct()


def after_pause_of(season: Season, due: datetime, now: datetime) -> datetime:
    """Return where a deadline goes if the season goes on `now`; it stays unless the season is paused."""
    return due if season.paused_at is None else calendar_of(season).after_pause(due, season.paused_at, now)


@dataclass(frozen=True)
class Move:
    """How the open deadlines of a season move: a `round` with its three times, a silence, and any other deadline.

    `dates` is the time in which dates that people set move too, None to leave all of them where people put them.
    """

    round: Callable[[RoundTimes], RoundTimes]
    silence: Callable[[datetime], datetime]
    deadline: Callable[[datetime], datetime]
    dates: tuple[datetime, datetime] | None = None


def pause_ended(season: Season, began: datetime, ended: datetime) -> Move:
    """Return how deadlines move after a pause. Dates that people set move if they fell into it."""
    calendar = calendar_of(season)

    def later(due: datetime) -> datetime:
        return calendar.after_pause(due, began, ended)

    def round_later(times: RoundTimes) -> RoundTimes:
        return RoundTimes(*(None if due is None else later(due) for due in (times.line_ups, times.play, times.confirm)))

    return Move(round_later, later, later, (began, ended))


def days_off_came(before: Calendar, after: Calendar, now: datetime) -> Move:
    """Return how deadlines move when a calendar gets days off (rules.campaign.season.resting)."""
    found = NewDaysOff(before, after, now)
    return Move(found.round, found.elapsing, found.deadline)


@dataclass(frozen=True)
class Moved:
    """A time that has moved: the row and its field, and the time before and after."""

    row: Any
    field: str
    before: datetime
    after: datetime


def move_all(season: Season, move: Move) -> list[Moved]:
    """Move every open deadline of a season, and return those that have moved, their rows with cycle and round.

    Dates that players agreed on, or that a no-show claim set, move only within `move.dates`. A fixture's one new date,
    and the time of an excused one, always move. Call it with the season locked. The caller asks for the jobs of the new
    times (`ask_for_all`).
    """
    moved: list[Moved] = []
    for cycle in season.cycles.filter(state=Cycle.State.MARKET, market_closes_at__isnull=False):
        moved += _goes(cycle, "market_closes_at", move.deadline)
    rounds = Round.objects.filter(cycle__season=season).select_related("cycle")
    for called in rounds.exclude(state=Round.State.SETTLED):
        times = move.round(RoundTimes(called.line_ups_due_at, called.play_due_at, called.confirm_due_at))
        moved += _moved(called, line_ups_due_at=times.line_ups, play_due_at=times.play, confirm_due_at=times.confirm)
    waiting = _open_ones(season)
    for fixture in waiting.exclude(confirm_due_at=None):
        moved += _goes(fixture, "confirm_due_at", move.silence)
    once_more = list(extended(season))
    if move.dates is not None:
        agreed = waiting.filter(scheduled_at__range=move.dates)
        once_more += agreed.exclude(pk__in=[fixture.pk for fixture in once_more])
        claims = NoShowClaim.objects.filter(fixture__in=waiting, new_date__range=move.dates)
        for claim in claims.select_related("fixture__round__cycle__season"):
            moved += _goes(claim, "new_date", move.deadline)
    for fixture in once_more:
        moved += _goes(fixture, "scheduled_at", move.deadline)
    for fixture in excused(season):
        moved += _goes(fixture, "excused_until", move.deadline)
    if season.closes_at is not None:
        moved += _goes(season, "closes_at", move.deadline)
    for title in season.sudden_deaths.filter(decided_at=None, due_at__isnull=False):
        moved += _goes(title, "due_at", move.deadline)
    return moved


def _goes(row: Any, field: str, where: Callable[[datetime], datetime]) -> list[Moved]:
    """Move one time of a row that has it, as `_moved` does."""
    return _moved(row, **{field: where(getattr(row, field))})


def _moved(row: Any, **times: datetime | None) -> list[Moved]:
    """Write times of a row, and return those that have changed; a time that is None stays None."""
    changed = []
    for field, goes in times.items():
        there = getattr(row, field)
        if there is not None and goes is not None and goes != there:
            changed.append(Moved(row, field, there, goes))
            setattr(row, field, goes)
    if changed:
        row.save(update_fields=[each.field for each in changed])
    return changed


def ask_for_all(season: Season) -> None:
    """Ask for the jobs that chase a running season's open markets, its open rounds and its fixtures' own times.

    A season with provisional champions gets the job that closes it. Jobs that exist already stay as they are.
    """
    ask_to_close(season)
    for cycle in season.cycles.filter(state=Cycle.State.MARKET):
        ask_to_chase(season, MARKET, cycle.pk, cycle.market_closes_at)
    for called in Round.objects.filter(cycle__season=season).exclude(state=Round.State.SETTLED):
        for what, name in FIELD_OF.items():
            ask_to_chase(season, what, called.pk, getattr(called, name))
    for fixture in extended(season):
        ask_to_chase(season, NEW_DATE, fixture.pk, fixture.scheduled_at)
    for fixture in excused(season):
        ask_for_excused(fixture)
