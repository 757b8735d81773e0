"""Owners made of code, asked so that nothing they do can fail a season's job or hold anybody up.

What is done for an owner is done in a transaction, with rows locked, and depends on what is read there. So an owner is
never asked inside: where a question comes up for which there is no answer yet, the transaction is given up, its locks
with it, the owner is asked under a limit, and the transaction begins anew with the answer at hand. A question is the
same when it is put with the same facts; what has changed meanwhile is asked about again.

What can be foreseen (`stables.services.owners_ahead`) is asked before the transaction begins for the first time, so
that it need not begin anew.

What an owner raises, what is no answer, what cannot be carried out and what does not come in time is answered by the
default, and told in the log like the faults of bots in matches.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial, wraps
from itertools import islice
from typing import Any, ParamSpec, TypeVar

from django.conf import settings

from matches.patience import Patience, has_clocks
from rules.bots.guard import ILLEGAL, OVERRAN, RAISED, Overran
from rules.bots.owners.answers import LONGEST
from rules.core.refusals import Malformed, SeasonRefused

logger = logging.getLogger("stables.owners")

MOST_QUESTIONS = 24
"""After so many answers in one call nobody is asked any more: something changes faster than it can be asked about."""

LONGEST_DETAIL = 1000

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Question:
    """What is put to the owner of a stable. `facts` are all that the answer depends on and the transaction decides.

    `ask` calls the owner and reads nothing of the database; `read` makes sure that it is an answer, or raises.
    """

    decision: str
    stable: str
    owner: str
    occasion: str
    facts: tuple[Any, ...]
    ask: Callable[[], Any] = field(compare=False)
    read: Callable[[Any], Any] = field(compare=False)
    default: Callable[[], Any] = field(compare=False)


class Unanswered(Exception):
    """Questions for which there is no answer yet; whoever calls begins anew."""

    def __init__(self, questions: Sequence[Question]) -> None:
        super().__init__(*(question.decision for question in questions))
        self.questions = questions


class Unfit(Exception):
    """An answer could not be carried out."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.decision)
        self.question = question


Ask = Callable[[Question], Any]
"""Puts a question to its owner and returns the answer, or the default."""


@dataclass
class _Sheet:
    answers: list[tuple[Question, Any]] = field(default_factory=list)
    defaults: list[Question] = field(default_factory=list)
    has_overrun: bool = False

    def find(self, question: Question) -> list[Any]:
        return [answer for known, answer in self.answers if known == question]

    def write(self, question: Question, answer: Any, is_default: bool) -> None:
        self.answers = [(known, given) for known, given in self.answers if known != question]
        self.answers.append((question, answer))
        if is_default:
            self.defaults.append(question)


_sheet: ContextVar[_Sheet | None] = ContextVar("sheet", default=None)


def answered(function: Callable[P, R], foresee: Callable[[Ask], None] | None = None) -> Callable[P, R]:
    """Let a function that puts questions to owners run until it has asked them all: the outermost begins anew.

    It must leave nothing behind when it is given up: a transaction, or what is one inside. `foresee` puts what the
    function will probably ask before it runs at all, outside transactions.
    """

    @wraps(function)
    def asking(*arguments: P.args, **names: P.kwargs) -> R:
        if _sheet.get() is not None:
            return function(*arguments, **names)
        sheet = _Sheet()
        token = _sheet.set(sheet)
        try:
            with Patience(settings.BOT_DECISION_SECONDS) if has_clocks() else nullcontext() as limit:
                if foresee is not None:
                    foresee(partial(_ask_once, sheet, limit))
                while True:
                    try:
                        return function(*arguments, **names)
                    except Unfit as refused:
                        _take_default(sheet, refused.question, ILLEGAL, refused.__cause__)
                    except Unanswered as open_ones:
                        for question in open_ones.questions:
                            _ask(sheet, question, limit)
        finally:
            _sheet.reset(token)

    return asking


def ask(question: Question) -> Any:
    """The owner's answer, read, or the default. Inside what is `answered` only."""
    sheet = _sheet.get()
    assert sheet is not None, "nobody is there to ask"
    for answer in sheet.find(question):
        return answer
    if len(sheet.answers) >= MOST_QUESTIONS:
        return question.default()
    raise Unanswered([question])


def ask_together(*questions: Question | None) -> None:
    """Put questions none of which depends on another's answer, so that it is begun anew once for all of them.

    The answers are there for `ask` then. Inside what is `answered` only.
    """
    sheet = _sheet.get()
    assert sheet is not None, "nobody is there to ask"
    unknown = [question for question in questions if question is not None and not sheet.find(question)]
    if unknown and len(sheet.answers) + len(unknown) <= MOST_QUESTIONS:
        raise Unanswered(unknown)


@contextmanager
def carrying_out(question: Question) -> Iterator[None]:
    """Inside, what the owner answered is done; where that is refused, the default is taken instead.

    What a stable's absent owner does not allow to be spent is no fault: that refusal passes.
    """
    try:
        yield
    except (SeasonRefused, Malformed) as refused:
        sheet = _sheet.get()
        is_default = sheet is None or question in sheet.defaults or not sheet.find(question)
        if is_default or getattr(refused, "code", "") == "spending_limit_reached":
            raise
        raise Unfit(question) from refused


def _ask_once(sheet: _Sheet, limit: Patience | None, question: Question) -> Any:
    if not sheet.find(question):
        _ask(sheet, question, limit)
    return sheet.find(question)[0]


def _ask(sheet: _Sheet, question: Question, limit: Patience | None) -> None:
    if sheet.has_overrun:
        # Who hung once in this call is not waited for again.
        sheet.write(question, question.default(), is_default=True)
        return

    def taken() -> Any:
        answer = question.ask()
        return list(islice(answer, LONGEST)) if hasattr(answer, "__iter__") else answer

    try:
        answer = taken() if limit is None else limit(taken)
    except Overran:
        sheet.has_overrun = True
        return _take_default(sheet, question, OVERRAN, None)
    except Exception as error:  # noqa: BLE001 - whatever an owner raises is its fault
        return _take_default(sheet, question, RAISED, error)
    try:
        sheet.write(question, question.read(answer), is_default=False)
    except Exception as error:  # noqa: BLE001 - whatever reading nonsense leads to
        _take_default(sheet, question, ILLEGAL, error)


def _take_default(sheet: _Sheet, question: Question, fault: str, error: BaseException | None) -> None:
    told = "no answer in time" if error is None else " ".join("".join(_lines(error)).split())
    logger.error(
        "The owner %s of %s %s (%s, %s), and the default was taken: %s",
        question.owner,
        question.stable,
        fault,
        question.decision,
        question.occasion,
        told[:LONGEST_DETAIL],
        exc_info=error,
        extra={
            "match": question.occasion,
            "action": None,
            "side": question.stable,
            "unit": "",
            "decision": question.decision,
            "bot": question.owner,
            "fault": fault,
        },
    )
    sheet.write(question, question.default(), is_default=True)


def _lines(error: BaseException) -> list[str]:
    return traceback.format_exception_only(error)
