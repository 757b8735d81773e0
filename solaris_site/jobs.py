"""The mails of people as jobs: `people` does not know of jobs, nor `jobs` of people, so they meet here.

Answers that were kept for a second asking of the interface are forgotten here after their day.
"""

from __future__ import annotations

from api.idempotency import forget_old_answers
from jobs.registry import job, periodic
from jobs.run import Run
from jobs.services import enqueue
from people.services import mails

periodic("api.old_answers")(forget_old_answers)


@job("people.mail_notice")
def mail_notice(run: Run) -> None:
    """Mail one notice at once; one that was claimed already is left alone. Payload: notice."""
    mails.send_notice(run.payload["notice"])


@job("people.mail_digest")
def mail_digest(run: Run) -> None:
    """Mail a person what is new. Payload: person."""
    mails.send_digest(run.payload["person"])


@periodic("people.mails")
def scan_for_mails() -> None:
    """Ask for the mails that are due; the same notice and the same day of a person ask once."""
    for notice_id in mails.waiting_now():
        enqueue("people.mail_notice", {"notice": notice_id}, unique_key=f"people:notice:{notice_id}")
    for person_id, moment in mails.digests_due():
        enqueue(
            "people.mail_digest", {"person": person_id}, unique_key=f"people:digest:{person_id}:{moment:%Y-%m-%dT%H}"
        )
