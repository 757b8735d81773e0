"""Decisions of AI owners: read the facts without a lock, let the owner decide, carry it out if the facts still hold.

If the facts have changed meanwhile, the owner decides once more; if they change again, the default is carried out. The
default also replaces the answer of an owner that raises, gives no answer or spends its budget, and an answer that the
market or the garage refuses. The log reports this like the faults of bots in matches.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Generic, TypeVar

from django.db import transaction

from rules.bots.budget import Overran
from rules.bots.guard import ILLEGAL, OVERRAN, RAISED
from rules.bots.owners.answers import LONGEST
from rules.core.refusals import Malformed, SeasonRefused
from stables.services.base.steps import RunStep, in_a_transaction

logger = logging.getLogger("stables.owners")

TRIES = 2

LONGEST_DETAIL = 1000

Facts = TypeVar("Facts")


@dataclass(frozen=True)
class OwnerQuery:
    """A question to the owner of a stable.

    `decision`, `stable`, `owner` and `occasion` name it in the log. `facts` hold all that the answer depends on;
    questions with equal names and facts are equal. `ask` calls the owner and reads nothing from the database. `read`
    returns the answer in the form that is carried out, and raises if it is not valid. `default` makes the answer that
    replaces a missing or faulty one.
    """

    decision: str
    stable: str
    owner: str
    occasion: str
    facts: tuple[Any, ...]
    ask: Callable[[], Any] = field(compare=False)
    read: Callable[[Any], Any] = field(compare=False)
    default: Callable[[], Any] = field(compare=False)


@dataclass(frozen=True)
class Decision(Generic[Facts]):
    """One thing that an owner decides.

    `query` makes the question, None if there is nothing to decide; `carry_out` writes the answer, under a lock.
    """

    query: Callable[[Facts], OwnerQuery | None]
    carry_out: Callable[[Facts, Any], Any]


class FactsChanged(Exception):
    """A change of the facts since the owner decided on them."""


def settle(
    decision: Decision[Facts],
    facts: Facts,
    look: Callable[[bool], Facts],
    step: str = "",
    run_step: RunStep = in_a_transaction,
) -> Any:
    """Let the owner decide on these `facts`, carry the answer out as the step `step`, and return the step's result.

    `look` reads the facts again, with locks (True) or without. Return None if there is nothing to decide. Without a
    `step`, an empty list as the answer is not carried out, and None is returned too. Call it outside transactions.
    Raises what `look` and `decision.query` raise, what carrying out the default raises, and SeasonRefused
    (spending_limit_reached).
    """
    for _ in range(TRIES):
        query = decision.query(facts)
        given, is_default = (None, True) if query is None else _answer_to(query)
        if not step and (query is None or given == []):
            return None
        try:
            return run_step(step, lambda: _carry_out(decision, query, given, is_default, look(True)))  # noqa: B023 - called at once
        except FactsChanged:
            facts = look(False)
    return run_step(step, lambda: _by_default(decision, look(True)))


def _carry_out(decision: Decision[Facts], query: OwnerQuery | None, given: Any, is_default: bool, facts: Facts) -> Any:
    """Carry out the answer if the locked `facts` are still those of the query, else raise FactsChanged.

    A refused answer is reported and replaced by the default. Return None if there is nothing to decide. Raises
    SeasonRefused or Malformed if the default is refused too, and SeasonRefused (spending_limit_reached).
    """
    if decision.query(facts) != query:
        raise FactsChanged
    if query is None:
        return None
    try:
        with transaction.atomic():
            return decision.carry_out(facts, given)
    except (SeasonRefused, Malformed) as refused:
        # Reaching the spending limit of an absent owner is not a fault of the AI.
        if is_default or getattr(refused, "code", "") == "spending_limit_reached":
            raise
        _report(query, ILLEGAL, refused)
    return decision.carry_out(facts, query.default())


def _by_default(decision: Decision[Facts], facts: Facts) -> Any:
    query = decision.query(facts)
    return None if query is None else decision.carry_out(facts, query.default())


def _answer_to(query: OwnerQuery) -> tuple[Any, bool]:
    """Ask the owner; return the checked answer and False, or after a fault the default and True."""
    fault = RAISED
    try:
        answer = query.ask()
        if hasattr(answer, "__iter__"):
            answer = list(islice(answer, LONGEST))
        fault = ILLEGAL
        return query.read(answer), False
    except Overran as error:
        _report(query, OVERRAN, error)
    except Exception as error:  # noqa: BLE001 - whatever an owner raises, or reading nonsense leads to
        _report(query, fault, error)
    return query.default(), True


def _report(query: OwnerQuery, fault: str, error: Exception) -> None:
    logger.error(
        "The owner %s of %s %s (%s, %s), and the default was taken: %s",
        query.owner,
        query.stable,
        fault,
        query.decision,
        query.occasion,
        " ".join("".join(traceback.format_exception_only(error)).split())[:LONGEST_DETAIL],
        exc_info=error,
        extra={
            "match": query.occasion,
            "action": None,
            "side": query.stable,
            "unit": "",
            "decision": query.decision,
            "bot": query.owner,
            "fault": fault,
        },
    )
