"""Beat's schedule in the database, which says at once that beat is there."""

from __future__ import annotations

import logging
from typing import Any

from django.db import DatabaseError, InterfaceError
from django_celery_beat.models import PeriodicTask
from django_celery_beat.schedulers import DatabaseScheduler

logger = logging.getLogger("jobs.beat")


class Scheduler(DatabaseScheduler):
    """Writes down when a task ran the first time since beat began; from then on after CELERY_BEAT_SYNC_EVERY tasks.

    Its base class would wait for those the first time too: what it is about to write then it reads again from the
    database, because beginning has changed the schedule.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.noted: set[str] = set()
        super().__init__(*arguments, **options)

    def reserve(self, entry: Any) -> Any:
        """Take an entry for running it now."""
        taken = super().reserve(entry)
        if taken.name not in self.noted:
            try:
                PeriodicTask.objects.filter(name=taken.name).update(last_run_at=taken.model.last_run_at)
                self.noted.add(taken.name)
            except (DatabaseError, InterfaceError):
                logger.warning("That %s ran could not be written down", taken.name, exc_info=True)
        return taken
