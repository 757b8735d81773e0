"""Storage tanks and minefields (MC-TANK-01, MC-TANK-03, MC-MINE-02)."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from rules.challenge.tables import read_data

CONTENTS = ("class_0", "class_1", "class_2", "class_3", "deadly", "explosive")
"""What a storage tank may hold."""

MOST_DENSITY = 10
"""The recommended greatest density of a minefield (MC-MINE-02)."""


class Tank(NamedTuple):
    """A storage tank: its kind, and the damage that ruptures it."""

    id: str
    factor: int


@cache
def _printed() -> Any:
    return read_data("storage_tanks")


def tank_with(contents: str) -> Tank:
    """Return the tank that holds `contents`: class_0 to class_3, deadly or explosive. Raises LookupError for others."""
    for row in _printed()["rows"]:
        if contents in row["contents"]:
            return Tank(row["id"], row["cf"])
    raise LookupError(contents)


def explosion(hexes: int) -> tuple[int, ...]:
    """Return the groups of damage that an exploding tank does at a distance of `hexes`, 1 or more (MC-TANK-03)."""
    printed = _printed()["explosion"]
    damage = {1: printed["adjacent"], 2: printed["two_hexes"]}.get(hexes, 0)
    group = int(printed["group"])
    return (group,) * (int(damage) // group)
