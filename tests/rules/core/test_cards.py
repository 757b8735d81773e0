"""Cards and teams: gear, legendary pilots and gunslingers, Uniques, totals (sections BLD, CEC, GER, PLT)."""

from typing import Any

import pytest

from rules.catalogue import load_builtin
from rules.core import card_hooks
from rules.core.cards import GearDefinition
from rules.core.pilot_costs import BASE_COST_ONLY, pilot_points
from rules.core.pilot_hooks import ABILITIES, ONCE_A_ROUND
from rules.core.refusals import Malformed
from rules.core.units import PilotDefinition, UnitDefinition, total_points
from rules.core.words import ALLOWANCES, STATES
from rules.solaris.building import Combatant, build_problems, combatant_points, team_problems
from rules.solaris.cards import RallyCardDefinition
from rules.solaris.house_rules import HouseRules
from rules.solaris.rally_hooks import AT_ONCE, EFFECTS
from rules.wording import CARD_TEXTS, NAMES
from tests.rules.board import pilot, unit

BUILTIN = load_builtin()
INFERNO = BUILTIN.gear["G-001"]
MELEE = {"type": "melee", "targets": 1, "range": [0, 0]}
ENERGY = {"type": "energy", "targets": 1, "range": [0, 8]}


def gear(key: str = "G-900", slot: str = "defense", **keys: Any) -> dict[str, Any]:
    return {
        "id": key, "name": key, "points": 10, "slot": slot, "requires": {"class": ["medium"]}, "modifiers": {},
        "equipment": None, **keys,
    }  # fmt: skip


def legend(**keys: Any) -> dict[str, Any]:
    return {
        "id": "L-900", "kind": "legendary", "name": "Legend", "points": 15,
        "alternative": {"points": 25, "unit": "anvil"}, "requires": {"class": ["medium"]}, "modifiers": {}, **keys,
    }  # fmt: skip


def codes(*cards: dict[str, Any], card: dict[str, Any] | None = None, **keys: Any) -> list[str]:
    definition = unit(**{"points": 100, **keys})
    return [problem.code for problem in build_problems(definition, card, "medium", HouseRules(), cards)]


def team_codes(*team: Combatant, **switches: Any) -> list[str]:
    return [problem.code for problem in team_problems(team, "medium", HouseRules.from_json(switches))]


# --- gear -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "found"),
    [
        pytest.param({"class": "light", "variant": "T-L"}, [], id="a light unit with a ballistic value"),
        pytest.param({}, ["gear_requires_class"], id="a medium unit"),
        pytest.param(
            {"class": "light", "variant": "T-L", "primary": MELEE}, ["gear_requires_type"], id="no ballistic value"
        ),
    ],
)
def test_w_13_r_ger_03_r_ger_02_q_112_inferno_ammunition_is_for_light_units_with_ballistic_weapons(
    keys: dict[str, Any], found: list[str]
) -> None:
    definition = unit(points=100, **keys)
    weight_class = definition["class"]
    problems = build_problems(definition, None, weight_class, HouseRules(), [{**INFERNO, "side": "primary"}])
    assert [problem.code for problem in problems] == found


def test_r_ger_05_a_two_sided_card_serves_the_side_that_has_its_type() -> None:
    light = unit(points=100, **{"class": "light", "variant": "T-L"})
    for side, found in (("primary", []), ("secondary", ["gear_requires_type"]), (None, ["gear_side_missing"])):
        card = {**INFERNO, "side": side} if side else INFERNO
        assert [one.code for one in build_problems(light, None, "light", HouseRules(), [card])] == found


def test_r_cec_06_q_116_two_gear_or_one_and_a_pilot() -> None:
    first, second, third = gear(), gear("G-901", "speed"), gear("G-902", "attack")
    assert codes(first, second) == []
    assert codes(first, card=pilot()) == []
    assert codes(card=pilot()) == []
    assert codes(first, second, third) == ["too_many_cards"]
    assert codes(first, second, card=pilot()) == ["too_many_cards"]


def test_r_ger_04_two_gear_on_one_value_need_a_card_that_allows_it() -> None:
    assert codes(gear(), gear("G-901")) == ["gear_on_same_value"]
    assert codes(gear(), gear("G-901", allows=["same_value"])) == []
    assert codes(gear(slot="primary"), gear("G-901", "secondary")) == []
    assert codes(gear(), gear("G-901", "speed"), gear("G-902")) == ["too_many_cards", "gear_on_same_value"]


def test_r_cec_02_gear_of_another_game_is_refused() -> None:
    assert codes(gear(name="R.I.S.C. Laser")) == ["gear_not_compatible"]
    assert codes(gear(name="Risc Laser")) == []


def test_r_ger_02_equipment_of_a_range_type_needs_a_value_of_that_type() -> None:
    assert codes(gear(slot="primary", equipment="pulse")) == ["gear_requires_type"]
    assert codes(gear(slot="secondary", equipment="pulse")) == []
    assert codes(gear(equipment="heavy_armor"), gear("G-901", "speed", equipment="evade")) == []


def test_r_ger_02_gear_that_names_no_class_fits_all_of_them() -> None:
    assert codes(gear(requires={})) == []
    assert codes(gear(requires={"type": "melee"})) == ["gear_requires_type"]


def test_r_bld_08_r_cec_03_gear_counts_against_the_cap_and_all_problems_come_at_once() -> None:
    assert codes(gear(), points=200) == []
    assert codes(gear(), points=201) == ["over_build_total"]
    found = codes(gear(requires={"class": ["light"]}), gear("G-901"), gear("G-902", "speed"), points=201)
    assert found == ["too_many_cards", "gear_requires_class", "gear_on_same_value", "over_build_total"]


def test_r_bld_15_units_from_before_take_no_gear() -> None:
    assert codes(gear(), variant=None, points=200) == ["no_cards_without_variant"]


def test_r_ger_01_numbers_of_gear_begin_with_g() -> None:
    assert BUILTIN.gear
    assert all(key.startswith("G-") for key in BUILTIN.gear)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"slot": "hat"}, "bad_gear"),
        ({"side": "primary"}, "bad_gear"),
        ({"modifiers": {"luck": 1}}, "bad_gear"),
        ({"modifiers": {"speed": "1"}}, "bad_gear"),
        ({"points": "8"}, "bad_gear"),
        ({"allows": ["everything"]}, "bad_gear"),
        ({"equipment": "laser"}, "bad_gear"),
    ],
)
def test_gear_that_cannot_be_read_is_refused(change: dict[str, Any], code: str) -> None:
    with pytest.raises(Malformed) as caught:
        GearDefinition.from_json({**gear(), **change})
    assert caught.value.code == code
    with pytest.raises(Malformed):
        GearDefinition.from_json({"id": "G-1"})


# --- pilots -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("requires", "found"),
    [
        pytest.param({"class": ["medium"], "type": "energy"}, [], id="class and a value of the type"),
        pytest.param({"class": ["medium"], "type": "melee"}, ["pilot_requirement"], id="no value of the type"),
        pytest.param({"class": ["light"], "type": "energy"}, ["pilot_requirement"], id="another class"),
        pytest.param({"type": "ballistic"}, [], id="a type alone"),
        pytest.param({}, [], id="nothing"),
    ],
)
def test_r_plt_01_pilots_may_ask_for_more_than_a_class(requires: dict[str, Any], found: list[str]) -> None:
    assert codes(card={**pilot(), "requires": requires}) == found


def test_a_pilot_that_cannot_be_read_is_refused_by_whoever_builds_with_them() -> None:
    with pytest.raises(Malformed):
        codes(card={**pilot(), "modifiers": {"luck": 1}})


def test_d_51_r_plt_06_r_plt_08_r_cec_04_the_alternative_cost_is_paid_on_the_preferred_unit_only() -> None:
    card = legend(ability="weaver")
    for name, points in (("anvil", 25), ("other", 15)):
        assert pilot_points(card, name) == PilotDefinition.from_json(card).points_on(name) == points
        assert combatant_points(Combatant(unit(name), card)) == 150 + points
        assert total_points(UnitDefinition.from_json(unit(name)), PilotDefinition.from_json(card)) == 150 + points


@pytest.mark.parametrize("number", BASE_COST_ONLY)
def test_w_17_r_plt_07_r_plt_11_pilots_of_the_list_cost_their_base_points(number: str) -> None:
    card = legend(id=number, name=BASE_COST_ONLY[number], ability=None)
    assert pilot_points(card, "anvil") == PilotDefinition.from_json(card).points_on("anvil") == 15
    assert PilotDefinition.from_json(card).ability_on("anvil") is None


def test_r_plt_11_the_list_has_43_pilots() -> None:
    gunslingers = "008 012 018 022 023 028 032 033 035 037 038 039 041 042 043 045 047 048 051 058 061 062 A03 A06 A23"
    legends = "002 010 014 015 016 022 024 026 028 032 036 043 059 069 070 073 076 077"
    numbers = [f"GS-{number}" for number in gunslingers.split()] + [f"L-{number}" for number in legends.split()]
    assert sorted(BASE_COST_ONLY) == sorted(numbers)
    assert len(numbers) == 43


@pytest.mark.parametrize(
    ("number", "name", "points"),
    [
        pytest.param("GS-023", "Julie “Julz” Kolchak", 15, id="quotation marks of print"),
        pytest.param("GS-051", "Robert „Skippy” Wilson", 15, id="quotation marks of another country"),
        pytest.param("L-022", "Reign O’Broin", 15, id="an apostrophe of print"),
        pytest.param("L-073", "TUNG  CHO", 15, id="capitals and spaces"),
        pytest.param("L-073", "Cho Tung", 25, id="another name"),
        pytest.param("L-074", "Tung Cho", 25, id="another number"),
    ],
)
def test_r_plt_11_q_111_names_of_the_list_as_people_type_them(number: str, name: str, points: int) -> None:
    card = legend(id=number, name=name, ability=None)
    assert pilot_points(card, "anvil") == PilotDefinition.from_json(card).points_on("anvil") == points


def test_r_plt_08_an_ability_of_this_game_is_of_use_whatever_the_pilot_is_called() -> None:
    card = legend(id="GS-008", name="Enlil Searcy", ability="sharpshooter")
    assert pilot_points(card, "anvil") == 25


def test_r_plt_09_players_may_agree_that_a_pilot_is_of_no_use(monkeypatch: pytest.MonkeyPatch) -> None:
    card = legend(ability=None)
    assert pilot_points(card, "anvil") == 25
    monkeypatch.setitem(BASE_COST_ONLY, "L-900", "Legend")  # type: ignore[misc]
    assert pilot_points(card, "anvil") == PilotDefinition.from_json(card).points_on("anvil") == 15


def test_r_plt_05_the_preferred_unit_is_known_by_set_and_number() -> None:
    known = PilotDefinition.from_json(legend(ability="weaver"))
    assert known.ability_on("anvil") == "weaver"
    assert known.ability_on("other") is None


def test_w_17_an_ability_that_nobody_knows_is_refused_by_name() -> None:
    with pytest.raises(Malformed) as caught:
        PilotDefinition.from_json(legend(ability="order_tokens"))
    assert (caught.value.code, caught.value.parameters) == (
        "unknown_ability",
        {"pilot": "L-900", "ability": "order_tokens"},
    )


def test_r_plt_10_recruit_costs_are_not_used() -> None:
    assert pilot_points(legend(recruit=99), "other") == 15


# --- teams ------------------------------------------------------------------------------------------------------


def test_r_bld_12_q_113_a_unique_comes_once_under_one_number() -> None:
    unique = unit("yen-lo-wang", rank="unique")
    assert team_codes(Combatant(unique), Combatant(unique)) == ["unique_twice"]
    assert team_codes(Combatant(unique), Combatant({**unique, "id": "maximus"})) == []
    assert team_codes(Combatant(unit()), Combatant(unit())) == []


@pytest.mark.parametrize("kind", ["legendary", "gunslinger"])
def test_r_plt_03_a_unique_pilot_comes_once_in_a_team(kind: str) -> None:
    card = legend(kind=kind)
    assert team_codes(Combatant(unit("x"), card), Combatant(unit("y"), card)) == ["unique_twice"]
    assert team_codes(Combatant(unit("x"), card), Combatant(unit("y"), {**card, "id": "L-901"})) == []
    assert team_codes(Combatant(unit("x"), pilot()), Combatant(unit("y"), pilot())) == []
    unsaid = {key: value for key, value in pilot().items() if key != "kind"}
    assert team_codes(Combatant(unit("x"), unsaid), Combatant(unit("y"), unsaid)) == []


def test_r_bld_18_q_114_a_team_may_share_its_total() -> None:
    team = Combatant(unit(points=250)), Combatant(unit(points=150))
    assert team_codes(*team) == ["over_build_total"]
    assert team_codes(*team, build_total_per="team") == []
    assert team_codes(*team, build_total_per="team", build_total=400) == []
    assert team_codes(*team, build_total_per="team", build_total=399) == ["team_over_build_total"]
    assert team_codes(Combatant(unit(points=150)), Combatant(unit(points=150)), build_total=200) == []


def test_r_bld_16_a_team_of_any_classes_has_no_total_but_the_one_agreed_on() -> None:
    team = Combatant(unit(points=350)), Combatant(unit(points=350))
    for agreed, found in ((None, []), (700, []), (699, ["team_over_build_total"])):
        switches = HouseRules.from_json({"build_total_per": "team", "build_total": agreed})
        assert [problem.code for problem in team_problems(team, None, switches)] == found


# --- the vocabulary ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [*ABILITIES, *EFFECTS])
def test_every_ability_and_effect_is_played_and_shown(key: str) -> None:
    assert key in CARD_TEXTS
    assert key in NAMES
    assert bool(card_hooks.timings_of(key)) is (key not in AT_ONCE)


def test_the_vocabulary_is_large_enough_and_disjoint() -> None:
    assert len(ABILITIES) >= 24
    assert len(EFFECTS) >= 22
    assert not set(ABILITIES) & set(EFFECTS)
    assert set(ABILITIES) >= ONCE_A_ROUND
    assert len(STATES) == 7
    assert len(ALLOWANCES) == 3


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"ability": "win_at_once"}, "unknown_rally_effect"),
        ({"requires": {"value": "luck", "below": 3}}, "bad_rally_card"),
        ({"requires": {"state": "bored"}}, "bad_rally_card"),
        ({"requires": {"value": "attack", "below": "9"}}, "bad_rally_card"),
    ],
)
def test_rally_cards_that_cannot_be_read_are_refused(change: dict[str, Any], code: str) -> None:
    good = {"id": "R-900", "name": "Rally", "requires": {"value": "attack", "below": 9}, "ability": "brace"}
    assert RallyCardDefinition.from_json(good).below == 9
    with pytest.raises(Malformed) as caught:
        RallyCardDefinition.from_json({**good, **change})
    assert caught.value.code == code
    with pytest.raises(Malformed):
        RallyCardDefinition.from_json({"id": "R-900"})
