"""Sealed baskets: what each of their lines buys when the market closes, and who gets a Unique that several want.

R-AST-02, R-AST-12, R-AST-13, Q-161.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.campaign.market.prices import BuyerState, check_purchase, is_unique, price_of
from rules.core.dice import Dice
from rules.core.refusals import Refusal

Ware = tuple[str, str]
"""Kind and catalogue key of an asset."""

LONGEST_BASKET = 60
"""The most lines of a basket."""


@dataclass(frozen=True)
class Line:
    """One thing that a basket buys: its kind and its definition."""

    kind: str
    definition: Mapping[str, Any]

    @property
    def ware(self) -> Ware:
        """The kind and the catalogue key of the asset."""
        return self.kind, str(self.definition["id"])


@dataclass(frozen=True)
class Buyer:
    """A stable just before its basket is filled; `number` is its number in the season.

    `capital` and `owed` are Stones. `owned` are its assets, `dead` its dead pilots. `taken` are the Uniques of other
    stables in a season in which each exists once (`is_one_market`). `dials` is the season's setting of that name.
    `counts` says how many living assets of each kind it has, copies included.
    """

    number: int
    capital: int
    owed: int = 0
    owned: frozenset[Ware] = frozenset()
    dead: frozenset[Ware] = frozenset()
    is_one_market: bool = False
    taken: frozenset[Ware] = frozenset()
    dials: str = "house"
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class FilledLine:
    """A line with its price, the capital after it, both in Stones, and why it buys nothing (empty: it buys)."""

    line: Line
    price: int
    capital_after: int
    problems: tuple[Refusal, ...]


def fill(
    buyer: Buyer,
    lines: Sequence[Line],
    lost: Mapping[Ware, Mapping[str, Any]] | None = None,
    from_basket: bool = True,
) -> list[FilledLine]:
    """Return every line of a basket in order, filled: a refused line buys nothing and costs nothing.

    `lost` are the Uniques that the die gave to another stable, with the parameters of that refusal. `from_basket` is
    False for a purchase of all lines at once. The codes are those of `check_purchase` and unique_lost_by_die.
    """
    capital, owned, counts = buyer.capital, set(buyer.owned), Counter(buyer.counts)
    filled = []
    for line in lines:
        shelf = BuyerState(
            capital,
            buyer.owed,
            _keys(line.kind, owned),
            _keys(line.kind, buyer.dead),
            buyer.is_one_market,
            _keys(line.kind, buyer.taken),
            from_basket=from_basket,
            count=counts[line.kind],
        )
        price = price_of(line.kind, line.definition)
        problems = check_purchase(line.kind, line.definition, shelf, buyer.dials)
        if not problems and lost and line.ware in lost:
            problems = [Refusal("unique_lost_by_die", lost[line.ware])]
        if not problems:
            capital -= price
            owned.add(line.ware)
            counts[line.kind] += 1
        filled.append(FilledLine(line, price, capital, tuple(problems)))
    return filled


def _keys(kind: str, wares: set[Ware] | frozenset[Ware]) -> set[str]:
    return {key for own_kind, key in wares if own_kind == kind}


Basket = tuple[Buyer, Sequence[Line]]
"""A stable and the lines of its basket in order."""

Lost = dict[Ware, dict[str, Any]]
"""The Uniques that a stable goes without, each with the parameters of the refusal."""


def decide_uniques(baskets: Sequence[Basket], dice: Dice) -> dict[int, Lost]:
    """Return which Uniques each stable loses to another basket, by stable number; {} for a stable that loses none.

    For every Unique that several baskets name, each of these stables rolls a d6, and equal results roll again (Q-161).
    The dice follow the order of kinds, keys and stable numbers. The best die whose basket can buy the Unique gets it,
    so nobody loses to a basket without the Stones.
    """
    by_number = {buyer.number: (buyer, lines) for buyer, lines in baskets}
    ranks = _ranks(baskets, dice)
    unable: set[tuple[int, Ware]] = set()
    while True:
        winners: dict[Ware, int] = {}
        for ware, order in ranks.items():
            lost = _lost(winners, ranks, by_number)
            able = [number for number in order if (number, ware) not in unable and _buys(by_number[number], ware, lost)]
            if able:
                winners[ware] = able[0]
        lost = _lost(winners, ranks, by_number)
        # A stable that lost one Unique may spend the Stones on lines before another Unique that it won. If it cannot
        # buy that one any more, the next die gets it, and everything is handed out again. Each turn bars at least one
        # more pair, so this ends.
        failed = {(number, ware) for ware, number in winners.items() if not _buys(by_number[number], ware, lost)}
        if not failed:
            return lost
        unable |= failed


Ranks = dict[Ware, dict[int, tuple[int, ...]]]
"""The stables whose baskets name a Unique, best die first, each with its dice."""


def _ranks(baskets: Sequence[Basket], dice: Dice) -> Ranks:
    wanted: dict[Ware, list[int]] = {}
    for buyer, lines in sorted(baskets, key=lambda basket: basket[0].number):
        for ware in dict.fromkeys(line.ware for line in lines if is_unique(line.definition)):
            wanted.setdefault(ware, []).append(buyer.number)
    return {ware: _ranked(numbers, dice) for ware, numbers in sorted(wanted.items()) if len(numbers) > 1}


def _ranked(numbers: Sequence[int], dice: Dice) -> dict[int, tuple[int, ...]]:
    """Roll a d6 for each stable, and return the stables with their rolls, best first.

    Stables with equal rolls roll again among themselves.
    """
    rolls = {number: dice.roll(1, "unique")[0] for number in numbers}
    ranked: dict[int, tuple[int, ...]] = {}
    for roll in sorted(set(rolls.values()), reverse=True):
        tied = [number for number in numbers if rolls[number] == roll]
        again = _ranked(tied, dice) if len(tied) > 1 else {tied[0]: ()}
        ranked |= {number: (roll, *more) for number, more in again.items()}
    return ranked


def _lost(winners: Mapping[Ware, int], ranks: Ranks, by_number: Mapping[int, Basket]) -> dict[int, Lost]:
    lost: dict[int, Lost] = {number: {} for number in by_number}
    for ware, winner in winners.items():
        for number, rolls in ranks[ware].items():
            if number != winner:
                name = next(line.definition["name"] for line in by_number[number][1] if line.ware == ware)
                facts = {"name": str(name), "rolls": list(rolls), "best": list(ranks[ware][winner]), "rule": "Q-161"}
                lost[number][ware] = facts
    return lost


def _buys(basket: Basket, ware: Ware, lost: Mapping[int, Lost]) -> bool:
    buyer, lines = basket
    return any(one.line.ware == ware and not one.problems for one in fill(buyer, lines, lost[buyer.number]))
