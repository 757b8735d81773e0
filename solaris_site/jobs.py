"""The jobs that mail people and send messages to their browsers. `people` and `jobs` do not know each other, so they
meet here.

Periodic tasks here forget the answers that the interface kept for idempotency keys, after a day, failed log-ins, and
sessions that have ended.
"""

from __future__ import annotations

import random
from datetime import timedelta

from django.contrib.sessions.backends.db import SessionStore
from django.db import transaction

from api.idempotency import forget_old_answers
from jobs.registry import job, periodic
from jobs.run import Later, Run
from jobs.services import enqueue
from people.services import log_ins, mails, pushes

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
