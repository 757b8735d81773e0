"""House rules in play: each switch that has an effect in a Standard match changes it, the others change nothing."""

import dataclasses
import random
from typing import Any

import pytest

from rules.competition.match import Match
from rules.competition.setups import read_setup
from rules.core.dice import SeededDice
from rules.solaris.building import build_problems
from rules.solaris.house_rules import HouseRules
from tests.rules.board import (
    decisions,
    duel,
    flat,
    loadout,
    pilot,
    ran,
    random_setup,
    scripted,
    setup_document,
    unit,
)

SHOT = {"unit": "a", "order": "ranged", "value": "primary", "targets": ["b"]}
NONE = {"unit": "b", "react": "none"}

IN_PLAY: dict[str, tuple[Any, dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "shutdown_may_vent": (
        True,
        duel(red={"shutdown": True, "heat": 2}, start={"round": 1, "phase": "combat", "order": ["a", "b"]}),
        {"decision": {"kind": "combat", "unit": "b"}},
        {"decision": {"kind": "combat", "unit": "a"}, "legal": [{"order": "vent"}], "illegal": [{"order": "ranged"}]},
    ),
    "dig_in_target_modifier": (
        -1,
        duel(dice=[4, 3, 5], actions=[SHOT, {"unit": "b", "react": "dig_in"}]),
        {"attacks": [{"modifiers": {"b": {"target_dig_in": 1}}, "result": {"b": 22}}]},
        {"attacks": [{"modifiers": {"b": {"target_dig_in": -1}}, "result": {"b": 20}}]},
    ),
    "critical_hit_extra_damage": (
        1,
        duel(blue={"pilot": pilot()}, dice=[6, 6, 1], actions=[SHOT, NONE]),
        {"attacks": [{"critical": "hit", "scored": {"b": 3}}], "units": {"b": {"damage_die": 3, "unconscious": True}}},
        {"attacks": [{"critical": "hit", "scored": {"b": 4}}], "units": {"b": {"damage_die": 4, "unconscious": True}}},
    ),
    "target_inside_hindering": (
        True,
        duel(arena={"hexes": {"0606": "hindering"}}, dice=[4, 3, 5], actions=[SHOT, NONE]),
        {"attacks": [{"modifiers": {"b": {}}}]},
        {"attacks": [{"modifiers": {"b": {"hindering": -1}}}]},
    ),
    "elevated_ends_ignore_hindering": (
        True,
        duel(
            arena={"hexes": {"0608": "hindering", "0606": "clear+elevated", "0610": "clear+elevated"}},
            dice=[4, 3, 5], actions=[SHOT, NONE],
        ),
        {"attacks": [{"modifiers": {"b": {"hindering": -1}}}]},
        {"attacks": [{"modifiers": {"b": {}}}]},
    ),
    "time_limit_rounds": (
        3,
        duel(
            red={"unit": unit("a", points=140)}, start={"round": 3, "phase": "cleanup", "order": ["a", "b"]},
            until="round_end",
        ),
        {"winner": None},
        {"winner": "red"},
    ),
}  # fmt: skip
"""Switch: another value, a scenario, what comes of it by default, what comes of it with the switch."""

BEFORE_THE_MATCH = {"points_only", "build_total", "build_total_per", "token_pool_rp"}
NOT_IN_A_STANDARD_MATCH = {"rally_cards"}
WITH_THE_FORMATS = {"pilot_death", "clock_seconds"}
"""Tested in test_formats."""


def test_every_switch_is_accounted_for() -> None:
    known = {field.name for field in dataclasses.fields(HouseRules)}
    assert known == set(IN_PLAY) | {"target_tokens"} | BEFORE_THE_MATCH | NOT_IN_A_STANDARD_MATCH | WITH_THE_FORMATS


@pytest.mark.parametrize("key", IN_PLAY)
def test_a_switch_changes_what_comes_of_a_scenario(key: str) -> None:
    value, document, by_default, switched = IN_PLAY[key]
    ran({**document, "expect": by_default})
    ran({**document, "house_rules": {key: getattr(HouseRules(), key)}, "expect": by_default})
    ran({**document, "house_rules": {key: value}, "expect": switched})


def test_q_73_a_shutdown_unit_that_may_vent_cools_at_once() -> None:
    ran(
        duel(
            red={"shutdown": True, "heat": 3}, house_rules={"shutdown_may_vent": True},
            actions=[{"unit": "a", "order": "vent"}],
            expect={"units": {"a": {"heat": 1, "shutdown": True, "orders": ["vent"]}}},
        )
    )  # fmt: skip


def test_target_tokens_off_means_no_draw_and_no_token() -> None:
    places = [
        {"unit": "a", "choose": "start", "hex": "0402", "facing": 6},
        {"unit": "b", "choose": "start", "hex": "0813", "facing": 0},
    ]
    kinds = []
    for switch in (True, False):
        document = setup_document(
            {"red": [loadout("a")], "blue": [loadout("b")]}, house_rules={"target_tokens": switch}
        )
        match = scripted(read_setup(document), [6, 6, 6, 1, 1, 1, 1, 1, 2, 2, 2], places)
        assert match.decision is not None
        kinds.append(match.decision.kind)
    assert kinds == ["token", "initiative"]


@pytest.mark.parametrize(
    ("switches", "match_class", "legal"),
    [
        ({}, "light", False),
        ({"points_only": True}, "light", True),
        ({"build_total": 150}, "medium", True),
        ({"build_total": 149}, "medium", False),
    ],
    ids=str,
)
def test_switches_of_building(switches: dict[str, Any], match_class: str, legal: bool) -> None:
    """150 points of a medium unit against the class, any class, and another total."""
    rules = HouseRules.from_json({**switches, **({"build_total": 200} if "points_only" in switches else {})})
    assert (build_problems(unit(points=150), None, match_class, rules) == []) is legal


@pytest.mark.parametrize(("key", "value"), [("rally_cards", False)])
def test_switches_of_other_rooms_change_nothing_in_the_match(key: str, value: Any) -> None:
    histories = []
    for switches in ({}, {key: value}):
        match = Match.start(read_setup(random_setup(random.Random(4), 2, 2, **switches)), SeededDice(4))
        for _ in decisions(match, random.Random(4)):
            pass
        histories.append(flat(match))
    assert histories[0] == histories[1]
