"""The webhook of an event: what goes out, signed and with public facts only, its tries, and the page of its GM."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from challenge.models import Event, EventWebhook
from challenge.services import webhooks
from challenge.services.books import Wish, write
from challenge.services.events import close_event
from jobs.models import Job
from jobs.services import run_pending
from people.models import Notice, User
from rules.challenge.book.rows import UNDO
from rules.core.refusals import SeasonRefused
from tests.challenge.conftest import GM, Enter
from tests.stables.webhooks.receiver import Receiver, in_turn, receiver, verify
from webhooks.sending import PAUSES

__all__ = ["receiver"]


@pytest.fixture
def webhook(event: Event, receiver: Receiver) -> EventWebhook:
    return webhooks.name_address(event, GM, receiver.url)


def run_due() -> int:
    """Do every job, whether its time has come or not."""
    Job.objects.filter(state="queued").update(not_before=None)
    return run_pending()


def test_turns_days_the_final_and_the_end_go_out_signed_with_the_standings(
    fight: Event, webhook: EventWebhook, receiver: Receiver, enter: Enter
) -> None:
    number = enter(what="end_turn", turn=1)
    assert receiver.sent == [], "nothing is posted while the book is locked"
    # What is undone before the job runs was so all the same.
    write(fight.pk, GM, [Wish("u", UNDO, {}, undoes=number)])
    enter(what="end_turn", turn=1)
    enter(what="end_day")
    enter(what="stage", stage="final", finalists=["Ross"])
    close_event(fight.pk, GM)
    run_due()
    documents = [verify(webhook.secret, each.headers, each.body) for each in receiver.sent]
    assert [each["code"] for each in documents] == [
        "turn_closed", "turn_closed", "day_closed", "final_called", "event_closed",
    ]  # fmt: skip
    first = documents[0]
    assert (first["table"], first["turn"], first["day"], first["number"]) == ("Factory", 1, 1, number)
    assert [line["pilot"] for line in first["standings"]] == ["Ross", "Jo"]
    assert set(first["standings"][0]) == {
        "place", "pilot", "mech", "kills", "solo", "fame", "c_bills", "alive", "seat",
    }  # fmt: skip
    assert (documents[2]["day"], documents[2]["table"]) == (1, None)
    assert (documents[3]["stage"], documents[3]["finalists"]) == ("final", ["Ross"])
    assert first["event"]["url"].endswith(f"/challenge/{fight.slug}/")
    assert len({each["id"] for each in documents}) == 5


def test_an_event_without_a_webhook_asks_for_no_job(fight: Event, enter: Enter) -> None:
    enter(what="end_turn", turn=1)
    assert not Job.objects.exists()


def test_a_try_that_fails_is_repeated_under_the_same_id_until_it_is_given_up(
    fight: Event, webhook: EventWebhook, receiver: Receiver, enter: Enter
) -> None:
    receiver.answers = in_turn(500)
    EventWebhook.objects.update(failures=webhooks.MOST_GIVEN_UP - 1)
    before = timezone.now()
    enter(what="end_turn", turn=1)
    assert run_pending() == 1
    waiting = Job.objects.get(state="queued")
    assert waiting.not_before is not None
    assert timedelta(0) <= waiting.not_before - before - PAUSES[0] < timedelta(minutes=1)
    while run_due():
        pass
    assert len(receiver.sent) == len(PAUSES) + 1
    assert len({each.headers["Webhook-Id"] for each in receiver.sent}) == 1
    webhook.refresh_from_db()
    assert (webhook.status, webhook.problem) == (500, "bad_status")
    assert webhook.disabled_at is not None
    assert Notice.objects.get().code == "challenge_webhook_off"
    enter(what="end_turn", turn=2)
    assert run_due() == 0


def test_an_address_that_is_gone_is_asked_once(
    fight: Event, webhook: EventWebhook, receiver: Receiver, enter: Enter
) -> None:
    receiver.answers = in_turn(410)
    enter(what="end_turn", turn=1)
    assert run_due() == 1
    assert run_due() == 0
    webhook.refresh_from_db()
    assert (webhook.problem, webhook.disabled_at is None) == ("gone", False)


def test_only_public_addresses_by_https_are_taken(event: Event, settings: Any) -> None:
    settings.WEBHOOKS_PRIVATE = settings.WEBHOOKS_HTTP = False
    for url, code in {
        "http://203.0.113.7/": "webhook_address_not_https",
        "https://127.0.0.1/": "webhook_address_private",
    }.items():
        with pytest.raises(SeasonRefused) as refused:
            webhooks.name_address(event, GM, url)
        assert refused.value.code == code
    assert not EventWebhook.objects.exists()


def test_the_gm_names_an_address_tries_it_and_deletes_it(
    client: Client, event: Event, owner: User, receiver: Receiver
) -> None:
    page = f"/challenge/{event.slug}/settings/webhook/"
    assert client.get(page).status_code == client.post(page, {"press": "delete"}).status_code == 403
    client.force_login(owner)
    refused = client.post(page, {"press": "save", "url": "https://169.254.169.254/"})
    assert refused.status_code == 409
    assert "does not lead to a public address" in refused.content.decode()
    assert client.post(page, {"press": "save", "url": receiver.url}).status_code == 302
    secret = EventWebhook.objects.get().secret
    assert client.post(page, {"press": "try"}).status_code == 302
    run_due()
    (sent,) = receiver.sent
    assert verify(secret, sent.headers, sent.body)["code"] == "try"
    assert "It arrived." in client.get(page).content.decode()
    client.post(page, {"press": "secret"})
    assert EventWebhook.objects.get().secret != secret
    assert client.post(page, {"press": "sneeze"}).status_code == 400
    client.post(page, {"press": "delete"})
    assert not EventWebhook.objects.exists()
