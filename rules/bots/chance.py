"""The random bot: each of a decision's options has a chance, so that every kind of action is tried."""

from __future__ import annotations

import random

from rules.bots.base import TableBot
from rules.competition.state.match_state import Choice, MatchState


class RandomBot(TableBot):
    """A bot that draws its choices."""

    name = "random"

    def decide(self, table: MatchState, rng: random.Random) -> Choice:
        """Return a random legal choice; each option of the decision has a chance."""
        assert table.open is not None
        kind, unit, data = table.open
        choice: Choice = kind.sample(table, unit, data, rng)
        return choice
