"""Why an attack is advised: its odds, its damage, what it destroys and brings, and what its heat costs."""

from __future__ import annotations

import pytest

from rules.bots.advice.explaining import explain
from rules.bots.estimates import Threats
from rules.competition.forecast import prospects
from rules.competition.match import Match
from rules.core.odds import chance_to_hit
from tests.rules.board import CLICK, token, unit
from tests.rules.bots.advice.advised import ARTEMIS, BOTH, SHOT, at_combat, at_move, divided, hot, reasons, wounded

# --- attacks ------------------------------------------------------------------------------------------------------


def test_an_attack_tells_its_chance_its_damage_and_what_is_expected_of_it() -> None:
    found = reasons(at_combat(), SHOT)
    chance = chance_to_hit(CLICK["attack"], CLICK["defense"])
    assert found["hits_for"] == {
        "target": "b",
        "chance": round(100 * chance),
        "damage": 3,
        "expected": round(3 * chance, 1),
    }


def test_a_modifier_of_the_sum_is_named_with_its_amount() -> None:
    hindered = at_combat(arena={"hexes": {"0608": "hindering"}})
    assert reasons(hindered, SHOT)["counts_against"] == {"target": "b", "modifiers": {"hindering": -1}}
    from_behind = at_combat(blue={"facing": 0})
    assert reasons(from_behind, SHOT)["counts_for"] == {"target": "b", "modifiers": {"rear_arc": 2}}


@pytest.mark.parametrize(("points", "reputation"), [(150, 80), (100, 70)])
def test_r_end_05_06_a_hit_that_destroys_tells_the_reputation_of_the_kill(points: int, reputation: int) -> None:
    worn = {"clicks": 2, "damage_die": 1, "unit": unit("b", points=points)}
    found = reasons(at_combat(blue=worn), SHOT)
    assert found["hit_destroys"] == {"target": "b", "left": 2, "reputation": reputation}


@pytest.mark.parametrize(("left", "chance"), [(3, 67), (4, 17)])
def test_r_sed_01_a_die_that_adds_to_the_damage_tells_how_often_a_hit_destroys(left: int, chance: int) -> None:
    # Two points, and one more from a 3, two more from a 6.
    found = reasons(at_combat(red={"unit": ARTEMIS}, blue=wounded(left)), SHOT)
    assert found["hit_may_destroy"] == {"target": "b", "left": left, "reputation": 80, "chance": chance}
    assert found["hits_by_die"]["expected"] == round(135 / 216 * 17 / 6, 1)
    assert "hit_destroys" not in found


def test_r_sed_01_what_no_face_reaches_and_what_every_face_does_is_shown_as_such() -> None:
    assert "hit_destroys" in reasons(at_combat(red={"unit": ARTEMIS}, blue=wounded(2)), SHOT)
    assert not reasons(at_combat(red={"unit": ARTEMIS}, blue=wounded(5)), SHOT).keys() & {
        "hit_destroys",
        "hit_may_destroy",
        "leaves_clicks",
    }


def test_r_sed_14_a_die_instead_of_the_damage_has_the_chance_of_its_faces() -> None:
    fists = unit(
        "a", clicks=8, primary={"type": "melee", "targets": 1}, click={"equipment": {"primary": "hand_to_hand_weapon"}}
    )
    match = at_combat(red={"unit": fists, "hex": "0607"}, blue=wounded(6))
    found = reasons(match, {"order": "close", "value": "primary", "targets": ["b"]})
    assert found["hit_may_destroy"]["chance"] == 17


def destroyed(match: Match) -> list[tuple[str, str]]:
    found = explain(match, match.read({"unit": "a", **BOTH})[0])
    codes = ("hit_destroys", "share_could_destroy", "leaves_clicks")
    return [(reason.code, reason.parameters["target"]) for reason in found if reason.code in codes]


def test_of_several_targets_of_divided_damage_only_those_fall_for_whom_it_suffices() -> None:
    assert destroyed(divided(1, 2)) == [("hit_destroys", "b"), ("hit_destroys", "c")]
    assert destroyed(divided(2, 3)) == [("share_could_destroy", "b"), ("share_could_destroy", "c")]
    assert destroyed(divided(2, 6)) == [("share_could_destroy", "b")]


def test_damage_beyond_the_last_click_is_called_wasted() -> None:
    assert reasons(at_combat(blue={"damage_die": 5}), SHOT)["falls_anyway"] == {"target": "b"}


def test_armor_is_named_and_lowers_the_damage_that_is_promised() -> None:
    armored = unit("b", click={"equipment": {"defense": "hardened_armor"}})
    found = reasons(at_combat(blue={"unit": armored}), SHOT)
    (amount,) = found["armor_takes"]["modifiers"].values()
    assert amount < 0
    assert found["hits_for"]["damage"] == 3 + amount


@pytest.mark.parametrize(("method", "reputation"), [("ballistic", 10), ("energy", 5)])
def test_r_tgt_09_a_token_tells_what_it_brings_by_this_weapon(method: str, reputation: int) -> None:
    match = at_combat(tokens=[{**token("t1", method=method), "hex": "0608"}])
    found = reasons(match, {**SHOT, "targets": ["t1"]})
    assert found["token_brings"] == {"target": "t1", "reputation": reputation}


def test_passing_names_the_attack_that_is_left_out() -> None:
    chance = round(100 * chance_to_hit(CLICK["attack"], CLICK["defense"]))
    assert reasons(at_combat(), {"order": "pass"})["forgoes_attack"] == {"target": "b", "chance": chance}
    far = at_combat(blue={"hex": "0115", "facing": 0})
    assert "no_attack_from_here" in reasons(far, {"order": "pass"})


# --- Salvage ------------------------------------------------------------------------------------------------------

SALVAGE = {"equipment": {"attack": "salvage"}}


def test_r_sea_05_who_may_not_attack_hears_of_no_attack() -> None:
    wreck = {"unit": unit("a", click=SALVAGE)}
    assert "no_attack_from_here" in reasons(at_combat(red=wreck), {"order": "pass"})
    assert prospects(at_move(red=wreck), {"unit": "a", "order": "move", "path": [], "facing": 0}) == []
    found = reasons(at_move(red=wreck), {"order": "move", "path": ["0609"], "facing": 0})
    assert not found.keys() & {"shot_from_there", "shot_stays", "shot_gets_better", "shot_gets_worse", "gives_up_shot"}


def test_r_sea_05_who_may_not_attack_threatens_nobody() -> None:
    assert "threat_none" in reasons(at_move(blue={"unit": unit("b", click=SALVAGE)}), {"order": "pass"})
    assert "threat_stays" in reasons(at_move(), {"order": "pass"})
    table = at_move(blue={"unit": unit("b", click=SALVAGE)}).table
    assert Threats(table, 0).at(table.position.hex[0], 0) == 0


# --- heat ---------------------------------------------------------------------------------------------------------


def test_r_hef_09_the_heat_of_an_attack_tells_the_effect_that_shows_then_and_how_often_it_strikes() -> None:
    found = reasons(at_combat(red={"unit": hot({"speed": "avoid_shutdown"})}), SHOT)
    assert found["heat_adds"] == {"added": 1, "step": 1, "steps": 3}
    assert found["heat_effect_shows"] == {"effect": "avoid_shutdown", "chance": 33, "rule": "R-HEF-09"}


def test_the_damage_that_heat_costs_is_shown() -> None:
    found = reasons(at_combat(red={"unit": hot({}, secondary=-1)}), SHOT)
    assert found["heat_weakens"] == {"value": "secondary", "now": 2, "then": 1}


def test_heat_without_consequence_is_called_harmless_and_heat_past_the_dial_shuts_down() -> None:
    assert reasons(at_combat(), SHOT)["heat_harmless"] == {"added": 1, "step": 1}
    assert reasons(at_combat(red={"heat": 3}), SHOT)["heat_shuts_down"] == {"added": 1}


def test_r_vnt_venting_tells_the_step_and_the_effect_that_it_escapes() -> None:
    found = reasons(at_combat(red={"unit": hot({"speed": "avoid_shutdown"}), "heat": 1}), {"order": "vent"})
    assert found["vent_cools"] == {"now": 1, "then": 0}
    assert found["heat_effect_avoided"] == {"effect": "avoid_shutdown"}
