"""The one place that decides what somebody may do in an event.

The owner is its GM. Others hold keys: addresses that a browser has opened and keeps in its session. Everybody may see
the board, the standings and the rules of an event, and so may people without any key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from challenge.models import Event, Key

SESSION = "challenge_keys"
"""Where a browser's session holds its keys: by the address of an event, a list of secrets."""


@dataclass(frozen=True)
class Access:
    """What somebody is in an event: GM, agent of some tables, player of some pilots, or a spectator with nothing.

    `all_tables` says that an agent serves every table. `name` is how the log calls them, `user_id` their account.
    """

    is_gm: bool = False
    tables: frozenset[str] = frozenset()
    all_tables: bool = False
    pilots: frozenset[str] = frozenset()
    name: str = ""
    user_id: int | None = None

    @property
    def role(self) -> str:
        """The highest of their roles: gm, agent, player or spectator."""
        if self.is_gm:
            return Key.Role.GM
        if self.is_agent:
            return Key.Role.AGENT
        return Key.Role.PLAYER if self.pilots else "spectator"

    @property
    def is_agent(self) -> bool:
        """Whether they run a table."""
        return self.is_gm or self.all_tables or bool(self.tables)

    def runs(self, table: str) -> bool:
        """Return whether they enter what happens at a table."""
        return self.is_gm or self.all_tables or table in self.tables

    def reads(self, pilot: str) -> bool:
        """Return whether they may read a pilot's private page: their own, and all for those who run a table."""
        return self.is_agent or pilot in self.pilots


def access_in(event: Event, user: Any, secrets: Iterable[str] = ()) -> Access:
    """Return what a person with these keys is in an event; one query for a person with keys."""
    user_id = user.pk if getattr(user, "is_authenticated", False) and not user.is_guest else None
    name = user.get_username() if user_id is not None else ""
    is_owner = user_id is not None and event.owner_id == user_id
    held = list(secrets)
    keys = list(Key.objects.filter(event=event, secret__in=held, ended_at=None)) if held else []
    roles = Key.Role
    return Access(
        is_gm=is_owner or any(key.role == roles.GM for key in keys),
        tables=frozenset(key.table for key in keys if key.role == roles.AGENT and key.table),
        all_tables=any(key.role == roles.AGENT and not key.table for key in keys),
        pilots=frozenset(key.pilot for key in keys if key.role == roles.PLAYER),
        name=name or next((key.label or key.pilot for key in keys if key.label or key.pilot), ""),
        user_id=user_id,
    )


def secrets_in(session: Mapping[str, Any], slug: str) -> list[str]:
    """Return the keys that a browser holds for an event."""
    return list(session.get(SESSION, {}).get(slug, ()))


def listed_events(user: Any) -> QuerySet[Event]:
    """Return the events that a list shows to a person: those for everybody, and their own."""
    shown = Q(is_listed=True)
    if getattr(user, "is_authenticated", False):
        shown |= Q(owner=user.pk)
    return Event.objects.filter(shown)
