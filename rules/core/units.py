"""What a unit, a pilot and a target token are: the catalogue's documents as frozen, readable values.

The shapes are those of the catalogue schema; this module reads what the rules need and refuses with `Malformed`
what it cannot read. The full validation, with file and click, is the catalogue's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.core.equipment import EQUIPMENT, LOCATIONS
from rules.core.pilot_costs import is_useless
from rules.core.pilot_hooks import ABILITIES
from rules.core.refusals import Malformed

RANGE_TYPES = ("ballistic", "energy", "melee")
CLASS_CAPS: Mapping[str, int] = {"light": 160, "medium": 210, "heavy": 280, "assault": 350}
"""Build total by class, points a unit (R-BLD-03 to R-BLD-06, Q-01)."""

HEAT_EFFECTS: Mapping[str, tuple[str, ...]] = {
    "ballistic": ("avoid_ammunition_explosion_critical", "avoid_ammunition_explosion", "ammunition_jam"),
    "energy": ("avoid_heat_sink_overload_critical", "avoid_heat_sink_overload", "weapons_offline"),
    "speed": ("avoid_shutdown_critical", "avoid_shutdown", "engine_overheat"),
}
"""Heat effects by the family that their location decides (R-HEF-02 to R-HEF-10, Q-81)."""


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
    """A unit. `weight_class` is None for a unit without a variant name (R-BLD-14); `points` are build points."""

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
    def from_json(cls, document: Mapping[str, Any]) -> UnitDefinition:
        """Read a catalogue unit; raises Malformed naming the unit and the field."""
        key = str(document.get("id", "inline"))
        try:
            dial = tuple(_click(entry, key) for entry in document["dial"])
            heat = tuple(_heat_step(entry, key) for entry in document["heat"])
            unit = cls(
                key=key,
                name=str(document.get("name", key)),
                weight_class=document.get("class"),
                rank=str(document.get("rank", "green")),
                points=_whole(document.get("points", 0)),
                front_arc=_whole(document.get("front_arc", 180)),
                rear_arc=_whole(document.get("rear_arc", 90)),
                vent=_whole(document.get("vent", 2)),
                primary=_damage_value(document["primary"]),
                secondary=_damage_value(document["secondary"]),
                dial=dial,
                heat=heat,
            )
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            raise Malformed("bad_unit", unit=key, problem=str(problem)) from problem
        if not dial or not heat:
            raise Malformed("bad_unit", unit=key, problem="empty dial")
        if unit.front_arc not in (135, 180, 270, 360):
            raise Malformed("bad_unit", unit=key, problem=f"front_arc {unit.front_arc}")
        for step, entry in enumerate(heat):
            for location, effect in entry.effects.items():
                family = "speed" if location == "speed" else unit.damage_value(location).range_type
                if effect not in HEAT_EFFECTS.get(family, ()):
                    raise Malformed("bad_unit", unit=key, problem=f"heat step {step}: {effect} at {location}")
        return unit

    def damage_value(self, location: str) -> DamageValue:
        """The base's entry for `primary` or `secondary`."""
        if location == "primary":
            return self.primary
        if location == "secondary":
            return self.secondary
        raise KeyError(location)


@dataclass(frozen=True)
class PilotDefinition:
    """A pilot: kind common, legendary or gunslinger, points, modifiers by combat value, class requirement.

    `preferred` is the id of the unit on which `ability` works and `alternative` points are paid (R-PLT-05, R-PLT-06).
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
        """Read a catalogue pilot; raises Malformed for what cannot be read or what the engine does not play."""
        key = str(document.get("id", "inline"))
        try:
            modifiers = {str(name): _whole(amount) for name, amount in document.get("modifiers", {}).items()}
            alternative = document.get("alternative")
            pilot = cls(
                key=key,
                name=str(document.get("name", key)),
                kind=str(document.get("kind", "common")),
                points=_whole(document.get("points", 0)),
                modifiers=modifiers,
                classes=tuple((document.get("requires") or {}).get("class", ())),
                preferred=alternative["unit"] if alternative else None,
                alternative=_whole(alternative["points"]) if alternative else 0,
                ability=document.get("ability"),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            raise Malformed("bad_pilot", pilot=key, problem=str(problem)) from problem
        unknown = sorted(set(modifiers) - set(LOCATIONS))
        if unknown:
            raise Malformed("bad_pilot", pilot=key, problem=f"modifiers of {', '.join(unknown)}")
        if pilot.ability is not None and pilot.ability not in ABILITIES:
            raise Malformed("unknown_ability", pilot=key, ability=pilot.ability)
        return pilot

    def ability_on(self, unit: str) -> str | None:
        """What the pilot can do in this unit beyond his modifiers: nothing but on the preferred one (R-PLT-05)."""
        return self.ability if self.preferred == unit else None

    def points_on(self, unit: str) -> int:
        """The points of the pilot in this unit (R-PLT-06 to R-PLT-08, Q-110)."""
        if self.preferred == unit and not is_useless(self.key, self.name, self.ability):
            return self.alternative
        return self.points


@dataclass(frozen=True)
class TokenDefinition:
    """A target token (R-TGT-07): defense, armour key or None, preferred method, RP, and RP for other methods."""

    key: str
    name: str
    defense: int
    armor: str | None
    method: str
    rp: int
    else_rp: int

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> TokenDefinition:
        """Read a catalogue token; raises Malformed."""
        key = str(document.get("id", "token"))
        try:
            token = cls(
                key=key,
                name=str(document.get("name", key)),
                defense=_whole(document["defense"]),
                armor=document.get("armor"),
                method=str(document["method"]),
                rp=_whole(document["rp"]),
                else_rp=_whole(document.get("else_rp", 0)),
            )
        except (KeyError, TypeError, ValueError) as problem:
            raise Malformed("bad_token", token=key, problem=str(problem)) from problem
        if token.method not in RANGE_TYPES or (token.armor is not None and token.armor not in EQUIPMENT):
            raise Malformed("bad_token", token=key, problem=f"{token.method} {token.armor}")
        return token


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{value!r} is not a whole number")
    return value


def _damage_value(entry: Mapping[str, Any]) -> DamageValue:
    minimum, maximum = entry.get("range", (0, 0))
    range_type = entry["type"]
    if range_type not in RANGE_TYPES:
        raise ValueError(f"range type {range_type!r}")
    if range_type == "melee":  # R-GEN-10
        minimum = maximum = 0
    return DamageValue(range_type, _whole(entry.get("targets", 1)), _whole(minimum), _whole(maximum))


def _click(entry: Mapping[str, Any], unit: str) -> Click:
    equipment: dict[str, str] = {}
    single_use = set()
    for location, item in (entry.get("equipment") or {}).items():
        key, once = (item, False) if isinstance(item, str) else (item["key"], bool(item.get("single_use")))
        if location not in LOCATIONS:
            raise ValueError(f"equipment at {location!r}")
        if key not in EQUIPMENT:
            raise Malformed("unknown_equipment", unit=unit, key=key)
        equipment[location] = key
        if once:
            single_use.add(location)
    return Click(
        primary=_whole(entry["primary"]),
        secondary=_whole(entry["secondary"]),
        speed=_whole(entry["speed"]),
        attack=_whole(entry["attack"]),
        defense=_whole(entry["defense"]),
        repair_marker=bool(entry.get("repair_marker", False)),
        equipment=equipment,
        single_use=frozenset(single_use),
    )


def _heat_step(entry: Mapping[str, Any], unit: str) -> HeatStep:
    effects: Mapping[str, str] = entry.get("effects") or {}
    for location in effects:
        if location not in ("primary", "secondary", "speed"):
            raise ValueError(f"heat effect at {location!r}")
    return HeatStep(
        primary=_whole(entry.get("primary", 0)),
        secondary=_whole(entry.get("secondary", 0)),
        speed=_whole(entry.get("speed", 0)),
        effects=dict(effects),
    )


def points_class(points: int) -> str | None:
    """The smallest class whose cap holds `points` (Q-115), None above 350."""
    for weight_class, cap in CLASS_CAPS.items():
        if points <= cap:
            return weight_class
    return None


def total_points(unit: UnitDefinition, pilot: PilotDefinition | None, gear: Sequence[Mapping[str, Any]] = ()) -> int:
    """Unit plus pilot plus gear (R-BLD-08, R-CEC-03), points; the pilot at the cost that he has on this unit."""
    return (
        unit.points + (pilot.points_on(unit.key) if pilot else 0) + sum(_whole(card.get("points", 0)) for card in gear)
    )
