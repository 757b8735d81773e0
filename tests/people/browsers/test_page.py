"""The page on which a person lets a browser show messages, and when a browser is forgotten."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from people.models import PushSubscription, User
from people.services import accounts, leaving, pushes
from people.services.kept import own_data
from rules.core.refusals import Malformed, Refused
from solaris_site.environment import Environment
from web.bounds import MOST_BROWSERS
from webhooks.web_push import keys_of

from .push_service import Browser, push_browser

__all__ = ["push_browser"]
pytestmark = [pytest.mark.django_db, pytest.mark.database]
PASSWORD = "correct horse battery"
ADDRESS = "/people/push"
THIS = ">this browser<"


@pytest.fixture
def kai() -> User:
    return accounts.create_account("Kai", "kai@example.org", PASSWORD)


@pytest.fixture
def mine(kai: User) -> Client:
    client = Client()
    client.force_login(kai)
    return client


def switch_on(client: Client, browser: Browser) -> PushSubscription:
    answer = client.post(ADDRESS, browser.form, secure=True)
    assert (answer.status_code, answer.headers["Location"]) == (302, ADDRESS)
    return PushSubscription.objects.get(endpoint=browser.form["endpoint"])


def page(client: Client, secure: bool = True) -> str:
    return client.get(ADDRESS, secure=secure).content.decode()


def test_a_browser_is_switched_on_named_and_ended(mine: Client, kai: User, push_browser: Browser) -> None:
    own = switch_on(mine, push_browser)
    assert (own.user, own.public_key, own.secret) == (kai, *list(push_browser.form.values())[1:])
    shown = page(mine)
    assert THIS in shown
    assert "127.0.0.1" in shown
    assert not any(value in shown for value in push_browser.form.values())
    other = Client()
    other.force_login(kai)
    assert THIS not in page(other)
    mine.post(f"{ADDRESS}/{own.pk}/end", secure=True)
    assert not PushSubscription.objects.exists()


def test_the_page_has_the_public_key_and_the_worker(mine: Client, push_browser: Browser, settings: Any) -> None:
    shown = page(mine)
    assert f'data-key="{keys_of(settings.PUSH_PRIVATE_KEY).public}"' in shown
    assert 'data-worker="/push-worker.js"' in shown
    assert settings.PUSH_PRIVATE_KEY not in shown
    assert "or runs no script here" in shown


def test_without_https_or_a_key_the_page_says_why_and_takes_nothing(
    mine: Client, push_browser: Browser, settings: Any
) -> None:
    for secure, key, sentence in (
        (False, settings.PUSH_PRIVATE_KEY, "only from a page that came over https://"),
        (True, "", "its operator has given it no key"),
    ):
        settings.PUSH_PRIVATE_KEY = key
        shown = page(mine, secure)
        assert sentence in shown
        assert 'id="push"' not in shown
        assert "push.js" not in shown
        answer = mine.post(ADDRESS, push_browser.form, secure=secure)
        assert answer.status_code == 409
        assert sentence in answer.content.decode()
    assert not PushSubscription.objects.exists()


def test_anything_but_a_browser_is_refused(kai: User, push_browser: Browser, settings: Any) -> None:
    settings.WEBHOOKS_PRIVATE = settings.WEBHOOKS_HTTP = False
    given = {**push_browser.form, "person": kai}
    for field, value, code in (
        ("endpoint", "https://127.0.0.1/send", "webhook_address_private"),
        ("endpoint", "http://push.example.org/send", "webhook_address_not_https"),
        ("endpoint", "", "webhook_address_malformed"),
        ("public_key", "", "bad_field"),
        ("secret", "short", "bad_field"),
    ):
        changed: Any = {**given, "endpoint": "https://push.example.org/send", field: value}
        with pytest.raises((Malformed, Refused)) as refused:
            pushes.subscribe(**changed)
        assert refused.value.code == code
    assert not PushSubscription.objects.exists()


def test_keys_are_stored_without_padding(mine: Client, push_browser: Browser) -> None:
    """However much of it was sent: a column takes no more than a key."""
    padded = {name: push_browser.form[name] + "=" * 200 for name in ("public_key", "secret")}
    mine.post(ADDRESS, {**push_browser.form, **padded}, secure=True)
    own = PushSubscription.objects.get()
    assert (own.public_key, own.secret) == (push_browser.form["public_key"], push_browser.form["secret"])


def test_nobody_ends_the_browser_of_another(kai: User, push_browser: Browser) -> None:
    own = pushes.subscribe(person=kai, **push_browser.form)
    stranger = Client()
    stranger.force_login(accounts.create_account("Mara", "mara@example.org", PASSWORD))
    assert stranger.post(f"{ADDRESS}/{own.pk}/end", secure=True).status_code == 404
    assert stranger.post(f"{ADDRESS}/{2**63}/end", secure=True).status_code == 404
    assert PushSubscription.objects.exists()


def test_an_account_has_ten_browsers_and_the_oldest_goes(kai: User, push_browser: Browser) -> None:
    for number in range(MOST_BROWSERS + 1):
        given = {**push_browser.form, "endpoint": f"https://push.example.org/{number}"}
        pushes.subscribe(person=kai, **given)
    # The same browser again is no other one.
    pushes.subscribe(person=kai, **given)
    kept = PushSubscription.objects.order_by("pk").values_list("endpoint", flat=True)
    assert list(kept) == [f"https://push.example.org/{number}" for number in range(1, MOST_BROWSERS + 1)]


def test_a_person_switches_browsers_on_so_often_an_hour(kai: User, push_browser: Browser) -> None:
    for number in range(pushes.SUBSCRIPTIONS_OF_A_PERSON.times):
        pushes.subscribe(person=kai, **{**push_browser.form, "endpoint": f"https://push.example.org/{number}"})
    with pytest.raises(accounts.TooOften):
        pushes.subscribe(person=kai, **push_browser.form)
    assert not PushSubscription.objects.filter(endpoint=push_browser.form["endpoint"]).exists()
    other = accounts.create_account("Mara", "mara@example.org", PASSWORD)
    assert pushes.subscribe(person=other, **push_browser.form).user == other


def test_logging_out_forgets_this_browser_and_no_other(mine: Client, kai: User, push_browser: Browser) -> None:
    switch_on(mine, push_browser)
    phone = pushes.subscribe(person=kai, **{**push_browser.form, "endpoint": "https://push.example.org/phone"})
    answer = mine.post("/people/log-out", secure=True)
    assert list(PushSubscription.objects.all()) == [phone]
    assert answer.cookies[pushes.COOKIE].value == ""


def test_a_browser_that_somebody_else_logs_in_with_forgets_the_person_before(
    mine: Client, kai: User, push_browser: Browser
) -> None:
    """The session has ended by itself, so that nobody logged out."""
    switch_on(mine, push_browser)
    del mine.cookies["sessionid"]
    accounts.create_account("Mara", "mara@example.org", PASSWORD)
    form = {"username": "Kai", "password": PASSWORD}
    mine.post("/people/log-in", form, secure=True)
    assert PushSubscription.objects.exists()
    del mine.cookies["sessionid"]
    mine.post("/people/log-in", {**form, "username": "Mara"}, secure=True)
    assert not PushSubscription.objects.exists()


def test_a_browser_belongs_to_whoever_switched_it_on_last(kai: User, push_browser: Browser) -> None:
    mara = accounts.create_account("Mara", "mara@example.org", PASSWORD)
    pushes.subscribe(person=kai, **push_browser.form)
    pushes.subscribe(person=mara, **push_browser.form)
    assert PushSubscription.objects.get().user == mara


def test_a_forged_cookie_names_no_browser(mine: Client, kai: User, push_browser: Browser) -> None:
    own = pushes.subscribe(person=kai, **push_browser.form)
    mine.cookies[pushes.COOKIE] = f"{own.pk}:forged"
    assert THIS not in page(mine)
    mine.post("/people/log-out", secure=True)
    assert PushSubscription.objects.exists()


def test_a_new_password_and_leaving_forget_all_browsers(kai: User, push_browser: Browser) -> None:
    pushes.subscribe(person=kai, **push_browser.form)
    kai.set_password("staple the battery")
    kai.save()
    assert not PushSubscription.objects.exists()
    pushes.subscribe(person=kai, **push_browser.form)
    [kept] = own_data(kai)["browsers"]
    assert (kept["push_service"], push_browser.form["endpoint"] in str(kept)) == ("127.0.0.1", False)
    leaving.leave(kai, "staple the battery")
    assert not PushSubscription.objects.exists()


def test_the_command_makes_a_key_that_the_settings_take(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("push_key")
    key = capsys.readouterr().out.strip()
    given = {"VAPID_PRIVATE_KEY": key, "VAPID_CONTACT": "mailto:operator@example.org"}
    assert Environment(given).push("VAPID_PRIVATE_KEY", "VAPID_CONTACT") == (key, "mailto:operator@example.org")
    assert keys_of(key).public
