"""Bots for tests of the guard, and matches that they play under it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from rules import bots
from rules.bots.base import TableBot
from rules.bots.guard import Guard
from rules.bots.strategic import Stage, StrategicBot
from rules.bots.tactical import TacticalBot
from rules.competition.match import Match
from rules.competition.state.match_state import Choice, MatchState
from rules.core.dice import SeededDice
from tests.rules.competition.formats.test_formats import setup_of

Decides = Callable[[MatchState, random.Random], Any]


class Obedient(TableBot):
    """A bot that does what a test asks of it."""

    name = "obedient"

    def __init__(self, decides: Decides) -> None:
        self._decides = decides

    def decide(self, table: MatchState, rng: random.Random) -> Choice:
        choice: Choice = self._decides(table, rng)
        return choice


def sampled(table: MatchState, rng: random.Random) -> Choice:
    assert table.open is not None
    kind, unit, data = table.open
    return kind.sample(table, unit, data, rng)


def begun(number: int = 0) -> Match:
    return Match.start(setup_of("standard", number, time_limit_rounds=6), SeededDice(number))


def play_guarded(match: Match, players: dict[str, TableBot], seed: int) -> list[Any]:
    """Play a match to its end; the faults."""
    guard, rng, faults = Guard(match), random.Random(seed), []
    while (decision := match.decision) is not None:
        answer = guard.ask(players[decision.side], rng)
        if answer.fault is not None:
            faults.append(answer.fault)
        guard.play(answer)
    return faults


def thinker(name: str) -> Any:
    """A bot of that search with a budget for tests; each stage of it is reached at every decision."""
    brief = TacticalBot(choices=3, play_outs=2, effort=80)
    thinkers = {
        "tactical": brief,
        "quick": StrategicBot(name, Stage(3, 2, 80), Stage(2, 2, 80)),
        "strong": StrategicBot(name, Stage(3, 2, 80), Stage(2, 2, 200), brief),
    }
    return thinkers.get(name) or bots.get(name)
