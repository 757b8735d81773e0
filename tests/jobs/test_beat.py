"""Beat writes down that it was there: with its first tick, not half a minute later."""

from __future__ import annotations

import signal
from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone
from django.utils.module_loading import import_string
from django_celery_beat import schedulers
from django_celery_beat.models import PeriodicTask

from jobs import tasks
from jobs.beat import Scheduler
from solaris_site import readiness

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What beat asks for, which nobody does."""
    found: list[str] = []
    monkeypatch.setattr(tasks.tick, "apply_async", lambda *arguments, **options: found.append("jobs.sweep"))
    return found


@pytest.fixture
def beat(sent: list[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Beat that has just begun, its first tick due."""
    monkeypatch.setattr(schedulers, "close_old_connections", lambda: None)
    made = import_string(settings.CELERY_BEAT_SCHEDULER.replace(":", "."))(app=current_app, lazy=False)
    # It would write to the database once more when the process ends.
    made._finalize.cancel()
    made.schedule["jobs.sweep"].last_run_at = timezone.now() - timedelta(minutes=5)
    return made


def noted() -> Any:
    return PeriodicTask.objects.get(name="jobs.sweep").last_run_at


def test_the_first_tick_is_noted_at_once(beat: Any, sent: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    # What it writes by and by, and may read anew before, is not waited for.
    monkeypatch.setattr(beat, "sync", lambda: None)
    assert (noted(), readiness.beat_is_there()) == (None, False)
    beat.tick()
    assert sent == ["jobs.sweep"]
    assert readiness.beat_is_there()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["TERM", "Ctrl-C"])
def test_a_signal_to_stop_waits_until_beat_has_asked_the_database(
    beat: Any, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    done: list[str] = []

    def ask() -> list[Any]:
        signal.raise_signal(number)
        done.append("asked")
        return []

    monkeypatch.setattr(beat, "enabled_models", ask)
    before = signal.signal(number, lambda *_: done.append("stopped"))
    try:
        beat.all_as_schedule()
        signal.raise_signal(number)
    finally:
        signal.signal(number, before)
    assert done == ["asked", "stopped", "stopped"], "and the next one is not held any more"


def test_a_database_that_is_away_does_not_end_beat(beat: Any, sent: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def away(**names: Any) -> Any:
        raise DatabaseError("away")

    assert isinstance(beat, Scheduler)
    with monkeypatch.context() as gone:
        gone.setattr("jobs.beat.PeriodicTask.objects.filter", away)
        beat.reserve(beat.schedule["jobs.sweep"])
    assert noted() is None
    beat.reserve(beat.schedule["jobs.sweep"])
    assert noted() is not None
