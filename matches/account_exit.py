"""What happens to a person's matches and texts when their account is deleted."""

from __future__ import annotations

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext, ngettext

from matches.models import AskedAdvice, MatchSeat, StandingAnswers, WriteUp
from matches.services.finished import turning_points
from people.models import User
from people.services import guests
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
    """Delete the person's standing answers, advice, turning points, and write-ups that were taken down; with
    `delete_texts` all."""
    StandingAnswers.objects.filter(seat__user=user).delete()
    AskedAdvice.objects.filter(user=user).delete()
    # A worker that is at it loses its lease, and writes nothing any more.
    turning_points.asked_by(user).delete()
    texts = WriteUp.objects.filter(author=user)
    # Nobody but its author reads a write-up that was taken down.
    (texts if delete_texts else texts.exclude(taken_down_at=None)).delete()


def _in_seasons() -> Exists:
    return Exists(MatchSeat.objects.filter(user=OuterRef("pk"), match__fixture_key__isnull=False))


register(Room("matches", obstacles, consequences, leave))
guests.register(guests.Bond("matches of seasons", _in_seasons))
