"""What becomes of a person's rating when the account is deleted, and what the person may take along."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from ladder.models import LadderPlayer
from people.models import User
from people.services.leaving import Obstacle, Room, register


def obstacles(user: User) -> list[Obstacle]:
    """Return nothing stands in the way."""
    return []


def consequences(user: User) -> list[str]:
    """Return that the person vanishes from the ladder."""
    if not LadderPlayer.objects.filter(user=user).exists():
        return []
    return [gettext("You vanish from the ladder; the ratings of those whom you met stay as they are.")]


def leave(user: User, delete_texts: bool) -> None:
    """Write nothing: a person who has left is not shown, and the figures are of the matches, which stay."""


def own_data(user: User) -> Mapping[str, Any]:
    """Return the person's rating, shown to others or not."""
    row = LadderPlayer.objects.filter(user=user).first()
    if row is None:
        return {}
    return {
        "mean": row.mean,
        "deviation": row.deviation,
        "matches": row.matches,
        "last_match": row.last_match_at.isoformat(),
        "has_been_program": row.has_been_program,
    }


register(Room("ladder", obstacles, consequences, leave, own_data))
