"""The way back for a person who forgot the password."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from people.models import User
from people.services import accounts

pytestmark = pytest.mark.django_db

NEW_PASSWORD = "staple the battery"


@pytest.fixture
def kai() -> User:
    return accounts.create_account("Kai", "kai@example.org", "correct horse battery")


def ask(client: Client, email: str) -> Any:
    return client.post(reverse("people:reset_password"), {"email": email})


def test_a_link_comes_by_mail_and_works_once(client: Client, kai: User, mailoutbox: Any) -> None:
    answer = ask(client, "KAI@example.org")
    assert answer.headers["Location"] == reverse("people:reset_password_sent")
    assert mailoutbox[0].to == ["kai@example.org"]
    link = re.search(r"http://testserver(\S+)", mailoutbox[0].body)
    assert link is not None
    form = client.get(link[1], follow=True)
    address = form.request["PATH_INFO"]
    passwords = {"new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}
    assert client.post(address, passwords).headers["Location"] == reverse("people:log_in")
    kai.refresh_from_db()
    assert kai.check_password(NEW_PASSWORD)

    again = Client().get(link[1], follow=True)
    assert again.context["validlink"] is False
    assert reverse("people:reset_password") in again.content.decode()


def test_the_answer_does_not_tell_who_has_an_account(client: Client, kai: User, mailoutbox: Any) -> None:
    known, unknown = ask(client, "kai@example.org"), ask(client, "nobody@example.org")
    assert known.headers["Location"] == unknown.headers["Location"]
    assert len(mailoutbox) == 1


def test_a_logged_in_person_changes_the_password(client: Client, kai: User) -> None:
    client.force_login(kai)
    passwords = {"old_password": "correct horse battery", "new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}
    answer = client.post(reverse("people:change_password"), passwords)
    assert answer.headers["Location"] == reverse("people:account")
    kai.refresh_from_db()
    assert kai.check_password(NEW_PASSWORD)
    assert client.get(reverse("people:account")).status_code == 200, "and stays logged in"
