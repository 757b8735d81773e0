"""How much people may bring into a catalogue: bounds that no honest file meets, so that no file costs without end."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.shapes import UNIT

MOST_PROBLEMS = 200
"""Problems that are kept. Nobody mends more before the next try, and each is an object of half a kilobyte."""

MOST_DEFINITIONS: Mapping[str, int] = {
    "units": 3000,
    "gear": 500,
    "pilots": 500,
    "rally_cards": 300,
    "target_tokens": 200,
    "arenas": 100,
}
"""Definitions of a kind in one file: ten times those of the built-in catalogue, rounded up. There are more units in
print than in it, but fewer than this."""

LONGEST_DIALS: Mapping[str, tuple[int, int]] = {
    part: (UNIT["properties"][part]["minItems"], UNIT["properties"][part]["maxItems"]) for part in ("dial", "heat")
}
"""Least and most rows of the two dials of a unit, as the published form has them."""

LONGEST_TEXT = 200
"""Characters of a text in a foreign file that a mapping's pattern is held against; patterns may take quadratic time."""
