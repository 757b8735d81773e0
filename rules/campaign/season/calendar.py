"""When a season's markets, line-ups, matches and results are due: pure arithmetic, without a clock.

A calendar follows one preset. "solo" has no deadlines. "club_night" plays on one evening a week, round after round.
"weekly" ends a round on the same day of each week. "correspondence" counts from the moment a round begins. Whole days
follow the wall clock of the calendar's zone, so a time of day stays the same over a change of daylight saving.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from rules.campaign.classes import MATCH_MINUTES
from rules.core.refusals import Malformed
from rules.solaris.house_rules import ROUNDS_BY_FORMAT

SOLO, CLUB_NIGHT, WEEKLY, CORRESPONDENCE = "solo", "club_night", "weekly", "correspondence"
PRESETS = (SOLO, CLUB_NIGHT, WEEKLY, CORRESPONDENCE)
MODES = ("ai", "browser", "table")
"""How a fixture is played: the values of stables.models.Fixture.Mode."""

HOURS_OF_A_DAY, HOURS_OF_A_WEEK, DAYS_OF_A_WEEK, SECONDS_OF_AN_HOUR = 24, 168, 7, 3600
FULL_TIME = 4
"""Plans assume that players take all their time in one of this many rounds."""
SILENCE_HOURS = 24
"""The usual hours after which silence confirms a report. A shorter time for results brings a warning."""


@dataclass(frozen=True)
class RoundTimes:
    """When line-ups, matches and results of a round are due; all None without deadlines."""

    line_ups: datetime | None = None
    play: datetime | None = None
    confirm: datetime | None = None


@dataclass(frozen=True)
class Calendar:
    """The settings from which a season's times follow. `weekday` counts from Monday, 0; `at` is local to `time_zone`.

    Hours are for weekly and correspondence, minutes for club nights. `market_hours` is the least time for the market in
    all three. `mode` is that of new fixtures (see `mode_for`). `ends_on` is the last day, in ISO form, that the
    organiser wants for the season; "" sets none. `hours_a_round` is each side's time to think in each round of a match
    in the browser; None sets no limit.
    """

    preset: str = SOLO
    time_zone: str = "UTC"
    mode: str = "ai"
    weekday: int = 4
    at: str = "19:00"
    market_hours: int = 24
    line_up_hours: int = 48
    play_hours: int = 72
    confirm_hours: int = 24
    evening_minutes: int = 240
    line_up_minutes: int = 10
    set_up_minutes: int = 15
    confirm_minutes: int = 10
    ends_on: str = ""
    hours_a_round: int | None = None

    @property
    def zone(self) -> ZoneInfo:
        """The zone as an object."""
        return ZoneInfo(self.time_zone)

    @property
    def has_deadlines(self) -> bool:
        """Whether anything is ever due."""
        return self.preset != SOLO

    @property
    def seconds_a_round(self) -> int | None:
        """Each side's seconds in each round of a match, for matches.selectors.time_banks; None without a limit."""
        return None if self.hours_a_round is None else self.hours_a_round * SECONDS_OF_AN_HOUR

    @classmethod
    def of_preset(cls, preset: str, **values: Any) -> Calendar:
        """Return a preset with its own durations; `values` replace them.

        Raises Malformed (setting_out_of_range, unknown_setting).
        """
        if preset not in PRESETS:
            raise Malformed("setting_out_of_range", setting="preset", value=preset)
        return cls.from_json({"preset": preset, **PRESET_VALUES[preset], **values})

    @classmethod
    def from_json(cls, document: object) -> Calendar:
        """Read a calendar; missing keys take the defaults of this class, whatever the preset.

        Raises Malformed (settings_not_an_object, unknown_setting, setting_out_of_range).
        """
        if not isinstance(document, Mapping):
            raise Malformed("settings_not_an_object")
        known = {entry.name for entry in fields(cls)}
        for key, value in document.items():
            if key not in known:
                raise Malformed("unknown_setting", setting=str(key))
            if not _readable(key, value):
                raise Malformed("setting_out_of_range", setting=key, value=value)
        return cls(**document)

    def to_json(self) -> dict[str, Any]:
        """Return every value as JSON; `from_json` reads it back equal."""
        return asdict(self)

    def market_closes(self, opened: datetime) -> datetime | None:
        """Return when a market that opens at this moment closes; None without deadlines."""
        if self.preset == SOLO:
            return None
        earliest = self.later(opened, self.market_hours)
        return earliest if self.preset == CORRESPONDENCE else self.next_day(earliest)

    def round_times(self, begins: datetime, format_name: str) -> RoundTimes:
        """Return the deadlines of a round that is paired at this moment."""
        if self.preset == SOLO:
            return RoundTimes()
        if self.preset == CLUB_NIGHT:
            return self._of_an_evening(begins, format_name)
        line_ups = self.later(begins, self.line_up_hours)
        play = self.later(line_ups, self.play_hours)
        confirm = self.later(play, self.confirm_hours)
        if self.preset == WEEKLY:
            confirm = self.next_day(confirm)
            play = max(play, self.later(confirm, -self.confirm_hours))
        return RoundTimes(line_ups, play, confirm)

    def _of_an_evening(self, begins: datetime, format_name: str) -> RoundTimes:
        needed = timedelta(minutes=self.round_minutes(format_name))
        spare = timedelta(minutes=self.evening_minutes) - needed
        opens = self.next_day(self.later(begins, -HOURS_OF_A_WEEK) + timedelta(microseconds=1))
        # A round that is longer than an evening takes all of it, and may begin a little late.
        if begins > opens + max(spare, timedelta(minutes=self.line_up_minutes)):
            opens = self.next_day(begins)
        starts = max(begins, opens)
        line_ups = starts + timedelta(minutes=self.line_up_minutes)
        play = line_ups + timedelta(minutes=self.set_up_minutes + MATCH_MINUTES[format_name])
        return RoundTimes(line_ups, play, play + timedelta(minutes=self.confirm_minutes))

    def round_minutes(self, format_name: str) -> int:
        """Return the minutes of a round of a club night: line-ups, set-up, the match (R-FMT-22, Q-172), results."""
        return self.line_up_minutes + self.set_up_minutes + MATCH_MINUTES[format_name] + self.confirm_minutes

    def new_date(self, missed: datetime, format_name: str) -> datetime | None:
        """Return the new deadline for a match that was not played by `missed` (Q-157); None without deadlines."""
        if self.preset == SOLO:
            return None
        if self.preset == CLUB_NIGHT:
            minutes = self.set_up_minutes + MATCH_MINUTES[format_name]
            return self.next_day(missed) + timedelta(minutes=minutes)
        return self.later(missed, HOURS_OF_A_WEEK if self.preset == WEEKLY else self.play_hours)

    def later(self, moment: datetime, hours: int) -> datetime:
        """Return the moment `hours` later (earlier when negative), in UTC.

        Whole days go by the wall clock, hours that are left by time that passes.
        """
        days, rest = divmod(abs(hours), HOURS_OF_A_DAY)
        sign = 1 if hours >= 0 else -1
        if days:
            # Without a whole day the wall clock is not asked: it shows the hour of an autumn change twice.
            moment = self._moment(moment.astimezone(self.zone).replace(tzinfo=None) + sign * timedelta(days=days))
        return moment.astimezone(UTC) + sign * timedelta(hours=rest)

    def next_day(self, earliest: datetime) -> datetime:
        """Return the first moment from `earliest` on that has the calendar's weekday and time of day."""
        local = earliest.astimezone(self.zone)
        ahead = (self.weekday - local.weekday()) % DAYS_OF_A_WEEK
        for days in (ahead, ahead + DAYS_OF_A_WEEK):
            found = self._moment(datetime.combine(local.date() + timedelta(days=days), time.fromisoformat(self.at)))
            if found >= earliest:
                break
        return found

    def _moment(self, wall: datetime) -> datetime:
        """Return a time of the wall clock in UTC.

        A time that the zone skips counts by the clock before the change. Of a time that comes twice, the first counts.
        """
        return wall.replace(tzinfo=self.zone, fold=0).astimezone(UTC)


@dataclass(frozen=True)
class PlannedCycle:
    """The latest times of a cycle, if nobody is early."""

    number: int
    format: str
    market_closes: datetime
    rounds: tuple[RoundTimes, ...]

    @property
    def ends(self) -> datetime:
        """When the last result of the cycle is due."""
        return self.rounds[-1].confirm or self.market_closes


@dataclass(frozen=True)
class Warned:
    """Something in a plan that does not fit: a code and its parameters. Its sentence is in stables.text.calendar."""

    code: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class Plan:
    """The plan of a season by its calendar: the coming cycles, and what does not fit."""

    cycles: tuple[PlannedCycle, ...]
    warnings: tuple[Warned, ...]


def plan(calendar: Calendar, opened: datetime, formats: Sequence[str], rounds: Sequence[int], first: int = 1) -> Plan:
    """Return the latest times of the cycles from `first` on, and what does not fit.

    The market of cycle `first` opens at `opened`. `formats` and `rounds` give the format and the number of rounds of
    each cycle from `first` on. Without deadlines the plan is empty.
    """
    if not calendar.has_deadlines:
        return Plan((), ())
    cycles = []
    begins = opened
    for number, (format_name, count) in enumerate(zip(formats, rounds, strict=True), first):
        closes = begins = calendar.market_closes(begins) or begins
        times = []
        for _ in range(count):
            times.append(calendar.round_times(begins, format_name))
            begins = times[-1].confirm or begins
        cycles.append(PlannedCycle(number, format_name, closes, tuple(times)))
    return Plan(tuple(cycles), tuple(_warnings(calendar, cycles)))


def _warnings(calendar: Calendar, cycles: Sequence[PlannedCycle]) -> list[Warned]:
    found = []
    if calendar.preset == CLUB_NIGHT:
        for cycle in cycles:
            needed = calendar.round_minutes(cycle.format) * len(cycle.rounds)
            if needed > calendar.evening_minutes:
                values = {"cycle": cycle.number, "needed": needed, "evening": calendar.evening_minutes}
                found.append(Warned("evening_too_short", {**values, "rounds": len(cycle.rounds)}))
    else:
        needed = calendar.line_up_hours + calendar.play_hours + calendar.confirm_hours
        if calendar.preset == WEEKLY and needed > HOURS_OF_A_WEEK:
            found.append(Warned("week_too_short", {"needed": needed, "week": HOURS_OF_A_WEEK}))
        if calendar.confirm_hours < SILENCE_HOURS:
            found.append(Warned("confirming_too_short", {"hours": calendar.confirm_hours, "silence": SILENCE_HOURS}))
        if calendar.play_hours < calendar.confirm_hours:
            values = {"play": calendar.play_hours, "confirm": calendar.confirm_hours}
            found.append(Warned("playing_shorter_than_confirming", values))
    if calendar.hours_a_round is not None:
        found += _too_slow(calendar, calendar.hours_a_round, cycles)
    if calendar.ends_on and cycles:
        last = cycles[-1].ends.astimezone(calendar.zone).date()
        if last > date.fromisoformat(calendar.ends_on):
            found.append(Warned("ends_too_late", {"wanted": calendar.ends_on, "planned": last.isoformat()}))
    return found


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


def mode_for(default: str, are_people: Sequence[bool]) -> str:
    """Return the mode of a new fixture, given for each of its stables whether a person owns it.

    Without persons it is "ai". When one stable lacks a person, "table" becomes "browser".
    """
    if not any(are_people):
        return "ai"
    return "browser" if default == "table" and not all(are_people) else default


PRESET_VALUES: Mapping[str, Mapping[str, Any]] = {
    SOLO: {},
    CLUB_NIGHT: {"weekday": 4, "at": "19:00", "market_hours": 24},
    WEEKLY: {"weekday": 6, "at": "20:00", "market_hours": 72},
    CORRESPONDENCE: {
        "market_hours": 168,
        "line_up_hours": 96,
        "play_hours": 240,
        "confirm_hours": 48,
        "hours_a_round": 48,
    },
}
"""The values that each preset sets; all others are the defaults of Calendar."""

MOST = {
    "weekday": 6,
    "market_hours": 24 * 60,
    "line_up_hours": 24 * 30,
    "play_hours": 24 * 60,
    "confirm_hours": 24 * 14,
    "evening_minutes": 720,
    "line_up_minutes": 120,
    "set_up_minutes": 120,
    "confirm_minutes": 120,
    "hours_a_round": 24 * 7,
}
"""The largest value of each number."""

LEAST = {"evening_minutes": 60, "hours_a_round": 1}
"""The smallest value of each number that may not be 0."""


def _readable(key: str, value: Any) -> bool:
    if key == "hours_a_round" and value is None:
        return True
    if key in MOST:
        return isinstance(value, int) and not isinstance(value, bool) and LEAST.get(key, 0) <= value <= MOST[key]
    if not isinstance(value, str):
        return False
    if key == "preset":
        return value in PRESETS
    if key == "mode":
        return value in MODES
    if key == "time_zone":
        return _is_zone(value)
    return _is_time(value) if key == "at" else value == "" or _is_date(value)


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def _is_time(value: str) -> bool:
    try:
        return time.fromisoformat(value).tzinfo is None
    except ValueError:
        return False


def _is_date(value: str) -> bool:
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True
