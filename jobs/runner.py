"""Running one claimed job: its lease, its heartbeat, and what becomes of it at the end.

Every write is conditional on (state, attempt). A worker that lost its lease, however late it wakes up, matches no row
and changes nothing.
"""

from __future__ import annotations

import contextvars
import logging
import threading
import time
import traceback
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Case, F, Min, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce, Now

from jobs.models import Job
from jobs.registry import registry
from jobs.run import Later, LeaseLost, Run, lease_end, owned
from web import log_context

logger = logging.getLogger("jobs")

ERROR_TEXT_LENGTH = 8000
LONGEST_PAUSE_SECONDS = 60

PATIENCE = timedelta(minutes=1)
"""How long jobs of "low" priority wait for all others. Then they have turns too: others could hold them up for ever."""

TURN_SECONDS = 10.0
"""How long a job of many pieces works before it gives others a turn."""


def due() -> QuerySet[Job]:
    """Return queued jobs whose time has come."""
    return Job.objects.filter(Q(not_before__isnull=True) | Q(not_before__lte=Now()), state=Job.State.QUEUED)


def next_in_turn() -> Job | None:
    """Return the due job that a worker should do next, None when none is due. That takes two queries, and more
    when other workers are faster.

    The highest priority comes first, in it the turn whose last job began longest ago, in the turn the highest priority
    again, then the order of ids. So of those who ask for work at the same time each gets the same number of jobs done,
    however many they ask for.
    """
    began = Job.objects.filter(turn=OuterRef("turn"), started_at__isnull=False).order_by("-started_at")
    is_overdue = Q(since__lte=Now() - PATIENCE)
    waiting = due().order_by().annotate(since=Coalesce("not_before", "created_at"))
    turns = (
        waiting.annotate(rank=rank(~is_overdue))
        .values("turn")
        .annotate(best=Min("rank"), first=Min("id"), last=Subquery(began.values("started_at")[:1]))
        .order_by("best", F("last").asc(nulls_first=True), "first")
        .values_list("turn", flat=True)
    )
    while (turn := turns.first()) is not None:
        found = due().filter(turn=turn).annotate(rank=rank()).order_by("rank", "id").first()
        # Between the two queries other workers may have taken all of this turn; others still wait.
        if found is not None:
            return found
    return None


def rank(is_low: Q | None = None) -> Case:
    """Return the priority of a job as a number, 0 for the highest. Jobs of "low" count as normal unless `is_low`."""
    low = registry.low_priority - registry.lower_priority
    lower = registry.lower_priority - registry.lowest_priority
    return Case(
        When(Q(name__in=low) & (is_low or Q()), then=Value(1)),
        When(name__in=lower, then=Value(2)),
        When(name__in=registry.lowest_priority, then=Value(3)),
        default=Value(0),
    )


def give_way(run: Run) -> None:
    """Raise Later when jobs of a higher priority than this one are due, or it has had TURN_SECONDS.

    A job calls it after each piece of its work, never before the first: so it gets on however much others ask for.
    """
    lower = (registry.lowest_priority, registry.lower_priority, registry.low_priority)
    not_above = next((names for names in lower if run.name in names), registry.handlers)
    if time.monotonic() - run.began >= TURN_SECONDS or due().exclude(name__in=not_above).exists():
        raise Later(timedelta(0))


def claim(job_id: int, attempt: int) -> Job | None:
    """Take a queued job for this attempt. Return None when another worker was first, or it is not due.

    One conditional update: of any number of callers at the same moment one gets the row.
    """
    taken = (
        due()
        .filter(pk=job_id, attempt=attempt)
        .update(state=Job.State.RUNNING, lease_until=lease_end(), started_at=Now(), error_code="", error_text="")
    )
    return Job.objects.get(pk=job_id) if taken else None


def execute(job: Job, level: int = logging.INFO) -> Exception | None:
    """Do a claimed job and record what became of it: done, queued for another attempt, or failed.

    Return what the job's function raised, already recorded; None when the job is done or put off, or another attempt
    took over. Every record that is logged meanwhile carries the job's id, attempt and name. A last line says what
    became of the attempt; `level` is its level for success. Raises KeyboardInterrupt or SystemExit again after it has
    released the job.
    """
    with log_context.in_job(log_context.JobContext(job.pk, job.attempt, job.name)):
        return _execute(job, level)


def _execute(job: Job, level: int) -> Exception | None:
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
            defer(run.job_id, run.attempt, later.pause)
            logger.debug("%s: put off by %s", job, later.pause, extra=_ended("put off", began))
            return None
        except (KeyboardInterrupt, SystemExit):
            # Somebody stops this process, and nobody should have to wait for the end of the lease.
            release(run.job_id, run.attempt, "interrupted", "The process that did the job was stopped.")
            logger.warning("%s: attempt %s was interrupted", job, run.attempt, extra=_ended("interrupted", began))
            raise
        except Exception as error:
            numbers = (job, run.attempt, job.last_attempt)
            logger.exception("%s: attempt %s of %s failed", *numbers, extra=_ended("failed", began))
            release(run.job_id, run.attempt, error_code(error), traceback.format_exc())
            return error
        done = owned(run.job_id, run.attempt).update(state=Job.State.DONE, lease_until=None, finished_at=Now())
    if done:
        logger.log(level, "%s: done in %.2f s", job, time.monotonic() - began, extra=_ended("done", began))
    else:
        message = "%s: attempt %s was done too late, another one took over"
        logger.warning(message, job, run.attempt, extra=_ended("late", began))
    return None


def _ended(outcome: str, began: float) -> dict[str, Any]:
    """Return the fields of an attempt's last line, for programs that read logs."""
    return {"outcome": outcome, "milliseconds": round(1000 * (time.monotonic() - began))}


def error_code(error: Exception) -> str:
    """Return the code of a refusal, or the name of the class of an exception without one; 100 characters at most."""
    return str(getattr(error, "code", "") or type(error).__name__)[:100]


def release(job_id: int, attempt: int, code: str, text: str) -> bool:
    """End an attempt without success: queue the job again after a pause that doubles, or fail it after the last.

    Return False when this attempt no longer owns the job.
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


def defer(job_id: int, attempt: int, pause: timedelta) -> bool:
    """Put a job back into the queue until a pause is over.

    The attempt keeps its number, because none was used up. Its worker writes nothing after this. Return False when this
    attempt no longer owns the job.
    """
    changed = owned(job_id, attempt).update(
        state=Job.State.QUEUED,
        # SQLite compares times as texts, and writes a sum with other digits than the time of the same millisecond.
        not_before=Now() + pause if pause else Now(),
        lease_until=None,
        woken_at=None,
        planned=None,
    )
    return bool(changed)


class Heartbeat:
    """A thread that renews a run's lease three times in each lease, on its own connection, while the run lasts.

    The thread starts before the work. It connects only when the first renewal is due: most jobs are shorter.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        self.over = threading.Event()
        # The thread's lines in the log are about the job too.
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
                    # The database is busy or gone. The next beat tries again; if all fail, the fence still holds.
                    logger.warning("The lease of job %s was not renewed", self.run.job_id, exc_info=True)
                    connection.close()
        finally:
            connection.close()
