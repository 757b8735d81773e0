"""A job that is being done: its lease, and steps that happen once."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from functools import cached_property
from typing import Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from jobs.models import Job, JobStep


class LeaseLost(Exception):
    """This attempt was taken over by another one, or the job was closed; nothing of it may be written any more."""


class Later(Exception):
    """Raised by a job's function that cannot go on now: it starts again from the top after a pause, and nothing of this
    counts as a failure."""

    def __init__(self, pause: timedelta) -> None:
        super().__init__(pause)
        self.pause = pause


class Run:
    """One attempt at one job, handed to the job's function."""

    def __init__(self, job: Job) -> None:
        self.job_id: int = job.pk
        self.attempt: int = job.attempt
        self.name: str = job.name
        self.payload: dict[str, Any] = job.payload

    @cached_property
    def _done_before(self) -> dict[str, Any]:
        """The outputs of the steps that were done when this attempt asked first: what is done stays done."""
        return dict(JobStep.objects.filter(job_id=self.job_id).values_list("name", "output"))

    def has_done(self, step: str) -> bool:
        """Return whether a step was done before this attempt."""
        return step in self._done_before

    def plan(self, steps: int) -> None:
        """Tell how many steps the job has in all, for those who wait for it; steps done before count too.

        Raises: LeaseLost when another attempt owns the job.
        """
        if not owned(self.job_id, self.attempt).update(planned=steps):
            raise LeaseLost(f"{self.name} #{self.job_id}, attempt {self.attempt}")

    def takes_turn(self) -> bool:
        """Return whether this is from now on, until it ends, the one running job of its name that has the turn.

        Of any number that ask at the same moment one gets it. It may ask again. Who does not get it raises `Later`.
        Raises: LeaseLost when another attempt owns the job.
        """
        running = Job.objects.filter(name=self.name, state=Job.State.RUNNING, lease_until__gte=Now())
        with transaction.atomic():
            # Of two that ask at once the one that was claimed later sees, and waits for, the other's row.
            list(running.select_for_update().order_by("id").values_list("pk", flat=True))
            if running.exclude(pk=self.job_id).filter(planned__isnull=False).exists():
                return False
            self.plan(1)
        return True

    def once(self, step: str, function: Callable[[], Any]) -> Any:
        """Return the output of a step that happens once, whatever happens to workers.

        Calls `function` and records its output in one transaction, so either both are there or neither; a step already
        recorded is not called again. The output must be JSON-able and comes back as JSON gives it back (tuples as
        lists, keys as text), the first time as any later time.

        Raises: LeaseLost when another attempt owns the job; whatever `function` raises, with nothing written.
        """
        if self.has_done(step):
            return self._done_before[step]
        with transaction.atomic():
            # The write also locks the row: nobody can take the job over before this transaction ends.
            if not owned(self.job_id, self.attempt).update(lease_until=lease_end()):
                raise LeaseLost(f"{self.name} #{self.job_id}, attempt {self.attempt}")
            done = JobStep.objects.filter(job_id=self.job_id, name=step).first()
            if done is not None:
                return done.output
            output = json.loads(json.dumps(function(), cls=DjangoJSONEncoder))
            JobStep.objects.create(job_id=self.job_id, name=step, output=output, attempt=self.attempt)
        return output


def lease_end() -> Any:
    """Return the end of a lease that begins now, as a database expression: clocks of hosts may differ."""
    return Now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)


def owned(job_id: int, attempt: int) -> QuerySet[Job]:
    """Return the job, as long as this attempt owns it."""
    return Job.objects.filter(pk=job_id, state=Job.State.RUNNING, attempt=attempt)
