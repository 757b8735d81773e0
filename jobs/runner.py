"""Runs one claimed job: lease, heartbeat, steps that happen once, and what becomes of it at the end.

Every write is conditional on (state, attempt). A worker that lost its lease, however late it wakes up, matches no row
and changes nothing.
"""

from __future__ import annotations

import contextvars
import json
import logging
import threading
import time
import traceback
from collections.abc import Callable
from datetime import timedelta
from functools import cached_property
from typing import Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DatabaseError, connection, transaction
from django.db.models import Case, F, Q, QuerySet, Value, When
from django.db.models.functions import Now

from jobs import context
from jobs.models import Job, JobStep
from jobs.registry import registry

logger = logging.getLogger("jobs")

ERROR_TEXT_LENGTH = 8000
LONGEST_PAUSE_SECONDS = 60


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
        """Whether a step was done before this attempt."""
        return step in self._done_before

    def plan(self, steps: int) -> None:
        """Tell how many steps the job has in all, for those who wait for it; steps done before count too.

        Raises: LeaseLost when another attempt owns the job.
        """
        if not owned(self.job_id, self.attempt).update(planned=steps):
            raise LeaseLost(f"{self.name} #{self.job_id}, attempt {self.attempt}")

    def takes_turn(self) -> bool:
        """Whether this is from now on, until it ends, the one running job of its name that has the turn.

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
        """The output of a step that happens once, whatever happens to workers.

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
    """The end of a lease that begins now, as a database expression: clocks of hosts may differ."""
    return Now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)


def owned(job_id: int, attempt: int) -> QuerySet[Job]:
    """The job, as long as this attempt owns it."""
    return Job.objects.filter(pk=job_id, state=Job.State.RUNNING, attempt=attempt)


def due() -> QuerySet[Job]:
    """Queued jobs whose time has come, in the order they were asked for."""
    return Job.objects.filter(Q(not_before__isnull=True) | Q(not_before__lte=Now()), state=Job.State.QUEUED)


def claim(job_id: int, attempt: int) -> Job | None:
    """Takes a queued job for this attempt. None when another worker was first, or it is not due.

    One conditional update: of any number of callers at the same moment one gets the row.
    """
    taken = (
        due()
        .filter(pk=job_id, attempt=attempt)
        .update(state=Job.State.RUNNING, lease_until=lease_end(), started_at=Now(), error_code="", error_text="")
    )
    return Job.objects.get(pk=job_id) if taken else None


def execute(job: Job, told_at: int = logging.INFO) -> Exception | None:
    """Does a claimed job and records what became of it: done, queued for another attempt, or failed.

    Every record that is logged meanwhile carries the job's id, attempt and name. One line says at the end what became
    of the attempt; `told_at` is its level where nothing went wrong.

    Returns: what its function raised, already recorded; None when it is done or another attempt took over.
    """
    with context.doing(context.Doing(job.pk, job.attempt, job.name)):
        return _execute(job, told_at)


def _execute(job: Job, told_at: int) -> Exception | None:
    run = Run(job)
    began = time.monotonic()
    with Heartbeat(run):
        try:
            handler = registry.handler(job.name)
            if handler is None:
                raise LookupError(f"No function is registered for jobs named {job.name!r}.")
            handler(run)
        except LeaseLost:
            logger.warning("%s: attempt %s lost its lease", job, run.attempt, extra=_ended("lost", began))
            return None
        except Later as later:
            put_off(run.job_id, run.attempt, later.pause)
            logger.debug("%s: put off by %s", job, later.pause, extra=_ended("put off", began))
            return None
        except (KeyboardInterrupt, SystemExit):
            # Somebody stops this process, and nobody should have to wait for the end of the lease.
            give_back(run.job_id, run.attempt, "interrupted", "The process that did the job was stopped.")
            logger.warning("%s: attempt %s was interrupted", job, run.attempt, extra=_ended("interrupted", began))
            raise
        except Exception as error:
            told = (job, run.attempt, job.last_attempt)
            logger.exception("%s: attempt %s of %s failed", *told, extra=_ended("failed", began))
            give_back(run.job_id, run.attempt, error_code(error), traceback.format_exc())
            return error
        done = owned(run.job_id, run.attempt).update(state=Job.State.DONE, lease_until=None, finished_at=Now())
    if done:
        logger.log(told_at, "%s: done in %.2f s", job, time.monotonic() - began, extra=_ended("done", began))
    else:
        told_late = "%s: attempt %s was done too late, another one took over"
        logger.warning(told_late, job, run.attempt, extra=_ended("late", began))
    return None


def _ended(outcome: str, began: float) -> dict[str, Any]:
    """What the last line of an attempt says for programs that read logs."""
    return {"outcome": outcome, "milliseconds": round(1000 * (time.monotonic() - began))}


def error_code(error: Exception) -> str:
    """The code of a refusal, else the name of the exception."""
    return str(getattr(error, "code", "") or type(error).__name__)[:100]


def give_back(job_id: int, attempt: int, code: str, text: str) -> bool:
    """Ends an attempt that did not succeed: back into the queue after a pause that doubles, or failed after the last.

    Returns: False when this attempt no longer owns the job.
    """
    pause = min(2**attempt, LONGEST_PAUSE_SECONDS)
    is_last = Q(attempt__gte=F("last_attempt"))
    changed = owned(job_id, attempt).update(
        state=Case(When(is_last, then=Value(Job.State.FAILED)), default=Value(Job.State.QUEUED)),
        attempt=Case(When(is_last, then=F("attempt")), default=F("attempt") + 1),
        finished_at=Case(When(is_last, then=Now()), default=None),
        not_before=Case(When(is_last, then=F("not_before")), default=Now() + timedelta(seconds=pause)),
        lease_until=None,
        woken_at=None,
        error_code=code,
        error_text=text[-ERROR_TEXT_LENGTH:],
    )
    return bool(changed)


def put_off(job_id: int, attempt: int, pause: timedelta) -> bool:
    """Puts a job back into the queue until a pause is over.

    The attempt keeps its number, as none was spent; this is the last that its worker writes.
    Returns: False when this attempt no longer owns the job.
    """
    changed = owned(job_id, attempt).update(
        state=Job.State.QUEUED,
        not_before=Now() + pause,
        lease_until=None,
        woken_at=None,
        planned=None,
    )
    return bool(changed)


class Heartbeat:
    """Renews a run's lease three times a lease, in its own thread, connection and transaction, while the run lasts.

    The thread starts before the work, the connection is made only when the first renewal is due: most jobs are shorter.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        self.over = threading.Event()
        # Its lines are about the job too.
        around = contextvars.copy_context()
        name = f"heartbeat-{run.job_id}"
        self.thread = threading.Thread(target=around.run, args=(self._beat,), name=name, daemon=True)

    def __enter__(self) -> Heartbeat:
        self.thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.over.set()

    def _beat(self) -> None:
        try:
            while not self.over.wait(settings.JOB_LEASE_SECONDS / 3):
                try:
                    if not owned(self.run.job_id, self.run.attempt).update(lease_until=lease_end()):
                        return
                except DatabaseError:
                    # Busy or gone for a moment; the next beat tries again, and the fence holds if none succeeds.
                    logger.warning("The lease of job %s was not renewed", self.run.job_id, exc_info=True)
                    connection.close()
        finally:
            connection.close()
