"""The fate of a person's rating when their account is deleted, and the data that they may take along."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from ladder.models import LadderPlayer
from people.models import User
from people.services.leaving import Obstacle, Room, register


def obstacles(user: User) -> list[Obstacle]:
    """Return no obstacle: the ladder never keeps a person from leaving."""
    return []


def consequences(user: User) -> list[str]:
    """Return the notice that the person vanishes from the ladder; empty for a person who is not on it."""
    if not LadderPlayer.objects.filter(user=user).exists():
        return []
    return [gettext("You vanish from the ladder; the ratings of those whom you met stay as they are.")]


def leave(user: User, delete_texts: bool) -> None:
    """Do nothing: the ladder does not show a person who has left, and figures follow from the matches, which stay."""


def own_data(user: User) -> Mapping[str, Any]:
    """Return the person's rating, even one that others do not see; {} for a person without one."""
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
