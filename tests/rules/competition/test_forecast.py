"""What is said before the dice is what the dice are compared with."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.catalogue import load_builtin
from rules.competition.forecast import break_away_forecast, forecast, prospects
from rules.competition.match import Match
from rules.core.dice import SeededDice
from rules.core.odds import chance_to_hit
from rules.measuring.self_play import random_setup

FORMATS = ("standard", "team", "weapons_dead", "tag_team", "capture_the_flag")


def resolved_after(match: Match, events: list[dict[str, Any]], attacker: str) -> dict[str, Any] | None:
    """Let nobody react until the attack is decided; its event, None when it never comes."""
    for _ in range(20):
        for event in events:
            if event["event"] == "attack_resolved" and event["unit"] == attacker:
                return event
            if event["event"] in ("turn_began", "phase_began"):
                return None
        if match.decision is None:
            return None
        events = match.play(match.default_action())
    return None


@pytest.mark.parametrize("format_key", FORMATS)
def test_the_forecast_of_an_attack_is_the_sum_that_its_dice_are_added_to(format_key: str) -> None:
    rng = random.Random(5)
    compared = 0
    for seed in range(8):
        match = Match.start(random_setup(load_builtin(), rng, format_key, 2), SeededDice(seed))
        for _ in range(150):
            if match.decision is None:
                break
            action = match.sample_action(rng)
            seen = forecast(match, action)
            if seen is None or match.decision.kind not in ("combat", "special"):
                match.play(action)
                continue
            attacker = match.decision.unit
            event = resolved_after(match, match.play(action), attacker)
            if event is None:
                continue
            assert set(event["why"]["targets"]) <= {each.target for each in seen.targets}
            for each in seen.targets:
                sums = event["why"]["targets"].get(each.target)
                if sums is None:
                    continue
                assert {term.name: term.amount for term in each.modifiers} == sums["modifiers"]
                assert {term.name: term.amount for term in each.defense_modifiers} == sums["defense_modifiers"]
                assert (each.attack, each.defense, each.range) == (sums["attack"], sums["defense"], sums["range"])
                assert {term.name: term.rule for term in (*each.modifiers, *each.defense_modifiers)} == sums["rules"]
                if each.again is None:
                    assert each.chance == chance_to_hit(sums["attack"], sums["defense"])
                compared += 1
            if seen.damage is not None and len(event["why"]["targets"]) == len(event["hit"]) == len(seen.targets):
                assert event["why"]["damage"] == seen.damage
    assert compared > 20


def test_a_forecast_changes_nothing_and_rolls_nothing() -> None:
    rng = random.Random(2)
    match = Match.start(random_setup(load_builtin(), rng, "standard"), SeededDice(1))
    for _ in range(60):
        if match.decision is None:
            break
        before = (match.snapshot(), match.decision, len(match.events))
        for _ in range(3):
            action = match.sample_action(rng)
            forecast(match, action)
            prospects(match, action)
            break_away_forecast(match, action)
        assert (match.snapshot(), match.decision, len(match.events)) == before
        match.play(match.sample_action(rng))
