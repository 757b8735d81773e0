"""Several sources of equipment for one value: when they are asked for, and what a circle costs then (R-SEG-14)."""

from typing import Any

import pytest

from rules.competition.state.gear_tables import circles
from rules.competition.units.sources import COMBAT_TURN, INITIATIVE_ROLL, MOVE_TURN, SPECIAL_TURN, TARGET, matters
from rules.core.cards import GearDefinition
from rules.core.equipment import EQUIPMENT, keys_of
from rules.core.units import UnitDefinition
from tests.rules.board import Json, duel, happened, ran, unit

MOVING = {"reconnaissance", "evade", "jump_jets"}
INERT = {key for key, row in EQUIPMENT.items() if row.is_inert}


def gear(slot: str, equipment: str, **keys: Any) -> Json:
    return {"id": "G-900", "name": "Gear", "points": 5, "slot": slot, "modifiers": {}, "equipment": equipment, **keys}


@pytest.mark.parametrize(
    ("moment", "keys"),
    [
        pytest.param(INITIATIVE_ROLL, {"command"}, id="R-INI-06"),
        pytest.param(SPECIAL_TURN, MOVING | {"brawling"}, id="R-SED-17"),
        pytest.param(MOVE_TURN, MOVING, id="R-MOV-01"),
        pytest.param(
            TARGET,
            {"point_defense_system", "agility", "camouflage", "evade", "electronic_camouflage", "decoy",
             "advanced_anti_missile_system", "reflective_armor", "reactive_armor", "hardened_armor", "heavy_armor"},
            id="Q-54",
        ),
    ],
)  # fmt: skip
def test_q_107_a_source_is_asked_for_where_one_of_its_items_can_matter(moment: int, keys: set[str]) -> None:
    assert set(keys_of(matters(moment))) == keys


def test_q_107_every_item_is_asked_for_at_some_moment() -> None:
    found: set[str] = set()
    for moment in (INITIATIVE_ROLL, SPECIAL_TURN, MOVE_TURN, COMBAT_TURN, TARGET):
        found |= set(keys_of(matters(moment)))
    assert found == set(EQUIPMENT) - INERT


@pytest.mark.parametrize(("wanted", "events"), [("dial", 0), ("gear", 1)])
def test_the_source_that_serves_already_is_kept_without_an_event(wanted: str, events: int) -> None:
    scenario = ran(
        duel(
            red={"unit": unit("a", click={"equipment": {"speed": "evade"}}), "gear": [gear("speed", "jump_jets")]},
            start={"round": 1, "phase": "move", "order": ["a", "b"]},
            actions=[{"unit": "a", "choose": "source", "value": "speed", "from": wanted}],
        )
    )
    assert len(happened(scenario.match, "source_chosen")) == events


def test_each_source_is_offered_once_and_the_one_that_serves_comes_first() -> None:
    cards = [gear("speed", "jump_jets", id="G-901", allows=["same_value"]), gear("speed", "reconnaissance", id="G-902")]
    scenario = ran(
        duel(
            red={"unit": unit("a", click={"equipment": {"speed": "evade"}}), "gear": cards},
            start={"round": 1, "phase": "move", "order": ["a", "b"]},
            expect={"decision": {"kind": "source", "unit": "a"}},
        )
    )
    match = scenario.match
    assert [action["from"] for action in match.legal_actions()] == ["dial", "G-901", "G-902"]
    match.play({"unit": "a", "choose": "source", "value": "speed", "from": "G-902"})
    assert match.table.equipment(0) == EQUIPMENT["reconnaissance"].bit


MELEE = {"type": "melee", "targets": 1, "range": [0, 0]}
CIRCLE = {"key": "brawling", "single_use": True}


@pytest.mark.parametrize(
    ("secondary", "cards", "is_paid"),
    [
        pytest.param(None, [], True, id="the circle alone"),
        pytest.param("brawling", [], False, id="a square on the other value"),
        pytest.param(CIRCLE, [], True, id="a circle on the other value"),
        pytest.param(None, [gear("secondary", "brawling")], False, id="gear on the other value"),
        pytest.param("agility", [gear("secondary", "brawling")], True, id="gear that need not serve there"),
        pytest.param(None, [gear("primary", "brawling")], False, id="gear on its own value"),
        pytest.param(None, [gear("secondary", "agility")], True, id="gear with another item"),
    ],
)
def test_r_seg_06_a_circle_is_paid_where_nothing_else_gives_the_item(
    secondary: Any, cards: list[Json], is_paid: bool
) -> None:
    equipment = {"primary": CIRCLE, **({"secondary": secondary} if secondary else {})}
    document = unit(primary=MELEE, secondary=MELEE, click={"equipment": equipment})
    definitions = [GearDefinition.from_json(card) for card in cards]
    click = UnitDefinition.from_json(document).dial[0]
    assert circles(definitions, click) == (EQUIPMENT["brawling"].bit if is_paid else 0)
