"""Dice for thinking: a few play-outs that together see hits and misses as often as they come.

Of `count` play-outs each takes its first rolls from another part of all that the dice can show, lowest to highest
(Latin hypercube sampling): of eight attacks that hit half of the time four hit, where eight random ones might all miss.
The average over the play-outs is the same as with plain dice, and needs several times fewer of them to be as sure.

All play-outs of a decision's choices use the same set, so that choices are compared under the same luck.
"""

from __future__ import annotations

import random
from itertools import product

STRATIFIED_ROLLS = 8
"""So many rolls of a play-out are spread; the rest are plain."""

ATTACK_ROLLS = sorted(
    product(range(1, 7), repeat=3),
    key=lambda dice: (2 if dice[0] == dice[1] == 6 else 0 if dice[0] == dice[1] == 1 else 1, sum(dice)),
)
"""Three dice from the surest miss to the surest hit (R-CRT: two of a colour are critical)."""

PAIRS = sorted(product(range(1, 7), repeat=2), key=sum)


class Strata:
    """The plan of `count` play-outs that share their luck evenly; drawn from `rng`."""

    __slots__ = ("_parts", "_seeds", "count")

    def __init__(self, count: int, rng: random.Random) -> None:
        self.count = count
        self._parts = [rng.sample(range(count), count) for _ in range(STRATIFIED_ROLLS)]
        self._seeds = [rng.getrandbits(32) for _ in range(count)]

    def dice(self, number: int) -> StratifiedDice:
        """Return the dice of one play-out, 0 to `count` - 1; the same each time they are asked for."""
        parts = [part[number] for part in self._parts]
        return StratifiedDice(parts, self.count, random.Random(self._seeds[number]))


class StratifiedDice:
    """The dice of one play-out of a spread."""

    __slots__ = ("_count", "_parts", "_rng")

    def __init__(self, parts: list[int], count: int, rng: random.Random) -> None:
        self._parts = parts
        self._count = count
        self._rng = rng

    def roll(self, count: int, purpose: str) -> tuple[int, ...]:
        """Return `count` results of a six-sided die, each 1 to 6; up to three are spread together."""
        chance = self._rng.random
        if count > 3:
            return tuple(int(chance() * 6) + 1 for _ in range(count))
        place = (self._parts.pop() + chance()) / self._count if self._parts else chance()
        if count == 3:
            return ATTACK_ROLLS[int(place * 216)]
        return PAIRS[int(place * 36)] if count == 2 else (int(place * 6) + 1,)

    def draw(self, size: int, purpose: str) -> int:
        """Return a uniform number from 0 to `size` - 1."""
        return int(self._rng.random() * size)
