"""Play-outs: a table is played on sensibly by everybody until the end of the round.

A `Foresight` belongs to one decision. It plays on copies of the table, each with its own dice. A fast bot, the policy,
decides for everybody, and `rules.bots.evaluation` gives the chances at the end of the round. Many positions come again
(the same shot at the same target), so a `Foresight` remembers the policy's answers and the worth of positions.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from typing import NamedTuple, Protocol

from rules.bots.base import Bot, Weighed
from rules.bots.budget import Budget
from rules.bots.evaluation import chances
from rules.bots.stratified_dice import Strata
from rules.competition.state.match_state import Choice, MatchState
from rules.competition.state.position import Position
from rules.core.dice import Dice, DiceRunDry, ScriptedDice

MOST_POSITIONS = 200_000
"""The most positions that are looked at for one decision, in all its searches together."""

_NO_DICE = ScriptedDice([])

THOUGHT = 10
"""The effort that an answer of the policy adds when none is remembered, on top of the 1 that each answer adds."""

LEAST = 2
"""The fewest play-outs of each branch: fewer would leave the comparison to luck."""


def positions_of_a_decision() -> Budget:
    """Return the budget of one decision of a bot."""
    return Budget(MOST_POSITIONS, "positions")


class Branch(NamedTuple):
    """A table that waits for its next dice; all play-outs of a choice share the way up to them.

    `choice` answers the open decision and asks for the dice. It is None if the horizon was reached without dice.
    """

    table: MatchState
    choice: Choice | None


class Thinker(Protocol):
    """A bot that says how much effort its thinking took."""

    def weigh(self, table: MatchState, rng: random.Random, positions: Budget) -> Weighed:
        """Return the choices that were looked at, best first, and the effort. Raises Overran beyond `positions`."""


class Foresight:
    """Play-outs of one decision until `last_round` is over.

    `nodes` counts the decisions that the policy thought through. `effort` is the same on every machine: it adds up 1
    for each answer of the policy, THOUGHT for each that was not remembered, and the effort of thinkers. A search whose
    effort is spent ends early with the results so far. `positions` is the outer limit, 1 for each answer played: beyond
    it every method raises Overran.
    """

    def __init__(self, policy: Bot, side: int, last_round: int, rng: random.Random, positions: Budget) -> None:
        self.nodes = 0
        self.effort = 0
        self._policy = policy
        self._side = side
        self._last_round = last_round
        self._rng = rng
        self._positions = positions
        self._answers: dict[Hashable, Choice] = {}
        self._worths: dict[Hashable, float] = {}

    def branch(self, table: MatchState, choice: Choice) -> Branch:
        """Return the branch after a choice: the policy plays on until dice are needed or the horizon is reached."""
        while True:
            found = self._after(table, choice)
            if isinstance(found, Branch):
                return found
            table, choice = found, self._answer(found)

    def lines(self, table: MatchState, choices: Sequence[Choice], thinker: Thinker, effort: int) -> list[Branch]:
        """Return the branch after each choice; `thinker` answers for everybody, so that each choice meets a good reply.

        The thinker takes one decision after each choice in turn. Once `effort` is spent, the policy decides instead.
        """
        lines = [(table, choice) for choice in choices]
        found: list[Branch | None] = [None] * len(lines)
        while None in found and self.effort < effort:
            for number, line in enumerate(lines):
                if found[number] is None:
                    after = self._after(*line)
                    if isinstance(after, Branch):
                        found[number] = after
                    else:
                        lines[number] = after, self._thought(after, thinker)
        return [known or self.branch(*line) for known, line in zip(found, lines, strict=True)]

    def mean_chances(self, branches: Sequence[Branch], count: int, effort: int) -> tuple[int, list[float]]:
        """Return the number of play-outs of each branch, and for each branch the mean chance of the side, 0 to 1.

        All branches are played with the same dice. There are `count` play-outs, or fewer (at least LEAST) once `effort`
        is spent.
        """
        spread = Strata(count, self._rng)
        totals = [0.0] * len(branches)
        played = 0
        while played < count and (played < LEAST or self.effort < effort):
            for number, branch in enumerate(branches):
                totals[number] += self._chance(branch, spread.dice(played))
            played += 1
        return played, [total / played for total in totals]

    def _after(self, table: MatchState, choice: Choice) -> Branch | MatchState:
        """Return the table at the next decision, or the branch if the choice needs dice or reaches the horizon."""
        self._positions.spend()
        trial = table.copy(_NO_DICE)
        try:
            trial.answer(choice)
        except DiceRunDry:
            return Branch(table, choice)
        return Branch(trial, None) if self._is_over(trial) else trial

    def _thought(self, table: MatchState, thinker: Thinker) -> Choice:
        considered, effort = thinker.weigh(table, self._rng, self._positions)
        self.effort += effort
        return considered[0].choice

    def _chance(self, branch: Branch, dice: Dice) -> float:
        table, choice = branch
        if choice is None:
            return self._worth(table)
        play_out = table.copy(dice)
        self._positions.spend()
        play_out.answer(choice)
        while not self._is_over(play_out):
            self._positions.spend()
            play_out.answer(self._answer(play_out))
        return self._worth(play_out)

    def _is_over(self, table: MatchState) -> bool:
        return table.open is None or table.position.round > self._last_round

    def _answer(self, table: MatchState) -> Choice:
        """Return what the policy decides; its answer must depend on the table alone."""
        assert table.open is not None
        kind, unit, data = table.open
        key = (kind.name, unit, data, _looks(table.position))
        try:
            known = self._answers.get(key)
        except TypeError:  # data that cannot be hashed; such decisions are rare
            self.nodes += 1
            self.effort += THOUGHT
            return self._policy.decide(table, self._rng)
        self.effort += 1
        if known is None:
            self.nodes += 1
            self.effort += THOUGHT
            known = self._answers[key] = self._policy.decide(table, self._rng)
        return known

    def _worth(self, table: MatchState) -> float:
        position = table.position
        if position.outcome is not None:
            return float(position.outcome[0] == self._side)
        key = (*_looks(position), tuple(position.reputation))
        known = self._worths.get(key)
        if known is None:
            known = self._worths[key] = chances(table)[self._side]
        return known


def horizon(table: MatchState) -> int:
    """Return the last round that play-outs of a decision reach.

    It is the round of the decision, or the first one before any has begun. For a token, which is replaced at the end of
    a round, it is the next one.
    """
    assert table.open is not None
    number = table.position.round
    return number + 1 if table.open[0].name == "token" else max(1, number)


def _looks(position: Position) -> tuple[Hashable, ...]:
    """Return all of a position that a decision of its round may depend on."""
    return (
        position.round, position.order, tuple(position.hex), tuple(position.facing), tuple(position.clicks),
        tuple(position.heat), tuple(position.heat_die), tuple(position.status), tuple(position.orders),
        tuple(position.spent), tuple(position.cancelled), position.entries, position.tokens, position.pool,
        position.rallies, position.pins, position.beacons, position.waiting, position.flags,
    )  # fmt: skip
