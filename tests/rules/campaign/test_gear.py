"""Gear and pilots on units between matches, and the bracket of a unit with its gear."""

from __future__ import annotations

from typing import Any

import pytest

from rules.campaign.garage.gear import ceiling_of, check_gear_moves, check_loadout, check_swap
from rules.campaign.garage.repair import ABLE, ELIMINATED, SALVAGE, UNDAMAGED, repair_cost, repair_points
from rules.campaign.market.prices import check_sale
from rules.solaris.house_rules import HouseRules

UNIT = {
    "id": "U-1",
    "name": "Grunt",
    "variant": "GRN-1-L",
    "class": "light",
    "rank": "green",
    "points": 120,
    "primary": {"type": "ballistic", "targets": 1, "range": [0, 8]},
    "secondary": {"type": "energy", "targets": 1, "range": [0, 8]},
}
PILOT = {"id": "P-1", "name": "Grad", "kind": "common", "points": 10, "requires": {"class": ["light"]}, "modifiers": {}}


def gear(slot: str = "speed", points: int = 10, **keys: Any) -> dict[str, Any]:
    found = {"id": "G-1", "name": "Thing", "points": points, "slot": slot, "modifiers": {}, "equipment": None}
    return {**found, "requires": {"class": ["light"]}, **keys}


def codes(*cards: dict[str, Any], pilot: Any = None, state: str = UNDAMAGED, **rules: Any) -> list[str]:
    return [one.code for one in check_loadout(UNIT, state, pilot, cards, HouseRules(**rules))]


@pytest.mark.parametrize(
    ("points", "expected"), [pytest.param(30, [], id="160"), pytest.param(31, ["over_build_total"], id="161")]
)
def test_r_ast_10_a_swap_stays_within_the_build_total(points: int, expected: list[str]) -> None:
    assert codes(gear(points=points), pilot=PILOT) == expected


def test_r_ast_10_the_house_rule_of_the_build_total_holds_in_the_garage_too() -> None:
    assert codes(gear(points=31), pilot=PILOT, build_total=161) == []
    assert codes(gear(points=5), build_total=124) == ["over_build_total"]
    assert (ceiling_of(UNIT, HouseRules()), ceiling_of(UNIT, HouseRules(build_total=99))) == (160, 99)


def test_q_114_where_the_team_has_one_total_the_garage_has_none() -> None:
    assert codes(gear(points=200), build_total=300, build_total_per="team") == []
    assert ceiling_of(UNIT, HouseRules(build_total=300, build_total_per="team")) is None


def test_requirements_slots_and_values_are_asked_in_the_garage() -> None:
    assert codes(gear(requires={"class": ["heavy"]})) == ["gear_requires_class"]
    assert codes(gear("speed"), gear("attack"), pilot=PILOT) == ["too_many_cards"]
    assert codes(gear("speed"), gear("speed")) == ["gear_on_same_value"]
    assert codes(gear("speed"), gear("attack")) == []
    assert codes(pilot={**PILOT, "requires": {"class": ["heavy"]}}) == ["pilot_requirement"]


def test_r_ger_05_two_sided_gear_needs_its_side() -> None:
    assert codes(gear("either")) == ["gear_side_missing"]
    assert codes(gear("either", side="primary")) == []


def test_r_crp_08_an_eliminated_unit_takes_nothing_and_its_gear_is_locked() -> None:
    assert codes(gear(), state=ELIMINATED) == ["unit_eliminated"]
    assert codes(gear(), state=SALVAGE) == []
    assert [one.code for one in check_gear_moves("Thing", "Grunt", ELIMINATED)] == ["gear_locked"]
    assert check_gear_moves("Thing", "Grunt", SALVAGE) == []
    assert [one.code for one in check_sale("gear", "Thing", ELIMINATED, "Grunt")] == ["gear_locked"]
    assert check_sale("gear", "Thing", ABLE, "Grunt") == []


def test_r_crp_12_the_pilot_of_an_eliminated_unit_is_free() -> None:
    assert check_sale("pilot", "Grad", ELIMINATED, "Grunt") == []


def test_r_ast_11_the_first_swap_names_the_damaged_and_wants_to_be_confirmed() -> None:
    (problem,) = check_swap(["Grunt", "Hellion"], repairs_are_over=False, is_confirmed=False)
    assert (problem.code, problem.parameters["units"]) == ("repairs_would_end", ["Grunt", "Hellion"])
    assert check_swap(["Grunt"], repairs_are_over=False, is_confirmed=True) == []
    assert check_swap(["Grunt"], repairs_are_over=True, is_confirmed=False) == []
    assert check_swap([], repairs_are_over=False, is_confirmed=False) == []


def test_r_crp_02_the_bracket_counts_gear_and_no_pilot() -> None:
    assert repair_points(UNIT) == 120
    assert repair_points(UNIT, [gear(points=20), gear(points=20)]) == 160
    assert repair_cost(repair_points(UNIT, [gear(points=41)]), ABLE) == 75
    assert repair_cost(repair_points(UNIT, [gear(points=40)]), ABLE) == 50
