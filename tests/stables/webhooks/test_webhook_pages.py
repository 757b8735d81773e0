"""The organisers' pages of webhooks, by their forms."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from jobs.services import run_pending
from people.services.accounts import Limit
from stables.models import Delivery, Season, SeasonRole, Webhook
from stables.services.base import log, webhook_deliveries
from stables.services.season import webhooks
from stables.text import webhook_kinds
from tests.markup import closed_up
from tests.stables.shown_again import says
from tests.stables.webhooks.receiver import Receiver, in_turn, receiver

__all__ = ["receiver"]
pytestmark = pytest.mark.django_db
SECRET_PART = "very-secret-part"


def client_of(name: str) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.get_or_create(username=name, email=f"{name}@example.org")[0])
    return client


@pytest.fixture
def organiser(season: Season) -> Client:
    client = client_of("keeper")
    season.organiser = get_user_model().objects.get(username="keeper")
    season.save(update_fields=["organiser"])
    return client


def form(receiver: Receiver, **fields: Any) -> dict[str, Any]:
    return {"url": f"{receiver.url}{SECRET_PART}", "format": "generic", "everything": "yes", **fields}


@pytest.fixture
def webhook(season: Season, organiser: Client, receiver: Receiver) -> Webhook:
    answer = organiser.post(f"/seasons/{season.slug}/webhooks/make", form(receiver))
    assert answer.status_code == 302
    made = Webhook.objects.get()
    assert answer["Location"] == address(made)
    run_pending()
    receiver.sent.clear()
    return made


def address(webhook: Webhook, action: str = "") -> str:
    return f"/seasons/{webhook.season.slug}/webhooks/{webhook.public_id}/{action}"


def text(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_the_console_leads_to_the_webhooks(season: Season, organiser: Client) -> None:
    assert f"/seasons/{season.slug}/webhooks/" in text(organiser, f"/seasons/{season.slug}/organise/")
    page = text(organiser, f"/seasons/{season.slug}/webhooks/")
    # Everything is chosen unless one says otherwise, and each kind of news can be chosen by itself.
    assert 'name="everything" value="yes" id="webhook-everything" checked' in closed_up(page)
    assert all(f'value="{code}"' in page for code in webhook_kinds.all_codes())


def test_the_list_says_who_made_each_webhook(season: Season, organiser: Client) -> None:
    """One that a thief of a password made stays on: the organisers find it by its maker."""
    helper = get_user_model().objects.create_user("helper")
    for name, maker in (("one", helper), ("two", None)):
        Webhook.objects.create(season=season, url=f"https://{name}.example.org/", secret="secret", made_by=maker)
    page = text(organiser, f"/seasons/{season.slug}/webhooks/")
    assert page.count("Made by:") == 1
    assert 'Made by: <span translate="no">helper</span>' in page


def test_every_kind_of_news_is_in_one_group() -> None:
    listed = [kind.code for group in webhook_kinds.groups() for kind in group.kinds]
    assert sorted(listed) == webhook_kinds.all_codes()
    assert all(group.kinds for group in webhook_kinds.groups())


def test_a_webhook_is_made_tried_and_read_of(
    season: Season, organiser: Client, webhook: Webhook, receiver: Receiver
) -> None:
    assert (webhook.codes, webhook.made_by.get_username()) == ([], "keeper")  # type: ignore[union-attr]
    page = text(organiser, address(webhook))
    assert webhook.secret in page
    assert webhook.url.replace("&", "&amp;") in page
    assert organiser.post(address(webhook, "try")).status_code == 302
    run_pending()
    assert receiver.sent[0].document["code"] == "try"
    page = text(organiser, address(webhook))
    assert "A try" in page
    assert "delivered" in page
    # The list of all shows no more of the address than is needed to know it.
    page = text(organiser, f"/seasons/{season.slug}/webhooks/")
    assert SECRET_PART not in page
    assert webhook.secret not in page
    assert f"127.0.0.1/…{SECRET_PART[-4:]}" in page


def test_the_kinds_of_news_are_chosen(organiser: Client, webhook: Webhook, receiver: Receiver) -> None:
    chosen = form(receiver, everything="", code=["season_paused", "match_won"])
    del chosen["everything"]
    assert organiser.post(address(webhook, "change"), chosen).status_code == 302
    webhook.refresh_from_db()
    assert webhook.codes == ["match_won", "season_paused"]
    page = text(organiser, address(webhook))
    assert 'value="match_won" checked' in closed_up(page)
    assert 'value="match_lost" checked' not in page
    refused = organiser.post(address(webhook, "change"), {**chosen, "url": "https://example.org/typed", "code": []})
    assert refused.status_code == 409
    assert says(refused, "webhook_nothing_chosen")
    assert refused.context["form"]["url"].value() == "https://example.org/typed"
    too_long = organiser.post(address(webhook, "change"), {**chosen, "url": f"https://example.org/{'x' * 500}"})
    assert says(too_long, "webhook_address_malformed")
    assert organiser.post(address(webhook, "change"), {**chosen, "code": ["no_such"]}).status_code == 400
    assert organiser.post(address(webhook, "change"), form(receiver, code=["match_won"])).status_code == 302
    webhook.refresh_from_db()
    assert webhook.codes == []


def test_it_is_turned_off_and_on_and_gets_a_new_secret(organiser: Client, webhook: Webhook) -> None:
    organiser.post(address(webhook, "switch"), {"to": "off"})
    webhook.refresh_from_db()
    assert webhook.disabled_at is not None
    organiser.post(address(webhook, "switch"), {"to": "on"})
    before = webhook.secret
    organiser.post(address(webhook, "secret"))
    webhook.refresh_from_db()
    assert webhook.disabled_at is None
    assert webhook.secret != before
    assert webhook.secret in text(organiser, address(webhook))
    assert organiser.post(address(webhook, "switch"), {"to": "sideways"}).status_code == 400


def test_it_is_deleted_by_those_who_are_sure(season: Season, organiser: Client, webhook: Webhook) -> None:
    assert organiser.post(address(webhook, "delete")).status_code == 400
    answer = organiser.post(address(webhook, "delete"), {"sure": "yes"})
    assert answer["Location"] == f"/seasons/{season.slug}/webhooks/"
    assert Webhook.objects.count() == 0
    assert organiser.get(address(webhook)).status_code == 404


def test_the_log_of_deliveries_says_what_went_wrong_and_when_it_goes_on(
    season: Season, organiser: Client, webhook: Webhook, receiver: Receiver
) -> None:
    receiver.answers = in_turn(500, 204)
    log.record(Season.objects.get(pk=season.pk), "season_paused")
    run_pending()
    delivery = Delivery.objects.get()
    page = text(organiser, address(webhook))
    for part in ("The season is paused.", "season_paused", "on its way", "500", "not of the kind 2xx", "Retry now"):
        assert part in page
    assert delivery.next_try_at is not None
    assert delivery.next_try_at.strftime("%Y-%m-%dT%H:%M:%S") in page
    again = f"/seasons/{season.slug}/webhooks/deliveries/{delivery.public_id}/retry"
    assert organiser.post(again).status_code == 302
    run_pending()
    page = text(organiser, address(webhook))
    assert "delivered" in page
    assert "Retry now" not in page
    assert organiser.post(again).status_code == 409


def test_fifty_deliveries_take_as_many_queries_as_one(season: Season, organiser: Client, webhook: Webhook) -> None:
    person = get_user_model().objects.create_user("ada", "ada@example.org", "secret words")
    counts = []
    for _ in range(2):
        for code, parameters in (("season_paused", {}), ("role_given_referee", {"person": person.pk})):
            log.record(Season.objects.get(pk=season.pk), code, parameters)
        with CaptureQueriesContext(connection) as queries:
            page = text(organiser, address(webhook))
        counts.append(len(queries))
        assert "ada is a referee" in page
        for _ in range(58):
            log.record(Season.objects.get(pk=season.pk), "season_paused")
    assert counts[0] == counts[1]
    assert text(organiser, address(webhook)).count("Retry now") == 50


@pytest.mark.parametrize("name", ["stranger", "referee", "owner", "staff"])
def test_they_are_the_organisers_alone(season: Season, webhook: Webhook, receiver: Receiver, name: str) -> None:
    client = client_of(name)
    person = get_user_model().objects.get(username=name)
    if name == "referee":
        SeasonRole.objects.create(season=season, user=person, role=SeasonRole.Role.REFEREE)
    if name == "owner":
        season.stables.filter(number=1).update(owner=person, is_ai=False)
    if name == "staff":
        get_user_model().objects.filter(pk=person.pk).update(is_staff=True, is_superuser=True)
    tried = webhook_deliveries.try_now(webhook=webhook, actor=person)
    for path in (f"/seasons/{season.slug}/webhooks/", address(webhook)):
        assert client.get(path).status_code == 403
    for action in ("change", "switch", "secret", "try", "delete"):
        fields = form(receiver, to="off", sure="yes")
        assert client.post(address(webhook, action), fields).status_code == 403
    assert client.post(f"/seasons/{season.slug}/webhooks/make", form(receiver)).status_code == 403
    assert client.post(f"/seasons/{season.slug}/webhooks/deliveries/{tried.public_id}/retry").status_code == 403


def test_co_organisers_may_and_nobody_reaches_another_seasons(
    season: Season, organiser: Client, webhook: Webhook, release: Any
) -> None:
    from tests.stables.conftest import open_with

    helper = client_of("helper")
    person = get_user_model().objects.get(username="helper")
    SeasonRole.objects.create(season=season, user=person, role=SeasonRole.Role.CO_ORGANISER)
    assert helper.post(address(webhook, "switch"), {"to": "off"}).status_code == 302
    other = open_with(release, [])
    Season.objects.filter(pk=other.pk).update(organiser=person)
    elsewhere = f"/seasons/{other.slug}/webhooks/{webhook.public_id}/"
    assert helper.get(elsewhere).status_code == 404
    for action in ("change", "switch", "secret", "try", "delete"):
        assert (
            helper.post(elsewhere + action, {"to": "on", "sure": "yes", "url": "x", "format": "y"}).status_code == 404
        )


def test_what_may_not_be_asked_is_refused_with_a_sentence(season: Season, organiser: Client, settings: Any) -> None:
    settings.WEBHOOKS_PRIVATE = settings.WEBHOOKS_HTTP = False
    path = f"/seasons/{season.slug}/webhooks/make"
    for url, sentence in (
        ("https://127.0.0.1/", "does not lead to a public address"),
        ("http://127.0.0.1/", "must begin with https://"),
        ("https://me@host.example/", "holds a name or password"),
        ("https://2130706433/", "no address that can be asked"),
    ):
        fields = {"url": url, "format": "generic", "everything": "yes"}
        answer = organiser.post(path, fields, headers={"accept": "text/html"})
        assert answer.status_code == 409
        assert sentence in answer.content.decode()
    assert organiser.post(path, {"url": "https://a.example", "format": "xml", "everything": "yes"}).status_code in (
        400,
        409,
    )
    assert Webhook.objects.count() == 0


CHOSEN = {"format": "discord", "code": ["match_won", "season_paused"]}


def keeps(answer: Any, url: str) -> None:
    """A refused form shows what was typed and ticked."""
    page = closed_up(answer.content.decode())
    assert f'value="{url}"' in page
    assert 'value="discord" selected' in page
    assert 'id="webhook-everything" checked' not in page
    ticked = [code for code in webhook_kinds.all_codes() if f'value="{code}" checked' in page]
    assert ticked == CHOSEN["code"]
    assert "<details open" in page


@pytest.mark.parametrize(
    ("url", "code", "status"),
    [
        ("https://127.0.0.1/", "webhook_address_private", 409),
        ("http://a.example/", "webhook_address_not_https", 409),
        (f"https://a.example/{'x' * 500}", "webhook_address_malformed", 409),
    ],
)
@pytest.mark.parametrize("action", ["make", "change"])
def test_o_s13_a_refused_form_keeps_what_was_typed(
    season: Season, organiser: Client, webhook: Webhook, settings: Any, action: str, url: str, code: str, status: int
) -> None:
    settings.WEBHOOKS_PRIVATE = settings.WEBHOOKS_HTTP = False
    path = f"/seasons/{season.slug}/webhooks/make" if action == "make" else address(webhook, "change")
    answer = organiser.post(path, {**CHOSEN, "url": url})
    assert answer.status_code == status
    assert says(answer, code)
    keeps(answer, url)
    assert Webhook.objects.count() == 1
    webhook.refresh_from_db()
    assert (webhook.format, webhook.codes) == ("generic", [])


@pytest.mark.parametrize("action", ["make", "change"])
def test_o_s13_so_does_one_that_comes_too_often(
    organiser: Client, webhook: Webhook, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    monkeypatch.setattr(webhooks, "LOOKS_OF_A_PERSON", Limit("webhook_address", 1))
    path = f"/seasons/{webhook.season.slug}/webhooks/make" if action == "make" else address(webhook, "change")
    answer = organiser.post(path, {**CHOSEN, "url": "https://a.example/typed"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "3600")
    assert says(answer, "too_often")
    keeps(answer, "https://a.example/typed")


def test_o_s13_so_does_one_more_than_a_season_may_have(
    season: Season, organiser: Client, webhook: Webhook, receiver: Receiver
) -> None:
    for number in range(4):
        webhooks.make(season=season, url=f"{receiver.url}{number}", format="generic", codes=[])
    assert "webhook-url" not in text(organiser, f"/seasons/{season.slug}/webhooks/")
    answer = organiser.post(f"/seasons/{season.slug}/webhooks/make", {**CHOSEN, "url": "https://a.example/typed"})
    assert says(answer, "webhook_too_many")
    keeps(answer, "https://a.example/typed")


def test_a_private_seasons_page_says_who_will_read(season: Season, organiser: Client) -> None:
    assert "This season is private" not in text(organiser, f"/seasons/{season.slug}/webhooks/")
    Season.objects.update(visibility=Season.Visibility.PRIVATE)
    assert "This season is private" in text(organiser, f"/seasons/{season.slug}/webhooks/")


def test_the_public_log_does_not_tell_of_webhooks(season: Season, organiser: Client, webhook: Webhook) -> None:
    webhooks.renew_secret(webhook=webhook)
    webhooks.delete(webhook=webhook)
    page = text(Client(), f"/seasons/{season.slug}/log/")
    assert "127.0.0.1" not in page
    assert "ebhook" not in page
