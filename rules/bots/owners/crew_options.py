"""Ways to make a crew from assets and purchases, and the cheapest ways to make as many crews as a match takes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from math import inf

from rules.bots.budget import Budget
from rules.bots.owners.wares import CrewOption, Market, Means, crew_option_of
from rules.campaign.garage.repair import ELIMINATED, UNDAMAGED
from rules.campaign.line_ups.checks import (
    MatchTerms,
    OwnedPilot,
    OwnedUnit,
    needs_pilot,
    pilots_for,
)
from rules.solaris.building import team_cap

Team = tuple[CrewOption, ...]

Once = frozenset[tuple[str, str]]
"""Assets and Uniques that only one crew can have, as in `CrewOption.once`."""


def price_of_team(team: Iterable[CrewOption]) -> int:
    """Return the Stones that these crews cost together."""
    return sum(way.price for way in team)


class CrewOptions:
    """All ways to make a crew for the coming match, the cheapest first.

    A unit that sits out makes none (R-CRP-09). An eliminated unit makes one only with `raises_lost`, which means that
    it is repaired in time (R-CRP-08). Without a `market` there are only the owner's assets. Gear is left out: no crew
    needs it (R-CEC-01). Each crew listed and each comparison counts against the `budget`; beyond it every method raises
    Overran.
    """

    def __init__(
        self,
        means: Means,
        market: Market | None,
        terms: MatchTerms,
        raises_lost: bool = False,
        budget: Budget | None = None,
    ) -> None:
        self.terms = terms
        self._budget = budget or Budget.of_an_owner()
        units = [unit for unit in means.units if may_stand(unit) or (raises_lost and unit.state == ELIMINATED)]
        found = self._budget.each(_ways(units, means, market, terms))
        self.all = sorted(found, key=lambda way: (way.price, -way.points, way.ids, way.own))
        self._points = [way.points for way in self.all]
        self._least = min(self._points, default=0)
        self._steps: dict[Once, tuple[list[int], list[int]]] = {}

    def cheapest(self, count: int, beside: Team = ()) -> Team | None:
        """Return the cheapest `count` crews that can stand side by side with each other and with those of `beside`.

        Return None if no money could make so many. A team keeps to the limit for its own number of crews. The time for
        this grows with the number of ways, not with the number of their pairs.
        """
        taken = frozenset[tuple[str, str]]().union(*(way.once for way in beside))
        if len(frozenset[str]().union(*(way.uniques for way in beside))) < sum(len(way.uniques) for way in beside):
            return None
        terms = self.terms
        cap = team_cap(len(beside) + count, terms.match_class, terms.house_rules, terms.sharing)
        left = inf if cap is None else cap - sum(way.points for way in beside)
        return self._cheapest(count, taken, left)

    def _cheapest(self, count: int, taken: Once, left: float) -> Team | None:
        """Return the cheapest `count` crews with at most `left` points and nothing of `taken`; None if none exist."""
        if count == 0:
            return () if left >= 0 else None
        if count == 1:
            last = self._first(taken, left)
            return None if last is None else (last,)
        best: Team | None = None
        for way in self.all:
            self._budget.spend()
            # The list is in ascending order, so each crew from here on costs at least as much as this one.
            if best is not None and way.price * count >= price_of_team(best):
                break
            if way.points + self._least * (count - 1) > left or not taken.isdisjoint(way.once):
                continue
            # The rest may come earlier in the list. Such a team was found from there, and is no cheaper now.
            rest = self._cheapest(count - 1, taken | way.once, left - way.points)
            if rest is not None and (best is None or way.price + price_of_team(rest) < price_of_team(best)):
                best = (way, *rest)
        return best

    def _first(self, taken: Once, left: float) -> CrewOption | None:
        """Return the cheapest way with at most `left` points and nothing of `taken`; None if there is none.

        Few ways exclude each other. So the search leaves out only the assets that turn out to conflict, and its result
        is kept by what it left out: most calls share a few searches.
        """
        without: Once = frozenset()
        while left >= self._least:
            points, places = self._steps_without(without)
            step = bisect_left(points, -left)
            if step == len(points):
                return None
            way = self.all[places[step]]
            if taken.isdisjoint(way.once):
                return way
            without |= taken & way.once
        return None

    def _steps_without(self, without: Once) -> tuple[list[int], list[int]]:
        """Return minus the points, and the indices, of the ways that use nothing in `without` and have fewer points
        than all earlier ways.

        The first of these within a limit is also the first of all ways within it. The points are negative, so that they
        ascend for the bisection.
        """
        if without not in self._steps:
            self._budget.spend(len(self.all))
            points, places, least = list[int](), list[int](), inf
            for place, own in enumerate(self._points):
                if own < least and without.isdisjoint(self.all[place].once):
                    points.append(-own)
                    places.append(place)
                    least = own
            self._steps[without] = points, places
        return self._steps[without]

    def within(self, money: int, most: int) -> Team:
        """Return the cheapest of the largest teams of at most `most` crews that `money` makes; () if there is none."""
        for count in range(most, 0, -1):
            team = self.cheapest(count)
            if team is not None and price_of_team(team) <= money:
                return team
        return ()


def _ways(units: Sequence[OwnedUnit], means: Means, market: Market | None, terms: MatchTerms) -> Iterator[CrewOption]:
    blocked = set(means.barred) | means.unique_ids
    pilots = [*means.pilots, *([] if market is None else pilots_on_sale(market, blocked))]
    yield from (way for unit in units for way in crew_options_with(unit, pilots, terms))
    if market is None:
        return
    sold = [unit for unit in units_on_sale(market, blocked) if needs_pilot(unit.definition)]
    yield from (way for unit in sold for way in crew_options_with(unit, means.pilots, terms))
    # The market lists the crews that are made of wares alone.
    yield from (offer.way for offer in market.bare if blocked.isdisjoint(offer.ids))


def may_stand(unit: OwnedUnit) -> bool:
    """Return whether a unit may fight in the coming match: it is not eliminated and does not sit out (R-CRP-08,
    R-CRP-09).
    """
    return unit.state != ELIMINATED and not unit.sits_out


def units_on_sale(market: Market, blocked: Collection[str] = ()) -> list[OwnedUnit]:
    """Return the units of a market as owned units with the key "", except those whose catalogue ids are `blocked`."""
    return [OwnedUnit("", unit, UNDAMAGED) for key, unit in market.units.items() if key not in blocked]


def pilots_on_sale(market: Market, blocked: Collection[str] = ()) -> list[OwnedPilot]:
    """Return the pilots of a market as owned pilots with the key "", except those whose catalogue ids are `blocked`."""
    return [OwnedPilot("", pilot) for key, pilot in market.pilots.items() if key not in blocked]


def crew_options_with(unit: OwnedUnit, pilots: Sequence[OwnedPilot], terms: MatchTerms) -> Iterator[CrewOption]:
    """Yield the ways to make a crew with this unit: one for each pilot who fits, or a single one if it takes no pilot.

    An eliminated unit counts as repaired.
    """
    raised = replace(unit, state=UNDAMAGED) if unit.state == ELIMINATED else unit
    yield from (crew_option_of(unit, pilot) for pilot in pilots_for(raised, pilots, terms))


class Places:
    """The places in the coming match's line-up that an owner can fill with its money by shopping.

    `is_short`: more Stones would fill more places. `repairs` are the Stones for the repairs of the crews bought. Beyond
    the budget every method raises Overran.
    """

    def __init__(self, means: Means, market: Market, terms: MatchTerms, budget: Budget) -> None:
        ways, money = CrewOptions(means, None, terms, budget=budget), means.capital
        if len(ways.within(0, terms.size)) < terms.size:
            ways = CrewOptions(means, market, terms, budget=budget)
        self.ways = ways
        self._target = len(ways.within(money, ways.terms.size))
        self.is_short = self._target < ways.terms.size and ways.cheapest(self._target + 1) is not None
        self._bought: Team = ()
        self.repairs = 0
        self._count()

    @property
    def bought(self) -> int:
        """The number of crews that were bought or completed."""
        return len(self._bought)

    @property
    def are_filled(self) -> bool:
        """Whether all crews that the money can make are there."""
        return len(self._bought) + self._there >= self._target

    def fill(self, way: CrewOption) -> None:
        """Count a crew whose wares were bought; the price of its repair stays set aside."""
        self._bought = (*self._bought, way)
        self.repairs += way.price - way.price_of_wares
        self._count()

    def _count(self) -> None:
        """Count the crews that can stand side by side with those bought and cost no more Stones."""
        self._there = 0
        self._rests: dict[tuple[tuple[str, ...], tuple[str, ...]], int | None] = {}
        for count in range(self._target - len(self._bought), 0, -1):
            team = self.ways.cheapest(count, self._bought)
            if team is not None and not price_of_team(team):
                self._there = count
                return

    def leaves_enough(self, way: CrewOption, price: int, money: int) -> bool:
        """Return whether a crew fills a place and the money still pays for the others after it is bought for `price`.

        The price may include more than the crew, such as gear.
        """
        key = (way.ids, way.own)
        if key not in self._rests:
            self._rests[key] = self._rest_beside(way)
        rest = self._rests[key]
        return rest is not None and price + rest + self.repairs <= money

    def _rest_beside(self, way: CrewOption) -> int | None:
        """Return the Stones that fill the other places if this crew is bought.

        Return None if they cannot be filled, or if the crew would displace one that costs nothing.
        """
        beside = (*self._bought, way)
        if self._there:
            team = self.ways.cheapest(self._there, beside)
            if team is None or price_of_team(team):
                return None
        rest = self.ways.cheapest(self._target - len(beside), beside)
        return None if rest is None else price_of_team(rest)

    def cheapest(self) -> CrewOption:
        """Return the next crew to pay for, of the cheapest that fill the places. Call it only while some are empty."""
        team = self.ways.cheapest(self._target - len(self._bought), self._bought)
        return next(way for way in team or () if way.price)
