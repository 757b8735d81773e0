"""The job that posts news to a webhook, and the search for stuck deliveries.

Receivers may be slow or dead, and workers are few. So only one job on the whole site posts at a time, and receivers
never hold up all workers. A job that finds another one posting puts itself off. The job that has the turn also sends
other due deliveries.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from jobs.registry import job, periodic
from jobs.run import Later, Run
from jobs.runner import due
from stables.models import Delivery, Webhook
from stables.selectors.webhooks import deliveries_due, messages
from stables.services.base import webhook_deliveries
from webhooks import sending
from webhooks.posting import Reply

NOT_FOUND = 404
TAKES_ALONG_SECONDS = 10.0
"""The seconds for which the job that has the turn sends other due deliveries."""


@job(webhook_deliveries.JOB, priority="low")
def deliver(run: Run) -> None:
    """Try once to deliver, note the outcome, and then send other due deliveries for TAKES_ALONG_SECONDS.

    Older news that are due go to the same webhook first, and those of a round share messages to Discord. It stops
    earlier when other jobs are due. The jobs of the deliveries that it sent find nothing left to do. Paused, cancelled
    and finished seasons send too, since that is news. Call it outside transactions. Payload: delivery, number, by_hand.
    Raises Later while the webhook rests, another job has the turn, or older news took the time.
    """
    delivery = deliveries_due.to_be_tried(run.payload["delivery"], run.payload["number"])
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
    found = deliveries_due.to_be_tried(run.payload["delivery"], run.payload["number"])
    while found is not None:
        if not by_hand or found.pk != delivery.pk:
            found = deliveries_due.first_due(found, passed_over)
        if by_hand and found.pk == delivery.pk:
            passed_over |= _try(run, [found])
        elif webhook_deliveries.rests(found) is None:
            passed_over |= _try(run, deliveries_due.together_with(found))
        else:
            passed_over.add(found.pk)
        is_over = time.monotonic() >= ends or due().exclude(name=run.name).exists()
        found = None if is_over else deliveries_due.next_due(passed_over)
    left = deliveries_due.to_be_tried(run.payload["delivery"], run.payload["number"])
    if left is not None:
        # Older news took the time of this one.
        raise Later(webhook_deliveries.rests(left) or timedelta())


def _try(run: Run, deliveries: Sequence[Delivery]) -> set[int]:
    """Post the next message for these deliveries, note the outcome, and return the ids of those that it was about.

    A delivery that goes on with a further message is not among them.
    """
    message = messages.message_of(deliveries)
    first, number = deliveries[0], deliveries[0].tries + 1
    reply = sent(first, message.body, message.public_id)
    along = {other.pk: other.tries + 1 for other in message.deliveries[1:]}
    lines = None if message.is_whole else message.lines
    run.once(
        f"note {first.public_id} {number}",
        lambda: webhook_deliveries.note(delivery_id=first.pk, number=number, reply=reply, along=along, lines=lines),
    )
    return set() if reply.is_delivered and lines is not None else {each.pk for each in message.deliveries}


def sent(delivery: Delivery, body: bytes, public_id: UUID) -> Reply:
    """Send a body to the webhook of a delivery, under an id of its own, and return the reply.

    Without a request it has only a problem (webhook_off, webhook_address_…). The address is checked at each try: a name
    may lead elsewhere now, and operators may change what they allow. Fetch the delivery with its webhook and season.
    """
    webhook = delivery.webhook
    if webhook.disabled_at is not None and delivery.log_entry_id is not None:
        return Reply(None, "webhook_off")
    reply = sending.send(webhook.url, webhook.secret, str(public_id), body)
    # Discord keeps a webhook's address for ever, and answers so once it is deleted there.
    is_deleted = webhook.format == Webhook.Format.DISCORD and reply.status == NOT_FOUND
    return Reply(reply.status, "gone") if is_deleted else reply


@periodic("stables.stuck_deliveries")
def scan_for_stuck_deliveries() -> None:
    """Ask again for deliveries whose try is overdue by LOST_AFTER, or note that their worker was lost."""
    webhook_deliveries.scan_for_lost()


@periodic("stables.old_deliveries")
def forget_old_deliveries() -> None:
    """Delete deliveries that ended more than webhook_deliveries.KEPT ago, with their finished jobs."""
    webhook_deliveries.forget_old()
