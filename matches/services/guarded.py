"""The bots of a stored match, under guard: when a bot fails, the default answer is played, and the log says why.

The step's cause records it, so that nobody takes the answer for the bot's own choice.
"""

from __future__ import annotations

import logging
import random

from matches.models import MatchAction
from rules import bots
from rules.bots.guard import OVERRAN, Fault, Guard, LateBot
from rules.competition.match import Match as EngineMatch
from rules.core.dice import stream_seed

logger = logging.getLogger("matches.bots")

Cause = MatchAction.Cause

LONGEST_DETAIL = 1000


class GuardedBots:
    """The bots of one match in play. `named` is the match's name in the log. No query."""

    def __init__(self, engine: EngineMatch, seed: bytes, named: str) -> None:
        self._engine = engine
        self._seed = seed
        self._guard = Guard(engine)
        self._made: dict[tuple[str, str], LateBot] = {}
        self._named = named

    def chance(self) -> random.Random:
        """Return the random numbers for a bot's decision, seeded by the match's seed and its number of actions."""
        return random.Random(stream_seed(self._seed, "bots", len(self._engine.actions)))

    def play(self, side: str, name: str, rng: random.Random) -> str:
        """Play the open decision, which must be that of `side`, by the bot `name`.

        Return "" for the bot's own answer. If the bot fails, looks at too much or is unknown, play the default answer,
        log the fault and return its MatchAction.Cause.
        """
        bot = self._made.setdefault((side, name), LateBot(name, bots.get))
        answer = self._guard.ask(bot, rng)
        if answer.fault is not None:
            self._report(answer.fault, side)
        self._guard.play(answer)
        if answer.fault is None:
            return ""
        return Cause.OVERRAN if answer.fault.code == OVERRAN else Cause.FAILED

    def _report(self, fault: Fault, side: str) -> None:
        number = len(self._engine.actions) + 1
        logger.error(
            "The bot %s %s in match %s, action %s (%s of %s), and the default was played: %s",
            fault.bot,
            fault.code,
            self._named,
            number,
            fault.kind,
            fault.unit,
            fault.detail[:LONGEST_DETAIL],
            exc_info=fault.error,
            extra={
                "match": self._named,
                "action": number,
                "side": side,
                "unit": fault.unit,
                "decision": fault.kind,
                "bot": fault.bot,
                "fault": fault.code,
            },
        )
