"""The tactical bot: it compares choices by how the rest of the round may go.

It takes a few choices that look good and plays each of them to the end of the round. The greedy bot answers for
everybody, so each choice meets a sensible reply. All choices have the same stratified dice. The bot takes the choice
after which its side wins most often by `rules.bots.evaluation`. Heat, tokens, reputation and kills count by how much
they decide matches.

It sees what its side observes: hidden tokens and hands are imagined again for each decision.
"""

from __future__ import annotations

import random

from rules.bots.base import Considered, TableBot, Weighed
from rules.bots.budget import Budget
from rules.bots.candidates import candidates
from rules.bots.foresight import THOUGHT, Foresight, horizon, positions_of_a_decision
from rules.bots.greedy import GreedyBot
from rules.competition.observation import imagined
from rules.competition.state.match_state import Choice, MatchState


class TacticalBot(TableBot):
    """A bot that looks one round ahead.

    It tries about `choices` choices (at least three on a crowded table) with `play_outs` play-outs each, fewer (at
    least two) once `effort` is spent (`Foresight.effort`).
    """

    name = "tactical"

    def __init__(self, choices: int = 8, play_outs: int = 24, effort: int = 800) -> None:
        self._choices = choices
        self._play_outs = play_outs
        self._effort = effort
        self._policy = GreedyBot()

    def decide(self, table: MatchState, rng: random.Random) -> Choice:
        """Return the choice after which its side wins most often. Raises Overran beyond the budget of a decision."""
        return self.consider(table, rng)[0].choice

    def consider(self, table: MatchState, rng: random.Random) -> list[Considered]:
        """Return the choices that the bot looked at, best first. A single choice is not tried and has the chance 0.5.

        Raises Overran beyond the budget of a decision.
        """
        return self.weigh(table, rng, positions_of_a_decision()).considered

    def weigh(self, table: MatchState, rng: random.Random, positions: Budget) -> Weighed:
        """Return the choices that the bot looked at, best first, and the effort. Raises Overran beyond `positions`."""
        assert table.open is not None
        first = self._policy.decide(table, rng)
        choices = candidates(table, first, crowded(self._choices, table))
        if len(choices) == 1:
            return Weighed([Considered(first, 0.5)], THOUGHT)
        thought = imagined(table, rng)
        side = table.roster.side_of[table.open[1]]
        foresight = Foresight(self._policy, side, horizon(table), rng, positions)
        branches = [foresight.branch(thought, choice) for choice in choices]
        _, means = foresight.mean_chances(branches, self._play_outs, crowded_effort(self._effort, table))
        considered = [Considered(choice, mean) for choice, mean in zip(choices, means, strict=True)]
        return Weighed(sorted(considered, key=lambda one: -one.chance), foresight.effort)


def crowded(choices: int, table: MatchState) -> int:
    """Return how many choices to look at: `choices` with up to two units, fewer with more, at least three."""
    return max(3, choices * 2 // max(2, crowd(table)))


def crowded_effort(effort: int, table: MatchState) -> int:
    """Return the effort of a decision: less with more units, because each decision looks at all of them.

    With two units it is `effort`, with a single one a little more.
    """
    active = max(1, crowd(table))
    return min(effort * 6 // (4 + active), effort * 2 // active, effort * 8 // active**2)


def crowd(table: MatchState) -> int:
    """Return how many units a play-out has to think for.

    These are the units on the map. When more than two are to start, all of them count from the first start on, since
    the round is played out with all of them.
    """
    position = table.position
    active = sum(place >= 0 for place in position.hex)
    if table.open is not None and table.open[0].name == "start":
        starting = len(position.hex) - len(position.waiting)
        return starting if starting > 2 else active
    return active
