"""The shape of each definition, by the published JSON Schema files (draft 2020-12) in `schemas/`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Protocol
from unicodedata import category

from jsonschema import Draft202012Validator
from jsonschema.validators import extend

from rules.catalogue.documents import Entry
from rules.catalogue.problems import Problem

SCHEMA_FOLDER = Path(__file__).parent / "schemas"
SCHEMA_FILES: Mapping[str, str] = {
    "units": "unit.schema.json",
    "gear": "gear.schema.json",
    "pilots": "pilot.schema.json",
    "rally_cards": "rally_card.schema.json",
    "target_tokens": "target_token.schema.json",
    "arenas": "arena.schema.json",
}
_SHOWN = 60
"""Longest piece of a wrong value that a problem repeats, characters."""


_LIMITS = {
    "minimum": ("out_of_range", "minimum", "maximum"),
    "maximum": ("out_of_range", "minimum", "maximum"),
    "minItems": ("wrong_count", "minItems", "maxItems"),
    "maxItems": ("wrong_count", "minItems", "maxItems"),
}
"""For a schema word about size: the code, and the words for the least and the most."""


class _Fault(Protocol):
    """What this module uses of jsonschema's ValidationError; the library ships no types."""

    @property
    def absolute_path(self) -> Iterator[str | int]: ...
    @property
    def absolute_schema_path(self) -> Iterator[str | int]: ...
    @property
    def validator(self) -> str: ...
    @property
    def validator_value(self) -> Any: ...
    @property
    def instance(self) -> Any: ...
    @property
    def schema(self) -> Any: ...


class _Validator(Protocol):
    def iter_errors(self, instance: Any) -> Iterator[_Fault]: ...


def schema(kind: str) -> dict[str, Any]:
    """The JSON Schema of one kind of definition (a key of SCHEMA_FILES)."""
    loaded: dict[str, Any] = json.loads((SCHEMA_FOLDER / SCHEMA_FILES[kind]).read_text(encoding="utf-8"))
    return loaded


def shape_problems(entry: Entry) -> list[Problem]:
    """Every way in which a definition differs from its schema; empty when it fits."""
    found: dict[str, Problem] = {}
    for fault in _validator(entry.kind).iter_errors(entry.definition):
        for path, code, parameters in _explain(fault):
            click, field = place(path)
            problem = Problem(entry.file, entry.kind, entry.id, click, field, code, parameters)
            found.setdefault(str(problem), problem)
    for path, text in _strings(entry.definition, []):
        if any(category(letter) in ("Cc", "Cs") for letter in text):
            click, field = place(path)
            problem = Problem(entry.file, entry.kind, entry.id, click, field, "unprintable_text")
            found.setdefault(str(problem), problem)
    return sorted(found.values(), key=lambda problem: (problem.click or 0, problem.field or ""))


def place(path: list[str | int]) -> tuple[int | None, str | None]:
    """Split a JSON path into the click of the combat dial (from 1) and the field: `dial, 3, attack` is 4, attack."""
    click = None
    if len(path) >= 2 and path[0] == "dial" and isinstance(path[1], int):
        click, path = path[1] + 1, path[2:]
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return click, text.lstrip(".") or None


@cache
def _validator(kind: str) -> _Validator:
    # JSON Schema takes 3.0 for an integer; here it would give equal units unequal hashes.
    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    validator: _Validator = extend(Draft202012Validator, type_checker=types)(schema(kind))
    return validator


def _explain(fault: _Fault) -> Iterator[tuple[list[str | int], str, dict[str, Any]]]:
    """The path, code and parameters of a fault; several for an object with several wrong keys."""
    path = list(fault.absolute_path)
    rule, wanted, value = fault.validator, fault.validator_value, fault.instance
    if "propertyNames" in fault.absolute_schema_path:
        yield [*path, str(value)], "wrong_format", {"value": _shown(value)}
    elif rule in ("required", "dependentRequired"):
        keys = wanted if rule == "required" else [key for name in wanted if name in value for key in wanted[name]]
        for key in sorted(set(keys) - set(value)):
            yield [*path, key], "missing_key", {"key": key}
    elif rule == "additionalProperties":
        for key in sorted(set(value) - set(fault.schema.get("properties", {}))):
            yield [*path, key], "unknown_key", {"key": _shown(key)}
    elif rule == "type" and value is None and len(path) == 2 and path[0] in ("dial", "heat"):
        yield path, "missing_click" if path[0] == "dial" else "missing_heat_step", {}
    elif rule == "type":
        expected = wanted if isinstance(wanted, str) else " / ".join(wanted)
        yield path, "wrong_type", {"expected": expected, "value": _shown(value)}
    elif rule in ("enum", "const"):
        allowed = wanted if rule == "enum" else [wanted]
        words = ", ".join("null" if word is None else str(word) for word in allowed)
        yield path, "not_one_of", {"value": _shown(value), "allowed": words}
    elif rule in _LIMITS:
        code, least, most = _LIMITS[rule]
        limits = {"least": fault.schema.get(least, 0), "most": fault.schema.get(most)}
        shown = {"value": _shown(value)} if code == "out_of_range" else {"count": len(value)}
        yield path, code, {**shown, **limits}
    else:
        yield path, "wrong_format", {"value": _shown(value)}


def _strings(value: Any, path: list[str | int]) -> Iterator[tuple[list[str | int], str]]:
    """Every text in a definition with its path: no schema pattern can be trusted with a final newline."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for position, item in enumerate(value):
            yield from _strings(item, [*path, position])
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _strings(key, [*path, key])
            yield from _strings(item, [*path, key])


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
