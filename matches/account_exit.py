"""What happens to a person's matches and texts when their account is deleted, and the data that they may take along."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, ngettext

from matches.models import AskedAdvice, MatchSeat, StandingAnswers, WriteUp
from people.models import User
from people.services.leaving import Obstacle, Room, register


def obstacles(user: User) -> list[Obstacle]:
    """Return no obstacle: matches never keep a person from leaving."""
    return []


def consequences(user: User) -> list[str]:
    """Return sentences on what happens to the person's matches and write-ups; empty without any."""
    lines = []
    if MatchSeat.objects.filter(user=user).exists():
        lines.append(gettext("Matches that you played stay, without your name."))
    count = WriteUp.objects.filter(author=user).count()
    if count:
        sentence = ngettext(
            "Your write-up stays without your name, unless you tick below that it goes as well.",
            "Your %(count)s write-ups stay without your name, unless you tick below that they go as well.",
            count,
        )
        lines.append(sentence % {"count": count} if count > 1 else sentence)
    return lines


def leave(user: User, delete_texts: bool) -> None:
    """Delete the person's standing answers and advice, and with `delete_texts` their write-ups."""
    StandingAnswers.objects.filter(seat__user=user).delete()
    AskedAdvice.objects.filter(user=user).delete()
    if delete_texts:
        WriteUp.objects.filter(author=user).delete()


def own_data(user: User) -> Mapping[str, Any]:
    """Return the person's seats, the times when they asked for advice, and their write-ups without the photos."""
    seats = MatchSeat.objects.filter(user=user).select_related("match").defer("match__setup", "match__seed")
    texts = WriteUp.objects.filter(author=user).order_by("pk")
    return {
        "seats": [
            {"match": str(seat.match.public_id), "side": seat.side, "begun": seat.match.created_at}
            for seat in seats.order_by("pk")
        ],
        "advice": [
            {"match": str(each.match.public_id), "side": each.side, "asked": each.created_at}
            for each in AskedAdvice.objects.filter(user=user)
            .select_related("match")
            .only("side", "created_at", "match__public_id")
        ],
        "write_ups": [
            {
                "subject": each.subject,
                "text": each.text,
                "has_photo": each.photo is not None,
                "photo_shows": each.photo_told,
                "written": each.created_at,
                "changed": each.changed_at,
                "taken_down": each.taken_down_at,
            }
            for each in texts
        ],
    }


register(Room("matches", obstacles, consequences, leave, own_data))
