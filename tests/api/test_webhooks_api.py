"""Webhooks by the interface for programs: what organisers may do, what others are shown, lists of any length."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jobs.models import Job
from jobs.services import run_pending
from stables.models import Delivery, Season, Webhook
from stables.services.base import log, webhook_deliveries
from tests.stables.webhooks.receiver import Receiver, in_turn, receiver, verify
from tests.web.roles.world import World, outside_of

__all__ = ["receiver"]
pytestmark = pytest.mark.django_db
Asks = Callable[..., Any]
READ_ONLY = ("read",)


def below(world: World, rest: str = "", season: str = "running") -> str:
    return f"seasons/{world.seasons[season].slug}/webhooks/{rest}"


@pytest.fixture
def made(api: Asks, world: World, receiver: Receiver) -> dict[str, Any]:
    """A webhook as its making answered it; nothing else waits to be done."""
    answer = api("organiser", "post", below(world), {"url": receiver.url})
    assert answer.status_code == 201
    Job.objects.all().delete()
    document: dict[str, Any] = answer.json()
    return document


def tell(world: World) -> Delivery:
    entry = log.record(Season.objects.get(pk=world.seasons["running"].pk), "season_paused")
    return Delivery.objects.get(log_entry=entry)


def test_a_webhook_is_made_read_changed_and_deleted(
    api: Asks, world: World, made: dict[str, Any], receiver: Receiver
) -> None:
    own = below(world, f"{made['public_id']}/")
    assert (made["format"], made["codes"], made["on"], made["failures"]) == ("generic", [], True, 0)
    assert made["made_by"] == world.people["organiser"].username
    assert api("organiser", "get", own).json() == made
    assert api("helper", "get", below(world)).json()["results"] == [made]
    changed = api("organiser", "put", own, {"codes": ["match_won", "match_won"], "format": "discord", "on": False})
    assert changed.status_code == 200
    document = changed.json()
    assert (document["codes"], document["format"], document["on"], document["url"]) == (
        ["match_won"],
        "discord",
        False,
        receiver.url,
    )
    assert document["off_since"] is not None
    assert api("organiser", "put", own, {"on": True}).json()["on"] is True
    renewed = api("organiser", "post", f"{own}secret/").json()
    assert renewed["secret"] != made["secret"]
    assert api("organiser", "delete", own).status_code == 204
    assert api("organiser", "get", own).status_code == 404


def test_news_arrive_signed_by_the_secret_that_was_answered(
    api: Asks, world: World, made: dict[str, Any], receiver: Receiver
) -> None:
    receiver.answers = in_turn(500, 204)
    delivery = tell(world)
    run_pending()
    listed = api("organiser", "get", below(world, f"{made['public_id']}/deliveries/")).json()
    (line,) = listed["results"]
    assert (line["public_id"], line["code"], line["state"]) == (str(delivery.public_id), "season_paused", "waiting")
    assert (line["sentence"], line["tries"]) == ("The season is paused.", 1)
    assert [(each["status"], each["problem"]) for each in line["answers"]] == [(500, "bad_status")]
    assert line["problem"]
    assert line["next_try_at"] is not None
    again = f"seasons/{world.seasons['running'].slug}/webhook-deliveries/{delivery.public_id}/retry/"
    assert api("organiser", "post", again).json()["state"] == "waiting"
    run_pending()
    sent = receiver.sent[-1]
    assert verify(made["secret"], sent.headers, sent.body)["id"] == line["public_id"]
    refused = api("organiser", "post", again)
    assert (refused.status_code, refused.json()["code"]) == (409, "webhook_delivered")


def test_a_try_is_answered_at_once_and_sent_by_a_worker(
    api: Asks, world: World, made: dict[str, Any], receiver: Receiver
) -> None:
    own = below(world, f"{made['public_id']}/")
    first = api("organiser", "post", f"{own}try/", key="one")
    assert (first.status_code, first.json()["code"], first.json()["state"]) == (201, "try", "waiting")
    # The same request again is the same try.
    assert api("organiser", "post", f"{own}try/", key="one").json() == first.json()
    assert receiver.sent == []
    run_pending()
    assert [sent.document["id"] for sent in receiver.sent] == [first.json()["public_id"]]


def test_deliveries_are_filtered_by_their_state_and_come_in_pages(
    api: Asks, world: World, made: dict[str, Any]
) -> None:
    for number in range(5):
        delivery = tell(world)
        if number < 2:
            Delivery.objects.filter(pk=delivery.pk).update(state="failed")
    own = below(world, f"{made['public_id']}/deliveries/")
    assert api("organiser", "get", own).json()["count"] == 5
    failed = api("organiser", "get", own, {"state": "failed"}).json()
    assert (failed["count"], {line["state"] for line in failed["results"]}) == (2, {"failed"})
    page = api("organiser", "get", own, {"page": 2, "page_size": 2}).json()
    assert (page["pages"], len(page["results"])) == (3, 2)
    assert api("organiser", "get", own, {"page": 9}).status_code == 404
    assert api("organiser", "get", own, {"state": "lost"}).status_code == 400


def test_lists_take_as_many_queries_for_many_rows_as_for_one(api: Asks, world: World, made: dict[str, Any]) -> None:
    def counted(address: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert api("organiser", "get", address).status_code == 200
        return len(queries)

    listed, own = below(world), below(world, f"{made['public_id']}/deliveries/")
    tell(world)
    # The first request of a role makes its token.
    api("organiser", "get", listed)
    before = counted(listed), counted(own)
    for number in range(20):
        tell(world)
        if number < 3:
            outside_of(world.seasons["running"], f"https://news-{number}.example/")
    assert (counted(listed), counted(own)) == before


def test_a_token_that_only_reads_hears_neither_address_nor_secret(
    api: Asks, world: World, made: dict[str, Any]
) -> None:
    own = below(world, f"{made['public_id']}/")
    for document in (
        api("organiser", "get", own, scopes=READ_ONLY).json(),
        api("organiser", "get", below(world), scopes=READ_ONLY).json()["results"][0],
    ):
        assert (document["url"], document["secret"], document["address_hint"]) == (None, None, "127.0.0.1/…abcd")
    assert made["secret"] not in api("organiser", "get", own, scopes=READ_ONLY).content.decode()
    assert api("organiser", "post", f"{own}secret/", scopes=("read", "play")).status_code == 403


@pytest.mark.parametrize(("role", "status"), [("anonymous", 401), ("player", 403), ("referee", 403), ("staff", 403)])
def test_others_may_nothing(api: Asks, world: World, made: dict[str, Any], role: str, status: int) -> None:
    own = below(world, f"{made['public_id']}/")
    delivery = tell(world)
    asked = [
        ("get", below(world), None),
        ("post", below(world), {"url": "https://news.example/"}),
        ("get", own, None),
        ("put", own, {"on": False}),
        ("delete", own, None),
        ("post", f"{own}secret/", None),
        ("post", f"{own}try/", None),
        ("get", f"{own}deliveries/", None),
        ("post", f"seasons/{world.seasons['running'].slug}/webhook-deliveries/{delivery.public_id}/retry/", None),
    ]
    assert {api(role, method, address, body).status_code for method, address, body in asked} == {status}
    assert Webhook.objects.get(public_id=made["public_id"]).disabled_at is None


def test_a_webhook_is_found_below_its_own_season_alone(api: Asks, world: World, made: dict[str, Any]) -> None:
    delivery = tell(world)
    there = below(world, f"{made['public_id']}/", "recruiting")
    assert api("organiser", "get", there).status_code == 404
    assert api("organiser", "delete", there).status_code == 404
    retry = f"seasons/{world.seasons['recruiting'].slug}/webhook-deliveries/{delivery.public_id}/retry/"
    assert api("organiser", "post", retry).status_code == 404
    assert api("spectator", "get", below(world, "", "private")).status_code == 404


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"url": "https://127.0.0.1/"}, 409, "webhook_address_private"),
        ({"url": "https://[::ffff:10.0.0.1]/"}, 409, "webhook_address_private"),
        ({"url": "http://news.example/"}, 409, "webhook_address_not_https"),
        ({"url": "https://2130706433/"}, 409, "webhook_address_malformed"),
        ({"url": "no address"}, 409, "webhook_address_malformed"),
        ({"url": "https://a:b@news.example/"}, 409, "webhook_address_account"),
        ({"url": "https://news.example:25/"}, 409, "webhook_address_port"),
        ({"url": ""}, 400, "invalid"),
        ({"url": "x" * 501}, 400, "invalid"),
        ({"url": 5}, 400, "invalid"),
        ({}, 400, "invalid"),
        ({"url": "https://news.example/", "format": "xml"}, 400, "invalid"),
        ({"url": "https://news.example/", "codes": ["no_such_code"]}, 400, "invalid"),
        ({"url": "https://news.example/", "codes": "match_won"}, 400, "invalid"),
        ({"url": "https://news.example/", "secret": "mine"}, 400, "invalid"),
    ],
)
def test_what_is_wrong_is_refused_with_a_code(
    api: Asks, world: World, body: dict[str, Any], status: int, code: str
) -> None:
    before = Webhook.objects.count()
    answer = api("organiser", "post", below(world), body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert Webhook.objects.count() == before


def test_the_same_request_makes_one_webhook(api: Asks, world: World, receiver: Receiver) -> None:
    answers = [api("organiser", "post", below(world), {"url": receiver.url}, key="once") for _ in range(2)]
    assert answers[1].json() == {**answers[0].json(), "url": None, "secret": None}
    assert Webhook.objects.filter(season=world.seasons["running"]).count() == 1
    # Without its key it is a second one to the same address.
    refused = api("organiser", "post", below(world), {"url": receiver.url})
    assert (refused.status_code, refused.json()["code"]) == (409, "webhook_known")


def test_too_many_tries_by_hand_hear_when_to_come_back(
    api: Asks, world: World, made: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        webhook_deliveries, "TRIES_OF_A_PERSON", type(webhook_deliveries.TRIES_OF_A_PERSON)("webhook_try", 1)
    )
    own = below(world, f"{made['public_id']}/")
    assert api("organiser", "post", f"{own}try/").status_code == 201
    refused = api("organiser", "post", f"{own}try/")
    assert (refused.status_code, refused.json()["code"]) == (429, "too_often")
    assert int(refused.headers["Retry-After"]) > 0
