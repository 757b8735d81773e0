"""The tactical bot: expected values over the rest of the round.

It takes a handful of choices that look good, plays the round on for each as the greedy bot would play it for everybody
(so each is met by the others' best reply to it), under the same few spread-out lucks, and takes the one after which its
side wins most often by `rules.bots.evaluation`. Heat, tokens, reputation and kills count as far as they decide matches.

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
    """One round ahead: at most about `choices` choices, each under `play_outs` lucks; fewer once `effort` is spent
    (`Foresight.effort`), though never fewer than three choices and two lucks."""

    name = "tactical"

    def __init__(self, choices: int = 8, play_outs: int = 24, effort: int = 800) -> None:
        self._choices = choices
        self._play_outs = play_outs
        self._effort = effort
        self._policy = GreedyBot()

    def decide(self, table: MatchState, rng: random.Random) -> Choice:
        """Return the choice after which its side wins most often."""
        return self.consider(table, rng)[0].choice

    def consider(self, table: MatchState, rng: random.Random) -> list[Considered]:
        """Return the choices that it looked at, best first; a choice that is the only one has chance 0.5."""
        return self.weigh(table, rng, positions_of_a_decision()).considered

    def weigh(self, table: MatchState, rng: random.Random, positions: Budget) -> Weighed:
        """Return the same with the effort that it cost. Raises Overran beyond `positions`."""
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
    """Return how many choices can be looked at when more units than two have to be thought for."""
    return max(3, choices * 2 // max(2, crowd(table)))


def crowded_effort(effort: int, table: MatchState) -> int:
    """Return less effort the more units are about, since each decision thinks of all of them and takes longer: from two
    on in proportion. A little more while there are fewer.
    """
    active = max(1, crowd(table))
    return min(effort * 6 // (4 + active), effort * 2 // active, effort * 8 // active**2)


def crowd(table: MatchState) -> int:
    """Return how many units have to be thought for: those on the map; where more than two are to start, all of them as
    soon as the first is asked where, since the round is played out with all of them.
    """
    position = table.position
    active = sum(place >= 0 for place in position.hex)
    if table.open is not None and table.open[0].name == "start":
        starting = len(position.hex) - len(position.waiting)
        return starting if starting > 2 else active
    return active
