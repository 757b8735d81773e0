"""A new e-mail address holds only after its link was opened, and nobody else learns whether it has an account."""

from __future__ import annotations

import re
import smtplib
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client

from people.models import Notice, User
from people.services import accounts, addresses, kept, mails
from people.services.accounts import Limit

pytestmark = [pytest.mark.django_db, pytest.mark.database]

PASSWORD = "correct horse battery"
PAGE = "/people/account/address"


@pytest.fixture
def kai() -> User:
    return accounts.create_account("Kai", "kai@example.org", PASSWORD)


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def sign_up(name: str, email: str) -> tuple[Client, Any]:
    client = Client()
    passwords = {"password1": PASSWORD, "password2": PASSWORD}
    return client, client.post("/people/sign-up", {"username": name, "email": email, "time_zone": "UTC", **passwords})


def ask(client: Client, email: str, password: str = PASSWORD) -> Any:
    return client.post(PAGE, {"email": email, "password": password})


def link() -> str:
    """The path of the link in the newest mail."""
    [path] = re.findall(r"http://localhost:8000(/people/address/\S+)", str(mail.outbox[-1].body))
    return str(path)


def test_the_address_of_a_sign_up_holds_once_its_link_was_opened() -> None:
    client, answer = sign_up("Mara", "mara@example.org")
    assert answer.status_code == 302
    mara = User.objects.get()
    assert (mara.email, mara.new_email) == ("", "mara@example.org")
    assert [message.to for message in mail.outbox] == [["mara@example.org"]]
    assert "Mara" not in mail.outbox[0].subject + str(mail.outbox[0].body), "a name is a stranger's own text"
    for page in ("/", "/people/account"):
        assert "mara@example.org" in client.get(page).content.decode()
    assert "no confirmed e-mail address" in client.get("/people/account").content.decode()

    stranger, path = Client(), link()
    assert "Mara" in stranger.get(path).content.decode()
    assert User.objects.get().email == "", "a program that looks into mails confirms nothing"
    assert "The address is confirmed." in stranger.post(path).content.decode()
    mara.refresh_from_db()
    assert (mara.email, mara.new_email) == ("mara@example.org", "")
    assert not Notice.objects.exists(), "there was no address before"
    assert "used already" in stranger.post(path).content.decode()


def test_an_address_that_waits_gets_no_notice_no_digest_and_no_password_link() -> None:
    sign_up("Mara", "mara@example.org")
    mara = User.objects.get()
    accounts.notify([mara], "your_turn", {"match": "Ash – Birch"})
    mail.outbox.clear()
    assert mails.waiting_now() == mails.digests_due() == []
    assert not mails.send_waiting(mara.pk)
    assert not mails.send_digest(mara.pk)
    Client().post("/people/reset-password", {"email": "mara@example.org"})
    assert mail.outbox == []


def test_sign_up_and_change_answer_alike_for_an_address_with_an_account(kai: User) -> None:
    pages = []
    for name, email in (("Mara", "KAI@example.org"), ("Omar", "free@example.org")):
        client, answer = sign_up(name, email)
        found = [answer.status_code, answer.headers["Location"], client.get("/people/account").content.decode()]
        changed = ask(client, "kai@example.org" if name == "Mara" else "other@example.org")
        found += [changed.status_code, changed.headers["Location"], client.get("/people/account").content.decode()]
        said = [re.sub(r'value="\w{64}"', "", str(part).replace(name, "")) for part in found]
        pages.append([re.sub(r"(KAI|kai|free|other)@", "@", part) for part in said])
    assert pages[0] == pages[1]
    assert [message.to[0] for message in mail.outbox] == [
        "KAI@example.org", "kai@example.org", "free@example.org", "other@example.org",
    ]  # fmt: skip
    assert "/people/address/" not in str(mail.outbox[0].body) + str(mail.outbox[1].body)
    assert "/people/reset-password" in str(mail.outbox[0].body)
    assert User.objects.filter(email__iexact="kai@example.org").count() == 1


def test_a_change_needs_the_password_and_the_link_and_tells_the_old_address(
    kai: User, django_capture_on_commit_callbacks: Any
) -> None:
    client = logged_in(kai)
    answer = ask(client, "new@example.org", "wrong")
    assert "This is not the password of the account." in answer.content.decode()
    assert (mail.outbox, User.objects.get().new_email) == ([], "")
    client.post("/people/account", {"email": "new@example.org", "time_zone": "UTC"})
    assert User.objects.get().new_email == "", "the page of all else takes no address"

    assert ask(client, "new@example.org").headers["Location"] == "/people/account"
    kai.refresh_from_db()
    assert (kai.email, kai.new_email) == ("kai@example.org", "new@example.org")
    assert [message.to for message in mail.outbox] == [["new@example.org"]]
    with django_capture_on_commit_callbacks(execute=True):
        Client().post(link())
    kai.refresh_from_db()
    assert kai.email == "new@example.org"
    assert mail.outbox[-1].to == ["kai@example.org"]
    assert [notice.code for notice in kai.notices.all()] == ["email_changed"]


def test_the_present_address_takes_back_what_waits(kai: User) -> None:
    client = logged_in(kai)
    ask(client, "new@example.org")
    path = link()
    ask(client, "KAI@example.org")
    assert len(mail.outbox) == 1
    kai.refresh_from_db()
    assert (kai.email, kai.new_email) == ("kai@example.org", "")
    assert Client().post(path).context["is_done"] is False


def test_passwords_and_links_are_counted(kai: User, monkeypatch: pytest.MonkeyPatch) -> None:
    client = logged_in(kai)
    monkeypatch.setattr(addresses, "PASSWORD_TRIES", Limit("own_password", 2))
    assert [ask(client, "new@example.org", "wrong").status_code for _ in range(3)] == [200, 200, 429]
    assert ask(client, "new@example.org").status_code == 429, "the right one too"
    monkeypatch.setattr(addresses, "PASSWORD_TRIES", Limit("other", 99))
    answers = [ask(client, f"victim{number}@example.org").status_code for number in range(6)]
    assert answers == [302] * 5 + [429]
    assert len(mail.outbox) == 5


@pytest.mark.parametrize("email", ["victim@example.org", "kai@example.org"], ids=["unknown", "known"])
def test_one_mailbox_gets_few_links_whoever_asks(kai: User, email: str) -> None:
    answers = [sign_up(f"name{number}", email)[1].status_code for number in range(4)]
    assert answers == [302] * 4, "who signs up gets the account all the same"
    assert len(mail.outbox) == addresses.LINKS_TO_A_MAILBOX.times == 3
    client, _ = sign_up("name4", email)
    assert "No mail with a link could be sent" in client.get("/people/account").content.decode()


def test_of_two_accounts_that_wait_for_one_address_the_first_gets_it() -> None:
    paths = []
    for name in ("Mara", "Omar"):
        sign_up(name, "shared@example.org")
        paths.append(link())
    assert Client().post(paths[0]).context["is_done"] is True
    assert "Another account has confirmed" in Client().post(paths[1]).content.decode()
    assert [user.email for user in User.objects.order_by("pk")] == ["shared@example.org", ""]


def test_a_link_ends_with_a_new_password_after_three_days_and_when_it_is_forged(
    kai: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(logged_in(kai), "new@example.org")
    code, token = link().split("/")[-2:]
    assert addresses.find(code, token) == kai
    for forged in [(code, "x-y"), ("!", token), ("OTk5", token), ("LTE", token), ("4pi6", token), (code, token[:-1])]:
        assert addresses.find(*forged) is None
    assert settings.PASSWORD_RESET_TIMEOUT == 3 * 24 * 3600
    with monkeypatch.context() as later:
        later.setattr(settings, "PASSWORD_RESET_TIMEOUT", -1)
        assert addresses.find(code, token) is None
    kai.refresh_from_db()
    kai.set_password("staple the battery")
    kai.save()
    assert addresses.find(code, token) is None, "else a thief's link outlives the theft"


def test_a_mail_server_that_fails_costs_no_account_and_writes_no_address(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(self: Any, messages: Any) -> int:
        raise smtplib.SMTPRecipientsRefused({"mara@example.org": (550, b"no such mailbox")})

    monkeypatch.setattr(EmailBackend, "send_messages", refuse)
    client, answer = sign_up("Mara", "mara@example.org")
    assert answer.status_code == 302
    assert "No mail with a link could be sent to mara@example.org" in client.get("/").content.decode()
    assert "mara@" not in caplog.text


def test_accounts_of_the_shell_have_the_address_that_they_were_given() -> None:
    root = User.objects.create_superuser("root", "root@example.org", PASSWORD)
    assert (root.email, root.new_email) == ("root@example.org", "")


def test_a_deleted_account_waits_for_nothing(kai: User) -> None:
    client = logged_in(kai)
    ask(client, "new@example.org")
    path = link()
    assert kept.own_data(User.objects.get())["account"]["email_that_waits_for_its_link"] == "new@example.org"
    client.post("/people/account/leave", {"password": PASSWORD, "sure": "on"})
    assert User.objects.get().new_email == ""
    assert Client().post(path).context["is_done"] is False
