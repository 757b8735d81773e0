"""The strategic bot: it searches possible positions for the choice that wins most often.

A decision is searched in two stages. The first tries many choices with a few sets of dice to the end of the round; the
greedy bot plays for everybody. It finds the few choices that deserve most of the thinking. In the second stage the
tactical bot answers for everybody up to the next dice: the others' moves, a shot, the reaction to it. So each of these
choices meets a considered reply. Then it is tried with many sets of dice.

Each stage deals hidden cards and tokens again (`rules.competition.observation.imagined`), so that no choice wins by a
lucky guess. A bot that replies in a play-out sees only what its side may see. The budget counts decisions thought
through (`Foresight.effort`), never time: the same seed gives the same play on every machine.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from rules.bots.advice.margins import TIMES, Judged, judged
from rules.bots.base import Considered, TableBot
from rules.bots.budget import Budget
from rules.bots.candidates import candidates
from rules.bots.foresight import Foresight, Thinker, horizon, positions_of_a_decision
from rules.bots.greedy import GreedyBot
from rules.bots.tactical import TacticalBot, crowded, crowded_effort
from rules.competition.observation import imagined
from rules.competition.state.match_state import Choice, MatchState


class Stage(NamedTuple):
    """The limits of a stage: about `choices` choices, each with `play_outs` play-outs at first, fewer once `effort` is
    spent."""

    choices: int
    play_outs: int
    effort: int


FINALISTS = 2
"""The second stage ends when at most this many choices are left."""

EASE = 2
"""When a decision is thought out TIMES times, each time has the usual effort divided by this."""


class StrategicBot(TableBot):
    """A bot that tries candidates in the first stage and the best of them again in the second.

    In the second stage `thinker` answers for everybody up to the dice; without one the greedy bot does. Every method
    raises Overran beyond the budget of a decision.
    """

    def __init__(self, name: str, first: Stage, second: Stage, thinker: Thinker | None = None) -> None:
        self.name = name
        self._first = first
        self._second = second
        self._thinker = thinker
        self._policy = GreedyBot()

    def decide(self, table: MatchState, rng: random.Random) -> Choice:
        """Return the choice that wins most often."""
        return self.consider(table, rng)[0].choice

    def consider(self, table: MatchState, rng: random.Random) -> list[Considered]:
        """Return the choices that the bot looked at: those tried longest come first, the best of them in front.

        Chances are those of the second stage. A choice of the first stage alone keeps its distance to the best choice,
        so that all can be compared. A single choice is not tried and has the chance 0.5.
        """
        first = self._policy.decide(table, rng)
        choices = candidates(table, first, crowded(self._first.choices, table))
        if len(choices) == 1:
            return [Considered(first, 0.5)]
        positions = positions_of_a_decision()
        tried = self._compare(table, choices, rng, positions)
        number = crowded(self._second.choices, table)
        found = self._eliminate(table, [one.choice for one in tried[:number]], rng, positions)
        shift = found[0].chance - dict(tried)[found[0].choice]
        return found + [Considered(choice, min(1.0, max(0.0, chance + shift))) for choice, chance in tried[number:]]

    def judge(self, table: MatchState, rng: random.Random) -> list[Judged]:
        """Return the choices, best first, with margins from TIMES searches with less effort each.

        A single choice is not tried: it has the chance 0.5 and no margins.
        """
        first, second = (stage._replace(effort=stage.effort // EASE) for stage in (self._first, self._second))
        hasty = StrategicBot(self.name, first, second, self._thinker)
        times = [hasty.consider(table, rng) for _ in range(TIMES)]
        if len(times[0]) == 1:
            return [Judged(times[0][0].choice, times[0][0].chance)]
        return judged([dict(considered) for considered in times])

    def _compare(
        self, table: MatchState, choices: list[Choice], rng: random.Random, positions: Budget
    ) -> list[Considered]:
        """Return the result of the first stage: all choices, tried with the same dice, best first."""
        foresight, thought = self._foresight(table, rng, positions), imagined(table, rng)
        branches = [foresight.branch(thought, choice) for choice in choices]
        _, means = foresight.mean_chances(branches, self._first.play_outs, crowded_effort(self._first.effort, table))
        return _best_first(choices, means)

    def _eliminate(
        self, table: MatchState, choices: list[Choice], rng: random.Random, positions: Budget
    ) -> list[Considered]:
        """Return the result of the second stage, the choices that were tried longest first (sequential halving).

        After each turn the worse half is dropped, and the rest has twice as many play-outs, until FINALISTS are left or
        the effort is spent.
        """
        foresight, thought = self._foresight(table, rng, positions), imagined(table, rng)
        effort, play_outs = crowded_effort(self._second.effort, table), self._second.play_outs
        if self._thinker is None:
            branches = [foresight.branch(thought, choice) for choice in choices]
        else:
            # Three fifths of the effort are for the replies, the rest for the play-outs.
            branches = foresight.lines(thought, choices, self._thinker, effort * 3 // 5)
        alive = dict(zip(choices, branches, strict=True))
        sums, counts = dict.fromkeys(choices, 0.0), dict.fromkeys(choices, 0)
        left: list[Considered] = []
        while True:
            played, means = foresight.mean_chances(list(alive.values()), play_outs, effort)
            for choice, mean in zip(alive, means, strict=True):
                sums[choice] += mean * played
                counts[choice] += played
            order = _best_first(list(alive), [sums[choice] / counts[choice] for choice in alive])
            if len(order) <= FINALISTS or foresight.effort >= effort:
                return order + left
            stay = max(FINALISTS, len(order) // 2)
            left = order[stay:] + left
            alive = {one.choice: alive[one.choice] for one in order[:stay]}
            play_outs *= 2

    def _foresight(self, table: MatchState, rng: random.Random, positions: Budget) -> Foresight:
        assert table.open is not None
        return Foresight(self._policy, table.roster.side_of[table.open[1]], horizon(table), rng, positions)


def _best_first(choices: list[Choice], means: list[float]) -> list[Considered]:
    considered = [Considered(choice, mean) for choice, mean in zip(choices, means, strict=True)]
    return sorted(considered, key=lambda one: -one.chance)


def quick() -> StrategicBot:
    """Return the strategic bot that needs at most a second for a duel; it is not meant to be strong."""
    return StrategicBot("quick", Stage(choices=4, play_outs=6, effort=200), Stage(choices=2, play_outs=12, effort=200))


def strong() -> StrategicBot:
    """Return the strategic bot that needs at most a quarter of a second for a decision on average, on the machine of
    docs/strengths.md.
    """
    first, second = Stage(choices=24, play_outs=24, effort=3000), Stage(choices=8, play_outs=32, effort=14000)
    return StrategicBot("strong", first, second, TacticalBot())
