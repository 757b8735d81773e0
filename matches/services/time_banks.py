"""Writes to the banks of time to think, which matches.selectors.time_banks explains and reads."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from matches.host import Stops, stops_in, stops_of
from matches.models import Match, MatchSeat
from matches.selectors.matches import rebuild
from matches.selectors.time_banks import elapsed, filled, newest_step

SECONDS_BACK = 3600
"""The most seconds that a person who comes back before the round is over gets for the rest of it."""


def settle(match: Match, asked: str, since: datetime, round_number: int, now: datetime, expired: str = "") -> None:
    """Charge the side `asked`, whose decision has been open since `since`, and fill all banks up to a round.

    A bot and a bank that was empty before are not charged; `asked` is "" if nobody is. `expired` names the side whose
    bank has just run out, "" for none. A player who answers late but before the job keeps one second. Without a time
    limit nothing happens. Call it in the step's transaction.
    """
    if match.seconds_a_round is None:
        return
    used = elapsed(since, now, stops_in(match.pk))
    for seat in MatchSeat.objects.filter(match=match):
        left = seat.bank_seconds
        if seat.side == expired:
            left, seat.expiries = 0, seat.expiries + 1
        elif seat.side == asked and seat.user_id is not None and left:
            left = max(1, left - used)
        seat.bank_seconds = filled(left, seat.bank_round, round_number, match.seconds_a_round)
        seat.bank_round = max(seat.bank_round, round_number)
        seat.save(update_fields=["bank_seconds", "bank_round", "expiries"])


def forgive(match_id: int, side: str) -> None:
    """Set the number of times that a side's time ran out to 0, because its person is back."""
    MatchSeat.objects.filter(match_id=match_id, side=side).update(expiries=0)


def come_back(match_id: int, user_id: int) -> bool:
    """Give a person whose time ran out their decisions back, with some time for the rest of the round.

    They get SECONDS_BACK, or a round's worth if that is less. Return False, and write nothing, if their time had not
    run out. It is one conditional update, safe at any moment.
    """
    match = Match.objects.only("pk", "seconds_a_round").get(pk=match_id)
    if match.seconds_a_round is None:
        return False
    lapsed = MatchSeat.objects.filter(match=match, user_id=user_id, bank_seconds=0)
    return bool(lapsed.update(bank_seconds=min(SECONDS_BACK, match.seconds_a_round)))


def stand_still(match_ids: Collection[int], since: datetime, now: datetime) -> None:
    """Give back the time that a pause from `since` to `now` took from the banks. Call it in the transaction that ends
    the pause.

    Only the side whose decision is open has lost time; it gets the part of the pause in which the decision was open.
    On days off it has lost none.
    """
    stops = stops_of(match_ids)
    open_ones = Match.objects.filter(pk__in=list(match_ids), seconds_a_round__isnull=False)
    for match in open_ones.exclude(state__in=Match.OVER):
        decision = rebuild(match).decision
        clock = stops.get(match.pk, Stops()).clock
        lost = Stops(clock=clock).lasting(max(since, newest_step(match)), now)
        if decision is None or lost <= timedelta(0):
            continue
        for seat in MatchSeat.objects.filter(match=match, side=decision.side, bank_seconds__gt=0):
            seat.bank_seconds += int(lost.total_seconds())
            seat.save(update_fields=["bank_seconds"])
