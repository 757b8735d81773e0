"""The strategic bot: a search over positions as they may be, for the choice that wins most often.

A decision is searched in rounds of elimination (sequential halving): every choice that looks good is tried under a
few lucks, the better half under twice as many, and so on, until few are left that deserve most of the budget. Each
round deals what is hidden anew (`rules.competition.observation.imagined`), so that no choice wins by a lucky guess. The
budget is counted in nodes, decisions thought through, never in time: same seed, same play on every machine.
"""

from __future__ import annotations

import random

from rules.bots.base import Considered, TableBot
from rules.bots.candidates import candidates
from rules.bots.foresight import Foresight
from rules.bots.greedy import GreedyBot
from rules.bots.tactical import crowded
from rules.competition.observation import imagined
from rules.competition.table import Choice, Table


class StrategicBot(TableBot):
    """At most about `choices` choices; `stages` rounds of elimination that begin with `play_outs` lucks each; no
    further round begins once `nodes` decisions have been thought through. Where an opponent moves next, the worst for
    the side of about `replies` moves counts."""

    def __init__(self, name: str, choices: int, play_outs: int, stages: int, nodes: int, replies: int = 1) -> None:
        self.name = name
        self._choices = choices
        self._play_outs = play_outs
        self._stages = stages
        self._nodes = nodes
        self._replies = replies
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
        nodes, play_outs = 0, self._play_outs
        chances: dict[Choice, float] = {}
        tried: dict[Choice, int] = {}
        for stage in range(self._stages):
            foresight = Foresight(self._policy, side, max(1, table.position.round), rng)
            thought = imagined(table, rng)
            fans = [foresight.fan(thought, choice, self._replies) for choice in alive]
            means = foresight.mean_chances(fans, play_outs)
            for choice, mean in zip(alive, means, strict=True):
                before = tried.get(choice, 0)
                tried[choice] = before + play_outs
                chances[choice] = (chances.get(choice, 0.0) * before + mean * play_outs) / (before + play_outs)
            alive.sort(key=lambda choice: -chances[choice])
            nodes += foresight.nodes
            if nodes >= self._nodes or stage == self._stages - 1:
                break
            alive = alive[: max(2, len(alive) // 2)]
            play_outs *= 2
        order = sorted(chances, key=lambda choice: (-tried[choice], -chances[choice]))
        return [Considered(choice, chances[choice]) for choice in order]


def quick() -> StrategicBot:
    """At most a second a duel; no claim of strength."""
    return StrategicBot("quick", choices=4, play_outs=6, stages=2, nodes=40)


def strong() -> StrategicBot:
    """At most a quarter of a second a decision."""
    return StrategicBot("strong", choices=12, play_outs=24, stages=2, nodes=2000)
