"""Deleting the duels of guests, and the guests. Each function deletes at most `most` rows and returns their number."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from matches.models import Match, MatchAction, MatchSeat
from people.models import User
from people.services import guests
from web import retention


def forget_duels(now: datetime, most: int) -> int:
    """Delete unfinished friendly matches in which nobody but guests plays, UNFINISHED_DUELS after their last step.

    Their steps go with them: only those of matches without an end and without a season may (migration 0010).
    """
    seats = MatchSeat.objects.filter(match=OuterRef("pk"))
    recent = MatchAction.objects.filter(match=OuterRef("pk"), created_at__gte=now - retention.UNFINISHED_DUELS)
    old = Match.objects.filter(fixture_key=None, finished_at=None, created_at__lt=now - retention.UNFINISHED_DUELS)
    old = old.filter(Exists(seats.filter(user__is_guest=True)))
    old = old.exclude(Exists(seats.filter(user__is_guest=False))).exclude(Exists(recent))
    with transaction.atomic():
        locked = old.select_for_update(of=("self",)).order_by("pk")
        keys = list(locked.values_list("pk", flat=True)[:most])
        # The manager of steps deletes none.
        QuerySet(MatchAction).filter(match__in=keys).delete()
        Match.objects.filter(pk__in=keys).delete()
    return len(keys)


def forget_guests(now: datetime, most: int) -> int:
    """Delete guests who came by themselves: without a match after UNFINISHED_DUELS, else after GUEST_SESSIONS.

    Who has finished matches ends like a deleted account, so that the matches stay as they are, without a name.
    """
    has_match = Exists(MatchSeat.objects.filter(user=OuterRef("pk")))
    alone = ~has_match & Q(date_joined__lt=now - retention.UNFINISHED_DUELS)
    gone = guests.unbound().filter(alone | Q(last_login__lt=now - retention.GUEST_SESSIONS))
    count = 0
    for key in list(gone.order_by("pk").values_list("pk", flat=True)[:most]):
        with transaction.atomic():
            # The condition is asked again: a guest may have begun a match or signed up just now.
            guest = gone.select_for_update(of=("self",)).filter(pk=key).first()
            if guest is None:
                continue
            guests.end_guest(guest)
            if not MatchSeat.objects.filter(user=guest).exists():
                User.objects.filter(pk=key).delete()
            count += 1
    return count
