"""Gear and rally cards: the catalogue's documents as frozen, readable values (sections GER and RAL)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.core.equipment import EQUIPMENT, LOCATIONS
from rules.core.rally_hooks import EFFECTS
from rules.core.refusals import Malformed

SLOTS = ("primary", "secondary", "either", "speed", "attack", "defense")
DAMAGE_SIDES = ("primary", "secondary")

SAME_VALUE, BOTH_SOURCES, SALVAGE = "same_value", "both_sources", "salvage"
ALLOWANCES = (SAME_VALUE, BOTH_SOURCES, SALVAGE)
"""What the text of a gear card may allow: other gear on its value (R-GER-04), both sources of equipment at once
(R-SEG-14), working under Salvage (R-GER-09)."""

STATES = ("shutdown", "unconscious", "salvage", "overheated", "in_base_contact", "last_unit", "outscored")
"""States that a rally card may ask for. `overheated` is a heat dial that shows a heat effect; `last_unit` is left alone
of a side that had more; `outscored` is a side of less reputation, as the match stands, than some other."""

HAND_SIZE = 5
"""Rally cards a unit at most (R-RAL-01)."""


@dataclass(frozen=True)
class GearDefinition:
    """A piece of gear. `location` is the combat value it sits on; None for a two-sided card whose side is not
    declared. `modifiers` are those that count on that side; `allows` are words of ALLOWANCES."""

    key: str
    name: str
    points: int
    slot: str
    location: str | None
    classes: tuple[str, ...]
    range_type: str | None
    modifiers: Mapping[str, int]
    equipment: str | None
    allows: frozenset[str]

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> GearDefinition:
        """Read a catalogue gear card, with its declared `side` if it is two-sided; raises Malformed."""
        key = "inline"
        try:
            key = str(document.get("id", key))
            slot = document["slot"]
            side = document.get("side")
            requires = document.get("requires") or {}
            equipment = document.get("equipment")
            modifiers = {str(name): amount for name, amount in (document.get("modifiers") or {}).items()}
            allows = frozenset(document.get("allows") or ())
            points = document.get("points", 0)
            classes = tuple(requires.get("class") or ())
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            raise Malformed("bad_gear", gear=key, problem=repr(problem)) from problem
        if slot not in SLOTS or (side is not None and (slot != "either" or side not in DAMAGE_SIDES)):
            raise Malformed("bad_gear", gear=key, problem=f"slot {slot}, side {side}")
        if not set(modifiers) <= set(LOCATIONS) or not all(type(amount) is int for amount in modifiers.values()):
            raise Malformed("bad_gear", gear=key, problem=f"modifiers {modifiers}")
        if type(points) is not int or not allows <= set(ALLOWANCES):
            raise Malformed("bad_gear", gear=key, problem=f"points {points}, allows {sorted(allows)}")
        if equipment is not None and equipment not in EQUIPMENT:
            raise Malformed("unknown_equipment", unit=key, key=equipment)
        return cls(
            key=key,
            name=str(document.get("name", key)),
            points=points,
            slot=slot,
            location=side if slot == "either" else slot,
            classes=classes,
            range_type=requires.get("type"),
            modifiers=_on_side(modifiers, side) if slot == "either" else modifiers,
            equipment=equipment,
            allows=allows,
        )


def _on_side(modifiers: Mapping[str, int], side: str | None) -> dict[str, int]:
    """A two-sided card gives its damage modifier to the declared side, whichever side it is printed for (R-GER-05)."""
    found = {name: amount for name, amount in modifiers.items() if name not in DAMAGE_SIDES}
    given = [modifiers[name] for name in (side, *DAMAGE_SIDES) if name is not None and name in modifiers]
    if side is not None and given:
        found[side] = given[0]
    return found


@dataclass(frozen=True)
class RallyCardDefinition:
    """A rally card: the printed value that must be below a number, the state that must hold, and its effect."""

    key: str
    name: str
    value: str | None
    below: int
    state: str | None
    effect: str

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> RallyCardDefinition:
        """Read a catalogue rally card; raises Malformed, naming an effect that no rule plays."""
        key = "inline"
        try:
            key = str(document["id"])
            requires = document.get("requires") or {}
            value, below, state = requires.get("value"), requires.get("below", 0), requires.get("state")
            effect = document["ability"]
        except (KeyError, TypeError, AttributeError) as problem:
            raise Malformed("bad_rally_card", card=key, problem=repr(problem)) from problem
        known = (value is None or value in LOCATIONS) and (state is None or state in STATES) and type(below) is int
        if not known:
            raise Malformed("bad_rally_card", card=key, problem=f"requires {dict(requires)}")
        if effect not in EFFECTS:
            raise Malformed("unknown_rally_effect", card=key, effect=effect)
        return cls(key, str(document.get("name", key)), value, below, state, effect)
