"""Limits on catalogue files. No honest file reaches them; they bound the work that a file can cause."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.shapes import UNIT

MOST_PROBLEMS = 200
"""The most problems that are kept: nobody corrects more before the next try, and each takes half a kilobyte."""

MOST_MARKS = 1_000_000
"""The most opening brackets and commas of a JSON file, counted before it is read: each may become an object of hundreds
of bytes. Three thousand units like the built-in ones have 560,000."""

MOST_DIGITS = 1000
"""The most digits of a whole number in a JSON file: making a number of very many takes long."""

MOST_DEFINITIONS: Mapping[str, int] = {
    "units": 3000,
    "gear": 500,
    "pilots": 500,
    "rally_cards": 300,
    "target_tokens": 200,
    "arenas": 100,
}
"""The most definitions of each kind in a file, far more than the built-in catalogue has. More units are in print than
that catalogue has, but fewer than this limit."""

LONGEST_DIALS: Mapping[str, tuple[int, int]] = {
    part: (UNIT["properties"][part]["minItems"], UNIT["properties"][part]["maxItems"]) for part in ("dial", "heat")
}
"""The least and the most rows of a unit's two dials, as in the published schema."""

MOST_ROWS = 200
"""The most rows of a foreign unit that are looked at, of both dials and of what a mapping leaves out."""

MOST_CELLS = 2_000_000
"""The most cells of a table that a mapping reads: each becomes a part of an object of fifty bytes or more. Three
thousand units with thirty rows of fifteen cells have 1,350,000."""

MOST_LINES = 200_000
"""The most lines of a table. Three thousand units with the longest dials have 180,000."""

MOST_TABLE_CELLS = 4_000_000
"""The most cells of a table, counted by the marks between them before one is read. Three thousand units with thirty
rows each have 3,060,000."""

MOST_CELLS_OF_A_ROW = 20_000
"""The most cells of a row, with the empty ones at its end: spreadsheets have up to 16,384 columns."""

MOST_COLUMNS = 10_000
"""The most columns of a table."""

MOST_KEYS = 1000
"""The most keys of a foreign object among which a mapping finds one by its beginning and end."""

MOST_NOTES = 5000
"""The most notes of a mapping that are kept: a file can make one for every colour of its dials."""
