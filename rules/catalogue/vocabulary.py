"""The closed word lists of catalogue data, by kind. Words that the rules share come from `rules.core`."""

from __future__ import annotations

from rules.core.cards import STATES
from rules.core.equipment import EQUIPMENT as EQUIPMENT_CARD
from rules.core.equipment import LOCATIONS
from rules.core.units import CLASS_CAPS, HEAT_EFFECTS, RANGE_TYPES

CATALOGUE_SCHEMA = 1
"""Version of the catalogue document's form."""

KINDS = ("units", "gear", "pilots", "rally_cards", "target_tokens", "arenas")
"""The kinds of definition, in the order in which they are listed and counted."""

CLASSES = tuple(CLASS_CAPS)
CLASS_LETTERS = {"L": "light", "M": "medium", "H": "heavy", "A": "assault"}
"""The last letter of a variant name tells the weight class (R-BLD-02)."""

RANKS = ("green", "veteran", "elite", "unique")
DAMAGE_VALUES = ("primary", "secondary")
DIAL_VALUES = LOCATIONS
"""The five combat values of a dial; on each sits at most one special equipment a click."""

HEAT_VALUES = ("primary", "secondary", "speed")

EQUIPMENT_PLACES = {key: row.place for key, row in EQUIPMENT_CARD.items()}
"""Where the colour of an equipment may stand: a damage value of that range type, or speed, attack, defense."""

ARMORS = ("reflective_armor", "reactive_armor", "hardened_armor", "heavy_armor")

HEAT_EFFECT_PLACES = {key: place for place, keys in HEAT_EFFECTS.items() for key in keys}
"""Where a heat effect may show: the family is the range type of the value there (Q-81); a melee value has none."""

GEAR_SLOTS = ("primary", "secondary", "either", "speed", "attack", "defense")
PILOT_KINDS = ("common", "legendary", "gunslinger")
PILOT_PREFIXES = {"common": "P", "legendary": "L", "gunslinger": "GS"}

UNIT_STATES = STATES
"""States that a rally card may ask for instead of a combat value below a number (R-RAL-06)."""

TERRAINS = ("clear", "hindering", "blocking", "water")
ELEVATIONS = ("", "+elevated", "+abrupt")
STARTING_AREAS = ("A", "B", "C")

__all__ = [
    "ARMORS",
    "CATALOGUE_SCHEMA",
    "CLASSES",
    "CLASS_CAPS",
    "CLASS_LETTERS",
    "DAMAGE_VALUES",
    "DIAL_VALUES",
    "ELEVATIONS",
    "EQUIPMENT_PLACES",
    "GEAR_SLOTS",
    "HEAT_EFFECT_PLACES",
    "HEAT_VALUES",
    "KINDS",
    "PILOT_KINDS",
    "PILOT_PREFIXES",
    "RANGE_TYPES",
    "RANKS",
    "STARTING_AREAS",
    "TERRAINS",
    "UNIT_STATES",
]
