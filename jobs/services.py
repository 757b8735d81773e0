"""Asking for work, and giving it out.

A Job row is written in the caller's transaction, and workers are notified when that transaction commits. The message
carries only (id, attempt) and may be lost or arrive twice: the rows decide. A worker that gets a message does the due
job whose turn it is, which may be another one. So nobody waits for all the work that others asked for before.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from kombu.exceptions import OperationalError

from jobs import runner
from jobs.models import Job
from jobs.registry import registry
from rules.core.refusals import Refused
from web import log_context

logger = logging.getLogger("jobs")

# More would only fill the queue: the next tick sends messages for the jobs that still wait.
MESSAGES_A_TICK = 100

QUIET_SECONDS = 5.0
"""Seconds for which this process sends no messages after the queue did not answer: the tick sends them later."""
_quiet_until = 0.0

_notifies_workers: ContextVar[bool] = ContextVar("notifies_workers", default=True)


class NotRestartable(Refused):
    """The refusal to restart a job that has not failed."""


def enqueue(
    name: str,
    payload: dict[str, Any],
    unique_key: str | None = None,
    not_before: datetime | None = None,
    turn: str = "",
) -> Job:
    """Ask for work and return its row, written in the caller's transaction. Workers are notified when it commits.

    If a row with the `unique_key` exists, return that row unchanged; of two callers at the same moment one makes it.
    The work waits until `not_before`, and the tick sends it then; None: it may begin at once. `turn` names those for
    whom it is done, such as an organiser; without one all jobs of this `name` share a turn.
    """
    values = {
        "name": name,
        "payload": payload,
        "not_before": not_before,
        "turn": turn or name,
        "last_attempt": settings.JOB_ATTEMPTS,
    }
    if unique_key is None:
        job, is_new = Job.objects.create(**values), True
    else:
        job, is_new = Job.objects.get_or_create(unique_key=unique_key, defaults=values)
    if is_new and log_context.request_id():
        # The row does not say who asked. A line in the log does, once the job is committed.
        transaction.on_commit(partial(_tell_who_asked, job.pk, name), robust=True)
    # The tick sends jobs that wait for a time: long waits do not belong in a queue.
    if is_new and not_before is None and notifies_workers():
        transaction.on_commit(partial(notify_workers, job.pk, job.attempt), robust=True)
    return job


def _tell_who_asked(job_id: int, name: str) -> None:
    """Log that a job was asked for. The request is still being answered, so the line names it and the account."""
    logger.info("%s #%s: asked for", name, job_id, extra={"asked_job": job_id, "asked_name": name})


@contextmanager
def in_this_process() -> Iterator[None]:
    """Let `enqueue` send no messages inside: the caller runs the jobs itself with `run_pending`.

    A job left over when the process dies is found and sent by the tick.
    """
    token = _notifies_workers.set(False)
    try:
        yield
    finally:
        _notifies_workers.reset(token)


def notifies_workers() -> bool:
    return _notifies_workers.get() and bool(getattr(settings, "JOB_WAKE_UPS", True))


def notify_workers(job_id: int, attempt: int) -> None:
    """Notify the workers of a job. An unreachable queue is no error: the tick tries again. Of several jobs of a request
    only the first waits for it.
    """
    global _quiet_until
    if time.monotonic() < _quiet_until:
        return
    try:
        # By name: `jobs.tasks` imports this module.
        current_app.send_task("jobs.run_job", (job_id, attempt), retry=False, ignore_result=True)
    except (OperationalError, OSError):
        logger.warning("The queue does not answer; job %s waits for the next tick", job_id)
        _quiet_until = time.monotonic() + QUIET_SECONDS
        return
    Job.objects.filter(pk=job_id, attempt=attempt).update(woken_at=Now())


def run_job(job_id: int, attempt: int) -> bool:
    """Do a job if this attempt may. Return whether it was claimed. A failure is recorded, not raised."""
    job = runner.claim(job_id, attempt)
    if job is None:
        return False
    runner.execute(job)
    return True


def run_next() -> bool:
    """Do the due job whose turn it is, and return whether there was one. A failure is recorded, not raised."""
    while (waiting := runner.next_in_turn()) is not None:
        # Another worker may have been faster; then it is somebody else's turn.
        if run_job(waiting.pk, waiting.attempt):
            return True
    return False


def run_pending(limit: int | None = None) -> int:
    """Run the due jobs in this process until none is left or `limit` have run, and return how many ran.

    They run in the order of their priorities, then of their ids. Jobs that these jobs ask for run too. Workers may run
    at the same time: each job goes to one process. The caller waits for the jobs and reports on them, so the log lines
    of successful jobs have the level DEBUG.

    Raises what a job's function raises, recorded as a worker would record it.
    """
    count = 0
    with in_this_process():
        while limit is None or count < limit:
            waiting = runner.due().annotate(rank=runner.rank()).order_by("rank", "id").first()
            if waiting is None:
                break
            job = runner.claim(waiting.pk, waiting.attempt)
            if job is None:
                continue
            count += 1
            error = runner.execute(job, logging.DEBUG)
            if error is not None:
                raise error
    return count


def restart(job: Job) -> Job:
    """Give a failed job its full number of attempts again, and return it; the steps that it has done stay done.

    Raises NotRestartable (job_not_failed).
    """
    with transaction.atomic():
        changed = Job.objects.filter(pk=job.pk, state=Job.State.FAILED).update(
            state=Job.State.QUEUED,
            attempt=F("attempt") + 1,
            last_attempt=F("attempt") + settings.JOB_ATTEMPTS,
            not_before=None,
            woken_at=None,
            finished_at=None,
        )
        if not changed:
            raise NotRestartable("job_not_failed", job=job.pk)
        job.refresh_from_db()
        if notifies_workers():
            transaction.on_commit(partial(notify_workers, job.pk, job.attempt), robust=True)
    return job


def forget_done(names: Collection[str], before: datetime, most: int) -> int:
    """Delete the oldest `most` jobs of these names that were done before a time, and return how many these were.

    Their unique keys are free again, so the caller must know that nothing asks for such a job again. A job that failed
    stays until somebody has seen to it.
    """
    done = Job.objects.filter(name__in=names, state=Job.State.DONE, finished_at__lt=before)
    keys = list(done.order_by("id").values_list("pk", flat=True)[:most])
    done.filter(pk__in=keys).delete()
    return len(keys)


def requeue(job: Job, pause: timedelta) -> bool:
    """Queue a job again for a single attempt if it ended more than `pause` ago, done or failed.

    The steps it has done stay done. Of several callers at the same moment one succeeds. The next tick notifies workers.
    Return whether this call queued the job.
    """
    over = (Job.State.DONE, Job.State.FAILED)
    if job.state not in over:
        return False
    changed = Job.objects.filter(pk=job.pk, state__in=over, finished_at__lt=Now() - pause).update(
        state=Job.State.QUEUED,
        attempt=F("attempt") + 1,
        last_attempt=F("attempt") + 1,
        planned=None,
        not_before=Now(),
        woken_at=None,
        finished_at=None,
    )
    return bool(changed)


def reclaim_expired() -> int:
    """Take back running jobs whose lease has ended, and return how many: a worker died, or lost the database.

    Each waits for a new attempt at once, or has failed if this was its last.
    """
    expired = Job.objects.filter(state=Job.State.RUNNING, lease_until__lt=Now())
    count = 0
    for job in expired.order_by("id"):
        is_last = job.attempt >= job.last_attempt
        # Check the lease again: it may have been renewed since the list was read.
        count += expired.filter(pk=job.pk, attempt=job.attempt).update(
            state=Job.State.FAILED if is_last else Job.State.QUEUED,
            attempt=job.attempt if is_last else job.attempt + 1,
            lease_until=None,
            not_before=None,
            woken_at=None,
            finished_at=Now() if is_last else None,
            error_code="lease_expired",
            error_text=f"The worker of attempt {job.attempt} stopped answering.",
        )
    if count:
        logger.warning("%s jobs whose worker stopped answering were taken back", count)
    return count


def resend_stale() -> int:
    """Notify workers of due jobs that nobody claimed and that had no message for JOB_STALE_SECONDS; return how many.

    At most MESSAGES_A_TICK are taken. Their message was lost or never sent, or their time has come only now. Jobs of
    low priority come after all others, however old they are, and those of the lowest last.
    """
    silence = Q(woken_at__isnull=True) | Q(woken_at__lt=Now() - timedelta(seconds=settings.JOB_STALE_SECONDS))
    # A row without woken_at may be one whose first message is being sent right now. A second does no harm.
    waiting = runner.due().filter(silence).order_by("id").values_list("pk", "attempt")
    stale = list(waiting.exclude(name__in=registry.low_priority)[:MESSAGES_A_TICK])
    for names in (registry.low_priority - registry.lowest_priority, registry.lowest_priority):
        stale += waiting.filter(name__in=names)[: MESSAGES_A_TICK - len(stale)]
    for job_id, attempt in stale:
        notify_workers(job_id, attempt)
    return len(stale)


def tick() -> None:
    """Take back expired jobs, scan for work that nobody asked for, and send lost messages again.

    Beat asks for it every JOB_SWEEP_SECONDS. A scan that fails does not stop the others.
    """
    reclaim_expired()
    for name, look in registry.scans.items():
        try:
            look()
        except Exception:
            logger.exception("The search %s failed", name)
    resend_stale()
