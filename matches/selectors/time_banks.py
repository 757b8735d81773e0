"""Time to think, by rounds of a match instead of a clock: what each side has in its bank, and when it has run out.

At the start of each round of a match a side gets `seconds_a_round`. It keeps the time that it does not use, up to three
rounds' worth. Only time while that side's decision is open counts: from the newest step on, and not while the season
is paused or on its days off. A bank of 0 that is filled up to the present round means that the AI answers until the
round is over.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q
from django.utils import timezone

from matches.host import Stops, stops_in, stops_of
from matches.models import Match, MatchAction, MatchSeat
from matches.selectors.matches import waiting_for_a_rival
from rules.campaign.season.appointments import TIMES_UP

ROUNDS_SAVED = 3
"""The most rounds' worth of time that a bank can hold."""


def filled(seconds: int, up_to: int, round_number: int, seconds_a_round: int) -> int:
    """Return the seconds in a bank after `round_number` has begun. Before, it was filled up to round `up_to`."""
    if round_number <= up_to:
        return seconds
    return min(seconds + (round_number - up_to) * seconds_a_round, ROUNDS_SAVED * seconds_a_round)


def elapsed(since: datetime, now: datetime, stops: Stops) -> int:
    """Return for how many whole seconds a decision has been open since `since`, without those in which no time passes.

    It is 0 at least.
    """
    return int(stops.lasting(since, now).total_seconds())


@dataclass(frozen=True)
class Expired:
    """A bank that seems to have run out, for a job to look at."""

    match_id: int
    sequence: int
    seat_id: int
    bank_seconds: int


def run_out(now: datetime | None = None) -> list[Expired]:
    """Return the people's banks that would be empty by now if the open decision were their side's.

    Whose decision it is is not checked. Banks that were empty before are left out. It takes one query and those of the
    hosts.
    """
    now = now or timezone.now()
    newest = MatchSeat.objects.filter(
        user__isnull=False,
        bank_seconds__gt=0,
        match__seconds_a_round__isnull=False,
        match__actions__sequence=F("match__last_sequence"),
    ).exclude(Q(match__state__in=Match.OVER) | Q(match__in=waiting_for_a_rival()))
    rows = newest.values_list("match_id", "match__last_sequence", "pk", "bank_seconds", "match__actions__created_at")
    found = [(Expired(*row[:4]), row[4]) for row in rows if elapsed(row[4], now, Stops()) >= row[3]]
    stops = stops_of({each.match_id for each, _ in found})
    return [
        each
        for each, since in found
        if elapsed(since, now, stops.get(each.match_id, Stops())) >= max(1, each.bank_seconds)
    ]


def newest_step(match: Match) -> datetime:
    """Return when the newest step of a match was stored (1 query)."""
    return MatchAction.objects.values_list("created_at", flat=True).get(match=match, sequence=match.last_sequence)


def is_empty(match: Match, seat: MatchSeat, now: datetime) -> bool:
    """Return whether the time in `seat`, whose side's decision is open, has run out since the newest step.

    False for a bank that was empty before. It takes one query and those of the hosts.
    """
    used = elapsed(newest_step(match), now, stops_in(match.pk))
    return used >= seat.bank_seconds > 0


def absent_sides(match: Match) -> tuple[str, ...]:
    """Return the sides of people whose time ran out so often (TIMES_UP) that they count as absent (1 query at most).

    There are none in a finished match or without a time limit.
    """
    if match.seconds_a_round is None or match.is_over:
        return ()
    seats = MatchSeat.objects.filter(match=match, user__isnull=False, expiries__gte=TIMES_UP)
    return tuple(seats.values_list("side", flat=True))
