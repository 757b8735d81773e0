"""Mails: one digest a day at the person's hour, at once only what cannot wait, each notice once at most."""

from __future__ import annotations

import re
import smtplib
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.urls import reverse

from jobs.models import Job
from jobs.services import run_pending
from people.models import Notice, User
from people.services import accounts, mails
from people.text import digests, notices
from solaris_site.jobs import scan_for_mails

pytestmark = [pytest.mark.django_db, pytest.mark.database]

NOON = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
NAMES = {"season": "Winter", "stable": "Kestrel Row", "match": "Ash and Birch", "cycle": 1}


@pytest.fixture
def kai() -> User:
    return accounts.create_account("Kai", "kai@example.org", "correct horse battery", "Asia/Tokyo")


@pytest.fixture
def mara() -> User:
    return accounts.create_account("Mara", "mara@example.org", "correct horse battery")


def said(person: User, code: str, at: datetime | None = None, url: str = "/seasons/winter/") -> Notice:
    [notice] = accounts.notify([person], code, NAMES, url)
    if at is not None:
        Notice.objects.filter(pk=notice.pk).update(created_at=at)
    return notice


def test_only_your_turn_reports_and_near_matches_are_mailed_at_once(kai: User) -> None:
    for code in ("cycle_closed", "your_turn", "report_names_you", "report_disputed", "match_near", "line_up_due"):
        said(kai, code)
    scan_for_mails()
    run_pending()
    [message] = mail.outbox
    assert message.subject == "4 more, and: Ash and Birch waits for you: it is your turn."
    lines = message.body.splitlines()
    assert [line for line in lines if line.endswith((".", "…")) and "http" not in line] == [
        "Ash and Birch waits for you: it is your turn.",
        "Kestrel Row has reported the result of your match in Winter. Confirm it or report.",
        "Winter, round …: the reports of … differ in … of what they say. See them side by side. Format: …. Arena: ….",
        "Your match in Winter is near: Ash and Birch.",
        "Winter, cycle 1, round …: your line-up for … is called for until …. Format: …. Arena: ….",
    ]
    assert message.to == ["kai@example.org"]
    assert lines.count("http://localhost:8000/seasons/winter/") == 5
    assert set(Notice.objects.filter(mailed_at=None).values_list("code", flat=True)) == {"cycle_closed"}


def test_ticks_redelivery_and_two_workers_mail_a_notice_once(kai: User) -> None:
    said(kai, "your_turn")
    scan_for_mails()
    scan_for_mails()
    run_pending()
    assert not mails.send_waiting(kai.pk)
    scan_for_mails()
    assert run_pending() == 0
    assert len(mail.outbox) == Job.objects.count() == 1


def test_people_choose_what_is_mailed_at_once_and_the_rest_waits_for_the_digest(kai: User) -> None:
    User.objects.filter(pk=kai.pk).update(mail_your_turn=False, mail_reports=False)
    near = said(kai, "match_near", at=NOON)
    said(kai, "your_turn", at=NOON)
    assert mails.waiting_now(NOON) == [(kai.pk, near.pk)]
    assert mails.send_waiting(kai.pk, NOON)
    assert not mails.send_waiting(kai.pk, NOON + timedelta(hours=2))
    assert mails.send_digest(kai.pk, NOON + timedelta(hours=2))
    assert ["it is your turn" in message.body for message in mail.outbox] == [False, True]


@pytest.mark.parametrize(
    ("change", "is_mailed"),
    [({}, True), ({"email": ""}, False), ({"is_active": False}, False), ({"mail_digest": False}, True)],
)
def test_nobody_is_mailed_who_cannot_or_will_not_be(kai: User, change: dict[str, Any], is_mailed: bool) -> None:
    User.objects.filter(pk=kai.pk).update(**change)
    said(kai, "your_turn")
    assert bool(mails.waiting_now()) == is_mailed


def test_what_was_read_is_not_mailed_and_what_is_a_day_old_is_not_sent_at_once(kai: User) -> None:
    said(kai, "your_turn")
    accounts.mark_notices_read(kai)
    old = said(kai, "your_turn", at=NOON - timedelta(hours=25))
    assert mails.waiting_now(NOON) == []
    assert mails.digests_due(NOON)[0][0] == old.user_id


@pytest.mark.parametrize(
    ("zone", "hour", "now", "moment"),
    [
        ("UTC", 8, "2026-03-10T12:00", "2026-03-10T08:00"),
        ("UTC", 13, "2026-03-10T12:00", "2026-03-09T13:00"),
        ("UTC", 12, "2026-03-10T12:00", "2026-03-10T12:00"),
        ("Asia/Tokyo", 8, "2026-03-10T12:00", "2026-03-09T23:00"),
        ("America/New_York", 8, "2026-03-08T11:59", "2026-03-07T13:00"),  # the night in which clocks go forward
        ("America/New_York", 8, "2026-03-08T12:00", "2026-03-08T12:00"),
        ("Mars/Olympus", 8, "2026-03-10T12:00", "2026-03-10T08:00"),
    ],
)
def test_the_hour_is_of_the_persons_own_time_zone(zone: str, hour: int, now: str, moment: str) -> None:
    at, expected = (datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (now, moment))
    assert mails.latest_moment(zone, hour, at) == expected


def test_one_digest_a_day_with_all_that_is_new(kai: User, mara: User) -> None:
    User.objects.filter(pk=kai.pk).update(digest_hour=20)  # 11:00 UTC
    said(kai, "cycle_closed", at=NOON - timedelta(hours=2))
    said(mara, "cycle_closed", at=NOON - timedelta(hours=2))  # her hour was 8:00 UTC
    assert mails.digests_due(NOON) == [(kai.pk, NOON - timedelta(hours=1))]
    assert mails.send_digest(kai.pk, NOON)
    said(kai, "settings_announced", at=NOON)
    assert [user for user, _ in mails.digests_due(NOON + timedelta(days=1))] == [kai.pk, mara.pk]
    [message] = mail.outbox
    assert message.subject == "Solaris Circuit: 1 new"
    assert "Cycle 1 of Winter is closed" in message.body
    assert "http://localhost:8000/people/notices" in message.body


def test_a_digest_that_is_sent_twice_at_once_tells_everything_once(kai: User) -> None:
    said(kai, "cycle_closed")
    assert mails.send_digest(kai.pk)
    assert not mails.send_digest(kai.pk)
    assert len(mail.outbox) == 1


def test_a_digest_is_grouped_by_season_and_topic_and_dated(kai: User) -> None:
    """Kai lives in Tokyo, nine hours ahead."""
    said(kai, "cycle_closed", at=NOON - timedelta(hours=20))
    accounts.notify([kai], "market_open", {"season": "Summer", "cycle": 2, "due": "2026-03-12T18:00:00+00:00"}, "/s/")
    said(kai, "season_started", at=NOON - timedelta(hours=18))
    for hours in range(7):
        said(kai, "result_decided", at=NOON - timedelta(hours=10 - hours))
    accounts.notify([kai], "your_turn", {"match": "Ash – Birch"})
    Notice.objects.filter(code__in=["market_open", "your_turn"]).update(created_at=NOON)
    assert mails.send_digest(kai.pk)
    body = mail.outbox[0].body
    lines = [line for line in body.splitlines() if line]
    assert "Times are in your time zone, Asia/Tokyo." in lines
    heads = [line for line in lines if line.startswith("==") or line.endswith(":")]
    assert heads[:7] == [
        "== Winter ==",
        "8 results, from Tue 10 Mar 2026, 01:00 to Tue 10 Mar 2026, 17:00. The newest:",
        "1 piece of news of the season:",
        "== Summer ==",
        "1 notice about the market:",
        "== Without a season ==",
        "1 match that calls you:",
    ]
    assert (
        "* Tue 10 Mar 2026, 21:00: The market of cycle 2 of Summer is open until Fri 13 Mar 2026, 03:00 (Asia/Tokyo)."
        in lines
    )
    assert body.count("decided the result") == digests.SHOWN_OF_A_TOPIC
    assert not Notice.objects.filter(mailed_at=None).exists()


def test_a_long_digest_is_cut_and_says_so(kai: User) -> None:
    seasons = digests.LINES_OF_A_DIGEST // digests.SHOWN_OF_A_TOPIC + 2
    for number in range(seasons):
        for _ in range(digests.SHOWN_OF_A_TOPIC):
            accounts.notify([kai], "season_started", {"season": f"Winter {number}"})
    mails.send_digest(kai.pk)
    body = mail.outbox[0].body
    assert body.count("has begun.") == digests.LINES_OF_A_DIGEST
    assert "And 3 more: http" in body
    assert not Notice.objects.filter(mailed_at=None).exists()


def test_a_season_whose_name_is_a_link_is_none_in_a_digest(kai: User) -> None:
    accounts.notify([kai], "role_given", {"season": "Win at https://evil.example/now", "role": "referee"})
    mails.send_digest(kai.pk)
    assert "== Win at … ==" in mail.outbox[0].body
    assert "evil" not in mail.outbox[0].body


@pytest.mark.parametrize("code", ["line_up_due", "season_started", "stable_repaired"])
def test_nothing_that_people_wrote_is_a_link_in_a_mail(kai: User, code: str) -> None:
    """An organiser may make anybody the owner of a stable, and write to them from then on."""
    asks = "Account locked. Unlock it here: https://evil.example/unlock"
    facts = {"season": asks, "pairing": "evil.example – Ash", "stable": "evil.example", "reason": asks, "cycle": 1}
    accounts.notify([kai], code, {**facts, "round": 1, "due": "2026-03-12T12:00:00+00:00"}, "/seasons/winter/")
    assert mails.send_waiting(kai.pk) or mails.send_digest(kai.pk)
    [message] = mail.outbox
    assert "evil.example" not in message.subject + message.body
    assert "https://evil.example/unlock" in notices.notice_sentence(code, facts), "the page says it all"


@pytest.mark.parametrize(
    ("code", "facts"),
    [
        ("job_failed", {"job": "stables.pair_round"}),
        (
            "settings_announced",
            {"cycle": 2, "changes": [{"setting": "house_rules.target_tokens", "before": True, "after": False}]},
        ),
        ("calendar_changed", {"changes": [{"setting": "calendar.line_up_hours", "before": 24, "after": 48}]}),
    ],
)
def test_words_of_the_site_are_the_same_in_a_mail(code: str, facts: dict[str, Any]) -> None:
    """Keys of settings and jobs look like links."""
    said = notices.notice_sentence(code, {"season": "Winter", **facts}, for_mail=True)
    assert said == notices.notice_sentence(code, {"season": "Winter", **facts})
    assert "…" not in said


def test_every_notice_has_a_topic_of_the_digest() -> None:
    assert {
        code
        for code in notices.sentences()
        if notices.topic_of(code) not in digests.TOPICS or not notices.topic_of(code)
    } == {"miniature_taken_down", "write_up_taken_down"}


def test_a_mail_at_once_has_times_in_the_persons_own_zone(kai: User) -> None:
    facts = {**NAMES, "round": 2, "pairing": "Ash – Birch", "at": "2026-03-10T15:30:00+00:00"}
    accounts.notify([kai], "date_proposed", facts, "/s/")
    assert mails.send_waiting(kai.pk)
    [message] = mail.outbox
    assert message.subject == (
        "Winter, round 2: Kestrel Row proposes a date for Ash – Birch: Wed 11 Mar 2026, 00:30 (Asia/Tokyo)."
    )
    assert "2026-03-10" not in message.body


def test_who_wants_no_mails_about_dates_has_them_in_the_digest(kai: User) -> None:
    said(kai, "proposal_accepted")
    waits = said(kai, "mode_proposed")
    assert mails.waiting_now() == [(kai.pk, waits.pk)]
    User.objects.filter(pk=kai.pk).update(mail_dates=False)
    assert mails.waiting_now() == []
    assert mails.send_digest(kai.pk)
    assert "2 proposals and dates" in mail.outbox[0].body


def test_names_cannot_break_a_header(kai: User) -> None:
    accounts.notify([kai], "your_turn", {"match": "Ash\nBcc: all@example.org"})
    mails.send_waiting(kai.pk)
    assert mail.outbox[0].subject == "Ash Bcc: … waits for you: it is your turn."


def test_a_server_that_does_not_answer_leaves_the_mail_for_later(kai: User, monkeypatch: Any) -> None:
    notice = said(kai, "your_turn")

    def refuse(self: Any) -> None:
        raise ConnectionRefusedError

    with monkeypatch.context() as changed:
        changed.setattr(EmailBackend, "open", refuse)
        with pytest.raises(ConnectionRefusedError):
            mails.send_waiting(kai.pk)
    assert mails.waiting_now() == [(kai.pk, notice.pk)]
    assert mails.send_waiting(kai.pk)


def test_a_mail_of_which_nobody_knows_whether_it_went_is_not_sent_again(kai: User, monkeypatch: Any) -> None:
    said(kai, "your_turn")

    def lose(self: Any, messages: Any) -> int:
        raise smtplib.SMTPServerDisconnected

    with monkeypatch.context() as changed:
        changed.setattr(EmailBackend, "send_messages", lose)
        assert not mails.send_waiting(kai.pk)
    assert mails.waiting_now() == []
    assert mails.digests_due(NOON + timedelta(days=3650)) == []


# Ending them ----------------------------------------------------------------------------------------------------------


def link_of(person: User, code: str) -> str:
    said(person, code)
    mails.send_waiting(person.pk)
    header = mail.outbox[-1].extra_headers["List-Unsubscribe"]
    assert header.strip("<>") in mail.outbox[-1].body
    return re.sub(r"^<http://localhost:8000|>$", "", header)


def test_a_link_ends_one_kind_of_mail_without_logging_in_and_only_when_pressed(kai: User, mara: User) -> None:
    link, client = link_of(kai, "match_near"), Client(enforce_csrf_checks=True)
    assert "Kai" in client.get(link).content.decode()
    kai.refresh_from_db()
    assert kai.mail_match_near
    assert client.post(link, {"List-Unsubscribe": "One-Click"}).status_code == 200
    for person in (kai, mara):
        person.refresh_from_db()
    assert (kai.mail_match_near, kai.mail_your_turn, kai.mail_digest) == (False, True, True)
    assert mara.mail_match_near


def test_all_mails_can_be_ended_at_once(kai: User) -> None:
    Client().post(link_of(kai, "your_turn"), {"what": "everything"})
    kai.refresh_from_db()
    assert not any(getattr(kai, kind.field) for kind in mails.KINDS.values())


@pytest.mark.parametrize("token", ["x", "WzEsImRpZ2VzdCJd:1tAAAA:forged", ":::"])
def test_a_forged_link_is_none(client: Client, kai: User, token: str) -> None:
    address = reverse("people:unsubscribe", args=[token])
    assert client.get(address).status_code == client.post(address).status_code == 404
    assert client.put(address).status_code in (404, 405)


def test_the_account_page_offers_the_choice(client: Client, kai: User) -> None:
    client.force_login(kai)
    page = client.get(reverse("people:account")).content.decode()
    for kind in mails.KINDS.values():
        assert f'name="{kind.field}"' in page
    values = {"email": kai.email, "time_zone": "Europe/Berlin", "digest_hour": "21", "mail_reports": "on"}
    assert client.post(reverse("people:account"), values).status_code == 302
    kai.refresh_from_db()
    assert (kai.digest_hour, kai.mail_reports, kai.mail_digest, kai.mail_your_turn) == (21, True, False, False)
    for wrong in ("24", "-1", "noon"):
        assert client.post(reverse("people:account"), values | {"digest_hour": wrong}).status_code == 200
    assert client.post(reverse("people:account"), values | {"digest_hour": ""}).status_code == 302
    kai.refresh_from_db()
    assert kai.digest_hour == 21


def test_looking_for_mails_takes_two_queries_when_nothing_waits(
    kai: User, mara: User, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(2):
        scan_for_mails()
