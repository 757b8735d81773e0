"""The house list of 'Mechs and the costs in it, worked out again by the construction formula."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.challenge.book_cost import BookCost, Design, book_cost, prices
from rules.challenge.mech_list import house_list
from rules.challenge.mechs import FLAGS
from rules.challenge.quotes.trade import purchase_quote
from rules.challenge.state import START, Event, Pilot
from rules.challenge.tables import read_data

ROWS = {row["id"]: row for row in read_data("mechs")["rows"]}
UPPER_ARMS = {"upper_arm": 2}
NO_HANDS = {"upper_arm": 2, "lower_arm": 2}
LOCUST = {"rating": 160, "arms": UPPER_ARMS}
FIFTY_FIVE = {"rating": 275, "heat_sinks": 12}


def design(tons: int, armor: str, items: dict[str, int], **others: object) -> Design:
    return Design(tons=tons, armor=Fraction(armor), items=items, **others)  # type: ignore[arg-type]


DESIGNS = {
    "locust_lct_1v": design(20, "4", {"medium_laser": 1, "machine_gun": 2, "machine_gun_ammunition": 1}, **LOCUST),
    "locust_lct_1e": design(20, "4", {"medium_laser": 2, "small_laser": 2}, **LOCUST),
    "locust_lct_1s": design(20, "3", {"medium_laser": 1, "srm_2": 2, "srm_ammunition": 1}, **LOCUST),
    "locust_lct_1m": design(20, "1", {"medium_laser": 1, "lrm_5": 2, "lrm_ammunition": 1}, **LOCUST),
    "stinger_stg_3r": design(
        20, "3", {"medium_laser": 1, "machine_gun": 2, "machine_gun_ammunition": 1}, rating=120, jump=6
    ),
    "stinger_stg_3g": design(20, "4", {"medium_laser": 2}, rating=120, jump=6),
    "wasp_wsp_1a": design(20, "3", {"medium_laser": 1, "srm_2": 1, "srm_ammunition": 1}, rating=120, jump=6),
    "wasp_wsp_1d": design(20, "3", {"medium_laser": 1, "small_laser": 2, "flamer": 1}, rating=120, jump=6),
    "wasp_wsp_1k": design(
        20, "3.5", {"medium_laser": 1, "machine_gun": 1, "machine_gun_ammunition": 1}, rating=120, jump=6
    ),
    "commando_com_2d": design(
        25, "4", {"medium_laser": 1, "srm_4": 1, "srm_6": 1, "srm_ammunition": 2}, rating=150
    ),
    "commando_com_1b": design(
        25, "4", {"medium_laser": 1, "large_laser": 1, "srm_2": 1, "srm_ammunition": 1}, rating=150
    ),
    "commando_com_3a": design(
        25, "3", {"medium_laser": 1, "flamer": 1, "srm_6": 2, "srm_ammunition": 1}, rating=150
    ),
    "javelin_jvn_10n": design(30, "4", {"srm_6": 2, "srm_ammunition": 2}, rating=180, jump=6),
    "javelin_jvn_10f": design(30, "8", {"medium_laser": 4}, rating=180, jump=6),
    "spider_sdr_5v": design(30, "3.5", {"medium_laser": 2}, rating=240, jump=8),
    "spider_sdr_5d": design(30, "3.5", {"medium_laser": 1, "flamer": 1}, rating=240, jump=8),
    "spider_sdr_5k": design(
        30, "3.5", {"medium_laser": 1, "machine_gun": 2, "machine_gun_ammunition": 1}, rating=240, jump=6
    ),
    "urbanmech_um_r60": design(
        30, "6", {"ac_10": 1, "small_laser": 1, "ac_10_ammunition": 1}, rating=60, jump=2, heat_sinks=11,
        arms=UPPER_ARMS,
    ),
    "urbanmech_um_r60l": design(
        30, "4", {"ac_20": 1, "small_laser": 1, "ac_20_ammunition": 1}, rating=60, jump=2, heat_sinks=11,
        arms=UPPER_ARMS,
    ),
    "valkyrie_vlk_qa": design(
        30, "6", {"lrm_10": 1, "medium_laser": 1, "lrm_ammunition": 1}, rating=150, jump=5, heat_sinks=11
    ),
    "panther_pnt_9r": design(35, "6.5", {"ppc": 1, "srm_4": 1, "srm_ammunition": 1}, rating=140, jump=4, heat_sinks=13),
    "jenner_jr7_d": design(
        35, "4", {"medium_laser": 4, "srm_4": 1, "srm_ammunition": 1}, rating=245, jump=5, arms=UPPER_ARMS
    ),
    "jenner_jr7_f": design(35, "7", {"medium_laser": 4}, rating=245, jump=5, arms=UPPER_ARMS),
    "firestarter_fs9_h": design(
        35, "5.5", {"medium_laser": 2, "machine_gun": 2, "flamer": 4, "machine_gun_ammunition": 1}, rating=210, jump=6,
        arms=NO_HANDS,
    ),
    "hatchetman_hct_3f": design(
        45, "6.5", {"ac_10": 1, "medium_laser": 2, "ac_10_ammunition": 2, "hatchet": 1, "full_head_ejection": 1},
        rating=180, jump=4, heat_sinks=11,
    ),
    "hunchback_hbk_4g": design(
        50, "10", {"ac_20": 1, "medium_laser": 2, "small_laser": 1, "ac_20_ammunition": 2}, rating=200, heat_sinks=13
    ),
    "shadow_hawk_shd_2h": design(
        55, "9.5",
        {"ac_5": 1, "lrm_5": 1, "srm_2": 1, "medium_laser": 1, "ac_5_ammunition": 1, "lrm_ammunition": 1,
         "srm_ammunition": 1}, jump=3, **FIFTY_FIVE,
    ),
    "wolverine_wvr_6r": design(
        55, "9.5", {"ac_5": 1, "srm_6": 1, "medium_laser": 1, "ac_5_ammunition": 1, "srm_ammunition": 1}, jump=5,
        **FIFTY_FIVE,
    ),
    "griffin_grf_1n": design(55, "9.5", {"ppc": 1, "lrm_10": 1, "lrm_ammunition": 2}, jump=5, **FIFTY_FIVE),
    "scorpion_scp_1n": design(55, "7", {"ppc": 1, "srm_6": 1, "srm_ammunition": 1}, rating=330, legs=4),
    "atlas_as7_d": design(
        100, "19",
        {"ac_20": 1, "lrm_20": 1, "srm_6": 1, "medium_laser": 4, "ac_20_ammunition": 2, "lrm_ammunition": 2,
         "srm_ammunition": 1}, rating=300, heat_sinks=20,
    ),
    "atlas_as7_c": design(
        100, "19",
        {"gauss_rifle": 1, "lrm_20": 1, "er_large_laser": 2, "medium_pulse_laser": 1, "anti_missile_system": 1,
         "c3_slave": 1, "case": 2, "gauss_ammunition": 2, "lrm_ammunition": 2, "anti_missile_ammunition": 1},
        rating=300, engine="xl", heat_sinks=21, heat_sink="double",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DESIGNS)
def test_the_formula_gives_the_cost_of_the_list(name: str) -> None:
    assert book_cost(DESIGNS[name]) == BookCost(house_list()[name].cost)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        (
            "catapult_cplt_c1",
            design(65, "10", {"lrm_15": 2, "medium_laser": 4, "lrm_ammunition": 2}, rating=260, jump=4, heat_sinks=15,
                   arms=UPPER_ARMS),
        ),
        (
            "blackjack_bj_1",
            design(45, "8.5", {"ac_2": 2, "medium_laser": 4, "ac_2_ammunition": 1}, rating=180, jump=4, heat_sinks=11,
                   arms=UPPER_ARMS),
        ),
    ],
)  # fmt: skip
def test_prices_that_files_need_give_published_costs(name: str, found: Design) -> None:
    assert book_cost(found) == BookCost(house_list()[name].cost)


def test_the_list_says_which_costs_were_worked_out() -> None:
    assert {name for name, row in ROWS.items() if row["basis"] != "published"} == set(DESIGNS)
    assert {row["basis"] for row in ROWS.values()} == {"both", "published", "formula"}


def test_a_price_that_no_published_cost_confirms_is_a_house_price() -> None:
    """MCQ-MECH-01."""
    for row in read_data("prices")["rows"]:
        assert row["source"].startswith("House price") is ("agrees" not in row), row["part"]


def test_a_part_without_a_price_makes_the_cost_unknown() -> None:
    strange = design(20, "4", {"medium_laser": 1, "plasma_cannon": 1}, rating=160)
    assert book_cost(strange) == BookCost(None, ("plasma_cannon",))


def test_an_omni_costs_a_quarter_more() -> None:
    plain, omni = (design(20, "4", {}, rating=160, omni=omni) for omni in (False, True))
    costs = [book_cost(each).c_bills or 0 for each in (plain, omni)]
    assert costs[1] * 4 == costs[0] * 5


def test_each_price_has_a_source_and_names_designs_that_were_compared() -> None:
    models = {row["model"] for name, row in ROWS.items() if row["basis"] == "both"}
    for row in read_data("prices")["rows"]:
        assert row["source"]
        assert set(row.get("agrees", ())) <= models
    assert all(price.c_bills > 0 for price in prices().values())


def test_the_list_is_the_house_list() -> None:
    data = read_data("mechs")
    assert data["list"] == "House list, change it"
    assert data["source"] == "Published statistics, cost by construction formula"
    assert len(house_list()) == len(data["rows"]) == 67


def test_rows_are_sound() -> None:
    for model in house_list().values():
        assert 20 <= model.tons <= 100
        assert model.tons % 5 == 0
        assert model.run == (model.walk * 3 + 1) // 2
        assert model.cost > 1_000_000
        assert model.flags <= set(FLAGS)
        assert model.omni is model.is_clan


@pytest.mark.parametrize(("loan", "count"), [(0, 22), (200_000, 27)])
def test_a_new_pilot_can_afford_twenty_and_more_with_the_loan(loan: int, count: int) -> None:
    event, pilot = Event(), Pilot("ross", "ross")
    money = START.c_bills + loan
    assert sum(purchase_quote(event, pilot, model).c_bills <= money for model in house_list().values()) == count


def test_each_flag_that_a_price_asks_for_is_on_the_list() -> None:
    flags = set().union(*(model.flags for model in house_list().values()))
    assert {"targeting_computer", "ecm", "c3", "melee_weapon"} <= flags
