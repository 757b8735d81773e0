"""A running job: its lease, and steps that happen once."""

from __future__ import annotations

import json
import time
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
    """The end of an attempt: another one took over, or the job was closed. It may write nothing any more."""


class Later(Exception):
    """The exception of a job's function that cannot go on now.

    The job starts again from the top after a pause; this does not count as a failure.
    """

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
        self.began = time.monotonic()

    @cached_property
    def _done_before(self) -> dict[str, Any]:
        """The outputs of the steps that were done when this attempt first asked: a step once done stays done."""
        return dict(JobStep.objects.filter(job_id=self.job_id).values_list("name", "output"))

    def has_done(self, step: str) -> bool:
        """Return whether a step was done when this attempt first asked about one."""
        return step in self._done_before

    def plan(self, steps: int) -> None:
        """Record how many steps the job has in all, for people who wait for it. Steps done before count too.

        Raises LeaseLost when another attempt owns the job.
        """
        if not owned(self.job_id, self.attempt).update(planned=steps):
            raise LeaseLost(f"{self.name} #{self.job_id}, attempt {self.attempt}")

    def takes_turn(self) -> bool:
        """Take the turn among running jobs of this name until this one ends. Return False when another has it.

        Of several jobs that ask at the same moment, one gets the turn. The job that has it may ask again. A job that
        does not get it should raise `Later`. Raises LeaseLost when another attempt owns the job.
        """
        running = Job.objects.filter(name=self.name, state=Job.State.RUNNING, lease_until__gte=Now())
        with transaction.atomic():
            # Of two that ask at once, the one that was claimed later sees the other's row and waits for it.
            list(running.select_for_update().order_by("id").values_list("pk", flat=True))
            if running.exclude(pk=self.job_id).filter(planned__isnull=False).exists():
                return False
            self.plan(1)
        return True

    def once(self, step: str, function: Callable[[], Any]) -> Any:
        """Do a step once, even if workers die, and return its output.

        Call `function` and record its output in one transaction: both happen or neither. A recorded step is not called
        again. The output must be JSON-able. It always comes back as JSON gives it back (tuples as lists, keys as text),
        the first time too.

        Raises LeaseLost when another attempt owns the job, or what `function` raises; then nothing is written.
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
    """Return a query set of the job, empty when this attempt does not own it any more."""
    return Job.objects.filter(pk=job_id, state=Job.State.RUNNING, attempt=attempt)
