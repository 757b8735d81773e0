"""The three characters of owners made of code, as numbers that everything they decide is read from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Traits:
    """What sets an owner apart.

    spare_crews: crews it likes to have beyond those of a match. repairs_kept: repairs of an eliminated unit whose price
    stays in the purse when it buys what it does not need at once. best_share: crews are drawn from so large a part of
    those that the money allows, the best ones (0 to 1). seeks_gear: whether a draft leaves room for gear. rally_cards:
    how many it likes to have. tolerance: the part of a dial (0 to 1) that may be gone while a unit still counts as fit.
    fear: how much of a unit's worth damage takes away when it chooses whom to field. eager_tokens: target tokens worth
    much, not those that are easy to hit.
    """

    spare_crews: int
    repairs_kept: int
    best_share: float
    seeks_gear: bool
    rally_cards: int
    tolerance: float
    fear: float
    eager_tokens: bool


THRIFTY = Traits(
    spare_crews=1,
    repairs_kept=3,
    best_share=0.5,
    seeks_gear=False,
    rally_cards=2,
    tolerance=0.25,
    fear=1.5,
    eager_tokens=False,
)
BALANCED = Traits(
    spare_crews=2,
    repairs_kept=2,
    best_share=1 / 3,
    seeks_gear=True,
    rally_cards=4,
    tolerance=0.0,
    fear=1.0,
    eager_tokens=False,
)
RECKLESS = Traits(
    spare_crews=2,
    repairs_kept=1,
    best_share=1 / 6,
    seeks_gear=True,
    rally_cards=6,
    tolerance=0.5,
    fear=0.4,
    eager_tokens=True,
)

CHARACTERS: Mapping[str, Traits] = {"thrifty": THRIFTY, "balanced": BALANCED, "reckless": RECKLESS}
"""By name, in the order in which a season gives them to its stables."""
