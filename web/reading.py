"""Strict reading of fields of a form or of a JSON object: a value of another type is malformed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from rules.core.refusals import Malformed


def text_of(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name, "")
    if not isinstance(value, str):
        raise Malformed("not_a_text", field=name)
    if "\0" in value:
        # PostgreSQL cannot store this character or search for it.
        raise Malformed("bad_field", field=name)
    return value


def given(fields: Mapping[str, Any], name: str) -> str:
    """Return a text that must not be empty. Raises Malformed (not_a_text, bad_field)."""
    value = text_of(fields, name)
    if not value:
        raise Malformed("bad_field", field=name)
    return value


def number_of(fields: Mapping[str, Any], name: str) -> int:
    value = fields.get(name)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63:
        return value
    raise Malformed("not_a_number", field=name)


def yes_of(fields: Mapping[str, Any], name: str, default: bool) -> bool:
    """Return whether a field says "yes" or True ("no" or False: not), `default` when it is missing.

    Raises Malformed (setting_out_of_range) for any other value.
    """
    value = fields.get(name, default)
    if value in ("yes", "no") or isinstance(value, bool):
        return value in ("yes", True)
    raise Malformed("setting_out_of_range", setting=name, value=value)


def in_current_zone(wall: datetime) -> datetime:
    """Return the moment, in UTC, of a wall clock's time in the current time zone; of one that comes twice, the first.

    Raises Malformed (time_skipped) for a time that does not come, because the clocks go forward over it.
    """
    found = timezone.make_aware(wall).astimezone(UTC)
    if timezone.make_naive(found) != wall:
        shown = f"{wall:%Y-%m-%d %H:%M}"
        raise Malformed("time_skipped", time=shown, zone=timezone.get_current_timezone_name())
    return found


def moment_of(fields: Mapping[str, Any], name: str) -> datetime | None:
    """Return a date and time, None for an empty or missing field. Without an offset it is in the current time zone.

    Raises Malformed (bad_field, not_a_text, time_skipped).
    """
    value = text_of(fields, name)
    if not value:
        return None
    try:
        found = datetime.fromisoformat(value)
        return in_current_zone(found) if timezone.is_naive(found) else found
    except (ValueError, OverflowError) as error:
        raise Malformed("bad_field", field=name) from error
