"""Which news go out next: those that are due, in order, and those that share a message."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from stables.models import Delivery, Webhook

TOO_MANY = 429
"""The status of a receiver that takes no more for now."""
MOST_TOGETHER = 200
"""The most deliveries that are looked at, or noted, together with another one."""


def is_gathered(webhook: Webhook, facts: Mapping[str, Any]) -> bool:
    """Return whether news go out together with others of their round: those of matches, to Discord."""
    return webhook.format == Webhook.Format.DISCORD and facts.get("round") is not None


def to_be_tried(public_id: str, number: int) -> Delivery | None:
    """Return a delivery with its webhook and season; None unless it waits and `number` is its next try."""
    waiting = Delivery.objects.filter(public_id=public_id, state=Delivery.State.WAITING, tries=number - 1)
    return waiting.select_related("webhook__season__organiser").defer("webhook__season__secret").first()


def next_due(passed_over: Iterable[int]) -> Delivery | None:
    """Return the delivery that has been due longest, with its webhook and season; None if none is due.

    Deliveries whose id is in `passed_over` are left out.
    """
    waiting = Delivery.objects.filter(state=Delivery.State.WAITING, next_try_at__lte=timezone.now())
    found = (
        waiting.exclude(pk__in=list(passed_over))
        .order_by("next_try_at", "id")
        .select_related("webhook__season__organiser")
    )
    return found.defer("webhook__season__secret").first()


def first_due(delivery: Delivery, passed_over: Iterable[int] = ()) -> Delivery:
    """Return the oldest news that wait for the same webhook, so that they go out in order; the given ones if they do.

    They are due, or wait for their first try to be gathered: younger news are not sent before them. Deliveries whose id
    is in `passed_over` are left out. A try that a person asked for waits for no other.
    """
    if delivery.log_entry_id is None:
        return delivery
    older = _in_turn(delivery.webhook_id).filter(pk__lt=delivery.pk).exclude(pk__in=list(passed_over))
    return older.select_related("webhook__season__organiser").defer("webhook__season__secret").first() or delivery


def _in_turn(webhook_id: int) -> QuerySet[Delivery]:
    """Return the news for a webhook that may be sent, in order: those that are due, and those that nobody tried yet."""
    waiting = Delivery.objects.filter(webhook=webhook_id, state=Delivery.State.WAITING, log_entry__isnull=False)
    return waiting.filter(Q(next_try_at__lte=timezone.now()) | Q(tries=0)).order_by("id")


def together_with(delivery: Delivery) -> list[Delivery]:
    """Return the news that may share a message with a delivery, in order and beginning with it.

    They are those of matches of the same round, up to the next news of another kind. News that the receiver refused for
    what they say stay alone, so that they keep no others back. Fetch `delivery` with its webhook. One query at most.
    """
    found, of_round = [delivery], delivery.document.get("round")
    if delivery.log_entry_id is None or not is_gathered(delivery.webhook, delivery.document) or _is_refused(delivery):
        return found
    for other in _in_turn(delivery.webhook_id).filter(pk__gt=delivery.pk)[:MOST_TOGETHER]:
        if other.document.get("round") != of_round or _is_refused(other):
            break
        other.webhook = delivery.webhook
        found.append(other)
    return found


def _is_refused(delivery: Delivery) -> bool:
    """Return whether the newest answer finds fault with what was sent: a status 4xx, except "too many"."""
    status = delivery.answers[-1]["status"] if delivery.answers else None
    return status is not None and 400 <= status < 500 and status != TOO_MANY
