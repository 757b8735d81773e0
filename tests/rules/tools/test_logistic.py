"""Logistic regression: what is known without it, and what it cannot find."""

from math import log

import numpy as np
import pytest

from rules.tools.logistic import fit_logistic


def test_one_weight_is_the_log_odds_of_the_rate_with_their_variance() -> None:
    (weight,), ((variance,),) = fit_logistic(np.array([[2.0]]), np.array([5]), np.array([4]), np.zeros(1))
    assert 2 * weight == pytest.approx(log(4))
    assert 4 * variance == pytest.approx(1 / (5 * 0.8 * 0.2))


def test_a_penalty_holds_back_who_won_all_as_far_as_the_matches_let_it() -> None:
    (weight,), _ = fit_logistic(np.array([[1.0]]), np.array([10]), np.array([10]), np.array([0.5]))
    assert 0.5 * weight == pytest.approx(10 / (1 + np.exp(weight)))


def test_weights_without_an_end_are_refused() -> None:
    with pytest.raises(ArithmeticError):
        fit_logistic(np.array([[1.0]]), np.array([5]), np.array([0]), np.zeros(1))
