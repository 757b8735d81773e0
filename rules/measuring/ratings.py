"""Ratings of players from their places in matches: Bayesian ratings of the Plackett-Luce model, by `openskill`.

A rating estimates a strength (`mean`) with a standard deviation (`deviation`): the strength lies within twice the
deviation with a chance of about 95%. Everybody begins at the same mean with a large deviation. The scale is that of
chess: when two strengths are well known and 400 points apart, the better player wins ten times as often as the other.

A new rating depends only on the ratings before the match, the places and their order. The same matches in the same
order give the same figures, to the last digit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import log, sqrt
from typing import Any, NamedTuple

from openskill.models import PlackettLuce

MEAN = 1500.0
CHANCE_OF_A_DAY = 400 / log(10) / sqrt(2)
"""How far the play of a single match may lie from the strength (the library's beta)."""
DEVIATION = 2 * CHANCE_OF_A_DAY
"""The deviation of a beginner, in the library's proportion to beta."""
DRIFT = DEVIATION / 400
"""How much deviation every match adds, as strengths change (the library's tau). It is a quarter of the library's own: a
bot changes only between versions of the site, and thousands of matches should say more than hundreds."""

_MODEL = PlackettLuce(mu=MEAN, sigma=DEVIATION, beta=CHANCE_OF_A_DAY, tau=DRIFT)


class Rating(NamedTuple):
    """An estimate of a strength: its mean and its standard deviation."""

    mean: float
    deviation: float

    @property
    def low(self) -> float:
        """A lower bound: the strength lies above it with a chance of about 97.5%. Ladders are in this order."""
        return self.mean - 2 * self.deviation

    @property
    def high(self) -> float:
        return self.mean + 2 * self.deviation


BEGINNER = Rating(MEAN, DEVIATION)


def rate(ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """Return the ratings after a match of two or more players. Place 1 is the best; equal places are a draw.

    Raises ValueError for fewer than two ratings, and for another number of places than of ratings.

    >>> [round(rating.mean) for rating in rate([BEGINNER, BEGINNER], [1, 2])]
    [1578, 1422]
    """
    if len(ratings) < 2 or len(ratings) != len(places):
        raise ValueError("a match has two or more players, and each has a place")
    teams = [[_MODEL.create_rating(list(rating))] for rating in ratings]
    return [Rating(after.mu, after.sigma) for (after,) in _MODEL.rate(teams, ranks=[float(place) for place in places])]


def places_of(result: Mapping[str, Any]) -> dict[str, int]:
    """Return the place of each side in the result of a match (JSON of `MatchResult`).

    In a format without places the winner is first and all others share the second place; if a die decided, all sides
    share the first place. In a format with places, sides that only a die separated share a place, the first one
    (R-END-11) or another (Q-167). A die does not say who is better.
    """
    sides = result["sides"]
    if not result["places"]:
        if result["tie_break"] == "die":
            return dict.fromkeys(map(str, sides), 1)
        return {str(side): 1 if side == result["winner"] else 2 for side in sides}
    first, *others = map(str, result["places"])
    best = [first]
    if result["tie_break"] == "die":
        best += [side for side in others if _of_die(sides[side]) == _of_die(sides[first])]
    behind = [side for side in others if side not in best]
    groups = [best, *(list(group) for _, group in groupby(behind, key=lambda side: _of_place(sides[side])))]
    places: dict[str, int] = {}
    for group in groups:
        places |= dict.fromkeys(group, len(places) + 1)
    return places


def _of_die(facts: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the facts of a side that are equal for all sides of the die over the first place (R-END-09, R-END-10).

    A side that surrendered takes no part in that die.
    """
    return facts["surrendered"], facts["reputation"], facts["total"]


def _of_place(facts: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the facts of a side that are compared before the dice over the other places (Q-167)."""
    return facts["reputation"], facts["kills"], facts["total"]
