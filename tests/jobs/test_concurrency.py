"""Many callers at the same moment, on the real database of the run (a SQLite file, or PostgreSQL)."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from jobs import runner, services
from jobs.models import Job
from jobs.registry import Registry, job
from tests.waiting import DEADLINE_SECONDS, wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]

HOUR = 3600


def at_once(count: int, function: Callable[[], Any]) -> list[Any]:
    """What `count` threads got that called the function at the same moment."""
    results: list[Any] = []
    gate = threading.Barrier(count)

    def call() -> None:
        try:
            gate.wait(timeout=DEADLINE_SECONDS)
            results.append(function())
        except Exception as error:
            results.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=call) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=DEADLINE_SECONDS)
    return results


def test_one_of_eight_claims_wins() -> None:
    asked = services.enqueue("test.any", {})
    claims = at_once(8, lambda: runner.claim(asked.pk, 1))
    assert sorted(claim.pk for claim in claims if claim is not None) == [asked.pk]


def test_eight_messages_do_the_work_once(handlers: Registry) -> None:
    called: list[int] = []

    @job("test.counted")
    def counted(run: runner.Run) -> None:
        run.once("step", lambda: called.append(run.job_id))

    asked = services.enqueue("test.counted", {})
    assert sorted(at_once(8, lambda: services.run_job(asked.pk, 1))) == [False] * 7 + [True]
    assert called == [asked.pk]


def test_eight_callers_with_one_key_get_one_job() -> None:
    jobs = at_once(8, lambda: services.enqueue("test.any", {}, unique_key="the one"))
    assert {asked.pk for asked in jobs} == {Job.objects.get().pk}


def test_eight_ticks_reclaim_a_job_once() -> None:
    asked = services.enqueue("test.any", {})
    runner.claim(asked.pk, 1)
    Job.objects.filter(pk=asked.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert sum(at_once(8, services.reclaim_expired)) == 1
    asked.refresh_from_db()
    assert asked.attempt == 2


class Pauses:
    """Stands for the event by which a heartbeat waits: a pause ends when the test says so, or the job is over."""

    def __init__(self) -> None:
        self.lengths: list[float] = []
        self.is_over = False
        self.ends = threading.Semaphore(0)

    def wait(self, seconds: float) -> bool:
        self.lengths.append(seconds)
        assert self.ends.acquire(timeout=DEADLINE_SECONDS)
        return self.is_over

    def end_one(self) -> None:
        self.ends.release()

    def set(self) -> None:
        self.is_over = True
        self.ends.release()


def test_the_heartbeat_keeps_a_long_job_from_being_reclaimed(
    handlers: Registry, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.JOB_LEASE_SECONDS = HOUR
    pauses = Pauses()
    made = runner.Heartbeat.__init__

    def with_pauses(self: runner.Heartbeat, run: runner.Run) -> None:
        made(self, run)
        self.over = pauses  # type: ignore[assignment]

    monkeypatch.setattr(runner.Heartbeat, "__init__", with_pauses)
    reclaimed: list[int] = []

    @job("test.long")
    def long(run: runner.Run) -> None:
        mine = Job.objects.filter(pk=run.job_id)
        for _ in range(3):
            mine.update(lease_until=timezone.now() - timedelta(seconds=1))
            pauses.end_one()
            wait_until(lambda: mine.get().lease_until > timezone.now(), "a renewed lease")
            reclaimed.append(services.reclaim_expired())

    asked = services.enqueue("test.long", {})
    services.run_job(asked.pk, 1)
    asked.refresh_from_db()
    assert (asked.state, asked.attempt, reclaimed) == ("done", 1, [0, 0, 0])
    assert set(pauses.lengths) == {HOUR / 3}


def do_not_wait_for_locks() -> None:
    """Let this thread's connection be refused at once what another one holds."""
    sqlite, postgresql = "PRAGMA busy_timeout = 1", "SET lock_timeout = 1"
    with connection.cursor() as cursor:
        cursor.execute(sqlite if connection.vendor == "sqlite" else postgresql)


def test_a_job_is_not_taken_over_between_a_step_and_its_checkpoint(handlers: Registry, settings: Any) -> None:
    """The lease ends while a step is being committed: the takeover is not let in, and later finds the step done."""
    settings.JOB_LEASE_SECONDS = HOUR
    events: list[Any] = []
    inside, refused, committed = (threading.Event() for _ in range(3))
    past = timezone.now() - timedelta(seconds=1)

    @job("test.slow_step")
    def slow_step(run: runner.Run) -> None:
        Job.objects.filter(pk=run.job_id).update(lease_until=past)
        run.once("slow", lambda: work(run))
        if run.attempt == 1:
            committed.set()
            other.join(DEADLINE_SECONDS)

    def work(run: runner.Run) -> None:
        events.append(f"work of attempt {run.attempt}")
        inside.set()
        assert refused.wait(DEADLINE_SECONDS)
        Job.objects.filter(pk=run.job_id).update(lease_until=past)

    def take_over() -> None:
        try:
            assert inside.wait(DEADLINE_SECONDS)
            do_not_wait_for_locks()
            with pytest.raises(OperationalError):
                services.reclaim_expired()
            events.append("refused")
            refused.set()
            assert committed.wait(DEADLINE_SECONDS)
            events.append(services.reclaim_expired())
        finally:
            refused.set()
            connection.close()

    other = threading.Thread(target=take_over)
    asked = services.enqueue("test.slow_step", {})
    other.start()
    services.run_job(asked.pk, 1)
    assert events == ["work of attempt 1", "refused", 1]
    asked.refresh_from_db()
    assert (asked.state, asked.attempt) == ("queued", 2)
    assert services.run_job(asked.pk, 2)
    assert events == ["work of attempt 1", "refused", 1]
    asked.refresh_from_db()
    assert asked.state == "done"
    assert list(asked.steps.values_list("name", "attempt")) == [("slow", 1)]
