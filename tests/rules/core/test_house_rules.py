"""The match switches as documents; what they change in play is tested with the engine."""

import dataclasses
from typing import Any

import pytest

from rules.core.refusals import Malformed
from rules.solaris.house_rules import ROUNDS_BY_FORMAT, HouseRules


def test_defaults_are_those_of_the_rulings() -> None:
    assert HouseRules().to_json() == {
        "target_tokens": True,
        "rally_cards": True,
        "pilot_death": False,
        "time_limit_rounds": None,
        "clock_seconds": None,
        "shutdown_may_vent": False,
        "dig_in_target_modifier": 1,
        "critical_hit_extra_damage": 0,
        "target_inside_hindering": False,
        "token_pool_rp": 30,
        "build_total": None,
        "build_total_per": "unit",
        "points_only": False,
        "elevated_ends_ignore_hindering": False,
    }


def test_switches_round_trip_and_are_frozen() -> None:
    rules = HouseRules.from_json({"dig_in_target_modifier": -1, "time_limit_rounds": 4, "build_total_per": "team"})
    assert HouseRules.from_json(rules.to_json()) == rules
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.pilot_death = True  # type: ignore[misc]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("target_tokens", 1),
        ("target_tokens", None),
        ("points_only", "yes"),
        ("time_limit_rounds", 0),
        ("time_limit_rounds", True),
        ("clock_seconds", -5),
        ("build_total", 2.5),
        ("dig_in_target_modifier", 0),
        ("dig_in_target_modifier", True),
        ("critical_hit_extra_damage", 2),
        ("build_total_per", "league"),
        ("token_pool_rp", -1),
    ],
)
def test_values_of_the_wrong_kind_are_refused(key: str, value: Any) -> None:
    with pytest.raises(Malformed) as caught:
        HouseRules.from_json({key: value})
    assert caught.value.code == "bad_house_rule"
    assert caught.value.parameters["key"] == key


def test_unknown_switches_are_refused() -> None:
    with pytest.raises(Malformed) as caught:
        HouseRules.from_json({"fair_play": True})
    assert caught.value.code == "unknown_house_rule"


@pytest.mark.parametrize(
    ("format_key", "rounds"),
    [
        ("standard", 10), ("weapons_dead", 10), ("team", 20), ("tag_team", 20), ("capture_the_flag", 20),
        ("grand_melee", 30),
    ],
)  # fmt: skip
def test_q_172_rounds_stand_for_half_the_minutes_of_the_format(format_key: str, rounds: int) -> None:
    assert HouseRules().rounds(format_key) == rounds == ROUNDS_BY_FORMAT[format_key]
    assert HouseRules(time_limit_rounds=3).rounds(format_key) == 3
