"""Whoever can pay for as many crews as a match takes gets them before anything else: owners of the AI, and advice."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Any

import pytest

from rules.bots.budget import Budget
from rules.bots.owners import wares
from rules.bots.owners.advice import BUY, REPAIR, PieceOfAdvice, Situation, advise
from rules.bots.owners.characters import CHARACTERS
from rules.bots.owners.crew_options import Places
from rules.bots.owners.garage import choose_repairs, with_repaired
from rules.bots.owners.shopping import Purchase, choose_basket
from rules.bots.owners.wares import Market, Means, cost_of
from rules.campaign.line_ups.checks import MatchTerms, OwnedCard, OwnedGear, OwnedPilot, OwnedUnit, best_team, crews
from rules.campaign.market.prices import is_offered, is_unique, price_of
from rules.catalogue.loader import load_builtin
from rules.core.dice import SeededDice
from rules.solaris import building
from rules.solaris.building import Combatant, combatant_points
from rules.solaris.house_rules import HouseRules
from tests.rules.campaign.cards import card, gear, pilot, unit

CLASSES = ("light", "medium", "heavy", "assault")
CLASS = pytest.mark.parametrize("match_class", CLASSES)
CHARACTER = pytest.mark.parametrize("traits", list(CHARACTERS.values()), ids=list(CHARACTERS))


@cache
def market_of(match_class: str) -> Market:
    """The market of a season with house statistics."""
    catalogue = load_builtin()

    def offered(kind: str, entries: Mapping[str, Any]) -> list[Any]:
        return [entry for _, entry in sorted(entries.items()) if is_offered(kind, entry, "house")]

    return Market.of(
        offered("unit", catalogue.units),
        offered("pilot", catalogue.pilots),
        offered("gear", catalogue.gear),
        offered("rally_card", catalogue.rally_cards),
        MatchTerms(match_class),
    )


def able_crews(means: Means, terms: MatchTerms) -> int:
    """How many crews a stable fields by duty, as the line-up reckons."""
    by_duty = [crew for crew in crews(means.units, means.pilots, terms) if crew.by_duty]
    return len(best_team(by_duty, terms.size, terms))


def with_bought(means: Means, market: Market, bought: Sequence[Purchase | PieceOfAdvice]) -> Means:
    """What an owner has after it bought these, in their order."""
    for line in bought:
        entry = market.shelves[line.kind][line.key]
        means = replace(means, capital=means.capital - price_of(line.kind, entry))
        code = f"{line.kind}-{len(means.units)}-{len(means.pilots)}-{len(means.gear)}-{len(means.cards)}"
        if line.kind == "unit":
            means = replace(means, units=(*means.units, OwnedUnit(code, entry, "undamaged")))
        if line.kind == "pilot":
            means = replace(means, pilots=(*means.pilots, OwnedPilot(code, entry)))
        if line.kind == "gear":
            means = replace(means, gear=(*means.gear, OwnedGear(code, entry)))
        if line.kind == "rally_card":
            means = replace(means, cards=(*means.cards, OwnedCard(code, entry)))
    return means


def in_market(means: Means, terms: MatchTerms, market: Market, **changes: Any) -> Situation:
    own: dict[str, Any] = {"market": market, "in_break": True, "can_repair": True, "can_sell": True, "can_mount": True}
    return Situation(means, terms, **{**own, "classes_to_come": {terms.match_class}, **changes})


def followed(means: Means, terms: MatchTerms, market: Market) -> Means:
    """What a stable has that repaired and bought from the top of the advice until nothing was left to do.

    Without damage all purchases stay as they were announced.
    """
    bought: list[str] = []
    announced: list[tuple[str, str]] | None = None
    is_whole = all(one.state == "undamaged" and not one.sits_out for one in means.units)
    for _ in range(30):
        found = advise(in_market(means, terms, market, bought=bought, can_sell=False))
        lines = [(one.kind, one.key) for one in found if one.deed == BUY]
        assert announced is None or not is_whole or lines == announced
        announced = lines[1:]
        deed = next((one for one in found if one.deed in (REPAIR, BUY)), None)
        if deed is None:
            return means
        if deed.deed == REPAIR:
            fit = [replace(one, state="undamaged", clicks=0) if one.key == deed.key else one for one in means.units]
            means = replace(means, capital=means.capital - deed.stones, units=fit)
        else:
            before = means
            means = with_bought(means, market, [deed])
            for kind in ("units", "pilots", "gear", "cards"):
                bought += [one.key for one in getattr(means, kind)[len(getattr(before, kind)) :]]
        assert means.capital == deed.left >= 0
    raise AssertionError("the advice has no end")


def cheapest_sums(match_class: str) -> list[int]:
    """The Stones for one crew at least, and for two that share no Unique."""
    bare = sorted(
        (offer for offer in market_of(match_class).offers if offer.gear is None), key=lambda offer: offer.price
    )

    def shared(one: Any, other: Any) -> bool:
        parts = {str(part["id"]): part for _, part in one.parts}
        return any(is_unique(parts[key]) for key in one.ids & other.ids)

    pairs = [one.price + other.price for one in bare[:40] for other in bare[:40] if not shared(one, other)]
    return [bare[0].price, min(pairs)]


# --- two crews of a team match ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("match_class", "capital"),
    [
        *(("light", 230), ("light", 260), ("medium", 300), ("medium", 340)),
        *(("heavy", 340), ("heavy", 380), ("assault", 380), ("assault", 420)),
    ],
)
def test_who_follows_the_advice_fields_both_crews_that_the_stones_pay(match_class: str, capital: int) -> None:
    terms = MatchTerms(match_class, "team")
    after = followed(Means(capital), terms, market_of(match_class))
    assert able_crews(after, terms) == 2
    assert after.capital >= 0


@CLASS
@pytest.mark.parametrize("format_name", ["standard", "team"])
def test_advice_makes_as_many_crews_as_the_sum_of_the_cheapest_allows(match_class: str, format_name: str) -> None:
    terms = MatchTerms(match_class, format_name)
    sums = cheapest_sums(match_class)[: terms.size]
    for capital in [*range(60, 620, 35), *sums, *(least - 1 for least in sums)]:
        found = advise(in_market(Means(capital), terms, market_of(match_class)))
        buys = [one for one in found if one.deed == BUY]
        after = with_bought(Means(capital), market_of(match_class), buys)
        reach = sum(least <= capital for least in sums)
        assert after.capital >= 0
        assert able_crews(after, terms) == reach
        assert bool([one for one in buys if one.is_needed]) == bool(reach)
        if reach < terms.size:
            assert all(one.is_needed or one.kind == "gear" for one in buys), "a hand and reserves wait for the crew"
            assert len([one for one in buys if one.kind == "unit"]) == reach


@CHARACTER
@CLASS
def test_owners_of_the_ai_make_as_many_crews_too(match_class: str, traits: Any) -> None:
    terms = MatchTerms(match_class, "team")
    sums = cheapest_sums(match_class)
    for capital in [*range(150, 520, 45), *sums]:
        for seed in range(3):
            basket = choose_basket(market_of(match_class), Means(capital), terms, traits, SeededDice(seed))
            after = with_bought(Means(capital), market_of(match_class), basket)
            assert after.capital >= 0
            assert able_crews(after, terms) == sum(least <= capital for least in sums)


# --- what the owner has already -----------------------------------------------------------------------------------

DIAL = [{"primary": 3, "secondary": 2, "speed": 8, "attack": 9, "defense": 19}] * 10
SMALL_UNITS = [unit(f"U-{points}", points, dial=DIAL) for points in (90, 120, 150)]
SMALL_UNITS += [unit("Q-100", 100, rank="unique", dial=DIAL), unit("O-110", 110, variant=None, dial=DIAL)]
SMALL_PILOTS = [
    pilot("P-8", 8, requires={"class": ["light"], "name": "U-90"}),
    pilot("P-10", 10),
    pilot("P-40", 40),
    pilot("L-5", 5, kind="legendary"),
]
RULES = {
    "unit": HouseRules(),
    "team": HouseRules(build_total_per="team"),
    "tight": HouseRules(build_total_per="team", build_total=230),
}


def chances(seed: int) -> Means:
    """A stable with something or other, of whatever state."""
    draw = random.Random(seed)
    units = []
    for number in range(draw.randrange(4)):
        state = draw.choice(["undamaged", "undamaged", "able", "salvage", "eliminated"])
        entry = draw.choice([one for one in SMALL_UNITS if is_unique(one) <= (number == 0)])
        clicks = {"undamaged": 0, "able": 4, "salvage": 9, "eliminated": 10}[state]
        units.append(OwnedUnit(f"own-{number}", entry, state, clicks, draw.random() < 0.15))
    pilots = []
    for number in range(draw.randrange(3)):
        entry = draw.choice([one for one in SMALL_PILOTS if is_unique(one) <= (number == 0)])
        pilots.append(OwnedPilot(f"driver-{number}", entry))
    return Means(draw.choice([0, 30, 60, 90, 100, 120, 150, 190, 210, 240, 280, 400]), units, pilots)


def all_purchases(market: Market) -> Iterator[list[Purchase]]:
    """Two units and two pilots at most, in every combination."""
    for count in range(3):
        for units in combinations_with_replacement(sorted(market.units), count):
            for drivers in range(3):
                for pilots in combinations_with_replacement(sorted(market.pilots), drivers):
                    yield [Purchase("unit", key) for key in units] + [Purchase("pilot", key) for key in pilots]


def most_crews(means: Means, market: Market, terms: MatchTerms, mended: Collection[str] = ()) -> int:
    """The crews that any purchase makes which the money pays beside the repair of these states, with no second copy of
    a Unique."""
    definitions = {**market.units, **market.pilots}
    best = 0
    hurt = [one for one in means.units if one.state in mended]
    for count in range(len(hurt) + 1):
        for chosen in combinations(hurt, count):
            fit = [replace(one, state="undamaged", clicks=0) if one in chosen else one for one in means.units]
            left = means.capital - sum(cost_of(one) for one in chosen)
            for bought in all_purchases(market):
                uniques = [line.key for line in bought if is_unique(definitions[line.key])]
                if len(set(uniques)) < len(uniques) or means.unique_ids & set(uniques):
                    continue
                if sum(price_of(line.kind, definitions[line.key]) for line in bought) <= left:
                    best = max(best, able_crews(with_bought(replace(means, units=fit), market, bought), terms))
    return best


WHAT = [("standard", "unit"), ("team", "unit"), ("team", "team"), ("team", "tight")]


@pytest.mark.parametrize(("format_name", "rule"), WHAT, ids=["-".join(each) for each in WHAT])
def test_no_other_purchase_makes_more_crews_whatever_the_owner_has(format_name: str, rule: str) -> None:
    terms = MatchTerms("light", format_name, RULES[rule])
    market = Market.of(SMALL_UNITS, SMALL_PILOTS, [gear("G-6", 6), gear("G-12", 12)], [card("R-1")], terms)
    seen = set()
    for seed in range(40):
        means = chances(seed)
        most = most_crews(means, market, terms)
        seen.add(most)
        for traits in CHARACTERS.values():
            basket = choose_basket(market, means, terms, traits, SeededDice(seed))
            after = with_bought(means, market, basket)
            assert after.capital >= 0
            if not any(one.state == "salvage" for one in means.units):
                assert able_crews(after, terms) == most, seed
                # Nor does it where a repair comes first, as when the market opens.
                fit = means
                for key in choose_repairs(means, terms, traits, 0, market):
                    fit = with_repaired(fit, key, in_break=False)
                basket = choose_basket(market, fit, terms, traits, SeededDice(seed))
                assert able_crews(with_bought(fit, market, basket), terms) == most, seed
        with_repairs = most_crews(means, market, terms, ("salvage", "eliminated"))
        assert able_crews(followed(means, terms, market), terms) == with_repairs, seed
    assert seen == set(range(terms.size + 1))


def test_advice_has_an_answer_where_no_unit_keeps_within_the_limit() -> None:
    terms = MatchTerms("light", "team", HouseRules(build_total=50))
    market = Market.of(SMALL_UNITS, SMALL_PILOTS, [gear("G-6", 6)], [card("R-1")], terms)
    assert not market.offers
    found = advise(in_market(Means(500), terms, market))
    assert {one.kind for one in found if one.deed == BUY} == {"rally_card"}


# --- a large market -----------------------------------------------------------------------------------------------


MOST = 120 * 6000
"""So many times points are weighed at most where there are 6000 ways to a crew, and 18 million pairs of them."""


class TooMany(Exception):
    """More was reckoned than the number of ways to a crew accounts for."""


class Points(int):
    """Points that count what is reckoned with them."""

    done = 0

    def _count(self) -> None:
        Points.done += 1
        if Points.done > MOST:
            raise TooMany

    def __lt__(self, other: int) -> bool:
        self._count()
        return int(self) < other

    def __le__(self, other: int) -> bool:
        self._count()
        return int(self) <= other

    def __gt__(self, other: int) -> bool:
        self._count()
        return int(self) > other

    def __ge__(self, other: int) -> bool:
        self._count()
        return int(self) >= other

    def __add__(self, other: int) -> int:
        self._count()
        return int(self) + other

    def __radd__(self, other: int) -> int:
        self._count()
        return other + int(self)

    def __rsub__(self, other: int) -> int:
        self._count()
        return other - int(self)


# The weakest crew has 80 points, and its pilot is there but once; two have 161, or 162 where the units differ.
@pytest.mark.parametrize("total", [159, 160, 161, 162, 165, 300, 478])
@pytest.mark.parametrize("owns_all", [False, True], ids=["buys", "owns"])
def test_a_limit_that_a_team_shares_is_not_asked_of_every_pair(
    total: int, owns_all: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def counted(combatant: Combatant) -> Points:
        return Points(combatant_points(combatant))

    Points.done = 0
    # Where a way gets its points, and where a team is checked.
    monkeypatch.setattr(wares, "combatant_points", counted)
    monkeypatch.setattr(building, "combatant_points", counted)
    units = [unit(f"U-{number}", 77 + number) for number in range(60)]
    pilots = [pilot("L-3", 3, kind="legendary"), *(pilot(f"P-{number}", 4 + number) for number in range(99))]
    terms = MatchTerms("light", "team", HouseRules(build_total_per="team", build_total=total, points_only=True))
    market, means = Market.of(units, pilots, [], [], terms), Means(500)
    if owns_all:
        mine = [OwnedUnit(f"own-{one['id']}", one, "able", 4) for one in units]
        means = Means(0, mine, [OwnedPilot(f"own-{one['id']}", one) for one in pilots])
    places = Places(means, market, terms, Budget.of_an_owner())
    assert len(places.ways.within(means.capital, 2)) == (2 if total >= 161 + owns_all else 1)
    for way in places.ways.all:
        places.ways.cheapest(1, (way,))
        if not places.are_filled:
            places.leaves_enough(way, way.price, means.capital)
    assert len(places.ways.all) >= 6000
