"""The strategic bot: a search over positions as they may be, for the choice that wins most often.

A decision is searched in rounds of elimination (sequential halving): every choice that looks good is tried under some
lucks to the end of the round, the better half under twice as many, and so on, until few are left that deserve
most of the thinking. Each round of elimination deals what is hidden anew (`rules.competition.observation.imagined`), so
that no choice wins by a lucky guess. The budget is counted in decisions thought through (`Foresight.effort`), never in
time: same seed, same play on every machine.
"""

from __future__ import annotations

import random

from rules.bots.base import Considered, TableBot
from rules.bots.candidates import candidates
from rules.bots.foresight import Foresight, horizon
from rules.bots.greedy import GreedyBot
from rules.bots.tactical import crowded, crowded_effort
from rules.competition.observation import imagined
from rules.competition.table import Choice, Table

FINALISTS = 2
"""So many choices are never eliminated."""


class StrategicBot(TableBot):
    """At most about `choices` choices; `stages` rounds of elimination that begin with `play_outs` lucks; no more
    play-outs once `effort` is spent (`Foresight.effort`), which the rounds of elimination share evenly."""

    def __init__(self, name: str, choices: int, play_outs: int, stages: int, effort: int) -> None:
        self.name = name
        self._choices = choices
        self._play_outs = play_outs
        self._stages = stages
        self._effort = effort
        self._policy = GreedyBot()

    def decide(self, table: Table, rng: random.Random) -> Choice:
        """The choice that wins most often."""
        return self.consider(table, rng)[0].choice

    def consider(self, table: Table, rng: random.Random) -> list[Considered]:
        """The choices that it looked at, those of the last round of elimination first; an only choice has 0.5."""
        assert table.open is not None
        first = self._policy.decide(table, rng)
        alive = candidates(table, first, crowded(self._choices, table))
        if len(alive) == 1:
            return [Considered(first, 0.5)]
        side = table.roster.side_of[table.open[1]]
        budget, spent, play_outs = crowded_effort(self._effort, table), 0, self._play_outs
        chances: dict[Choice, float] = {}
        tried: dict[Choice, int] = {}
        for stage in range(self._stages):
            foresight = Foresight(self._policy, side, horizon(table), rng)
            thought = imagined(table, rng)
            branches = [foresight.branch(thought, choice) for choice in alive]
            share = budget * (stage + 1) // self._stages - spent
            played, means = foresight.mean_chances(branches, play_outs, share)
            for choice, mean in zip(alive, means, strict=True):
                before = tried.get(choice, 0)
                tried[choice] = before + played
                chances[choice] = (chances.get(choice, 0.0) * before + mean * played) / (before + played)
            alive.sort(key=lambda choice: -chances[choice])
            spent += foresight.effort
            if spent >= budget or len(alive) <= FINALISTS:
                break
            alive = alive[: max(FINALISTS, len(alive) // 2)]
            play_outs *= 2
        order = sorted(chances, key=lambda choice: (-tried[choice], -chances[choice]))
        return [Considered(choice, chances[choice]) for choice in order]


def quick() -> StrategicBot:
    """At most a second a duel; no claim of strength."""
    return StrategicBot("quick", choices=4, play_outs=6, stages=2, effort=400)


def strong() -> StrategicBot:
    """At most about a quarter of a second a decision on the machine of docs/strengths.md."""
    return StrategicBot("strong", choices=12, play_outs=24, stages=2, effort=4500)
