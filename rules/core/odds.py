"""The odds of an attack roll: three dice of which two share a colour, with critical results (sections ATK, CRT)."""

from __future__ import annotations

from itertools import product

LOWEST, HIGHEST = 3, 18


def _chances() -> tuple[float, ...]:
    """Return the chance of success for each least sum, 0 to 19, that the dice need to reach the defense."""
    rolls = list(product(range(1, 7), repeat=3))
    chances = []
    for needed in range(HIGHEST + 2):
        wins = 0
        for first, second, odd in rolls:
            if first == second == 6 or (not first == second == 1 and first + second + odd >= needed):
                wins += 1
        chances.append(wins / len(rolls))
    return tuple(chances)


CHANCES = _chances()
CRITICAL_HITS = 6 / 216
"""The share of rolls whose two dice of one colour both show a six (R-CRT-01)."""

CHANCES_TWICE = tuple(CRITICAL_HITS + (once - CRITICAL_HITS) * once for once in CHANCES)
"""CHANCES when a hit must be rolled again (R-SEF-02, Q-103); a critical hit needs no second roll."""

MOST = HIGHEST + 1
"""The last sum in CHANCES, which no dice reach: only a critical hit succeeds."""


def chance_to_hit(attack: int, defense: int, is_rolled_again: bool = False) -> float:
    """Return the chance that 3d6 + `attack` reaches `defense` or is a critical hit, and is no critical miss; 0 to 1.

    `is_rolled_again`: a hit must be rolled again.

    >>> chance_to_hit(9, 20)
    0.5
    >>> round(chance_to_hit(9, 40), 4)  # only a double six helps
    0.0278
    """
    chances = CHANCES_TWICE if is_rolled_again else CHANCES
    return chances[max(0, min(MOST, defense - attack))]
