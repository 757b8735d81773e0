"""Free seats: a friendly match waits for the person who got its address. No time passes before they come."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from jobs.services import enqueue
from matches.host import stops_in
from matches.models import Match, MatchSeat
from matches.selectors import time_banks
from matches.selectors.matches import free_seat, rebuild, sides_of
from matches.services import turns
from matches.services.answering import STAND_IN
from matches.services.matches import answer_with_bots
from matches.text.match import SIDES, heading
from people.models import User
from rules.core.refusals import Refused


@dataclass(frozen=True)
class OpenSeat:
    """A free seat as its reader sees it. `index` is the place of its side in the setup, from 0.

    A player of the match fills the seat by sending `address` to a rival; for others it is empty.
    """

    colour: str
    index: int
    address: str
    is_mine_to_fill: bool


def open_seat_of(match: Match, user: Any, address: str) -> OpenSeat | None:
    """Return the first free seat of a match from `find_match`, None when there is none.

    `address` is that of the match's page.
    """
    seat = free_seat(match)
    if seat is None:
        return None
    is_own = bool(sides_of(match, user))
    keys = [side["id"] for side in match.setup["sides"]]
    return OpenSeat(heading(SIDES, seat.side), keys.index(seat.side), address if is_own else "", is_own)


def take(match_id: int, user: User, now: datetime | None = None) -> bool:
    """Seat a person in the first free seat of a friendly match. Return False if they have a seat there already.

    Of two people at the same moment one gets it. The notice of the open turn is enqueued in the same transaction.
    Raises Refused (match_over, seat_taken).
    """
    with transaction.atomic():
        match, seats = _locked(match_id)
        if any(seat.user_id == user.pk for seat in seats):
            return False
        _fill(match, seats, {"user_id": user.pk}, now or timezone.now())
        # The open turn begins only now. The key is the one that matches.jobs uses, so there is one notice.
        payload = {"match": match.pk, "sequence": match.last_sequence}
        enqueue("matches.tell_turn", payload, unique_key=turns.job_key(match.pk, match.last_sequence))
    return True


def close(match_id: int) -> None:
    """Give the first free seat to the AI, which answers open decisions at once. Call it outside transactions.

    Raises Refused (match_over, seat_taken; stale_action when others are always faster, and then the AI has the seat).
    """
    with transaction.atomic():
        match, seats = _locked(match_id)
        _fill(match, seats, {"bot": STAND_IN}, timezone.now())
    answer_with_bots(match_id)


def _locked(match_id: int) -> tuple[Match, list[MatchSeat]]:
    match = Match.objects.select_for_update(of=("self",)).get(pk=match_id)
    if match.is_over:
        raise Refused("match_over")
    return match, list(match.seats.all())


def _fill(match: Match, seats: Iterable[MatchSeat], holder: dict[str, Any], now: datetime) -> None:
    """Fill the first free seat, and give back the time that passed for the side whose decision is open.

    Lock the match before. Raises Refused (seat_taken).
    """
    seat = free_seat(match)
    if seat is None or not MatchSeat.objects.filter(pk=seat.pk, user__isnull=True, bot="").update(**holder):
        raise Refused("seat_taken")
    if match.seconds_a_round is None:
        return
    decision = rebuild(match).decision
    passed = time_banks.elapsed(time_banks.newest_step(match), now, stops_in(match.pk))
    for each in seats:
        if decision is not None and each.side == decision.side:
            MatchSeat.objects.filter(pk=each.pk).update(bank_seconds=each.bank_seconds + passed)
