"""Checks that a schema cannot express: whether the values of a definition fit together. The input has passed `shape`.

Checks that matches also need are in `rules.core.definition_checks`. Those here are only for authored and printed
definitions.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from rules.catalogue.arena_checks import arena_problems
from rules.catalogue.documents import Entry
from rules.catalogue.problems import Problem
from rules.catalogue.shape import problem_of
from rules.catalogue.vocabulary import CLASS_LETTERS, DIAL_VALUES, PILOT_PREFIXES
from rules.core.definition_checks import WHOLE_CIRCLE, gear_faults, unit_faults
from rules.core.shape_checks import Fault
from rules.core.table_units import is_table_only
from rules.core.words import CLASS_CAPS

_Found = tuple[list[str | int], str, dict[str, Any]]


def meaning_problems(entry: Entry) -> list[Problem]:
    """Return every fault of a definition whose form is right; empty when its values fit together.

    The codes are arcs_overlap, value_rises, heat_start_not_free, variant_without_class, missing_key,
    class_differs_from_variant, points_above_cap, pilot_number_of_other_kind, common_pilot_with_text, and those of
    `unit_faults`, `gear_faults` and `arena_problems`.
    """
    faults: list[Fault] = []
    found: Iterator[_Found] = iter(())
    match entry.kind:
        case "units" if is_table_only(entry.definition):
            found = _class(entry.definition)
        case "units":
            faults, found = list(unit_faults(entry.definition)), _unit(entry.definition)
        case "gear":
            faults = list(gear_faults(entry.definition))
        case "pilots":
            found = _pilot(entry.definition)
        case "arenas":
            found = arena_problems(entry.definition)
    faults += [Fault(tuple(path), code, parameters) for path, code, parameters in found]
    return [problem_of(entry, fault) for fault in faults]


def _unit(unit: dict[str, Any]) -> Iterator[_Found]:
    yield from _class(unit)
    if unit["front_arc"] == WHOLE_CIRCLE and unit["rear_arc"]:
        yield ["rear_arc"], "arcs_overlap", {"front": unit["front_arc"], "rear": unit["rear_arc"]}
    for index, (before, click) in enumerate(pairwise(unit["dial"]), start=1):
        yield from _falls(index, before, click)
    start = unit["heat"][0]
    if start["effects"] or start["primary"] or start["secondary"] or start["speed"]:
        yield ["heat", 0], "heat_start_not_free", {}


def _class(unit: dict[str, Any]) -> Iterator[_Found]:
    variant, weight_class = unit.get("variant"), unit.get("class")
    if variant is not None:
        by_letter = CLASS_LETTERS.get(variant[-1].upper())
        if by_letter is None:
            yield ["variant"], "variant_without_class", {"variant": variant}
        elif weight_class is None:
            yield ["class"], "missing_key", {"key": "class"}
        elif by_letter != weight_class:
            yield (
                ["class"],
                "class_differs_from_variant",
                {"class": weight_class, "variant": variant, "means": by_letter},
            )
    if weight_class is not None and unit["points"] > CLASS_CAPS[weight_class]:
        parameters = {"points": unit["points"], "cap": CLASS_CAPS[weight_class], "class": weight_class}
        yield ["points"], "points_above_cap", parameters


def _falls(index: int, before: dict[str, Any], click: dict[str, Any]) -> Iterator[_Found]:
    for value in DIAL_VALUES:
        if click[value] > before[value]:
            yield ["dial", index, value], "value_rises", {"value": value, "before": before[value], "here": click[value]}


def _pilot(pilot: dict[str, Any]) -> Iterator[_Found]:
    kind = pilot["kind"]
    if pilot["id"].partition("-")[0] != PILOT_PREFIXES[kind]:
        yield ["id"], "pilot_number_of_other_kind", {"kind": kind, "prefix": PILOT_PREFIXES[kind]}
    if kind == "common":
        for key in ("ability", "alternative"):
            if pilot.get(key) is not None:
                yield [key], "common_pilot_with_text", {"key": key}
