"""The way back for a person who forgot the password."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from people.checks import mails_reach_people
from people.models import User
from people.services import accounts, mails, tokens
from people.services.tokens import find_token, make_token

pytestmark = pytest.mark.django_db

NEW_PASSWORD = "staple the battery"


@pytest.fixture
def kai() -> User:
    return accounts.create_account("Kai", "kai@example.org", "correct horse battery")


def ask(client: Client, email: str) -> Any:
    return client.post(reverse("people:reset_password"), {"email": email})


def test_a_link_comes_by_mail_and_works_once(client: Client, kai: User, mailoutbox: Any, settings: Any) -> None:
    settings.SITE_URL = "https://circuit.example"
    answer = ask(client, "KAI@example.org")
    assert answer.headers["Location"] == reverse("people:reset_password_sent")
    assert mailoutbox[0].to == ["kai@example.org"]
    link = re.search(r"https://circuit\.example(/\S+)", mailoutbox[0].body)
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


def test_the_link_is_of_the_site_whatever_host_was_asked(client: Client, kai: User, mailoutbox: Any) -> None:
    client.post(reverse("people:reset_password"), {"email": kai.email}, headers={"host": "127.0.0.1:9999"})
    staff = Client()
    staff.force_login(User.objects.create_superuser("root", "root@example.org", NEW_PASSWORD))
    action = {"action": "send_reset_mail", "_selected_action": [kai.pk]}
    staff.post("/admin/people/user/", action, headers={"host": "127.0.0.1:9999"})
    assert [message.to for message in mailoutbox] == [["kai@example.org"]] * 2
    for message in mailoutbox:
        assert "http://localhost:8000/people/reset-password/" in message.body
        assert "9999" not in message.body


DROPPED = "django.core.mail.backends.dummy.EmailBackend"
PRINTED = "django.core.mail.backends.console.EmailBackend"


@pytest.mark.parametrize(
    ("backend", "codes"), [(DROPPED, ["people.W001"]), (PRINTED, ["people.W002"]), ("smtp.of.somebody", [])]
)
def test_the_check_of_a_deployment_says_where_mails_reach_nobody(backend: str, codes: list[str], settings: Any) -> None:
    settings.EMAIL_BACKEND = backend
    assert [warning.id for warning in mails_reach_people()] == codes


def test_a_site_without_a_mail_server_says_so_and_lets_mails_wait(client: Client, kai: User, settings: Any) -> None:
    accounts.notify([kai], "your_turn", {"match": "Ash – Birch"})
    assert "sends no mails" not in client.get(reverse("people:reset_password")).content.decode()
    settings.EMAIL_BACKEND = DROPPED
    assert mails.waiting_now() == mails.digests_due() == []
    for page in ("reset_password", "reset_password_sent", "sign_up"):
        assert "This site sends no mails." in client.get(reverse(f"people:{page}")).content.decode()


def test_a_password_by_the_link_ends_every_token(
    client: Client, kai: User, mailoutbox: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "_others", [lambda user, now: ["2 links to stables ended."]])
    text = make_token(user=kai, name="thief", scopes=["read"]).text
    ask(client, kai.email)
    assert "all your sessions, tokens, addresses of calendars and links to stables" in mailoutbox[0].body
    link = re.search(r"http://localhost:8000(/\S+)", mailoutbox[0].body)
    assert link is not None
    form = client.get(link[1], follow=True)
    passwords = {"new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}
    assert find_token(text) is not None
    page = client.post(form.request["PATH_INFO"], passwords, follow=True).content.decode()
    assert "1 token for programs ended. 2 links to stables ended." in page
    assert find_token(text) is None


@pytest.mark.parametrize("wish", [{}, {"end_tokens": "on"}], ids=["kept", "ended"])
def test_a_changed_password_ends_the_tokens_of_a_person_who_wants_that(
    client: Client, kai: User, wish: dict[str, str]
) -> None:
    text = make_token(user=kai, name="laptop", scopes=["read"]).text
    client.force_login(kai)
    passwords = {"old_password": "correct horse battery", "new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}
    assert 'name="end_tokens"' in client.get(reverse("people:change_password")).content.decode()
    assert client.post(reverse("people:change_password"), {**passwords, **wish}).status_code == 302
    assert (find_token(text) is None) == bool(wish)
