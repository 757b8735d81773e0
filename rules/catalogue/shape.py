"""The form of each definition as published JSON Schema (draft 2020-12), and every way in which one differs from it.

A unit for real tables only has a form of its own, because it lacks what a match needs: `rules.core.shapes` keeps the
form of the units that matches read.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import islice
from typing import Any

from rules.catalogue.bounds import MOST_PROBLEMS
from rules.catalogue.documents import Entry
from rules.catalogue.problems import Problem
from rules.core.definition_checks import named
from rules.core.shape_checks import Check, Fault, check_of, place
from rules.core.shapes import LONGEST_DIAL, SHAPES, UNIT, Schema, record, whole, word
from rules.core.table_units import MARK, is_table_only
from rules.core.words import CLASS_CAPS

SCHEMA_FILES: Mapping[str, str] = {
    "units": "unit.schema.json",
    "gear": "gear.schema.json",
    "pilots": "pilot.schema.json",
    "rally_cards": "rally_card.schema.json",
    "target_tokens": "target_token.schema.json",
    "arenas": "arena.schema.json",
}

TABLE_UNIT_FILE = "table_unit.schema.json"

_OF_BASE = ("id", "set", "number", "name", "variant", "class", "rank", "statistics", "points")
TABLE_UNIT: Schema = record(
    {
        MARK: {"const": True},
        **{key: UNIT["properties"][key] for key in _OF_BASE},
        "class": word(*CLASS_CAPS),
        "clicks": whole(2, LONGEST_DIAL, description="Clicks of the real dial, for damage and the price of repairs."),
    },
    [MARK, "number", "name", "class", "points"],
    title="A unit for real tables only: the words and numbers of its base",
    description="It has no dial here, so no match is played with it here. Seasons for real tables only offer it. "
    "Without an id it gets one of its set and number.",
)
"""The form of a unit without a dial."""


def base_alone(unit: Mapping[str, Any]) -> dict[str, Any]:
    """Return a unit as it is stored: one for real tables only keeps the words and numbers of its base alone."""
    return {key: unit[key] for key in TABLE_UNIT["properties"] if key in unit} if is_table_only(unit) else dict(unit)


def schema(kind: str) -> dict[str, Any]:
    """Return the JSON Schema of one kind of definition (a key of SCHEMA_FILES), as it is published."""
    return _published(SCHEMA_FILES[kind], SHAPES[kind])


def table_unit_schema() -> dict[str, Any]:
    """Return the JSON Schema of a unit for real tables only, as it is published."""
    return _published(TABLE_UNIT_FILE, TABLE_UNIT)


def _published(file: str, shape: Schema) -> dict[str, Any]:
    name = file.partition(".")[0].replace("_", "-")
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:solaris-circuit:catalogue:{name}",
    }
    return head | shape


def shape_problems(entry: Entry) -> list[Problem]:
    """Return the faults of a definition against its schema, at most MOST_PROBLEMS + 1; empty when it fits."""
    is_marked = entry.kind == "units" and isinstance(entry.definition, Mapping) and MARK in entry.definition
    check = _table_unit_check() if is_marked else _check(entry.kind)
    if check.fits(entry.definition):
        return []
    found = [problem_of(entry, named(fault)) for fault in islice(check.faults(entry.definition), MOST_PROBLEMS + 1)]
    return sorted(found, key=lambda problem: (problem.click or 0, problem.field or ""))


def problem_of(entry: Entry, fault: Fault) -> Problem:
    """Return a fault of a definition as a problem, with its file and place."""
    click, field = place(fault.path)
    return Problem(entry.file, entry.kind, entry.id, click, field, fault.code, fault.parameters)


@cache
def _check(kind: str) -> Check:
    return check_of(SHAPES[kind])


@cache
def _table_unit_check() -> Check:
    return check_of(TABLE_UNIT)
