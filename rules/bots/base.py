"""The interface of a bot, and matches that bots play to the end."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from rules.bots.budget import Budget
from rules.competition.match import Match
from rules.competition.state.match_state import Choice, MatchState

MOST_DECISIONS = 20_000
"""The most decisions of one match that `play_out` plays. No match comes near that number."""


class Bot(Protocol):
    """A player made of code. It answers the open decision of a match that waits for its side."""

    name: str

    def choose(self, match: Match, rng: random.Random) -> dict[str, Any]:
        """Return a legal action for the open decision, as JSON."""

    def decide(self, table: MatchState, rng: random.Random) -> Choice:
        """Return a legal choice for the open decision, as the engine keeps it."""


class Considered(NamedTuple):
    """A choice that a bot looked at, and the chance, 0 to 1, that its side wins after it."""

    choice: Choice
    chance: float


class Weighed(NamedTuple):
    """The choices that a bot looked at, best first, and the effort that they cost
    (`rules.bots.foresight.Foresight.effort`)."""

    considered: list[Considered]
    effort: int


class TableBot:
    """A bot that decides at the table; `choose` turns its choice into JSON."""

    name = ""

    def decide(self, table: MatchState, rng: random.Random) -> Choice:
        """Return a legal choice for the open decision."""
        raise NotImplementedError

    def choose(self, match: Match, rng: random.Random) -> dict[str, Any]:
        """Return a legal action for the open decision, as JSON."""
        return match.action_of(self.decide(match.table, rng))


def play_out(match: Match, bots: Mapping[str, Bot], rng: random.Random) -> None:
    """Play a match to its end; `bots` maps each side's name to its bot.

    The bots see the whole table. So play only imagined matches this way (`determinise`, forecasts), which hold no
    secrets of a real match. `rules.bots.guard` plays real ones. Raises Overran after MOST_DECISIONS decisions.

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
