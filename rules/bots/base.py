"""What a bot is, and how bots play a match to its end."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from rules.bots.budget import Budget
from rules.competition.match import Match
from rules.competition.state.match_state import Choice, MatchState

MOST_DECISIONS = 20_000
"""No match that was made up takes so many; one that does not end is given up."""


class Bot(Protocol):
    """A player made of code. It answers the open decision of a match that waits for its side."""

    name: str

    def choose(self, match: Match, rng: random.Random) -> dict[str, Any]:
        """Return a legal action for the open decision, as JSON."""

    def decide(self, table: MatchState, rng: random.Random) -> Choice:
        """Return the same inside the engine, without the trip through JSON."""


class Considered(NamedTuple):
    """A choice that a bot looked at, and the chance, 0 to 1, that its side wins after it."""

    choice: Choice
    chance: float


class Weighed(NamedTuple):
    """What a bot made of a decision: the choices that it looked at, best first, and the effort that it cost
    (`rules.bots.foresight.Foresight.effort`)."""

    considered: list[Considered]
    effort: int


class TableBot:
    """A bot that decides at the table; `choose` writes its choice down."""

    name = ""

    def decide(self, table: MatchState, rng: random.Random) -> Choice:
        """Return a legal choice for the open decision."""
        raise NotImplementedError

    def choose(self, match: Match, rng: random.Random) -> dict[str, Any]:
        """Return a legal action for the open decision, as JSON."""
        return match.action_of(self.decide(match.table, rng))


def play_out(match: Match, bots: Mapping[str, Bot], rng: random.Random) -> None:
    """Play a match to its end; `bots` maps each side's name to its bot.

    Nothing stands between the bots and the table, so this is for worlds that were made up from what somebody sees
    (`determinise`, forecasts): nothing of a real match is hidden there. Real ones are played under `rules.bots.guard`.

    Raises Overran after MOST_DECISIONS.

    >>> from rules.bots import get
    >>> play_out(match, {"red": get("greedy"), "blue": get("random")}, random.Random(1))
    >>> match.result.winner, match.result.ended_by
    ('red', 'time_limit')
    """
    decisions = Budget(MOST_DECISIONS, "decisions")
    table = match.table
    sides = table.roster.sides
    by_side = [bots[side] for side in sides]
    while table.open is not None:
        decisions.spend()
        side = table.roster.side_of[table.open[1]]
        match.play_choice(by_side[side].decide(table, rng))
