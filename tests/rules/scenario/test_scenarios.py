"""The conformance scenarios, one test a file, and the runner that plays them."""

import copy
from pathlib import Path
from typing import Any

import pytest

from rules.catalogue import load_builtin
from rules.scenario.playing import load, play
from tests.rules.board import (
    SCENARIOS,
    dice_in,
    difference,
    duel,
    pilot,
    placed,
    ran,
    scenario_files,
    token,
    unit,
)

SHOT = {"unit": "a", "order": "ranged", "value": "primary", "targets": ["b"]}
NO_REACTION = {"unit": "b", "react": "none"}
GOOD: dict[str, Any] = duel(
    dice=[4, 3, 5],
    actions=[SHOT, NO_REACTION],
    expect={
        "units": {"b": {"damage_die": 3}, "a": {"heat_die": 1}},
        "attacks": [
            {
                "roll": 12, "result": {"b": 21}, "modifiers": {"b": {}}, "defense": {"b": 19}, "scored": {"b": 3},
                "dealt": {"b": 3}, "hit": ["b"], "critical": None,
            }
        ],
        "reputation": {"red": 0, "blue": 0},
        "winner": None,
        "kills": {"red": 0},
    },
)  # fmt: skip


@pytest.mark.parametrize("path", scenario_files(), ids=lambda path: path.relative_to(SCENARIOS).as_posix())
def test_scenario(path: Path) -> None:
    """Its outcome is the expected one, and all its dice can be read from its events, one by one."""
    document = load(path)
    scenario, found = play(document)
    assert found is None, found
    assert (scenario is None) == (path.parent.name == "set_up"), "of a refused position there is no scenario"
    if scenario is not None:
        assert dice_in(scenario.outcome()["events"]) == document.get("dice", [])


def test_there_are_at_least_sixty_scenarios_with_rules_and_titles() -> None:
    assert len(scenario_files()) >= 60
    for path in scenario_files():
        document = load(path)
        assert document["title"], path.name
        assert document["rules"], path.name


# --- the runner -------------------------------------------------------------------------------------------------


def changed(**expect: Any) -> dict[str, Any]:
    document = copy.deepcopy(GOOD)
    document["expect"].update(expect)
    return document


def with_red(**keys: Any) -> dict[str, Any]:
    red, blue = GOOD["units"]
    return {**GOOD, "units": [{**red, **keys}, blue]}


def test_a_right_expectation_is_ok() -> None:
    assert difference(GOOD) is None


@pytest.mark.parametrize(
    ("document", "first"),
    [
        pytest.param(
            changed(units={"b": {"hex": "0606", "damage_die": 4}}),
            "units.b.damage_die: expected 4, found 3",
            id="a number",
        ),
        pytest.param(
            changed(units={"b": {"shutdown": True}}), "units.b.shutdown: expected true, found false", id="a truth"
        ),
        pytest.param(
            changed(units={"b": {"shutdown": 0}}), "units.b.shutdown: expected 0, found false", id="0 is not false"
        ),
        pytest.param(changed(units={"c": {"clicks": 0}}), "units.c", id="a unit that is not there"),
        pytest.param(changed(units={"b": {"colour": "blue"}}), "units.b.colour", id="a key that no unit has"),
        pytest.param(
            changed(units={"b": {"orders": ["dodge"]}}), 'units.b.orders: expected ["dodge"], found []', id="a list"
        ),
        pytest.param(changed(attacks=[]), "attacks: expected 0, found 1", id="one attack too many"),
        pytest.param(changed(attacks=[{"roll": 11}]), "attacks[1].roll: expected 11, found 12", id="the roll"),
        pytest.param(
            changed(attacks=[{"hit": []}]), 'attacks[1].hit: expected [], found ["b"]', id="lists compare whole"
        ),
        pytest.param(
            changed(attacks=[{"modifiers": {"b": {"height": -1}}}]), "attacks[1].modifiers.b", id="a modifier too many"
        ),
        pytest.param(changed(reputation={"red": 5}), "reputation.red: expected 5, found 0", id="reputation"),
        pytest.param(changed(winner="red"), 'winner: expected "red", found null', id="the winner"),
        pytest.param(changed(kills={"blue": 1}), "kills.blue: expected 1, found 0", id="kills"),
        pytest.param(changed(error="out_of_range"), 'error: expected "out_of_range", found null', id="no error"),
        pytest.param(changed(events=[{"event": "moved"}]), "events[1]", id="an event that did not happen"),
        pytest.param(
            changed(events=[{"event": "attack_rolled"}, {"event": "targeted"}]), "events[2]", id="events out of order"
        ),
        pytest.param(changed(decision={"kind": "react"}), "decision.kind", id="another decision"),
        pytest.param(changed(legal=[{"unit": "b", "order": "close", "targets": ["a"]}]), "legal: ", id="not legal"),
        pytest.param(changed(illegal=[{"unit": "b", "order": "vent"}]), "illegal: ", id="not illegal"),
    ],
)
def test_a_wrong_expectation_fails_with_the_first_difference(document: dict[str, Any], first: str) -> None:
    found = difference(document)
    assert found is not None
    assert found.startswith(first)


def test_modifiers_are_exact() -> None:
    """A modifier that happened and is not expected is a difference, for each target that is named."""
    document = duel(
        arena={"hexes": {"0606": "clear+elevated"}}, dice=[4, 3, 5], actions=[SHOT, NO_REACTION],
        expect={"attacks": [{"modifiers": {"b": {}}}]},
    )  # fmt: skip
    assert difference(document) == 'attacks[1].modifiers.b: expected {}, found {"height": -1}'


def test_left_over_dice_fail() -> None:
    assert difference({**GOOD, "dice": [4, 3, 5, 6]}) == "dice left over: [6]"


def test_missing_dice_fail() -> None:
    assert difference({**GOOD, "dice": [4, 3]}) == "attack asks for 3 dice and the script has [4, 3] left"


@pytest.mark.parametrize(
    ("document", "where"),
    [
        pytest.param({**GOOD, "weather": "rain"}, "weather: unknown_key", id="scenario"),
        pytest.param(changed(mood="good"), "expect.mood: unknown_key", id="expect"),
        pytest.param(with_red(shield=1), "'field': 'units[0].shield', 'problem': 'unknown_key'", id="unit"),
        pytest.param({**GOOD, "house_rules": {"fair_play": True}}, "unknown_house_rule", id="house rule"),
        pytest.param({**GOOD, "actions": [{**SHOT, "loudly": True}]}, "unknown_field", id="action"),
        pytest.param({**GOOD, "start": {"phase": "lunch"}}, "'value': 'lunch'", id="phase"),
        pytest.param({**GOOD, "until": "dawn"}, "until: not_one_of", id="until"),
        pytest.param({**GOOD, "dice": [4, 3, 7]}, "dice[2]: out_of_range", id="a seven"),
        pytest.param(with_red(unit="SOL999"), "the catalogue has no units SOL999", id="catalogue id"),
        pytest.param({**GOOD, "units": None}, "'field': 'units', 'problem': 'wrong_type'", id="no units"),
    ],
)
def test_unknown_keys_and_values_fail(document: dict[str, Any], where: str) -> None:
    found = difference(document)
    assert found is not None
    assert where in found


def test_an_action_refused_before_the_last_fails_and_names_it() -> None:
    document = duel(actions=[{**SHOT, "targets": ["a"]}, SHOT], expect={"error": "target_self"})
    found = difference(document)
    assert found is not None
    assert found.startswith("action 1 refused: target_self")


def test_a_refused_last_action_fails_unless_it_is_expected() -> None:
    document = duel(actions=[{**SHOT, "targets": ["a"]}])
    assert difference(document) == "action 1 refused: target_self {'target': 'a'}"


def test_an_expected_error_leaves_everything_as_it_was() -> None:
    document = duel(
        actions=[{**SHOT, "targets": ["a"]}],
        expect={"error": "target_self", "units": {"a": {"heat_die": 0, "orders": []}}, "attacks": []},
    )
    assert len(ran(document).match.actions) == 0


def test_legal_and_illegal_match_partial_actions() -> None:
    document = duel(
        expect={
            "decision": {"kind": "combat", "unit": "a"},
            "legal": [{"unit": "a", "order": "vent"}, {"order": "assault", "path": ["0609"]}, {"order": "ranged"}],
            "illegal": [{"order": "close"}, {"order": "dodge"}, {"unit": "b"}, {"order": "ranged", "indirect": True}],
        }
    )
    ran(document)


def test_a_legal_path_that_the_engine_did_not_list_is_legal() -> None:
    """Two ways lead to 0609 and on; the engine lists one, and takes both."""
    document = duel(start={"round": 1, "phase": "move", "order": ["a", "b"]})
    scenario = ran(document)
    table = scenario.match.table
    table.pause_at = frozenset()
    table.advance()
    listed = {tuple(action["path"]) for action in scenario.match.legal_actions() if "path" in action}
    ways = [("0609", "0709"), ("0710", "0709"), ("0609", "0509", "0508"), ("0510", "0509", "0508")]
    assert not set(ways) <= listed
    for way in ways:
        action = {"unit": "a", "order": "move", "path": list(way), "facing": 3}
        ran({**document, "expect": {"legal": [action]}})
        moved = ran({**document, "actions": [action], "expect": {"units": {"a": {"hex": way[-1], "facing": 3}}}})
        assert moved.match.actions[0]["path"] == list(way)


EVADER = unit("evader", click={"equipment": {"speed": "evade"}})
SPENT = {**placed("b", "blue", "0606", 6, EVADER), "orders": ["vent"]}
"""A target that had its combat order, so that the only thing left to say is what it cancels."""


def test_unanswered_cancel_keeps_the_item() -> None:
    document = duel(
        blue=SPENT, dice=[4, 3, 5], actions=[SHOT],
        expect={"attacks": [{"result": {"b": 21}, "defense": {"b": 21}, "hit": ["b"], "dealt": {"b": 3}}]},
    )  # fmt: skip
    ran(document)


def test_answered_cancel_does_without_the_item() -> None:
    answer = {"unit": "b", "choose": "cancel", "keys": ["evade"]}
    document = duel(
        blue=SPENT, dice=[4, 3, 5], actions=[SHOT, answer], expect={"attacks": [{"defense": {"b": 19}}]}
    )  # fmt: skip
    ran(document)


def test_a_cancel_decision_that_is_expected_is_left_open() -> None:
    ran(duel(blue=SPENT, actions=[SHOT], expect={"decision": {"kind": "cancel", "unit": "b"}, "attacks": []}))


def test_until_cleanup_stops_before_it() -> None:
    scenario = ran({**GOOD, "until": "cleanup"})
    assert scenario.match.snapshot()["units"]["b"]["clicks"] == 0
    assert scenario.match.snapshot()["phase"] == "combat"


def test_until_round_end_plays_the_clean_up_and_stops_before_the_next_round() -> None:
    document = copy.deepcopy(GOOD)
    document["expect"]["units"] = {"b": {"clicks": 3, "damage_die": 0}, "a": {"heat": 1, "heat_die": 0}}
    scenario = ran({**document, "until": "round_end"})
    assert scenario.match.snapshot()["round"] == 1


def test_until_tells_what_happens_after_the_last_action() -> None:
    """Nobody is asked between the last shot and the end of the clean-up: its events count all the same."""
    document = duel(
        blue={"orders": ["vent"]}, start={"round": 1, "phase": "combat", "order": ["b", "a"]}, dice=[4, 3, 5],
        actions=[SHOT], until="round_end", expect={"events": [{"event": "dial_turned", "unit": "b", "to": 3}]},
    )  # fmt: skip
    ran(document)


def test_until_match_end_reaches_the_winner() -> None:
    """Red is the cheaper side, so that the tie at 0 needs no die."""
    document = duel(
        red={"unit": unit("a", points=140)}, dice=[3, 3, 2, 2],
        start={"round": 9, "phase": "cleanup", "order": ["a", "b"]}, until="match_end", expect={"winner": "red"},
    )  # fmt: skip
    ran(document)


def test_without_actions_the_run_stops_at_the_first_decision() -> None:
    scenario = ran(duel(expect={"decision": {"kind": "combat", "unit": "a"}, "events": []}))
    assert scenario.match.snapshot()["units"]["a"]["orders"] == []


def test_the_run_stops_before_the_next_turn() -> None:
    scenario = ran(GOOD)
    assert scenario.match.decision is None
    assert scenario.match.snapshot()["turn"] == "a"
    ran({**GOOD, "expect": {"decision": {"kind": "combat", "unit": "b"}}})


def test_pilots_tokens_and_reputation_may_be_given() -> None:
    document = duel(
        red={"pilot": pilot(attack=1)}, tokens=[{**token(), "hex": "0609"}], reputation={"blue": 15}, dice=[2, 1, 2],
        actions=[{**SHOT, "targets": ["t1"]}],
        expect={
            "attacks": [{"modifiers": {"t1": {"P-900": 1}}, "result": {"t1": 15}, "hit": ["t1"]}],
            "reputation": {"red": 10, "blue": 15},
        },
    )  # fmt: skip
    ran(document)


def test_definitions_may_be_named_by_their_catalogue_ids() -> None:
    unit_id, pilot_id = "SOL002", "P-008"
    document = duel(
        arena="plaza", red={"unit": unit_id, "pilot": pilot_id, "hex": "0302"}, blue={"hex": "0914"},
        expect={"units": {"a": {"hex": "0302"}}},
    )  # fmt: skip
    fighter = ran(document).match.table.fighter(0)
    catalogue = load_builtin()
    assert fighter.title == catalogue.units[unit_id]["name"]
    assert fighter.total == catalogue.units[unit_id]["points"] + catalogue.pilots[pilot_id]["points"]
