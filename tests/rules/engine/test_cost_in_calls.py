"""What a decision costs, counted in calls of functions, so that no machine's speed is in it."""

from __future__ import annotations

import random
import sys
from typing import Any

import pytest

from rules.bench import SCENES, setups
from rules.bots.base import Bot, TableBot
from rules.bots.greedy import GreedyBot
from rules.competition.match import Match
from rules.competition.roster import Roster
from rules.competition.setup import MatchSetup
from rules.competition.table import Choice, Table
from rules.core.dice import SeededDice
from tests.tools.line_ups import equipped

MATCHES = 24

MOST_CALLS = {"duel": 109, "team": 117, "grand_melee": 120}
"""Calls a decision, rounded up from what was measured when this was written; lower them when the engine gets leaner."""

MOST_CALLS_EQUIPPED = {"duel": 119, "team": 131, "grand_melee": 137}
"""The same where everybody has gear and rally cards."""

GREEDY_MATCHES = 24
"""So many that no single match decides the mean: other play in one of six moved it by three in a hundred."""

MOST_CALLS_OF_GREEDY = {"duel": 1260, "team": 1780, "capture_the_flag": 1595}
"""The same with the greedy bot, who plays the seasons and the play-outs of the bots that search."""


class Sampler(TableBot):
    """Any legal choice, without a list of them all."""

    def decide(self, table: Table, rng: random.Random) -> Choice:
        assert table.open is not None
        kind, unit, data = table.open
        return kind.sample(table, unit, data, rng)


def play(bot: Bot, rosters: list[Roster], matches: int) -> int:
    """Matches of fixed seeds that the bot plays for all sides; returns the number of decisions."""
    decisions = 0
    for number in range(matches):
        rng = random.Random(number)
        table = Match.at(rosters[number % len(rosters)], SeededDice(number), recording=False).table
        while table.open is not None:
            table.answer(bot.decide(table, rng))
            decisions += 1
    return decisions


def calls_a_decision(bot: Bot, played: list[MatchSetup], matches: int) -> float:
    rosters = [Roster(setup) for setup in played]
    play(bot, rosters, matches)  # lines of fire are remembered from here on
    calls = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        decisions = play(bot, rosters, matches)
    finally:
        sys.setprofile(before)
    return calls / decisions


@pytest.mark.parametrize("scene", sorted(MOST_CALLS))
def test_a_decision_costs_a_bounded_number_of_calls(scene: str) -> None:
    calls = calls_a_decision(Sampler(), setups(*SCENES[scene]), MATCHES)
    assert calls <= MOST_CALLS[scene], f"{calls:.1f} calls a decision"


@pytest.mark.parametrize("scene", sorted(MOST_CALLS_EQUIPPED))
def test_so_does_one_with_gear_and_rally_cards(scene: str) -> None:
    calls = calls_a_decision(Sampler(), equipped(*SCENES[scene]), MATCHES)
    assert calls <= MOST_CALLS_EQUIPPED[scene], f"{calls:.1f} calls a decision"


@pytest.mark.parametrize("scene", sorted(MOST_CALLS_OF_GREEDY))
def test_a_greedy_decision_costs_a_bounded_number_of_calls(scene: str) -> None:
    calls = calls_a_decision(GreedyBot(), setups(*SCENES[scene]), GREEDY_MATCHES)
    assert calls <= MOST_CALLS_OF_GREEDY[scene], f"{calls:.1f} calls a decision"
