"""A point value from a sheet alone: what the numbers of a dial are worth among the units that come with the game.

The suggestion is a sum of features, each at so many points, as `pricing.json` has them. `python -m
rules.tools.balance --prices` fits them to what the house units win, and to what each unit with one number changed wins
against itself. It stands in for playing; it does not replace it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rules.core.equipment import EQUIPMENT
from rules.core.equipment_hooks import only_moves_and_vents
from rules.core.odds import chance_to_hit
from rules.core.units import Click, UnitDefinition

PRICES_FILE = Path(__file__).parent / "pricing.json"

USUAL_DEFENSE, USUAL_ATTACK = 18, 9
"""What a unit's attack and defense are held against: a fresh opponent as printed dials have it."""

WORTHLESS_ALONE = frozenset({"homing_beacon", "coolant_flush", "repair", "salvage"}) | {
    key for key, row in EQUIPMENT.items() if row.is_inert
}
"""Equipment that does nothing for a unit that fights alone: points are measured in duels."""

_KINDS = {
    "damage": frozenset({"ballistic", "energy", "melee"}),
    "speed": frozenset({"speed"}),
    "attack": frozenset({"attack"}),
    "defense": frozenset({"defense"}),
}
"""Kinds of special equipment by the place where it stands."""


def _clicks(unit: UnitDefinition) -> float:
    """Clicks to elimination."""
    return len(unit.dial)


def _firepower(unit: UnitDefinition) -> float:
    """Return expected damage of the better ranged value, summed over the clicks that may attack."""
    return sum(_expected(unit, click)[0] for click in _armed(unit))


def _second_weapon(unit: UnitDefinition) -> float:
    """Return the same of the lesser ranged value: it counts where the better one does not reach or is jammed."""
    return sum(_expected(unit, click)[1] for click in _armed(unit))


def _melee(unit: UnitDefinition) -> float:
    """Return expected damage in close combat, summed over the clicks: of the primary or a melee secondary value
    (R-CLO-05), a value that is not melee halved (R-CLO-07).
    """
    total = 0.0
    for click in _armed(unit):
        blow = click.primary if unit.primary.range_type == "melee" else max(1, (click.primary + 1) // 2)
        if unit.secondary.range_type == "melee":
            blow = max(blow, click.secondary)
        total += blow * chance_to_hit(click.attack, USUAL_DEFENSE)
    return total


def _toughness(unit: UnitDefinition) -> float:
    """Attacks that it takes to hit, summed over the clicks."""
    return sum(1 / chance_to_hit(USUAL_ATTACK, click.defense) for click in unit.dial)


def _speed(unit: UnitDefinition) -> float:
    """Speed, summed over the clicks."""
    return float(sum(click.speed for click in unit.dial))


def _reach(unit: UnitDefinition) -> float:
    """Return the longest range of a value that does damage, hexsides, summed over the clicks."""
    return float(sum(max((unit.damage_value(v).maximum for v in _values(click)), default=0) for click in _armed(unit)))


def _targets(unit: UnitDefinition) -> float:
    """Targets beyond the first, of both values."""
    return float(unit.primary.targets + unit.secondary.targets - 2)


def _front_arc(unit: UnitDefinition) -> float:
    """Front arc, in twelfths of a circle."""
    return unit.front_arc / 30


def _vent(unit: UnitDefinition) -> float:
    """Return heat that a vent takes away."""
    return float(unit.vent)


def _heat_steps(unit: UnitDefinition) -> float:
    """Return the steps of the heat dial before the first effect."""
    return float(next((number for number, step in enumerate(unit.heat) if step.effects), len(unit.heat)))


def _equipment(kind: str) -> Callable[[UnitDefinition], float]:
    def clicks_with(unit: UnitDefinition) -> float:
        return float(sum(_has_equipment(click, _KINDS[kind]) for click in unit.dial))

    return clicks_with


FEATURES: Mapping[str, Callable[[UnitDefinition], float]] = {
    "clicks": _clicks,
    "firepower": _firepower,
    "second_weapon": _second_weapon,
    "melee": _melee,
    "toughness": _toughness,
    "speed": _speed,
    "reach": _reach,
    "targets": _targets,
    "front_arc": _front_arc,
    "vent": _vent,
    "heat_steps": _heat_steps,
    **{f"{kind}_equipment": _equipment(kind) for kind in _KINDS},
}
"""What a price looks at, in the order of `pricing.json`. Equipment counts clicks, without `WORTHLESS_ALONE`."""


def features(unit_document: Mapping[str, Any]) -> dict[str, float]:
    """Return the features of a catalogue unit by name; raises Malformed for a document that cannot be read."""
    unit = UnitDefinition.from_json(unit_document)
    return {name: feature(unit) for name, feature in FEATURES.items()}


def price_parts(unit_document: Mapping[str, Any]) -> dict[str, float]:
    """Return how many points each feature adds, by name, and `constant`; their sum is the suggestion before rounding.

    Raises Malformed for a document that cannot be read.
    """
    prices = _prices()
    found = features(unit_document)
    return {"constant": prices["constant"], **{name: prices[name] * amount for name, amount in found.items()}}


def suggested_points(unit_document: Mapping[str, Any]) -> int:
    """Return the points that a unit of this sheet should cost, at least 1; its own `points` are not looked at.

    Raises Malformed for a document that cannot be read.
    """
    return max(1, round(sum(price_parts(unit_document).values())))


@cache
def _prices() -> dict[str, float]:
    document = json.loads(PRICES_FILE.read_text(encoding="utf-8"))
    return {name: float(points) for name, points in document["points"].items()}


def _armed(unit: UnitDefinition) -> list[Click]:
    """Return the clicks that may attack."""
    return [click for click in unit.dial if not only_moves_and_vents(_bits(click))]


def _bits(click: Click) -> int:
    mask = 0
    for key in click.equipment.values():
        mask |= EQUIPMENT[key].bit
    return mask


def _values(click: Click) -> list[str]:
    return [value for value, damage in (("primary", click.primary), ("secondary", click.secondary)) if damage > 0]


def _expected(unit: UnitDefinition, click: Click) -> tuple[float, float]:
    """Return expected damage of the better and of the lesser ranged value."""
    chance = chance_to_hit(click.attack, USUAL_DEFENSE)
    shots = [
        damage * chance if unit.damage_value(value).range_type != "melee" else 0.0
        for value, damage in (("primary", click.primary), ("secondary", click.secondary))
    ]
    return max(shots), min(shots)


def _has_equipment(click: Click, places: frozenset[str]) -> bool:
    return any(EQUIPMENT[key].place in places and key not in WORTHLESS_ALONE for key in click.equipment.values())
