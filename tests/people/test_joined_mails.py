"""At most one mail an hour to one person; a deadline within a day does not wait."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from jobs.models import Job
from jobs.services import run_pending
from people.models import Notice, User
from people.services import accounts, mails
from solaris_site.jobs import scan_for_mails

pytestmark = [pytest.mark.django_db, pytest.mark.database]

NOON = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def kai() -> User:
    return accounts.create_account("Kai", "kai@example.org", "correct horse battery")


def said(person: User, code: str, at: datetime, due: datetime | None = None) -> Notice:
    facts = {"season": "Winter", "match": "Ash – Birch"} | ({} if due is None else {"due": due.isoformat()})
    [notice] = accounts.notify([person], code, facts, "/seasons/winter/")
    Notice.objects.filter(pk=notice.pk).update(created_at=at)
    return notice


def test_what_comes_within_an_hour_of_a_mail_waits_and_is_joined_into_the_next(kai: User) -> None:
    said(kai, "your_turn", NOON)
    assert mails.send_waiting(kai.pk, NOON)
    said(kai, "report_disputed", NOON + MINUTE)
    newest = said(kai, "your_turn", NOON + 2 * MINUTE, due=NOON + timedelta(hours=26))
    before = NOON + HOUR - MINUTE
    assert mails.waiting_now(before) == []
    assert not mails.send_waiting(kai.pk, before)
    assert len(mail.outbox) == 1
    assert mails.waiting_now(NOON + HOUR) == [(kai.pk, newest.pk)]
    assert mails.send_waiting(kai.pk, NOON + HOUR)
    message = mail.outbox[1]
    assert message.subject.startswith("1 more, and: Ash – Birch waits for you")
    assert "the reports of … differ" in message.body
    assert not Notice.objects.filter(mailed_at=None).exists()


@pytest.mark.parametrize(
    ("left", "goes"), [(timedelta(hours=24) - MINUTE, True), (timedelta(hours=24), False), (-MINUTE, False)]
)
def test_a_deadline_within_a_day_takes_all_that_wait_along_at_once(kai: User, left: timedelta, goes: bool) -> None:
    said(kai, "your_turn", NOON)
    assert mails.send_waiting(kai.pk, NOON)
    now = NOON + MINUTE
    said(kai, "report_disputed", now)
    newest = said(kai, "your_turn", now, due=now + left)
    assert mails.waiting_now(now) == ([(kai.pk, newest.pk)] if goes else [])
    assert mails.send_waiting(kai.pk, now) == goes
    assert len(mail.outbox) == 1 + goes
    if goes:
        assert "the reports of … differ" in mail.outbox[1].body


def test_the_digest_waits_for_the_hour_too_and_so_does_what_follows_it(kai: User) -> None:
    early = NOON - timedelta(hours=4)  # 8:00, the hour of the digest
    said(kai, "season_started", early - MINUTE)
    said(kai, "your_turn", early - MINUTE)
    assert mails.send_waiting(kai.pk, early - MINUTE)
    assert mails.digests_due(early) == []
    assert not mails.send_digest(kai.pk, early)
    assert mails.pause_of(kai.pk, early) == HOUR - MINUTE
    after = early + HOUR
    assert mails.digests_due(after) == [(kai.pk, early)]
    assert mails.pause_of(kai.pk, after) == timedelta()
    assert mails.send_digest(kai.pk, after)
    said(kai, "your_turn", after)
    assert mails.waiting_now(after + MINUTE) == []


def test_what_is_done_or_read_is_not_mailed(kai: User) -> None:
    done, read = said(kai, "your_turn", NOON), said(kai, "your_turn", NOON)
    Notice.objects.filter(pk=done.pk).update(done_at=NOON)
    Notice.objects.filter(pk=read.pk).update(read_at=NOON)
    assert mails.waiting_now(NOON) == mails.digests_due(NOON + timedelta(days=1)) == []


def test_a_job_that_comes_too_early_goes_on_after_the_pause(kai: User) -> None:
    """Another mail was faster: nothing is lost, and nothing is mailed twice."""
    accounts.notify([kai], "report_disputed", {"season": "Winter"})
    scan_for_mails()
    User.objects.filter(pk=kai.pk).update(last_mail_at=Notice.objects.get().created_at)
    run_pending()
    assert mail.outbox == []
    job = Job.objects.get()
    assert (job.state, job.error_code) == (Job.State.QUEUED, "")
    assert job.not_before is not None
    User.objects.update(last_mail_at=None)
    Job.objects.update(not_before=None)
    run_pending()
    assert len(mail.outbox) == 1


def test_mails_that_a_person_asked_for_are_not_counted(kai: User, client: Client) -> None:
    """A link for a password goes at once, and holds nothing up."""
    said(kai, "your_turn", NOON)
    assert mails.send_waiting(kai.pk, NOON)
    client.post(reverse("people:reset_password"), {"email": kai.email})
    assert len(mail.outbox) == 2
    kai.refresh_from_db()
    assert kai.last_mail_at == NOON


def test_one_link_ends_all_kinds_of_a_joined_mail(kai: User, client: Client) -> None:
    said(kai, "your_turn", NOON)
    said(kai, "report_disputed", NOON)
    assert mails.send_waiting(kai.pk, NOON)
    link = mail.outbox[0].extra_headers["List-Unsubscribe"].strip("<>").removeprefix("http://localhost:8000")
    assert "mails when it is my turn, mails when a report names me" in client.get(link).content.decode()
    assert client.post(link).status_code == 200
    kai.refresh_from_db()
    assert (kai.mail_your_turn, kai.mail_reports, kai.mail_dates, kai.mail_digest) == (False, False, True, True)
