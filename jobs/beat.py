"""Beat's schedule in the database, which shows at once that beat is running."""

from __future__ import annotations

import logging
from typing import Any

from django.db import DatabaseError, InterfaceError
from django_celery_beat.models import PeriodicTask
from django_celery_beat.schedulers import DatabaseScheduler

logger = logging.getLogger("jobs.beat")


class Scheduler(DatabaseScheduler):
    """A scheduler that stores at once when a task first ran since beat began, later after CELERY_BEAT_SYNC_EVERY tasks.

    The base class would wait the first time too: before it stores the times it reads the schedule from the database
    again, because the start has changed the schedule.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.noted: set[str] = set()
        super().__init__(*arguments, **options)

    def reserve(self, entry: Any) -> Any:
        """Take an entry to run it now, and store the time if it is the first since beat began."""
        taken = super().reserve(entry)
        if taken.name not in self.noted:
            try:
                PeriodicTask.objects.filter(name=taken.name).update(last_run_at=taken.model.last_run_at)
                self.noted.add(taken.name)
            except (DatabaseError, InterfaceError):
                logger.warning("That %s ran could not be written down", taken.name, exc_info=True)
        return taken
