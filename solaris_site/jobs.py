"""The jobs that mail people, send messages to their browsers, and delete what has outlived its term.

`people` and `jobs` do not know each other, so they meet here.

Periodic tasks here see which acts that notices ask for are done, and forget the answers that the interface kept for
idempotency keys, after a day, failed log-ins, and sessions that have ended.
"""

from __future__ import annotations

import random
from datetime import timedelta

from django.contrib.sessions.backends.db import SessionStore
from django.db import transaction
from django.utils import timezone

from api.idempotency import forget_old_answers
from jobs.registry import job, periodic
from jobs.run import Later, Run
from jobs.services import enqueue
from people.services import acts, log_ins, mails, pushes
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


@job("people.push", priority="low")
def push(run: Run) -> None:
    """Send a notice to one browser, and try again after a pause as `pushes.note` says. Payload: notice, browser (ids).

    Only one job on the whole site sends at a time, so that slow push services never hold up all workers. A worker that
    dies after the message left sends it again, and the browser shows it once. Raises Later.
    """
    number = 1
    while run.has_done(f"try {number}"):
        if run.once(f"try {number}", dict) is None:
            return
        number += 1
    found = pushes.to_be_sent(run.payload["notice"], run.payload["browser"])
    if found is None:
        return
    if not run.takes_turn():
        # A random pause keeps waiting jobs from coming back at the same moment.
        raise Later(timedelta(seconds=random.uniform(1, 4)))
    notice, browser = found
    reply = pushes.send(notice, browser)
    pause = run.once(f"try {number}", lambda: pushes.note(browser.pk, number, reply))
    if pause is not None:
        raise Later(timedelta(seconds=pause))


@periodic("people.pushes")
def scan_for_pushes() -> None:
    """Queue the messages to browsers that are due: one job for each notice and browser."""
    for notice_id in pushes.waiting_now():
        with transaction.atomic():
            for browser_id in pushes.claim(notice_id):
                payload = {"notice": notice_id, "browser": browser_id}
                enqueue("people.push", payload, unique_key=f"people:push:{notice_id}:{browser_id}")
