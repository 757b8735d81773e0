"""How sure chances are that were thought out several times."""

from __future__ import annotations

import random

import pytest

from rules.bots.advice.margins import TIMES, half_width, judged
from rules.competition.state.match_state import Choice

ONE: Choice = (1,)
OTHER: Choice = (2,)


def test_choices_are_shown_by_their_means_the_best_first() -> None:
    times = [{OTHER: 0.2 + 0.1 * number, ONE: 0.3 + 0.1 * number} for number in range(TIMES)]
    best, behind = judged(times)
    assert (best.choice, behind.choice) == (ONE, OTHER)
    assert (best.chance, behind.chance) == (pytest.approx(0.5), pytest.approx(0.4))
    assert best.margin == pytest.approx(half_width([0.3, 0.4, 0.5, 0.6, 0.7]))
    assert best.apart == 0


def test_choices_that_differ_by_the_same_each_time_are_surely_apart() -> None:
    _, behind = judged([{ONE: chance, OTHER: chance - 0.1} for chance in (0.2, 0.5, 0.9, 0.4, 0.6)])
    assert behind.margin is not None
    assert behind.margin > 0.1
    assert behind.apart == pytest.approx(0)


def test_nineteen_of_twenty_intervals_hold_the_truth() -> None:
    """Also those of differences; of times that scatter by chance alone."""
    rng, held, apart = random.Random(1), 0, 0
    for _ in range(2000):
        shared = [rng.gauss(0, 0.1) for _ in range(TIMES)]
        times = [{ONE: 0.6 + luck, OTHER: 0.4 + luck + rng.gauss(0, 0.05)} for luck in shared]
        found = {one.choice: one for one in judged(times)}
        best = max(found.values(), key=lambda one: one.chance)
        held += abs(found[ONE].chance - 0.6) <= (found[ONE].margin or 0)
        apart += best.choice == ONE and abs(best.chance - found[OTHER].chance - 0.2) <= (found[OTHER].apart or 0)
    assert held / 2000 == pytest.approx(0.95, abs=0.015)
    assert apart / 2000 == pytest.approx(0.95, abs=0.015)
