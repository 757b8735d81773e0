"""The form of each definition as published JSON Schema (draft 2020-12), and every way in which one differs from it."""

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
from rules.core.shapes import SHAPES

SCHEMA_FILES: Mapping[str, str] = {
    "units": "unit.schema.json",
    "gear": "gear.schema.json",
    "pilots": "pilot.schema.json",
    "rally_cards": "rally_card.schema.json",
    "target_tokens": "target_token.schema.json",
    "arenas": "arena.schema.json",
}


def schema(kind: str) -> dict[str, Any]:
    """Return the JSON Schema of one kind of definition (a key of SCHEMA_FILES), as it is published."""
    name = SCHEMA_FILES[kind].partition(".")[0].replace("_", "-")
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:solaris-circuit:catalogue:{name}",
    }
    return head | SHAPES[kind]


def shape_problems(entry: Entry) -> list[Problem]:
    """Return the faults of a definition against its schema, at most MOST_PROBLEMS + 1; empty when it fits."""
    check = _check(entry.kind)
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
