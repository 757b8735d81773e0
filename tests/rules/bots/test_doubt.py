"""How sure play-outs are: standard errors of means, and of differences of what met the same lucks."""

from __future__ import annotations

import random
from math import sqrt
from statistics import mean, pstdev, variance

import pytest

from rules.bots.doubt import PlayOuts
from rules.competition.table import Choice

ONE: Choice = (1,)
OTHER: Choice = (2,)


def test_the_error_of_a_mean_is_that_of_its_worths() -> None:
    worths = [0.1, 0.4, 0.3, 0.9]
    lucks = PlayOuts()
    lucks.add([ONE], [worths])
    assert lucks.error(ONE) == pytest.approx(sqrt(variance(worths) / 4))
    assert lucks.apart(ONE, ONE) == 0
    assert lucks.has(ONE)
    assert not lucks.has(OTHER)


def test_choices_that_differ_by_the_same_under_every_luck_are_surely_apart() -> None:
    lucks = PlayOuts()
    lucks.add([ONE, OTHER], [[0.2, 0.5, 0.9], [0.1, 0.4, 0.8]])
    assert lucks.error(ONE) > 0.1
    assert lucks.apart(ONE, OTHER) == pytest.approx(0)


def test_the_error_foretells_how_far_means_and_differences_scatter() -> None:
    """One of two choices is left after the first turn; the other is tried under twice as many lucks more."""
    rng, means, apart, errors, errors_apart = random.Random(1), [], [], [], []
    for _ in range(400):
        luck = [rng.random() for _ in range(60)]
        one, other = luck, [0.7 * each + 0.3 * rng.random() for each in luck[:20]]
        lucks = PlayOuts()
        lucks.add([ONE, OTHER], [one[:20], other])
        lucks.add([ONE], [one[20:]])
        means.append(mean(one))
        apart.append(mean(one) - mean(other))
        errors.append(lucks.error(ONE))
        errors_apart.append(lucks.apart(ONE, OTHER))
    assert mean(errors) == pytest.approx(pstdev(means), rel=0.15)
    assert mean(errors_apart) == pytest.approx(pstdev(apart), rel=0.15)
