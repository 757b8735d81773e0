"""What a decision has cost, seen afterwards: the answer that was given, beside the one of a good player.

The adviser knows what the side knew then (its observation), and nothing of the dice and cards that came later. Both
answers are played on with the same dice, TIMES times with hidden cards dealt again each time, so that their distance
has a margin (`rules.bots.advice.margins`).
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import mean
from typing import Any, NamedTuple

from rules.bots import get
from rules.bots.advice.advising import adviser
from rules.bots.advice.margins import TIMES, half_width
from rules.bots.foresight import Foresight, horizon, positions_of_a_decision
from rules.bots.greedy import GreedyBot
from rules.bots.tactical import crowded_effort
from rules.competition.match import Match, determinise
from rules.competition.observation import Observation, imagined
from rules.core.refusals import IllegalAction, Malformed


class Thoroughness(NamedTuple):
    """How closely a decision is looked at: the bot whose answer stands beside the given one ("" is the adviser), the
    play-outs of both answers each time, and their effort at most (`rules.bots.foresight.Foresight.effort`)."""

    bot: str
    play_outs: int
    effort: int


GLANCE = Thoroughness("tactical", 6, 200)
"""For every decision of a match."""

LOOK = Thoroughness("", 24, 1_600)
"""For the few that seem to have cost most."""


@dataclass(frozen=True)
class Hindsight:
    """The answer `advised`, the chance to win after it and after the one that was `given`, 0 to 1.

    `margin` is half the 95% interval of their distance.
    """

    advised: Mapping[str, Any]
    chance: float
    given: float
    margin: float

    @property
    def cost(self) -> float:
        """By how much the given answer lowers the chance; below 0 where it is the better one."""
        return self.chance - self.given

    def to_json(self) -> dict[str, Any]:
        """Return it, JSON-ready."""
        return {"advised": dict(self.advised), "chance": self.chance, "given": self.given, "margin": self.margin}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Hindsight:
        """Return what `to_json` wrote."""
        return cls(document["advised"], document["chance"], document["given"], document["margin"])


def look_back(observation: Observation, action: Mapping[str, Any], seed: str, way: Thoroughness) -> Hindsight | None:
    """Return what the observing side's answer `action` to its open decision has cost.

    None when the adviser gives the same answer, and for what answers no question, such as surrender. The same arguments
    give the same result. Raises ValueError when no decision of the observer is open, Overran.
    """
    if observation.decision is None:
        raise ValueError("the decision is not this side's")
    rng = random.Random(seed)
    possible = determinise(observation, rng)
    table = possible.table
    assert table.open is not None
    try:
        given, written = possible.read(action)
    except (IllegalAction, Malformed):
        return None
    bot: Any = get(way.bot or adviser())
    best = bot.consider(table, rng)[0].choice
    if best == given or possible.action_of(best) == written:
        return None
    side, times = table.roster.side_of[table.open[1]], []
    for _ in range(TIMES):
        foresight = Foresight(GreedyBot(), side, horizon(table), rng, positions_of_a_decision())
        thought = imagined(table, rng)
        branches = [foresight.branch(thought, choice) for choice in (best, given)]
        _, chances = foresight.mean_chances(branches, way.play_outs, crowded_effort(way.effort, table))
        times.append(chances)
    apart = half_width([one - other for one, other in times])
    return Hindsight(possible.action_of(best), mean(one for one, _ in times), mean(other for _, other in times), apart)


def has_choice(match: Match) -> bool:
    """Return whether the open decision of a match has more than one answer."""
    return len(match.legal_actions()) > 1
