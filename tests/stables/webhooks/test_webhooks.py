"""News that go out: what is shown, how it is signed, tried again, given up; deleting and turning off on the way."""

from __future__ import annotations

import base64
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from jobs.models import Job
from jobs.services import run_pending
from people.models import Notice
from stables.models import Delivery, LogEntry, Season, SeasonRole, Webhook
from stables.presenters.jobs import season_jobs
from stables.services.base import log, webhook_deliveries
from stables.services.running import pauses, roles
from stables.services.season import endings, webhooks
from tests.stables.webhooks.receiver import Receiver, in_turn, receiver, verify
from webhooks import posting

__all__ = ["receiver"]
pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def keeper(season: Season) -> Any:
    person = get_user_model().objects.create_user("keeper", "keeper@example.org", "secret words")
    season.organiser = person
    season.save(update_fields=["organiser"])
    return person


@pytest.fixture
def webhook(season: Season, keeper: Any, receiver: Receiver) -> Webhook:
    made = webhooks.make(season=season, url=receiver.url, format="generic", codes=[], actor=keeper)
    # The jobs of founding are not what these tests are about.
    Job.objects.all().delete()
    return made


def fresh(season: Season) -> Season:
    """The season as the next request reads it."""
    return Season.objects.get(pk=season.pk)


def tell(season: Season, code: str = "stable_founded", **parameters: Any) -> Delivery:
    entry = log.record(fresh(season), code, parameters or {"stable": "Ash", "cycle": 1})
    return Delivery.objects.get(log_entry=entry)


def run_due() -> int:
    """Do every job, whose time has come or not."""
    Job.objects.filter(state="queued").update(not_before=None)
    return run_pending()


def test_a_line_of_the_log_arrives_once_and_signed(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    delivery = tell(season)
    assert receiver.sent == []
    assert run_pending() == 1
    (sent,) = receiver.sent
    document = verify(webhook.secret, sent.headers, sent.body)
    assert document == {
        "id": str(delivery.public_id),
        "version": 2,
        "code": "stable_founded",
        "sentence": "Ash is founded and takes part from cycle 1 on.",
        "parameters": {"stable": "Ash", "cycle": 1},
        "season": {
            "name": season.name,
            "slug": season.slug,
            "url": f"http://localhost:8000/seasons/{season.slug}/",
        },
        "cycle": None,
        "fixture": None,
        "time": delivery.log_entry.created_at.isoformat(),  # type: ignore[union-attr]
    }
    assert sent.path == "/news?key=abcd"
    assert sent.headers["Webhook-Id"] == document["id"]
    assert sent.headers["Content-Type"] == "application/json"
    assert sent.headers["User-Agent"].startswith("Solaris-Circuit")
    assert sent.headers["Host"] == receiver.url.split("/")[2]
    with pytest.raises(ValueError, match="not from there"):
        verify(webhook.secret, sent.headers, sent.body + b" ")
    with pytest.raises(ValueError, match="not from there"):
        verify("whsec_" + base64.b64encode(b"x" * 32).decode(), sent.headers, sent.body)
    delivery.refresh_from_db()
    assert (delivery.state, delivery.tries, delivery.next_try_at) == ("delivered", 1, None)
    assert [(each["try"], each["status"], each["problem"]) for each in delivery.answers] == [(1, 204, "")]
    assert run_pending() == 0
    assert len(receiver.sent) == 1


def test_line_delivery_and_job_are_there_together_or_not_at_all(season: Season, webhook: Webhook) -> None:
    lines = LogEntry.objects.count()
    with transaction.atomic():
        tell(season)
        transaction.set_rollback(True)
    assert (LogEntry.objects.count(), Delivery.objects.count(), Job.objects.count()) == (lines, 0, 0)
    tell(season)
    (job,) = Job.objects.all()
    assert (job.name, job.state) == ("stables.deliver", "queued")
    assert job.unique_key == f"stables:delivery:{Delivery.objects.get().public_id}:1"
    # Nobody on the season's pages waits for it, nor reads the address in a job.
    assert season_jobs(season) == []
    assert webhook.url not in str(job.payload)


def test_a_failure_is_tried_again_after_a_pause_and_under_the_same_id(
    season: Season, webhook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    receiver.answers = in_turn(500, 500, 200)
    delivery = tell(season)
    for number, pause in ((1, timedelta(seconds=10)), (2, timedelta(minutes=1))):
        now = timezone.now()
        with monkeypatch.context() as held:
            held.setattr(timezone, "now", lambda now=now: now)
            assert run_pending() == 1
        delivery.refresh_from_db()
        job = Job.objects.get(unique_key=f"stables:delivery:{delivery.public_id}:{number + 1}")
        assert job.not_before == delivery.next_try_at == now + pause
        assert (delivery.state, delivery.tries) == ("waiting", number)
        # Not before its time.
        assert run_pending() == 0
        Job.objects.filter(pk=job.pk).update(not_before=timezone.now() - timedelta(seconds=1))
    assert run_pending() == 1
    delivery.refresh_from_db()
    assert (delivery.state, delivery.tries, [each["status"] for each in delivery.answers]) == (
        "delivered",
        3,
        [500, 500, 200],
    )
    assert {sent.headers["Webhook-Id"] for sent in receiver.sent} == {str(delivery.public_id)}
    assert len({sent.body for sent in receiver.sent}) == 1
    webhook.refresh_from_db()
    assert webhook.failures == 0


def test_the_pauses_are_about_a_day_in_all() -> None:
    assert timedelta(hours=20) < sum(webhook_deliveries.PAUSES, timedelta()) < timedelta(hours=30)
    assert list(webhook_deliveries.PAUSES) == sorted(webhook_deliveries.PAUSES)


@pytest.mark.parametrize(
    ("wished", "pause"),
    [
        ("120", timedelta(seconds=120)),
        ("3", timedelta(seconds=3)),
        ("999999999999", timedelta(hours=6)),
        ("0.376", timedelta(seconds=1)),
        ("2.5", timedelta(seconds=3)),
        ("65.123", timedelta(seconds=66)),
        ("-5", timedelta(seconds=10)),
        ("soon", timedelta(seconds=10)),
        ("Thu, 01 Jan 1970 00:00:00 GMT", timedelta(seconds=10)),
        ("Fri, 31 Dec 9999 23:59:59 GMT", timedelta(hours=6)),
    ],
)
def test_a_wish_to_be_left_alone_is_heard_within_bounds(
    season: Season,
    webhook: Webhook,
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
    wished: str,
    pause: timedelta,
) -> None:
    receiver.answers = in_turn(429, headers={"Retry-After": wished})
    delivery = tell(season)
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    run_pending()
    delivery.refresh_from_db()
    assert delivery.next_try_at == now + pause


def test_a_date_in_retry_after_is_read() -> None:
    now = datetime(3152, 3, 1, 12, tzinfo=UTC)
    assert posting.seconds_of("Wed, 01 Mar 3152 12:02:00 GMT", now) == 120
    assert posting.seconds_of(None, now) is None
    # A date without a zone cannot be compared, and is no reason to fall over.
    assert posting.seconds_of("Wed, 01 Mar 3152 12:02:00 -0000", now) is None


def test_gone_turns_the_webhook_off_at_once(season: Season, webhook: Webhook, receiver: Receiver, keeper: Any) -> None:
    helper = get_user_model().objects.create_user("helper", "helper@example.org", "secret words")
    SeasonRole.objects.create(season=season, user=helper, role=SeasonRole.Role.CO_ORGANISER)
    receiver.answers = in_turn(410)
    delivery, other = tell(season), tell(season)
    run_due()
    webhook.refresh_from_db()
    delivery.refresh_from_db()
    other.refresh_from_db()
    assert webhook.disabled_at is not None
    assert (delivery.state, other.state) == ("failed", "failed")
    assert [each["problem"] for each in other.answers] == ["webhook_off"]
    assert len(receiver.sent) == 1
    assert webhook.why_off == Webhook.Off.GONE
    notices = Notice.objects.filter(code="webhook_gone")
    assert {notice.user.username for notice in notices} == {"keeper", "helper"}
    assert all("abcd" not in str(notice.parameters) for notice in notices)
    assert notices[0].url == f"/seasons/{season.slug}/webhooks/{webhook.public_id}/"
    # Off: nothing new is put on its way.
    log.record(fresh(season), "season_paused")
    assert Delivery.objects.count() == 2


def give_up(season: Season) -> Delivery:
    delivery = tell(season)
    while run_due():
        pass
    delivery.refresh_from_db()
    return delivery


def test_after_all_tries_it_is_given_up_and_after_five_in_a_row_the_webhook_is_off(
    season: Season, webhook: Webhook, receiver: Receiver
) -> None:
    receiver.answers = in_turn(500)
    delivery = give_up(season)
    assert (delivery.state, delivery.tries, delivery.next_try_at) == ("failed", 8, None)
    assert delivery.ended_at is not None
    for number in range(2, 5):
        give_up(season)
        webhook.refresh_from_db()
        assert (webhook.failures, webhook.disabled_at) == (number, None)
    # One that arrives begins the count anew.
    receiver.answers = in_turn(200)
    give_up(season)
    webhook.refresh_from_db()
    assert webhook.failures == 0
    receiver.answers = in_turn(503)
    for _ in range(5):
        give_up(season)
    webhook.refresh_from_db()
    assert webhook.disabled_at is not None
    assert Notice.objects.filter(code="webhook_turned_off", user__username="keeper").count() == 1
    # Turned on again by hand it starts with a clean sheet.
    webhooks.change(webhook=webhook, is_on=True)
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.disabled_at) == (0, None)


# What is told --------------------------------------------------------------------------------------------------------


def test_only_the_codes_that_were_chosen_are_sent(season: Season, keeper: Any, receiver: Receiver) -> None:
    webhooks.make(season=season, url=receiver.url, format="generic", codes=["season_paused"], actor=keeper)
    Job.objects.all().delete()
    log.record(fresh(season), "stable_founded", {"stable": "Ash", "cycle": 1})
    log.record(fresh(season), "season_paused")
    run_pending()
    assert [document["code"] for document in receiver.documents()] == ["season_paused"]


def test_a_draft_sends_nothing_until_it_is_published(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    from stables.services.season.opening import publish_season

    Season.objects.update(state=Season.State.DRAFT)
    log.record(fresh(season), "stable_founded", {"stable": "Ash", "cycle": 1})
    assert Delivery.objects.count() == 0
    publish_season(season_id=season.pk)
    run_pending()
    assert [document["code"] for document in receiver.documents()] == ["season_published"]


def test_pauses_and_the_end_of_a_season_are_news(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    Season.objects.update(state=Season.State.RUNNING)
    pauses.pause(season_id=season.pk)
    endings.cancel_season(season_id=season.pk, is_sure=True)
    run_pending()
    assert [document["code"] for document in receiver.documents()] == ["season_paused", "season_cancelled"]


def test_a_document_tells_only_what_the_sentence_of_the_log_tells(
    season: Season, webhook: Webhook, receiver: Receiver
) -> None:
    tell(season, "stable_founded", stable="Ash", cycle=1, seed="abc", email="ash@example.org")
    run_pending()
    assert receiver.sent[0].document["parameters"] == {"stable": "Ash", "cycle": 1}
    assert b"ash@example.org" not in receiver.sent[0].body
    assert bytes(season.secret).hex().encode() not in receiver.sent[0].body


def test_an_account_is_named_as_it_is_called_when_the_news_are_sent(
    season: Season, webhook: Webhook, receiver: Receiver
) -> None:
    person = get_user_model().objects.create_user("ada", "ada@example.org", "secret words")
    roles.give_role(season_id=season.pk, name="ada", role="referee")
    (delivery,) = Delivery.objects.all()
    # The row keeps the number, as the line does.
    assert delivery.document["parameters"] == {"person": person.pk}
    get_user_model().objects.filter(pk=person.pk).update(username="ada.b")
    run_pending()
    document = receiver.sent[0].document
    assert document["parameters"] == {"person": "ada.b"}
    assert "ada.b" in document["sentence"]
    assert "example.org" not in receiver.sent[0].body.decode()


def test_many_webhooks_cost_a_line_a_constant_number_of_queries(
    season: Season, keeper: Any, receiver: Receiver
) -> None:
    counts = []
    for number in range(3):
        again = fresh(season)
        counts.append([])
        for _ in range(2):
            with CaptureQueriesContext(connection) as queries:
                log.record(again, "season_paused")
            counts[-1].append(len(queries))
        webhooks.make(season=season, url=f"{receiver.url}{number}", format="generic", codes=[], actor=keeper)
    # None listens: one query, and only for the first line of the same object.
    assert counts[0] == [2, 1]
    # A webhook more costs as much as the one before it, and there are five at most.
    assert counts[2][0] - counts[1][0] <= 4
    assert webhooks.MOST_WEBHOOKS == 5
