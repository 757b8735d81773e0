"""The jobs that write notices to accounts and post news to the webhooks of events.

Receivers may be slow or dead, and workers are few. So only one job on the whole site posts news of events at a time,
and one that finds another posting puts itself off.
"""

from __future__ import annotations

import json
import random
from datetime import timedelta

from challenge.feeds.news import news_document
from challenge.models import EventWebhook
from challenge.services import news, webhooks
from jobs.registry import job
from jobs.run import Later, Run
from webhooks import sending


@job(news.TELL)
def tell(run: Run) -> None:
    """Write the notices of a day, a final or a plan. Payload: that of challenge.services.news.write_notices."""
    run.once("notices", lambda: news.write_notices(run.payload))


@job(news.DELIVER, priority="low")
def deliver(run: Run) -> None:
    """Try once to post a piece of news, and note the outcome; the note asks for the next try where there is one.

    A webhook that is off or deleted gets nothing. Call it outside transactions. Payload: webhook, id (of the document,
    the same in every try), code, number (of the row after which it is so), time, try. Raises Later while another job
    posts.
    """
    asked = run.payload
    webhook = EventWebhook.objects.select_related("event").filter(public_id=asked["webhook"], disabled_at=None).first()
    if webhook is None or run.has_done("note"):
        return
    if not run.takes_turn():
        # A random pause keeps waiting jobs from coming back at the same moment.
        raise Later(timedelta(seconds=random.uniform(3, 10)))
    body = json.dumps(news_document(webhook.event, asked), ensure_ascii=False).encode()
    reply = sending.send(webhook.url, webhook.secret, asked["id"], body)
    run.once("note", lambda: webhooks.note(asked, reply))
