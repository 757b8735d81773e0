"""What a decision costs, counted in calls of functions, so that no machine's speed is in it."""

from __future__ import annotations

import random
import sys
from typing import Any

import pytest

from rules.bench import SCENES, setups
from rules.competition.match import Match
from rules.competition.roster import Roster
from rules.core.dice import SeededDice

MATCHES = 24

MOST_CALLS = {"duel": 128, "team": 139, "grand_melee": 161}
"""Calls a decision, rounded up from what was measured when this was written; lower them when the engine gets leaner."""


def play(rosters: list[Roster]) -> int:
    """Random play-outs of fixed seeds; returns the number of decisions."""
    decisions = 0
    for number in range(MATCHES):
        rng = random.Random(number)
        table = Match.at(rosters[number % len(rosters)], SeededDice(number), recording=False).table
        while table.open is not None:
            kind, unit, data = table.open
            table.answer(kind.sample(table, unit, data, rng))
            decisions += 1
    return decisions


@pytest.mark.parametrize("scene", sorted(MOST_CALLS))
def test_a_decision_costs_a_bounded_number_of_calls(scene: str) -> None:
    rosters = [Roster(setup) for setup in setups(*SCENES[scene])]
    play(rosters)  # lines of fire are remembered from here on
    calls = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        decisions = play(rosters)
    finally:
        sys.setprofile(before)
    assert calls / decisions <= MOST_CALLS[scene], f"{calls / decisions:.1f} calls a decision"
