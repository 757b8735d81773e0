"""When the greedy bot plays a rally card: each effect in a place where it helps, and in one where it does not."""

from typing import Any

import pytest

from rules.bots.cards import HELPS, play_rally
from rules.solaris.rally_hooks import EFFECTS
from tests.rules.board import CLICK, Dropped, Json, duel, pilot, placed, token, unit

FAR = {"hex": "0101"}
SHOT = {"unit": "a", "order": "ranged", "value": "primary", "targets": ["b"]}
BLOW = {**SHOT, "order": "close"}
HOT_STEPS = [{"primary": 0, "secondary": 0, "speed": 0, "effects": {}} for _ in range(4)]
HOT_STEPS[1] = {**HOT_STEPS[1], "effects": {"speed": "avoid_shutdown_critical"}}
HOT = unit("anvil", heat=HOT_STEPS)
FIGHTER = unit("anvil", primary={"type": "melee", "targets": 1, "range": [0, 0]})
MARKED = unit("anvil", dial=[{**CLICK, "equipment": {}, "repair_marker": True} for _ in range(5)])
TARGET = [token("t1", hex="0608")]


def in_own_turn(effect: str, red: Json | None = None, blue: Json | None = None, **keys: Any) -> bool:
    """Whether `a` plays the card at the beginning of its place in the combat phase."""
    document = duel(red={"clicks": 1, **(red or {})}, blue=blue or {}, hands={"red": {"a": [card(effect)]}}, **keys)
    return plays(document, 0)


def under_attack(effect: str, attack: Json, blue: Json | None = None, **keys: Any) -> bool:
    """Whether `b` plays the card when it has been declared the target of an attack."""
    hands = {"blue": {"b": [card(effect)]}}
    return plays(duel(blue={"clicks": 1, **(blue or {})}, hands=hands, **keys), 1, attack)


def card(effect: str) -> Json:
    return {"id": "R-900", "name": "Test", "requires": {"value": "attack", "below": 10}, "ability": effect}


def plays(document: Json, number: int, *actions: Json) -> bool:
    match = Dropped(document, 1).match
    for action in actions:
        match.play(action)
    assert match.table.open is not None
    kind, asked, data = match.table.open
    assert (kind.name, asked) == ("rally", number)
    return play_rally(match.table, asked, data) == ("R-900",)


def test_the_bot_knows_every_effect() -> None:
    assert set(HELPS) == set(EFFECTS)


@pytest.mark.parametrize("effect", ["take_aim", "press_the_attack", "second_look"])
def test_cards_for_an_attack_need_one(effect: str) -> None:
    assert in_own_turn(effect)
    assert not in_own_turn(effect, blue=FAR)
    assert not under_attack(effect, SHOT)


def test_underdog_is_for_a_greater_opponent() -> None:
    assert in_own_turn("underdog", blue={"unit": unit("b", points=151)})
    assert not in_own_turn("underdog")


def test_haymaker_is_for_a_blow() -> None:
    assert in_own_turn("haymaker", red={"unit": FIGHTER, "hex": "0607"})
    assert not in_own_turn("haymaker", red={"unit": FIGHTER})


def test_play_to_the_crowd_is_for_a_token() -> None:
    assert in_own_turn("play_to_the_crowd", blue=FAR, tokens=TARGET)
    assert not in_own_turn("play_to_the_crowd")


def test_full_throttle_is_for_whoever_is_far_from_a_target() -> None:
    assert in_own_turn("full_throttle", blue=FAR)
    assert not in_own_turn("full_throttle")


@pytest.mark.parametrize("effect", ["keep_running", "steady_the_reactor", "cold_blooded"])
def test_cards_against_heat_effects_need_one_that_threatens(effect: str) -> None:
    assert in_own_turn(effect, red={"unit": HOT})
    assert not in_own_turn(effect)


def test_cold_blooded_is_for_whoever_has_orders_to_give() -> None:
    assert not in_own_turn("cold_blooded", red={"unit": HOT}, blue=FAR)


def test_open_the_vents_is_for_more_heat_than_a_vent_takes_and_nothing_better_to_do() -> None:
    assert in_own_turn("open_the_vents", red={"heat": 3}, blue=FAR)
    assert not in_own_turn("open_the_vents", red={"heat": 2}, blue=FAR)
    assert not in_own_turn("open_the_vents", red={"heat": 3})


def test_shed_heat_is_for_a_hot_unit() -> None:
    assert in_own_turn("shed_heat", red={"heat": 2})
    assert not in_own_turn("shed_heat")


def test_patch_up_is_for_a_click_that_can_be_turned_back() -> None:
    assert in_own_turn("patch_up")
    assert not in_own_turn("patch_up", red={"unit": MARKED})


def test_slip_free_is_for_a_unit_between_two_opponents() -> None:
    units = [placed("a", "red", "0610", clicks=1), placed("b", "blue", "0609", 6), placed("c", "blue", "0611", 0)]
    hands = {"red": {"a": [card("slip_free")]}}
    start = {"round": 1, "phase": "combat", "order": ["a", "b", "c"]}
    assert plays(duel(units=units, hands=hands, start=start), 0)
    assert not plays(duel(units=units[:2], hands=hands), 0)


@pytest.mark.parametrize(("effect", "state"), [("restart", "shutdown"), ("wake_up", "unconscious")])
def test_cards_that_wake_are_for_the_state_that_they_end(effect: str, state: str) -> None:
    manned = {"pilot": pilot()} if state == "unconscious" else {}
    assert in_own_turn(effect, red={state: True, **manned})
    assert not in_own_turn(effect, red=manned)


def test_swing_round_is_for_a_unit_that_looks_the_wrong_way() -> None:
    assert in_own_turn("swing_round", red={"facing": 6})
    assert not in_own_turn("swing_round")
    assert not in_own_turn("swing_round", red={"facing": 6}, blue=FAR)
    assert under_attack("swing_round", SHOT, blue={"facing": 0})
    assert not under_attack("swing_round", SHOT)
    assert not under_attack("swing_round", SHOT, blue={"facing": 0, "shutdown": True})


@pytest.mark.parametrize("effect", ["brace", "shrug_off"])
def test_cards_for_the_defense_wait_for_an_attack(effect: str) -> None:
    assert under_attack(effect, SHOT)
    assert not in_own_turn(effect)


def test_jink_needs_a_shot_and_a_move() -> None:
    assert under_attack("jink", SHOT, blue={"orders": ["move"]})
    assert not under_attack("jink", SHOT)
    assert not under_attack("jink", BLOW, blue={"orders": ["move"], "hex": "0609"})


def test_hold_the_ring_needs_a_blow() -> None:
    assert under_attack("hold_the_ring", BLOW, blue={"hex": "0609"})
    assert not under_attack("hold_the_ring", SHOT, blue={"hex": "0609"})


def test_grit_teeth_needs_a_pilot() -> None:
    assert under_attack("grit_teeth", SHOT, blue={"pilot": pilot()})
    assert not under_attack("grit_teeth", SHOT)
