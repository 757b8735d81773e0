"""The notice that a match waits for a person who does not seem to be looking.

A turn has one notice, a little after it began: those who play at the same time answer sooner and get none.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth import get_user_model
from django.db.models import Count, F, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from matches.host import stops_in
from matches.models import Match, MatchAction, MatchSeat
from matches.selectors.matches import free_seat, rebuild, waiting_for_a_rival
from matches.selectors.time_banks import newest_step
from people.services.accounts import notify
from rules.wording.isolation import isolated

PATIENCE = timedelta(minutes=3)
"""How long a player may think before the notice of their turn."""
FORGOTTEN = timedelta(days=1)
"""The age of a turn from which it gets no notice any more: it had one, or nobody plays, or a deadline decides."""
MATCHES_A_TICK = 100


def waiting_turns(now: datetime | None = None) -> list[tuple[int, int]]:
    """Return (id, newest step) of matches whose newest step is between PATIENCE and FORGOTTEN old; one query.

    There are MATCHES_A_TICK at most, the newest steps first. In a match of one person against bots nobody else waits,
    so its turns have no notices.
    """
    now = now or timezone.now()
    others = MatchSeat.objects.filter(bot="").values("match").annotate(count=Count("pk")).filter(count__gt=1)
    newest = MatchAction.objects.filter(
        sequence=F("match__last_sequence"),
        created_at__lte=now - PATIENCE,
        created_at__gt=now - FORGOTTEN,
        match__seats__user__isnull=False,
        match__in=others.values("match"),
    ).exclude(Q(match__state__in=Match.OVER) | Q(match__in=waiting_for_a_rival()))
    return list(newest.distinct().order_by("-id").values_list("match", "sequence")[:MATCHES_A_TICK])


def job_key(match_id: int, sequence: int) -> str:
    """Return the key of the job that tells of the turn since a step.

    Staff can read keys, and the number itself would reveal that a rival kept a rally card.
    """
    step = salted_hmac("matches.turn", f"{match_id}:{sequence}", algorithm="sha256").hexdigest()
    return f"matches:{match_id}:turn:{step[:16]}"


def whose_turn(match_id: int, sequence: int) -> int | None:
    """Return the id of the person for whose decision a match has waited since a step. Call it outside transactions.

    None when the match has a newer step, is over or has a free seat, or when a bot decides.
    """
    match = Match.objects.prefetch_related("seats").get(pk=match_id)
    if match.is_over or match.last_sequence != sequence or free_seat(match) is not None:
        return None
    decision = rebuild(match).decision
    side = None if decision is None else decision.side
    return next((seat.user_id for seat in match.seats.all() if seat.side == side), None)


def tell_turn(match_id: int, user_id: int) -> None:
    """Write a person the notice that it is their turn. Each call writes one, so call it in a step that runs once."""
    match = Match.objects.get(pk=match_id)
    names = " – ".join(isolated(str(side.get("name") or side["id"])) for side in match.setup["sides"])
    people = get_user_model().objects.filter(pk=user_id)
    due = _time_until(match, user_id)
    parameters = {
        "match": names,
        "format": match.setup["format"],
        "arena": isolated(str(match.setup["arena"]["name"])),
        "due": None if due is None else due.isoformat(),
    }
    notify(people, "your_turn", parameters, match.get_absolute_url())


def _time_until(match: Match, user_id: int) -> datetime | None:
    """Return until when a person who must decide has time; None without a limit, and while a pause stops the time."""
    if match.seconds_a_round is None:
        return None
    stops = stops_in(match.pk)
    if stops.paused_at is not None:
        return None
    left = match.seats.filter(user=user_id, bank_seconds__gt=0).values_list("bank_seconds", flat=True).first()
    return None if left is None else stops.after(newest_step(match), timedelta(seconds=left))
