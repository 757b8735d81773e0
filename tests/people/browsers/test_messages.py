"""Messages to browsers: who gets them, what is in them, and what becomes of a try that fails."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from jobs.models import Job
from jobs.services import run_pending
from people.models import Notice, PushSubscription, User
from people.services import accounts, pushes
from people.text.notices import asks, sentences
from solaris_site.jobs import scan_for_pushes
from tests.stables.webhooks.receiver import in_turn
from webhooks import addresses, posting
from webhooks.posting import Reply
from webhooks.web_push import keys_of

from .push_service import Browser, is_signed, push_browser

__all__ = ["push_browser"]
pytestmark = [pytest.mark.django_db, pytest.mark.database]
PAGE = "/matches/7/play/"
SECOND = timedelta(seconds=1)


@pytest.fixture
def kai() -> User:
    return accounts.create_account("Kai", "kai@example.org", "correct horse battery", "Asia/Tokyo")


@pytest.fixture
def own(kai: User, push_browser: Browser) -> PushSubscription:
    return pushes.subscribe(person=kai, **push_browser.form)


def said(person: User, code: str = "your_turn") -> Notice:
    [notice] = accounts.notify([person], code, {"match": "Ash and Birch"}, PAGE)
    return notice


def all_due() -> int:
    """Do every job, whose time has come or not."""
    Job.objects.filter(state="queued").update(not_before=None)
    return run_pending()


def put_off(*pauses: int, since: datetime) -> bool:
    """Say whether the waiting jobs are put off by so many seconds, each from a moment between `since` and now on.

    The clock of SQLite has milliseconds, and may be behind Python's.
    """
    found = Job.objects.filter(state="queued").order_by("id").values_list("not_before", flat=True)
    begun = [at - timedelta(seconds=pause) for at, pause in zip(filter(None, found), pauses, strict=True)]
    return all(since - SECOND <= moment <= timezone.now() + SECOND for moment in begun)


def test_a_notice_that_asks_arrives_once_encrypted_and_signed(
    kai: User, own: PushSubscription, push_browser: Browser, settings: Any
) -> None:
    notice = said(kai)
    scan_for_pushes()
    scan_for_pushes()
    assert run_pending() == 1
    scan_for_pushes()
    assert run_pending() == 0
    [sent] = push_browser.service.sent
    sentence = "Ash and Birch waits for you: it is your turn."
    assert push_browser.read(sent) == {"body": sentence, "url": PAGE, "tag": str(notice.pk)}
    assert b"Birch" not in sent.body
    assert is_signed(sent)
    assert sent.headers["Authorization"].endswith(f",k={keys_of(settings.PUSH_PRIVATE_KEY).public}")
    named = {name: sent.headers[name] for name in ("Content-Encoding", "Content-Type", "Urgency")}
    assert named == {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "Urgency": "high",
    }
    assert 0 < int(sent.headers["TTL"]) <= pushes.STALE.total_seconds()


def test_only_notices_that_ask_for_an_act_are_sent(kai: User, own: PushSubscription, push_browser: Browser) -> None:
    made = {code: said(kai, code) for code in sentences()}
    sent = {code for code, notice in made.items() if notice.pk in pushes.waiting_now()}
    assert sent == {code for code in made if asks(code)}
    assert {"your_turn", "line_up_due"} <= sent
    assert not sent & {"cycle_closed", "token_made", "password_changed"}


def test_read_and_old_notices_and_those_of_people_without_a_browser_are_not_sent(
    kai: User, own: PushSubscription, push_browser: Browser
) -> None:
    mara = accounts.create_account("Mara", "mara@example.org", "correct horse battery")
    said(mara)
    old, read, late = said(kai), said(kai), said(kai)
    Notice.objects.filter(pk=old.pk).update(created_at=timezone.now() - pushes.STALE - timedelta(seconds=1))
    Notice.objects.filter(pk=read.pk).update(read_at=timezone.now())
    assert pushes.waiting_now() == [late.pk]
    scan_for_pushes()
    accounts.mark_notices_read(kai)
    assert run_pending() == 1
    assert push_browser.service.sent == []


def test_after_its_deadline_a_message_is_worth_nothing_and_before_it_no_longer_kept(
    kai: User, own: PushSubscription, push_browser: Browser
) -> None:
    now = timezone.now()
    for minutes in (-1, 30):
        due = (now + timedelta(minutes=minutes)).isoformat()
        accounts.notify([kai], "your_turn", {"match": "Ash and Birch", "due": due}, PAGE)
    scan_for_pushes()
    assert run_pending() == 2
    [sent] = push_browser.service.sent
    assert 0 < int(sent.headers["TTL"]) <= 30 * 60


def test_without_a_key_nothing_is_asked_and_nothing_is_sent(
    kai: User, own: PushSubscription, push_browser: Browser, settings: Any, django_assert_num_queries: Any
) -> None:
    said(kai)
    settings.PUSH_PRIVATE_KEY = ""
    with django_assert_num_queries(0):
        scan_for_pushes()


def test_the_first_browser_gets_only_what_comes_after_it(kai: User, push_browser: Browser) -> None:
    said(kai)
    pushes.subscribe(person=kai, **push_browser.form)
    later = said(kai)
    pushes.subscribe(person=kai, **{**push_browser.form, "endpoint": "https://push.example.org/phone"})
    assert pushes.waiting_now() == [later.pk]


def test_each_browser_of_a_person_gets_its_own_message(kai: User, push_browser: Browser) -> None:
    for number in range(3):
        place = f"{push_browser.service.url}{number}"
        pushes.subscribe(person=kai, **{**push_browser.form, "endpoint": place})
    said(kai)
    scan_for_pushes()
    assert run_pending() == 3
    assert sorted(sent.path[-1] for sent in push_browser.service.sent) == ["0", "1", "2"]


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_its_push_service_does_not_know_is_dropped(
    kai: User, own: PushSubscription, push_browser: Browser, status: int
) -> None:
    push_browser.service.answers = in_turn(status)
    said(kai)
    scan_for_pushes()
    run_pending()
    assert not PushSubscription.objects.exists()
    told = Notice.objects.get(code="browser_dropped")
    assert (told.user, told.url, told.asks) == (kai, "/people/push", False)
    assert all_due() == 0
    said(kai)
    assert pushes.waiting_now() == []


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_or_broken_push_service_is_asked_again_after_pauses(
    kai: User, own: PushSubscription, push_browser: Browser, status: int
) -> None:
    push_browser.service.answers = in_turn(status, status, 201)
    said(kai)
    scan_for_pushes()
    begun = timezone.now()
    run_pending()
    assert put_off(10, since=begun)
    begun = timezone.now()
    all_due()
    assert put_off(60, since=begun)
    all_due()
    assert all_due() == 0
    assert len(push_browser.service.sent) == 3
    assert PushSubscription.objects.get().failures == 0


def test_a_push_service_may_ask_for_a_longer_pause_but_not_for_ever(
    kai: User, own: PushSubscription, push_browser: Browser
) -> None:
    push_browser.service.answers = in_turn(429, headers={"Retry-After": "600"})
    said(kai)
    scan_for_pushes()
    begun = timezone.now()
    run_pending()
    assert put_off(600, since=begun)
    push_browser.service.answers = in_turn(429, headers={"Retry-After": "86400"})
    begun = timezone.now()
    all_due()
    assert put_off(3600, since=begun)


def test_a_message_is_given_up_after_its_tries_and_a_browser_after_five_messages(
    kai: User, own: PushSubscription, push_browser: Browser
) -> None:
    push_browser.service.answers = in_turn(503)
    said(kai)
    scan_for_pushes()
    while all_due():
        assert len(push_browser.service.sent) <= 1 + len(pushes.PAUSES)
    assert len(push_browser.service.sent) == 1 + len(pushes.PAUSES)
    assert PushSubscription.objects.get().failures == 1
    # Another key, or none: the push service refuses for good, and a further try would not help.
    push_browser.service.answers = in_turn(403)
    for _ in range(pushes.MOST_GIVEN_UP - 1):
        assert PushSubscription.objects.exists()
        said(kai)
        scan_for_pushes()
        run_pending()
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(
    "reply",
    [
        Reply(None, "too_slow"),
        Reply(None, "no_connection", has_waited=True),
        Reply(201, has_waited=True),
    ],
)
def test_a_slow_push_service_is_not_asked_again_and_soon_never(
    kai: User, own: PushSubscription, push_browser: Browser, monkeypatch: pytest.MonkeyPatch, reply: Reply
) -> None:
    """Only one message at a time leaves the site: some browsers of one person would hold up all others."""
    tries = []
    monkeypatch.setattr(posting, "post", lambda *asked: tries.append(asked) or reply)
    for number in range(1, 4):
        assert PushSubscription.objects.exists()
        said(kai)
        scan_for_pushes()
        run_pending()
        assert not Job.objects.exclude(not_before=None).filter(state="queued").exists()
        assert len(tries) == number
    assert not PushSubscription.objects.exists()


def test_a_message_that_arrives_forgets_the_failures_before(
    kai: User, own: PushSubscription, push_browser: Browser
) -> None:
    PushSubscription.objects.update(failures=pushes.MOST_GIVEN_UP - 1)
    said(kai)
    scan_for_pushes()
    run_pending()
    assert PushSubscription.objects.get().failures == 0


def test_a_worker_that_dies_after_its_try_does_not_try_again(
    kai: User, own: PushSubscription, push_browser: Browser
) -> None:
    said(kai)
    scan_for_pushes()
    run_pending()
    Job.objects.update(state="queued", finished_at=None)
    assert all_due() == 1
    assert len(push_browser.service.sent) == 1


def test_an_address_that_leads_into_the_network_is_not_asked_and_dropped(
    kai: User, own: PushSubscription, push_browser: Browser, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name was public when the browser was switched on, and leads to this host now."""
    settings.WEBHOOKS_PRIVATE = False
    host, _, port = push_browser.service.url.removeprefix("http://").partition("/")[0].partition(":")
    PushSubscription.objects.update(endpoint=f"http://push.example.org:{port}/x")
    monkeypatch.setattr(addresses, "look_up", lambda name, number: [host])
    said(kai)
    scan_for_pushes()
    run_pending()
    assert push_browser.service.sent == []
    assert not PushSubscription.objects.exists()


def test_a_name_that_nobody_knows_now_may_be_known_again(
    kai: User, own: PushSubscription, push_browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    PushSubscription.objects.update(endpoint=push_browser.service.url.replace("127.0.0.1", "push.example.org"))
    monkeypatch.setattr(addresses, "look_up", lambda name, number: [])
    said(kai)
    scan_for_pushes()
    begun = timezone.now()
    run_pending()
    assert put_off(10, since=begun)
    assert PushSubscription.objects.exists()


def test_a_long_sentence_still_fits_into_one_message(kai: User, own: PushSubscription, push_browser: Browser) -> None:
    accounts.notify([kai], "your_turn", {"match": "’" * 5000}, "/" + "x" * 299)
    scan_for_pushes()
    run_pending()
    [message] = push_browser.messages()
    assert len(message["body"]) == pushes.LONGEST_SENTENCE
