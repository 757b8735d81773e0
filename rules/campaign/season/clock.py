"""The clock of a season: the wall clock of a zone, which stands still on days off. Pure arithmetic.

A day off is a whole local day, from its first moment to the first moment of the next day. Hours stop where days off
begin and go on where they end, so a deadline that would pass days off is later by just these days, at the same time of
day. Whole days follow the wall clock. Hours that are left are time that passes, whatever the clock shows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

HOURS_OF_A_DAY = 24
A_DAY = timedelta(days=1)

MOST_DAYS_OFF = 12
"""How many spans of days off a calendar has at most."""
LONGEST_DAYS_OFF = 120
"""The most days of one span."""
LONGEST_WORD = 40
EARLIEST_DAY, LATEST_DAY = date(2000, 1, 1), date(2999, 12, 31)


@dataclass(frozen=True)
class DaysOff:
    """The days from `first` to `last`, both of them off, in ISO form. `word` says why, "" for no reason."""

    first: str
    last: str
    word: str = ""

    @property
    def days(self) -> tuple[date, date]:
        """The first and the last day as dates."""
        return date.fromisoformat(self.first), date.fromisoformat(self.last)

    def to_json(self) -> dict[str, str]:
        """Return the three values as JSON."""
        return asdict(self)


def days_off_from_json(document: Any) -> tuple[DaysOff, ...] | None:
    """Return the spans of a list of JSON objects, in order of their days; None if it is not a list of spans.

    A span needs `first` and `last` as ISO dates of this millennium, in order, at most LONGEST_DAYS_OFF days. Its
    `word` may be left out and has at most LONGEST_WORD printable characters.
    """
    if not isinstance(document, (list, tuple)) or len(document) > MOST_DAYS_OFF:
        return None
    found = [_read(each) for each in document]
    spans = [span for span in found if span is not None]
    return tuple(sorted(spans, key=lambda span: (span.first, span.last, span.word))) if spans == found else None


def _read(document: Any) -> DaysOff | None:
    if isinstance(document, DaysOff):
        document = document.to_json()
    known = {entry.name for entry in fields(DaysOff)}
    if not isinstance(document, dict) or not {"first", "last"} <= set(document) <= known:
        return None
    if not all(isinstance(value, str) for value in document.values()):
        return None
    span = DaysOff(**document)
    try:
        first, last = span.days
    except ValueError:
        return None
    # Python reads week dates too; only the plain form is kept.
    is_plain = (first.isoformat(), last.isoformat()) == (span.first, span.last)
    is_span = EARLIEST_DAY <= first <= last <= LATEST_DAY and last - first < LONGEST_DAYS_OFF * A_DAY
    is_word = len(span.word) <= LONGEST_WORD and span.word.isprintable()
    return span if is_plain and is_span and is_word else None


def joined(spans: Iterable[DaysOff]) -> tuple[tuple[date, date], ...]:
    """Return first and last days of all spans, in order; spans that touch or overlap become one."""
    found: list[tuple[date, date]] = []
    for first, last in sorted(span.days for span in spans):
        if found and first <= found[-1][1] + A_DAY:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return tuple(found)


@dataclass(frozen=True)
class Clock:
    """The wall clock of `zone` without the days in `off`: first and last day of each span, as `joined` returns them."""

    zone: ZoneInfo
    off: tuple[tuple[date, date], ...] = ()

    @cached_property
    def _spans(self) -> list[tuple[datetime, datetime]]:
        """The first moment of each span of days off, and the first moment after it."""
        return [(self._begins(first), self._begins(last + A_DAY)) for first, last in self.off]

    def is_off(self, moment: datetime) -> bool:
        """Return whether a moment lies on a day off."""
        return self.is_day_off(moment.astimezone(self.zone).date())

    def is_day_off(self, day: date) -> bool:
        """Return whether a local day is a day off."""
        return any(first <= day <= last for first, last in self.off)

    def later(self, moment: datetime, hours: int) -> datetime:
        """Return the moment `hours` later (earlier when negative), in UTC, without counting days off.

        Whole days go by the wall clock, hours that are left by time that passes. A moment on a day off counts as the
        end of these days. A later moment is never on a day off.
        """
        days, rest = divmod(abs(hours), HOURS_OF_A_DAY)
        if hours < 0:
            return self._back(self._in_days(moment, -days), timedelta(hours=rest))
        return self.passing(self._in_days(self.passing(moment, timedelta()), days), timedelta(hours=rest))

    def passing(self, moment: datetime, span: timedelta) -> datetime:
        """Return when so much time that is not off has passed from a moment on, in UTC; never on a day off."""
        moment = moment.astimezone(UTC)
        for begins, ends in self._spans:
            if begins <= moment < ends:
                moment = ends
            elif moment < begins <= moment + span:
                moment, span = ends, span - (begins - moment)
        return moment + span

    def lasting(self, begins: datetime, ends: datetime) -> timedelta:
        """Return the time from one moment to a later one that is not off."""
        off = (min(ends, last) - max(begins, first) for first, last in self._spans)
        return ends - begins - sum((each for each in off if each > timedelta()), timedelta())

    def behind(self, moment: datetime, days: int) -> datetime:
        """Return a moment `days` days later by the wall clock, and then on the first day that is not off.

        Days off do not count among the `days`. Without days to go, a moment that is not off stays as it is.
        """
        day = moment.astimezone(self.zone).date()
        there = day
        while days > 0 or self.is_day_off(there):
            there += A_DAY
            days -= not self.is_day_off(there)
        return self.on(moment, there)

    def on(self, moment: datetime, day: date) -> datetime:
        """Return the moment with the same time of day on another local day; on its own day it stays as it is."""
        wall = moment.astimezone(self.zone).replace(tzinfo=None)
        return moment if wall.date() == day else self.at(datetime.combine(day, wall.time()))

    def at(self, wall: datetime) -> datetime:
        """Return a time of the wall clock in UTC.

        A time that the zone skips counts by the clock before the change. Of a time that comes twice, the first counts.
        """
        return wall.replace(tzinfo=self.zone, fold=0).astimezone(UTC)

    def _begins(self, day: date) -> datetime:
        return self.at(datetime.combine(day, time()))

    def _in_days(self, moment: datetime, days: int) -> datetime:
        """Return the moment whole days later or earlier by the wall clock, without counting days off."""
        if not days:
            # Without a whole day the wall clock is not asked: it shows the hour of an autumn change twice.
            return moment
        day = moment.astimezone(self.zone).date()
        there = day + timedelta(days=days)
        for first, last in self.off if days > 0 else reversed(self.off):
            if days > 0 and day < first <= there:
                there += last - first + A_DAY
            elif days < 0 and there <= last < day:
                there -= last - first + A_DAY
        return self.on(moment, there)

    def _back(self, moment: datetime, span: timedelta) -> datetime:
        """Return the moment before so much time that is not off, in UTC."""
        moment = moment.astimezone(UTC)
        for begins, ends in reversed(self._spans):
            if moment - span < ends <= moment:
                moment, span = begins, span - (moment - ends)
        return moment - span
