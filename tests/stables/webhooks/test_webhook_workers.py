"""Many hands on one webhook, and a worker that is killed (SIGKILL) while it posts; both databases."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as site
from django.db import connection, transaction
from django.utils import timezone

from jobs import runner, services
from jobs.models import Job
from stables.models import Delivery, LogEntry, Season, Webhook
from stables.services.base import log
from stables.services.season import webhooks
from tests.services.processes import database_url
from tests.stables.webhooks.receiver import Receiver, receiver, say, verify
from tests.waiting import DEADLINE_SECONDS, wait_until

__all__ = ["receiver"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture
def webhook(season: Season, receiver: Receiver) -> Webhook:
    made = webhooks.make(season=season, url=receiver.url, format="generic", codes=[])
    Job.objects.all().delete()
    return made


def tell(season: Season) -> LogEntry:
    return log.record(Season.objects.get(pk=season.pk), "season_paused")


def worker(job: Job, attempt: int) -> subprocess.Popen[str]:
    environment = os.environ | {
        "DATABASE_URL": database_url(),
        "DEBUG": "1",
        "JOB_LEASE_SECONDS": "1",
        "WEBHOOKS_PRIVATE": "1",
    }
    command = [sys.executable, "-m", "tests.stables.webhooks.delivering_worker", str(job.pk), str(attempt)]
    return subprocess.Popen(command, cwd=site.BASE_DIR, env=environment, stdout=subprocess.PIPE, text=True)


def test_a_worker_killed_while_it_posts_is_repeated_under_the_same_id(
    season: Season, webhook: Webhook, receiver: Receiver
) -> None:
    def answer(handler: Any, number: int) -> None:
        # The first request is taken and never answered: its worker dies over it.
        if number == 0:
            receiver.over.wait(DEADLINE_SECONDS)
        else:
            say(handler, 200)

    receiver.answers = answer
    delivery = Delivery.objects.get(log_entry=tell(season))
    job = Job.objects.get()
    first = worker(job, 1)
    try:
        wait_until(lambda: len(receiver.sent) == 1, "a request")
    finally:
        first.send_signal(signal.SIGKILL)
        first.communicate(timeout=DEADLINE_SECONDS)
    delivery.refresh_from_db()
    assert (delivery.state, delivery.tries, delivery.answers) == ("waiting", 0, [])

    wait_until(lambda: services.reclaim_expired() == 1, "the end of a lease")
    late, second = worker(job, 1), worker(job, 2)
    assert late.communicate(timeout=DEADLINE_SECONDS)[0].strip() == "False"
    assert second.communicate(timeout=DEADLINE_SECONDS)[0].strip() == "True"
    delivery.refresh_from_db()
    assert (delivery.state, delivery.tries, len(delivery.answers)) == ("delivered", 1, 1)
    # It arrived twice, and the receiver can tell: at least once, under one id.
    names = [verify(webhook.secret, sent.headers, sent.body)["id"] for sent in receiver.sent]
    assert names == [str(delivery.public_id)] * 2


class Hand(threading.Thread):
    """Does something in a connection of its own; keeps what it raised."""

    def __init__(self, work: Any) -> None:
        super().__init__(daemon=True)
        self.work, self.error = work, None
        self.start()

    def run(self) -> None:
        try:
            self.work()
        except Exception as error:
            self.error = error
        finally:
            connection.close()

    def is_done(self, seconds: float) -> bool:
        self.join(seconds)
        return not self.is_alive()


def test_deleting_waits_for_a_line_that_is_being_written_and_breaks_nothing(season: Season, webhook: Webhook) -> None:
    lines = LogEntry.objects.count()
    with transaction.atomic():
        tell(season)
        deleting = Hand(lambda: webhooks.delete(webhook=webhook))
        assert not deleting.is_done(0.5)
    assert deleting.is_done(DEADLINE_SECONDS)
    assert deleting.error is None
    assert LogEntry.objects.count() == lines + 1
    assert (Webhook.objects.count(), Delivery.objects.count()) == (0, 0)


def test_a_line_waits_for_the_deletion_that_was_first_and_is_written(season: Season, webhook: Webhook) -> None:
    lines = LogEntry.objects.count()
    with transaction.atomic():
        webhooks.delete(webhook=webhook)
        telling = Hand(lambda: tell(season))
        assert not telling.is_done(0.5)
    assert telling.is_done(DEADLINE_SECONDS)
    assert telling.error is None
    assert (LogEntry.objects.count(), Delivery.objects.count()) == (lines + 1, 0)


def test_lines_of_one_season_do_not_wait_for_each_other(season: Season, webhook: Webhook) -> None:
    if connection.vendor != "postgresql":
        # SQLite has one writer anyway.
        return
    with transaction.atomic():
        tell(season)
        other = Hand(lambda: tell(season))
        assert other.is_done(DEADLINE_SECONDS)
        assert other.error is None
    assert Delivery.objects.count() == 2


def test_of_many_workers_with_one_job_one_posts(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    tell(season)
    job = Job.objects.get()
    hands = [Hand(lambda: services.run_job(job.pk, 1)) for _ in range(4)]
    assert all(hand.is_done(DEADLINE_SECONDS) for hand in hands)
    assert [hand.error for hand in hands] == [None] * 4
    assert len(receiver.sent) == 1


def test_however_many_receivers_hang_one_worker_posts_and_the_others_put_themselves_off(
    season: Season, receiver: Receiver
) -> None:
    """Four workers, three receivers that take what comes and never answer: one of the workers is held, not more."""
    let_go = threading.Event()

    def answer(handler: Any, number: int) -> None:
        let_go.wait(DEADLINE_SECONDS)
        say(handler, 200)

    receiver.answers = answer
    for number in range(3):
        webhooks.make(season=season, url=f"{receiver.url}{number}", format="generic", codes=[])
    Job.objects.all().delete()
    tell(season)
    asked = list(Job.objects.order_by("id"))
    assert len(asked) == 3
    hands = [Hand(lambda job=job: services.run_job(job.pk, 1)) for job in asked]
    wait_until(lambda: len(receiver.sent) == 1, "a request")
    wait_until(lambda: sum(hand.is_alive() for hand in hands) == 1, "the workers that put themselves off")
    assert Job.objects.filter(state="running").count() == 1
    put_off = list(Job.objects.filter(state="queued"))
    # Until a later time, and with no attempt spent.
    assert [(job.attempt, job.last_attempt - job.attempt) for job in put_off] == [(1, 4), (1, 4)]
    assert all(job.not_before is not None and job.not_before > timezone.now() for job in put_off)
    assert len(receiver.sent) == 1
    # Told too early again they do nothing.
    assert not any(services.run_job(job.pk, job.attempt) for job in put_off)
    let_go.set()
    assert all(hand.is_done(DEADLINE_SECONDS) and hand.error is None for hand in hands)
    # Who had the turn took the others along; their own jobs find nothing left to do.
    assert set(Delivery.objects.values_list("state", "tries")) == {("delivered", 1)}
    Job.objects.update(not_before=None)
    services.run_pending()
    assert (len(receiver.sent), set(Job.objects.values_list("state", flat=True))) == (3, {"done"})


def test_a_turn_goes_to_one_of_those_that_ask_at_the_same_moment(season: Season, webhook: Webhook) -> None:
    for _ in range(4):
        tell(season)
    for each in Job.objects.order_by("id"):
        assert runner.claim(each.pk, 1) is not None
    claimed = [runner.Run(each) for each in Job.objects.order_by("id")]
    got: list[bool] = []
    hands = [Hand(lambda run=run: got.append(run.takes_turn())) for run in claimed]
    assert all(hand.is_done(DEADLINE_SECONDS) and hand.error is None for hand in hands)
    assert sorted(got) == [False, False, False, True]


def test_a_worker_that_died_with_the_turn_does_not_keep_it(season: Season, webhook: Webhook) -> None:
    tell(season)
    tell(season)
    first, second = Job.objects.order_by("id")
    runner.claim(first.pk, 1)
    runner.claim(second.pk, 1)
    assert runner.Run(first).takes_turn()
    assert not runner.Run(second).takes_turn()
    Job.objects.filter(pk=first.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert runner.Run(second).takes_turn()
