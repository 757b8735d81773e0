"""Markets of any size: owners look at every crew of a small one as ever, and at a part of one too large to list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import pytest

from rules.bots.budget import Budget, Overran
from rules.bots.owners import wares
from rules.bots.owners.advice import Situation, advise
from rules.bots.owners.characters import CHARACTERS
from rules.bots.owners.shopping import choose_basket
from rules.bots.owners.wares import CrewOffer, Market, Means, side_for
from rules.campaign.garage.repair import UNDAMAGED
from rules.campaign.line_ups import checks
from rules.campaign.line_ups.checks import MatchTerms, OwnedPilot, OwnedUnit, check_crew
from rules.campaign.market.prices import price_of
from rules.catalogue import load_builtin
from rules.core.dice import SeededDice
from tests.rules.bots.owners.test_advice_counts import stable
from tests.rules.bots.test_budgets import budgets as budgets
from tests.rules.campaign.cards import gear, pilot, unit

TEAM = MatchTerms("light", "team")
UNITS = [unit(f"U-{number:02}", 90 + number) for number in range(40)] + [unit("H-1", 80, "heavy")]
PILOTS = [pilot(f"P-{number:02}", 5 + number) for number in range(30)]
GEAR = [gear(f"G-{number}", 1 + number) for number in range(6)]


def ids_of(offer: CrewOffer) -> tuple[str, ...]:
    return tuple(str(part["id"]) for _, part in offer.parts)


def listed(units: Sequence[Any], pilots: Sequence[Any], cards: Sequence[Any], terms: MatchTerms) -> list[Any]:
    """All crews of a market in its order: the ids of their parts."""
    found = []
    for one in units:
        for driving in pilots if one["variant"] else [None]:
            seat = None if driving is None else OwnedPilot("", driving)
            if check_crew(OwnedUnit("", one, UNDAMAGED), seat, terms):
                continue
            bare = checks.build_points(one, driving)
            for card in (None, *(card for card in cards if side_for(one, card) is not None)):
                points = bare + (0 if card is None else int(card["points"]))
                if card is None or terms.ceiling is None or points <= terms.ceiling:
                    ids = tuple(str(part["id"]) for part in (one, driving, card) if part is not None)
                    found.append((-points, ids))
    return [ids for _, ids in sorted(found)]


def test_a_market_that_can_be_listed_is_listed_whole_and_drawn_from_as_ever() -> None:
    catalogue, terms = load_builtin(), TEAM
    units, pilots = list(catalogue.units.values()), list(catalogue.pilots.values())
    useful = [card for card in catalogue.gear.values() if card.get("equipment") not in wares.FOR_FRIENDS]
    market = Market.of(units, pilots, catalogue.gear.values(), (), terms)
    everything = listed(units, pilots, useful, terms)
    assert len(everything) <= wares.MOST_OFFERS
    assert [ids_of(offer) for offer in market.offers] == everything
    for seed in range(3):
        drawn = SeededDice(seed).draw(len(everything), "purchase")
        place = SeededDice(seed).draw(len(market.offers), "purchase")
        assert ids_of(market.offers[place]) == everything[drawn]


@pytest.fixture
def small_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("MOST_OFFERS", 1000), ("MOST_UNITS", 8), ("CREWS_A_UNIT", 4), ("CARDS_A_CREW", 2)):
        monkeypatch.setattr(wares, name, value)


def test_of_a_larger_market_the_cheapest_the_dearest_and_some_between_are_there(small_bounds: None) -> None:
    market = Market.of(UNITS, PILOTS, GEAR, (), TEAM)
    everything = listed(UNITS, PILOTS, GEAR, TEAM)
    found = [ids_of(offer) for offer in market.offers]
    assert len(everything) > 1000
    assert len(found) <= 8 * 4 * 3
    assert found == [ids for ids in everything if ids in set(found)], "in the same order"
    assert sorted(market.units) == [f"U-{number:02}" for number in (0, 5, 11, 16, 22, 27, 33, 39)]
    assert {key for key in market.pilots if ("U-00", key) in found} == {"P-00", "P-09", "P-19", "P-29"}
    assert {ids[2] for ids in found if len(ids) == 3} == {"G-0", "G-5"}
    again = Market.of(UNITS[::-1], PILOTS[::-1], GEAR[::-1], (), TEAM)
    assert [ids_of(offer) for offer in again.offers] == found, "the order of wares is nothing"


def test_whoever_can_pay_only_for_the_cheapest_crew_finds_it_in_a_larger_market(small_bounds: None) -> None:
    price = min(price_of("unit", one) for one in UNITS[:-1]) + min(price_of("pilot", one) for one in PILOTS)
    market = Market.of(UNITS, PILOTS, GEAR, (), TEAM)
    basket = choose_basket(market, Means(price), TEAM, CHARACTERS["balanced"], SeededDice(1))
    assert [line.key for line in basket] == ["U-00", "P-00"]


class Counted(tuple[CrewOffer, ...]):
    """Offers that count how often somebody goes through all of them."""

    walks = 0

    def __iter__(self) -> Iterator[CrewOffer]:
        self.walks += 1
        return super().__iter__()


@pytest.mark.parametrize(
    ("character", "capital", "is_walked"),
    [("balanced", 1000, True), ("balanced", 94, False), ("thrifty", 1000, False), ("thrifty", 94, False)],
)
def test_offers_are_walked_only_for_gear_that_the_stable_can_pay(character: str, capital: int, is_walked: bool) -> None:
    """Seven thousand crews are on offer, most of them with gear, and the last look of every owner finds no Stones."""
    offers = Counted(Market.of(UNITS, PILOTS, GEAR, (), TEAM).offers)
    market = Market(offers, (), ())
    assert market.least_price == min(offer.price for offer in market.bare) == 95
    assert (market.units, market.pilots) != ({}, {})
    before = offers.walks
    basket = choose_basket(market, Means(capital), TEAM, CHARACTERS[character], SeededDice(1))
    assert (offers.walks > before) is is_walked
    assert bool(basket) is (capital > 94)


def test_each_unit_of_a_larger_market_meets_each_pilot_a_few_times(
    small_bounds: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    fits = checks.pilot_problems
    monkeypatch.setattr(checks, "pilot_problems", lambda *pair: (asked.append(pair), fits(*pair))[1])
    Market.of(UNITS, PILOTS, GEAR, (), TEAM)
    assert 0 < len(asked) <= 2 * len(UNITS) * len(PILOTS)


def test_fifty_units_and_fifty_pilots_of_the_cheapest_kind_stay_far_within_the_budget(budgets: list[Budget]) -> None:
    """All that a stable may own, every unit hurt in some way: 2,500 crews, three million pairs."""
    means = stable(50, is_hurt=True)
    market = Market.of(UNITS[:10], PILOTS[:10], GEAR, (), TEAM)
    keys = [one.key for one in means.units]
    found = advise(Situation(means, TEAM, market, 0, True, can_repair=True, can_sell=True, can_mount=True, bought=keys))
    assert {piece.deed for piece in found} >= {"repair", "wait"}
    assert 0 < max(budget.spent for budget in budgets) <= 40 * 50 * 50
    assert sum(budget.spent for budget in budgets) <= 80 * 50 * 50


def test_a_budget_ends_a_list_before_it_is_whole() -> None:
    made = []
    with pytest.raises(Overran):
        made.extend(Budget(3, "crews").each(count()))
    budget = Budget(3, "crews")
    assert list(budget.each("abc")) == ["a", "b", "c"]
    assert budget.spent == 3
