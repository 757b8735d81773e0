"""Jobs without a queue: one process looks for due ones, and stores that its tick is done."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from threading import Event
from typing import Any

import pytest
from django.db import DatabaseError
from django.utils import timezone
from django_celery_beat.models import PeriodicTask

from jobs import services, watch
from jobs.models import Job
from jobs.registry import registry
from solaris_site import readiness

pytestmark = [pytest.mark.django_db, pytest.mark.database]

NAME = "test.looked_for"


@pytest.fixture(autouse=True)
def connection_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread of a test keeps its connection."""
    monkeypatch.setattr(watch.connection, "close", lambda: None)
    monkeypatch.setattr(watch, "close_old_connections", lambda: None)


@pytest.fixture
def stop() -> Event:
    return Event()


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch, stop: Event) -> list[str]:
    """The words of the jobs that were done; the last word asks to stop."""
    found: list[str] = []

    def note(run: Any) -> None:
        found.append(run.payload["word"])
        if run.payload["word"] == "last":
            stop.set()

    monkeypatch.setitem(registry.handlers, NAME, note)
    return found


def test_due_jobs_are_done_without_a_message_until_it_is_asked_to_stop(stop: Event, done: list[str]) -> None:
    for word in ("first", "last", "one too many"):
        services.enqueue(NAME, {"word": word})
    watch.do_jobs(stop)
    assert done == ["first", "last"]
    assert Job.objects.get(payload__word="one too many").state == Job.State.QUEUED


def test_it_looks_again_after_a_pause(stop: Event, done: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    def wait(seconds: float) -> bool:
        pauses.append(seconds)
        services.enqueue(NAME, {"word": "last"})
        return False

    monkeypatch.setattr(stop, "wait", wait)
    watch.do_jobs(stop)
    assert (done, pauses) == (["last"], [watch.PAUSE_SECONDS])


def until_asked_to_wait(stop: Event, times: int) -> Callable[[float], bool]:
    """Return a wait that takes no time and asks to stop at the last of so many calls."""
    left = [times]

    def wait(seconds: float) -> bool:
        left[0] -= 1
        if not left[0]:
            stop.set()
        return stop.is_set()

    return wait


def test_its_tick_counts_as_that_of_beat(stop: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    """The site is ready then, also with a row of beat that is old."""
    assert not readiness.beat_is_there()
    ticks: list[bool] = []
    monkeypatch.setattr(services, "tick", lambda: ticks.append(True))
    monkeypatch.setattr(stop, "wait", until_asked_to_wait(stop, 1))
    watch.tick_on(stop)
    assert ticks == [True]
    assert readiness.beat_is_there()
    PeriodicTask.objects.update(last_run_at=timezone.now() - timedelta(days=1))
    assert not readiness.beat_is_there()
    watch.store_tick()
    assert readiness.beat_is_there()
    assert PeriodicTask.objects.count() == 1


def test_a_database_that_is_away_for_a_moment_ends_nothing(stop: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[bool] = []

    def tick() -> None:
        tries.append(True)
        if len(tries) == 1:
            raise DatabaseError("locked")

    monkeypatch.setattr(services, "tick", tick)
    monkeypatch.setattr(stop, "wait", until_asked_to_wait(stop, 2))
    watch.tick_on(stop)
    assert tries == [True, True]
    assert readiness.beat_is_there()


def test_all_threads_end_when_it_is_asked_to_stop(stop: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[bool] = []
    monkeypatch.setattr(watch, "do_jobs", lambda stop: ended.append(stop.wait()))
    monkeypatch.setattr(watch, "tick_on", lambda stop: None)
    watch.work(stop, 3)
    assert ended == [True] * 3
