"""A rival whose time ran out three times: in a friendly match the other player decides at once how it continues.

In a match of a season the player claims that nobody came, and the season's rooms decide.
"""

from __future__ import annotations

from typing import Any

from matches.models import Match
from matches.selectors.matches import rebuild
from matches.selectors.time_banks import absent_sides
from matches.selectors.versions import speaker
from matches.services.answering import STAND_IN, Seat
from matches.services.matches import answer_with_bots, play_action, reseat
from rules.core.refusals import Malformed, Refused


def rivals_away(match: Match, user: Any) -> tuple[str, ...]:
    """Return the absent sides of other players in a friendly match from `find_match` (1 query at most).

    There are none in a match of a season, and none for a person who does not play.
    """
    if match.fixture_key is not None or not any(seat.user_id == user.pk for seat in match.seats.all()):
        return ()
    own = {seat.side for seat in match.seats.all() if seat.user_id == user.pk}
    return tuple(side for side in absent_sides(match) if side not in own)


def decide(match: Match, user: Any, what: str) -> None:
    """Let the AI play on for the people who are away ("ai"), or surrender for the one who must decide ("end").

    `match` comes from `find_match`, and `user` plays in it. Call it outside transactions. Raises Malformed (bad_field)
    for another word, Refused (time_not_run_out; stale_action or match_over when somebody answers at the same moment).
    """
    if what not in ("ai", "end"):
        raise Malformed("bad_field", field="what")
    away = rivals_away(match, user)
    if not away:
        raise Refused("time_not_run_out")
    if what == "ai":
        reseat(match.pk, [Seat(side, bot=STAND_IN) for side in away])
        answer_with_bots(match.pk)
        return
    decision = (engine := rebuild(match)).decision
    if decision is None or decision.side not in away:
        raise Refused("time_not_run_out")
    action = {"unit": speaker(engine, decision.side), "order": "surrender"}
    play_action(match.pk, decision.side, match.last_sequence, action)
