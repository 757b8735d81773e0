"""What events of the Challenge keep about a person."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext_lazy as _

from challenge.models import Entry, Event, Key
from people.models import User
from people.services.kept import Kept, register


def _events(user: User) -> Iterable[Any]:
    for event in Event.objects.filter(owner=user).order_by("-pk").iterator():
        yield {"event": event.slug, "name": event.name, "opened": event.opened_at}


def _entries(user: User) -> Iterable[Any]:
    rows = Entry.objects.filter(user=user).order_by("-pk")
    for row in rows.values("event__slug", "number", "role", "entered_at").iterator():
        yield {"event": row["event__slug"], "number": row["number"], "role": row["role"], "entered": row["entered_at"]}


def _keys(user: User) -> Iterable[Any]:
    rows = Key.objects.filter(user=user).order_by("-pk")
    for row in rows.values("event__slug", "role", "table", "pilot", "made_at", "ended_at").iterator():
        yield {
            "event": row["event__slug"], "role": row["role"], "table": row["table"], "pilot": row["pilot"],
            "made": row["made_at"], "ended": row["ended_at"],
        }  # fmt: skip


register(
    "challenge",
    (
        Kept(
            "events",
            _("Melee Challenges that you run"),
            _("That you are the GM of an event."),
            _("You. In the log of an event, its GMs and agents read your name."),
            _("As long as the event stays."),
            _("The event stays, and belongs to nobody; whoever holds a key of its GM runs it."),
            fields=("challenge.Event.owner",),
            data=_events,
            stays=_("Others play in the event. It belongs to the nameless row."),
        ),
        Kept(
            "entries",
            _("What you entered in books of Melee Challenges"),
            _("Which entries of a book are yours, and when you made them."),
            _("GMs and agents of the event."),
            _("As long as the event stays, for a book is written once."),
            _("An entry is never taken out of a book. The log then says “somebody who left”."),
            fields=("challenge.Entry.user",),
            data=_entries,
            stays=_("Everything that pilots have follows from the entries; they belong to the nameless row."),
        ),
        Kept(
            "keys",
            _("Keys of Melee Challenges that you opened"),
            _("That you were the first to open a key while logged in, so that you get its notices."),
            _("Nobody but you."),
            _("As long as the event stays."),
            _("The key stays good for whoever has its address, and belongs to no account."),
            fields=("challenge.Key.user",),
            data=_keys,
        ),
    ),
)
