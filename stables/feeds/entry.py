"""One entry of an iCalendar document (RFC 5545), with its changes and its reminder."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.utils.translation import gettext as _
from icalendar import Alarm, Event

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
"""Characters that a text of a calendar cannot hold. Ends of lines are escaped as the standard says."""

BEFORE_A_DATE, BEFORE_A_DEADLINE = timedelta(hours=1), timedelta(days=1)
"""How long before an agreed match, and before a deadline of their own, a person's calendar reminds them."""


@dataclass
class Changes:
    """How often a date changed, and when it last did; `newest` is None for a date that never changed."""

    count: int = 0
    newest: datetime | None = None

    def add(self, at: datetime) -> None:
        self.count += 1
        self.newest = at if self.newest is None else max(self.newest, at)

    def with_those_of(self, other: Changes) -> Changes:
        times = [at for at in (self.newest, other.newest) if at is not None]
        return Changes(self.count + other.count, max(times, default=None))


def entry(
    *,
    uid: str,
    summary: str,
    url: str,
    starts: datetime | date,
    status: str,
    changes: Changes,
    since: datetime,
    is_own: bool,
    description: str = "",
    ends: datetime | date | None = None,
    is_busy: bool = False,
    remind: timedelta | None = None,
) -> Event:
    """Return one entry. It holds the time of its last change, so that a second request gets the same bytes.

    Its reader is reminded `remind` before it; not with None, and not of an entry that is cancelled.
    """
    event = Event()
    event.add("uid", uid)
    event.add("summary", clean(summary))
    if description:
        event.add("description", clean(description))
    event.add("url", url)
    event.add("dtstart", _utc(starts))
    if ends is not None:
        event.add("dtend", _utc(ends))
    newest = _utc(changes.newest or since)
    event.add("dtstamp", newest)
    event.add("last-modified", newest)
    event.add("sequence", changes.count)
    event.add("status", status)
    event.add("transp", "OPAQUE" if is_busy and status != "CANCELLED" else "TRANSPARENT")
    event.add("categories", [_("Yours") if is_own else _("Others")])
    if remind is not None and status != "CANCELLED":
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", clean(summary))
        alarm.add("trigger", -remind)
        event.add_component(alarm)
    return event


def _utc(moment: datetime | date) -> datetime | date:
    """Return a moment without fractions of a second, and a day as it is."""
    return moment.replace(microsecond=0) if isinstance(moment, datetime) else moment


def clean(text: str) -> str:
    return CONTROL.sub(" ", text)
