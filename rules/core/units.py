"""Units and pilots: the catalogue's documents as frozen, readable values.

`rules.core.inline` says what a document may look like; every reader here checks that first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.core.inline import require
from rules.core.pilot_costs import is_useless
from rules.core.pilot_hooks import ABILITIES
from rules.core.refusals import Malformed


@dataclass(frozen=True)
class DamageValue:
    """The base's entry for one damage value: type, number of targets (R-MUL-01), range in hexsides."""

    range_type: str
    targets: int
    minimum: int
    maximum: int


@dataclass(frozen=True)
class Click:
    """One stat slot. `equipment` maps a location to a key; `single_use` names the locations shaped as circles."""

    primary: int
    secondary: int
    speed: int
    attack: int
    defense: int
    repair_marker: bool = False
    equipment: Mapping[str, str] = field(default_factory=dict)
    single_use: frozenset[str] = frozenset()


@dataclass(frozen=True)
class HeatStep:
    """One step of the heat dial: modifiers and, by location, the heat effect that shows."""

    primary: int
    secondary: int
    speed: int
    effects: Mapping[str, str]


@dataclass(frozen=True)
class UnitDefinition:
    """A unit. `weight_class` is the class that its document names, None without one; `points` are build points.

    >>> from rules.catalogue import load_builtin
    >>> unit = UnitDefinition.from_json(load_builtin().units["HSE007"])
    >>> unit.name, unit.points, len(unit.dial), unit.dial[0].attack
    ('Hatchetman "Cordwood"', 146, 12, 11)
    """

    key: str
    name: str
    weight_class: str | None
    rank: str
    points: int
    front_arc: int
    rear_arc: int
    vent: int
    primary: DamageValue
    secondary: DamageValue
    dial: tuple[Click, ...]
    heat: tuple[HeatStep, ...]

    @classmethod
    def from_json(cls, document: Mapping[str, Any], called: str = "inline") -> UnitDefinition:
        """Read a unit. `called` names a document without an id in the refusal.

        Raises Malformed (bad_unit, unit_without_dial) with the parameters of `rules.core.inline.require`.
        """
        require("units", document, called)
        key = document.get("id", "inline")
        front_arc = document.get("front_arc", 180)
        return cls(
            key=key,
            name=document.get("name", key),
            weight_class=document.get("class"),
            rank=document.get("rank", "green"),
            points=document.get("points", 0),
            front_arc=front_arc,
            rear_arc=document.get("rear_arc", 90),
            vent=document.get("vent", 2),
            primary=_damage_value(document["primary"]),
            secondary=_damage_value(document["secondary"]),
            dial=tuple([_click(entry) for entry in document["dial"]]),
            heat=tuple([_heat_step(entry) for entry in document["heat"]]),
        )

    def damage_value(self, location: str) -> DamageValue:
        """Return the base's entry for `primary` or `secondary`. Raises KeyError for another location."""
        if location == "primary":
            return self.primary
        if location == "secondary":
            return self.secondary
        raise KeyError(location)


@dataclass(frozen=True)
class PilotDefinition:
    """A pilot: kind common, legendary or gunslinger, points, modifiers by combat value, class requirement.

    `preferred` is the id of the unit on which `ability` works and `alternative` points are paid (R-PLT-05, R-PLT-06).
    `preferred` and `ability` are None for a pilot without them; `classes` () is no requirement.
    """

    key: str
    name: str
    kind: str
    points: int
    modifiers: Mapping[str, int]
    classes: tuple[str, ...]
    preferred: str | None = None
    alternative: int = 0
    ability: str | None = None

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> PilotDefinition:
        """Read a pilot. Raises Malformed (bad_pilot; unknown_ability for an ability that no rule plays)."""
        require("pilots", document)
        key = document.get("id", "inline")
        ability = document.get("ability")
        if ability is not None and ability not in ABILITIES:
            raise Malformed("unknown_ability", pilot=key, ability=ability)
        alternative = document.get("alternative") or {}
        return cls(
            key=key,
            name=document.get("name", key),
            kind=document.get("kind", "common"),
            points=document.get("points", 0),
            modifiers=dict(document.get("modifiers", {})),
            classes=tuple(document.get("requires", {}).get("class", ())),
            preferred=alternative.get("unit"),
            alternative=alternative.get("points", 0),
            ability=ability,
        )

    def ability_on(self, unit: str) -> str | None:
        """Return the pilot's ability in this unit; None except on the preferred unit (R-PLT-05)."""
        return self.ability if self.preferred == unit else None

    def points_on(self, unit: str) -> int:
        """Return the points of the pilot in this unit (R-PLT-06 to R-PLT-08, Q-110)."""
        if self.preferred == unit and not is_useless(self.key, self.name, self.ability):
            return self.alternative
        return self.points


def _damage_value(entry: Mapping[str, Any]) -> DamageValue:
    minimum, maximum = entry.get("range", (0, 0))
    return DamageValue(entry["type"], entry.get("targets", 1), minimum, maximum)


def _click(entry: Mapping[str, Any]) -> Click:
    equipment: dict[str, str] = {}
    single_use = set()
    for location, item in entry.get("equipment", {}).items():
        if isinstance(item, str):
            equipment[location] = item
        else:
            equipment[location] = item["key"]
            if item.get("single_use"):
                single_use.add(location)
    return Click(
        primary=entry["primary"],
        secondary=entry["secondary"],
        speed=entry["speed"],
        attack=entry["attack"],
        defense=entry["defense"],
        repair_marker=entry.get("repair_marker", False),
        equipment=equipment,
        single_use=frozenset(single_use),
    )


def _heat_step(entry: Mapping[str, Any]) -> HeatStep:
    return HeatStep(entry["primary"], entry["secondary"], entry["speed"], dict(entry["effects"]))


def total_points(unit: UnitDefinition, pilot: PilotDefinition | None, gear: Sequence[Mapping[str, Any]] = ()) -> int:
    """Return the points of unit, pilot and gear together (R-BLD-08, R-CEC-03), with the pilot's cost on this unit.

    >>> from rules.catalogue import load_builtin
    >>> catalogue = load_builtin()
    >>> unit = UnitDefinition.from_json(catalogue.units["HSE007"])
    >>> pilot = PilotDefinition.from_json(catalogue.pilots["GS-008"])
    >>> total_points(unit, None), total_points(unit, pilot)
    (146, 160)
    """
    cards = sum([int(card.get("points", 0)) for card in gear])
    return unit.points + (pilot.points_on(unit.key) if pilot else 0) + cards
