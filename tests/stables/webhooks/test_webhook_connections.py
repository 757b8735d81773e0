"""Connections to webhooks: the address is judged at each try, and goes where one look at the name led."""

from __future__ import annotations

import functools
import ssl
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from urllib3.connection import HTTPConnection
from urllib3.exceptions import ConnectTimeoutError, NewConnectionError, ReadTimeoutError
from urllib3.response import HTTPResponse

from people.services.accounts import Limit, TooOften
from rules.core.refusals import SeasonRefused
from stables.jobs.webhooks import sent
from stables.models import Delivery, Season, Webhook
from stables.services.base import log
from stables.services.season import webhooks
from tests.stables.webhooks.receiver import Receiver, listening, receiver
from tests.stables.webhooks.test_webhook_addresses import CERTIFICATE, PUBLIC, names, refusal
from webhooks import addresses, posting
from webhooks.addresses import Target, addresses_of, may_be_asked, read_address

__all__ = ["names", "receiver"]


@pytest.mark.django_db
def test_what_is_refused_anyway_asks_no_resolver(
    season: Season, names: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    person = get_user_model().objects.create_user("slow", "slow@example.org", "secret words")
    for number in range(5):
        names[f"n{number}.example"] = [PUBLIC]
        webhooks.make(season=season, url=f"https://n{number}.example/", format="generic", codes=[], actor=person)
    asked: list[str] = []
    monkeypatch.setattr(addresses, "look_up", lambda host, port: asked.append(host) or [PUBLIC])
    with pytest.raises(SeasonRefused) as refused:
        webhooks.make(season=season, url="https://public.example/", format="generic", codes=[], actor=person)
    assert refused.value.code == "webhook_too_many"
    first = season.webhooks.order_by("id")[0]
    webhooks.delete(webhook=season.webhooks.order_by("id")[1])
    with pytest.raises(SeasonRefused) as refused:
        webhooks.make(season=season, url=first.url, format="generic", codes=[], actor=person)
    assert refused.value.code == "webhook_known"
    webhooks.change(webhook=first, url=first.url, actor=person)
    assert asked == []


@pytest.mark.django_db
def test_addresses_that_a_person_enters_have_a_limit(
    season: Season, names: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "LOOKS_OF_A_PERSON", Limit("webhook_address", 3))
    person = get_user_model().objects.create_user("slow", "slow@example.org", "secret words")
    made = webhooks.make(season=season, url="https://public.example/", format="generic", codes=[], actor=person)
    for _ in range(2):
        with pytest.raises(SeasonRefused):
            webhooks.make(season=season, url="https://nowhere.example/", format="generic", codes=[], actor=person)
    asked: list[str] = []
    monkeypatch.setattr(addresses, "look_up", lambda host, port: asked.append(host) or [PUBLIC])
    with pytest.raises(TooOften):
        webhooks.make(season=season, url="https://other.example/", format="generic", codes=[], actor=person)
    with pytest.raises(TooOften):
        webhooks.change(webhook=made, url="https://other.example/", actor=person)
    assert asked == []


def test_this_hosts_own_names_are_refused_with_the_real_resolver() -> None:
    assert refusal("https://localhost/") == "webhook_address_private"
    assert may_be_asked("not an address") is False


@pytest.mark.django_db
def test_the_address_is_judged_when_it_is_entered_and_at_every_try(
    season: Season, names: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name may lead somewhere else each time it is asked for."""
    posted: list[list[str]] = []
    monkeypatch.setattr(
        posting, "post", lambda target, found, body, headers: posted.append(found) or posting.Reply(200)
    )
    names["moving.example"] = ["127.0.0.1"]
    with pytest.raises(SeasonRefused) as refused:
        webhooks.make(season=season, url="https://moving.example/", format="generic", codes=[])
    assert (refused.value.code, Webhook.objects.count()) == ("webhook_address_private", 0)
    names["moving.example"] = [PUBLIC]
    made = webhooks.make(season=season, url="https://moving.example/", format="generic", codes=[])
    entry = log.record(Season.objects.get(pk=season.pk), "season_paused")
    delivery = Delivery.objects.select_related("webhook__season").get(log_entry=entry)
    names["moving.example"] = ["127.0.0.1"]
    assert sent(delivery, b"{}", delivery.public_id).problem == "webhook_address_private"
    assert posted == []
    names["moving.example"] = [PUBLIC]
    assert sent(delivery, b"{}", delivery.public_id).is_delivered
    assert posted == [[PUBLIC]]
    with pytest.raises(SeasonRefused) as refused:
        webhooks.change(webhook=made, url="https://127.0.0.1/")
    assert refused.value.code == "webhook_address_private"


@pytest.mark.django_db
def test_one_look_at_the_name_decides_and_the_connection_goes_where_it_led(
    season: Season, names: dict[str, Any], receiver: Receiver
) -> None:
    """A resolver that changes its answer between the look and the connection gets nowhere: it is asked once."""
    port = receiver.url.split(":")[2].split("/")[0]
    answers = [["127.0.0.1"], ["192.0.2.1"], ["192.0.2.2"]]
    names["moving.example"] = lambda: answers.pop(0)
    target = read_address(f"http://moving.example:{port}/news")
    found = addresses_of(target)
    assert posting.post(target, found, b"{}", {}).is_delivered
    assert len(answers) == 2
    assert receiver.sent[0].headers["Host"] == f"moving.example:{port}"


@pytest.mark.django_db
def test_when_the_first_address_takes_no_connection_the_next_is_tried(receiver: Receiver) -> None:
    port = int(receiver.url.split(":")[2].split("/")[0])
    target = Target("http", "both.example", port, "/news")
    assert posting.post(target, ["::1", "127.0.0.1"], b"{}", {}).is_delivered
    assert len(receiver.sent) == 1


@pytest.mark.parametrize("is_late", [True, False])
def test_a_reply_says_whether_an_address_let_us_wait(monkeypatch: pytest.MonkeyPatch, is_late: bool) -> None:
    def connect(connection: HTTPConnection) -> None:
        raise ConnectTimeoutError if is_late else NewConnectionError(connection, "refused")

    monkeypatch.setattr(HTTPConnection, "connect", connect)
    reply = posting.post(Target("http", "both.example", 80, "/news"), ["192.0.2.1", "192.0.2.2"], b"{}", {})
    assert (reply.problem, reply.has_waited, reply.is_slow) == ("no_connection", is_late, is_late)


@pytest.mark.django_db
@pytest.mark.parametrize("is_late", [True, False])
def test_a_reply_says_whether_its_rest_let_us_wait(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, is_late: bool
) -> None:
    def read(answer: HTTPResponse, *asked: Any, **options: Any) -> bytes:
        if is_late:
            raise ReadTimeoutError(None, "/news", "late")  # type: ignore[arg-type]
        return b""

    monkeypatch.setattr(HTTPResponse, "read", read)
    port = int(receiver.url.split(":")[2].split("/")[0])
    reply = posting.post(Target("http", "both.example", port, "/news"), ["127.0.0.1"], b"{}", {})
    assert (reply.is_delivered, reply.is_slow) == (True, is_late)


@pytest.mark.parametrize(
    ("name", "trusts", "problem"),
    [
        ("public.example", True, ""),
        # The certificate is good, and for another name than the one that was asked for.
        ("other.example", True, "bad_certificate"),
        ("127.0.0.1", True, "bad_certificate"),
        ("public.example", False, "bad_certificate"),
    ],
)
def test_by_tls_the_name_must_be_the_certificates_wherever_the_connection_goes(
    monkeypatch: pytest.MonkeyPatch, name: str, trusts: bool, problem: str
) -> None:
    own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    own.load_cert_chain(CERTIFICATE, CERTIFICATE.with_name("key.pem"))
    if trusts:
        known = functools.partial(ssl.create_default_context, cafile=str(CERTIFICATE))
        monkeypatch.setattr(posting.ssl, "create_default_context", known)
    with listening(own) as found:
        port = int(found.url.split(":")[2].split("/")[0])
        reply = posting.post(Target("https", name, port, "/news"), ["127.0.0.1"], b"{}", {})
    assert (reply.problem, len(found.sent)) == (problem, 0 if problem else 1)
    assert [each.headers["Host"] for each in found.sent] == ([] if problem else [f"{name}:{port}"])


@pytest.mark.django_db
def test_a_receiver_without_tls_is_no_receiver_of_https(receiver: Receiver) -> None:
    port = int(receiver.url.split(":")[2].split("/")[0])
    reply = posting.post(Target("https", "127.0.0.1", port, "/news"), ["127.0.0.1"], b"{}", {})
    assert (reply.status, reply.problem, receiver.sent) == (None, "bad_certificate", [])
