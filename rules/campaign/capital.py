"""The Stones a stable starts with (R-STB-01), and what its assets and all of it are worth."""

from __future__ import annotations

from collections.abc import Iterable

from rules.campaign.classes import BUILD_TOTAL, MULTI_CLASS
from rules.campaign.garage.repair import ELIMINATED, repair_cost

STARTING_CAPITAL = {"light": 1000, "medium": 1500, "heavy": 2000, "assault": 2500, MULTI_CLASS: 3000}
"""Stones by the season's class: Featherweight, Lightweight, Middleweight, Heavyweight, multi-class."""


def starting_capital(season_class: str) -> int:
    """Return the starting capital in Stones of a weight class or of "multi". Raises KeyError for others."""
    return STARTING_CAPITAL[season_class]


def capital_for_one_crew(weight_class: str) -> int:
    """Return the Stones for one crew of the most points that a weight class allows, and one repair of it (Q-01).

    The repair is that of an eliminated unit, the most expensive one (R-CRP-03..06). No rule of the book: a short season
    of one person starts so.

    >>> capital_for_one_crew("light"), capital_for_one_crew("assault")
    (260, 575)
    """
    return BUILD_TOTAL[weight_class] + repair_cost(BUILD_TOTAL[weight_class], ELIMINATED)


def worth_of(price_paid: int, repair: int = 0, *, is_alive: bool = True) -> int:
    """Return the Stones an asset would bring: its price (R-AST-07), less the repair of a damaged unit (R-AST-09).

    A dead pilot brings nothing (R-DTH-01). The worth is never negative: nobody must repair to sell.

    >>> worth_of(146, repair=50), worth_of(40, repair=50), worth_of(30, is_alive=False)
    (96, 0, 0)
    """
    return max(0, price_paid - repair) if is_alive else 0


def net_worth(capital: int, owed: int, worths: Iterable[int]) -> int:
    """Return a stable's net worth in Stones: its capital and what its assets would bring, less what it owes."""
    return capital + sum(worths) - owed
