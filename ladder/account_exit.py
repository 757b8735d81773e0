"""The fate of a person's rating when their account is deleted."""

from __future__ import annotations

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


register(Room("ladder", obstacles, consequences, leave))
