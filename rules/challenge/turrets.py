"""Turrets: what they find, what they shoot with, what they stand (MC-TUR-04 to 07). Dice come from outside."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from rules.challenge.tables import read_data

CLASSES = ("light", "medium_heavy", "assault")
"""Classes of turrets."""


@cache
def _printed() -> Any:
    return read_data("turrets")


def gunnery() -> int:
    """Return the gunnery skill of each turret; lower is better."""
    return int(_printed()["gunnery"])


def acquires(dice: Iterable[int]) -> bool:
    """Return whether a turret finds its target: more than 8 on two dice (MC-TUR-04)."""
    return sum(dice) >= int(_printed()["acquires_on"])


def factor(turret_class: str) -> int:
    """Return the construction factor of a turret, the damage that destroys it (MC-TUR-05)."""
    return int(_printed()["cf"][turret_class])


def is_destroyed(turret_class: str, damage: Iterable[int]) -> bool:
    """Return whether the damage of one turn destroys a turret; that of earlier turns is wiped (MC-TUR-05, 06)."""
    return sum(damage) >= factor(turret_class)


def weapons(turret_class: str, die: int) -> tuple[str, ...]:
    """Return what a turret may be armed with for a die of 1 to 6: one weapon, or several to draw from (MC-TUR-07)."""
    row = next(row for row in _printed()["rows"] if row["roll"] == die)
    return tuple(row[turret_class])
