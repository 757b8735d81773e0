"""The bots of a stored match, each asked under guard: how long it may think, who takes over, and what is told of it.

What a bot did wrong stands as the cause of the step that was answered instead, so whoever plays the match on, in
another process too, knows who has taken over (`rules.bots.relief`).

Where a person waits, all bots together have SHARES times the time of one decision for all that they answer at once;
then RESERVE answers alone, with as much again as one decision, and after that nobody is asked. No bot is blamed for it.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from math import inf

from django.conf import settings

from matches.models import Match, MatchAction
from matches.services.patience import Patience, has_clocks
from rules import bots
from rules.bots.guard import OVERRAN, RAISED, Fault, Guard, LateBot
from rules.bots.relief import RESERVE, Mistake, Relief
from rules.competition.match import Match as EngineMatch
from rules.core.dice import stream_seed

logger = logging.getLogger("matches.bots")

Cause = MatchAction.Cause

FAULTS = {Cause.FAILED: RAISED, Cause.OVERRAN: OVERRAN}
"""The causes that are a bot's faults; of those that cost one life it does not matter which it was."""

SHARES = 2

LONGEST_DETAIL = 1000


def faults_of(match: Match) -> list[Mistake]:
    """Return what bots did wrong in a match so far, in order (1 query, none before its first step)."""
    if not match.last_sequence:
        return []
    rows = MatchAction.objects.filter(match=match, cause__in=FAULTS).order_by("sequence")
    return [(side, FAULTS[Cause(cause)]) for side, cause in rows.values_list("side", "cause")]


class GuardedBots:
    """The bots of one match while it is played on. `told_as` names the match in the log.

    `is_awaited`: a person waits, so that all of them together have a limit too; without `limit` there is none at all.
    """

    def __init__(
        self, engine: EngineMatch, seed: bytes, relief: Relief, limit: Patience | None, told_as: str, is_awaited: bool
    ) -> None:
        self._engine = engine
        self._seed = seed
        self._guard = Guard(engine, limit)
        self._relief = relief
        self._limit = limit
        self._ends = time.monotonic() + SHARES * limit.seconds if limit is not None and is_awaited else None
        self._made: dict[tuple[str, str], LateBot] = {}
        self._told_as = told_as
        self.was_cut = False
        """Whether the last bot was given up before its own time, so that another one answered."""

    def chance(self) -> random.Random:
        """The chance that a bot has for a decision: from the match's own seed and the number of actions so far."""
        return random.Random(stream_seed(self._seed, "bots", len(self._engine.actions)))

    def play(self, side: str, name: str, rng: random.Random) -> str:
        """Play the open decision, which is of `side`, as the bot of its seat or who has taken over from it does.

        Returns why the answer was not that bot's own, a MatchAction.Cause; empty where it was.
        """
        player = self._relief.who_answers(side, name, self._left_for("") <= 0)
        if player is None or (left := self._left_for(player)) <= 0:
            self._guard.play(self._guard.default())
            return Cause.WITHDRAWN
        bot = self._made.setdefault((side, player), LateBot(player, bots.get))
        self.was_cut = False
        is_cut = self._limit is not None and self._limit.at_most(left)
        answer = self._guard.ask(bot, rng)
        if answer.fault is not None and answer.fault.code == OVERRAN and is_cut:
            # Others took the time; who was left behind may still be drawing from that chance.
            self._tell_of_time(side, answer.fault)
            cause = self.play(side, name, self.chance())
            self.was_cut = True
            return cause
        if answer.fault is not None:
            self._relief.note(side, answer.fault.code)
            self._tell(answer.fault, side)
        self._guard.play(answer)
        if answer.fault is not None:
            return Cause.OVERRAN if answer.fault.code == OVERRAN else Cause.FAILED
        return "" if player == name else Cause.RELIEVED

    def _left_for(self, player: str) -> float:
        """Seconds that a bot may still think in this call; RESERVE has a decision's time more than all others."""
        if self._ends is None or self._limit is None:
            return inf
        return self._ends + (self._limit.seconds if player == RESERVE else 0) - time.monotonic()

    def _tell_of_time(self, side: str, fault: Fault) -> None:
        logger.error(
            "The bots of match %s took too long together, action %s, and %s answers instead of %s",
            self._told_as,
            len(self._engine.actions) + 1,
            RESERVE,
            fault.bot,
            extra=self._facts(fault, side),
        )

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
            extra=self._facts(fault, side),
        )

    def _facts(self, fault: Fault, side: str) -> dict[str, object]:
        return {
            "match": self._told_as,
            "action": len(self._engine.actions) + 1,
            "side": side,
            "unit": fault.unit,
            "decision": fault.kind,
            "bot": fault.bot,
            "fault": fault.code,
        }


@contextmanager
def guarded_bots(
    engine: EngineMatch,
    seed: bytes,
    names: Mapping[str, str],
    faults: Sequence[Mistake],
    told_as: str,
    is_awaited: bool = False,
) -> Iterator[GuardedBots]:
    """The bots of a match, by side in `names`, each decision of theirs limited to BOT_DECISION_SECONDS where there are
    clocks (`matches.services.patience.without_clocks`). No database is asked."""
    with Patience(settings.BOT_DECISION_SECONDS) if has_clocks() else nullcontext() as limit:
        yield GuardedBots(engine, seed, Relief(names, faults), limit, told_as, is_awaited)
