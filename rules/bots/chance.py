"""The random bot: any legal action, so that nothing stays untried."""

from __future__ import annotations

import random

from rules.bots.base import TableBot
from rules.competition.state.match_state import Choice, MatchState


class RandomBot(TableBot):
    """Samples a legal choice."""

    name = "random"

    def decide(self, table: MatchState, rng: random.Random) -> Choice:
        """Return one legal choice; each has a chance."""
        assert table.open is not None
        kind, unit, data = table.open
        choice: Choice = kind.sample(table, unit, data, rng)
        return choice
