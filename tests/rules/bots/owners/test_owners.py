"""Owners made of code: three characters that draft, buy, equip, repair, sell and field within the rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.bots.owners.characters import BALANCED, CHARACTERS, RECKLESS, THRIFTY
from rules.bots.owners.garage import (
    choose_gear,
    choose_repairs,
    choose_sales,
    repair_priority,
    useless_units,
)
from rules.bots.owners.line_ups import choose_line_up
from rules.bots.owners.shopping import choose_basket, manned
from rules.bots.owners.wares import Market, Means
from rules.campaign.line_ups.checks import MatchTerms, check_crew
from rules.campaign.line_ups.tokens import TokenChoices
from rules.core.dice import SeededDice
from rules.solaris.house_rules import HouseRules
from tests.rules.campaign.cards import card, driver, gear, held, mounted, owned, pilot, unit

LIGHT = MatchTerms("light")
TEAM = MatchTerms("light", "team")
UNITS = [unit(f"U-{points}", points) for points in range(90, 150, 5)]
UNITS += [unit("H-1", 200, "heavy"), unit("Q-1", 118, rank="unique")]
PILOTS = [pilot("P-1", 5), pilot("P-2", 10), pilot("P-3", 20), pilot("L-1", 12, kind="legendary")]
GEAR = [gear(f"G-{points}", points) for points in (6, 12, 18)] + [gear("G-0", 9, equipment="repair")]
CARDS = [card(f"R-{number:02d}") for number in range(12)]
MARKET = Market.of(UNITS, PILOTS, GEAR, CARDS, LIGHT)
PRICES = {entry["id"]: entry["points"] for entry in UNITS + PILOTS + GEAR} | {entry["id"]: 10 for entry in CARDS}
CHARACTER = pytest.mark.parametrize("traits", list(CHARACTERS.values()), ids=list(CHARACTERS))


def kinds(basket: Any, kind: str) -> list[str]:
    return [line.key for line in basket if line.kind == kind]


@CHARACTER
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("capital", [0, 120, 400, 1000, 3000])
def test_q_156_owners_never_spend_more_than_they_have_and_buy_a_crew_first(
    traits: Any, seed: int, capital: int
) -> None:
    basket = choose_basket(MARKET, Means(capital), LIGHT, traits, SeededDice(seed))
    again = Market.of(UNITS[::-1], PILOTS[::-1], GEAR[::-1], CARDS[::-1], LIGHT)
    assert basket == choose_basket(again, Means(capital), LIGHT, traits, SeededDice(seed)), (
        "the order of wares is nothing"
    )
    spent = sum(PRICES[line.key] for line in basket)
    assert spent <= capital
    units, pilots = kinds(basket, "unit"), kinds(basket, "pilot")
    assert len(units) == len(pilots) <= 1 + traits.spare_crews
    assert bool(units) == (capital >= 120)
    assert "H-1" not in units
    assert "G-0" not in kinds(basket, "gear"), "it serves friends, and most formats have none"
    assert units.count("Q-1") <= 1
    assert pilots.count("L-1") <= 1
    if len(units) > 1:
        assert capital - spent >= traits.repairs_kept * 100
    if capital == 3000:
        assert len(units) == 1 + traits.spare_crews
        assert len(kinds(basket, "rally_card")) == len(set(kinds(basket, "rally_card"))) == traits.rally_cards


def test_the_characters_differ() -> None:
    spent = {
        name: sum(
            PRICES[line.key]
            for seed in range(10)
            for line in choose_basket(MARKET, Means(1000), LIGHT, traits, SeededDice(seed))
        )
        for name, traits in CHARACTERS.items()
    }
    assert spent["thrifty"] < spent["balanced"] < spent["reckless"]
    drafts = [choose_basket(MARKET, Means(1000), LIGHT, traits, SeededDice(3)) for traits in CHARACTERS.values()]
    assert not kinds(drafts[0], "gear")
    assert kinds(drafts[2], "gear")


def test_owners_of_one_character_differ_by_their_dice() -> None:
    drafts = {tuple(choose_basket(MARKET, Means(1000), LIGHT, BALANCED, SeededDice(seed))) for seed in range(12)}
    assert len(drafts) > 6


@CHARACTER
def test_r_bld_08_every_crew_that_is_drafted_fits_with_its_gear(traits: Any) -> None:
    by_id = {entry["id"]: entry for entry in UNITS + PILOTS + GEAR}
    for offer in MARKET.offers:
        assert offer.points <= 160
        assert offer.price == sum(PRICES[key] for key in offer.ids)
        on = (mounted("g", by_id[offer.gear["id"]]["points"]),) if offer.gear is not None else ()
        assert offer.pilot is not None
        laden = owned("u", points=offer.unit["points"], gear=on)
        assert check_crew(laden, driver("p", offer.pilot["points"]), LIGHT) == []


def test_what_the_owner_has_is_used_before_anything_is_bought_new() -> None:
    lonely_unit, lonely_pilot = owned("U-120"), driver("P-2", 10)
    basket = choose_basket(MARKET, Means(130, [lonely_unit]), LIGHT, THRIFTY, SeededDice(1))
    assert not kinds(basket, "unit")
    assert len(kinds(basket, "pilot")) == 1
    basket = choose_basket(MARKET, Means(150, (), [lonely_pilot]), LIGHT, THRIFTY, SeededDice(1))
    assert len(kinds(basket, "unit")) == 1
    assert not kinds(basket, "pilot")
    assert manned(Means(0, [lonely_unit], [lonely_pilot]), LIGHT) == [("U-120", "P-2")]


def test_r_dth_02_q_161_what_is_barred_is_not_bought() -> None:
    barred = frozenset({"P-1", "P-2", "L-1", "Q-1"})
    for seed in range(8):
        basket = choose_basket(MARKET, Means(3000, barred=barred), LIGHT, RECKLESS, SeededDice(seed))
        assert not {line.key for line in basket} & barred


def test_q_156_an_owner_whose_eliminated_units_cannot_be_paid_buys_a_crew_that_can() -> None:
    gone = [owned(f"U-{points}", "eliminated", 10, points) for points in (140, 145)]
    basket = choose_basket(MARKET, Means(130, gone, [driver("P-1", 5)]), LIGHT, BALANCED, SeededDice(2))
    assert len(kinds(basket, "unit")) == 1


FRESH, HURT, GONE = owned("a"), owned("b", "able", 4), owned("c", "eliminated", 10)
DRIVERS = [driver("p"), driver("q")]


@pytest.mark.parametrize(
    ("units", "terms", "traits", "capital", "left", "chosen"),
    [
        pytest.param([FRESH, HURT], LIGHT, BALANCED, 500, 1, [], id="one-is-fresh"),
        pytest.param([HURT], LIGHT, BALANCED, 500, 1, ["b"], id="none-is-fresh"),
        pytest.param([HURT], LIGHT, BALANCED, 49, 1, [], id="too-dear"),
        pytest.param([HURT], LIGHT, RECKLESS, 500, 1, [], id="the-reckless-fight-on"),
        pytest.param([HURT], LIGHT, THRIFTY, 500, 1, ["b"], id="the-thrifty-mend-what-is-badly-hurt"),
        pytest.param([owned("b", "able", 2)], LIGHT, THRIFTY, 500, 1, [], id="and-not-what-is-scratched"),
        pytest.param([FRESH, HURT], TEAM, BALANCED, 500, 1, ["b"], id="a-team-takes-two"),
        pytest.param([FRESH, GONE], LIGHT, BALANCED, 500, 2, ["c"], id="R-CRP-09-early-enough-to-play-again"),
        pytest.param([FRESH, GONE], LIGHT, BALANCED, 500, 1, [], id="R-CRP-09-too-late"),
        pytest.param([FRESH, owned("d"), GONE], LIGHT, BALANCED, 500, 2, [], id="two-are-fresh"),
        pytest.param([HURT, GONE], LIGHT, BALANCED, 150, 2, ["b", "c"], id="both"),
        pytest.param([HURT, GONE], LIGHT, BALANCED, 149, 2, ["b"], id="only-one"),
    ],
)
def test_repairs_before_a_match(
    units: Any, terms: Any, traits: Any, capital: int, left: int, chosen: list[str]
) -> None:
    assert choose_repairs(Means(capital, units, DRIVERS), terms, traits, left) == chosen


def test_r_crp_02_a_repair_is_reckoned_with_the_gear() -> None:
    laden = owned("u", "able", 8, points=155, gear=(mounted("g", 10),))
    assert choose_repairs(Means(74, [laden], [driver("p", 5)]), LIGHT, BALANCED, 1) == []
    assert choose_repairs(Means(75, [laden], [driver("p", 5)]), LIGHT, BALANCED, 1) == ["u"]


def test_no_repair_helps_without_a_pilot() -> None:
    assert choose_repairs(Means(500, [HURT], []), LIGHT, BALANCED, 3) == []


def test_compulsory_repairs_begin_with_the_class_of_the_cycle() -> None:
    units = [owned("x", points=90), owned("h", points=200, weight_class="heavy"), owned("y", points=130)]
    assert repair_priority(units, "light") == ["y", "x", "h"]


def test_r_ger_05_gear_goes_where_it_fits_with_a_declared_side_and_never_moves() -> None:
    either = mounted("e", 12, slot="either", requires={"class": ["light"], "type": "energy"})
    plain = mounted("g", 8)
    laden = owned("u", points=150, gear=(mounted("there", 5),))
    means = Means(
        0, [laden, owned("v", points=125), owned("w", points=148)], [driver("p")], [either, plain, laden.gear[0]]
    )
    found = choose_gear(means, LIGHT)
    assert [(each.gear, each.unit, each.side) for each in found] == [("e", "v", "secondary")]
    assert choose_gear(replace(means, pilots=[]), LIGHT) == []


def test_r_ast_07_units_of_classes_that_do_not_come_again_are_sold() -> None:
    units = [owned("l"), owned("h", points=200, weight_class="heavy"), owned("m", "able", 3, weight_class="medium")]
    assert useless_units(Means(0, units), {"light"}) == ["h"]
    assert useless_units(Means(0, units), {"light", "heavy"}) == []


def test_q_156_a_broke_owner_sells_what_it_needs_least_and_no_more_than_it_must() -> None:
    gone = owned("a", "eliminated", 10)
    spare = owned("h", points=200, weight_class="heavy")
    means = Means(60, [gone, spare], [driver("P-1", 5), driver("q")], [mounted("g", 20)], [held("k1"), held("k2")])
    assert choose_sales(means, MARKET, LIGHT) == ["k1", "k2", "g"]
    assert choose_sales(replace(means, capital=90), MARKET, LIGHT) == []
    assert choose_sales(replace(means, units=[FRESH, spare]), MARKET, LIGHT) == [], "it has a crew"
    poor = Means(0, [gone], [driver("p")], [], [held("k1")])
    assert choose_sales(poor, MARKET, LIGHT) == [], "it would not be enough"


TOKENS = {
    f"T-{number}": {"id": f"T-{number}", "method": method, "rp": 10, "else_rp": 5, "defense": 14 + number}
    for number, method in enumerate(("ballistic", "energy", "melee") * 2)
}
TRIPLES = TokenChoices.of(TOKENS.values(), 30)


def fielded(
    units: Any, terms: MatchTerms = LIGHT, traits: Any = BALANCED, cards: Any = (), pilots: Any = DRIVERS
) -> Any:
    return choose_line_up(units, pilots, cards, TOKENS, TRIPLES, terms, traits, SeededDice(1))


@CHARACTER
def test_owners_field_the_fresh_before_the_hurt_and_salvage_last(traits: Any) -> None:
    salvage = owned("s", "salvage", 9, 140)
    assert [crew.unit for crew in fielded([salvage, owned("b", "able", 7), FRESH], traits=traits).crews] == ["a"]
    assert [crew.unit for crew in fielded([salvage, owned("b", "able", 7)], traits=traits).crews] == ["b"]
    assert [crew.unit for crew in fielded([salvage], traits=traits).crews] == ["s"], "Q-155"
    assert fielded([], traits=traits) is None
    assert fielded([GONE], traits=traits) is None
    assert len(fielded([FRESH, HURT], TEAM, traits).crews) == 2


def test_the_reckless_field_a_hurt_giant_where_others_take_what_is_whole() -> None:
    units = [owned("giant", "able", 3, 140), owned("whole", points=110)]
    assert [crew.unit for crew in fielded(units, traits=RECKLESS).crews] == ["giant"]
    assert [crew.unit for crew in fielded(units, traits=BALANCED).crews] == ["whole"]


def test_r_ral_01_r_ral_02_hands_hold_every_useful_card_once_five_a_unit() -> None:
    cards = [held("k1", "R-1"), held("k2", "R-1"), held("last", state="last_unit"), *[held(f"c{n}") for n in range(6)]]
    assert fielded([FRESH], cards=cards).hands == (("k1", "c0", "c1", "c2", "c3"),)
    assert fielded([FRESH, owned("d")], TEAM, cards=cards).hands == (
        ("k1", "last", "c0", "c1", "c2"),
        ("c3", "c4", "c5"),
    )
    no_cards = MatchTerms("light", house_rules=HouseRules(rally_cards=False))
    assert fielded([FRESH], no_cards, cards=cards).hands == ((),)


def test_no_tokens_are_drawn_where_none_are_brought() -> None:
    found = choose_line_up([FRESH], DRIVERS, (), TOKENS, TokenChoices((), 30), LIGHT, BALANCED, SeededDice(1))
    assert found is not None
    assert found.tokens == ()
    assert fielded([FRESH]).tokens in TRIPLES
