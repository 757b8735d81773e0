"""Capital, prices, repair brackets and purses: the tables of the rulebook, cell by cell."""

from __future__ import annotations

import pytest

from rules.campaign.capital import starting_capital
from rules.campaign.classes import WEIGHT_CLASSES, draw_class_order, matches_per_cycle
from rules.campaign.garage.repair import (
    ABLE,
    ELIMINATED,
    SALVAGE,
    UNDAMAGED,
    compulsory_repairs,
    must_sit_out,
    repair_cost,
    unit_state,
)
from rules.campaign.market.prices import BuyerState, check_purchase, check_sale, is_offered, price_of
from rules.campaign.season.settings import SeasonSettings
from rules.campaign.standings import purses
from rules.core.dice import SeededDice

HELLION = {"id": "SOL002", "name": "Hellion", "rank": "unique", "points": 128}
GRUNT = {"id": "HSE001", "name": "Grunt", "rank": "green", "points": 90}


@pytest.mark.parametrize(
    ("season_class", "stones"), [("light", 1000), ("medium", 1500), ("heavy", 2000), ("assault", 2500), ("multi", 3000)]
)
def test_r_stb_01_starting_capital(season_class: str, stones: int) -> None:
    assert starting_capital(season_class) == stones


@pytest.mark.parametrize("weight_class", WEIGHT_CLASSES)
def test_r_stb_02_in_a_season_of_one_class_every_match_is_of_that_class(weight_class: str) -> None:
    settings = SeasonSettings(weight_class)
    assert {settings.class_of(cycle) for cycle in range(1, 7)} == {weight_class}


@pytest.mark.parametrize(
    ("kind", "definition", "stones"),
    [
        pytest.param("unit", HELLION, 128, id="R-AST-01-unit"),
        pytest.param("rally_card", {"id": "R-003"}, 10, id="R-AST-01-rally-card"),
        pytest.param("pilot", {"points": 15, "alternative": {"points": 25, "unit": "SOL002"}}, 15, id="R-AST-05-D-51"),
        pytest.param("gear", {"points": [8, 12]}, 12, id="R-AST-06"),
    ],
)
def test_r_ast_01_05_06_price(kind: str, definition: dict[str, object], stones: int) -> None:
    assert price_of(kind, definition) == stones


@pytest.mark.parametrize(
    ("definition", "shelf", "codes"),
    [
        pytest.param(HELLION, BuyerState(128, 0, ()), [], id="R-AST-12-last-stone"),
        pytest.param(HELLION, BuyerState(127, 0, ()), ["capital_too_small"], id="R-AST-12-one-missing"),
        pytest.param(HELLION, BuyerState(500, 0, ("SOL002",)), ["unique_already_owned"], id="R-AST-13"),
        pytest.param(GRUNT, BuyerState(500, 0, ("HSE001",)), [], id="Q-161-non-unique-again"),
        pytest.param(GRUNT, BuyerState(500, 1, ()), ["stable_owes"], id="owed"),
        pytest.param(GRUNT, BuyerState(500, 0, (), count=49), [], id="the-fiftieth"),
        pytest.param(GRUNT, BuyerState(500, 0, (), count=50), ["too_many_assets"], id="one-more"),
    ],
)
def test_r_ast_12_13_purchase(definition: dict[str, object], shelf: BuyerState, codes: list[str]) -> None:
    assert [problem.code for problem in check_purchase("unit", definition, shelf)] == codes


def test_r_cec_02_gear_of_another_game_is_not_sold() -> None:
    gear = {"id": "G-1", "name": "R.I.S.C. Laser", "points": 8}
    assert [problem.code for problem in check_purchase("gear", gear, BuyerState(500, 0, ()))] == ["gear_not_compatible"]
    assert check_purchase("gear", {**gear, "name": "Laser"}, BuyerState(8, 0, ())) == []
    assert not is_offered("gear", gear, "house")


def test_r_dth_02_a_dead_pilot_is_not_bought_again() -> None:
    pilot = {"id": "P-1", "name": "Grad", "kind": "common", "points": 8}
    assert [one.code for one in check_purchase("pilot", pilot, BuyerState(500, 0, (), {"P-1"}))] == ["pilot_died"]
    assert check_purchase("pilot", pilot, BuyerState(500, 0, (), {"P-2"})) == []
    assert check_purchase("unit", GRUNT, BuyerState(500, 0, (), {"HSE001"})) == []


@pytest.mark.parametrize(
    ("shelf", "codes"),
    [
        pytest.param(BuyerState(500, 0, (), (), False, {"SOL002"}), [], id="R-AST-13-two-stables"),
        pytest.param(BuyerState(500, 0, (), (), True, {"SOL002"}, True), ["unique_taken"], id="Q-161-taken"),
        pytest.param(BuyerState(500, 0, (), (), True), ["unique_by_basket"], id="Q-161-direct"),
        pytest.param(BuyerState(500, 0, (), (), True, (), True), [], id="Q-161-by-basket"),
        pytest.param(
            BuyerState(500, 0, ("SOL002",), (), True, (), True), ["unique_already_owned"], id="Q-161-a-second-copy"
        ),
    ],
)
def test_q_161_a_unique_that_is_there_once(shelf: BuyerState, codes: list[str]) -> None:
    assert [problem.code for problem in check_purchase("unit", HELLION, shelf)] == codes
    assert check_purchase("unit", GRUNT, shelf) == []


@pytest.mark.parametrize(
    ("state", "codes"),
    [(UNDAMAGED, []), (ABLE, ["damaged_unit_not_for_sale"]), (ELIMINATED, ["damaged_unit_not_for_sale"])],
)
def test_r_ast_09_damaged_units_are_not_sold(state: str, codes: list[str]) -> None:
    assert [problem.code for problem in check_sale("unit", "Hellion", state)] == codes


@pytest.mark.parametrize(
    ("points", "costs"),
    [
        pytest.param(1, (50, 75, 100), id="R-CRP-03-lowest"),
        pytest.param(160, (50, 75, 100), id="R-CRP-03-D-49"),
        pytest.param(161, (75, 100, 125), id="R-CRP-04-lowest"),
        pytest.param(210, (75, 100, 125), id="R-CRP-04"),
        pytest.param(275, (100, 150, 175), id="R-CRP-05-D-49"),
        pytest.param(280, (100, 150, 175), id="R-CRP-05"),
        pytest.param(345, (150, 200, 225), id="R-CRP-06-D-49"),
        pytest.param(350, (150, 200, 225), id="R-CRP-06"),
        pytest.param(420, (150, 200, 225), id="Q-130-above"),
    ],
)
def test_r_crp_02_to_06_repair_brackets(points: int, costs: tuple[int, int, int]) -> None:
    assert tuple(repair_cost(points, state) for state in (ABLE, SALVAGE, ELIMINATED)) == costs
    assert repair_cost(points, UNDAMAGED) == 0


@pytest.mark.parametrize(
    ("clicks", "eliminated", "state"),
    [
        (0, False, UNDAMAGED),
        (1, False, ABLE),
        (2, False, SALVAGE),
        (3, False, SALVAGE),
        (4, False, ELIMINATED),
        (0, True, ELIMINATED),
    ],
)
def test_r_crp_11_state_of_a_unit(clicks: int, eliminated: bool, state: str) -> None:
    dial = [
        {"equipment": {}},
        {"equipment": {"speed": "jump_jets"}},
        {"equipment": {"attack": "salvage"}},
        {"equipment": {"attack": {"key": "salvage"}}},
    ]
    assert unit_state(dial, clicks, eliminated) == state


def test_q_132_sits_out_only_after_an_elimination_within_a_cycle() -> None:
    assert [must_sit_out(ELIMINATED, False), must_sit_out(ELIMINATED, True), must_sit_out(SALVAGE, False)] == [
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("capital", "priority", "repaired"),
    [
        pytest.param(300, ["b", "a"], ["b", "a", "c"], id="all-affordable"),
        pytest.param(100, ["b", "a"], ["b"], id="owner-order"),
        pytest.param(60, ["b", "a"], ["a"], id="too-dear-is-passed-over"),
        pytest.param(130, ["sold"], ["a", "c"], id="unnamed-by-price"),
        pytest.param(10, [], [], id="nothing-affordable"),
    ],
)
def test_q_131_compulsory_repairs(capital: int, priority: list[str], repaired: list[str]) -> None:
    assert compulsory_repairs({"a": 50, "b": 100, "c": 75}, priority, capital) == repaired


PRINTED = {
    ("standard", 4): "F 400 325 250 200; L 450 375 300 250; M 500 450 400 350; H 600 550 500 450",
    (
        "standard",
        6,
    ): "F 400 350 300 250 225 200; L 450 400 350 325 275 250; M 500 475 425 400 375 350; H 600 575 525 500 475 450",
    ("standard", 8): "F 400 370 340 310 270 250 230 200; L 450 410 380 360 320 300 280 250; "
    "M 500 475 455 435 415 380 360 350; H 600 575 555 535 515 480 460 450",
    ("team", 4): "F 550 500 450 400; L 750 690 595 500; M 950 890 795 700; H 1200 1100 1000 900",
    (
        "team",
        6,
    ): "F 550 520 490 460 430 400; L 750 700 650 600 550 500; M 950 900 850 800 750 700; H 1200 1150 1100 1025 950 900",
    ("team", 8): "F 550 525 500 480 460 440 420 400; L 750 720 685 660 625 575 530 500; "
    "M 950 920 885 860 825 775 730 700; H 1200 1160 1120 1060 1020 980 940 900",
}
ROWS = [
    (format_name, stables, weight_class, [int(cell) for cell in row.split()[1:]])
    for (format_name, stables), text in PRINTED.items()
    for weight_class, row in zip(WEIGHT_CLASSES, text.split(";"), strict=True)
]


@pytest.mark.parametrize(("format_name", "stables", "weight_class", "row"), ROWS)
def test_r_pur_02_to_07_every_cell(format_name: str, stables: int, weight_class: str, row: list[int]) -> None:
    """R-PUR-02, R-PUR-03, R-PUR-04, R-PUR-05, R-PUR-06, R-PUR-07: typed in a second time, as the index prints them."""
    assert [purses.purse(format_name, weight_class, stables, place) for place in range(1, stables + 1)] == row


@pytest.mark.parametrize(
    ("format_name", "weight_class", "stables", "place", "stones"),
    [
        pytest.param("team", "assault", 6, 4, 1025, id="D-53-heavyweight-team"),
        pytest.param("standard", "light", 4, 2, 325, id="D-53-featherweight"),
        pytest.param("tag_team", "heavy", 8, 7, 730, id="D-53-middleweight-tag"),
        pytest.param("capture_the_flag", "light", 4, 1, 400, id="Q-128-flag"),
        pytest.param("grand_melee", "light", 4, 1, 400, id="Q-128-melee"),
        pytest.param("standard", "light", 5, 5, 225, id="Q-127-five"),
        pytest.param("standard", "light", 7, 7, 230, id="Q-127-seven"),
        pytest.param("standard", "light", 3, 3, 250, id="Q-127-three"),
        pytest.param("standard", "light", 2, 2, 325, id="Q-127-two"),
    ],
)
def test_r_pur_01_purse_by_place(format_name: str, weight_class: str, stables: int, place: int, stones: int) -> None:
    assert purses.purse(format_name, weight_class, stables, place) == stones


@pytest.mark.parametrize("place", [-1, 0, 5])
def test_a_place_that_the_table_lacks_has_no_purse(place: int) -> None:
    with pytest.raises(ValueError, match="no purse for place"):
        purses.purse("standard", "light", 4, place)


def test_q_02_the_printed_row_is_selectable() -> None:
    assert purses.purse_row("team", "medium", 4, "printed") == (750, 500, 450, 500)
    assert purses.purse_row("team", "medium", 4) == (750, 690, 595, 500)


@pytest.mark.parametrize("stables", [4, 6, 8])
def test_r_pur_08_lightweight_team_is_middleweight_less_200(stables: int) -> None:
    light, middle = purses.purse_row("team", "medium", stables), purses.purse_row("team", "heavy", stables)
    assert [theirs - ours for ours, theirs in zip(light, middle, strict=True)] == [200] * stables


@pytest.mark.parametrize("stables", [1, 9])
def test_q_159_no_table_for_other_fields(stables: int) -> None:
    with pytest.raises(ValueError, match="no purse table"):
        purses.purse_row("standard", "light", stables)


@pytest.mark.parametrize(("stables", "rounds"), [(2, 3), (4, 3), (5, 3), (6, 3), (7, 4), (8, 4)])
def test_r_cyc_03_q_150_matches_per_cycle(stables: int, rounds: int) -> None:
    assert matches_per_cycle("standard", stables) == rounds
    assert matches_per_cycle("grand_melee", stables) == 1


@pytest.mark.parametrize("seed", range(20))
def test_q_160_no_class_repeats_until_all_have_come_up(seed: int) -> None:
    order = draw_class_order(6, SeededDice(seed))
    assert set(order[:4]) == set(WEIGHT_CLASSES)
    assert len(set(order[4:])) == 2
