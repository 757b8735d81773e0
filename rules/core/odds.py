"""The odds of an attack roll: three dice of which two share a colour, with critical results (sections ATK, CRT)."""

from __future__ import annotations

from itertools import product

LOWEST, HIGHEST = 3, 18


def _chances() -> tuple[float, ...]:
    """The chance of success by the least sum of the dice that reaches the defense, for sums 0 to 19."""
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
MOST = HIGHEST + 1
"""The last sum in CHANCES, which no dice reach."""


def chance_to_hit(attack: int, defense: int) -> float:
    """The chance that 3d6 + `attack` reaches `defense` or is a critical hit, and is no critical miss; 0 to 1."""
    return CHANCES[max(0, min(MOST, defense - attack))]
