"""When a season's markets, line-ups, matches and results are due: pure arithmetic, without a clock.

A calendar follows one preset. "solo" has no deadlines. "club_night" plays on one evening a week, round after round.
"weekly" ends a round on the same day of each week. "correspondence" counts from the moment a round begins. Whole days
follow the wall clock of the calendar's zone, so a time of day stays the same over a change of daylight saving. Days off
do not count (rules.campaign.season.clock), and nothing is due on them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from rules.campaign.classes import MATCH_MINUTES
from rules.campaign.season.clock import A_DAY, Clock, DaysOff, days_off_from_json, joined
from rules.core.refusals import Malformed

SOLO, CLUB_NIGHT, WEEKLY, CORRESPONDENCE = "solo", "club_night", "weekly", "correspondence"
PRESETS = (SOLO, CLUB_NIGHT, WEEKLY, CORRESPONDENCE)
MODES = ("ai", "browser", "table")
"""How a fixture is played: the values of stables.models.Fixture.Mode."""

HOURS_OF_A_WEEK, DAYS_OF_A_WEEK, SECONDS_OF_AN_HOUR = 168, 7, 3600
A_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True)
class RoundTimes:
    """When line-ups, matches and results of a round are due; all None without deadlines."""

    line_ups: datetime | None = None
    play: datetime | None = None
    confirm: datetime | None = None

    @property
    def all(self) -> tuple[datetime, ...]:
        """The times that there are, in order."""
        return tuple(each for each in (self.line_ups, self.play, self.confirm) if each is not None)


@dataclass(frozen=True)
class Calendar:
    """The settings from which a season's times follow. `weekday` counts from Monday, 0; `at` is local to `time_zone`.

    Hours are for weekly and correspondence, minutes for club nights. `market_hours` is the least time for the market in
    all three. `mode` is that of new fixtures (see `mode_for`). `ends_on` is the last day, in ISO form, that the
    organiser wants for the season; "" sets none. `hours_a_round` is each side's time to think in each round of a match
    in the browser; None sets no limit. `days_off` are in order of their days.
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
    days_off: tuple[DaysOff, ...] = ()

    @property
    def zone(self) -> ZoneInfo:
        """The zone as an object."""
        return ZoneInfo(self.time_zone)

    @cached_property
    def clock(self) -> Clock:
        """The clock of the zone without the days off."""
        return Clock(self.zone, joined(self.days_off))

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
        return cls(**{**document, "days_off": days_off_from_json(document.get("days_off", ())) or ()})

    def to_json(self) -> dict[str, Any]:
        """Return every value as JSON; `from_json` reads it back equal."""
        return {**asdict(self), "days_off": [each.to_json() for each in self.days_off]}

    def market_closes(self, opened: datetime) -> datetime | None:
        """Return when a market that opens at this moment closes; None without deadlines."""
        if self.preset == SOLO:
            return None
        earliest = self.clock.later(opened, self.market_hours)
        return earliest if self.preset == CORRESPONDENCE else self.next_day(earliest)

    def round_times(self, begins: datetime, format_name: str) -> RoundTimes:
        """Return the deadlines of a round that is paired at this moment."""
        if self.preset == SOLO:
            return RoundTimes()
        if self.preset == CLUB_NIGHT:
            return self._of_an_evening(begins, format_name)
        line_ups = self.clock.later(begins, self.line_up_hours)
        play = self.clock.later(line_ups, self.play_hours)
        confirm = self.clock.later(play, self.confirm_hours)
        if self.preset == WEEKLY:
            confirm = self.next_day(confirm)
            play = max(play, self.clock.later(confirm, -self.confirm_hours))
        return RoundTimes(line_ups, play, confirm)

    def _of_an_evening(self, begins: datetime, format_name: str) -> RoundTimes:
        needed = timedelta(minutes=self.round_minutes(format_name))
        spare = timedelta(minutes=self.evening_minutes) - needed
        always = replace(self, days_off=())
        opens = always.next_day(always.clock.later(begins, -HOURS_OF_A_WEEK) + A_MICROSECOND)
        # A round that is longer than an evening takes all of it, and may begin a little late.
        if begins > opens + max(spare, timedelta(minutes=self.line_up_minutes)):
            opens = self.next_day(begins)
        while any(map(self.clock.is_off, (times := self._from(max(begins, opens), format_name)).all)):
            opens = self.next_day(opens + A_MICROSECOND)
        return times

    def _from(self, starts: datetime, format_name: str) -> RoundTimes:
        """Return the times of a round of a club night that starts at this moment."""
        line_ups = starts + timedelta(minutes=self.line_up_minutes)
        play = line_ups + self._at_the_table(format_name)
        return RoundTimes(line_ups, play, play + timedelta(minutes=self.confirm_minutes))

    def _at_the_table(self, format_name: str) -> timedelta:
        return timedelta(minutes=self.set_up_minutes + MATCH_MINUTES[format_name])

    def round_minutes(self, format_name: str) -> int:
        """Return the minutes of a round of a club night: line-ups, set-up, the match (R-FMT-22, Q-172), results."""
        return self.line_up_minutes + self.set_up_minutes + MATCH_MINUTES[format_name] + self.confirm_minutes

    def new_date(self, missed: datetime, format_name: str) -> datetime | None:
        """Return the new deadline for a match that was not played by `missed` (Q-157); None without deadlines."""
        if self.preset == SOLO:
            return None
        if self.preset == CLUB_NIGHT:
            opens = self.next_day(missed)
            while self.clock.is_off(found := opens + self._at_the_table(format_name)):
                opens = self.next_day(opens + A_MICROSECOND)
            return found
        return self.clock.later(missed, HOURS_OF_A_WEEK if self.preset == WEEKLY else self.play_hours)

    def next_day(self, earliest: datetime) -> datetime:
        """Return the first moment from `earliest` on with the calendar's weekday and time of day, not on a day off."""
        local = earliest.astimezone(self.zone)
        day = local.date() + (self.weekday - local.weekday()) % DAYS_OF_A_WEEK * A_DAY
        while (found := self.clock.at(datetime.combine(day, self.time_of_day))) < earliest or self.clock.is_off(found):
            day += DAYS_OF_A_WEEK * A_DAY
        return found

    @property
    def time_of_day(self) -> time:
        """The local time of day at which markets close and rounds end or begin."""
        return time.fromisoformat(self.at)

    def days_off_from(self, moment: datetime) -> tuple[DaysOff, ...]:
        """Return the days off that are not over at a moment."""
        today = moment.astimezone(self.zone).date()
        return tuple(each for each in self.days_off if each.days[1] >= today)

    def after_pause(self, due: datetime, began: datetime, ended: datetime) -> datetime:
        """Return a deadline later by a pause: as much time that is not off is left to it as when the pause began."""
        if due <= began:
            return self.clock.passing(due + (ended - began), timedelta())
        return self.clock.passing(ended, self.clock.lasting(began, due))


def mode_for(default: str, are_people: Sequence[bool], *, table_only: bool = False) -> str:
    """Return the mode of a new fixture, given for each of its stables whether a person owns it.

    Without persons it is "ai". When one stable lacks a person, "table" becomes "browser". In a season for real tables
    only (`table_only`) it is always "table".
    """
    if table_only:
        return "table"
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
    if key == "days_off":
        return days_off_from_json(value) is not None
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
