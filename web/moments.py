"""Times as people write them, in the reader's own zone, from the values that logs and notices keep."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

Moment = Callable[[datetime], str]
"""A function that words a time."""


def zone_named(name: str) -> ZoneInfo:
    """Return a time zone by its name, UTC for one that the time zone database does not know (any more)."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        # ValueError and OSError are for names that lead out of the database's folder, or to a folder in it.
        return ZoneInfo("UTC")


def moment_words(at: datetime) -> str:
    """Return a time in the current time zone, with the name of the zone.

    One that the zone's calendar does not reach is in UTC.
    """
    zone = timezone.get_current_timezone()
    try:
        local = at.astimezone(zone)
    except OverflowError:
        return gettext("{time} ({zone})").format(time=date_format(at, "DATETIME_FORMAT"), zone=at.tzname())
    name = timezone.get_current_timezone_name()
    if local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset():
        # The clock shows this hour twice.
        name = f"{name}, UTC{local:%z}"
    return gettext("{time} ({zone})").format(time=date_format(local, "DATETIME_FORMAT"), zone=name)


def read_moment(value: Any) -> datetime | date | None:
    """Return the time of a parameter, None for a value that is no time.

    A parameter holds ISO 8601. Those of earlier versions hold "2026-11-26 19:30 UTC", or a day alone.
    """
    if not isinstance(value, str):
        return None
    text = f"{value.removesuffix(' UTC')}+00:00" if value.endswith(" UTC") else value
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    if len(text) == len("2026-11-26"):
        return found.date()
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found


def worded_moment(value: Any, moment: Moment = moment_words) -> Any:
    """Return a parameter that holds a time in words, by `moment`; a value that is no time as it is."""
    found = read_moment(value)
    if isinstance(found, datetime):
        return moment(found)
    return value if found is None else date_format(found, "DATE_FORMAT")


def clock_words(value: str) -> str:
    """Return a parameter of a refusal in words: a time in the current zone, one without a zone as a clock shows it."""
    with suppress(ValueError):
        wall = datetime.fromisoformat(value)
        if wall.tzinfo is None and len(value) > len("2026-11-26"):
            return date_format(wall, "DATETIME_FORMAT")
    return str(worded_moment(value))
