"""Values of model fields, written to a document and read back strictly.

Every Malformed of this module is season_document_bad_value, with the place of the problem.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import models
from django.db.backends.base.operations import BaseDatabaseOperations

from rules.core.refusals import Malformed
from rules.core.shape_checks import shown

DEEPEST = 60
"""The deepest nesting of JSON inside a field."""

LARGEST = 2**53
"""The largest whole number inside a JSON field: every reader of JSON takes it exactly."""

SURROGATE = re.compile("[\ud800-\udfff]")
SLUG = re.compile(r"[a-zA-Z0-9_-]+", re.ASCII)


def json_value(value: Any) -> Any:
    """Return a field's value as JSON: times in UTC, UUIDs as text, everything else unchanged."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    return str(value) if isinstance(value, UUID) else value


def bad(place: str, problem: str, **parameters: Any) -> Malformed:
    """Return the refusal of the value at a place; `problem` is the code of its sentence, with its parameters."""
    return Malformed("season_document_bad_value", place=place, problem=problem, **parameters)


def wrong_type(place: str, value: Any, expected: str) -> Malformed:
    """Return the refusal of a value of another type than expected, by its name in JSON Schema: "array"."""
    return bad(place, "wrong_type", value=shown(value), expected=expected)


def wrong_format(place: str, value: Any) -> Malformed:
    """Return the refusal of a value that is not written as it must be."""
    return bad(place, "wrong_format", value=shown(value))


def not_one_of(place: str, value: Any, *allowed: object) -> Malformed:
    """Return the refusal of a value that is none of those allowed, written as in JSON."""
    return bad(place, "not_one_of", value=shown(value), allowed=", ".join(map(str, allowed)))


def read(field: Any, value: Any, place: str) -> Any:
    """Return the value that a model's field stores for a value of a document.

    None is refused unless the field is nullable. Raises Malformed.
    """
    if value is None:
        if not field.null:
            raise bad(place, "missing_key", key=field.name)
        return None
    if isinstance(field, models.JSONField):
        holds = field.default if field.default in (dict, list) else (dict, list)
        if not isinstance(value, holds):
            raise wrong_type(place, value, "array" if holds is list else "object")
        return plain(value, place)
    if isinstance(field, models.BooleanField):
        if not isinstance(value, bool):
            raise wrong_type(place, value, "boolean")
        return value
    if isinstance(field, models.IntegerField):
        return whole(value, place, *BaseDatabaseOperations.integer_field_ranges[field.get_internal_type()])
    if isinstance(field, models.DateTimeField):
        return moment(value, place)
    if isinstance(field, models.UUIDField):
        return unique_id(value, place)
    return _text(field, value, place)


def whole(value: Any, place: str, least: int, most: int) -> int:
    """Return a whole number from `least` to `most`. Raises Malformed."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong_type(place, value, "integer")
    if not least <= value <= most:
        raise bad(place, "out_of_range", value=shown(value), least=least, most=most)
    return value


def text(value: Any, place: str, longest: int) -> str:
    """Return a text of at most `longest` characters that every database can store. Raises Malformed."""
    if not isinstance(value, str):
        raise wrong_type(place, value, "string")
    if len(value) > longest:
        raise bad(place, "too_long", longest=longest)
    if "\0" in value or SURROGATE.search(value):
        raise bad(place, "unprintable_text")
    return value


def moment(value: Any, place: str) -> datetime:
    """Return the date and time in UTC of an ISO 8601 text with an offset. Raises Malformed."""
    try:
        found = datetime.fromisoformat(value)
        if found.tzinfo is None:
            raise ValueError
        return found.astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        raise wrong_format(place, value) from None


def unique_id(value: Any, place: str) -> UUID:
    """Return the UUID of a text in lower case with hyphens. Raises Malformed."""
    try:
        found = UUID(value)
    except (TypeError, ValueError, AttributeError):
        raise wrong_format(place, value) from None
    if str(found) != value:
        raise wrong_format(place, value)
    return found


def octets(value: Any, place: str, longest: int) -> bytes:
    """Return at most `longest` bytes from lower-case hexadecimal digits. Raises Malformed."""
    try:
        found = bytes.fromhex(value)
    except (TypeError, ValueError):
        raise wrong_format(place, value) from None
    if len(found) > longest:
        raise bad(place, "too_long", longest=2 * longest)
    if found.hex() != value:
        raise wrong_format(place, value)
    return found


def plain(value: Any, place: str, depth: int = 0) -> Any:
    """Return JSON that every database stores unchanged; `depth` is the number of levels around it.

    It keeps to DEEPEST and LARGEST. Texts have at most 100,000 characters, names in objects 500. Raises Malformed.
    """
    if depth > DEEPEST:
        raise wrong_format(place, value)
    if isinstance(value, dict):
        return {text(key, place, 500): plain(inner, f"{place}.{key}", depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner, f"{place}[{number}]", depth + 1) for number, inner in enumerate(value)]
    if isinstance(value, str):
        return text(value, place, 100_000)
    if isinstance(value, int) and not isinstance(value, bool):
        return whole(value, place, -LARGEST, LARGEST)
    return value


def _text(field: Any, value: Any, place: str) -> str:
    longest = field.max_length or 20_000
    found = text(value, place, longest)
    if field.choices and found not in {str(key) for key, _ in field.flatchoices} and not (field.blank and not found):
        raise not_one_of(place, found, *(key for key, _ in field.flatchoices))
    if isinstance(field, models.SlugField) and not SLUG.fullmatch(found):
        raise wrong_format(place, found)
    return found
