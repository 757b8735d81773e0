"""The units that come with the game: complete, within the printed ranges, various, and able to play."""

import math
import random
import re
from itertools import groupby
from typing import Any

import pytest

from rules import bots
from rules.bots.base import play_out
from rules.catalogue import load_builtin
from rules.catalogue.vocabulary import DIAL_VALUES
from rules.competition.match import Match
from rules.competition.setups import read_setup
from rules.core.definition_checks import HEAT_EFFECT_PLACES
from rules.core.dice import SeededDice
from rules.core.equipment import EQUIPMENT
from rules.core.units import UnitDefinition
from rules.core.words import CLASS_CAPS, RANGE_TYPES, RANKS
from rules.measuring.self_play import SIDES, TokenTrios

CATALOGUE = load_builtin()
UNITS = list(CATALOGUE.units.values())
every_unit = pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit["id"])

SOLARIS_SET = (
    'Rokurokubi "Yojinbo"', 'Hellion "Laser Bait"', 'Koshi "Six Gun"', 'Spider "Lucky"', 'Cadaver "Possum"',
    'Vixen "Valentine"', 'Nyx "Tick"', 'Solitaire "Metablade"', 'Night Stalker "Rogue Wave"', 'Centurion "Maximus"',
    'Exhumer "Sweetness"', 'Gravedigger "Iceberg"', 'Eisenfaust "Avalon"', 'Violator "Gold Digger"',
    'Neanderthal "Silas"', 'Rifleman "Crucible"', 'Cave Lion "Rosse\'s Revenge"', 'Warwolf "Black Tooth"',
    'Mortis "Seraph"', 'Catapult "Cynosure"', 'BattleMaster "Linebacker"', 'Daishi "Corruptor"', 'Shrike "Celaeno"',
    'Kodiak "Ogre"', 'Cadaver "Red Sonja"', 'Centurion "Yen-lo-Wang"', 'Cave Lion "Sturmgreif"', 'Daishi "Widowmaker"',
)  # fmt: skip
"""The names of the Solaris VII set in order of collector's number."""

VARIANT = re.compile(r"[A-Z]{2,4}\d{0,2}-[A-Z]?\d{0,3}[A-Z]?-[LMHA]")
"""A chassis, a hyphen, a number or letter of the version, and the letter of the class (R-BLD-02)."""


def keys_on(unit: dict[str, Any], value: str) -> list[str | None]:
    """The equipment on a combat value, click by click."""
    items = [click["equipment"].get(value) for click in unit["dial"]]
    return [item["key"] if isinstance(item, dict) else item for item in items]


def equipment_of(unit: dict[str, Any]) -> set[str]:
    """Everything a dial shows, Salvage included."""
    return {key for value in DIAL_VALUES for key in keys_on(unit, value) if key}


def test_the_solaris_set_is_whole_and_house_units_have_numbers_of_their_own() -> None:
    solaris = {unit["number"]: unit["name"] for unit in UNITS if unit["set"] == "SOL"}
    assert solaris == dict(enumerate(SOLARIS_SET, 1))
    house = sorted(unit["number"] for unit in UNITS if unit["set"] == "HSE")
    assert house == list(range(1, len(house) + 1))
    assert all(unit["id"] == f"{unit['set']}{unit['number']:03d}" for unit in UNITS)
    assert {unit["set"] for unit in UNITS} == {"SOL", "HSE"}
    assert len({unit["name"] for unit in UNITS}) == len(UNITS)


@pytest.mark.parametrize("weight_class", CLASS_CAPS)
def test_each_class_has_a_dozen_units_with_and_without_melee_of_several_ranks(weight_class: str) -> None:
    units = [unit for unit in UNITS if unit["class"] == weight_class]
    assert len(units) >= 12
    assert {unit[value]["type"] for unit in units for value in ("primary", "secondary")} == set(RANGE_TYPES)
    assert {unit["rank"] for unit in units} == set(RANKS)
    assert {len(unit["dial"]) for unit in units} > {len(units[0]["dial"])}


@every_unit
def test_r_bld_02_variants_read_like_variant_names_and_differ(unit: dict[str, Any]) -> None:
    assert VARIANT.fullmatch(unit["variant"])
    assert re.search(r"\d", unit["variant"])
    assert [other["id"] for other in UNITS if other["variant"] == unit["variant"]] == [unit["id"]]


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
    for value in DIAL_VALUES:
        keys = keys_on(unit, value)
        coloured = [number for number, key in enumerate(keys, 1) if key not in (None, "salvage")]
        if coloured:
            assert coloured == list(range(1, len(coloured) + 1)), value
            assert 0.26 <= len(coloured) / length <= 0.42, value
            assert len(set(keys) - {None, "salvage"}) == 1, value


@every_unit
def test_q_108_two_kinds_of_equipment_are_played_and_at_most_one_unused_kind_stands_beside(
    unit: dict[str, Any],
) -> None:
    kinds = equipment_of(unit) - {"salvage"}
    assert sum(not EQUIPMENT[key].is_inert for key in kinds) == 2
    assert sum(EQUIPMENT[key].is_inert for key in kinds) <= 1


@every_unit
def test_heat_dials_are_free_at_first_and_then_bite(unit: dict[str, Any]) -> None:
    assert 2 <= unit["vent"] <= 3
    heat = unit["heat"]
    assert 5 <= len(heat) <= 6
    for step in heat[:2]:
        assert step == {"primary": 0, "secondary": 0, "speed": 0, "effects": {}}
    assert heat[-1]["effects"].get("speed")
    for value in ("primary", "secondary"):
        numbers = [step[value] for step in heat]
        assert numbers == sorted(numbers, reverse=unit[value]["type"] != "melee"), value
        assert set(numbers) <= ({0, 1} if unit[value]["type"] == "melee" else {0, -1}), value


def test_q_81_every_heat_effect_appears_somewhere() -> None:
    shown = {effect for unit in UNITS for step in unit["heat"] for effect in step["effects"].values()}
    assert shown == set(HEAT_EFFECT_PLACES)


def test_r_seg_01_every_special_equipment_is_on_a_dial_and_some_of_it_single_use() -> None:
    assert set().union(*map(equipment_of, UNITS)) == set(EQUIPMENT)
    items = [item for unit in UNITS for click in unit["dial"] for item in click["equipment"].values()]
    assert len({item["key"] for item in items if isinstance(item, dict) and item["single_use"]}) >= 2


def test_no_two_units_of_a_class_have_the_same_equipment_on_the_same_weapons() -> None:
    for weight_class in CLASS_CAPS:
        characters = [
            (unit["primary"]["type"], unit["secondary"]["type"], *sorted(equipment_of(unit)))
            for unit in UNITS
            if unit["class"] == weight_class
        ]
        assert len(set(characters)) == len(characters), weight_class


def test_units_differ_in_range_types_arcs_and_ranks() -> None:
    types = {unit[value]["type"] for unit in UNITS for value in ("primary", "secondary")}
    assert types == set(RANGE_TYPES)
    assert {unit["front_arc"] for unit in UNITS} == {135, 180, 270, 360}
    assert {unit["rank"] for unit in UNITS} == set(RANKS)
    assert {unit["secondary"]["targets"] for unit in UNITS} == {1, 2, 3}
    assert any(unit["secondary"]["range"][0] > 0 for unit in UNITS)


@every_unit
def test_every_unit_plays_matches_of_random_choices_to_their_end(unit: dict[str, Any]) -> None:
    rng = random.Random(f"units/{unit['id']}")
    opponents = [other for other in UNITS if other["class"] == unit["class"]]
    trios = TokenTrios(CATALOGUE)
    player = bots.get("random")
    for number in range(3):
        sides = [
            {"id": side, "units": [{"id": side, "unit": mech, "pilot": None}], "tokens": rng.choice(trios)}
            for side, mech in zip(SIDES, (unit, rng.choice(opponents)), strict=True)
        ]
        arena = rng.choice(list(CATALOGUE.arenas.values()))
        setup = read_setup({"format": "standard", "arena": arena, "sides": sides})
        match = Match.start(setup, SeededDice(f"units/{unit['id']}/{number}"), recording=False)
        play_out(match, dict.fromkeys(SIDES, player), rng)
        assert match.result is not None
        assert match.result.winner in SIDES
