"""Opening and closing events, their keys, the scene of the board, and cheers."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from challenge.models import Event, Key
from challenge.selectors.access import Access
from challenge.services.books import Wish, lock_event, write
from challenge.services.news import EVENT_CLOSED, say
from rules.challenge.book.rows import SESSION, SETUP
from web.slugs import free_slug_among, slug_of

OWN_PAGES = ("open", "go-on")
"""What stands where the address of an event stands."""

KEY_BYTES = 18
"""144 random bits, 24 letters: short enough for a QR code that a phone reads at once, and nobody guesses one."""


@transaction.atomic
def open_event(
    name: str, setup: Mapping[str, Any], session: Mapping[str, Any], owner: Any = None, *, is_listed: bool = True
) -> Event:
    """Open an event with its settings and its first session, and return it.

    Without an owner a key of the GM is made (`gm_key`). Raises Malformed for settings without their form.
    """
    slug = free_address(name)
    event = Event.objects.create(name=name, slug=slug, owner=owner, is_listed=is_listed)
    who = Access(is_gm=True, name="" if owner is None else owner.get_username(), user_id=owner and owner.pk)
    write(event.pk, who, [Wish(secrets.token_hex(16), SETUP, setup), Wish(secrets.token_hex(16), SESSION, session)])
    if owner is None:
        make_key(event, who, Key.Role.GM)
    event.refresh_from_db()
    return event


def free_address(name: str) -> str:
    """Return a free address for an event of this name; those of the site's own pages are taken."""
    slug = slug_of(name, "event")
    return free_slug_among(Event.objects.all(), f"{slug}-event" if slug in OWN_PAGES else slug)


def make_key(event: Event, who: Access, role: str, table: str = "", pilot: str = "", label: str = "") -> Key:
    """Return the key of a role that holds, the old one or a new one. Only a GM makes those of GMs and agents.

    Agents make those of pilots. Raises PermissionDenied.
    """
    if not (who.is_gm or (who.is_agent and role == Key.Role.PLAYER)):
        raise PermissionDenied
    fields = {"event": event, "role": role, "table": table, "pilot": pilot, "label": label}
    found = Key.objects.filter(**fields, ended_at=None).first()
    return found or Key.objects.create(**fields, secret=secrets.token_urlsafe(KEY_BYTES))


def end_key(event: Event, who: Access, key_id: int) -> None:
    """End a key: whoever holds it is a spectator again. Raises PermissionDenied."""
    if not who.is_gm:
        raise PermissionDenied
    Key.objects.filter(event=event, pk=key_id, ended_at=None).update(ended_at=timezone.now())


def hold_key(key: Key, user: Any) -> None:
    """Let a key belong to the first account that opens it; guests and people without an account have none."""
    if key.user_id is None and user.is_authenticated and not user.is_guest:
        Key.objects.filter(pk=key.pk, user=None).update(user=user)


def show_scene(event: Event, who: Access, scene: str) -> None:
    """Let the board show another scene. Raises PermissionDenied."""
    if not who.is_gm or scene not in Event.Scene.values:
        raise PermissionDenied
    Event.objects.filter(pk=event.pk).update(scene=scene)


def cheer(event: Event) -> None:
    """Count one cheer of a spectator; whether the crowd goes wild is for the GM to say."""
    Event.objects.filter(pk=event.pk).update(cheers=F("cheers") + 1)


@transaction.atomic
def close_event(event_id: int, who: Access) -> None:
    """Close the book of an event. Raises PermissionDenied."""
    event = lock_event(event_id)
    if not who.is_gm:
        raise PermissionDenied
    if event.closed_at is None:
        event.closed_at = timezone.now()
        event.save(update_fields=["closed_at"])
        say(event, who, EVENT_CLOSED, event.written)
