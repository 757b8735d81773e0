"""Gear: the catalogue's cards as frozen, readable values (section GER)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.core.inline import require
from rules.core.words import ALLOWANCES, DAMAGE_VALUES

DAMAGE_SIDES = DAMAGE_VALUES
"""The sides of a two-sided card (R-GER-05)."""

SAME_VALUE, BOTH_SOURCES, SALVAGE = ALLOWANCES


@dataclass(frozen=True)
class GearDefinition:
    """A piece of gear.

    `location` is the combat value it sits on, None for a two-sided card without a declared side. `modifiers` are
    amounts by combat value. `classes` and `range_type` are what it requires: () and None require nothing. `equipment`
    is None for a card that gives none. `allows` holds words of ALLOWANCES.
    """

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
        """Read a gear card, with its declared `side` if it is two-sided. Raises Malformed (bad_gear)."""
        require("gear", document)
        key, slot, side = document.get("id", "inline"), document["slot"], document.get("side")
        requires, modifiers = document.get("requires", {}), dict(document.get("modifiers", {}))
        return cls(
            key=key,
            name=document.get("name", key),
            points=document.get("points", 0),
            slot=slot,
            location=side if slot == "either" else slot,
            classes=tuple(requires.get("class", ())),
            range_type=requires.get("type"),
            modifiers=_on_side(modifiers, side) if slot == "either" else modifiers,
            equipment=document.get("equipment"),
            allows=frozenset(document.get("allows", ())),
        )


def _on_side(modifiers: Mapping[str, int], side: str | None) -> dict[str, int]:
    """Return the modifiers of a two-sided card, with its damage modifier on the declared side (R-GER-05).

    The card may print that modifier for either side. Without a declared side it is left out.
    """
    found = {name: amount for name, amount in modifiers.items() if name not in DAMAGE_SIDES}
    given = [modifiers[name] for name in (side, *DAMAGE_SIDES) if name is not None and name in modifiers]
    if side is not None and given:
        found[side] = given[0]
    return found
