"""The prices of `rules.catalogue.pricing`, fitted to what units and their twins won: points as a sum of features.

There are two kinds of evidence. A house unit has an amount of each feature and is worth its fitted points. A twin has a
little more of a few features than its unit, and its wins against that unit show how much more it is worth. House units
alone could not price features: they were made to fit their points, so that every strength comes with a weakness.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import lsq_linear
from scipy.special import logit

from rules.catalogue.pricing import features
from rules.measuring.balance.playing import Played
from rules.measuring.balance.twins import MARK, Unit, find_unit
from rules.tools.logistic import fit_logistic

HOUSE_SCATTER = 6.0
"""Points by which house units differ from any sum of features, apart from luck in the matches (standard deviation)."""

TWIN_SCATTER = 5.0
"""Points by which the worth of a change differs between units and classes, apart from luck (standard deviation)."""

USUAL_WORTH = 5.0
"""The usual worth of a change in points, more or less. Prices are drawn to zero by it as far as they are uncertain."""

BASE = "clicks"
"""The feature that goes with all the others: a longer dial has more of everything."""


class Worth(NamedTuple):
    """What one change was worth to some units: matches, the twins' win rate, log-odds and their standard error."""

    matches: int
    rate: float
    log_odds: float
    error: float


class Evidence(NamedTuple):
    """Amounts of features with the points that they are worth together, and the standard error of these points.

    `is_whole`: they are those of a whole unit; otherwise those by which twins differ from their units.
    """

    features: Mapping[str, float]
    points: float
    error: float
    is_whole: bool


class Prices(NamedTuple):
    """Points by feature, and the constant. `miss` is the root mean square error, in points, for house units that were
    left out of the fit."""

    constant: float
    points: Mapping[str, float]
    miss: float


def worths(results: Sequence[Played]) -> dict[str, Worth]:
    """Return what each change was worth, by name, from the results of twins against their units.

    For the log-odds half a win and half a loss are added, so that twins that won all have log-odds too.
    """
    won: dict[str, list[float]] = {}
    for twin, _, bouts in results:
        won.setdefault(twin.partition(MARK)[2], []).extend(score for bout in bouts for score in bout)
    found = {}
    for change, scores in won.items():
        matches = len(scores)
        rate = (sum(scores) + 0.5) / (matches + 1)
        error = 1 / sqrt(matches * rate * (1 - rate))
        found[change] = Worth(matches, sum(scores) / matches, float(logit(rate)), error)
    return found


def worth_of_twice(clicks: Mapping[str, int], results: Sequence[Played]) -> tuple[float, float]:
    """Return the log-odds of twice the clicks and their standard error, from twins with one click more than the units.

    `clicks` are those of the units, by id. The log-odds of a match are this worth times the logarithm, to the base of
    two, of the ratio of the clicks. Raises ArithmeticError when no worth fits.
    """
    stretches = np.log2([[1 + 1 / clicks[unit]] for _, unit, _ in results])
    matches = np.array([2 * len(bouts) for _, _, bouts in results])
    won = np.array([np.sum(bouts) for _, _, bouts in results])
    (worth,), ((variance,),) = fit_logistic(stretches, matches, won, np.zeros(1))
    return float(worth), sqrt(variance)


def evidence_of_twins(units: Mapping[str, Unit], results: Sequence[Played], slope: float) -> list[Evidence]:
    """Return one piece of evidence for each change: the mean difference of features, and its worth in points.

    `slope` is in log-odds a point.
    """
    found = []
    for change, worth in worths(results).items():
        own = [played for played in results if played.first.partition(MARK)[2] == change]
        more: dict[str, float] = {}
        for twin, unit, _ in own:
            before, after = features(units[unit]), features(find_unit(units, twin))
            for name, amount in before.items():
                more[name] = more.get(name, 0.0) + (after[name] - amount) / len(own)
        found.append(Evidence(more, worth.log_odds / slope, worth.error / slope, False))
    return found


def fit_prices(evidence: Sequence[Evidence]) -> Prices:
    """Return a price for each feature. Raises ValueError with fewer than three whole units."""
    if sum(piece.is_whole for piece in evidence) < 3:
        raise ValueError("prices need at least three units")
    misses = []
    for number, piece in enumerate(evidence):
        if piece.is_whole:
            constant, prices = _solve([*evidence[:number], *evidence[number + 1 :]])
            misses.append(constant + sum(prices[name] * piece.features[name] for name in prices) - piece.points)
    return Prices(*_solve(evidence), sqrt(sum(miss**2 for miss in misses) / len(misses)))


def _solve(evidence: Sequence[Evidence]) -> tuple[float, dict[str, float]]:
    """Return the constant and the prices, by least squares weighted by certainty; only that of a click may be negative.

    Features are counted from those of a usual unit of as many clicks, in units of what a twin changes. Their prices are
    drawn to zero by `USUAL_WORTH`. So the most cautious answer has a price for clicks alone.
    """
    names = [name for name in evidence[0].features if name != BASE]
    is_whole = np.array([piece.is_whole for piece in evidence])
    clicks = np.array([piece.features[BASE] for piece in evidence])
    amounts = np.array([[piece.features[name] for name in names] for piece in evidence])
    usual = np.column_stack([is_whole, clicks])
    line = np.linalg.lstsq(usual[is_whole], amounts[is_whole])[0]
    more = (amounts - usual @ line).round(9)
    # How much a feature changes at most from a unit to a twin, or else by how much house units differ in it.
    sizes = np.abs(amounts[~is_whole]).max(axis=0, initial=0.0)
    sizes = np.where(sizes > 0, sizes, np.abs(more[is_whole]).max(axis=0))
    sizes[sizes == 0] = 1.0
    scatter = np.where(is_whole, HOUSE_SCATTER, TWIN_SCATTER)
    certainty = 1 / np.hypot([piece.error for piece in evidence], scatter)
    rows = np.column_stack([usual, more / sizes]) * certainty[:, np.newaxis]
    points = np.array([piece.points for piece in evidence]) * certainty
    drawn = np.eye(len(names) + 2)[2:] / USUAL_WORTH
    least = [-np.inf, -np.inf, *[0.0] * len(names)]
    sides = np.vstack([rows, drawn]), np.concatenate([points, np.zeros(len(names))])
    constant, click, *worth = lsq_linear(*sides, bounds=(least, np.inf), method="bvls", tol=1e-12).x
    prices = np.array(worth) / sizes
    constant, click = (constant, click) - line @ prices
    return float(constant), {BASE: float(click), **dict(zip(names, prices.tolist(), strict=True))}


def prices_document(prices: Prices, command: str, units: int) -> str:
    """Return the text of the data file: the prices, the command that fitted them, and the number of units."""
    content: dict[str, Any] = {
        "source": command,
        "units": units,
        "usual_miss": round(prices.miss, 2),
        "points": {
            "constant": round(prices.constant, 3),
            **{name: round(worth, 4) for name, worth in prices.points.items()},
        },
    }
    return json.dumps(content, indent=2) + "\n"
