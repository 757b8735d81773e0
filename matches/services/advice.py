"""Advice in a match against the AI: who may ask for it, and the advice itself, stored by the step of the question.

The adviser gets what the engine lets the asking side observe, and nothing else of the match: no seed, no dice, no
rival's hand. Stored advice serves reloads, and shows the player how often they had help; nobody else reads it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from matches.host import Surroundings
from matches.models import AskedAdvice, Match
from matches.selectors.matches import free_seat
from people.models import User
from people.services.accounts import Limit, count_attempt
from rules.bots.advice.advising import Advice, advise
from rules.competition.match import Match as EngineMatch
from rules.core.codec import content_hash
from rules.core.refusals import Refused

logger = logging.getLogger(__name__)

ADVICE_OF_A_PERSON = Limit("match_advice", 240)
"""How often one person may have the adviser think in an hour: enough for every decision of some matches."""

RESERVE = "greedy"
"""The bot that advises when the adviser fails."""

ADVISERS = ("", RESERVE)
"""The bots to ask, one after the other, until one answers; "" is the best bot that there is. Guests who came by
themselves get the reserve alone: its advice costs little, and anybody may be as many guests as they like."""


def may_ask(match: Match, sides: Sequence[str], surroundings: Surroundings) -> bool:
    """Return whether the player of `sides` in an unfinished match from `find_match` plays against the AI alone.

    There must be other sides, all of them bots', and none of them may belong to a person for whom the AI plays. No
    query.
    """
    others = [seat for seat in match.seats.all() if seat.side not in sides]
    if match.is_over or not sides or not others:
        return False
    return all(seat.bot and seat.side not in surroundings.people for seat in others)


def require_may_ask(match: Match, sides: Sequence[str], surroundings: Surroundings) -> None:
    """Raise Refused (match_over, seat_open, advice_against_people) unless the player may ask for advice. No query."""
    if match.is_over:
        raise Refused("match_over")
    if free_seat(match) is not None:
        raise Refused("seat_open")
    if not may_ask(match, sides, surroundings):
        raise Refused("advice_against_people")


def stored_advice(match: Match, side: str) -> Advice | None:
    """Return the advice to a side at the match's last step; None when it did not ask (1 query)."""
    rows = AskedAdvice.objects.filter(match=match, side=side, sequence=match.last_sequence)
    document = rows.values_list("document", flat=True).first()
    return None if document is None else Advice.from_json(document)


def times_asked(match: Match, user: Any) -> int:
    """Return the number of the match's decisions at which a person had advice (1 query)."""
    return AskedAdvice.objects.filter(match=match, user=user).count()


def ask(match: Match, engine: EngineMatch, sides: Sequence[str], surroundings: Surroundings, user: User) -> Advice:
    """Return what a good player would do now on one of `sides`, which `user` plays.

    `match` comes from `find_match`, and `engine` is that match at its last step. The adviser thinks once a step; later
    calls return the stored advice. Call it outside transactions. Raises Refused (match_over, seat_open,
    advice_against_people, others_decide; no_advice when neither adviser answers), TooOften (too_often).
    """
    require_may_ask(match, sides, surroundings)
    decision = engine.decision
    if decision is None:
        raise Refused("match_over")
    if decision.side not in sides:
        raise Refused("others_decide", side=decision.side)
    known = stored_advice(match, decision.side)
    if known is not None:
        return known
    count_attempt(ADVICE_OF_A_PERSON, f"account {user.pk}")
    is_visitor = user.is_guest and match.fixture_key is None
    found = _thought(match, engine, decision.side, ADVISERS[-1:] if is_visitor else ADVISERS)
    with transaction.atomic():
        # Of two tabs at the same moment one writes; both have the same advice.
        named: dict[str, Any] = {"match": match, "side": decision.side, "sequence": match.last_sequence}
        AskedAdvice.objects.get_or_create(**named, defaults={"user": user, "document": found.to_json()})
    return found


def _thought(match: Match, engine: EngineMatch, side: str, advisers: Sequence[str]) -> Advice:
    """Return the advice of the first of the `advisers` that answers. Raises Refused (no_advice)."""
    observed = engine.observe(side)
    # The same view gets the same advice: a count of steps would reveal rally cards that a rival kept.
    seed = content_hash(observed.to_json())
    for bot in advisers:
        # A bot that fails, or spends its budget, must not break the page.
        try:
            return advise(observed, seed, bot)
        except Exception:
            problem = "the adviser %s failed in match %s at step %s"
            logger.exception(problem, bot or "of choice", match.public_id, match.last_sequence)
    raise Refused("no_advice")
