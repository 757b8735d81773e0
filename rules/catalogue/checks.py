"""What a schema cannot say: how the values of one definition fit together. Input has passed `shape`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.catalogue.arena_checks import arena_problems
from rules.catalogue.documents import Entry
from rules.catalogue.problems import Problem
from rules.catalogue.shape import place
from rules.catalogue.vocabulary import (
    CLASS_CAPS,
    CLASS_LETTERS,
    DAMAGE_VALUES,
    DIAL_VALUES,
    EQUIPMENT_PLACES,
    HEAT_EFFECT_PLACES,
    PILOT_PREFIXES,
    RANGE_TYPES,
)

_Found = tuple[list[str | int], str, dict[str, Any]]


def meaning_problems(entry: Entry) -> list[Problem]:
    """Every fault of one well-shaped definition, in dial order for a unit."""
    found: Iterator[_Found]
    match entry.kind:
        case "units":
            found = _unit(entry.definition)
        case "gear":
            found = _gear(entry.definition)
        case "pilots":
            found = _pilot(entry.definition)
        case "arenas":
            found = arena_problems(entry.definition)
        case _:
            found = iter(())
    problems = []
    for path, code, parameters in found:
        click, field = place(path)
        problems.append(Problem(entry.file, entry.kind, entry.id, click, field, code, parameters))
    return problems


def _unit(unit: dict[str, Any]) -> Iterator[_Found]:
    yield from _class(unit)
    if unit["front_arc"] + unit["rear_arc"] > 360:
        yield ["rear_arc"], "arcs_overlap", {"front": unit["front_arc"], "rear": unit["rear_arc"]}
    for value in DAMAGE_VALUES:
        yield from _damage_value(value, unit[value])
    for index, click in enumerate(unit["dial"]):
        if index:
            yield from _falls(index, unit["dial"][index - 1], click)
        for value, item in click["equipment"].items():
            key = item if isinstance(item, str) else item["key"]
            if EQUIPMENT_PLACES[key] != _location(unit, value):
                parameters = {"equipment": key, "value": value, "place": EQUIPMENT_PLACES[key]}
                yield ["dial", index, "equipment", value], "equipment_wrong_value", parameters
    yield from _heat(unit)


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


def _damage_value(name: str, damage: dict[str, Any]) -> Iterator[_Found]:
    least, most = damage["range"]
    if damage["type"] == "melee" and (least, most) != (0, 0):  # R-GEN-10
        yield [name, "range"], "melee_with_range", {"least": least, "most": most}
    elif least > most:
        yield [name, "range"], "range_reversed", {"least": least, "most": most}


def _falls(index: int, before: dict[str, Any], click: dict[str, Any]) -> Iterator[_Found]:
    for value in DIAL_VALUES:
        if click[value] > before[value]:
            yield ["dial", index, value], "value_rises", {"value": value, "before": before[value], "here": click[value]}


def _heat(unit: dict[str, Any]) -> Iterator[_Found]:
    start = unit["heat"][0]
    if start["effects"] or start["primary"] or start["secondary"] or start["speed"]:
        yield ["heat", 0], "heat_start_not_free", {}
    for index, step in enumerate(unit["heat"]):
        for value, effect in step["effects"].items():
            if HEAT_EFFECT_PLACES[effect] != _location(unit, value):
                parameters = {"effect": effect, "value": value, "place": HEAT_EFFECT_PLACES[effect], "step": index}
                yield ["heat", index, "effects", value], "heat_effect_wrong_value", parameters


def _location(unit: dict[str, Any], value: str) -> str:
    """The column of the equipment card for a combat value: a damage value stands under its range type."""
    return str(unit[value]["type"]) if value in DAMAGE_VALUES else value


def _gear(gear: dict[str, Any]) -> Iterator[_Found]:
    key = gear["equipment"]
    if key is None:
        return
    slot, needed = gear["slot"], EQUIPMENT_PLACES[key]
    wanted = gear["requires"].get("type")
    if slot in ("speed", "attack", "defense"):
        fits = needed == slot
    else:
        fits = needed in RANGE_TYPES and wanted in (None, needed)
    if not fits:
        yield ["equipment"], "equipment_wrong_value", {"equipment": key, "value": slot, "place": needed}


def _pilot(pilot: dict[str, Any]) -> Iterator[_Found]:
    kind = pilot["kind"]
    if pilot["id"].partition("-")[0] != PILOT_PREFIXES[kind]:
        yield ["id"], "pilot_number_of_other_kind", {"kind": kind, "prefix": PILOT_PREFIXES[kind]}
    if kind == "common":
        for key in ("ability", "alternative"):
            if pilot.get(key) is not None:
                yield [key], "common_pilot_with_text", {"key": key}
