"""The word lists of catalogue data; no other words are allowed. Words that the rules share come from `rules.core`."""

from __future__ import annotations

from rules.core.equipment import EQUIPMENT as EQUIPMENT_CARD
from rules.core.equipment import LOCATIONS
from rules.core.words import (
    CLASS_CAPS,
)

CATALOGUE_SCHEMA = 1
"""Version of the catalogue document's form."""

KINDS = ("units", "gear", "pilots", "rally_cards", "target_tokens", "arenas")
"""The kinds of definition, in the order in which they are listed and counted."""

CLASSES = tuple(CLASS_CAPS)
CLASS_LETTERS = {"L": "light", "M": "medium", "H": "heavy", "A": "assault"}
"""Last letter of a variant name -> the weight class that it means (R-BLD-02)."""

DIAL_VALUES = LOCATIONS
"""The five combat values of a dial; on each sits at most one special equipment a click."""

EQUIPMENT_PLACES = {key: row.place for key, row in EQUIPMENT_CARD.items()}
"""Equipment -> where it may be on a dial: on a damage value of that range type, or on speed, attack or defense."""

PILOT_PREFIXES = {"common": "P", "legendary": "L", "gunslinger": "GS"}
