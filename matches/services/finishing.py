"""The rest of a match, given to the AI by a person who plays against bots alone."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied

from jobs.services import enqueue
from matches.models import Match
from matches.services.answering import STAND_IN
from matches.services.matches import resolve_with_bots

AT_ONCE = frozenset({"random", "greedy", "tactical"})
"""The bots whose match is played to its end while the person waits; others think too long for a request."""
JOB = "matches.finish"


def may_finish(match: Match, user: Any) -> bool:
    """Return whether a person may give the rest of an unfinished match to the AI.

    They must play in it, and every other seat must be a bot's, with at least one. One query, none if the seats of the
    match were fetched.
    """
    if match.is_over or not user.is_authenticated:
        return False
    seats = list(match.seats.all())
    own = [seat for seat in seats if seat.user_id == user.pk]
    others = [seat for seat in seats if seat.user_id != user.pk]
    return bool(own) and bool(others) and all(seat.bot for seat in others)


def finish_for(match: Match, user: Any) -> Match:
    """Let the AI play for a person to the end of the match, and return the match: finished, or as it is if a worker
    plays it because a bot is not one of AT_ONCE.

    A second call, even from another tab at the same moment, changes nothing. Call it outside transactions. Raises
    PermissionDenied unless `may_finish`, and Refused (stale_action) when others are faster three times.
    """
    match.refresh_from_db(fields=["state"])
    if match.is_over:
        return match
    if not may_finish(match, user):
        raise PermissionDenied
    if all(seat.bot in AT_ONCE for seat in match.seats.all() if seat.bot):
        return play_out_for(match, user.pk)
    key = f"matches:{match.pk}:finish:{match.last_sequence}"
    enqueue(JOB, {"match": match.pk, "user": user.pk}, unique_key=key)
    return match


def play_out_for(match: Match, user_id: int) -> Match:
    """Play a match of a person against bots to its end, and return it. Steps of the person's sides are stored as given
    to the AI.

    Call it outside transactions. Raises Refused (stale_action) when others are faster three times.
    """
    seats = list(match.seats.all())
    players = {seat.side: seat.bot or STAND_IN for seat in seats}
    return resolve_with_bots(match.pk, players, given=[seat.side for seat in seats if seat.user_id == user_id])
