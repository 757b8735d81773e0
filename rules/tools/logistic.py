"""Logistic regression without a constant, with a penalty on the squares of its weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.linalg import inv
from numpy.typing import NDArray
from scipy.optimize import root
from scipy.special import expit

Numbers = NDArray[np.float64]


def fit_logistic(facts: Numbers, matches: Numbers, won: Numbers, penalty: Numbers) -> tuple[Numbers, Numbers]:
    """Return the weights under which the results are likeliest, and their covariance.

    Each row of `facts` describes a side. At the same index, `matches` has the number of its matches and `won` how many
    of them it won. The penalty of a weight is its square times half of its number in `penalty`. Raises ArithmeticError
    when the weights are not found.
    """

    def slope(weights: Numbers) -> Any:
        return facts.T @ (won - matches * expit(facts @ weights)) - penalty * weights

    def bend(weights: Numbers) -> Any:
        rates = expit(facts @ weights)
        return -(facts.T * (matches * rates * (1 - rates))) @ facts - np.diag(penalty)

    found = root(slope, np.zeros(len(penalty)), jac=bend, method="lm", tol=1e-10)
    if not found.success:
        raise ArithmeticError(found.message)
    return found.x, inv(-bend(found.x))
