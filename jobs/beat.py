"""Beat's schedule in the database, which shows at once that beat is running."""

from __future__ import annotations

import logging
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import Any

from django.db import DatabaseError, InterfaceError
from django_celery_beat.models import PeriodicTask
from django_celery_beat.schedulers import DatabaseScheduler

logger = logging.getLogger("jobs.beat")

STOPS = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def stops_wait() -> Iterator[None]:
    """Let a signal to stop wait until the end of the block.

    Beat stores its schedule and ends wherever the signal meets it. In the middle of a query it would end with a
    traceback.
    """
    if current_thread() is not main_thread():
        yield
        return
    asked: list[int] = []
    handlers = {number: signal.signal(number, lambda number, frame: asked.append(number)) for number in STOPS}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for missed in asked[:1]:
            signal.raise_signal(missed)


class Scheduler(DatabaseScheduler):
    """A scheduler that stores the time of a task's first run since beat began at once.

    Later times are left to the base class, which stores them now and then (CELERY_BEAT_SYNC_EVERY). It would store the
    first time late, too: before it stores the time, it reads the schedule from the database again, because the start
    has changed the schedule.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.noted: set[str] = set()
        with stops_wait():
            super().__init__(*arguments, **options)

    # What asks the database. A stop does not wait for a broker that is away.
    def all_as_schedule(self) -> Any:
        with stops_wait():
            return super().all_as_schedule()

    def schedule_changed(self) -> Any:
        with stops_wait():
            return super().schedule_changed()

    def sync(self) -> None:
        with stops_wait():
            super().sync()

    def reserve(self, entry: Any) -> Any:
        """Return the entry with the present time as its last run, for a task that is sent now.

        Store the time if it is the first since beat began. If the database fails, log it; the next run tries again.
        """
        with stops_wait():
            taken = super().reserve(entry)
            if taken.name not in self.noted:
                try:
                    PeriodicTask.objects.filter(name=taken.name).update(last_run_at=taken.model.last_run_at)
                    self.noted.add(taken.name)
                except (DatabaseError, InterfaceError):
                    logger.warning("That %s ran could not be written down", taken.name, exc_info=True)
        return taken
