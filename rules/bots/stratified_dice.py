"""Dice for play-outs: a few play-outs together have hits and misses in the right proportion.

Each of `count` play-outs takes its first rolls from its own part of all results, sorted from lowest to highest (Latin
hypercube sampling). Of eight attacks that hit half of the time four hit; with random dice all eight might miss. The
average over the play-outs is the same as with plain dice, but needs several times fewer play-outs to be as sure.

All choices of a decision are played out with the same dice, so that they are compared under the same luck.
"""

from __future__ import annotations

import random
from itertools import product

STRATIFIED_ROLLS = 8
"""How many rolls of up to three dice are stratified at the beginning of a play-out; the rest are plain."""

ATTACK_ROLLS = sorted(
    product(range(1, 7), repeat=3),
    key=lambda dice: (2 if dice[0] == dice[1] == 6 else 0 if dice[0] == dice[1] == 1 else 1, sum(dice)),
)
"""Three dice, sorted from the surest miss to the surest hit (R-CRT: the first two decide on criticals)."""

PAIRS = sorted(product(range(1, 7), repeat=2), key=sum)


class Strata:
    """The dice of `count` play-outs, which together share luck evenly; drawn from `rng`."""

    __slots__ = ("_parts", "_seeds", "count")

    def __init__(self, count: int, rng: random.Random) -> None:
        self.count = count
        self._parts = [rng.sample(range(count), count) for _ in range(STRATIFIED_ROLLS)]
        self._seeds = [rng.getrandbits(32) for _ in range(count)]

    def dice(self, number: int) -> StratifiedDice:
        """Return the dice of one play-out, 0 to `count` - 1. New dice with an equal number fall alike."""
        parts = [part[number] for part in self._parts]
        return StratifiedDice(parts, self.count, random.Random(self._seeds[number]))


class StratifiedDice:
    """The dice of one play-out."""

    __slots__ = ("_count", "_parts", "_rng")

    def __init__(self, parts: list[int], count: int, rng: random.Random) -> None:
        self._parts = parts
        self._count = count
        self._rng = rng

    def roll(self, count: int, purpose: str) -> tuple[int, ...]:
        """Return `count` results of a six-sided die, each 1 to 6.

        The first STRATIFIED_ROLLS rolls of up to three dice are stratified, each roll as a whole.
        """
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
