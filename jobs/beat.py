"""Beat's schedule in the database, which shows at once that beat is running."""

from __future__ import annotations

import logging
from typing import Any

from django.db import DatabaseError, InterfaceError
from django_celery_beat.models import PeriodicTask
from django_celery_beat.schedulers import DatabaseScheduler

logger = logging.getLogger("jobs.beat")


class Scheduler(DatabaseScheduler):
    """A scheduler that stores the time of a task's first run since beat began at once.

    Later times are left to the base class, which stores them now and then (CELERY_BEAT_SYNC_EVERY). It would store the
    first time late, too: before it stores the time, it reads the schedule from the database again, because the start
    has changed the schedule.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.noted: set[str] = set()
        super().__init__(*arguments, **options)

    def reserve(self, entry: Any) -> Any:
        """Return the entry with the present time as its last run, for a task that is sent now.

        Store the time if it is the first since beat began. If the database fails, log it; the next run tries again.
        """
        taken = super().reserve(entry)
        if taken.name not in self.noted:
            try:
                PeriodicTask.objects.filter(name=taken.name).update(last_run_at=taken.model.last_run_at)
                self.noted.add(taken.name)
            except (DatabaseError, InterfaceError):
                logger.warning("That %s ran could not be written down", taken.name, exc_info=True)
        return taken
