"""The three characters of owners made of code, as numbers on which all their decisions depend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Traits:
    """The character of an owner, in numbers.

    spare_crews: crews that it likes to have beyond those of a match. repairs_kept: its reserve when it buys what it
    does not need at once, in repairs of an eliminated unit. best_share: the share, 0 to 1, of the affordable crews, the
    best of them, from which it draws. seeks_gear: whether its new crews may have gear. rally_cards: how many it likes
    to have. tolerance: the share of a dial, 0 to 1, that a fit unit may have lost. fear: how much damage lowers a
    unit's worth when it chooses a line-up. eager_tokens: whether it prefers target tokens that are worth much to those
    that are easy to hit.
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
"""The characters by name, in the order in which a season gives them to its stables."""
