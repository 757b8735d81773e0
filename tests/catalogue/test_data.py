"""The catalogue that comes with the game beside its units: complete, and fair to look at."""

from itertools import combinations
from typing import Any

import pytest

from rules.catalogue import load_builtin
from rules.catalogue.arena_checks import neighbours, within_reach
from rules.core.equipment import EQUIPMENT
from rules.core.pilot_costs import BASE_COST_ONLY
from rules.core.pilot_hooks import ABILITIES
from rules.core.units import PilotDefinition
from rules.core.words import ALLOWANCES, ARMORS, CLASS_CAPS, GEAR_SLOTS, RANGE_TYPES
from rules.core.words import STATES as UNIT_STATES
from rules.solaris.building import build_problems
from rules.solaris.cards import RallyCardDefinition
from rules.solaris.house_rules import HouseRules
from rules.solaris.rally_hooks import EFFECTS
from rules.solaris.tokens import TokenDefinition

CATALOGUE = load_builtin()
STARTING_AREAS = ("A", "B", "C")
UNITS = list(CATALOGUE.units.values())
ARENAS = list(CATALOGUE.arenas.values())
every_arena = pytest.mark.parametrize("arena", ARENAS, ids=lambda arena: arena["id"])


def mirrored(name: str) -> str:
    column, row = int(name[:2]), int(name[2:])
    return f"{12 - column:02d}{(16 if column % 2 else 15) - row:02d}"


@pytest.mark.parametrize("weight_class", CLASS_CAPS)
def test_each_class_has_five_pilots_to_choose_from(weight_class: str) -> None:
    assert sum(weight_class in pilot["requires"]["class"] for pilot in CATALOGUE.pilots.values()) >= 5


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
    preferred = [pilot["alternative"]["unit"] for pilot in CATALOGUE.pilots.values() if pilot["alternative"]]
    assert len(set(preferred)) == len(preferred)


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
    assert {card["requires"].get("type") for card in cards if card["slot"] == "either"} == set(RANGE_TYPES)


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
