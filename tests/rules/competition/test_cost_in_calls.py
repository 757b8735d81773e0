"""What a decision costs, counted in calls of functions written in Python, so that no machine's speed is in it."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from cProfile import Profile

import pytest

from rules.bots.base import Bot, TableBot
from rules.bots.greedy import GreedyBot
from rules.competition.match import Match
from rules.competition.setups import roster_of
from rules.competition.state.match_state import Choice, MatchState
from rules.competition.state.roster import Roster
from rules.competition.state.setup import MatchSetup
from rules.core.dice import SeededDice
from rules.tools.bench import SCENES, midgame, setups
from tests.tools.line_ups import equipped

MATCHES = 12

MOST_CALLS = {
    "capture_the_flag": 154, "duel": 106, "grand_melee": 119, "tag_team": 115, "team": 115, "weapons_dead": 91,
}  # fmt: skip
"""Calls a decision, rounded up from what was measured when this was written; lower them when the engine gets leaner."""

MOST_CALLS_EQUIPPED = {"duel": 118, "team": 134, "grand_melee": 137}
"""The same where everybody has gear and rally cards."""

MOST_CALLS_TO_LIST = {"duel": 0.6, "team": 2.5, "grand_melee": 0.03}
"""Calls a choice, where all legal ones are listed some way into a match."""

MOST_CALLS_TO_COPY = 6
"""Calls for a table in thought, whoever stands on it."""

MOST_CALLS_TO_WRITE = 5
"""Calls for a position as JSON."""

GREEDY_MATCHES = 12
"""So many that no single match decides the mean: other play in one of six moved it by three in a hundred."""

MOST_CALLS_OF_GREEDY = {"duel": 1225, "team": 1820, "capture_the_flag": 1525}
"""The same with the greedy bot, who plays the seasons and the play-outs of the bots that search."""


class Sampler(TableBot):
    """Any legal choice, without a list of them all."""

    def decide(self, table: MatchState, rng: random.Random) -> Choice:
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


def calls_of(work: Callable[[], int]) -> float:
    """Calls for one of what the work says that it did."""
    before = sys.getprofile()
    profile = Profile(subcalls=False, builtins=False)
    try:
        done = profile.runcall(work)
    finally:
        sys.setprofile(before)
    return sum(entry.callcount for entry in profile.getstats()) / done


def calls_a_decision(bot: Bot, played: list[MatchSetup], matches: int) -> float:
    rosters = [roster_of(setup) for setup in played]
    play(bot, rosters, matches)  # lines of fire are remembered from here on
    return calls_of(lambda: play(bot, rosters, matches))


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


@pytest.mark.parametrize("scene", sorted(MOST_CALLS_TO_LIST))
def test_listing_copying_and_writing_cost_a_bounded_number_of_calls(scene: str) -> None:
    middle = midgame([roster_of(setup) for setup in setups(*SCENES[scene])])
    dice = SeededDice(0)

    def listed() -> int:
        found = 0
        for match in middle:
            assert match.table.open is not None
            kind, unit, data = match.table.open
            found += len(kind.options(match.table, unit, data))
        return found

    def each(function: Callable[[Match], object]) -> int:
        for match in middle:
            function(match)
        return len(middle)

    assert listed()  # lines of fire are remembered from here on
    calls = calls_of(listed)
    assert calls <= MOST_CALLS_TO_LIST[scene], f"{calls:.3f} calls a choice"
    calls = calls_of(lambda: each(lambda match: match.table.copy(dice)))
    assert calls <= MOST_CALLS_TO_COPY, f"{calls:.1f} calls a copy"
    calls = calls_of(lambda: each(lambda match: match.table.position.to_json()))
    assert calls <= MOST_CALLS_TO_WRITE, f"{calls:.1f} calls a position"
