"""Jobs without a queue: threads of one process look for due jobs in the database. For one laptop, on every system.

Nothing here asks the system for more than threads. The lease of a job protects it as with any other worker.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Event, Thread

from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections, connection
from django.utils import timezone
from django_celery_beat.models import IntervalSchedule, PeriodicTask

from jobs import services

logger = logging.getLogger("jobs.watch")

PAUSE_SECONDS = 0.5
"""Seconds between two looks for a due job while there is none."""
TICK = "jobs.sweep"
"""The name under which beat stores when it last asked for the tick; the site's readiness reads the row."""


def work(stop: Event, threads: int) -> None:
    """Do due jobs on so many threads, and the tick every JOB_SWEEP_SECONDS on this one, until `stop` is set.

    Return when the jobs that run then have ended.
    """
    doing = [Thread(target=do_jobs, args=(stop,), name=f"jobs-{number}") for number in range(1, threads + 1)]
    for thread in doing:
        thread.start()
    try:
        tick_on(stop)
    finally:
        stop.set()
        for thread in doing:
            thread.join()


def do_jobs(stop: Event) -> None:
    """Do the due jobs, each in its turn, until `stop` is set. Between two looks without one, wait PAUSE_SECONDS."""
    try:
        while not stop.is_set():
            if not _unless_away(services.run_next):
                stop.wait(PAUSE_SECONDS)
    finally:
        connection.close()


def tick_on(stop: Event) -> None:
    """Do the tick now and then every JOB_SWEEP_SECONDS until `stop` is set, and store each time that it was done."""
    while not stop.is_set():
        began = time.monotonic()
        _unless_away(_tick)
        stop.wait(max(0.0, settings.JOB_SWEEP_SECONDS - (time.monotonic() - began)))


def _tick() -> bool:
    services.tick()
    store_tick()
    return True


def store_tick() -> None:
    """Store that the tick is done now, in the row in which beat would store it."""
    if not PeriodicTask.objects.filter(name=TICK).update(last_run_at=timezone.now()):
        every, _ = IntervalSchedule.objects.get_or_create(
            every=settings.JOB_SWEEP_SECONDS, period=IntervalSchedule.SECONDS
        )
        PeriodicTask.objects.create(name=TICK, task=TICK, interval=every, last_run_at=timezone.now())


def _unless_away(act: Callable[[], bool]) -> bool:
    """Return what `act` returns; False, with a line in the log, when the database does not answer as it should."""
    close_old_connections()
    try:
        return act()
    except (DatabaseError, InterfaceError):
        logger.warning("The database does not answer as it should; this process tries again", exc_info=True)
        connection.close()
        return False
