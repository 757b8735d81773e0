"""The jobs that mail people, and the job that deletes what has outlived its term. `people` and `jobs` do not know each
other, so they meet here.

Periodic tasks here see which acts that notices ask for are done, and forget the answers that the interface kept for
idempotency keys, after a day, failed log-ins, and sessions that have ended.
"""

from __future__ import annotations

from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from api.idempotency import forget_old_answers
from jobs.registry import job, periodic
from jobs.run import Later, Run
from jobs.services import enqueue
from people.services import acts, log_ins, mails
from solaris_site import retention

periodic("people.acts")(acts.settle)
periodic("api.old_answers")(forget_old_answers)
periodic("people.old_attempts")(log_ins.forget_old_attempts)
periodic("people.old_sessions")(SessionStore.clear_expired)


@job("people.mail_waiting")
def mail_waiting(run: Run) -> None:
    """Mail a person what waits for a mail at once. Payload: person (their id). Raises OSError as `send_waiting`."""
    if not mails.send_waiting(run.payload["person"]) and (pause := mails.pause_of(run.payload["person"])):
        # Another mail was faster. What still waits goes an hour after it.
        raise Later(pause)


@job("people.mail_notice")
def mail_notice(run: Run) -> None:
    """Do what earlier versions asked for, one mail for one notice: the tick finds the notice. Payload: notice."""


@job("people.mail_digest")
def mail_digest(run: Run) -> None:
    """Mail a person who still wants it their digest. Payload: person (their id).

    It waits for the hour after their last mail. Raises OSError as `send_digest`.
    """
    if pause := mails.pause_of(run.payload["person"]):
        raise Later(pause)
    mails.send_digest(run.payload["person"])


@periodic("people.mails")
def scan_for_mails() -> None:
    """Queue the mails that are due: one job for each person for whom something cannot wait, one for each digest."""
    for person_id, newest in mails.waiting_now():
        enqueue("people.mail_waiting", {"person": person_id}, unique_key=f"people:waiting:{person_id}:{newest}")
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
