"""The printed colours of special equipment (R-SED, R-SEM, R-SEA, R-SEF) and of heat effects (R-HEF).

A dial shows no words: a colour at a place is an equipment, and the same colour at another place is another one.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.words import HEAT_EFFECTS

COLOURS = ("purple", "green", "red", "blue", "black", "gray", "yellow")
"""Every colour of a dial. Yellow stands on heat dials alone."""

EQUIPMENT_BY_COLOUR: Mapping[str, Mapping[str, str]] = {
    "ballistic": {
        "purple": "artemis_v_fire_control_system",
        "green": "homing_beacon",
        "red": "armor_piercing",
        "blue": "anti_personnel",
        "black": "streak_missiles",
        "gray": "point_defense_system",
    },
    "energy": {
        "purple": "ppc_capacitor",
        "green": "tsemp",
        "red": "pulse",
        "blue": "grapple",
        "black": "alpha_strike",
        "gray": "flamers",
    },
    "melee": {
        "green": "full_strike",
        "red": "hand_to_hand_weapon",
        "blue": "rapid_strike",
        "black": "agility",
        "gray": "brawling",
    },
    "speed": {
        "purple": "reconnaissance",
        "green": "camouflage",
        "red": "evade",
        "blue": "jump_jets",
        "black": "electronic_camouflage",
        "gray": "infiltrate",
    },
    "attack": {
        "purple": "coolant_flush",
        "green": "repair",
        "red": "bypass",
        "blue": "improved_targeting",
        "black": "salvage",
        "gray": "command",
    },
    "defense": {
        "purple": "advanced_anti_missile_system",
        "green": "decoy",
        "red": "reflective_armor",
        "blue": "reactive_armor",
        "black": "hardened_armor",
        "gray": "heavy_armor",
    },
}
"""Place (the range type of a damage value, or speed, attack, defense) -> colour -> equipment."""

EQUIPMENT_COLOURS: Mapping[str, str] = {
    key: colour for found in EQUIPMENT_BY_COLOUR.values() for colour, key in found.items()
}
"""Equipment -> its colour."""

_HEAT_COLOURS = ("red", "yellow", "black")
"""The colours of heat effects, in the order of HEAT_EFFECTS (R-HEF-02 to R-HEF-10)."""

EFFECTS_BY_COLOUR: Mapping[str, Mapping[str, str]] = {
    family: dict(zip(_HEAT_COLOURS, effects, strict=True)) for family, effects in HEAT_EFFECTS.items()
}
"""Family (ballistic, energy or speed) -> colour -> heat effect (Q-81)."""

HEAT_COLOURS: Mapping[str, str] = {
    effect: colour for found in EFFECTS_BY_COLOUR.values() for colour, effect in found.items()
}
"""Heat effect -> its colour."""
