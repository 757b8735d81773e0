"""Limits on catalogue files. No honest file reaches them; they bound the work that a file can cause."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.shapes import UNIT

MOST_PROBLEMS = 200
"""At most so many problems are kept: nobody corrects more before the next try, and each takes half a kilobyte."""

MOST_DEFINITIONS: Mapping[str, int] = {
    "units": 3000,
    "gear": 500,
    "pilots": 500,
    "rally_cards": 300,
    "target_tokens": 200,
    "arenas": 100,
}
"""At most so many definitions of a kind in a file: ten times those of the built-in catalogue, rounded up. More units
are in print than it has, but fewer than this."""

LONGEST_DIALS: Mapping[str, tuple[int, int]] = {
    part: (UNIT["properties"][part]["minItems"], UNIT["properties"][part]["maxItems"]) for part in ("dial", "heat")
}
"""The least and the most rows of a unit's two dials, as in the published schema."""

LONGEST_TEXT = 200
"""A mapping's pattern is matched only against texts of at most so many characters: it may take quadratic time."""
