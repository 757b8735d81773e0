"""What comes after what: phases, turns, an attack's steps, several sides, and how much of it an observer sees."""

import random
from itertools import pairwise
from typing import Any

import pytest

from rules.competition.ground.line_of_fire import REFUSAL_CODES as LINE_CODES
from rules.core.refusals import Malformed
from tests.rules.board import decisions, duel, flat, pilot, placed, ran, random_match, token, unit

SHOT = {"unit": "a", "order": "ranged", "value": "primary", "targets": ["b"]}
PASS_A, PASS_B = {"unit": "a", "order": "pass"}, {"unit": "b", "order": "pass"}


def kinds(document: dict[str, Any]) -> list[str]:
    """The kinds of event of a scenario from its first action on."""
    return [event["event"] for batch in ran(document).match.events[1:] for event in batch]


# --- rounds and turns -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "sides", "units"), [(1, 2, 2), (2, 3, 5), (3, 4, 8)])
def test_r_rnd_01_the_four_phases_follow_each_other_and_rounds_count_up(seed: int, sides: int, units: int) -> None:
    match = random_match(seed, sides=sides, units=units)
    for _ in decisions(match, random.Random(seed)):
        pass
    order = [
        event.get("phase", event.get("round"))
        for event in flat(match)
        if event["event"] in ("phase_began", "round_began")
    ]
    expected: list[Any] = []
    for number in range(1, 31):
        expected += [number, "initiative", "move", "combat", "cleanup"]
    assert order == expected[: len(order)]
    assert order


def turns_by_phase(seed: int, sides: int, units: int) -> list[tuple[str, list[str], list[str]]]:
    """For each phase with turns: its name, the turn order then, and who took a turn."""
    match = random_match(seed, sides=sides, units=units)
    for _ in decisions(match, random.Random(seed)):
        pass
    found: list[tuple[str, list[str], list[str]]] = []
    order: list[str] = []
    for event in flat(match):
        if event["event"] == "turn_order":
            order = event["order"]
        elif event["event"] == "phase_began":
            found.append((event["phase"], order, []))
        elif event["event"] == "turn_began":
            found[-1][2].append(event["unit"])
    return [entry for entry in found if entry[0] in ("move", "combat")]


@pytest.mark.parametrize(("seed", "sides", "units"), [(11, 2, 2), (12, 3, 6), (13, 8, 8)])
def test_r_rnd_02_r_mov_01_r_cmb_03_both_phases_go_by_the_turn_order(seed: int, sides: int, units: int) -> None:
    phases = turns_by_phase(seed, sides, units)
    assert any(turns for _, _, turns in phases)
    for _, order, turns in phases:
        assert [name for name in order if name in turns] == turns
        assert len(set(turns)) == len(turns)


@pytest.mark.parametrize(("seed", "sides", "units"), [(21, 3, 3), (22, 4, 6), (23, 2, 4)])
def test_r_ini_02_the_order_is_that_of_the_last_results(seed: int, sides: int, units: int) -> None:
    """Recomputed from the events alone: later rolls replace earlier ones, units that did not roll stand last."""
    match = random_match(seed, sides=sides, units=units)
    for _ in decisions(match, random.Random(seed)):
        pass
    results: dict[str, int] = {}
    chosen = None
    rounds = 0
    for event in flat(match):
        if event["event"] == "round_began":
            results, chosen = {}, None
        elif event["event"] == "initiative_rolled":
            results[event["unit"]] = event["total"]
        elif event["event"] == "initiative_chosen":
            assert results[event["unit"]] == max(results.values())
            chosen = event["unit"] if event["first"] else None
        elif event["event"] == "turn_order":
            ranked = sorted(results, key=results.__getitem__)
            assert len(set(results.values())) == len(results), "R-INI-03"
            if chosen:
                ranked = [chosen, *(name for name in ranked if name != chosen)]
            assert event["order"][: len(ranked)] == ranked
            rounds += 1
    assert rounds > 2


def test_r_rnd_03_what_lasts_a_turn_ends_when_the_next_unit_begins_its_own() -> None:
    """b does without Evade during a's turn, and has it again when c shoots."""
    evader = unit("b", click={"equipment": {"speed": "evade"}})
    document = duel(
        units=[placed("a", "red", "0610"), placed("c", "red", "0710"), placed("b", "blue", "0606", 6, evader)],
        start={"round": 1, "phase": "combat", "order": ["a", "c", "b"]}, dice=[4, 3, 2, 4, 3, 2],
        actions=[
            SHOT, {"unit": "b", "react": "dodge", "cancel": ["evade"]}, {**SHOT, "unit": "c"},
        ],
        expect={"attacks": [{"defense": {"b": 19}}, {"defense": {"b": 21}}]},
    )  # fmt: skip
    ran(document)


# --- an attack, step by step ------------------------------------------------------------------------------------


def test_r_atk_09_q_54_the_steps_of_an_attack() -> None:
    """Declaration, revival, reaction, dice, comparison, damage, energy heat, and last what it costs the attacker."""
    energy = {**SHOT, "value": "secondary"}
    document = duel(
        blue={"pilot": pilot(defense=1), "unconscious": True}, dice=[3, 6, 5, 5],
        actions=[energy, {"unit": "b", "choose": "revive", "attempt": True}, {"unit": "b", "react": "defend"}],
        expect={"attacks": [{"roll": 16, "hit": ["b"]}]},
    )  # fmt: skip
    order = kinds(document)
    assert order == [
        "order_given", "targeted", "revive_rolled", "pilot_revived", "order_given", "heat_noted", "attack_rolled",
        "attack_resolved", "damage_scored", "damage_noted", "heat_noted", "heat_noted", "turn_over",
    ]  # fmt: skip
    events = [event for batch in ran(document).match.events[1:] for event in batch]
    heats = [(event["unit"], event["cause"]) for event in events if event["event"] == "heat_noted"]
    assert heats == [("b", "defend"), ("b", "energy_hit"), ("a", "ranged")]


def test_r_atk_09_a_critical_miss_and_single_use_items_come_last() -> None:
    agile = unit("a", click={"equipment": {"attack": {"key": "improved_targeting", "single_use": True}}})
    document = duel(
        units=[placed("a", "red", "0610", 0, agile), placed("b", "blue", "0606", 6)], dice=[1, 4, 5, 1],
        actions=[SHOT, {"unit": "b", "react": "none"}, {"unit": "a", "choose": "reroll", "die": 1}],
        expect={"units": {"a": {"damage_die": 2, "heat_die": 1}}, "attacks": [{"critical": "miss", "roll": 7}]},
    )  # fmt: skip
    events = [event for batch in ran(document).match.events[1:] for event in batch]
    costs = [(event["event"], event["cause"]) for event in events if event["event"] in ("heat_noted", "damage_noted")]
    assert costs == [("heat_noted", "ranged"), ("damage_noted", "critical_miss"), ("damage_noted", "single_use")]


def test_r_dmg_05_equipment_has_its_say_before_the_die_is_marked() -> None:
    document = duel(
        blue={"unit": unit("b", click={"equipment": {"defense": "heavy_armor"}})}, dice=[4, 3, 5],
        actions=[SHOT, {"unit": "b", "react": "none"}], expect={"attacks": [{"scored": {"b": 3}, "dealt": {"b": 2}}]},
    )  # fmt: skip
    noted = [event for batch in ran(document).match.events for event in batch if event["event"] == "damage_noted"]
    assert [(event["unit"], event["amount"], event["cause"], event["by"]) for event in noted] == [
        ("b", 2, "attack", "a")
    ]


@pytest.mark.parametrize(
    ("location", "effect", "rule"),
    [
        pytest.param("primary", "avoid_ammunition_explosion", "at a ballistic value", id="R-HET-14 ballistic"),
        pytest.param("secondary", "avoid_heat_sink_overload", "at an energy value", id="R-HET-14 energy"),
        pytest.param("speed", "avoid_shutdown", "at speed", id="R-HET-14 speed"),
    ],
)  # fmt: skip
def test_r_hef_01_effects_are_read_by_location_and_the_starting_position_has_none(
    location: str, effect: str, rule: str
) -> None:
    """On the step that shows it the effect is rolled, and named with its place; back at the start nothing is rolled."""
    hot = unit("a", vent=3)
    hot["heat"][1]["effects"] = {location: effect}
    keys: dict[str, Any] = {
        "start": {"round": 1, "phase": "combat", "order": ["a", "b"]},
        "actions": [{"unit": "a", "order": "vent"}],
    }
    to_one = duel(red={"unit": unit("a", vent=1, heat=hot["heat"]), "heat": 2}, dice=[6], **keys)
    rolls = [event for batch in ran(to_one).match.events for event in batch if event["event"] == "heat_effect_rolled"]
    assert [(event["location"], event["effect"], event["success"]) for event in rolls] == [(location, effect, True)], (
        rule
    )
    to_start = duel(red={"unit": hot, "heat": 2}, dice=[], expect={"units": {"a": {"heat": 0}}}, **keys)
    assert "heat_effect_rolled" not in kinds(to_start)


def test_r_seg_04_equipment_beats_the_rules() -> None:
    """Jump Jets enter an abrupt hex from the ground and cross rock and figures, which R-TER-19 and R-MOV-08 forbid."""
    ground = {"hexes": {"0609": "blocking", "0608": "clear+abrupt"}}
    order = {"unit": "a", "order": "move", "path": ["0609", "0608"], "facing": 0}
    walker = duel(arena=ground, start={"round": 1, "phase": "move", "order": ["a", "b"]}, actions=[order])
    assert ran({**walker, "expect": {"error": "path_blocked"}}).match.actions == []
    jumper = unit("a", click={"equipment": {"speed": "jump_jets"}})
    ran(
        {
            **walker,
            "units": [placed("a", "red", "0610", 0, jumper), walker["units"][1]],
            "expect": {"units": {"a": {"hex": "0608"}}},
        }
    )


def test_r_lof_03_a_line_is_a_walk_of_corners_and_can_be_named() -> None:
    """0610 to 0607 straight on: of its two walks the attacker names one; 4 hexsides are 5 corners."""
    right = ["0610@1", "0609@3", "0609@1", "0608@3", "0608@1"]
    left = ["0610@11", "0609@9", "0609@11", "0608@9", "0608@11"]
    for line, others in ((right, "0708"), (left, "0508")):
        document = duel(
            units=[placed("a", "red", "0610"), placed("b", "blue", "0607", 6), placed("c", "blue", others, 6)],
            start={"round": 1, "phase": "combat", "order": ["a", "b", "c"]}, dice=[4, 3, 5],
            actions=[{**SHOT, "line": {"b": line}}, {"unit": "b", "react": "none"}],
            expect={"attacks": [{"modifiers": {"b": {"intervening": -2}}}]},
        )  # fmt: skip
        ran(document)
    match = ran(duel(units=[placed("a", "red", "0610"), placed("b", "blue", "0607", 6)], expect={"decision": {}})).match
    for wrong in (right[:-1], right[1:], [*right[:2], *left[2:]], [right[0]], [*left[:1], *right[1:]]):
        (problem,) = match.check({**SHOT, "line": {"b": wrong}})
        assert problem.code in LINE_CODES, wrong
    with pytest.raises(Malformed):
        match.check({**SHOT, "line": {"c": right}})


# --- several sides ----------------------------------------------------------------------------------------------


def three_sides(**keys: Any) -> dict[str, Any]:
    units = [placed("a", "red", "0610"), placed("b", "blue", "0607", 6), placed("c", "green", "0706", 6)]
    return duel(**{"units": units, "start": {"round": 1, "phase": "combat", "order": ["a", "b", "c"]}, **keys})


def test_r_bld_21_three_sides_are_each_others_opponents() -> None:
    shots = [{"unit": "a", "order": "ranged", "targets": [name]} for name in ("b", "c")]
    ran(three_sides(expect={"legal": shots}))
    ran(
        three_sides(
            start={"round": 1, "phase": "combat", "order": ["b", "a", "c"]},
            units=[placed("a", "red", "0610"), placed("b", "blue", "0607", 2), placed("c", "green", "0707", 6)],
            expect={"legal": [{"order": "close", "targets": ["c"]}]},
        )
    )


def test_r_gen_12_friends_are_the_units_of_the_own_side_only() -> None:
    """c touches b: if it is a friend of a the shot is disturbed, if it belongs to a third side it is not."""
    for side, modifiers in (("red", {"friendly_fire": -1}), ("green", {})):
        units = [placed("a", "red", "0610"), placed("b", "blue", "0607", 6), placed("c", side, "0606", 6)]
        ran(
            three_sides(
                units=units, dice=[4, 3, 5], actions=[SHOT, {"unit": "b", "react": "none"}],
                expect={"attacks": [{"modifiers": {"b": modifiers}}]},
            )
        )  # fmt: skip


def test_r_end_02_with_three_sides_the_match_goes_on_while_two_have_units() -> None:
    """b falls to a; a and c go on. Then c falls too, and the last side has won."""
    document = three_sides(
        start={"round": 1, "phase": "cleanup", "order": ["a", "b", "c"]}, until="round_end",
        expect={"winner": None, "units": {"b": {"eliminated": True}}},
    )  # fmt: skip
    document["units"][1]["damage_die"] = 5
    ran(document)
    document["units"][2]["damage_die"] = 5
    document["expect"] = {"winner": "red", "units": {"c": {"eliminated": True}}}
    for entry in document["units"][1:]:
        entry["unit"] = {**entry["unit"], "points": 160}
    ran(document)


def test_r_mov_11_contact_with_any_other_side_stops_a_move() -> None:
    order = {"unit": "a", "order": "move", "path": ["0609", "0608", "0508"], "facing": 0}
    ran(
        three_sides(
            start={"round": 1, "phase": "move", "order": ["a", "b", "c"]},
            actions=[order],
            expect={"error": "path_must_stop"},
        )
    )


def test_r_bas_02_both_other_sides_may_spin_in_turn_order() -> None:
    units = [placed("a", "red", "0609"), placed("b", "blue", "0508", 6), placed("c", "green", "0708", 6)]
    document = three_sides(
        units=units, start={"round": 1, "phase": "move", "order": ["a", "c", "b"]},
        actions=[
            {"unit": "a", "order": "move", "path": ["0608"], "facing": 0},
            {"unit": "c", "choose": "free_spin", "facing": 7},
            {"unit": "b", "choose": "free_spin", "facing": 5},
        ],
        expect={"units": {"b": {"facing": 5}, "c": {"facing": 7}}},
    )  # fmt: skip
    ran(document)


# --- who sees what ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_shown_before_it_happens(seed: int) -> None:
    """Dice come after the decision that they answer, and the batch of an action ends with what its player may know:
    the events that are there at a decision do not depend on the answer to it."""
    match = random_match(seed)
    rng = random.Random(seed)
    for now in decisions(match, random.Random(seed)):
        before = flat(now)
        options = now.legal_actions()
        one, other = rng.choice(options), rng.choice(options)
        twins = []
        for action in (one, other):
            twin = random_match(seed)
            for earlier in now.actions:
                twin.play(earlier)
            twin.play(action)
            twins.append(flat(twin)[: len(before)])
        assert twins == [before, before]
        if len(now.actions) > 12:
            return


def test_the_pool_is_shown_as_a_number_and_the_next_token_is_drawn_when_it_is_placed() -> None:
    match = random_match(3)
    for now in decisions(match, random.Random(3)):
        snapshot = now.snapshot()
        assert isinstance(snapshot["pool"], int)
        assert snapshot["pool"] + len(snapshot["tokens"]) <= 6
    drawn = [event["event"] for event in flat(match) if event["event"] in ("token_drawn", "token_placed")]
    assert all(pair != ("token_drawn", "token_drawn") for pair in pairwise(drawn))


def test_a_decision_says_what_its_owner_must_know() -> None:
    document = duel(actions=[SHOT], expect={"decision": {"kind": "react", "unit": "b", "side": "blue"}})
    decision = ran(document).match.decision
    assert decision is not None
    assert decision.to_json()["why"] == {
        "attacker": "a", "targets": ["b"], "value": "primary", "ranged": True, "indirect": False,
    }  # fmt: skip
    assert token()["rp"] == 10
