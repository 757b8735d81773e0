"""Asking a bot so that nothing it does can hurt the match.

    guard = Guard(match, limit)
    answer = guard.ask(bot, rng)
    guard.play(answer)

The bot is given a table of its own: what its side may see, without the match's dice, seed, log or actions. What it
raises, what is no legal answer, and what does not come in time are answered by the decision's default instead, and the
fault is handed back for whoever reports it. Who takes over from a bot that fails is `rules.bots.relief`'s to say.

What tables share (fighters, the arena, the hands, the kinds of decision) is fixed: who writes to it fails. This holds
against mistakes, not against malice, which finds its way in one process. Clocks are no business of the rules, so the
limit is passed in.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from rules.bots.base import Bot, TableBot
from rules.competition.match import Action, Match, written_at
from rules.competition.observation import roster_for_a_bot, what_is_hidden_from
from rules.competition.state.match_state import Choice, MatchState
from rules.competition.state.roster import Roster
from rules.core.dice import ScriptedDice

RAISED, ILLEGAL, OVERRAN = "raised", "illegal", "overran"
"""What a bot can do wrong: raise, answer what is not legal or no answer at all, answer too late."""


class Overran(BaseException):
    """The bot's time was up. Raised by a limit; no Exception, so that a bot which catches those cannot live on."""


Limit = Callable[[Callable[[], Any]], Any]
"""Calls a function and returns its result, or raises what it raised, or Overran when that takes too long."""


@dataclass(frozen=True)
class Fault:
    """What a bot did wrong: `code` is RAISED, ILLEGAL or OVERRAN, `kind` and `unit` name the decision.

    `detail` is one line for a log; `error` what was raised, for its traceback.
    """

    bot: str
    code: str
    kind: str
    unit: str
    detail: str = ""
    error: BaseException | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Answer:
    """A legal choice for the open decision, also as JSON: the bot's own, or the default with the `fault` that led to
    it."""

    choice: Choice
    action: Action
    fault: Fault | None = None


class Guard:
    """Asks bots for decisions of one match, and never lets them touch it."""

    def __init__(self, match: Match, limit: Limit | None = None) -> None:
        self._match = match
        self._limit = limit
        self._seen: dict[tuple[Any, ...], Roster] = {}

    def ask(self, bot: Bot, rng: random.Random) -> Answer:
        """Return the bot's answer to the open decision, or the default. Nothing is played.

        Whatever the bot raises is its fault, but for KeyboardInterrupt and SystemExit: those mean whoever runs the
        match, as when a worker is told to stop, and pass. A limit that runs the bot where no such signal can arrive
        should turn them into an Exception.
        """
        match = self._match
        seen = self._table_of_its_own()
        try:
            if self._limit is None:  # nobody is ever left behind, so the match itself may be read
                written = _decided(bot, rng, seen, match.table)
            else:
                written = self._limit(partial(_decided, bot, rng, seen, seen.copy(seen.dice)))
        except Overran:
            return self._instead(bot, OVERRAN, "no answer in time")
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # noqa: BLE001 - to hold this is what the guard is for
            return self._instead(bot, RAISED, _told(error), error)
        if isinstance(written, Exception):
            return self._instead(bot, ILLEGAL, f"no answer to this decision: {_told(written)}")
        try:
            if match.table.log is None:
                return Answer(match.choice_in(written), written)  # nobody keeps how it is written
            return Answer(*match.read(written))
        except Exception as problem:  # noqa: BLE001 - what was written of nonsense need not even be a document
            return self._instead(bot, ILLEGAL, f"{_told(problem)}: {_shown(written)}", problem)

    def default(self) -> Answer:
        """The answer of an owner who does not answer."""
        table = self._match.table
        assert table.open is not None, "the match is over"
        kind, unit, data = table.open
        choice = kind.default(table, unit, data)
        return Answer(choice, self._match.action_of(choice))

    def play(self, answer: Answer) -> None:
        """Play an answer that was given to the decision that is still open."""
        self._match.play_choice(answer.choice, answer.action)

    def _instead(self, bot: Bot, failure: str, detail: str = "", error: BaseException | None = None) -> Answer:
        decision = self._match.decision
        assert decision is not None
        name = getattr(bot, "name", type(bot).__name__)  # it may have failed to say even that
        return replace(self.default(), fault=Fault(name, failure, decision.kind, decision.unit, detail, error))

    def _table_of_its_own(self) -> MatchState:
        """A copy of the match's table as the side that is asked may see it; its dice cannot be rolled."""
        table = self._match.table
        assert table.open is not None, "the match is over"
        side = table.roster.side_of[table.open[1]]
        key = what_is_hidden_from(table, side)
        roster = self._seen.get(key)
        if roster is None:
            roster = self._seen[key] = roster_for_a_bot(table, side)
        seen = table.copy(ScriptedDice(()))
        seen.roster = copy(roster)  # whoever is asked next finds it as it was
        return seen


class LateBot(TableBot):
    """A bot that is made when it is first asked, so that what goes wrong in making it is answered for too."""

    def __init__(self, name: str, make: Callable[[str], Bot]) -> None:
        self.name = name
        self._make = make
        self._bot: Bot | None = None

    def decide(self, table: MatchState, rng: random.Random) -> Choice:
        """What the bot decides."""
        if self._bot is None:
            self._bot = self._make(self.name)
        return self._bot.decide(table, rng)


def _decided(bot: Bot, rng: random.Random, seen: MatchState, sheet: MatchState) -> Action | Exception:
    """What a bot decides at the table `seen`, written down at another one, or what was in the way of writing.

    The `sheet` is not the match's own table where a limit may give up who is at it still. It is not the bot's, since
    what a bot does to its table is not what it answers. Writing is within the limit too: what is no choice can be
    anything, also a list without an end.
    """
    choice = bot.decide(seen, rng)
    try:
        return written_at(sheet, choice)
    except Exception as problem:  # noqa: BLE001 - whatever writing nonsense leads to
        return problem


def _told(error: BaseException) -> str:
    """An exception in one line, also one that cannot say what it is."""
    return " ".join("".join(traceback.format_exception_only(error)).split())


def _shown(written: object) -> str:
    try:
        return repr(written)
    except Exception:  # noqa: BLE001 - what a bot answers need not even be printable
        return type(written).__name__
