"""Receivers of webhooks that fail: slow, endless, dripping, nonsense, dead; and what that costs others."""

from __future__ import annotations

import io
import logging
import threading
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from django.utils import timezone
from urllib3.response import HTTPResponse

from jobs.models import Job
from jobs.services import run_pending
from stables.models import Delivery, Season, Webhook
from stables.services.base import log, webhook_deliveries
from stables.services.season import webhooks
from tests.stables.webhooks.receiver import Receiver, in_turn, receiver, say, verify
from tests.stables.webhooks.test_webhooks import fresh, keeper, run_due, tell, webhook
from tests.waiting import DEADLINE_SECONDS, wait_until
from webhooks import posting

__all__ = ["keeper", "receiver", "webhook"]
pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_a_redirect_is_a_failure_and_nobody_follows_it(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    there = receiver.url.replace("/news?key=abcd", "/elsewhere")
    for status in (301, 302, 303, 307, 308):
        receiver.answers = in_turn(status, headers={"Location": there})
        delivery = tell(season)
        run_pending()
        delivery.refresh_from_db()
        assert (delivery.state, delivery.answers[-1]["problem"]) == ("waiting", "redirect")
    assert {sent.path for sent in receiver.sent} == {"/news?key=abcd"}


def test_a_slow_answer_ends_the_try(
    season: Season, webhook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "READ_SECONDS", 0.2)
    receiver.answers = lambda handler, number: receiver.over.wait(DEADLINE_SECONDS)
    delivery = tell(season)
    run_pending()
    delivery.refresh_from_db()
    assert (delivery.state, delivery.answers[0]["status"], delivery.answers[0]["problem"]) == (
        "waiting",
        None,
        "too_slow",
    )


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """What ends the time of each try that began: a call of the test, and no clock."""
    found: list[Callable[[], None]] = []

    class Watch:
        def __init__(self, seconds: float, function: Callable[..., None], arguments: Any) -> None:
            assert 0 < seconds <= posting.ALL_SECONDS
            found.append(partial(function, *arguments))

        def start(self) -> None:
            """Time stands still."""

        cancel = start

    monkeypatch.setattr(posting.threading, "Timer", Watch)
    return found


def test_an_answer_that_drips_ends_the_try_too(
    season: Season, webhook: Webhook, receiver: Receiver, ends: list[Callable[[], None]]
) -> None:
    """Each byte comes in time, so that the limit of a single read would never be reached."""

    def drip(handler: BaseHTTPRequestHandler, number: int) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        for _ in range(3):
            handler.wfile.write(b"x")
        ends[0]()
        receiver.over.wait(DEADLINE_SECONDS)

    receiver.answers = drip
    delivery = tell(season)
    run_pending()
    delivery.refresh_from_db()
    assert (delivery.state, delivery.answers[0]["problem"]) == ("waiting", "too_slow")


def test_a_body_that_drips_is_not_waited_for(
    season: Season,
    webhook: Webhook,
    receiver: Receiver,
    ends: list[Callable[[], None]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    is_read, read = threading.Event(), HTTPResponse.read

    def begin_to_read(answer: HTTPResponse, *arguments: Any, **names: Any) -> bytes:
        is_read.set()
        return read(answer, *arguments, **names)

    monkeypatch.setattr(HTTPResponse, "read", begin_to_read)

    def drip(handler: BaseHTTPRequestHandler, number: int) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        is_read.wait(DEADLINE_SECONDS)
        for _ in range(3):
            handler.wfile.write(b"x")
        ends[0]()
        receiver.over.wait(DEADLINE_SECONDS)

    receiver.answers = drip
    delivery = tell(season)
    run_pending()
    delivery.refresh_from_db()
    assert delivery.state == "delivered"


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
    delivery = tell(season)
    run_pending()
    delivery.refresh_from_db()
    assert delivery.state == "delivered"
    wait_until(lambda: -1 in written, "the end of the connection")
    assert sum(written) < 50 * 10**6


def test_bytes_that_are_not_http_are_no_answer(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    receiver.answers = lambda handler, number: handler.wfile.write(b"+OK redis is here\r\n") and None
    delivery = tell(season)
    run_pending()
    delivery.refresh_from_db()
    assert delivery.answers[0]["problem"] == "no_answer"


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
    delivery = tell(season)
    run_pending()
    delivery.refresh_from_db()
    assert (delivery.state, delivery.answers[0]["problem"]) == ("waiting", "no_connection")


def test_a_proxy_of_the_environment_is_not_asked(
    season: Season, webhook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    tell(season)
    run_pending()
    assert len(receiver.sent) == 1


def rest_is_over() -> None:
    """Let the time come for which webhooks rest and news wait."""
    Webhook.objects.update(rests_until=None)
    Delivery.objects.filter(state="waiting", next_try_at__gt=timezone.now()).update(next_try_at=timezone.now())


# A receiver that takes no more at once ------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [429, 503])
def test_a_receiver_that_takes_no_more_is_left_alone_and_gets_the_news_in_order(
    season: Season, webhook: Webhook, receiver: Receiver, status: int
) -> None:
    receiver.answers = in_turn(200, status, 200, headers={"Retry-After": "60"})
    news, before = [tell(season) for _ in range(4)], timezone.now()
    run_pending()
    assert len(receiver.sent) == 2
    webhook.refresh_from_db()
    assert webhook.rests_until is not None
    assert before < webhook.rests_until - timedelta(seconds=60) < timezone.now()
    # What happens meanwhile waits too, and does not overtake.
    news += [tell(season) for _ in range(2)]
    run_pending()
    assert len(receiver.sent) == 2
    rest_is_over()
    run_due()
    arrived = [document["id"] for document in receiver.documents()]
    assert arrived == [str(news[number].public_id) for number in (0, 1, 1, 2, 3, 4, 5)]
    assert set(Delivery.objects.values_list("state", flat=True)) == {"delivered"}
    assert set(Job.objects.values_list("state", flat=True)) == {"done"}


def test_pauses_that_a_receiver_asks_for_do_not_climb_and_count_as_failures_only_in_the_end(
    season: Season, webhook: Webhook
) -> None:
    delivery, now = tell(season), timezone.now()
    pauses = []
    for number in range(1, 30):
        reply = posting.Reply(429, "bad_status", 1)
        state = webhook_deliveries.note(delivery_id=delivery.pk, number=number, reply=reply, now=now)
        delivery.refresh_from_db()
        if state == "failed":
            break
        pauses.append((delivery.next_try_at - now).total_seconds())
    assert pauses == [1] * 20 + [pause.total_seconds() for pause in webhook_deliveries.PAUSES]


@pytest.mark.parametrize(("format_name", "why"), [("discord", Webhook.Off.GONE), ("generic", "")])
def test_a_webhook_that_discord_knows_no_more_is_turned_off_with_the_reason(
    season: Season, webhook: Webhook, receiver: Receiver, format_name: str, why: str
) -> None:
    webhooks.change(webhook=webhook, format=format_name)
    receiver.answers = in_turn(404)
    tell(season)
    run_pending()
    webhook.refresh_from_db()
    assert (webhook.disabled_at is not None, webhook.why_off) == (bool(why), why)


# A receiver that is dead ---------------------------------------------------------------------------------------------


def test_one_try_at_a_dead_receiver_is_the_try_of_all_that_wait_for_it(
    season: Season, webhook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "READ_SECONDS", 0.2)
    receiver.answers = lambda handler, number: receiver.over.wait(DEADLINE_SECONDS)
    deliveries = [tell(season) for _ in range(6)]
    assert run_pending() == 6
    # It may hear of a try that is over already.
    wait_until(lambda: len(receiver.sent) == 1, "the request")
    for each in deliveries:
        each.refresh_from_db()
    assert {(each.state, each.tries, each.answers[0]["problem"]) for each in deliveries} == {("waiting", 1, "too_slow")}
    assert len({each.next_try_at for each in deliveries}) == 1
    # Their second tries are one too; each has its place in the day that it is tried.
    rest_is_over()
    run_due()
    wait_until(lambda: len(receiver.sent) == 2, "the second request")
    assert set(Delivery.objects.values_list("tries", flat=True)) == {2}
    # It is back: each arrives once.
    receiver.answers = in_turn(200)
    rest_is_over()
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
    webhook_deliveries.try_now(webhook=webhook, actor=keeper)
    webhook_deliveries.retry(delivery=later, actor=keeper)
    run_pending()
    assert len(receiver.sent) == 2
    # The rest is over: what waits goes out, once.
    rest_is_over()
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
