"""How sure play-outs are: the standard error of a chance, and that of the difference between two choices.

Choices are tried under the same lucks, so the error of their difference is that of the differences luck by luck, most
often much less than the two errors apart would say. Lucks are spread evenly (`rules.bots.spread_dice`), and this is the
error of plain ones, a little too large: that makes up for what is dealt and thought out once for all play-outs of a
comparison, the hidden and the replies of others.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import variance
from typing import NamedTuple

from rules.competition.table import Choice


class Judged(NamedTuple):
    """A choice that a bot looked at, the chance, 0 to 1, that its side wins after it, and the standard errors of that
    chance and of its distance to the chance of the first; both None where nobody knows."""

    choice: Choice
    chance: float
    error: float | None = None
    apart: float | None = None


class PlayOuts:
    """The worths of one comparison: turn by turn, those of each choice that was still tried in it."""

    def __init__(self) -> None:
        self._turns: list[dict[Choice, list[float]]] = []

    def add(self, choices: Sequence[Choice], worths: Sequence[list[float]]) -> None:
        """One turn: the worths of each choice, one for each luck, in the same order."""
        self._turns.append(dict(zip(choices, worths, strict=True)))

    def has(self, choice: Choice) -> bool:
        """Whether a choice was tried at all."""
        return any(choice in turn for turn in self._turns)

    def error(self, choice: Choice) -> float:
        """The standard error of the mean worth of a choice."""
        return self._error({choice: 1})

    def apart(self, one: Choice, other: Choice) -> float:
        """The standard error of the difference between the mean worths of two choices, each over all of its lucks."""
        return self._error({one: 1, other: -1}) if one != other else 0.0

    def _error(self, signs: dict[Choice, int]) -> float:
        counts = {choice: sum(len(turn.get(choice, ())) for turn in self._turns) for choice in signs}
        total = 0.0
        for turn in self._turns:
            # What a luck adds to the sum: of one choice, or of both, which then met the same luck.
            rows = [
                [sign / counts[choice] * worth for worth in turn[choice]]
                for choice, sign in signs.items()
                if choice in turn
            ]
            terms = [sum(column) for column in zip(*rows, strict=True)]
            if len(terms) > 1:
                total += len(terms) * variance(terms)
        return sqrt(total)
