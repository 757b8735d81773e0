"""How sure a chance is that was thought out several times.

Each time what is hidden is dealt again, the others reply again, and all of it meets other lucks. So how far the times
lie apart tells how far all of that scatters together. The lucks alone would tell too little: where a rival's hand
decides, every play-out of one deal agrees. With so few times the intervals are those of Student's distribution.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import mean, stdev
from typing import NamedTuple

from rules.competition.state.match_state import Choice

TIMES = 5
"""So often a decision is thought out for advice."""

STUDENT = 2.776
"""So many standard errors of a mean of TIMES to both sides hold 19 of 20."""


class Judged(NamedTuple):
    """A choice that a bot looked at, and the chance, 0 to 1, that its side wins after it.

    `margin` is its doubt, `apart` that of its distance to the chance of the first: half of what holds 19 of 20, both
    None where nobody knows.
    """

    choice: Choice
    chance: float
    margin: float | None = None
    apart: float | None = None


def judged(times: Sequence[Mapping[Choice, float]]) -> list[Judged]:
    """Return what TIMES thoughts of the same choices come to, the best first."""
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
    """Half the 95% interval of the mean of TIMES values."""
    return STUDENT * stdev(values) / sqrt(len(values))
