"""Many callers at the same moment, on the real database of the run (a SQLite file, or PostgreSQL)."""

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from jobs import runner, services
from jobs.models import Job
from jobs.registry import Registry, job

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def at_once(count: int, function: Callable[[], Any]) -> list[Any]:
    """What `count` threads got that called the function at the same moment."""
    results: list[Any] = []
    gate = threading.Barrier(count)

    def call() -> None:
        try:
            gate.wait(timeout=10)
            results.append(function())
        except Exception as error:
            results.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=call) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
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


def test_eight_sweeps_reclaim_a_job_once() -> None:
    asked = services.enqueue("test.any", {})
    runner.claim(asked.pk, 1)
    Job.objects.filter(pk=asked.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert sum(at_once(8, services.reclaim_expired)) == 1
    asked.refresh_from_db()
    assert asked.attempt == 2


def test_the_heartbeat_keeps_a_long_job_from_being_reclaimed(handlers: Registry, settings: Any) -> None:
    settings.JOB_LEASE_SECONDS = 1
    reclaimed: list[int] = []

    @job("test.long")
    def long(run: runner.Run) -> None:
        until = time.monotonic() + 2.5
        while time.monotonic() < until:
            time.sleep(0.1)
            reclaimed.append(services.reclaim_expired())

    asked = services.enqueue("test.long", {})
    services.run_job(asked.pk, 1)
    asked.refresh_from_db()
    assert (asked.state, asked.attempt, sum(reclaimed)) == ("done", 1, 0)


def test_a_job_is_not_taken_over_between_a_step_and_its_checkpoint(handlers: Registry, settings: Any) -> None:
    """The lease ends while a step is being committed: the takeover waits, and finds the step done."""
    settings.JOB_LEASE_SECONDS = 1
    takeovers: list[Any] = []
    inside = threading.Event()

    @job("test.slow_step")
    def slow_step(run: runner.Run) -> None:
        run.once("slow", work)

    def work() -> None:
        inside.set()
        time.sleep(1.5)

    def take_over() -> None:
        assert inside.wait(timeout=10)
        time.sleep(1.2)
        takeovers.append(services.reclaim_expired())
        connection.close()

    other = threading.Thread(target=take_over)
    other.start()
    asked = services.enqueue("test.slow_step", {})
    services.run_job(asked.pk, 1)
    other.join(timeout=30)
    assert len(takeovers) == 1
    assert list(asked.steps.values_list("name", "attempt")) == [("slow", 1)]
