"""The jobs that mail people, and the job that deletes what has outlived its term. `people` and `jobs` do not know each
other, so they meet here.

Periodic tasks here forget the answers that the interface kept for idempotency keys, after a day, failed log-ins, and
sessions that have ended.
"""

from __future__ import annotations

from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from api.idempotency import forget_old_answers
from jobs.registry import job, periodic
from jobs.run import Run
from jobs.services import enqueue
from people.services import log_ins, mails
from solaris_site import retention

periodic("api.old_answers")(forget_old_answers)
periodic("people.old_attempts")(log_ins.forget_old_attempts)
periodic("people.old_sessions")(SessionStore.clear_expired)


@job("people.mail_notice")
def mail_notice(run: Run) -> None:
    """Mail one notice at once if it still waits for that. Payload: notice (its id). Raises OSError as `send_notice`."""
    mails.send_notice(run.payload["notice"])


@job("people.mail_digest")
def mail_digest(run: Run) -> None:
    """Mail a person who still wants it their digest. Payload: person (their id). Raises OSError as `send_digest`."""
    mails.send_digest(run.payload["person"])


@periodic("people.mails")
def scan_for_mails() -> None:
    """Queue the mails that are due: one job for each notice, and one for each digest."""
    for notice_id in mails.waiting_now():
        enqueue("people.mail_notice", {"notice": notice_id}, unique_key=f"people:notice:{notice_id}")
    for person_id, moment in mails.digests_due():
        enqueue(
            "people.mail_digest", {"person": person_id}, unique_key=f"people:digest:{person_id}:{moment:%Y-%m-%dT%H}"
        )


@job(retention.JOB, priority="lowest")
def forget_outlived(run: Run) -> None:
    """Delete what has outlived its term; what is left after that waits for the job of the next hour. No payload."""
    retention.forget_outlived(timezone.now())


@periodic("site.outlived")
def scan_for_outlived() -> None:
    """Queue the job that deletes what has outlived its term, once an hour."""
    enqueue(retention.JOB, {}, unique_key=f"{retention.JOB}:{timezone.now():%Y-%m-%dT%H}")
