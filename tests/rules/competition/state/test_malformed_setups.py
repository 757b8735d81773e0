"""Setups with something wrong deep inside: a coded refusal that names the place, and nothing else ever happens."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from rules.competition.match import Match
from rules.competition.setups import read_setup
from rules.core.dice import SeededDice
from rules.core.refusals import Malformed
from rules.wording import REFUSAL_CODES
from rules.wording.filling import placeholders
from rules.wording.refusals import templates
from tests.rules.board import CLICK, Json, changed, loadout, setup_document, token, unit

Change = Callable[[Json], Any]

PILOT = {"id": "P-900", "kind": "common", "name": "Test Pilot", "points": 10, "modifiers": {"attack": 1}}
GEAR = {"id": "G-900", "name": "Test Gear", "points": 8, "slot": "speed", "equipment": "evade"}
CARD = {"id": "R-900", "requires": {"value": "attack", "below": 9}, "ability": "take_aim"}
ANVIL = loadout("a", unit("anvil"), pilot=PILOT, gear=[GEAR], hand=[CARD])
GOOD = setup_document({"red": [ANVIL], "blue": [loadout("b")]})


def put(*path: Any, to: Any) -> Change:
    """A change that writes one value into red's loadout."""

    def change(document: Json) -> None:
        *way, last = path
        target: Any = document["sides"][0]["units"][0]
        for step in way:
            target = target[step]
        target[last] = to

    return change


def drop(*path: Any) -> Change:
    """A change that takes one value out of red's loadout."""

    def change(document: Json) -> None:
        *way, last = path
        target: Any = document["sides"][0]["units"][0]
        for step in way:
            target = target[step]
        del target[last]

    return change


def refusal(document: Json) -> Malformed:
    """What a setup is refused with; it stays as it was, and the refusal can be said and sent."""
    before = copy.deepcopy(document)
    with pytest.raises(Malformed) as caught:
        read_setup(document)
    assert repr(document) == repr(before)
    json.dumps(caught.value.parameters)
    assert_can_be_said(caught.value)
    return caught.value


def assert_can_be_said(refused: Malformed) -> None:
    assert refused.code in REFUSAL_CODES
    for code in (refused.code, refused.parameters.get("problem")):
        sentences = [set(placeholders(one)) for one in templates(code)] if code else [set()]
        assert any(needed <= set(refused.parameters) for needed in sentences), refused


def test_the_setup_itself_is_good() -> None:
    match = Match.start(read_setup(GOOD), SeededDice(1))
    assert match.decision is not None


UNIT_FAULTS = [
    ("a heat step without speed", drop("unit", "heat", 2, "speed"), None, "heat[2].speed", "missing_key"),
    ("a heat step without effects", drop("unit", "heat", 2, "effects"), None, "heat[2].effects", "missing_key"),
    ("a heat step that is empty", put("unit", "heat", 2, to=None), None, "heat[2]", "missing_heat_step"),
    ("a ragged dial, a value missing", drop("unit", "dial", 3, "attack"), 4, "attack", "missing_key"),
    ("a ragged dial, a click missing", put("unit", "dial", 3, to=None), 4, "dial[3]", "missing_click"),
    ("an empty dial", put("unit", "dial", to=[]), None, "dial", "wrong_count"),
    ("an empty heat dial", put("unit", "heat", to=[]), None, "heat", "wrong_count"),
    ("a dial of 41 clicks", put("unit", "dial", to=unit(clicks=41)["dial"]), None, "dial", "wrong_count"),
    ("a dial that is none", put("unit", "dial", to="long"), None, "dial", "wrong_type"),
    ("no dial", drop("unit", "dial"), None, "dial", "missing_key"),
    ("negative speed", put("unit", "dial", 0, "speed", to=-1), 1, "speed", "out_of_range"),
    ("speed of three digits", put("unit", "dial", 0, "speed", to=100), 1, "speed", "out_of_range"),
    ("more damage than any dial has clicks", put("unit", "dial", 1, "primary", to=41), 2, "primary", "out_of_range"),
    ("huge damage", put("unit", "dial", 1, "secondary", to=10**30), 2, "secondary", "out_of_range"),
    ("a text for a number", put("unit", "dial", 2, "attack", to="9"), 3, "attack", "wrong_type"),
    ("a fraction", put("unit", "dial", 2, "attack", to=9.0), 3, "attack", "wrong_type"),
    ("true for a number", put("unit", "dial", 2, "defense", to=True), 3, "defense", "wrong_type"),
    ("null for a number", put("unit", "dial", 2, "defense", to=None), 3, "defense", "wrong_type"),
    ("1 for true", put("unit", "dial", 2, "repair_marker", to=1), 3, "repair_marker", "wrong_type"),
    ("an unknown key of a click", put("unit", "dial", 2, "armour", to=1), 3, "armour", "unknown_key"),
    ("an unknown key of the unit", put("unit", "colour", to="red"), None, "colour", "unknown_key"),
    ("heat that never was", put("unit", "heat", 1, "speed", to=-10), None, "heat[1].speed", "out_of_range"),
    ("R-SEG-01 equipment on nothing", put("unit", "dial", 0, "equipment", to=[]), 1, "equipment", "wrong_type"),
    ("R-SEG-01 a decoy on speed", put("unit", "dial", 0, "equipment", to={"speed": "decoy"}), 1, "equipment.speed",
     "equipment_wrong_value"),
    ("R-SEG-01 energy equipment on a gun", put("unit", "dial", 0, "equipment", to={"primary": "pulse"}), 1,
     "equipment.primary", "equipment_wrong_value"),
    ("R-SEG-01 a circle of the wrong kind", put("unit", "dial", 1, "equipment",
     to={"attack": {"key": "evade", "single_use": True}}), 2, "equipment.attack", "equipment_wrong_value"),
    ("R-SEG-01 no equipment at all", put("unit", "dial", 0, "equipment", to={"speed": "wings"}), 1, "equipment.speed",
     "not_one_of"),
    ("R-SEG-05 a circle without a key", put("unit", "dial", 0, "equipment", to={"speed": {"single_use": True}}), 1,
     "equipment.speed.key", "missing_key"),
    ("R-SEG-05 a circle that is perhaps one", put("unit", "dial", 0, "equipment",
     to={"speed": {"key": "evade", "single_use": "yes"}}), 1, "equipment.speed.single_use", "wrong_type"),
    ("Q-81 the effect of another family", put("unit", "heat", 3, "effects", to={"secondary": "ammunition_jam"}), None,
     "heat[3].effects.secondary", "heat_effect_wrong_value"),
    ("Q-81 an effect of no family", put("unit", "heat", 3, "effects", to={"speed": "fire"}), None,
     "heat[3].effects.speed", "not_one_of"),
    ("Q-81 an effect on attack", put("unit", "heat", 3, "effects", to={"attack": "avoid_shutdown"}), None,
     "heat[3].effects.attack", "unknown_key"),
    ("a range from far to near", put("unit", "primary", "range", to=[9, 8]), None, "primary.range", "range_reversed"),
    ("a range of one number", put("unit", "primary", "range", to=[8]), None, "primary.range", "wrong_count"),
    ("a gun without range", drop("unit", "primary", "range"), None, "primary.range", "missing_key"),
    ("a negative range", put("unit", "primary", "range", to=[-1, 8]), None, "primary.range[0]", "out_of_range"),
    ("R-GEN-10 melee with a range", put("unit", "primary", to={"type": "melee", "targets": 1, "range": [0, 2]}), None,
     "primary.range", "melee_with_range"),
    ("R-GEN-09 an unknown range type", put("unit", "primary", "type", to="sonic"), None, "primary.type", "not_one_of"),
    ("R-MUL-01 no targets", put("unit", "secondary", "targets", to=0), None, "secondary.targets", "out_of_range"),
    ("R-MUL-01 half a target", put("unit", "secondary", "targets", to=0.5), None, "secondary.targets", "wrong_type"),
    ("R-FAC-03 a front arc of no base", put("unit", "front_arc", to=90), None, "front_arc", "not_one_of"),
    ("R-FAC-03 a front arc as a fraction", put("unit", "front_arc", to=180.0), None, "front_arc", "not_one_of"),
    ("R-FAC-07 a rear arc beyond the base", put("unit", "rear_arc", to=361), None, "rear_arc", "out_of_range"),
    ("R-FAC-07 a negative rear arc", put("unit", "rear_arc", to=-90), None, "rear_arc", "out_of_range"),
    ("R-FAC-07 arcs that overlap", lambda document: document["sides"][0]["units"][0]["unit"].update(
        front_arc=270, rear_arc=120), None, "rear_arc", "arcs_overlap"),
    ("R-BLD-02 an unknown class", put("unit", "class", to="tiny"), None, "class", "not_one_of"),
    ("R-GEN-08 an unknown rank", put("unit", "rank", to="legend"), None, "rank", "not_one_of"),
    ("a name that is a number", put("unit", "name", to=5), None, "name", "wrong_type"),
    ("a name of two lines", put("unit", "name", to="a\nb"), None, "name", "unprintable_text"),
    ("a name that no file can hold", put("unit", "name", to="\ud800"), None, "name", "unprintable_text"),
    ("points by the word", put("unit", "points", to="many"), None, "points", "wrong_type"),
    ("a negative vent", put("unit", "vent", to=-1), None, "vent", "out_of_range"),
    ("one damage value only", drop("unit", "secondary"), None, "secondary", "missing_key"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "click", "field", "problem"), [row[1:] for row in UNIT_FAULTS], ids=[row[0] for row in UNIT_FAULTS]
)
def test_a_malformed_unit_is_refused_with_unit_click_and_field(
    change: Change, click: int | None, field: str, problem: str
) -> None:
    refused = refusal(changed(GOOD, change))
    found = refused.parameters
    assert (refused.code, found["unit"], found.get("click"), found["field"], found["problem"]) == (
        "bad_unit", "anvil", click, field, problem,
    )  # fmt: skip


NUMBERS = [
    (("dial", 0, key), 0, most) for key, most in [("primary", 40), ("secondary", 40), ("speed", 99), ("attack", 99)]
]
NUMBERS += [(("dial", 0, "defense"), 0, 99), (("heat", 1, "speed"), -9, 9), (("secondary", "targets"), 1, 6)]
NUMBERS += [(("vent",), 0, 9), (("points",), 1, 1000), (("rear_arc",), 0, 180), (("primary", "range", 1), 0, 99)]


@pytest.mark.parametrize(("path", "least", "most"), NUMBERS, ids=lambda value: str(value))
def test_numbers_of_a_unit_go_from_the_least_to_the_most_and_no_further(
    path: tuple[Any, ...], least: int, most: int
) -> None:
    for value in (least, most):
        read_setup(changed(GOOD, put("unit", *path, to=value)))
    for value in (least - 1, most + 1):
        assert refusal(changed(GOOD, put("unit", *path, to=value))).parameters["problem"] == "out_of_range"


CARD_FAULTS = [
    ("an unknown key of a pilot", put("pilot", "mood", to=1), "bad_pilot", "mood", "unknown_key"),
    ("an unknown kind", put("pilot", "kind", to="robot"), "bad_pilot", "kind", "not_one_of"),
    ("a modifier of nothing", put("pilot", "modifiers", to={"luck": 1}), "bad_pilot", "modifiers.luck", "unknown_key"),
    ("a modifier by the word", put("pilot", "modifiers", "attack", to="1"), "bad_pilot", "modifiers.attack",
     "wrong_type"),
    ("a modifier of 6", put("pilot", "modifiers", "attack", to=6), "bad_pilot", "modifiers.attack", "out_of_range"),
    ("half an alternative", put("pilot", "alternative", to={"points": 5}), "bad_pilot", "alternative.unit",
     "missing_key"),
    ("an alternative for no id", put("pilot", "alternative", to={"points": 5, "unit": "a b"}), "bad_pilot",
     "alternative.unit", "wrong_format"),
    ("a class that is none", put("pilot", "requires", to={"class": ["tiny"]}), "bad_pilot", "requires.class[0]",
     "not_one_of"),
    ("an unknown key of gear", put("gear", 0, "mood", to=1), "bad_gear", "mood", "unknown_key"),
    ("a slot that is none", put("gear", 0, "slot", to="hat"), "bad_gear", "slot", "not_one_of"),
    ("no slot", drop("gear", 0, "slot"), "bad_gear", "slot", "missing_key"),
    ("gear that gives nothing known", put("gear", 0, "equipment", to="laser"), "bad_gear", "equipment", "not_one_of"),
    ("R-SEG-01 gear for another value", put("gear", 0, "equipment", to="decoy"), "bad_gear", "equipment",
     "equipment_wrong_value"),
    ("R-GER-05 a side of a card that has one", put("gear", 0, "side", to="primary"), "bad_gear", "side",
     "gear_of_one_side"),
    ("gear by its number alone", put("gear", 0, to="G-001"), "bad_setup", "sides[0].units[0].gear[0]", "wrong_type"),
    ("a rally card without id", drop("hand", 0, "id"), "bad_rally_card", "id", "missing_key"),
    ("an unknown key of a card", put("hand", 0, "mood", to=1), "bad_rally_card", "mood", "unknown_key"),
    ("a value without a number", drop("hand", 0, "requires", "below"), "bad_rally_card", "requires.below",
     "missing_key"),
    ("a state that is none", put("hand", 0, "requires", to={"state": "bored"}), "bad_rally_card", "requires.state",
     "not_one_of"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "code", "field", "problem"), [row[1:] for row in CARD_FAULTS], ids=[row[0] for row in CARD_FAULTS]
)
def test_a_malformed_card_is_refused_with_its_field(change: Change, code: str, field: str, problem: str) -> None:
    refused = refusal(changed(GOOD, change))
    assert (refused.code, refused.parameters["field"], refused.parameters["problem"]) == (code, field, problem)


def at(*path: Any, to: Any) -> Change:
    """A change that writes one value into the setup."""

    def change(document: Json) -> None:
        *way, last = path
        target: Any = document
        for step in way:
            target = target[step]
        target[last] = to

    return change


SETUP_FAULTS: list[tuple[str, Change, str, Json]] = [
    ("an unknown key", at("weather", to="rain"), "bad_setup", {"field": "weather", "problem": "unknown_key"}),
    ("no format", lambda document: document.pop("format"), "bad_setup", {"field": "format", "problem": "missing_key"}),
    ("a format by number", at("format", to=1), "bad_setup", {"field": "format", "problem": "wrong_type"}),
    ("an unknown format", at("format", to="chess"), "unknown_format", {"format": "chess"}),
    ("another version", at("schema", to=2), "unknown_schema", {"schema": 2}),
    ("one side", lambda document: document["sides"].pop(), "bad_setup", {"field": "sides", "problem": "wrong_count"}),
    ("an empty side", at("sides", 1, "units", to=[]), "bad_setup", {"field": "sides[1].units", "count": 0}),
    ("a side's name twice", at("sides", 1, "id", to="red"), "bad_setup",
     {"field": "sides[1].id", "problem": "duplicate_id", "other": "sides[0].id"}),
    ("a unit's name twice", at("sides", 1, "units", 0, "id", to="a"), "bad_setup",
     {"field": "sides[1].units[0].id", "problem": "duplicate_id", "other": "sides[0].units[0].id"}),
    ("a name by number", at("sides", 1, "id", to=5), "bad_setup", {"field": "sides[1].id", "problem": "wrong_type"}),
    ("a unit by its id", put("unit", to="SOL002"), "bad_setup", {"field": "sides[0].units[0].unit"}),
    ("clicks as a text", put("clicks", to="2"), "bad_setup", {"field": "sides[0].units[0].clicks"}),
    ("clicks as a truth", put("clicks", to=True), "bad_setup", {"field": "sides[0].units[0].clicks"}),
    ("R-BLD-19 more clicks than the dial has", put("clicks", to=5), "bad_setup",
     {"field": "sides[0].units[0].clicks", "problem": "out_of_range", "least": 0, "most": 4}),
    ("an owner by number", put("owner", to=3), "bad_setup", {"field": "sides[0].units[0].owner"}),
    ("a hand that is none", put("hand", to={}), "bad_setup", {"field": "sides[0].units[0].hand"}),
    ("R-RAL-02 a card twice", put("hand", to=[CARD, CARD]), "hand_copy", {"card": "R-900"}),
    ("R-TGT-07 a token of another defense", at("sides", 0, "tokens", 0, "defense", to=0), "bad_token",
     {"token": "T0", "field": "defense", "problem": "out_of_range"}),
    ("R-TGT-07 a token's armor that is none", at("sides", 0, "tokens", 0, "armor", to="evade"), "bad_token",
     {"token": "T0", "field": "armor", "problem": "not_one_of"}),
    ("R-TGT-07 a token for any method", at("sides", 0, "tokens", 0, "method", to="luck"), "bad_token",
     {"token": "T0", "field": "method", "problem": "not_one_of"}),
    ("an unknown key of a token", at("sides", 0, "tokens", 0, "hex", to="0607"), "bad_token",
     {"token": "T0", "field": "hex", "problem": "unknown_key"}),
    ("an unknown key of the arena", at("arena", "weather", to="rain"), "arena_malformed", {"field": "weather"}),
    ("an arena named by number", at("arena", "name", to=5), "arena_malformed", {"field": "name"}),
    ("a start in rock", at("arena", "hexes", to={"0813": "blocking"}), "arena_malformed", {"field": "starts.A[1]"}),
    ("a start off the map", at("arena", "starts", "A", 0, to="0216"), "unknown_hex", {"hex": "0216"}),
    ("terrain that is none", at("arena", "hexes", to={"0101": "lava"}), "unknown_terrain", {"terrain": "lava"}),
    ("an arena of another size", at("arena", "columns", to="11"), "arena_size", {"columns": "11"}),
    ("an arena that no file can hold", at("arena", "id", to="\ud800"), "arena_malformed", {}),
    ("an unknown switch", at("house_rules", to={"fair_play": True}), "unknown_house_rule", {"key": "fair_play"}),
    ("a switch by number", at("house_rules", to={"pilot_death": 1}), "bad_house_rule", {"key": "pilot_death"}),
    ("Q-03 a switch as a fraction", at("house_rules", to={"dig_in_target_modifier": 1.0}), "bad_house_rule", {}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "code", "parameters"), [row[1:] for row in SETUP_FAULTS], ids=[row[0] for row in SETUP_FAULTS]
)
def test_a_malformed_setup_is_refused_with_its_field(change: Change, code: str, parameters: Json) -> None:
    refused = refusal(changed({**GOOD, "arena": {"hexes": {}, **GOOD["arena"]}}, change))
    assert refused.code == code
    assert parameters.items() <= refused.parameters.items()


def test_a_document_that_is_not_a_setup_is_refused() -> None:
    for document in (None, [], "setup", 5, {}):
        refused = refusal(document)  # type: ignore[arg-type]
        assert refused.code == "bad_setup"


# --- what may be left out -----------------------------------------------------------------------------------------

UNNAMED = [
    *(("unit", key) for key in ("id", "set", "number", "name", "variant", "class", "rank", "points")),
    *(("unit", key) for key in ("front_arc", "rear_arc", "vent")),
    *(("unit", value, "targets") for value in ("primary", "secondary")),
    *(("unit", "dial", 0, key) for key in ("equipment",)),
    *(("pilot", key) for key in ("id", "kind", "name", "points", "modifiers")),
    *(("gear", 0, key) for key in ("id", "name", "points", "equipment")),
    ("hand", 0, "requires"),
]


@pytest.mark.parametrize("path", UNNAMED, ids=lambda path: ".".join(map(str, path)))
def test_what_is_only_unnamed_or_not_printed_may_be_left_out(path: tuple[Any, ...]) -> None:
    match = Match.start(read_setup(changed(GOOD, drop(*path))), SeededDice(1))
    assert match.decision is not None


@pytest.mark.parametrize("key", ["variant", "class"])
def test_r_bld_14_no_variant_may_be_said_with_none(key: str) -> None:
    read_setup(changed(GOOD, put("unit", key, to=None)))


def test_r_fac_06_a_full_front_arc_takes_any_rear_arc_and_has_none() -> None:
    change = put("unit", to=unit("anvil", front_arc=360, rear_arc=90))
    match = Match.start(read_setup(changed(GOOD, change)), SeededDice(1))
    assert match.table.fighter(0).rear_arc == 0


def test_a_dial_may_rise_and_have_one_click() -> None:
    risen = unit("anvil", dial=[{**CLICK, "attack": attack} for attack in (5, 9)])
    for definition in (risen, unit("anvil", clicks=1, steps=1)):
        read_setup(changed(GOOD, put("unit", to=definition)))


LASER_BAIT = {
    "id": "SOL002", "set": "SOL", "number": 2, "name": 'Hellion "Laser Bait"', "variant": "HLN-1-L", "class": "light",
    "rank": "veteran", "points": 128, "front_arc": 180, "rear_arc": 90, "vent": 2,
    "primary": {"type": "ballistic", "targets": 1, "range": [0, 8]},
    "secondary": {"type": "energy", "targets": 2, "range": [0, 10]},
    "dial": [
        {"primary": 3, "secondary": 3, "speed": 10, "attack": 11, "defense": 20, "repair_marker": False,
         "equipment": {"speed": "jump_jets", "defense": {"key": "decoy", "single_use": True}}},
    ],
    "heat": [
        {"primary": 0, "secondary": 0, "speed": 0, "effects": {}},
        {"primary": 0, "secondary": -1, "speed": -1, "effects": {"speed": "avoid_shutdown"}},
    ],
}  # fmt: skip
GUNSLINGER = {
    "id": "GS-008", "kind": "gunslinger", "name": "Gunslinger", "points": 15, "requires": {"class": ["light"]},
    "alternative": {"points": 25, "unit": "SOL002"}, "modifiers": {"attack": 1}, "ability": None,
}  # fmt: skip
TWO_SIDED = {
    "id": "G-001", "name": "Two-sided", "points": 8, "slot": "either", "side": "secondary", "equipment": None,
    "requires": {"class": ["light"], "type": "ballistic"}, "modifiers": {"primary": 1},
}  # fmt: skip


def test_definitions_written_out_in_full_are_read() -> None:
    """One of each kind with every key that it may have."""
    document = setup_document({"red": [loadout("a", LASER_BAIT, pilot=GUNSLINGER, gear=[TWO_SIDED], hand=[CARD])]})
    document["sides"].append({"id": "blue", "units": [loadout("b")], "tokens": []})
    document["sides"][0]["tokens"] = [{**token("T-001"), "armor": "heavy_armor"}] * 3
    document["arena"] = {
        "id": "factory", "name": "Factory", "columns": 11, "rows": 15,
        "hexes": {"0607": "hindering", "0608": "water+elevated"},
        "starts": {"A": ["0402", "0813"], "B": ["0602", "0613"], "C": ["0902", "0314"]},
    }  # fmt: skip
    fighter = Match.start(read_setup(document), SeededDice(1)).table.fighter(0)
    assert (fighter.title, fighter.total) == ('Hellion "Laser Bait"', 128 + 25 + 8)
