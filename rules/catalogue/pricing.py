"""Suggested points of a unit from its sheet alone, compared with the units that come with the game.

The suggestion is a sum of features, each times its points in `pricing.json`. `python -m rules.tools.balance --prices`
fits these points to the matches that the house units win, and to those that a unit with one number changed wins against
the unchanged unit. A suggestion does not replace playing.
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
"""The opponent with which a unit's attack and defense are compared: a usual printed dial at its first click."""

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
"""Kind of special equipment -> the places of such equipment (`rules.core.equipment`)."""


def _clicks(unit: UnitDefinition) -> float:
    """Return the number of clicks to elimination."""
    return len(unit.dial)


def _firepower(unit: UnitDefinition) -> float:
    """Return the expected damage of the better ranged value, summed over the clicks at which it may attack."""
    return sum(_expected(unit, click)[0] for click in _armed(unit))


def _second_weapon(unit: UnitDefinition) -> float:
    """Return the expected damage of the lesser ranged value, summed over the clicks at which it may attack.

    It helps when the better one does not reach or is jammed.
    """
    return sum(_expected(unit, click)[1] for click in _armed(unit))


def _melee(unit: UnitDefinition) -> float:
    """Return the expected damage in close combat, summed over the clicks at which it may attack.

    The primary value counts, or a melee secondary value if it is higher (R-CLO-05). A primary value that is not melee
    is halved (R-CLO-07).
    """
    total = 0.0
    for click in _armed(unit):
        blow = click.primary if unit.primary.range_type == "melee" else max(1, (click.primary + 1) // 2)
        if unit.secondary.range_type == "melee":
            blow = max(blow, click.secondary)
        total += blow * chance_to_hit(click.attack, USUAL_DEFENSE)
    return total


def _toughness(unit: UnitDefinition) -> float:
    """Return how many attacks it takes to hit the unit, summed over the clicks."""
    return sum(1 / chance_to_hit(USUAL_ATTACK, click.defense) for click in unit.dial)


def _speed(unit: UnitDefinition) -> float:
    """Return the speed, summed over the clicks."""
    return float(sum(click.speed for click in unit.dial))


def _reach(unit: UnitDefinition) -> float:
    """Return the longest range of a damage value above 0, in hexsides, summed over the clicks with an attack."""
    return float(sum(max((unit.damage_value(v).maximum for v in _values(click)), default=0) for click in _armed(unit)))


def _targets(unit: UnitDefinition) -> float:
    """Return the number of targets beyond the first, for both values together."""
    return float(unit.primary.targets + unit.secondary.targets - 2)


def _front_arc(unit: UnitDefinition) -> float:
    """Return the front arc in twelfths of a circle."""
    return unit.front_arc / 30


def _vent(unit: UnitDefinition) -> float:
    """Return the heat steps that a vent takes away."""
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
"""The features of a price, in the order of `pricing.json`. Those of equipment are numbers of clicks; equipment in
`WORTHLESS_ALONE` does not count."""


def features(unit_document: Mapping[str, Any]) -> dict[str, float]:
    """Return the features of a catalogue unit, by name. Raises Malformed (bad_unit)."""
    unit = UnitDefinition.from_json(unit_document)
    return {name: feature(unit) for name, feature in FEATURES.items()}


def price_parts(unit_document: Mapping[str, Any]) -> dict[str, float]:
    """Return the points that each feature adds, by name, and `constant`; their sum is the suggestion before rounding.

    Raises Malformed (bad_unit).
    """
    prices = _prices()
    found = features(unit_document)
    return {"constant": prices["constant"], **{name: prices[name] * amount for name, amount in found.items()}}


def suggested_points(unit_document: Mapping[str, Any]) -> int:
    """Return the points that a unit with this sheet should cost, at least 1; its own `points` do not matter.

    Raises Malformed (bad_unit).
    """
    return max(1, round(sum(price_parts(unit_document).values())))


@cache
def _prices() -> dict[str, float]:
    document = json.loads(PRICES_FILE.read_text(encoding="utf-8"))
    return {name: float(points) for name, points in document["points"].items()}


def _armed(unit: UnitDefinition) -> list[Click]:
    """Return the clicks at which the unit may attack."""
    return [click for click in unit.dial if not only_moves_and_vents(_bits(click))]


def _bits(click: Click) -> int:
    mask = 0
    for key in click.equipment.values():
        mask |= EQUIPMENT[key].bit
    return mask


def _values(click: Click) -> list[str]:
    return [value for value, damage in (("primary", click.primary), ("secondary", click.secondary)) if damage > 0]


def _expected(unit: UnitDefinition, click: Click) -> tuple[float, float]:
    """Return the expected damage of the better and of the lesser ranged value, 0 for a melee value."""
    chance = chance_to_hit(click.attack, USUAL_DEFENSE)
    shots = [
        damage * chance if unit.damage_value(value).range_type != "melee" else 0.0
        for value, damage in (("primary", click.primary), ("secondary", click.secondary))
    ]
    return max(shots), min(shots)


def _has_equipment(click: Click, places: frozenset[str]) -> bool:
    return any(EQUIPMENT[key].place in places and key not in WORTHLESS_ALONE for key in click.equipment.values())
