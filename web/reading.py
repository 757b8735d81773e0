"""Strict reading of the fields of a form: what cannot be read is malformed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from django.utils import timezone

from rules.core.digits import whole_number
from rules.core.refusals import Malformed


def text_of(fields: Mapping[str, str], name: str) -> str:
    """Return a text, "" for a missing field. Raises Malformed (bad_field)."""
    value = fields.get(name, "")
    if "\0" in value:
        # PostgreSQL cannot store this character or search for it.
        raise Malformed("bad_field", field=name)
    return value


def given(fields: Mapping[str, str], name: str) -> str:
    """Return a text that must not be empty. Raises Malformed (bad_field)."""
    value = text_of(fields, name)
    if not value:
        raise Malformed("bad_field", field=name)
    return value


def number_of(fields: Mapping[str, str], name: str) -> int:
    """Return a whole number from 0 on, of at most 18 digits. Raises Malformed (not_a_number)."""
    number = whole_number(fields.get(name, ""))
    if number is None:
        raise Malformed("not_a_number", field=name)
    return number


def yes_of(fields: Mapping[str, str], name: str, default: bool) -> bool:
    """Return whether a field says "yes" and not "no", `default` when it is missing.

    Raises Malformed (setting_out_of_range) for any other value.
    """
    value = fields.get(name, "yes" if default else "no")
    if value not in ("yes", "no"):
        raise Malformed("setting_out_of_range", setting=name, value=value)
    return value == "yes"


def in_current_zone(wall: datetime) -> datetime:
    """Return the moment, in UTC, of a wall clock's time in the current time zone; of one that comes twice, the first.

    Raises Malformed (time_skipped) for a time that does not come, because the clocks go forward over it.
    """
    found = timezone.make_aware(wall).astimezone(UTC)
    if timezone.make_naive(found) != wall:
        shown = f"{wall:%Y-%m-%d %H:%M}"
        raise Malformed("time_skipped", time=shown, zone=timezone.get_current_timezone_name())
    return found


def moment_of(fields: Mapping[str, str], name: str) -> datetime | None:
    """Return a date and time, None for an empty or missing field. Without an offset it is in the current time zone.

    Raises Malformed (bad_field, time_skipped).
    """
    value = text_of(fields, name)
    if not value:
        return None
    try:
        found = datetime.fromisoformat(value)
        return in_current_zone(found) if timezone.is_naive(found) else found
    except (ValueError, OverflowError) as error:
        raise Malformed("bad_field", field=name) from error
