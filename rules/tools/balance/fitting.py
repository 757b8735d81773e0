"""The statistics of a class: strengths, what a point is worth, points that fit, and win rates adjusted for points.

Strengths are log-odds: a unit of strength s beats one of strength t with chance 1 / (1 + exp(t - s)) (Bradley and
Terry). The slope, in log-odds a point, is that of the least-squares line of strength on printed points, drawn towards
what a click more is worth (`CLICK_WORTH`) as far as the units scatter about their line, and held between half and three
times that worth: points that mean nothing show a flat line, and a flat line would excuse them. The fitted points of a
unit are those at which a line of this slope through the middle of the class passes through its strength.

The adjusted win rate of a unit is the chance at which it beats the field when points are equal: with d the log-odds
that make

    sum over its matches of 1 / (1 + exp(-(d + slope * (own points - opponent's points))))

equal to the matches it won (a draw is half a win), the rate is 1 / (1 + exp(-d)).

Its 95% interval is Wilson's score interval carried over to that sum: all d whose expected wins are no further from the
wins than 1.96 standard deviations at that same d. With a slope of zero and independent matches it is Wilson's interval
itself. It is used because it stays inside 0 to 1 and holds its coverage for lopsided results and few matches, where an
interval from the estimate's own spread would be too narrow. The variance is widened for two things: matches of one bout
share arena and tokens (by the clustering found in the class, never by less than 1), and the slope is itself estimated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log, sqrt
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit

from rules.measuring.balance.playing import Played
from rules.tools.logistic import Numbers, fit_logistic

Z = 1.959964
"""Standard deviations that hold 95% of a normal distribution on both sides."""

LOWEST_RATE, HIGHEST_RATE = 0.30, 0.70
"""The whole interval of every shipped unit's adjusted win rate should lie between these."""

SHRINKAGE = 1 / 16
"""Precision of the belief that strengths lie around 0 (standard deviation 4). It keeps the strength of a unit that won
all its matches finite."""

CLICK_WORTH = 1.8
"""Log-odds of twice the clicks, measured: `python -m rules.tools.balance --twins` plays units against twins that
have one click more at the start, in the middle or at the end of the dial. Clicks cost in proportion, so this is what
twice the points are worth."""

LEAST_SLOPE, MOST_SLOPE = 0.5, 3.0
"""How many times the worth of a click a line counts at least and at most: a late click is worth half of a usual one, a
fresh one twice as much, and dials differ in more than their clicks."""

CLICK_DOUBT = 0.5
"""The standard deviation of CLICK_WORTH, between units and classes and by its measurement, as a share of it."""

FARTHEST = 15.0
"""Solutions are searched only up to these log-odds, a chance of one in three million."""


class Slope(NamedTuple):
    """The slope of a class: `worth` is in log-odds a point, `spread` is its standard error by luck in the matches.

    `line` is the slope of the least-squares line and `weight` its share in `worth`, 0 to 1.
    """

    worth: float
    spread: float = 0.0
    line: float = 0.0
    weight: float = 0.0


class UnitFit(NamedTuple):
    """The fit of one unit. Rates are 0 to 1, `strength` is in log-odds (mean of the class: 0), intervals are 95%."""

    unit: str
    points: int
    matches: int
    rate: float
    adjusted: float
    low: float
    high: float
    strength: float
    fitted: float
    fitted_low: float
    fitted_high: float

    @property
    def is_inside(self) -> bool:
        """Whether the whole interval lies between LOWEST_RATE and HIGHEST_RATE."""
        return self.low >= LOWEST_RATE and self.high <= HIGHEST_RATE


class ClassFit(NamedTuple):
    """The fits of a class's units in order of id, or of one unit.

    `clustering` is the variance of a bout divided by that of two independent matches. `draws` is the share of draws,
    `red` what red won on average, 0 to 1.
    """

    units: tuple[UnitFit, ...]
    slope: Slope
    clustering: float
    draws: float
    red: float


def log_odds(rate: float) -> float:
    """Return the log-odds of a chance. Chances below one in a million count as that, and at the upper end likewise."""
    return float(logit(np.clip(rate, 1e-6, 1 - 1e-6)))


def fit(points: Mapping[str, int], results: Sequence[Played], slope: Slope | None = None) -> ClassFit:
    """Return the fit of a class from the results of its pairings; `slope` replaces the one from the printed points.

    `points` are by unit, and every unit plays in some pairing. Raises ValueError for fewer than two units, and
    ArithmeticError when no strengths fit.
    """
    if len(points) < 2:
        raise ValueError("a class needs at least two units")
    units = sorted(points)
    place = {unit: number for number, unit in enumerate(units)}
    games = [(place[first], place[second], 2 * len(scores), _won(scores)) for first, second, scores in results]
    widening = clustering(results)
    strengths, covariance = bradley_terry(len(units), games, widening)
    prices = [points[unit] for unit in units]
    used = slope or slope_of(prices, strengths, covariance)
    mean = sum(prices) / len(prices)
    found = []
    for number, unit in enumerate(units):
        opponents = [(prices[number] - prices[other], n, won) for other, n, won in _of_unit(games, number)]
        matches = sum(n for _, n, _ in opponents)
        won = sum(won for _, _, won in opponents)
        adjusted, low, high = adjusted_rate(opponents, used, widening)
        error = Z * sqrt(covariance[number, number])
        strength = float(strengths[number])
        fitted = [mean + (strength + part * error) / used.worth for part in (0, -1, 1)]
        found.append(UnitFit(unit, prices[number], matches, won / matches, adjusted, low, high, strength, *fitted))
    return _class_fit(found, used, widening, results)


def fit_one(unit: str, points: Mapping[str, int], results: Sequence[Played]) -> ClassFit:
    """Return the fit of one unit from its own pairings, as if its opponents were worth their printed points.

    `points` are those of the whole class. The slope is found as for a class, from how the unit does against opponents
    of more and of fewer points. Raises ValueError when the unit played nobody.
    """
    mean = sum(points.values()) / len(points)
    widening = clustering(results)
    place = {key: number for number, key in enumerate(points)}
    games = [(place[first], place[second], 2 * len(scores), _won(scores)) for first, second, scores in results]
    prices = list(points.values())
    met = _of_unit(games, place[unit])
    shares = [(matches - won + 0.5) / (matches + 1) for _, matches, won in met]
    doubts = [widening / (matches * share * (1 - share)) for share, (_, matches, _) in zip(shares, met, strict=True)]
    slope = slope_of([prices[other] for other, _, _ in met], logit(shares), np.diag(doubts))
    opponents = [(points[unit] - prices[other], matches, won) for other, matches, won in met]
    rates = adjusted_rate(opponents, slope, widening)
    above = [log_odds(rate) / slope.worth for rate in rates]
    matches = sum(n for _, n, _ in opponents)
    won = sum(share for _, _, share in opponents)
    strength = (points[unit] + above[0] - mean) * slope.worth
    fitted = [points[unit] + change for change in above]
    found = UnitFit(unit, points[unit], matches, won / matches, *rates, strength, *fitted)
    return _class_fit([found], slope, widening, results)


def _class_fit(units: Sequence[UnitFit], slope: Slope, widening: float, results: Sequence[Played]) -> ClassFit:
    scores = [score for played in results for match in played.scores for score in match]
    red = [score for played in results for match in played.scores for score in (match.as_red, 1 - match.as_blue)]
    return ClassFit(tuple(units), slope, widening, scores.count(0.5) / len(scores), sum(red) / len(red))


def _won(scores: Sequence[tuple[float, float]]) -> float:
    return sum(as_red + as_blue for as_red, as_blue in scores)


def _of_unit(games: Sequence[tuple[int, int, int, float]], unit: int) -> list[tuple[int, int, float]]:
    """Return for each opponent of a unit its number, the matches against it, and how many of them the unit won."""
    found = []
    for first, second, matches, won in games:
        if first == unit:
            found.append((second, matches, won))
        elif second == unit:
            found.append((first, matches, matches - won))
    return found


def clustering(results: Sequence[Played]) -> float:
    """Return the variance of what a unit wins in a bout divided by that of two independent matches, at least 1.

    Two matches on one arena may go the same way more often than by chance. The variance is pooled over the class, each
    pairing about its own mean. Draws would make it smaller than 1, which is not used.
    """
    seen = expected = 0.0
    for played in results:
        bouts = len(played.scores)
        if bouts < 2:
            continue
        mean = _won(played.scores) / bouts
        seen += sum((sum(score) - mean) ** 2 for score in played.scores) * bouts / (bouts - 1)
        # The product of two estimates is too small on average; the factor takes that out for independent matches.
        expected += bouts * mean * (1 - mean / 2) * 2 * bouts / (2 * bouts - 1)
    return max(1.0, seen / expected) if expected > 0 else 1.0


def bradley_terry(
    units: int, games: Sequence[tuple[int, int, int, float]], widening: float = 1.0
) -> tuple[Numbers, Numbers]:
    """Return strengths with mean 0, and their covariance times `widening`.

    A game is (first, second, matches, won by the first), with units by number. Raises ArithmeticError.
    """
    first, second, matches, won = zip(*games, strict=True)
    sides = np.eye(units)[[*first]] - np.eye(units)[[*second]]
    strengths, covariance = fit_logistic(sides, np.array(matches), np.array(won), np.full(units, SHRINKAGE))
    # The shrinkage alone holds the common level, which no match can show: it is no uncertainty of a unit.
    return strengths, widening * (covariance - 1 / (SHRINKAGE * units))


def slope_of(points: Sequence[int], strengths: Numbers, covariance: Numbers) -> Slope:
    """Return the mean of the least-squares slope of strength on points and the slope by the worth of a click, weighted
    by their certainty.

    The line is as uncertain as its units scatter about it, or as luck in the matches makes it, whichever is more. It
    counts as no flatter than `LEAST_SLOPE` and no steeper than `MOST_SLOPE`. With fewer than three units, or equal
    points, only the worth of a click counts.
    """
    away = np.array(points) - np.mean(points)
    by_click = click_slope(float(np.mean(points)))
    if not away.any() or len(points) < 3:
        return Slope(by_click)
    parts = away / (away @ away)
    line = float(parts @ strengths)
    left = strengths - strengths.mean() - line * away
    scatter = float(left @ left / (len(points) - 2) / (away @ away))
    chances = float(parts @ covariance @ parts)
    doubt = (CLICK_DOUBT * by_click) ** 2
    weight = doubt / (doubt + max(scatter, chances))
    held = min(MOST_SLOPE * by_click, max(LEAST_SLOPE * by_click, line))
    return Slope(weight * held + (1 - weight) * by_click, weight * sqrt(max(0.0, chances)), line, weight)


def click_slope(mean_points: float) -> float:
    """Return the slope by the worth of a click, in log-odds a point, in a class of these mean points.

    Points count like clicks: the same share more of either is worth the same.
    """
    return CLICK_WORTH / log(2) / mean_points


def adjusted_rate(
    opponents: Sequence[tuple[float, int, float]], slope: Slope, widening: float = 1.0
) -> tuple[float, float, float]:
    """Return the adjusted win rate and the ends of its 95% interval, 0 to 1, as the module's docstring defines them.

    Each of `opponents` is (own points less the opponent's, matches, won). Raises ValueError without matches.
    """
    won = sum(share for _, _, share in opponents)
    if sum(matches for _, matches, _ in opponents) < 1:
        raise ValueError("no matches")
    differences, matches, _ = np.array(opponents, dtype=float).T

    def surplus(level: float, deviations: float) -> float:
        """Return the wins less those expected at the log-odds `level`, less `deviations` standard deviations."""
        rates = expit(level + slope.worth * differences)
        weights = matches * rates * (1 - rates)
        variance = widening * weights.sum() + (weights @ differences * slope.spread) ** 2
        return float(won - matches @ rates - deviations * sqrt(variance))

    def rate(deviations: float) -> float:
        """Return the rate at which the surplus, which falls with the log-odds, crosses zero; 0 or 1 if it does not."""
        if surplus(-FARTHEST, deviations) <= 0:
            return 0.0
        if surplus(FARTHEST, deviations) >= 0:
            return 1.0
        return float(expit(brentq(surplus, -FARTHEST, FARTHEST, (deviations,))))

    return rate(0.0), rate(Z), rate(-Z)
