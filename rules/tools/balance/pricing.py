"""The prices of `rules.catalogue.pricing`, fitted to what units and their twins won: points as a sum of features.

Two kinds of evidence: a house unit has so much of each feature and is worth its fitted points; a twin has a little more
of a few features than its unit and is worth more by what it won against it. House units alone could not price features:
they were made to fit their points, so that all that is strong in them goes with something weak.
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
"""Points by which house units differ from any sum of features, beside what chance in the matches adds."""

TWIN_SCATTER = 5.0
"""The same for the worth of a change: it is not the same for every unit and class."""

USUAL_WORTH = 5.0
"""Points that a change is expected to be worth, more or less: prices are drawn to zero as far as they are uncertain."""

BASE = "clicks"
"""The feature that goes with all the others: a longer dial has more of everything."""


class Worth(NamedTuple):
    """What one change was worth to some units: matches, the twins' win rate, log-odds and their standard error."""

    matches: int
    rate: float
    log_odds: float
    error: float


class Evidence(NamedTuple):
    """So much of each feature is worth these points, more or less the standard error.

    `is_whole`: of a unit; else of the change from a unit to its twin.
    """

    features: Mapping[str, float]
    points: float
    error: float
    is_whole: bool


class Prices(NamedTuple):
    """Points by feature, and the constant. `miss` is the usual one, in points, for a house unit left out of the fit."""

    constant: float
    points: Mapping[str, float]
    miss: float


def worths(results: Sequence[Played]) -> dict[str, Worth]:
    """Return what each change was worth, by name, from the results of twins against their units.

    Half a win and half a loss more, so that twins that won all have log-odds too.
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
    """Log-odds of twice the clicks with its standard error, from twins that have one more than their units.

    `clicks` are those of the units, by id. The log-odds of a match are this worth times the logarithm, to the base of
    two, of the ratio of the clicks.
    """
    stretches = np.log2([[1 + 1 / clicks[unit]] for _, unit, _ in results])
    matches = np.array([2 * len(bouts) for _, _, bouts in results])
    won = np.array([np.sum(bouts) for _, _, bouts in results])
    (worth,), ((variance,),) = fit_logistic(stretches, matches, won, np.zeros(1))
    return float(worth), sqrt(variance)


def evidence_of_twins(units: Mapping[str, Unit], results: Sequence[Played], slope: float) -> list[Evidence]:
    """Return a piece of evidence a change: the mean difference of features,
    and its worth at `slope` log-odds a point.
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
    """Fit a price a feature; raises ValueError with fewer than three whole units."""
    if sum(piece.is_whole for piece in evidence) < 3:
        raise ValueError("prices need at least three units")
    misses = []
    for number, piece in enumerate(evidence):
        if piece.is_whole:
            constant, prices = _solve([*evidence[:number], *evidence[number + 1 :]])
            misses.append(constant + sum(prices[name] * piece.features[name] for name in prices) - piece.points)
    return Prices(*_solve(evidence), sqrt(sum(miss**2 for miss in misses) / len(misses)))


def _solve(evidence: Sequence[Evidence]) -> tuple[float, dict[str, float]]:
    """Least squares weighted by certainty: the constant, and prices of which none but that of a click is below zero.

    Features are counted from what a usual unit of as many clicks has, and in changes of twins; their prices are drawn
    to zero by `USUAL_WORTH`. So the most cautious answer is a price a click.
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
    """Return the data file: prices with the command that fitted them."""
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
