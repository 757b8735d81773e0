"""How sure the chances of a decision's choices are, when it was thought out TIMES times.

Each time the hidden cards are dealt again, the others reply again, and the dice are different. The spread of the
results covers all three. The dice alone would show too little: when a rival's hand decides, all play-outs of one deal
agree. With so few results the intervals follow Student's distribution.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import mean, stdev
from typing import NamedTuple

from rules.competition.state.match_state import Choice

TIMES = 5
"""How many times a decision is thought out for advice."""

STUDENT = 2.776
"""Half the 95% interval of a mean of TIMES values, in standard errors."""


class Judged(NamedTuple):
    """A choice that a bot looked at, and the chance, 0 to 1, that its side wins after it.

    `margin` is half the 95% interval of the chance, `apart` that of its distance to the first choice's chance. Both are
    None if they are unknown.
    """

    choice: Choice
    chance: float
    margin: float | None = None
    apart: float | None = None


def judged(times: Sequence[Mapping[Choice, float]]) -> list[Judged]:
    """Return the mean chances and margins of choices, best first; `times` has all their chances, TIMES times."""
    found = {choice: [thought[choice] for thought in times] for choice in times[0]}
    order = sorted(found, key=lambda choice: -mean(found[choice]))
    best = found[order[0]]
    return [
        Judged(
            choice,
            mean(found[choice]),
            half_width(found[choice]),
            half_width([one - other for one, other in zip(best, found[choice], strict=True)]),
        )
        for choice in order
    ]


def half_width(values: Sequence[float]) -> float:
    """Return half the 95% interval of the mean of TIMES values."""
    return STUDENT * stdev(values) / sqrt(len(values))
