"""The deed that a form off the board says, read by the form of its kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from rules.challenge.entries import SENTENCE
from rules.challenge.kinds import KINDS
from rules.core.digits import whole_number
from rules.core.refusals import Malformed
from rules.core.shape_checks import shown
from rules.core.shapes import Schema

LONGEST_NUMBER = 12
NO = "no"
"""What a field says that asks for yes or no; a box that is not ticked says nothing."""


def deed_of(data: QueryDict, pilot: str, table: str, with_overrule: bool = False) -> dict[str, Any]:
    """Return the deed off the board that a form says of a pilot; what it leaves empty is not in it.

    `rules.challenge.entries.read_entry` holds it against its form later. Raises Malformed (bad_entry) for a kind that
    is not of the off-board cycle, and for a number that is none.
    """
    name = data.get("do", "")
    kind = KINDS.get(name)
    if kind is None or not kind.off_board:
        raise Malformed("bad_entry", field="do", problem="unknown_key", key=name[:60])
    document: dict[str, Any] = {"do": name, "pilot": pilot, "table": table}
    document |= facts_of(data, kind.facts)
    reason = data.get("overruled", "").strip()
    if with_overrule and reason:
        document["overruled"] = reason[: SENTENCE["maxLength"]]
    return document


def facts_of(data: QueryDict, facts: Mapping[str, Schema]) -> dict[str, Any]:
    """Return the facts that a form gives. Raises Malformed (bad_entry) for a number that is none."""
    found = {name: _read(data, name, schema) for name, schema in facts.items()}
    return {name: value for name, value in found.items() if value is not None}


def _read(data: QueryDict, name: str, schema: Schema) -> Any:
    kind = schema.get("type")
    if kind == "boolean":
        return data[name] != NO if data.get(name) else None
    if kind == "array":
        values = [value for value in data.getlist(name) if value.strip()]
        is_number = schema["items"].get("type") == "integer"
        return [_number(name, value) if is_number else value.strip() for value in values] or None
    if kind == "object":
        parts = {part: _read(data, f"{name}.{part}", each) for part, each in schema["properties"].items()}
        return {part: value for part, value in parts.items() if value is not None} or None
    value = data.get(name, "").strip()
    if not value:
        return None
    return _number(name, value) if kind == "integer" else value


def _number(name: str, value: str) -> int:
    number = whole_number(value.strip().replace(",", "").replace(" ", ""), LONGEST_NUMBER)
    if number is None:
        raise Malformed("bad_entry", field=name, problem="wrong_format", value=shown(value))
    return number
