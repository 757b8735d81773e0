"""AI owners, asked so that nothing they do can fail a season's job or hold anybody up.

What is done for an owner is done in a transaction, with rows locked, and depends on what is read there. So an owner is
never asked inside: where a question comes up for which there is no answer yet, the transaction is given up, its locks
with it, the owner is asked under a limit, and the transaction begins anew with the answer at hand. A question is the
same when it is put with the same facts; what has changed meanwhile is asked about again.

What can be foreseen (`stables.services.ai.prefetch`) is asked before the transaction begins for the first time, so
that it need not begin anew. That saves work and nothing else: an answer given beforehand waits aside until the very
same question is put, and one that is never put is as if nobody had been asked. Foreseeing that fails is told in the
log, and the call goes on with what was answered until then.

What an owner raises, what is no answer, what cannot be carried out and what does not come in time is answered by the
default, and told in the log like the faults of bots in matches. Who hung is not waited for again in the same call. Who
hangs when asked beforehand ends the foreseeing; that question's default stands once it is put, and nobody is waited for
from then on. If it is never put, the others are asked as ever: so a call waits for hanging owners twice at most.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial, wraps
from itertools import islice
from typing import Any, ParamSpec, TypeVar

from django.conf import settings

from matches.services.patience import Patience, has_clocks
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
class OwnerQuery:
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

    def __init__(self, questions: Sequence[OwnerQuery]) -> None:
        super().__init__(*(question.decision for question in questions))
        self.questions = questions


class Unfit(Exception):
    """An answer could not be carried out."""

    def __init__(self, question: OwnerQuery) -> None:
        super().__init__(question.decision)
        self.question = question


Ask = Callable[[OwnerQuery], Any]
"""Puts a question to its owner and returns the answer, or the default."""


@dataclass(frozen=True, eq=False)
class _Answer:
    """What was `given` to a question: by its owner, or the default, with the `fault` that led to it where one did."""

    question: OwnerQuery
    given: Any
    is_default: bool = False
    fault: str = ""
    error: BaseException | None = None


@dataclass
class _Sheet:
    """The answers of one call, and apart from them those to what was foreseen and has not been put so far."""

    answers: list[_Answer] = field(default_factory=list)
    ahead: list[_Answer] = field(default_factory=list)
    has_overrun: bool = False

    def find(self, question: OwnerQuery) -> _Answer | None:
        """The answer to a question that is put; one from beforehand counts from here on, its fault too."""
        for answer in self.answers:
            if answer.question == question:
                return answer
        for answer in self.ahead:
            if answer.question == question:
                self.ahead = [other for other in self.ahead if other is not answer]
                self.write(answer)
                return answer
        return None

    def write(self, answer: _Answer) -> None:
        if answer.fault:
            _tell(answer, logging.ERROR, "and the default was taken")
        if answer.fault == OVERRAN:
            self.has_overrun = True
        self.answers = [known for known in self.answers if known.question != answer.question]
        self.answers.append(answer)


class _Hung(Exception):
    """An owner hung when asked beforehand: nobody is asked beforehand any more."""


_sheet: ContextVar[_Sheet | None] = ContextVar("sheet", default=None)


def answered(function: Callable[P, R], foresee: Callable[[Ask], None] | None = None) -> Callable[P, R]:
    """Let a function that puts questions to owners run until it has asked them all: the outermost begins anew.

    It must leave nothing behind when it is given up: a transaction, or what is one inside. `foresee` puts what the
    function will probably ask before it runs at all, outside transactions; whatever Exception it raises is told in the
    log and changes nothing.
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
                    foreseen(partial(_look_ahead, sheet, limit, foresee), None)
                while True:
                    try:
                        return function(*arguments, **names)
                    except Unfit as refused:
                        sheet.write(_default(refused.question, ILLEGAL, refused.__cause__))
                    except Unanswered as open_ones:
                        for question in open_ones.questions:
                            # Who hung once in this call is not waited for again.
                            sheet.write(_default(question) if sheet.has_overrun else _answer_to(question, limit))
        finally:
            _sheet.reset(token)
            _tell_of_faults_without_effect(sheet)

    return asking


def foreseen(look: Callable[[], R], otherwise: R) -> R:
    """What looking ahead returns; where that fails, `otherwise`, and the log is told. Outside transactions only.

    No owner is blamed: what owners do wrong does not come through to whoever asks them beforehand.
    """
    try:
        return look()
    except Exception:
        logger.exception("What owners will be asked could not be foreseen, and they are asked when it comes up")
        return otherwise


def ask(question: OwnerQuery) -> Any:
    """The owner's answer, read, or the default. Inside what is `answered` only."""
    sheet = _sheet.get()
    assert sheet is not None, "nobody is there to ask"
    answer = sheet.find(question)
    if answer is not None:
        return answer.given
    if len(sheet.answers) >= MOST_QUESTIONS:
        return question.default()
    raise Unanswered([question])


def ask_together(*questions: OwnerQuery | None) -> None:
    """Put questions none of which depends on another's answer, so that it is begun anew once for all of them.

    The answers are there for `ask` then. Inside what is `answered` only.
    """
    sheet = _sheet.get()
    assert sheet is not None, "nobody is there to ask"
    unknown = [question for question in questions if question is not None and sheet.find(question) is None]
    if unknown and len(sheet.answers) + len(unknown) <= MOST_QUESTIONS:
        raise Unanswered(unknown)


@contextmanager
def carrying_out(question: OwnerQuery) -> Iterator[None]:
    """Inside, what the owner answered is done; where that is refused, the default is taken instead.

    What a stable's absent owner does not allow to be spent is no fault: that refusal passes.
    """
    try:
        yield
    except (SeasonRefused, Malformed) as refused:
        sheet = _sheet.get()
        answer = None if sheet is None else sheet.find(question)
        if answer is None or answer.is_default or getattr(refused, "code", "") == "spending_limit_reached":
            raise
        raise Unfit(question) from refused


def _look_ahead(sheet: _Sheet, limit: Patience | None, foresee: Callable[[Ask], None]) -> None:
    """Let `foresee` ask until it is done, or until somebody hung and it would ask on."""

    def ask_ahead(question: OwnerQuery) -> Any:
        for known in sheet.ahead:
            if known.question == question:
                return known.given
        if any(known.fault == OVERRAN for known in sheet.ahead):
            raise _Hung
        answer = _answer_to(question, limit)
        sheet.ahead.append(answer)
        return answer.given

    with suppress(_Hung):
        foresee(ask_ahead)


def _answer_to(question: OwnerQuery, limit: Patience | None) -> _Answer:
    """Ask the owner: what he answers, read, or the default with his fault."""

    def taken() -> Any:
        answer = question.ask()
        return list(islice(answer, LONGEST)) if hasattr(answer, "__iter__") else answer

    try:
        answer = taken() if limit is None else limit(taken)
    except Overran:
        return _default(question, OVERRAN)
    except Exception as error:  # noqa: BLE001 - whatever an owner raises is its fault
        return _default(question, RAISED, error)
    try:
        return _Answer(question, question.read(answer))
    except Exception as error:  # noqa: BLE001 - whatever reading nonsense leads to
        return _default(question, ILLEGAL, error)


def _default(question: OwnerQuery, fault: str = "", error: BaseException | None = None) -> _Answer:
    return _Answer(question, question.default(), True, fault, error)


def _tell_of_faults_without_effect(sheet: _Sheet) -> None:
    """Tell of faults in answers to what was foreseen and never put, a step lower: they did no harm, and yet an owner
    that hangs is to be mended before it does."""
    for answer in sheet.ahead:
        if answer.fault:
            _tell(answer, logging.WARNING, "asked beforehand what was never put")


def _tell(answer: _Answer, level: int, effect: str) -> None:
    question, error = answer.question, answer.error
    told = "no answer in time" if error is None else " ".join("".join(_lines(error)).split())
    logger.log(
        level,
        "The owner %s of %s %s (%s, %s), %s: %s",
        question.owner,
        question.stable,
        answer.fault,
        question.decision,
        question.occasion,
        effect,
        told[:LONGEST_DETAIL],
        exc_info=error,
        extra={
            "match": question.occasion,
            "action": None,
            "side": question.stable,
            "unit": "",
            "decision": question.decision,
            "bot": question.owner,
            "fault": answer.fault,
        },
    )


def _lines(error: BaseException) -> list[str]:
    return traceback.format_exception_only(error)
