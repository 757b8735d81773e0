"""News that go out: what is told, how it is signed, tried again, given up; deleting and turning off on the way."""

from __future__ import annotations

import base64
import io
import logging
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from jobs.models import Job
from jobs.registry import registry
from jobs.services import run_pending
from people.models import Notice
from people.services import TooOften
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Delivery, LogEntry, Season, SeasonRole, Webhook
from stables.outlets import posting
from stables.season_jobs import season_jobs
from stables.services import deliveries, endings, log, pauses, roles, webhooks
from tests.stables.receiver import Receiver, in_turn, receiver, say, verify

__all__ = ["receiver"]
pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def keeper(season: Season) -> Any:
    person = get_user_model().objects.create_user("keeper", "keeper@example.org", "secret words")
    season.organiser = person
    season.save(update_fields=["organiser"])
    return person


@pytest.fixture
def webhook(season: Season, keeper: Any, receiver: Receiver) -> Webhook:
    made = webhooks.make(season=season, url=receiver.url, format="generic", codes=[], actor=keeper)
    # The jobs of founding are not what these tests are about.
    Job.objects.all().delete()
    return made


def fresh(season: Season) -> Season:
    """The season as the next request reads it."""
    return Season.objects.get(pk=season.pk)


def tell(season: Season, code: str = "stable_founded", **parameters: Any) -> Delivery:
    entry = log.record(fresh(season), code, parameters or {"stable": "Ash", "cycle": 1})
    return Delivery.objects.get(log_entry=entry)


def run_due() -> int:
    """Do every job, whose time has come or not."""
    Job.objects.filter(state="queued").update(not_before=None)
    return run_pending()


def test_a_line_of_the_log_arrives_once_and_signed(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    told = tell(season)
    assert receiver.sent == []
    assert run_pending() == 1
    (sent,) = receiver.sent
    document = verify(webhook.secret, sent.headers, sent.body)
    assert document == {
        "id": str(told.public_id),
        "version": 1,
        "code": "stable_founded",
        "sentence": "Ash is founded and takes part from cycle 1 on.",
        "parameters": {"stable": "Ash", "cycle": 1},
        "season": {
            "name": season.name,
            "slug": season.slug,
            "url": f"http://localhost:8000/seasons/{season.slug}/",
        },
        "cycle": None,
        "fixture": None,
        "time": told.log_entry.created_at.isoformat(),  # type: ignore[union-attr]
    }
    assert sent.path == "/news?key=abcd"
    assert sent.headers["Webhook-Id"] == document["id"]
    assert sent.headers["Content-Type"] == "application/json"
    assert sent.headers["User-Agent"].startswith("Solaris-Circuit")
    assert sent.headers["Host"] == receiver.url.split("/")[2]
    with pytest.raises(ValueError, match="not from there"):
        verify(webhook.secret, sent.headers, sent.body + b" ")
    with pytest.raises(ValueError, match="not from there"):
        verify("whsec_" + base64.b64encode(b"x" * 32).decode(), sent.headers, sent.body)
    told.refresh_from_db()
    assert (told.state, told.tries, told.next_try_at) == ("delivered", 1, None)
    assert [(each["try"], each["status"], each["problem"]) for each in told.answers] == [(1, 204, "")]
    assert run_pending() == 0
    assert len(receiver.sent) == 1


def test_line_delivery_and_job_are_there_together_or_not_at_all(season: Season, webhook: Webhook) -> None:
    lines = LogEntry.objects.count()
    with transaction.atomic():
        tell(season)
        transaction.set_rollback(True)
    assert (LogEntry.objects.count(), Delivery.objects.count(), Job.objects.count()) == (lines, 0, 0)
    tell(season)
    (job,) = Job.objects.all()
    assert (job.name, job.state) == ("stables.deliver", "queued")
    assert job.unique_key == f"stables:delivery:{Delivery.objects.get().public_id}:1"
    # Nobody on the season's pages waits for it, nor reads the address in a job.
    assert season_jobs(season) == []
    assert webhook.url not in str(job.payload)


def test_a_failure_is_tried_again_after_a_pause_and_under_the_same_id(
    season: Season, webhook: Webhook, receiver: Receiver
) -> None:
    receiver.answers = in_turn(500, 500, 200)
    told = tell(season)
    for number, pause in ((1, timedelta(seconds=10)), (2, timedelta(minutes=1))):
        before = timezone.now()
        assert run_pending() == 1
        told.refresh_from_db()
        job = Job.objects.get(unique_key=f"stables:delivery:{told.public_id}:{number + 1}")
        assert job.not_before == told.next_try_at
        assert before + pause <= job.not_before <= timezone.now() + pause
        assert (told.state, told.tries) == ("waiting", number)
        # Not before its time.
        assert run_pending() == 0
        Job.objects.filter(pk=job.pk).update(not_before=timezone.now() - timedelta(seconds=1))
    assert run_pending() == 1
    told.refresh_from_db()
    assert (told.state, told.tries, [each["status"] for each in told.answers]) == ("delivered", 3, [500, 500, 200])
    assert {sent.headers["Webhook-Id"] for sent in receiver.sent} == {str(told.public_id)}
    assert len({sent.body for sent in receiver.sent}) == 1
    webhook.refresh_from_db()
    assert webhook.failures == 0


def test_the_pauses_are_about_a_day_in_all() -> None:
    assert timedelta(hours=20) < sum(deliveries.PAUSES, timedelta()) < timedelta(hours=30)
    assert list(deliveries.PAUSES) == sorted(deliveries.PAUSES)


@pytest.mark.parametrize(
    ("wished", "pause"),
    [
        ("120", timedelta(seconds=120)),
        ("3", timedelta(seconds=10)),
        ("999999999999", timedelta(hours=6)),
        ("-5", timedelta(seconds=10)),
        ("soon", timedelta(seconds=10)),
        ("Thu, 01 Jan 1970 00:00:00 GMT", timedelta(seconds=10)),
        ("Fri, 31 Dec 9999 23:59:59 GMT", timedelta(hours=6)),
    ],
)
def test_a_wish_to_be_left_alone_is_heard_within_bounds(
    season: Season, webhook: Webhook, receiver: Receiver, wished: str, pause: timedelta
) -> None:
    receiver.answers = in_turn(429, headers={"Retry-After": wished})
    told = tell(season)
    before = timezone.now()
    run_pending()
    told.refresh_from_db()
    assert told.next_try_at is not None
    assert before + pause <= told.next_try_at <= timezone.now() + pause


def test_a_date_in_retry_after_is_read() -> None:
    now = datetime(3152, 3, 1, 12, tzinfo=UTC)
    assert posting.seconds_of("Wed, 01 Mar 3152 12:02:00 GMT", now) == 120
    assert posting.seconds_of(None, now) is None
    # A date without a zone cannot be compared, and is no reason to fall over.
    assert posting.seconds_of("Wed, 01 Mar 3152 12:02:00 -0000", now) is None


def test_gone_turns_the_webhook_off_at_once(season: Season, webhook: Webhook, receiver: Receiver, keeper: Any) -> None:
    helper = get_user_model().objects.create_user("helper", "helper@example.org", "secret words")
    SeasonRole.objects.create(season=season, user=helper, role=SeasonRole.Role.CO_ORGANISER)
    receiver.answers = in_turn(410)
    told, other = tell(season), tell(season)
    run_due()
    webhook.refresh_from_db()
    told.refresh_from_db()
    other.refresh_from_db()
    assert webhook.disabled_at is not None
    assert (told.state, other.state) == ("failed", "failed")
    assert [each["problem"] for each in other.answers] == ["webhook_off"]
    assert len(receiver.sent) == 1
    notices = Notice.objects.filter(code="webhook_turned_off")
    assert {notice.user.username for notice in notices} == {"keeper", "helper"}
    assert all("abcd" not in str(notice.parameters) for notice in notices)
    assert notices[0].url == f"/seasons/{season.slug}/webhooks/{webhook.public_id}/"
    # Off: nothing new is put on its way.
    log.record(fresh(season), "season_paused")
    assert Delivery.objects.count() == 2


def give_up(season: Season) -> Delivery:
    told = tell(season)
    while run_due():
        pass
    told.refresh_from_db()
    return told


def test_after_all_tries_it_is_given_up_and_after_five_in_a_row_the_webhook_is_off(
    season: Season, webhook: Webhook, receiver: Receiver
) -> None:
    receiver.answers = in_turn(500)
    told = give_up(season)
    assert (told.state, told.tries, told.next_try_at) == ("failed", 8, None)
    assert told.ended_at is not None
    for number in range(2, 5):
        give_up(season)
        webhook.refresh_from_db()
        assert (webhook.failures, webhook.disabled_at) == (number, None)
    # One that arrives begins the count anew.
    receiver.answers = in_turn(200)
    give_up(season)
    webhook.refresh_from_db()
    assert webhook.failures == 0
    receiver.answers = in_turn(503)
    for _ in range(5):
        give_up(season)
    webhook.refresh_from_db()
    assert webhook.disabled_at is not None
    assert Notice.objects.filter(code="webhook_turned_off", user__username="keeper").count() == 1
    # Turned on again by hand it starts with a clean sheet.
    webhooks.change(webhook=webhook, is_on=True)
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.disabled_at) == (0, None)


def test_a_redirect_is_a_failure_and_nobody_follows_it(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    there = receiver.url.replace("/news?key=abcd", "/elsewhere")
    for status in (301, 302, 303, 307, 308):
        receiver.answers = in_turn(status, headers={"Location": there})
        told = tell(season)
        run_pending()
        told.refresh_from_db()
        assert (told.state, told.answers[-1]["problem"]) == ("waiting", "redirect")
    assert {sent.path for sent in receiver.sent} == {"/news?key=abcd"}


def test_a_slow_answer_ends_the_try(
    season: Season, webhook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "READ_SECONDS", 0.2)
    receiver.answers = lambda handler, number: receiver.over.wait(30)
    told = tell(season)
    run_pending()
    told.refresh_from_db()
    assert (told.state, told.answers[0]["status"], told.answers[0]["problem"]) == ("waiting", None, "too_slow")


def test_an_answer_that_drips_ends_the_try_too(
    season: Season, webhook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each byte comes in time, so that the limit of a single read would never be reached."""
    monkeypatch.setattr(posting, "ALL_SECONDS", 0.6)

    def drip(handler: BaseHTTPRequestHandler, number: int) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not receiver.over.wait(0.05):
            handler.wfile.write(b"x")

    receiver.answers = drip
    told = tell(season)
    run_pending()
    told.refresh_from_db()
    assert (told.state, told.answers[0]["problem"]) == ("waiting", "too_slow")


def test_a_body_that_drips_is_not_waited_for(
    season: Season, webhook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "ALL_SECONDS", 0.6)

    def drip(handler: BaseHTTPRequestHandler, number: int) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while not receiver.over.wait(0.05):
            handler.wfile.write(b"x")

    receiver.answers = drip
    told = tell(season)
    run_pending()
    told.refresh_from_db()
    assert told.state == "delivered"


def test_of_a_huge_answer_only_the_beginning_is_read(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    written = []

    def flood(handler: BaseHTTPRequestHandler, number: int) -> None:
        handler.send_response(200)
        handler.send_header("Content-Encoding", "gzip")
        handler.send_header("Content-Length", str(10**9))
        handler.end_headers()
        try:
            for _ in range(1000):
                handler.wfile.write(b"x" * 10**6)
                written.append(10**6)
        except OSError:
            written.append(-1)

    receiver.answers = flood
    told = tell(season)
    run_pending()
    told.refresh_from_db()
    assert told.state == "delivered"
    receiver.over.wait(0.3)
    assert sum(written) < 50 * 10**6


def test_what_is_no_http_is_no_answer(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    receiver.answers = lambda handler, number: handler.wfile.write(b"+OK redis is here\r\n") and None
    told = tell(season)
    run_pending()
    told.refresh_from_db()
    assert told.answers[0]["problem"] == "no_answer"


def test_a_receiver_that_answers_nonsense_writes_no_secret_into_the_log(
    season: Season, webhook: Webhook, receiver: Receiver
) -> None:
    """A line of a header that cannot be read makes the library of HTTP warn, with the address that was asked."""
    answer = b"HTTP/1.1 200 OK\r\nno header line\r\nX: y\r\nConnection: close\r\n\r\n"
    receiver.answers = lambda handler, number: handler.wfile.write(answer) and None
    written = io.StringIO()
    kept = logging.StreamHandler(written)
    loggers = [logging.getLogger(name) for name in ("", "urllib3", "urllib3.connection")]
    for each in loggers:
        each.addHandler(kept)
    try:
        tell(season)
        run_pending()
    finally:
        for each in loggers:
            each.removeHandler(kept)
    assert len(receiver.sent) == 1
    assert "key=abcd" not in written.getvalue()
    assert logging.getLogger("urllib3").propagate is False


def test_where_nobody_listens_no_connection_comes_about(season: Season, webhook: Webhook) -> None:
    Webhook.objects.update(url="http://127.0.0.1:1/")
    told = tell(season)
    run_pending()
    told.refresh_from_db()
    assert (told.state, told.answers[0]["problem"]) == ("waiting", "no_connection")


def test_a_proxy_of_the_environment_is_not_asked(
    season: Season, webhook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    tell(season)
    run_pending()
    assert len(receiver.sent) == 1


# What is told --------------------------------------------------------------------------------------------------------


def test_only_the_codes_that_were_chosen_are_sent(season: Season, keeper: Any, receiver: Receiver) -> None:
    webhooks.make(season=season, url=receiver.url, format="generic", codes=["season_paused"], actor=keeper)
    Job.objects.all().delete()
    log.record(fresh(season), "stable_founded", {"stable": "Ash", "cycle": 1})
    log.record(fresh(season), "season_paused")
    run_pending()
    assert [document["code"] for document in receiver.documents()] == ["season_paused"]


def test_nothing_of_a_draft_is_told_until_it_is_published(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    from stables.services.openings import publish_season

    Season.objects.update(state=Season.State.DRAFT)
    log.record(fresh(season), "stable_founded", {"stable": "Ash", "cycle": 1})
    assert Delivery.objects.count() == 0
    publish_season(season_id=season.pk)
    run_pending()
    assert [document["code"] for document in receiver.documents()] == ["season_published"]


def test_pauses_and_the_end_of_a_season_are_news(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    Season.objects.update(state=Season.State.RUNNING)
    pauses.pause(season_id=season.pk)
    endings.cancel_season(season_id=season.pk, is_sure=True)
    run_pending()
    assert [document["code"] for document in receiver.documents()] == ["season_paused", "season_cancelled"]


def test_a_document_tells_only_what_the_sentence_of_the_log_tells(
    season: Season, webhook: Webhook, receiver: Receiver
) -> None:
    tell(season, "stable_founded", stable="Ash", cycle=1, seed="abc", email="ash@example.org")
    run_pending()
    assert receiver.sent[0].document["parameters"] == {"stable": "Ash", "cycle": 1}
    assert b"ash@example.org" not in receiver.sent[0].body
    assert bytes(season.secret).hex().encode() not in receiver.sent[0].body


def test_an_account_is_named_as_it_is_called_when_the_news_are_sent(
    season: Season, webhook: Webhook, receiver: Receiver
) -> None:
    person = get_user_model().objects.create_user("ada", "ada@example.org", "secret words")
    roles.give_role(season_id=season.pk, name="ada", role="referee")
    (told,) = Delivery.objects.all()
    # The row keeps the number, as the line does.
    assert told.document["parameters"] == {"person": person.pk}
    get_user_model().objects.filter(pk=person.pk).update(username="ada.b")
    run_pending()
    document = receiver.sent[0].document
    assert document["parameters"] == {"person": "ada.b"}
    assert "ada.b" in document["sentence"]
    assert "example.org" not in receiver.sent[0].body.decode()


def test_many_webhooks_cost_a_line_a_constant_number_of_queries(
    season: Season, keeper: Any, receiver: Receiver
) -> None:
    counts = []
    for number in range(3):
        again = fresh(season)
        counts.append([])
        for _ in range(2):
            with CaptureQueriesContext(connection) as queries:
                log.record(again, "season_paused")
            counts[-1].append(len(queries))
        webhooks.make(season=season, url=f"{receiver.url}{number}", format="generic", codes=[], actor=keeper)
    # None listens: one query, and only for the first line of the same object.
    assert counts[0] == [2, 1]
    # A webhook more costs as much as the one before it, and there are five at most.
    assert counts[2][0] - counts[1][0] <= 4
    assert webhooks.MOST == 5


# A receiver that is dead ---------------------------------------------------------------------------------------------


def test_one_try_at_a_dead_receiver_is_the_try_of_all_that_wait_for_it(
    season: Season, webhook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "READ_SECONDS", 0.2)
    receiver.answers = lambda handler, number: receiver.over.wait(30)
    told = [tell(season) for _ in range(6)]
    assert run_pending() == 6
    assert len(receiver.sent) == 1
    for each in told:
        each.refresh_from_db()
    assert {(each.state, each.tries, each.answers[0]["problem"]) for each in told} == {("waiting", 1, "too_slow")}
    assert len({each.next_try_at for each in told}) == 1
    # Their second tries are one too; each has its place in the day that it is tried.
    Delivery.objects.update(next_try_at=timezone.now())
    run_due()
    assert len(receiver.sent) == 2
    assert set(Delivery.objects.values_list("tries", flat=True)) == {2}
    # It is back: each arrives once.
    receiver.answers = in_turn(200)
    Delivery.objects.update(next_try_at=timezone.now())
    run_due()
    assert set(Delivery.objects.values_list("state", "tries")) == {("delivered", 3)}
    assert len(receiver.sent) == 2 + 6
    assert set(Job.objects.values_list("state", flat=True)) == {"done"}


def test_while_a_dead_receiver_rests_new_lines_wait_for_the_end_of_it(
    season: Season, webhook: Webhook, receiver: Receiver, keeper: Any
) -> None:
    Webhook.objects.update(url="http://127.0.0.1:1/")
    first = tell(season)
    run_pending()
    first.refresh_from_db()
    Webhook.objects.update(url=receiver.url)
    later = tell(season)
    assert run_pending() == 1
    later.refresh_from_db()
    job = Job.objects.get(unique_key=f"stables:delivery:{later.public_id}:1")
    assert (receiver.sent, later.state, later.tries) == ([], "waiting", 0)
    assert later.next_try_at == first.next_try_at
    assert job.not_before is not None
    assert job.not_before > timezone.now()
    # Not so what a person asks for.
    deliveries.try_now(webhook=webhook, actor=keeper)
    deliveries.retry(delivery=later, actor=keeper)
    run_pending()
    assert len(receiver.sent) == 2
    # The rest is over: what waits goes out, once.
    Delivery.objects.filter(state="waiting").update(next_try_at=timezone.now())
    run_due()
    assert len(receiver.sent) == 3
    assert set(Delivery.objects.values_list("state", flat=True)) == {"delivered"}


def test_a_dead_receiver_keeps_nothing_from_another(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    dead = webhooks.make(season=season, url="http://127.0.0.1:1/", format="generic", codes=[])
    for _ in range(3):
        log.record(fresh(season), "season_paused")
    run_pending()
    assert len(receiver.sent) == 3
    assert set(dead.deliveries.values_list("state", "tries")) == {("waiting", 1)}


# By hand, off, deleted -----------------------------------------------------------------------------------------------


def test_a_try_says_that_it_is_one_and_goes_out_once(
    season: Season, webhook: Webhook, receiver: Receiver, keeper: Any
) -> None:
    receiver.answers = in_turn(500)
    webhooks.change(webhook=webhook, is_on=False)
    tried = deliveries.try_now(webhook=webhook, actor=keeper)
    run_due()
    tried.refresh_from_db()
    assert (tried.state, tried.tries, tried.log_entry) == ("failed", 1, None)
    document = verify(webhook.secret, receiver.sent[0].headers, receiver.sent[0].body)
    assert document["code"] == "try"
    webhook.refresh_from_db()
    assert webhook.failures == 0


def test_tries_by_hand_have_a_limit(season: Season, webhook: Webhook, keeper: Any) -> None:
    for _ in range(60):
        deliveries.try_now(webhook=webhook, actor=keeper)
    with pytest.raises(TooOften):
        deliveries.try_now(webhook=webhook, actor=keeper)


def test_a_delivery_can_be_tried_again_at_once(
    season: Season, webhook: Webhook, receiver: Receiver, keeper: Any
) -> None:
    receiver.answers = in_turn(500, 200)
    told = tell(season)
    run_pending()
    deliveries.retry(delivery=told, actor=keeper)
    # Pressed twice it is asked for once.
    deliveries.retry(delivery=told, actor=keeper)
    assert run_pending() == 1
    told.refresh_from_db()
    assert (told.state, told.tries) == ("delivered", 2)
    # The try that was planned finds nothing to do.
    run_due()
    assert len(receiver.sent) == 2
    with pytest.raises(SeasonRefused) as refused:
        deliveries.retry(delivery=told, actor=keeper)
    assert refused.value.code == "webhook_delivered"


def test_what_was_given_up_can_be_tried_again_but_not_while_the_webhook_is_off(
    season: Season, webhook: Webhook, receiver: Receiver, keeper: Any
) -> None:
    receiver.answers = in_turn(500)
    told = give_up(season)
    deliveries.retry(delivery=told, actor=keeper)
    assert run_due() == 1
    told.refresh_from_db()
    webhook.refresh_from_db()
    # Once more and not a whole day again; nor does it count as one more that was given up.
    assert (told.state, told.tries, webhook.failures) == ("failed", 9, 1)
    webhooks.change(webhook=webhook, is_on=False)
    with pytest.raises(SeasonRefused) as refused:
        deliveries.retry(delivery=told, actor=keeper)
    assert refused.value.code == "webhook_off"


def test_turned_off_nothing_on_its_way_is_sent(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    told = tell(season)
    webhooks.change(webhook=webhook, is_on=False)
    run_due()
    told.refresh_from_db()
    assert (told.state, told.answers[0]["problem"], receiver.sent) == ("failed", "webhook_off", [])


def test_who_organises_no_more_leaves_webhooks_that_are_off(
    season: Season, webhook: Webhook, receiver: Receiver, keeper: Any
) -> None:
    helper, other = (
        get_user_model().objects.create_user(name, f"{name}@example.org", "secret words")
        for name in ("helper", "other")
    )
    for person in (helper, other):
        roles.give_role(season_id=season.pk, name=person.username, role="co_organiser")
    made = webhooks.make(season=season, url=f"{receiver.url}1", format="generic", codes=[], actor=helper)
    kept = webhooks.make(season=season, url=f"{receiver.url}2", format="generic", codes=[], actor=other)
    off = webhooks.make(season=season, url=f"{receiver.url}3", format="generic", codes=[], actor=helper)
    off = webhooks.change(webhook=off, is_on=False)
    role = SeasonRole.objects.get(user=helper)
    roles.take_role(season_id=season.pk, role_id=role.pk, actor=keeper)
    after = {each.pk: each.disabled_at for each in Webhook.objects.all()}
    assert after[made.pk] is not None
    assert (after[webhook.pk], after[kept.pk], after[off.pk]) == (None, None, off.disabled_at)
    # Its organisers are told of the one that was on; who is none any more is not.
    notices = Notice.objects.filter(code="webhook_maker_gone")
    assert sorted(notice.user.username for notice in notices) == ["keeper", "other"]
    assert {notice.url for notice in notices} == {f"/seasons/{season.slug}/webhooks/{made.public_id}/"}
    # The line about the role itself goes nowhere that this person chose.
    assert not Delivery.objects.filter(webhook=made, code__contains="taken_back").exists()
    assert Delivery.objects.filter(webhook=kept, code__contains="taken_back").exists()


def test_a_webhook_that_is_deleted_takes_what_is_on_its_way_with_it(
    season: Season, webhook: Webhook, receiver: Receiver
) -> None:
    tell(season)
    webhooks.delete(webhook=webhook)
    webhooks.delete(webhook=webhook)
    assert run_pending() == 1
    assert receiver.sent == []
    assert (Webhook.objects.count(), Delivery.objects.count()) == (0, 0)


def test_a_webhook_that_is_deleted_during_a_try_leaves_nothing_behind(
    season: Season, webhook: Webhook, receiver: Receiver
) -> None:
    told = tell(season)
    webhooks.delete(webhook=webhook)
    assert deliveries.note(delivery_id=told.pk, number=1, reply=posting.Reply(500)) == ""
    assert Job.objects.filter(unique_key__endswith=":2").count() == 0


def test_a_new_secret_signs_what_is_sent_from_now_on(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    tell(season)
    changed = webhooks.renew_secret(webhook=webhook)
    run_pending()
    (sent,) = receiver.sent
    assert changed.secret != webhook.secret
    assert verify(changed.secret, sent.headers, sent.body)
    assert len(base64.b64decode(changed.secret.removeprefix("whsec_"))) == 32


def test_a_season_has_five_webhooks_at_most_and_none_twice(season: Season, keeper: Any, receiver: Receiver) -> None:
    for number in range(5):
        webhooks.make(season=season, url=f"{receiver.url}{number}", format="generic", codes=[], actor=keeper)
        with pytest.raises(SeasonRefused) as refused:
            webhooks.make(season=season, url=f" {receiver.url}{number} ", format="discord", codes=[], actor=keeper)
        assert refused.value.code == ("webhook_known" if number < 4 else "webhook_too_many")
    first, second = season.webhooks.order_by("id")[:2]
    with pytest.raises(SeasonRefused) as refused:
        webhooks.change(webhook=first, url=second.url)
    assert refused.value.code == "webhook_known"
    assert webhooks.change(webhook=first, url=first.url).url == first.url
    with pytest.raises(Malformed):
        webhooks.change(webhook=first, codes=["no_such_code"])


# Workers that die ----------------------------------------------------------------------------------------------------


def test_a_try_is_noted_once_whoever_notes_it(season: Season, webhook: Webhook) -> None:
    """Two workers did the same try: the first one that notes it counts."""
    told = tell(season)
    assert deliveries.note(delivery_id=told.pk, number=1, reply=posting.Reply(500, "bad_status")) == "waiting"
    assert deliveries.note(delivery_id=told.pk, number=1, reply=posting.Reply(200)) == ""
    told.refresh_from_db()
    assert (told.tries, len(told.answers)) == (1, 1)
    assert deliveries.to_be_tried(str(told.public_id), 1) is None
    assert deliveries.to_be_tried(str(told.public_id), 2) is not None


def test_a_delivery_whose_job_got_lost_is_taken_up_again(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    told = tell(season)
    Job.objects.all().delete()
    deliveries.look_for_lost()
    assert Job.objects.count() == 0
    deliveries.look_for_lost(now=timezone.now() + timedelta(minutes=11))
    deliveries.look_for_lost(now=timezone.now() + timedelta(minutes=11))
    assert run_pending() == 1
    told.refresh_from_db()
    assert (told.state, len(receiver.sent)) == ("delivered", 1)


def test_a_delivery_whose_job_failed_for_good_goes_on_with_its_next_try(
    season: Season, webhook: Webhook, receiver: Receiver
) -> None:
    told = tell(season)
    Job.objects.update(state="failed")
    deliveries.look_for_lost(now=timezone.now() + timedelta(minutes=11))
    told.refresh_from_db()
    assert (told.state, told.tries, told.answers[0]["problem"]) == ("waiting", 1, "worker_lost")
    run_due()
    told.refresh_from_db()
    assert (told.state, told.tries) == ("delivered", 2)


def test_what_ended_weeks_ago_is_forgotten_with_its_jobs(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    receiver.answers = in_turn(500, 200)
    told = tell(season)
    run_due()
    run_due()
    gone = tell(season)
    run_due()
    jobs = {each.unique_key for each in Job.objects.all()}
    assert len(jobs) == 3
    long_ago = timezone.now() - timedelta(weeks=4, minutes=1)
    # One ended long ago, one some days ago, one waits as long as there is no worker.
    Delivery.objects.filter(pk=told.pk).update(ended_at=long_ago, created_at=long_ago)
    Job.objects.filter(unique_key__contains=str(told.public_id)).update(finished_at=long_ago)
    Delivery.objects.filter(pk=gone.pk).update(ended_at=timezone.now() - timedelta(weeks=3))
    waits = tell(season)
    Delivery.objects.filter(pk=waits.pk).update(created_at=long_ago)
    lines = LogEntry.objects.count()
    registry.searches["stables.old_deliveries"]()
    assert set(Delivery.objects.values_list("pk", flat=True)) == {gone.pk, waits.pk}
    assert {each.unique_key for each in Job.objects.all()} == {
        f"stables:delivery:{gone.public_id}:1",
        f"stables:delivery:{waits.public_id}:1",
    }
    assert LogEntry.objects.count() == lines
    assert deliveries.forget_old() == 0


def test_of_what_is_old_a_few_are_forgotten_at_a_time(
    season: Season, webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "FORGOTTEN_A_LOOK", 2)
    for _ in range(3):
        tell(season)
    Delivery.objects.update(state="delivered", ended_at=timezone.now(), next_try_at=None)
    later = timezone.now() + timedelta(weeks=4, minutes=1)
    assert [deliveries.forget_old(now=later) for _ in range(3)] == [2, 1, 0]
    # Jobs that are not done stay.
    assert Job.objects.count() == 3


def test_discord_gets_a_message_of_its_own(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    webhooks.change(webhook=webhook, format="discord")
    tell(season, "stable_founded", stable="@everyone **Ash** <@12>", cycle=2)
    run_pending()
    document = verify(webhook.secret, receiver.sent[0].headers, receiver.sent[0].body)
    assert document["allowed_mentions"] == {"parse": []}
    assert document["content"] == ("\\@everyone \\*\\*Ash\\*\\* \\<\\@12\\> is founded and takes part from cycle 2 on.")
    (embed,) = document["embeds"]
    assert embed["url"] == f"http://localhost:8000/seasons/{season.slug}/"
    assert set(document) == {"content", "allowed_mentions", "embeds"}
    assert say is not None
