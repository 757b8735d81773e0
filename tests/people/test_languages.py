"""The language of a person: chosen on the account, in the footer, or by the browser; and the pages that have it."""

from __future__ import annotations

import re

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import translation

from people.models import User
from people.services import accounts
from solaris_site.views import server_error
from tests.languages import finish, speak_with_marks

pytestmark = [pytest.mark.django_db, pytest.mark.database]

SIGNED_UP = {
    "username": "Ola",
    "password1": "correct horse battery",
    "password2": "correct horse battery",
    "time_zone": "UTC",
}


@pytest.fixture(autouse=True)
def finished(monkeypatch: pytest.MonkeyPatch) -> None:
    """Polish and German are finished for accounts."""
    finish(monkeypatch, pl=["people"], de=["people"])
    speak_with_marks(monkeypatch)


def language_of(client: Client, address: str = "/people/log-in", **headers: str) -> str:
    answer = client.get(address, headers={name.replace("_", "-"): value for name, value in headers.items()})
    [language] = re.findall(r'<html lang="([^"]*)"', answer.content.decode())
    assert answer.headers["Content-Language"] == language
    return language


@pytest.fixture
def ola() -> User:
    return accounts.create_account("Ola", "", "correct horse battery", language="pl")


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("pl", "pl"), ("de-AT,pl;q=0.5", "de"), ("fr,pl;q=0.5", "pl"), ("fr", "en"), ("en,pl;q=0.9", "en"), ("*", "en")],
)
def test_a_visitor_reads_the_offered_language_that_the_browser_likes_best(
    client: Client, accepted: str, language: str
) -> None:
    assert language_of(client, accept_language=accepted) == language


def test_a_language_without_a_finished_room_is_not_offered(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    finish(monkeypatch, de=["people"])
    assert language_of(client, accept_language="pl") == "en"
    client.cookies["django_language"] = "pl"
    assert language_of(client) == "en"
    assert language_of(client, accept_language="pl,de;q=0.3") == "de"
    page = client.get("/people/log-in").content.decode()
    assert 'value="de"' in page
    assert 'value="pl"' not in page


def test_without_any_finished_room_nobody_is_asked_for_a_language(
    client: Client, ola: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish(monkeypatch)
    client.force_login(ola)
    page = client.get("/people/account").content.decode()
    assert 'name="language"' not in page
    assert "not yet in" not in page
    assert '<html lang="en"' in page


def test_a_page_of_an_unfinished_room_is_english_and_says_so_in_the_readers_language(client: Client) -> None:
    page = client.get("/help/", headers={"accept-language": "pl"}).content.decode()
    assert '<html lang="en"' in page
    assert re.search(r'<p class="[^"]*" lang="pl">not yet in pl</p>', page)
    assert "pl:" not in page
    assert re.search(r'value="pl"[^>]*selected', page)
    assert "not yet in" not in client.get("/people/log-in", headers={"accept-language": "pl"}).content.decode()


def test_an_address_that_nobody_answers_is_in_the_language_of_the_frame(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get("/no/such/page", headers={"accept-language": "pl"}).headers["Content-Language"] == "en"
    finish(monkeypatch, pl=["web"])
    assert client.get("/no/such/page", headers={"accept-language": "pl"}).headers["Content-Language"] == "pl"


def test_the_language_of_the_account_comes_before_cookie_and_browser(client: Client, ola: User) -> None:
    client.cookies["django_language"] = "de"
    assert language_of(client, accept_language="de") == "de"
    client.force_login(ola)
    assert language_of(client, "/people/account", accept_language="de") == "pl"


@pytest.mark.parametrize("address", ["/nothing/here/", "/people/nothing", "/api/nothing"])
def test_an_address_that_nobody_answers_is_in_the_language_of_the_account(
    client: Client, ola: User, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    finish(monkeypatch, pl=["people", "web"], de=["people", "web"])
    client.force_login(ola)
    client.cookies["django_language"] = "de"
    answer = client.get(address)
    assert (answer.status_code, answer.headers["Content-Language"]) == (404, "pl")


def test_a_page_after_a_bug_says_nothing_of_a_language_that_is_not_finished(client: Client) -> None:
    with translation.override("pl"):
        page = server_error(RequestFactory().get("/")).content.decode()
    assert '<html lang="pl"' in page
    assert re.findall(r"<p[^>]* lang=", page) == []


def test_the_footer_keeps_the_choice_of_a_visitor_in_a_cookie(client: Client) -> None:
    answer = client.post(reverse("set_language"), {"language": "de", "next": "/people/log-in"})
    assert answer.headers["Location"] == "/people/log-in"
    kept = client.cookies["django_language"]
    assert (kept["max-age"], kept["samesite"], kept["httponly"]) == (365 * 24 * 3600, "Lax", True)
    assert language_of(client, accept_language="pl") == "de"


def test_the_choice_leads_nowhere_else(client: Client) -> None:
    answer = client.post(reverse("set_language"), {"language": "de", "next": "https://evil.example/"})
    assert answer.headers["Location"] == "/"


def test_the_footer_keeps_the_choice_of_a_person_on_the_account(client: Client, ola: User) -> None:
    client.force_login(ola)
    client.post(reverse("set_language"), {"language": "de", "next": "/"})
    ola.refresh_from_db()
    assert ola.language == "de"
    assert language_of(client, "/people/account") == "de"


@pytest.mark.parametrize("code", ["fr", "", "xx" * 20, "pl"])
def test_a_language_that_is_not_offered_changes_nothing(
    client: Client, ola: User, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish(monkeypatch, de=["people"])
    client.force_login(ola)
    answer = client.post(reverse("set_language"), {"language": code, "next": "/people/account"})
    assert answer.headers["Location"] == "/people/account"
    assert "django_language" not in client.cookies
    ola.refresh_from_db()
    assert ola.language == "pl"


@pytest.mark.parametrize(("accepted", "language"), [("pl", "pl"), ("fr", "en")])
def test_a_new_account_has_the_language_that_its_sign_up_was_read_in(
    client: Client, accepted: str, language: str
) -> None:
    client.post(reverse("people:sign_up"), SIGNED_UP, headers={"accept-language": accepted})
    assert User.objects.get(username="Ola").language == language


def test_the_form_of_a_new_account_offers_the_languages_and_has_chosen_that_of_the_page(client: Client) -> None:
    page = client.get(reverse("people:sign_up"), headers={"accept-language": "de"}).content.decode()
    [field] = re.findall(r'<select name="language" id="id_language">(.*?)</select>', page, re.DOTALL)
    assert re.findall(r'value="(\w+)"', field) == ["en", "pl", "de"]
    assert re.findall(r'value="(\w+)"[^>]* selected', field) == ["de"]
    client.post(reverse("people:sign_up"), {**SIGNED_UP, "language": "pl"}, headers={"accept-language": "de"})
    assert User.objects.get(username="Ola").language == "pl"


def test_a_language_that_nobody_offers_makes_no_account(client: Client) -> None:
    client.post(reverse("people:sign_up"), {**SIGNED_UP, "language": "fr"})
    assert not User.objects.filter(username="Ola").exists()


def test_a_log_in_keeps_what_the_browser_asks_for_and_chooses_nothing(client: Client) -> None:
    kai = accounts.create_account("Kai", "", "correct horse battery")
    typed = {"username": "Kai", "password": "correct horse battery"}
    for accepted, kept in (("pl", "pl"), ("", "pl"), ("*", "pl"), ("de-AT", "de"), ("fr", "en")):
        client.post(reverse("people:log_in"), typed, headers={"accept-language": accepted})
        client.post(reverse("people:log_out"))
        kai.refresh_from_db()
        assert (kai.language, kai.browser_language) == ("", kept)


def test_where_english_is_alone_a_new_account_has_no_language(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    finish(monkeypatch)
    client.post(reverse("people:sign_up"), SIGNED_UP, headers={"accept-language": "pl"})
    assert User.objects.get(username="Ola").language == ""


def test_a_guest_who_signs_up_has_the_language_too(client: Client) -> None:
    from people.services.guests import become_account, make_guest

    person = become_account(make_guest(), "Ola", "", "correct horse battery", "UTC", "pl")
    assert User.objects.get(pk=person.pk).language == "pl"


def test_a_person_chooses_their_language_on_the_page_of_the_account(client: Client, ola: User) -> None:
    client.force_login(ola)
    page = client.get("/people/account").content.decode()
    assert re.search(
        r'<option value="pl"[^>]* selected[^>]*>Polski</option>\s*<option value="de"[^>]*>Deutsch</option>', page
    )
    fields = {"time_zone": "UTC", "digest_hour": "8", "ladder": "", "discord_id": ""}
    client.post("/people/account", {**fields, "language": "fr"})
    ola.refresh_from_db()
    assert ola.language == "pl"
    client.post("/people/account", {**fields, "language": ""})
    ola.refresh_from_db()
    assert ola.language == ""
    assert language_of(client, "/people/account", accept_language="de") == "de"


def test_a_chosen_language_that_is_not_offered_any_more_counts_as_none(
    client: Client, ola: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish(monkeypatch, de=["people"])
    client.force_login(ola)
    assert language_of(client, "/people/account", accept_language="de") == "de"
    page = client.get("/people/account").content.decode()
    assert re.search(r'<option value="" selected>', page)
