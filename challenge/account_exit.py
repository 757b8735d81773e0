"""What happens to a person's events of the Challenge when their account is deleted."""

from __future__ import annotations

from django.utils.translation import gettext

from challenge.models import Event, Key
from people.models import User
from people.services.leaving import Obstacle, Room, register


def obstacles(user: User) -> list[Obstacle]:
    """Return no obstacle: an event goes on with the keys of its GM."""
    return []


def consequences(user: User) -> list[str]:
    """Return the notice that the person's events stay; empty for a person without any."""
    if not Event.objects.filter(owner=user).exists():
        return []
    return [gettext("Your Melee Challenges stay; whoever holds a key of their GM runs them.")]


def leave(user: User, delete_texts: bool) -> None:
    """Let the person's events and keys belong to nobody."""
    Event.objects.filter(owner=user).update(owner=None)
    Key.objects.filter(user=user).update(user=None)


register(Room("challenge", obstacles, consequences, leave))
