"""The catalogue that comes with the game: complete, within the printed ranges, and fair to look at."""

import math
from itertools import combinations, groupby
from typing import Any

import pytest

from rules.catalogue import load_builtin
from rules.catalogue.arena_checks import neighbours, within_reach
from rules.catalogue.vocabulary import (
    ARMORS,
    CLASS_CAPS,
    DIAL_VALUES,
    GEAR_SLOTS,
    HEAT_EFFECT_PLACES,
    STARTING_AREAS,
    UNIT_STATES,
)
from rules.core.building import build_problems
from rules.core.cards import RallyCardDefinition
from rules.core.equipment import EQUIPMENT
from rules.core.house_rules import HouseRules
from rules.core.pilot_costs import BASE_COST_ONLY
from rules.core.pilot_hooks import ABILITIES
from rules.core.rally_hooks import EFFECTS
from rules.core.units import PilotDefinition, TokenDefinition, UnitDefinition
from rules.core.words import ALLOWANCES

CATALOGUE = load_builtin()
UNITS = list(CATALOGUE.units.values())
ARENAS = list(CATALOGUE.arenas.values())
every_unit = pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit["id"])
every_arena = pytest.mark.parametrize("arena", ARENAS, ids=lambda arena: arena["id"])


def keys_on(unit: dict[str, Any], value: str) -> list[str]:
    return [click["equipment"].get(value) for click in unit["dial"]]


def mirrored(name: str) -> str:
    column, row = int(name[:2]), int(name[2:])
    return f"{12 - column:02d}{(16 if column % 2 else 15) - row:02d}"


@pytest.mark.parametrize("weight_class", CLASS_CAPS)
def test_each_class_has_three_units_and_five_pilots_to_choose_from(weight_class: str) -> None:
    assert sum(unit["class"] == weight_class for unit in UNITS) >= 3
    assert sum(weight_class in pilot["requires"]["class"] for pilot in CATALOGUE.pilots.values()) >= 5


@every_unit
def test_units_are_labelled_and_leave_room_for_a_pilot(unit: dict[str, Any]) -> None:
    assert unit["statistics"] == "house"
    assert unit["points"] + 25 <= CLASS_CAPS[unit["class"]]
    assert 10 <= unit["points"] / len(unit["dial"]) <= 13
    assert UnitDefinition.from_json(unit).points == unit["points"]


@every_unit
def test_values_stay_in_the_printed_ranges_and_fall(unit: dict[str, Any]) -> None:
    dial, length = unit["dial"], len(unit["dial"])
    assert 9 <= length <= 18
    assert 8 <= dial[0]["attack"] <= 11
    assert 17 <= dial[0]["defense"] <= 20
    assert dial[-1]["defense"] >= 15
    assert 7 <= dial[0]["speed"] <= 12
    assert dial[-1]["speed"] >= 4
    assert 2 <= dial[0]["primary"] <= 3
    assert 3 <= dial[0]["secondary"] <= 4
    for value in DIAL_VALUES:
        column = [click[value] for click in dial]
        assert column == sorted(column, reverse=True), value
    for value in ("attack", "defense"):
        runs = [len(list(same)) for _, same in groupby(click[value] for click in dial)]
        assert all(2 <= run <= 4 for run in runs[:-1]), (value, runs)


@every_unit
def test_weapons_equipment_markers_and_salvage_stand_where_printed_dials_have_them(unit: dict[str, Any]) -> None:
    dial, length = unit["dial"], len(unit["dial"])
    armed = {value: sum(click[value] > 0 for click in dial) for value in ("primary", "secondary")}
    assert math.floor(0.60 * length) <= armed["secondary"] <= math.ceil(0.67 * length)
    assert math.floor(0.80 * length) <= armed["primary"] <= math.ceil(0.83 * length)
    markers = [number for number, click in enumerate(dial, 1) if click["repair_marker"]]
    assert 2 <= len(markers) <= 3
    assert markers[0] >= 3
    assert markers[-1] <= 11
    salvage = [number for number, key in enumerate(keys_on(unit, "attack"), 1) if key == "salvage"]
    assert 1 <= len(salvage) <= 3
    assert salvage == list(range(length - len(salvage) + 1, length + 1))
    kinds = 0
    for value in DIAL_VALUES:
        coloured = [number for number, key in enumerate(keys_on(unit, value), 1) if key not in (None, "salvage")]
        if coloured:
            kinds += 1
            assert coloured == list(range(1, len(coloured) + 1)), value
            assert 0.26 <= len(coloured) / length <= 0.42, value
    assert kinds == 2


@every_unit
def test_heat_dials_are_free_at_first_and_then_bite(unit: dict[str, Any]) -> None:
    assert 2 <= unit["vent"] <= 3
    heat = unit["heat"]
    assert 5 <= len(heat) <= 6
    for step in heat[:2]:
        assert step == {"primary": 0, "secondary": 0, "speed": 0, "effects": {}}
    assert heat[-1]["effects"].get("speed")


def test_q_81_every_heat_effect_appears_somewhere() -> None:
    shown = {effect for unit in UNITS for step in unit["heat"] for effect in step["effects"].values()}
    assert shown == set(HEAT_EFFECT_PLACES)


def test_only_equipment_that_the_engine_plays_is_shipped() -> None:
    shipped = {key for unit in UNITS for value in DIAL_VALUES for key in keys_on(unit, value) if key}
    shipped |= {token["armor"] for token in CATALOGUE.target_tokens.values() if token["armor"]}
    assert all(not EQUIPMENT[key].is_inert for key in shipped)
    assert {"jump_jets", "evade", "hardened_armor", "improved_targeting", "command", "brawling"} <= shipped


def test_units_differ_in_range_types_arcs_and_ranks() -> None:
    types = {unit[value]["type"] for unit in UNITS for value in ("primary", "secondary")}
    assert types == {"ballistic", "energy", "melee"}
    assert {unit["front_arc"] for unit in UNITS} == {135, 180, 270, 360}
    assert {unit["rank"] for unit in UNITS} == {"green", "veteran", "elite", "unique"}


def test_r_plt_12_the_robinson_graduate_is_for_light_units_only() -> None:
    pilot = CATALOGUE.pilots["P-001"]
    assert pilot["name"] == "Robinson Battle Academy Graduate"
    assert pilot["requires"] == {"class": ["light"]}


def test_common_pilots_are_small() -> None:
    common = [pilot for pilot in CATALOGUE.pilots.values() if pilot["kind"] == "common"]
    assert len(common) == 20
    for pilot in common:
        assert pilot["statistics"] == "house"
        assert pilot["ability"] is None
        assert pilot["alternative"] is None
        assert 6 <= pilot["points"] <= 30
        assert pilot["modifiers"]
        assert all(abs(amount) <= 2 for amount in pilot["modifiers"].values())
        assert PilotDefinition.from_json(pilot).points == pilot["points"]


@pytest.mark.parametrize("kind", ["legendary", "gunslinger"])
def test_r_plt_05_r_plt_06_unique_pilots_have_a_unit_a_cost_and_an_ability_that_is_played(kind: str) -> None:
    pilots = [pilot for pilot in CATALOGUE.pilots.values() if pilot["kind"] == kind]
    assert len(pilots) == 12
    for pilot in pilots:
        unit = CATALOGUE.units[pilot["alternative"]["unit"]]
        assert pilot["statistics"] == "house"
        assert BASE_COST_ONLY[pilot["id"]] == pilot["name"]
        assert unit["set"] == "SOL"
        assert unit["class"] in pilot["requires"]["class"]
        assert 6 <= pilot["points"] < pilot["alternative"]["points"] <= 30
        assert build_problems(unit, pilot, unit["class"], HouseRules()) == []
        assert PilotDefinition.from_json(pilot).ability_on(unit["id"]) == pilot["ability"]


def test_r_plt_05_every_ability_belongs_to_one_pilot() -> None:
    abilities = [pilot["ability"] for pilot in CATALOGUE.pilots.values() if pilot["ability"]]
    assert sorted(abilities) == sorted(ABILITIES)


def test_r_hef_03_whoever_keeps_ammunition_cold_drives_a_unit_whose_ammunition_can_explode() -> None:
    pilot = next(one for one in CATALOGUE.pilots.values() if one["ability"] == "cold_magazine")
    heat = CATALOGUE.units[pilot["alternative"]["unit"]]["heat"]
    assert any("explosion" in effect for step in heat for effect in step["effects"].values())


def test_r_ger_02_every_gear_card_fits_a_unit_of_each_class_that_it_names() -> None:
    assert len(CATALOGUE.gear) >= 24
    for card in CATALOGUE.gear.values():
        assert card["statistics"] == "house"
        assert 6 <= card["points"] <= 25
        assert card["equipment"] or any(amount > 0 for amount in card["modifiers"].values())
        sides = ["primary", "secondary"] if card["slot"] == "either" else [None]
        declared = [{**card, "side": side} if side else card for side in sides]
        for weight_class in card["requires"]["class"]:
            assert any(
                unit["class"] == weight_class and not build_problems(unit, None, weight_class, HouseRules(), [one])
                for unit in UNITS
                for one in declared
            ), (card["id"], weight_class)


def test_r_ger_07_gear_gives_every_special_equipment_that_does_something_good() -> None:
    cards = list(CATALOGUE.gear.values())
    good = {key for key, row in EQUIPMENT.items() if not row.is_inert} - {"salvage"}
    assert {card["equipment"] for card in cards if card["equipment"]} == good
    assert {card["slot"] for card in cards} == set(GEAR_SLOTS)
    assert {word for card in cards for word in card.get("allows", ())} == set(ALLOWANCES)
    assert {card["requires"].get("type") for card in cards if card["slot"] == "either"} == {"ballistic", "energy"}


def test_r_ral_06_rally_cards_are_comebacks_that_some_unit_can_play_in_the_end() -> None:
    assert len(CATALOGUE.rally_cards) >= 18
    for card in CATALOGUE.rally_cards.values():
        assert card["statistics"] == "house"
        known = RallyCardDefinition.from_json(card)
        if known.value is not None:
            assert sum(unit["dial"][-1][known.value] < known.below for unit in UNITS) > len(UNITS) / 2, card["id"]
            assert not all(unit["dial"][0][known.value] < known.below for unit in UNITS), card["id"]
    effects = [card["ability"] for card in CATALOGUE.rally_cards.values()]
    assert sorted(effects) == sorted(EFFECTS)
    states = {card["requires"].get("state") for card in CATALOGUE.rally_cards.values()}
    assert states >= set(UNIT_STATES)


def test_r_bld_17_tokens_allow_many_threes_worth_exactly_thirty() -> None:
    tokens = list(CATALOGUE.target_tokens.values())
    assert len(tokens) >= 18
    for token in tokens:
        assert token["statistics"] == "house"
        assert token["else_rp"] <= token["rp"]
        assert 14 <= token["defense"] <= 19
        assert 5 <= token["rp"] <= 20
        assert 0 <= token["else_rp"] <= 10
        assert TokenDefinition.from_json(token).rp == token["rp"]
    threes = [three for three in combinations(tokens, 3) if sum(token["rp"] for token in three) == 30]
    assert len(threes) >= 50
    assert {token["id"] for three in threes for token in three} == set(CATALOGUE.target_tokens)
    assert {token["method"] for token in tokens} == {"ballistic", "energy", "melee"}
    assert {token["armor"] for token in tokens} == {None, *ARMORS}


@every_arena
def test_arenas_look_the_same_from_both_ends(arena: dict[str, Any]) -> None:
    assert {mirrored(name): terrain for name, terrain in arena["hexes"].items()} == arena["hexes"]
    for area in STARTING_AREAS:
        first, second = arena["starts"][area]
        assert mirrored(first) == second


@every_arena
def test_starting_areas_are_clear_and_lie_at_both_ends_in_the_same_order(arena: dict[str, Any]) -> None:
    for area in STARTING_AREAS:
        first, second = arena["starts"][area]
        assert first not in arena["hexes"]
        assert second not in arena["hexes"]
        assert int(first[2:]) <= 4
        assert int(second[2:]) >= 11


@every_arena
def test_r_ter_19_whoever_walks_can_come_to_every_hex_that_is_not_blocking(arena: dict[str, Any]) -> None:
    hexes = arena["hexes"]
    blocking = {name for name, terrain in hexes.items() if terrain.startswith("blocking")}
    for first, _ in arena["starts"].values():
        assert len(within_reach(hexes, first)) == 160 - len(blocking)


@every_arena
def test_starting_hexes_have_a_way_out_on_four_sides_or_more(arena: dict[str, Any]) -> None:
    for starts in arena["starts"].values():
        for start in starts:
            assert sum("blocking" not in arena["hexes"].get(near, "clear") for near in neighbours(start)) >= 4


def test_arenas_have_characters_of_their_own() -> None:
    kinds = {arena["id"]: list(arena["hexes"].values()) for arena in ARENAS}
    assert set(kinds) == {"plaza", "wildwood", "factory", "heights", "ruins", "docks", "gorge"}
    assert len(kinds["plaza"]) < 30
    assert sum(kind.startswith("hindering") for kind in kinds["wildwood"]) > 40
    assert kinds["factory"].count("blocking") > 20
    assert "clear+abrupt" in kinds["heights"]
    assert "clear+elevated" in kinds["heights"]
    assert "water" in kinds["heights"]
    assert min(kinds["ruins"].count(kind) for kind in ("blocking", "hindering", "clear+elevated")) > 10
    assert sorted(kinds, key=lambda key: kinds[key].count("water"))[-1] == "docks"
    assert kinds["docks"].count("water") > 25
    assert kinds["gorge"].count("clear+abrupt") > 10
    assert kinds["gorge"].count("clear+elevated") > 15


@pytest.mark.parametrize(
    ("name", "beside"),
    [
        ("0607", {"0606", "0707", "0708", "0608", "0508", "0507"}),
        ("0507", {"0506", "0606", "0607", "0508", "0407", "0406"}),
        ("0101", {"0102", "0201"}),
        ("0214", {"0213", "0114", "0115", "0314", "0315"}),
    ],
)
def test_neighbours_of_a_hex(name: str, beside: set[str]) -> None:
    assert set(neighbours(name)) == beside
