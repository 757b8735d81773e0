"""The job that posts news to a webhook, and the search for stuck deliveries.

Receivers may be slow or dead, and workers are few. So only one job on the whole site posts at a time, and receivers
never hold up all workers. A job that finds another one posting puts itself off. The job that has the turn also sends
other due deliveries.
"""

from __future__ import annotations

import random
import time
from datetime import UTC, datetime, timedelta

from django.contrib.auth import get_user_model

from jobs.registry import job, periodic
from jobs.run import Later, Run
from jobs.runner import due
from rules.core.refusals import SeasonRefused
from stables.models import Delivery, Webhook
from stables.selectors import webhook_documents
from stables.services.base import webhook_deliveries
from webhooks import addresses, posting, signatures
from webhooks.posting import Reply

USER_AGENT = "Solaris-Circuit-Webhooks/1.0"
NOT_FOUND = 404
TAKES_ALONG_SECONDS = 10.0
"""The seconds for which the job that has the turn sends other due deliveries."""


@job(webhook_deliveries.JOB, priority="low")
def deliver(run: Run) -> None:
    """Try once to deliver, note the outcome, and then send other due deliveries for TAKES_ALONG_SECONDS.

    Older news that are due go to the same webhook first. It stops earlier when other jobs are due. The jobs of the
    deliveries that it sent find nothing left to do. Paused, cancelled and finished seasons send too, since that is
    news. Call it outside transactions. Payload: delivery, number, by_hand. Raises Later while the webhook rests,
    another job has the turn, or older news took the time.
    """
    delivery = webhook_deliveries.to_be_tried(run.payload["delivery"], run.payload["number"])
    if delivery is None:
        return
    by_hand = run.payload.get("by_hand", False)
    pause = None if by_hand else webhook_deliveries.rests(delivery)
    if pause is not None:
        raise Later(pause)
    if not run.takes_turn():
        # A random pause keeps waiting jobs from coming back at the same moment.
        raise Later(timedelta(seconds=random.uniform(3, 10)))
    ends = time.monotonic() + TAKES_ALONG_SECONDS
    passed_over: set[int] = set()
    # Another attempt or another job may have tried it just before this one got the turn.
    found = webhook_deliveries.to_be_tried(run.payload["delivery"], run.payload["number"])
    while found is not None:
        if not by_hand or found.pk != delivery.pk:
            found = webhook_deliveries.first_due(found, passed_over)
        if (by_hand and found.pk == delivery.pk) or webhook_deliveries.rests(found) is None:
            _try(run, found)
        passed_over.add(found.pk)
        is_over = time.monotonic() >= ends or due().exclude(name=run.name).exists()
        found = None if is_over else webhook_deliveries.next_due(passed_over)
    left = webhook_deliveries.to_be_tried(run.payload["delivery"], run.payload["number"])
    if left is not None:
        # Older news took the time of this one.
        raise Later(webhook_deliveries.rests(left) or timedelta())


def _try(run: Run, delivery: Delivery) -> None:
    number, reply = delivery.tries + 1, sent(delivery)
    step = f"note {delivery.public_id} {number}"
    run.once(step, lambda: webhook_deliveries.note(delivery_id=delivery.pk, number=number, reply=reply))


def sent(delivery: Delivery) -> Reply:
    """Send a delivery and return the reply; without a request it has only a problem (webhook_off, webhook_address_…).

    The address is checked at each try: a name may lead elsewhere now, and operators may change what they allow. Fetch
    the delivery with its webhook and season.
    """
    webhook = delivery.webhook
    if webhook.disabled_at is not None and delivery.log_entry_id is not None:
        return Reply(None, "webhook_off")
    try:
        target = addresses.read_address(webhook.url)
        found = addresses.addresses_of(target, for_delivery=True)
    except SeasonRefused as refused:
        return Reply(None, refused.code)
    body = webhook_documents.body_of(delivery, _person(delivery))
    now = int(datetime.now(UTC).timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        **signatures.headers_of(webhook.secret, str(delivery.public_id), now, body),
    }
    reply = posting.post(target, found, body, headers)
    # Discord keeps a webhook's address for ever, and answers so once it is deleted there.
    is_deleted = webhook.format == Webhook.Format.DISCORD and reply.status == NOT_FOUND
    return Reply(reply.status, "gone") if is_deleted else reply


def _person(delivery: Delivery) -> str | None:
    """Return the user name of the account whose id a delivery holds; None without an id or an account."""
    number = delivery.document["parameters"].get("person")
    found = get_user_model().objects.filter(pk=number).first() if isinstance(number, int) else None
    return None if found is None else found.get_username()


@periodic("stables.stuck_deliveries")
def scan_for_stuck_deliveries() -> None:
    """Ask again for deliveries whose try is overdue by LOST_AFTER, or note that their worker was lost."""
    webhook_deliveries.scan_for_lost()


@periodic("stables.old_deliveries")
def forget_old_deliveries() -> None:
    """Delete deliveries that ended more than webhook_deliveries.KEPT ago, with their finished jobs."""
    webhook_deliveries.forget_old()
