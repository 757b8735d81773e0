"""The webhook of an event, for its GMs: naming an address, a try, a new secret, deleting it; and the notes of tries.

The codes for a refused address are those of webhooks.addresses. Addresses are checked before anything is locked,
because resolvers may be slow.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from challenge.models import Event, EventWebhook
from challenge.selectors.access import Access
from challenge.services.books import lock_event
from challenge.services.news import DELIVER, TRY, deliver, key_of
from jobs.services import enqueue
from people.services.accounts import Limit, count_attempt, notify
from webhooks.addresses import addresses_of, hint, read_address
from webhooks.posting import Reply
from webhooks.sending import LONGEST_WISH, PAUSES
from webhooks.signatures import new_secret

MOST_GIVEN_UP = 5
"""The number of news given up in a row after which the webhook is turned off."""
LOOKS_OF_AN_EVENT = Limit("challenge_webhook_address", 60)
"""How many addresses may be entered for an event in an hour: each makes this host ask a resolver of the GM's choice."""
TRIES_OF_AN_EVENT = Limit("challenge_webhook_try", 60)


def name_address(event: Event, who: Access, url: str) -> EventWebhook:
    """Let the news of an event go to an address, and turn its webhook on; the secret stays the one it had.

    Raises PermissionDenied, TooOften or SeasonRefused (the codes for a refused address).
    """
    _permit(who)
    url = url.strip()
    target = read_address(url)
    count_attempt(LOOKS_OF_AN_EVENT, f"{event.pk}")
    addresses_of(target)
    with transaction.atomic():
        lock_event(event.pk)
        on = {"url": url, "failures": 0, "disabled_at": None, "problem": "", "status": None, "tried_at": None}
        made, _ = EventWebhook.objects.update_or_create(
            event=event, defaults=on, create_defaults={**on, "secret": new_secret()}
        )
    return made


def renew_secret(event: Event, who: Access) -> None:
    """Give the webhook a new secret; only that one signs its documents from now on. Raises PermissionDenied."""
    _permit(who)
    EventWebhook.objects.filter(event=event).update(secret=new_secret())


def delete(event: Event, who: Access) -> None:
    """Delete the webhook; news on their way are not sent any more. Safe to repeat. Raises PermissionDenied."""
    _permit(who)
    EventWebhook.objects.filter(event=event).delete()


@transaction.atomic
def try_now(event: Event, who: Access) -> None:
    """Queue a document that only says that news arrive. Nothing happens while the webhook is off or not there.

    Raises PermissionDenied or TooOften (too_often).
    """
    _permit(who)
    webhook = EventWebhook.objects.filter(event=event, disabled_at=None).first()
    if webhook is not None:
        count_attempt(TRIES_OF_AN_EVENT, f"{event.pk}")
        deliver(webhook, TRY, event.written)


def _permit(who: Access) -> None:
    if not who.is_gm:
        raise PermissionDenied


def note(asked: Mapping[str, Any], reply: Reply) -> None:
    """Note the outcome of a try, in the caller's transaction, and ask for the next try where there is one.

    `asked` is the payload of the job. A try by hand is not repeated and counts for nothing. An address that is gone
    turns the webhook off at once, and so do MOST_GIVEN_UP news in a row that never arrived.
    """
    found = EventWebhook.objects.select_for_update(of=("self",), no_key=True).filter(public_id=asked["webhook"])
    webhook = found.first()
    if webhook is None:
        return
    webhook.tried_at, webhook.status, webhook.problem = timezone.now(), reply.status, reply.problem
    tries = asked["try"]
    if reply.is_delivered:
        webhook.failures = 0
    elif reply.problem == "gone":
        _turn_off(webhook)
    elif asked["code"] != TRY and tries <= len(PAUSES):
        _again(asked, tries, reply)
    elif asked["code"] != TRY:
        webhook.failures += 1
        if webhook.failures >= MOST_GIVEN_UP:
            _turn_off(webhook)
    webhook.save(update_fields=["tried_at", "status", "problem", "failures", "disabled_at"])


def _again(asked: Mapping[str, Any], tries: int, reply: Reply) -> None:
    """Ask for the next try after its pause, or a longer one where the receiver wishes it."""
    wished = min(timedelta(seconds=reply.retry_after or 0), LONGEST_WISH)
    later = timezone.now() + max(PAUSES[tries - 1], wished)
    enqueue(DELIVER, {**asked, "try": tries + 1}, unique_key=key_of(asked["id"], tries + 1), not_before=later)


def _turn_off(webhook: EventWebhook) -> None:
    """Turn the webhook off, without saving it, and tell the event's owner where it has one."""
    if webhook.disabled_at is not None:
        return
    webhook.disabled_at = timezone.now()
    event = Event.objects.select_related("owner").get(pk=webhook.event_id)
    values = {"event": event.name, "host": hint(webhook.url).partition("/")[0]}
    owners = [event.owner] if event.owner is not None else []
    notify(owners, "challenge_webhook_off", values, reverse("challenge:event_webhook", args=[event.slug]))
