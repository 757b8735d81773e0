"""The plan of a season by its calendar: the latest times of the cycles to come, and what does not fit (Q-172)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from rules.campaign.season.calendar import CLUB_NIGHT, HOURS_OF_A_WEEK, WEEKLY, Calendar, RoundTimes
from rules.solaris.house_rules import ROUNDS_BY_FORMAT

FULL_TIME = 4
"""Plans assume that players take all their time in one of this many rounds."""
SILENCE_HOURS = 24
"""The usual hours after which silence confirms a report. A shorter time for results brings a warning."""


@dataclass(frozen=True)
class PlannedCycle:
    """The latest times of a cycle, if nobody is early. `rounds` are those that are not paired yet."""

    number: int
    format: str
    market_closes: datetime
    rounds: tuple[RoundTimes, ...]
    ends: datetime


@dataclass(frozen=True)
class PlayedCycle:
    """A cycle whose market is closed, and when the last result of it is due at the latest."""

    number: int
    format: str
    ends: datetime


@dataclass(frozen=True)
class Warned:
    """Something in a plan that does not fit: a code and its parameters. Its sentence is in stables.text.calendar."""

    code: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class Plan:
    """The plan of a season by its calendar: the cycles whose market is still to close, and what does not fit.

    `played` is the cycle before them while it is not over, None without one.
    """

    cycles: tuple[PlannedCycle, ...]
    warnings: tuple[Warned, ...]
    played: PlayedCycle | None = None

    @property
    def ends(self) -> datetime | None:
        """When the season is over at the latest; None for an empty plan."""
        last = self.cycles[-1] if self.cycles else self.played
        return None if last is None else last.ends


@dataclass(frozen=True)
class Playing:
    """What is set of a cycle whose rounds are played.

    `dues` has the latest time that is set for each round that is paired and not settled, None for a round without
    deadlines. `unpaired` counts the rounds that are not paired yet. `waits_until` is a time before which the cycle is
    not closed, None without one.
    """

    number: int
    format: str
    dues: tuple[datetime | None, ...]
    unpaired: int
    waits_until: datetime | None = None

    def ends(self, calendar: Calendar, now: datetime) -> datetime:
        """Return when the cycle is over at the latest. A time that has passed, and is still open, is due `now`."""
        due = [each or _end(calendar.round_times(now, self.format), now) for each in self.dues]
        ends = max([now, *due])
        for _ in range(self.unpaired):
            ends = _end(calendar.round_times(ends, self.format), ends)
        return max(ends, self.waits_until or ends)


def plan(
    calendar: Calendar,
    now: datetime,
    formats: Sequence[str],
    rounds: Sequence[int],
    first: int = 1,
    *,
    closes: datetime | None = None,
    playing: Playing | None = None,
) -> Plan:
    """Return the latest times of the cycles from `first` on, and what does not fit.

    `formats` and `rounds` give the format and the number of rounds of each cycle from `first` on. The market of cycle
    `first` closes at `closes`. Without this time it opens `now`, or when the cycle that is played ends. Without
    deadlines the plan is empty.
    """
    if not calendar.has_deadlines:
        return Plan((), ())
    played = None if playing is None else PlayedCycle(playing.number, playing.format, playing.ends(calendar, now))
    begins = now if played is None else played.ends
    cycles = []
    for number, (format_name, count) in enumerate(zip(formats, rounds, strict=True), first):
        shut = closes if number == first and closes is not None else calendar.market_closes(begins) or begins
        begins = max(shut, begins)
        times = []
        for _ in range(count):
            times.append(calendar.round_times(begins, format_name))
            begins = _end(times[-1], begins)
        cycles.append(PlannedCycle(number, format_name, shut, tuple(times), begins))
    found = Plan(tuple(cycles), (), played)
    return Plan(found.cycles, tuple(_warnings(calendar, found)), played)


def latest(times: Iterable[datetime | None]) -> datetime | None:
    """Return the latest of some times, None without any."""
    return max((each for each in times if each is not None), default=None)


def _end(times: RoundTimes, begins: datetime) -> datetime:
    return times.confirm or begins


def _warnings(calendar: Calendar, found: Plan) -> list[Warned]:
    warnings = []
    if calendar.preset == CLUB_NIGHT:
        for cycle in found.cycles:
            needed = calendar.round_minutes(cycle.format) * len(cycle.rounds)
            if needed > calendar.evening_minutes:
                values = {"cycle": cycle.number, "needed": needed, "evening": calendar.evening_minutes}
                warnings.append(Warned("evening_too_short", {**values, "rounds": len(cycle.rounds)}))
    else:
        needed = calendar.line_up_hours + calendar.play_hours + calendar.confirm_hours
        if calendar.preset == WEEKLY and needed > HOURS_OF_A_WEEK:
            warnings.append(Warned("week_too_short", {"needed": needed, "week": HOURS_OF_A_WEEK}))
        if calendar.confirm_hours < SILENCE_HOURS:
            short = {"hours": calendar.confirm_hours, "silence": SILENCE_HOURS}
            warnings.append(Warned("confirming_too_short", short))
        if calendar.play_hours < calendar.confirm_hours:
            values = {"play": calendar.play_hours, "confirm": calendar.confirm_hours}
            warnings.append(Warned("playing_shorter_than_confirming", values))
    if calendar.hours_a_round is not None:
        warnings += _too_slow(calendar, calendar.hours_a_round, found.cycles)
    if calendar.ends_on and found.ends is not None:
        last = found.ends.astimezone(calendar.zone).date()
        if last > date.fromisoformat(calendar.ends_on):
            warnings.append(Warned("ends_too_late", {"wanted": calendar.ends_on, "planned": last.isoformat()}))
    return warnings


def _too_slow(calendar: Calendar, hours: int, cycles: Sequence[PlannedCycle]) -> list[Warned]:
    """Return a warning for the first cycle whose matches may take much longer than its time to play, if any.

    A match may take `hours` in each of its rounds. Club nights get no warning.
    """
    if calendar.preset == CLUB_NIGHT:
        return []
    for cycle in cycles:
        rounds = ROUNDS_BY_FORMAT[cycle.format]
        if hours * rounds > FULL_TIME * calendar.play_hours:
            values = {"cycle": cycle.number, "hours": hours, "rounds": rounds, "needed": hours * rounds}
            return [Warned("thinking_too_long", {**values, "play": calendar.play_hours})]
    return []
