"""Where gear goes: with the crew that it was bought for, and never so that a crew is over its limit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.bots.owners.advice import ADVISER
from rules.bots.owners.characters import BALANCED
from rules.bots.owners.garage import choose_gear
from rules.bots.owners.mountings import choose_mountings
from rules.bots.owners.plans import Plan, plan_of
from rules.bots.owners.shopping import FOR_UNIT
from rules.bots.owners.wares import Market, Means
from rules.campaign.line_ups.checks import MatchTerms, OwnedPilot, OwnedUnit
from tests.rules.campaign.cards import driver, gear, mounted, owned, pilot, unit

LIGHT = MatchTerms("light")


def placed(means: Means, plan: Plan | None = None) -> dict[str, str]:
    found = choose_mountings(means, LIGHT, plan or Plan(means))
    assert len({one.unit for one in found}) == len(found)
    return {one.gear: one.unit for one in found}


def test_whole_crews_are_weighed_where_each_unit_by_itself_would_have_room() -> None:
    """The big one has room for the cheap pilot alone; so the small one takes the dear one, and hardly any gear."""
    units, pilots = [owned("big", points=140), owned("small", points=130)], [driver("cheap", 10), driver("dear", 25)]
    means = Means(0, units, pilots, [mounted("fifteen", 15)])
    assert [(one.gear, one.unit) for one in choose_gear(means, LIGHT)] == [("fifteen", "small")]
    assert placed(means) == {}
    assert placed(replace(means, gear=[mounted("fifteen", 15), mounted("five", 5)])) == {"five": "big"}
    assert placed(replace(means, gear=[mounted("ten", 10), mounted("five", 5)])) == {"ten": "big", "five": "small"}


def test_a_unit_without_a_pilot_of_its_own_takes_what_has_ended() -> None:
    units = [owned("big", points=138), owned("small", points=130)]
    means = Means(0, units, [driver("one", 10)], [mounted("twelve", 12), mounted("ten", 10)])
    assert placed(means) == {"twelve": "big", "ten": "small"}
    assert placed(Means(0, units, [], [mounted("twelve", 12)])) == {}


def test_what_sits_on_a_unit_stays_there_and_the_eliminated_take_nothing() -> None:
    units = [owned("laden", gear=(mounted("there"),)), owned("gone", "eliminated", 10)]
    means = Means(0, units, [driver("one", 10)], [mounted("there"), mounted("loose")])
    assert placed(means) == {}


@pytest.mark.parametrize("count", [5, 9])
def test_a_large_stable_is_weighed_in_time(count: int) -> None:
    units = [owned(f"u{number}", points=120 + number) for number in range(count)]
    pilots = [driver(f"p{number}", 10 + number) for number in range(count)]
    cards = [mounted(f"g{number}", 5 + number) for number in range(count)]
    found = placed(Means(0, units, pilots, cards))
    assert len(found) >= 5


MARKET = Market.of(
    [unit(f"U-{points}", points) for points in (120, 140)],
    [pilot("P-1", 10)],
    [gear("G-10", 10), gear("G-5", 5)],
    [],
    LIGHT,
)


def units_that_get_gear(means: Means) -> list[str]:
    plan = plan_of(means, MARKET, LIGHT, BALANCED)
    return [one.beside[0] for one in plan.purchases if one.purpose == FOR_UNIT]


def test_no_gear_is_bought_that_would_stay_at_home_beside_the_pilot_who_is_left() -> None:
    """Both units have room beside the cheap pilot, and he drives one of them."""
    units = [owned("one", points=135), owned("two", points=135)]
    assert units_that_get_gear(Means(900, units, [driver("a", 10), driver("b", 10)])) == ["one", "two"]
    assert len(units_that_get_gear(Means(900, units, [driver("cheap", 10), driver("dear", 25)]))) == 1


def test_a_plan_is_found_again_by_what_was_bought_last_and_ends_where_something_else_was_bought() -> None:
    means = Means(900)
    plan = plan_of(means, MARKET, LIGHT, ADVISER)
    first = plan.purchases[0]
    definition = next(offer.unit for offer in MARKET.offers if str(offer.unit["id"]) == first.key)
    after = Means(900 - int(definition["points"]), [OwnedUnit("new", definition, "undamaged")])
    again = plan_of(after, MARKET, LIGHT, ADVISER, ["new"])
    assert again.purchases == plan.purchases
    assert (again.owned[0], set(again.owned[1:])) == ("new", {""})
    assert [one.beside for one in again.purchases] == [one.beside for one in plan.purchases]
    other = Means(after.capital - 99, after.units, [OwnedPilot("stray", pilot("P-99", 99))])
    assert plan_of(other, MARKET, LIGHT, ADVISER, ["new", "stray"]).keys == frozenset()


def test_a_unit_that_came_to_harm_is_no_purchase_of_this_day() -> None:
    definition = next(offer.unit for offer in MARKET.offers)
    hurt = Means(700, [OwnedUnit("old", definition, "able", 2)])
    assert plan_of(hurt, MARKET, LIGHT, ADVISER, ["old"]).keys == frozenset()
