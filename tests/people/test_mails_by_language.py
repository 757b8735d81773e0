"""Mails and messages in the language of the person who gets them, whoever wrote or caused them."""

from __future__ import annotations

import json

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import translation

from jobs.services import run_pending
from people.models import Notice, User
from people.services import accounts, mails, pushes
from people.text.readers import as_read_by
from solaris_site.jobs import scan_for_mails
from tests.languages import finish, speak_with_marks

pytestmark = [pytest.mark.django_db, pytest.mark.database]

NAMES = {"season": "Winter", "stable": "Kestrel Row", "match": "Ash and Birch", "cycle": 1}
PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def finished(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both languages are finished for mails and matches, and Polish for seasons too."""
    finish(monkeypatch, pl=["people", "matches", "stables"], de=["people", "matches"])
    speak_with_marks(monkeypatch)


@pytest.fixture
def ola() -> User:
    return accounts.create_account("Ola", "ola@example.org", PASSWORD, language="pl")


@pytest.fixture
def jan() -> User:
    return accounts.create_account("Jan", "jan@example.org", PASSWORD, language="de")


@pytest.fixture
def kai() -> User:
    return accounts.create_account("Kai", "kai@example.org", PASSWORD)


def mailed() -> dict[str, tuple[str, str]]:
    return {message.to[0]: (message.subject, message.body) for message in mail.outbox}


def test_one_act_is_mailed_to_each_in_their_own_language(ola: User, jan: User, kai: User) -> None:
    accounts.notify([ola, jan, kai], "your_turn", NAMES, "/")
    with translation.override("de"):
        scan_for_mails()
        run_pending()
        assert translation.get_language() == "de"
    found = mailed()
    sentence = "Ash and Birch waits for you: it is your turn."
    assert {to: subject for to, (subject, _) in found.items()} == {
        "ola@example.org": f"pl:{sentence}",
        "jan@example.org": f"de:{sentence}",
        "kai@example.org": sentence,
    }
    assert "pl:mails when it is my turn" in found["ola@example.org"][1]
    assert "de:mails when it is my turn" in found["jan@example.org"][1]
    assert "pl:" not in found["jan@example.org"][1]
    assert "de:" not in found["kai@example.org"][1]


def test_a_person_without_a_choice_reads_what_their_browser_asked_for_last(kai: User, ola: User) -> None:
    User.objects.update(browser_language="de")
    accounts.notify([ola, kai], "your_turn", NAMES, "/")
    assert mails.send_digest(kai.pk)
    assert mails.send_digest(ola.pk)
    found = mailed()
    assert found["kai@example.org"][0] == "de:Solaris Circuit: 1 new"
    assert found["ola@example.org"][0] == "pl:Solaris Circuit: 1 new"
    kai.refresh_from_db()
    with as_read_by(kai, otherwise="pl"):
        assert translation.get_language() == "de"


def test_a_digest_is_in_the_language_of_its_reader(ola: User, jan: User) -> None:
    accounts.notify([ola, jan], "your_turn", NAMES, "/")
    assert mails.send_digest(ola.pk)
    assert mails.send_digest(jan.pk)
    found = mailed()
    assert found["ola@example.org"][0] == "pl:Solaris Circuit: 1 new"
    assert "pl:Ash and Birch waits" in found["ola@example.org"][1]
    assert found["jan@example.org"][0] == "de:Solaris Circuit: 1 new"


def test_a_mail_with_a_sentence_of_an_unfinished_room_is_english_as_a_whole(ola: User, jan: User) -> None:
    for code in ("your_turn", "cycle_closed"):
        accounts.notify([ola, jan], code, NAMES, "/")
    assert mails.send_digest(ola.pk)
    assert mails.send_digest(jan.pk)
    found = mailed()
    assert "pl:" in found["ola@example.org"][0]
    assert "de:" not in "".join(found["jan@example.org"])


def test_a_message_to_a_browser_is_in_the_language_of_its_person(ola: User, jan: User) -> None:
    accounts.notify([ola, jan], "your_turn", NAMES, "/")
    said = [json.loads(pushes.message_of(notice))["body"][:3] for notice in Notice.objects.order_by("id")]
    assert said == ["pl:", "de:"]


def test_a_new_password_is_mailed_in_the_language_of_the_account(client: Client, ola: User, kai: User) -> None:
    for email in ("ola@example.org", "kai@example.org"):
        client.post(reverse("people:reset_password"), {"email": email}, headers={"accept-language": "de"})
    found = mailed()
    assert "pl:" in found["ola@example.org"][1]
    assert "de:" not in found["ola@example.org"][1]
    # An account without a language has that of the browser that asks.
    assert "de:" in found["kai@example.org"][1]


def test_a_change_of_the_account_is_mailed_in_its_language(ola: User) -> None:
    [notice] = accounts.notify([ola], "password_changed")
    with translation.override("de"):
        assert mails.send_about_account(notice, ola.email)
    assert mailed()["ola@example.org"][0] == "pl:Solaris Circuit: your account was changed"


def test_who_has_a_taken_address_reads_of_it_in_their_own_language(client: Client, ola: User, jan: User) -> None:
    client.force_login(jan)
    client.post(reverse("people:change_address"), {"email": "ola@example.org", "password": PASSWORD})
    client.post(reverse("people:change_address"), {"email": "new@example.org", "password": PASSWORD})
    subject = "Solaris Circuit: your e-mail address"
    assert {to: said for to, (said, _) in mailed().items()} == {
        "ola@example.org": f"pl:{subject}",
        "new@example.org": f"de:{subject}",
    }


def test_a_language_that_is_not_offered_is_english(jan: User, monkeypatch: pytest.MonkeyPatch) -> None:
    finish(monkeypatch, pl=["people"])
    with as_read_by(jan):
        assert translation.get_language() == "en"
