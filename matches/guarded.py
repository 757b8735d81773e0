"""The bots of a stored match, each asked under guard: how long it may think, who takes over, and what is told of it.

What a bot did wrong stands as the cause of the step that was answered instead, so whoever plays the match on, in
another process too, knows how many lives it has left.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from django.conf import settings

from matches.models import Match, MatchAction
from matches.patience import Patience
from rules import bots
from rules.bots.guard import OVERRAN, RAISED, Fault, Guard, LateBot, Limit, who_answers
from rules.competition.match import Match as EngineMatch
from rules.core.dice import stream_seed

logger = logging.getLogger("matches.bots")

Cause = MatchAction.Cause

FAULTS = {Cause.FAILED: RAISED, Cause.OVERRAN: OVERRAN}
"""The causes that are a bot's faults; of those that cost one life it does not matter which it was."""

Faults = Mapping[str, Sequence[str]]
"""The faults of a match by side, in their order."""

LONGEST_DETAIL = 1000


def faults_of(match: Match) -> dict[str, list[str]]:
    """Return what bots did wrong in a match so far (1 query, none before its first step)."""
    found: dict[str, list[str]] = {}
    if not match.last_sequence:
        return found
    rows = MatchAction.objects.filter(match=match, cause__in=FAULTS).order_by("sequence")
    for side, cause in rows.values_list("side", "cause"):
        found.setdefault(side, []).append(FAULTS[Cause(cause)])
    return found


class GuardedBots:
    """The bots of one match while it is played on. `told_as` names the match in the log."""

    def __init__(self, engine: EngineMatch, seed: bytes, faults: Faults, limit: Limit, told_as: str) -> None:
        self._engine = engine
        self._seed = seed
        self._guard = Guard(engine, limit)
        self._faults = {side: list(codes) for side, codes in faults.items()}
        self._made: dict[tuple[str, str], LateBot] = {}
        self._told_as = told_as

    def chance(self) -> random.Random:
        """The chance that a bot has for a decision: from the match's own seed and the number of actions so far."""
        return random.Random(stream_seed(self._seed, "bots", len(self._engine.actions)))

    def play(self, side: str, name: str, rng: random.Random) -> str:
        """Play the open decision, which is of `side`, as the bot of its seat or who has taken over from it does.

        Returns why the answer was not that bot's own, a MatchAction.Cause; empty where it was.
        """
        known = self._faults.setdefault(side, [])
        player = who_answers(name, known)
        if player is None:
            self._guard.play(self._guard.default())
            return Cause.WITHDRAWN
        bot = self._made.setdefault((side, player), LateBot(player, bots.get))
        answer = self._guard.ask(bot, rng)
        if answer.fault is not None:
            known.append(answer.fault.code)
            self._tell(answer.fault, side)
        self._guard.play(answer)
        if answer.fault is not None:
            return Cause.OVERRAN if answer.fault.code == OVERRAN else Cause.FAILED
        return "" if player == name else Cause.RELIEVED

    def _tell(self, fault: Fault, side: str) -> None:
        logger.error(
            "The bot %s %s in match %s, action %s (%s of %s), and the default was played: %s",
            fault.bot,
            fault.code,
            self._told_as,
            len(self._engine.actions) + 1,
            fault.kind,
            fault.unit,
            fault.detail[:LONGEST_DETAIL],
            exc_info=fault.error,
            extra={
                "match": self._told_as,
                "action": len(self._engine.actions) + 1,
                "side": side,
                "unit": fault.unit,
                "decision": fault.kind,
                "bot": fault.bot,
                "fault": fault.code,
            },
        )


@contextmanager
def guarded_bots(engine: EngineMatch, seed: bytes, faults: Faults, told_as: str) -> Iterator[GuardedBots]:
    """The bots of a match, each decision of theirs limited to BOT_DECISION_SECONDS. No database is asked."""
    with Patience(settings.BOT_DECISION_SECONDS) as limit:
        yield GuardedBots(engine, seed, faults, limit, told_as)
