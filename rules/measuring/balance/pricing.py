"""The prices of `rules.catalogue.pricing`, fitted to what units and their twins won: points as a sum of features.

Two kinds of evidence: a house unit has so much of each feature and is worth its fitted points; a twin has a little more
of a few features than its unit and is worth more by what it won against it. House units alone could not price features:
they were made to fit their points, so that all that is strong in them goes with something weak.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import log2, sqrt
from typing import Any, NamedTuple

from rules.catalogue.pricing import features
from rules.measuring.balance.fitting import chance, log_odds
from rules.measuring.balance.playing import Played
from rules.measuring.balance.twins import MARK, Unit, find_unit

HOUSE_SCATTER = 6.0
"""Points by which house units differ from any sum of features, beside what chance in the matches adds."""

TWIN_SCATTER = 5.0
"""The same for the worth of a change: it is not the same for every unit and class."""

USUAL_WORTH = 5.0
"""Points that a change is expected to be worth, more or less: prices are drawn to zero as far as they are uncertain."""

BASE = "clicks"
"""The feature that goes with all the others: a longer dial has more of everything."""

SWEEPS = 10_000
"""Rounds through the prices at most; they end when none moves."""


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
        found[change] = Worth(matches, sum(scores) / matches, log_odds(rate), 1 / sqrt(matches * rate * (1 - rate)))
    return found


def worth_of_twice(clicks: Mapping[str, int], results: Sequence[Played]) -> tuple[float, float]:
    """Log-odds of twice the clicks with its standard error, from twins that have one more than their units.

    `clicks` are those of the units, by id. The log-odds of a match are this worth times the logarithm, to the base of
    two, of the ratio of the clicks; Newton's method finds the one that makes the results likeliest.
    """
    games = [(log2(1 + 1 / clicks[unit]), 2 * len(bouts), sum(map(sum, bouts))) for _, unit, bouts in results]
    worth, weight = 0.0, 0.0
    for _ in range(50):
        rates = [chance(worth * stretch) for stretch, _, _ in games]
        weight = sum(x * x * n * rate * (1 - rate) for rate, (x, n, _) in zip(rates, games, strict=True))
        worth += sum(x * (won - n * rate) for rate, (x, n, won) in zip(rates, games, strict=True)) / weight
    return worth, 1 / sqrt(weight)


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
        raise ValueError("at least three units")
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
    whole = [piece.features for piece in evidence if piece.is_whole]
    names = [name for name in whole[0] if name != BASE]
    lines = {name: _line([(each[BASE], each[name]) for each in whole]) for name in names}
    sizes = {name: _size(name, lines[name], evidence) for name in names}
    middle = sum(each[BASE] for each in whole) / len(whole)
    width = len(names) + 2
    square = [[USUAL_WORTH**-2 if i == j > 1 else 0.0 for j in range(width)] for i in range(width)]
    right = [0.0] * width
    for piece in evidence:
        clicks, one = piece.features[BASE], float(piece.is_whole)
        row = [one, clicks - one * middle]
        for name in names:
            row.append((piece.features[name] - one * lines[name][0] - lines[name][1] * clicks) / sizes[name])
        weight = 1 / (piece.error**2 + (HOUSE_SCATTER if piece.is_whole else TWIN_SCATTER) ** 2)
        for i, left in enumerate(row):
            right[i] += weight * left * piece.points
            for j, amount in enumerate(row):
                square[i][j] += weight * left * amount
    constant, click, *others = _descend(square, right)
    prices = {name: worth / sizes[name] for name, worth in zip(names, others, strict=True)}
    constant -= click * middle + sum(price * lines[name][0] for name, price in prices.items())
    return constant, {BASE: click - sum(price * lines[name][1] for name, price in prices.items()), **prices}


def _size(name: str, line: tuple[float, float], evidence: Sequence[Evidence]) -> float:
    """Return how much a feature changes at most from a unit to a twin, or else by how much house units differ in it."""
    changes = [abs(piece.features[name]) for piece in evidence if not piece.is_whole]
    others = [
        abs(piece.features[name] - line[0] - line[1] * piece.features[BASE]) for piece in evidence if piece.is_whole
    ]
    return max(changes, default=0.0) or max(others) or 1.0


def _line(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the least-squares line through (x, y): its height at 0 and its slope."""
    count = len(points)
    x_mean, y_mean = sum(x for x, _ in points) / count, sum(y for _, y in points) / count
    square = sum((x - x_mean) ** 2 for x, _ in points)
    slope = sum((x - x_mean) * (y - y_mean) for x, y in points) / square if square else 0.0
    return y_mean - slope * x_mean, slope


def _descend(square: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return what times `square` is nearest to `right`, nothing but the first two below zero: one entry after the
    other.
    """
    solution = [0.0] * len(right)
    for _ in range(SWEEPS):
        moved = 0.0
        for i, row in enumerate(square):
            rest = sum(a * b for a, b in zip(row, solution, strict=True)) - row[i] * solution[i]
            best = (right[i] - rest) / row[i] if row[i] > 0 else 0.0
            if i > 1:
                best = max(0.0, best)
            moved = max(moved, abs(best - solution[i]))
            solution[i] = best
        if moved < 1e-6:
            break
    return solution


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
