"""Declining single-use circles is among the offered choices where a circle would serve, and nowhere else."""

from typing import Any

import pytest

from rules.core.equipment import EQUIPMENT
from rules.scenario.playing import Scenario
from tests.rules.board import Json, duel, unit

MELEE = {"type": "melee", "targets": 1, "range": [0, 0]}
ADJACENT = {"hex": "0607"}


def carrier(location: str, key: str, *, single_use: bool = True, **keys: Any) -> Json:
    """A unit with one item on every click."""
    return {"unit": unit(click={"equipment": {location: {"key": key, "single_use": single_use}}}, **keys)}


def offered(**keys: Any) -> list[Json]:
    """Everything that may be chosen at the decision that the actions lead to; all of it is legal."""
    scenario = Scenario(duel(**keys))
    scenario.run()
    match = scenario.match
    if match.table.open is None:
        match.table.pause_at = frozenset()
        match.table.advance()
    found = match.legal_actions()
    assert all(match.check(action) == [] for action in found)
    return found


def declining(found: list[Json], key: str) -> list[Json]:
    return [action for action in found if key in action.get("cancel", action.get("attack", {}).get("cancel", []))]


ATTACKS = [
    pytest.param("ranged", "primary", "homing_beacon", {}, id="homing_beacon"),
    pytest.param("ranged", "primary", "artemis_v_fire_control_system", {}, id="artemis"),
    pytest.param("ranged", "secondary", "tsemp", {}, id="tsemp"),
    pytest.param("close", "primary", "brawling", ADJACENT, id="brawling"),
]


@pytest.mark.parametrize(("order", "location", "key", "blue"), ATTACKS)
def test_r_seg_08_an_attacker_may_decline_a_circle(order: str, location: str, key: str, blue: Json) -> None:
    definition = {"primary": MELEE} if key == "brawling" else {}
    found = offered(red={**carrier(location, key, **definition), **({"hex": "0608"} if blue else {})}, blue=blue)
    orders = [action for action in declining(found, key) if action["order"] == order]
    assert [action["targets"] for action in orders] == [["b"]]
    plain = {name: value for name, value in orders[0].items() if name != "cancel"}
    assert plain in found
    # TSEMP and Homing Beacon do nothing in an assault (R-SED-08, R-SED-19), so there is nothing to decline.
    in_assaults = [action for action in declining(found, key) if action["order"] == "assault"]
    assert bool(in_assaults) is (key == "artemis_v_fire_control_system")


@pytest.mark.parametrize(("order", "location", "key", "blue"), ATTACKS)
def test_without_a_circle_nothing_is_offered_twice(order: str, location: str, key: str, blue: Json) -> None:
    definition = {"primary": MELEE} if key == "brawling" else {}
    red = {**carrier(location, key, single_use=False, **definition), **({"hex": "0608"} if blue else {})}
    assert declining(offered(red=red, blue=blue), key) == []


@pytest.mark.parametrize("armor", ["hardened_armor", None])
def test_q_95_armor_piercing_is_declined_only_where_there_is_armor(armor: str | None) -> None:
    blue = {"unit": unit("bastion", click={"equipment": {"defense": armor} if armor else {}})}
    found = offered(red=carrier("primary", "armor_piercing"), blue=blue)
    assert bool(declining(found, "armor_piercing")) is (armor is not None)


def test_a_circle_on_the_other_value_is_no_matter_in_a_shot() -> None:
    assert declining(offered(red=carrier("secondary", "tsemp")), "tsemp")
    found = declining(offered(red=carrier("secondary", "tsemp")), "tsemp")
    assert {action["value"] for action in found} == {"secondary"}


def test_brawling_of_the_other_value_is_declined_in_close_combat() -> None:
    red = {**carrier("secondary", "brawling", secondary=MELEE), "hex": "0608"}
    found = declining(offered(red=red, blue=ADJACENT), "brawling")
    assert {(action["order"], action["value"]) for action in found} == {("close", "primary"), ("close", "secondary")}


def test_a_spent_circle_is_not_declined() -> None:
    scenario = Scenario(duel(red=carrier("primary", "homing_beacon")))
    scenario.run()
    table = scenario.match.table
    table.pause_at = frozenset()
    table.advance()
    table.position.spent[0] = EQUIPMENT["homing_beacon"].bit
    assert declining(scenario.match.legal_actions(), "homing_beacon") == []


REACTIONS = [
    pytest.param("speed", "evade", "ranged", True, id="evade"),
    pytest.param("speed", "evade", "close", False, id="evade-close"),
    pytest.param("defense", "decoy", "ranged", True, id="decoy"),
    pytest.param("defense", "advanced_anti_missile_system", "ranged", True, id="anti-missile"),
    pytest.param("secondary", "agility", "close", True, id="agility"),
    pytest.param("secondary", "agility", "ranged", False, id="agility-ranged"),
    pytest.param("speed", "camouflage", "ranged", True, id="camouflage"),
]


@pytest.mark.parametrize("single_use", [True, False])
@pytest.mark.parametrize(("location", "key", "order", "serves"), REACTIONS)
def test_r_seg_08_a_target_may_decline_a_circle(
    location: str, key: str, order: str, serves: bool, single_use: bool
) -> None:
    definition = {"secondary": MELEE} if key == "agility" else {}
    blue = carrier(location, key, single_use=single_use, **definition)
    red = {} if order == "ranged" else {"hex": "0607"}
    arena = {"hexes": {"0606": "hindering"}} if key == "camouflage" else {"hexes": {}}
    attack = {"unit": "a", "order": order, "value": "primary", "targets": ["b"]}
    found = offered(
        red=red, blue=blue, arena=arena, actions=[attack], expect={"decision": {"kind": "react", "unit": "b"}}
    )
    plain = [action for action in found if not action.get("cancel")]
    assert [action["react"] for action in plain] == ["none", "dodge", "defend", "dig_in"]
    if serves and single_use:
        assert declining(found, key) == [{**action, "cancel": [key]} for action in plain]
    else:
        assert found == plain
