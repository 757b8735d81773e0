"""A guard between a bot and a match, so that no bot can hurt the match.

    guard = Guard(match)
    answer = guard.ask(bot, rng)
    guard.play(answer)

The bot gets its own table with what its side may see, without the match's dice, seed, log or actions. When it raises,
gives no legal answer or searches beyond its budget (`rules.bots.budget`), the guard takes the decision's default and
returns the fault, so that the caller can report it.

Tables share fighters, the arena, the hands and the kinds of decision. These are fixed: writing to them fails. The guard
holds against mistakes. It cannot hold against malicious code in the same process.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from rules.bots.base import Bot, TableBot
from rules.bots.budget import Overran
from rules.competition.match import Action, Match, written_at
from rules.competition.observation import roster_for_a_bot, what_is_hidden_from
from rules.competition.state.match_state import Choice, MatchState
from rules.competition.state.roster import Roster
from rules.core.dice import ScriptedDice

RAISED, ILLEGAL, OVERRAN = "raised", "illegal", "overran"
"""The faults of a bot: it raised, its answer was missing or not legal, or its search went beyond the budget."""


@dataclass(frozen=True)
class Fault:
    """A fault of a bot: `code` is RAISED, ILLEGAL or OVERRAN, `kind` and `unit` name the decision.

    `detail` is one line for a log. `error` is the exception with its traceback, None if there was none.
    """

    bot: str
    code: str
    kind: str
    unit: str
    detail: str = ""
    error: BaseException | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Answer:
    """A legal choice for the open decision, also as JSON.

    `fault` says why the guard took the default instead of the bot's own choice, None if it did not.
    """

    choice: Choice
    action: Action
    fault: Fault | None = None


class Guard:
    """A guard that asks bots for decisions of one match and never lets them touch it."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._seen: dict[tuple[Any, ...], Roster] = {}

    def ask(self, bot: Bot, rng: random.Random) -> Answer:
        """Return the bot's answer to the open decision, or the default with the bot's fault, and play nothing.

        Any exception is the bot's fault, except KeyboardInterrupt and SystemExit: those stop the program that runs the
        match, so they are raised.
        """
        match = self._match
        try:
            written = _decided(bot, rng, self._table_of_its_own(), match.table)
        except Overran as error:
            return self._instead(bot, OVERRAN, str(error), error)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # noqa: BLE001 - to hold this is what the guard is for
            return self._instead(bot, RAISED, _error_line(error), error)
        if isinstance(written, Exception):
            return self._instead(bot, ILLEGAL, f"no answer to this decision: {_error_line(written)}")
        try:
            if match.table.log is None:
                return Answer(match.choice_in(written), written)  # no log keeps the JSON
            return Answer(*match.read(written))
        except Exception as problem:  # noqa: BLE001 - a bot's answer need not even be a document
            return self._instead(bot, ILLEGAL, f"{_error_line(problem)}: {_shown(written)}", problem)

    def default(self) -> Answer:
        """Return the default answer to the open decision."""
        table = self._match.table
        assert table.open is not None, "the match is over"
        kind, unit, data = table.open
        choice = kind.default(table, unit, data)
        return Answer(choice, self._match.action_of(choice))

    def play(self, answer: Answer) -> None:
        """Play an answer of this guard to the decision that is still open."""
        self._match.play_choice(answer.choice, answer.action)

    def _instead(self, bot: Bot, failure: str, detail: str = "", error: BaseException | None = None) -> Answer:
        decision = self._match.decision
        assert decision is not None
        name = getattr(bot, "name", type(bot).__name__)  # the bot may have failed before it had a name
        return replace(self.default(), fault=Fault(name, failure, decision.kind, decision.unit, detail, error))

    def _table_of_its_own(self) -> MatchState:
        """Return a copy of the match's table as the side that is asked may see it; its dice cannot be rolled."""
        table = self._match.table
        assert table.open is not None, "the match is over"
        side = table.roster.side_of[table.open[1]]
        key = what_is_hidden_from(table, side)
        roster = self._seen.get(key)
        if roster is None:
            roster = self._seen[key] = roster_for_a_bot(table, side)
        seen = table.copy(ScriptedDice(()))
        seen.roster = copy(roster)  # so that the next bot finds it unchanged
        return seen


class LateBot(TableBot):
    """A bot that is made when it is first asked, so that the guard also catches errors in making it."""

    def __init__(self, name: str, make: Callable[[str], Bot]) -> None:
        self.name = name
        self._make = make
        self._bot: Bot | None = None

    def decide(self, table: MatchState, rng: random.Random) -> Choice:
        """Return the choice of the bot, which is made on the first call."""
        if self._bot is None:
            self._bot = self._make(self.name)
        return self._bot.decide(table, rng)


def _decided(bot: Bot, rng: random.Random, seen: MatchState, sheet: MatchState) -> Action | Exception:
    """Return a bot's choice at the table `seen` as JSON, or the exception if it cannot be written as JSON.

    The table `sheet` is used for writing, as the bot may have changed its own table.
    """
    choice = bot.decide(seen, rng)
    try:
        return written_at(sheet, choice)
    except Exception as problem:  # noqa: BLE001 - writing a bot's nonsense may raise anything
        return problem


def _error_line(error: BaseException) -> str:
    """Return an exception in one line, even one whose `str` fails."""
    return " ".join("".join(traceback.format_exception_only(error)).split())


def _shown(written: object) -> str:
    try:
        return repr(written)
    except Exception:  # noqa: BLE001 - what a bot answers need not even be printable
        return type(written).__name__
