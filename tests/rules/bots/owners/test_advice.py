"""What an owner is advised to buy, repair, sell and keep: the judgement of owners made of code, with reasons."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.bots.owners.advice import (
    ADVISER,
    BUY,
    HIRE,
    KEEP,
    MOUNT,
    REPAIR,
    SAVE,
    SELL,
    WAIT,
    PieceOfAdvice,
    Situation,
    advise,
)
from rules.bots.owners.characters import BALANCED
from rules.bots.owners.garage import choose_repairs
from rules.bots.owners.wares import Market, Means
from rules.campaign.line_ups.checks import MatchTerms, OwnedUnit, crews
from rules.wording.filling import MISSING
from rules.wording.stable_advice import deed_sentence, stable_reason
from tests.rules.campaign.cards import card, driver, gear, held, mounted, owned, pilot, unit

LIGHT = MatchTerms("light")
TEAM = MatchTerms("light", "team")
FULL = {"primary": 3, "secondary": 2, "speed": 8, "attack": 9, "defense": 19}
WORN = {**FULL, "attack": 7, "primary": 2}
DIAL = [FULL, FULL, *[WORN] * 8]
MARKET = Market.of(
    [unit(f"U-{points}", points, dial=DIAL) for points in (100, 120, 140)],
    [pilot("P-1", 10, modifiers={"attack": 1}), pilot("P-2", 20)],
    [gear("G-6", 6), gear("G-12", 12)],
    [card(f"R-{number}", value="attack", below=8 if number == 3 else 2) for number in range(5)],
    LIGHT,
)


def hurt(key: str, clicks: int, points: int = 120, **other: Any) -> OwnedUnit:
    return owned(key, "able", clicks, points, dial=DIAL, **other)


def fit(key: str, points: int = 120, **other: Any) -> OwnedUnit:
    return owned(key, points=points, dial=DIAL, **other)


def between_matches(means: Means, **changes: Any) -> Situation:
    own = {"matches_left": 3, "can_repair": True, "can_sell": True, "can_mount": True, "classes_to_come": {"light"}}
    return Situation(means, **{"terms": LIGHT, **own, **changes})


def in_market(means: Means, **changes: Any) -> Situation:
    return between_matches(means, **{"market": MARKET, "matches_left": 0, "in_break": True, **changes})


def of_deed(found: list[PieceOfAdvice], deed: str) -> list[PieceOfAdvice]:
    return [one for one in found if one.deed == deed]


def said(one: PieceOfAdvice) -> dict[str, dict[str, Any]]:
    return {reason.code: dict(reason.parameters) for reason in one.reasons}


# --- repairs ------------------------------------------------------------------------------------------------------


def test_a_repair_says_what_comes_back_for_how_many_stones_and_for_which_match() -> None:
    means = Means(300, [hurt("one", 4)], [driver("kai")])
    (repair,) = of_deed(advise(between_matches(means)), REPAIR)
    assert (repair.key, repair.stones, repair.left, repair.is_needed) == ("one", 50, 250, False)
    reasons = said(repair)
    assert reasons["clicks_for"] == {"clicks": 4, "stones": 50}
    assert reasons["restores"] == {"values": {"attack": [7, 9], "primary": [2, 3]}}
    assert reasons["next_match"] == {"format": "standard", "class": "light"}
    assert reasons["undamaged_crews_lack"] == {"undamaged": 0, "needed": 1}
    assert "able_crews_lack" not in reasons
    # A crew of 135 points, four of ten clicks gone.
    assert reasons["raises_worth"] == {"points": 54}


def test_what_can_be_fielded_as_it_is_needs_no_repair() -> None:
    """One click of damage is no reason to stay at home; the adviser would still have it whole."""
    means = Means(500, [fit("one"), hurt("two", 1)], [driver("kai"), driver("ada")])
    (repair,) = of_deed(advise(between_matches(means, terms=TEAM)), REPAIR)
    assert (repair.key, repair.is_needed) == ("two", False)
    assert said(repair)["undamaged_crews_lack"] == {"undamaged": 1, "needed": 2}


def test_q_155_a_unit_that_shows_salvage_makes_no_able_crew_until_it_is_repaired() -> None:
    means = Means(500, [owned("one", "salvage", 8, dial=DIAL)], [driver("kai")])
    (repair,) = of_deed(advise(between_matches(means)), REPAIR)
    assert repair.is_needed
    assert said(repair)["able_crews_lack"] == {"able": 0, "needed": 1}
    assert "undamaged_crews_lack" not in said(repair)


def test_r_crp_09_in_the_break_an_eliminated_unit_may_be_needed_and_then_the_reserve_is_spent() -> None:
    means = Means(105, [owned("gone", "eliminated", 10, dial=DIAL)], [driver("kai")])
    dear = Market.of([unit("U-140", 140, dial=DIAL)], [pilot("P-1", 10)], [], [], LIGHT)
    (repair,) = of_deed(advise(in_market(means, market=dear)), REPAIR)
    assert (repair.is_needed, repair.left) == (True, 5)
    assert {"able_crews_lack", "raised_for"} <= set(said(repair))
    # A unit for his pilot costs no more than the repair, and its price comes back when it is sold.
    found = advise(in_market(means))
    assert [(one.deed, one.key) for one in found if one.is_needed and one.deed != KEEP] == [(BUY, "U-100")]


def test_r_crp_09_repairs_come_before_purchases_where_both_together_make_more_crews() -> None:
    means = Means(215, [owned("gone", "eliminated", 10, dial=DIAL)], [driver("kai")])
    market = Market.of([unit("U-105", 105, dial=DIAL)], [pilot("P-1", 10)], [], [], LIGHT)
    found = advise(in_market(means, terms=TEAM, market=market))
    needed = [(one.deed, one.key) for one in found if one.is_needed and one.deed in (REPAIR, BUY)]
    assert needed == [(REPAIR, "gone"), (BUY, "U-105"), (BUY, "P-1")]


def test_a_repair_that_no_crew_waits_for_leaves_the_stones_for_the_crew_that_is_missing() -> None:
    means = Means(130, [hurt("one", 4)], [driver("kai")])
    for capital, deeds in ((130, [BUY, BUY]), (160, [REPAIR, BUY, BUY])):
        found = advise(in_market(replace(means, capital=capital), terms=TEAM))
        assert [one.deed for one in found if one.deed in (REPAIR, BUY)] == deeds


def test_the_first_repairs_are_those_that_owners_made_of_code_make() -> None:
    units = [hurt("one", 4), hurt("two", 6), owned("gone", "eliminated", 10, dial=DIAL)]
    means = Means(120, units, [driver("kai"), driver("ada")])
    for terms in (LIGHT, TEAM):
        chosen = choose_repairs(means, terms, BALANCED, 3)
        found = of_deed(advise(between_matches(means, terms=terms)), REPAIR)
        assert [one.key for one in found][: len(chosen)] == chosen
        assert sum(one.stones for one in found) <= means.capital


def test_where_a_pilot_is_missing_only_the_repair_that_makes_a_crew_is_made() -> None:
    units = [hurt("one", 4), hurt("two", 6)]
    assert choose_repairs(Means(500, units, [driver("kai")]), TEAM, BALANCED, 3) == ["two"]
    assert choose_repairs(Means(500, units, []), TEAM, BALANCED, 3) == []
    assert choose_repairs(Means(500, [fit("ready"), *units], [driver("kai")]), TEAM, BALANCED, 3) == []
    assert choose_repairs(Means(500, units, [driver("kai"), driver("ada")]), TEAM, BALANCED, 3) == ["two", "one"]
    found = of_deed(advise(between_matches(Means(500, units, [driver("kai")]), terms=TEAM)), REPAIR)
    assert found[0].key == "two"
    assert "undamaged_crews_lack" in said(found[0])
    assert not any(one.is_needed for one in found)


def test_a_reserve_that_is_raised_before_the_first_match_is_needed_by_nobody() -> None:
    means = Means(500, [fit("one"), owned("gone", "eliminated", 10, dial=DIAL)], [driver("kai"), driver("ada")])
    (repair,) = of_deed(advise(between_matches(means, in_break=True)), REPAIR)
    assert (repair.key, repair.is_needed) == ("gone", False)
    assert not {"able_crews_lack", "undamaged_crews_lack"} & set(said(repair))


def test_r_crp_09_an_eliminated_unit_is_raised_as_a_reserve_and_needed_by_nobody() -> None:
    means = Means(500, [fit("one"), owned("gone", "eliminated", 10, dial=DIAL)], [driver("kai"), driver("ada")])
    (repair,) = of_deed(advise(between_matches(means)), REPAIR)
    assert (repair.key, repair.is_needed) == ("gone", False)
    assert "back_after_next" in said(repair)
    assert "restores" not in said(repair)


def test_a_repair_that_raises_what_can_be_fielded_is_suggested_while_the_reserve_stays() -> None:
    """Somebody fit stands by already, but the better unit is worth its repair."""
    units = [fit("small", 100), hurt("great", 2, 145)]
    pilots = [driver("kai", 10), driver("ada", 10)]
    rich = advise(between_matches(Means(160, units, pilots)))
    (repair,) = of_deed(rich, REPAIR)
    assert (repair.key, repair.is_needed) == ("great", False)
    assert said(repair)["raises_worth"]["points"] > 0
    poor = advise(between_matches(Means(140, units, pilots)))
    assert of_deed(poor, REPAIR) == [], "140 less 50 leaves no 100 for the match after"
    (waits,) = of_deed(poor, WAIT)
    assert said(waits)["undamaged_crews_suffice"]["undamaged"] == 1


def test_what_waits_says_why() -> None:
    other = owned("heavy", "able", 3, 200, weight_class="heavy", dial=DIAL)
    found = advise(between_matches(Means(0, [hurt("one", 4), other], [driver("kai")]), classes_to_come={"light"}))
    waiting = {one.key: said(one) for one in of_deed(found, WAIT)}
    assert waiting["one"]["too_dear"] == {"stones": 50, "missing": 50}
    rich = advise(between_matches(Means(900, [fit("one"), other], [driver("kai")]), classes_to_come={"light"}))
    assert "not_its_match" in said(of_deed(rich, WAIT)[0])


@pytest.mark.parametrize("capital", [0, 900])
def test_r_crp_09_who_has_only_eliminated_units_hears_that_no_repair_comes_in_time(capital: int) -> None:
    gone = [owned(key, "eliminated", 10, dial=DIAL) for key in ("one", "two", "three")]
    means = Means(capital, gone, [driver("kai"), driver("ada")])
    waiting = of_deed(advise(between_matches(means, matches_left=1)), WAIT)
    assert len(waiting) == 3
    for one in waiting:
        assert said(one)["repair_too_late"] == {"rule": "R-CRP-09"}
        assert "changes_nothing" not in said(one)
        assert ("too_dear" in said(one)) is (capital == 0)
    raised, *rest = [one for one in advise(between_matches(means)) if one.deed in (REPAIR, WAIT)]
    assert (raised.deed, raised.is_needed) == (REPAIR, False) if capital else (WAIT, False)
    assert all("repair_too_late" in said(one) for one in rest)


def test_r_crp_09_in_the_break_no_repair_is_too_late() -> None:
    gone = [owned("one", "eliminated", 10, dial=DIAL)]
    (waits,) = of_deed(advise(between_matches(Means(0, gone, [driver("kai")]), in_break=True)), WAIT)
    assert set(said(waits)) == {"too_dear"}


def test_r_crp_10_behind_the_last_match_repairs_come_by_themselves() -> None:
    found = advise(between_matches(Means(900, [hurt("one", 4)], [driver("kai")]), at_close=True, in_break=True))
    assert of_deed(found, REPAIR) == []
    assert said(of_deed(found, WAIT)[0])["repaired_at_close"] == {"stones": 50, "rule": "R-CRP-10"}


# --- buying -------------------------------------------------------------------------------------------------------


def test_who_has_nothing_hears_to_buy_a_crew_first_the_best_that_the_stones_pay() -> None:
    found = of_deed(advise(in_market(Means(170))), BUY)
    crew = [one for one in found if one.is_needed]
    assert [(one.kind, one.key) for one in crew] == [("unit", "U-140"), ("pilot", "P-2")]
    reasons = said(crew[0])
    assert reasons["crew_needed"] == {"class": "light", "format": "standard", "needed": 1}
    assert reasons["goes_with"] == {"others": ["P-2"]}
    assert reasons["comes_to"] == {"points": 160, "ceiling": 160}
    assert [one.left for one in crew] == [30, 10]


def test_r_cec_01_of_a_needed_crew_unit_and_pilot_are_needed_and_its_gear_is_not() -> None:
    laden = Market.of([unit("U-140", 140)], [pilot("P-1", 10)], [gear("G-10", 10)], [], LIGHT)
    crew = of_deed(advise(in_market(Means(165), market=laden)), BUY)
    assert [(one.kind, one.is_needed) for one in crew] == [("unit", True), ("pilot", True), ("gear", False)]
    assert "crew_needed" in said(crew[0])
    # What is bought first of it now says what it is for.
    own = OwnedUnit("new", laden.offers[0].unit, "undamaged")
    rest = of_deed(advise(in_market(Means(25, [own]), market=laden, bought=["new"])), BUY)
    assert [(one.kind, one.is_needed) for one in rest] == [("pilot", True), ("gear", False)]
    assert {"crew_needed", "goes_with"} <= set(said(rest[0]))
    assert not {"crew_needed", "crew_in_reserve"} & set(said(rest[1]))
    assert "goes_with" in said(rest[1])


def test_r_crp_09_a_crew_beside_a_unit_that_sits_out_is_needed() -> None:
    means = Means(400, [fit("own", sits_out=True)], [driver("kai")])
    found = of_deed(advise(between_matches(means, market=MARKET)), BUY)
    assert [one.kind for one in found if one.is_needed] == ["unit", "pilot"]
    assert "crew_needed" in said(found[0])
    assert "crew_in_reserve" not in said(found[0])


def test_q_154_who_cannot_pay_all_crews_hears_how_many_there_will_be_and_what_is_missing() -> None:
    """Two crews cost 220 at least: U-100 twice, each with P-1."""
    market = Market.of([unit("U-100", 100, dial=DIAL)], [pilot("P-1", 10)], [], [], LIGHT)
    found = advise(in_market(Means(213), terms=TEAM, market=market))
    first, second = of_deed(found, BUY)
    reasons = said(first)
    assert reasons["crew_needed"]["needed"] == 2
    assert (reasons["crews_want"], reasons["one_more_wants"]) == ({"able": 1, "needed": 2}, {"missing": 7})
    assert reasons["fields_fewer"] == {"rule": "Q-154"}
    assert "crews_want" not in said(second)
    (save,) = of_deed(found, SAVE)
    assert (save.stones, set(said(save))) == (103, {"crews_want", "fields_fewer", "one_more_wants", "repairs_ahead"})
    assert said(save)["repairs_ahead"]["repairs"] == 1, "103 Stones pay for one repair, not for the two of its reserve"
    (save,) = advise(in_market(Means(90), terms=TEAM, market=market))
    assert said(save)["repair_ahead"] == {"stones": 100, "rule": "R-CRP-02"}, "90 Stones pay for none"
    assert (said(save)["crews_want"], said(save)["one_more_wants"]) == ({"able": 0, "needed": 2}, {"missing": 20})
    assert "fields_fewer" not in said(save)
    words = [stable_reason(one.code, one.parameters, {}) for one in first.reasons]
    assert "Your Stones make fewer crews than the next match takes: 1 of 2." in words
    assert "For one crew more you are short by 7 Stones." in words
    rich = advise(in_market(Means(220), terms=TEAM, market=market))
    assert not [one for one in rich if "crews_want" in said(one)]


def test_spare_crews_are_no_duty_and_leave_the_price_of_repairs() -> None:
    found = advise(in_market(Means(900)))
    spare = [one for one in of_deed(found, BUY) if not one.is_needed]
    assert "crew_in_reserve" in said(spare[0])
    assert spare[-1].left >= 200
    (save,) = of_deed(found, SAVE)
    assert save.stones == 200
    assert said(save)["repairs_ahead"] == {"stones": 100, "repairs": 2, "rule": "R-CRP-02"}


def test_a_pilot_alone_is_bought_for_a_unit_that_has_none() -> None:
    bought = of_deed(advise(in_market(Means(60, [fit("own")]))), BUY)
    own = next(one for one in MARKET.offers if str(one.unit["id"]) == "U-120")
    twin = OwnedUnit("own", own.unit, "undamaged")
    # Whether the market has another copy of the unit does not matter.
    for pilot_bought in (bought[0], of_deed(advise(in_market(Means(60, [twin]))), BUY)[0]):
        assert pilot_bought.kind == "pilot"
        assert {"crew_needed", "goes_with"} <= set(said(pilot_bought))
        assert said(pilot_bought)["goes_with"] == {"others": ["own"]}


def test_the_hand_gets_the_cards_that_the_own_dials_can_use_most() -> None:
    means = Means(900, [fit("own")], [driver("kai")])
    cards = [one for one in of_deed(advise(in_market(means)), BUY) if one.kind == "rally_card"]
    assert cards[0].key == "R-3"
    assert said(cards[0])["requirement_met"] == {"clicks": 8, "all": 10, "name": "own"}
    assert len({one.key for one in cards}) == len(cards) == ADVISER.rally_cards


def test_who_owes_hears_to_buy_nothing() -> None:
    assert of_deed(advise(in_market(Means(900), owed=10)), BUY) == []


def test_while_the_market_is_closed_nothing_is_bought() -> None:
    assert of_deed(advise(between_matches(Means(900))), BUY) == []


def test_in_an_emergency_the_cheapest_pilot_is_hired() -> None:
    hireable = (pilot("P-9", 30), pilot("P-7", 12))
    (hire,) = of_deed(advise(between_matches(Means(40, [fit("one")]), hireable=hireable)), HIRE)
    assert (hire.key, hire.stones, hire.left, hire.is_needed) == ("P-7", 12, 28, True)
    assert of_deed(advise(between_matches(Means(11, [fit("one")]), hireable=hireable)), HIRE) == []


# --- selling, mounting, keeping -----------------------------------------------------------------------------------


def test_what_no_match_can_use_and_second_copies_are_sold() -> None:
    heavy = owned("heavy", points=200, weight_class="heavy", dial=DIAL)
    cards = [held("c1", "R-1"), held("c2", "R-1"), held("c3", "R-2")]
    means = Means(10, [fit("one"), heavy], [driver("kai")], cards=cards)
    found = of_deed(advise(between_matches(means)), SELL)
    assert [(one.key, one.stones, one.left) for one in found] == [("heavy", 200, 210), ("c2", 10, 220)]
    assert said(found[0])["no_match_of_class"] == {"class": "heavy", "rule": "R-AST-07"}
    later = advise(between_matches(means, classes_to_come={"light", "heavy"}))
    assert [one.key for one in of_deed(later, SELL)] == ["c2"]
    assert of_deed(advise(between_matches(means, can_sell=False)), SELL) == []


def test_a_stable_without_a_crew_sells_what_pays_for_one() -> None:
    """Either pilot would drive the unit of 100 Stones; with these there is no need to sell anything."""
    means = Means(85, [], [driver("kai", 10), driver("ada", 20)], cards=[held("c1")])
    assert of_deed(advise(in_market(replace(means, capital=100))), SELL) == []
    found = of_deed(advise(in_market(means)), SELL)
    assert [one.key for one in found] == ["c1", "kai"], "the better pilot drives"
    assert all("pays_for_crew" in said(one) and one.is_needed for one in found)


def test_gear_on_the_list_is_put_on_a_unit_after_all_repairs() -> None:
    means = Means(400, [hurt("one", 4)], [driver("kai")], gear=[mounted("G-1")])
    found = advise(between_matches(means))
    (mount,) = of_deed(found, MOUNT)
    assert (mount.key, mount.unit) == ("G-1", "one")
    assert said(mount)["adds"] == {"modifiers": {"speed": 1}}
    deeds = [one.deed for one in found]
    assert deeds.index(MOUNT) > deeds.index(REPAIR)


def test_r_for_04_what_the_duty_to_field_depends_on_is_kept() -> None:
    means = Means(0, [fit("one")], [driver("kai"), driver("ada")])
    kept = of_deed(advise(between_matches(means)), KEEP)
    assert [one.key for one in kept] == ["one"]
    alone = of_deed(advise(between_matches(replace(means, pilots=[driver("kai")]))), KEEP)
    assert [one.key for one in alone] == ["one", "kai"]
    for one in alone:
        rest = replace(
            means,
            units=[unit for unit in means.units if unit.key != one.key],
            pilots=[pilot for pilot in (driver("kai"),) if pilot.key != one.key],
        )
        assert not crews(rest.units, rest.pilots, LIGHT)


def test_a_damaged_unit_is_not_called_to_be_kept_for_it_cannot_be_sold() -> None:
    kept = of_deed(advise(between_matches(Means(0, [hurt("one", 4)], [driver("kai")]))), KEEP)
    assert [one.key for one in kept] == ["kai"]


@pytest.mark.parametrize("capital", [0, 60, 150, 400, 1200])
@pytest.mark.parametrize("is_market", [True, False])
def test_the_stones_of_the_list_add_up_and_every_reason_has_its_words(capital: int, is_market: bool) -> None:
    units = [hurt("one", 4), hurt("two", 1, 140), owned("gone", "eliminated", 10, dial=DIAL)]
    means = Means(capital, units, [driver("kai")], [mounted("G-1")], [held("c1", "R-1"), held("c2", "R-1")])
    found = advise(in_market(means) if is_market else between_matches(means))
    left = capital
    for one in found:
        if one.deed == SELL:
            left += one.stones
        elif one.deed in (REPAIR, BUY, HIRE):
            left -= one.stones
        assert one.left == left >= 0
        values = {"name": one.key, "stones": one.stones, "unit": one.unit}
        lines = [deed_sentence(one.deed, values)]
        lines += [stable_reason(reason.code, reason.parameters, {}) for reason in one.reasons]
        assert not [line for line in lines if MISSING in line or "{" in line]
        assert one.reasons
    assert advise(in_market(means) if is_market else between_matches(means)) == found
