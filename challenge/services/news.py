"""What events say to accounts and to an outside address: jobs that the writer of a book asks for.

A job is written in the transaction of what it says: both are there or neither. It names the row after which something
is so, and whoever does it reads the book up to there. So news do not change with what is undone later. Jobs only send:
they close no day and call no final.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from challenge.models import Claim, Event, EventWebhook, Key
from challenge.selectors.access import Access
from challenge.selectors.books import book_at
from jobs.services import enqueue
from people.models import User
from people.services.accounts import notify
from rules.challenge.book.rows import Row

TELL, DELIVER = "challenge.tell", "challenge.deliver"
TURN_CLOSED, DAY_CLOSED, FINAL_CALLED, EVENT_CLOSED = "turn_closed", "day_closed", "final_called", "event_closed"
TRY = "try"
"""The code of a document that only says that news arrive."""
PLAN_APPROVED, PLAN_STRUCK = "challenge_plan_approved", "challenge_plan_struck"
NOTICES: Mapping[str, str] = {DAY_CLOSED: "challenge_day_closed", FINAL_CALLED: "challenge_final_called"}
"""What accounts get a notice of -> the code of the notice."""


def say_rows(event: Event, who: Access, rows: Iterable[Row]) -> None:
    """Queue what these new rows mean for readers elsewhere, in the caller's transaction."""
    for row in rows:
        code = _code_of(row)
        if code:
            say(event, who, code, row.number)


def _code_of(row: Row) -> str:
    """Return what a row says, "" for most. A row that stands before an earlier one corrects, and is no news."""
    if row.entry is None or row.before is not None:
        return ""
    if row.entry.what == "stage":
        return FINAL_CALLED if row.entry.facts["stage"] == "final" else ""
    return {"end_turn": TURN_CLOSED, "end_day": DAY_CLOSED}.get(row.entry.what, "")


def say(event: Event, who: Access, code: str, number: int) -> None:
    """Queue one piece of news after a row for the event's webhook and, where NOTICES has it, for accounts."""
    webhook = EventWebhook.objects.filter(event=event, disabled_at=None).first()
    if webhook is not None:
        deliver(webhook, code, number)
    if code in NOTICES and _readers(event, who.user_id).exists():
        enqueue(TELL, {"event": event.pk, "code": NOTICES[code], "number": number, "by": who.user_id})


def deliver(webhook: EventWebhook, code: str, number: int) -> None:
    """Queue the first try to post a piece of news, in the caller's transaction."""
    name = str(uuid.uuid4())
    asks = {"webhook": str(webhook.public_id), "id": name, "code": code, "number": number}
    enqueue(DELIVER, {**asks, "time": timezone.now().isoformat(), "try": 1}, unique_key=key_of(name, 1))


def key_of(delivery: str, number: int) -> str:
    """Return the unique key of the job for a try."""
    return f"{DELIVER}:{delivery}:{number}"


def say_plans(event: Event, who: Access, code: str, claims: Sequence[Claim]) -> None:
    """Queue a notice for the player of each planned off-board cycle among these claims; one query."""
    pilots = [claim.pilot for claim in claims if claim.kind == Claim.Kind.CYCLE]
    held = Key.objects.filter(event=event, role=Key.Role.PLAYER, pilot__in=pilots, ended_at=None, user__isnull=False)
    for pilot in held.exclude(user=who.user_id).values_list("pilot", flat=True).distinct() if pilots else ():
        enqueue(TELL, {"event": event.pk, "code": code, "pilot": pilot, "by": who.user_id})


def _readers(event: Event, by: int | None, pilot: str | None = None) -> Any:
    """Return the owner and the accounts with keys that hold, or the accounts of one pilot; without whoever did it."""
    holds = Q(challenge_keys__event=event, challenge_keys__ended_at=None)
    if pilot is not None:
        found = holds & Q(challenge_keys__pilot=pilot, challenge_keys__role=Key.Role.PLAYER)
    else:
        found = holds | Q(challenges=event)
    others = User.objects.all() if by is None else User.objects.exclude(pk=by)
    return others.filter(found).distinct()


def write_notices(payload: Mapping[str, Any]) -> int:
    """Write the notices that a job of the name TELL asks for, and return their number. Payload: event, code, by, and
    `number` of a row or `pilot`.
    """
    event = Event.objects.filter(pk=payload["event"]).first()
    if event is None:
        return 0
    code, pilot = payload["code"], payload.get("pilot")
    readers = list(_readers(event, payload["by"], pilot).order_by("pk"))
    if pilot is not None:
        page = reverse("challenge:pilot", args=[event.slug, pilot])
        if code == PLAN_APPROVED:
            return len(notify(readers, "challenge_plan_approved", {"event": event.name, "pilot": pilot}, page))
        return len(notify(readers, "challenge_plan_struck", {"event": event.name, "pilot": pilot}, page))
    page, state = reverse("challenge:event", args=[event.slug]), book_at(event, payload["number"]).state
    if code == NOTICES[DAY_CLOSED]:
        return len(notify(readers, "challenge_day_closed", {"event": event.name, "day": state.day - 1}, page))
    pilots = ", ".join(state.finalists or ())
    return len(notify(readers, "challenge_final_called", {"event": event.name, "pilots": pilots}, page))
