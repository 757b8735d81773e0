"""Who owns an account hears of a new password or address, at the address from before, whoever changed it."""

from __future__ import annotations

import smtplib
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.tokens import default_token_generator
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from people.models import Notice, User
from people.services import accounts, addresses, mails

pytestmark = [pytest.mark.django_db, pytest.mark.database]
PASSWORD = "correct horse battery"
NEW = {"new_password1": "staple the battery", "new_password2": "staple the battery"}


@pytest.fixture
def kai() -> User:
    return accounts.create_account("Kai", "kai@example.org", PASSWORD)


def codes() -> list[str]:
    return list(Notice.objects.order_by("id").values_list("code", flat=True))


@pytest.mark.parametrize("page", ["/people/account/password", "/admin/password_change/", "reset"])
def test_a_new_password_is_shown_whatever_page_sets_it(
    kai: User, client: Client, page: str, mailoutbox: Any, django_capture_on_commit_callbacks: Any
) -> None:
    if page == "reset":
        uid = urlsafe_base64_encode(force_bytes(kai.pk))
        link = f"/people/reset-password/{uid}/{default_token_generator.make_token(kai)}"
        address = client.get(link, follow=True).request["PATH_INFO"]
    else:
        address = page
        User.objects.filter(pk=kai.pk).update(is_staff=True)
        client.force_login(User.objects.get(pk=kai.pk))
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(address, {"old_password": PASSWORD, **NEW}).status_code == 302
    assert User.objects.get(pk=kai.pk).check_password("staple the battery")
    assert codes() == ["password_changed"]
    [message] = mailoutbox
    assert message.to == ["kai@example.org"]
    assert "The password of your account was changed." in message.body
    assert "ends your sessions, tokens, addresses of calendars and links to stables" in message.body
    assert Notice.objects.get().mailed_at is not None
    assert not mails.send_digest(kai.pk), "and is not mailed again"


def test_a_new_address_is_shown_to_the_old_one_without_naming_the_new(
    kai: User, client: Client, mailoutbox: Any, django_capture_on_commit_callbacks: Any
) -> None:
    client.force_login(kai)
    kai.new_email = "new@example.org"
    with django_capture_on_commit_callbacks(execute=True):
        addresses.prove(kai)
    assert User.objects.get(pk=kai.pk).email == "new@example.org"
    assert codes() == ["email_changed"]
    [message] = mailoutbox
    assert message.to == ["kai@example.org"]
    assert "kai@example.org any more" in message.body
    assert "new@example.org" not in message.body
    assert "kai@example.org any more" in client.get("/people/notices").content.decode()


def test_the_operators_shell_hears_of_too(kai: User, mailoutbox: Any, django_capture_on_commit_callbacks: Any) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        kai.set_password("staple the battery")
        kai.save()
    assert codes() == ["password_changed"]
    assert len(mailoutbox) == 1


def test_what_stays_the_same_is_not_shown(kai: User, client: Client, settings: Any) -> None:
    old = "django.contrib.auth.hashers.PBKDF2SHA1PasswordHasher"
    settings.PASSWORD_HASHERS = [*settings.PASSWORD_HASHERS, old]
    User.objects.filter(pk=kai.pk).update(password=make_password(PASSWORD, hasher="pbkdf2_sha1"))
    sent = {"username": "Kai", "password": PASSWORD}
    assert client.post("/people/log-in", sent).status_code == 302
    stored = User.objects.get(pk=kai.pk)
    assert not stored.password.startswith("pbkdf2_sha1"), "it was hashed anew"
    client.post("/people/account", {"time_zone": "Asia/Tokyo"})
    assert codes() == []


def test_a_new_account_and_one_that_is_deleted_hear_nothing(kai: User, client: Client, mailoutbox: Any) -> None:
    client.force_login(kai)
    client.post("/people/account/leave", {"password": PASSWORD, "sure": "on"})
    assert User.objects.get(pk=kai.pk).left_at is not None
    assert codes() == []


def test_a_mail_server_that_does_not_answer_takes_no_change_back(
    kai: User, monkeypatch: Any, django_capture_on_commit_callbacks: Any
) -> None:
    def refuse(self: Any) -> None:
        raise smtplib.SMTPServerDisconnected

    monkeypatch.setattr(EmailBackend, "open", refuse)
    with django_capture_on_commit_callbacks(execute=True):
        kai.set_password("staple the battery")
        kai.save()
    assert User.objects.get(pk=kai.pk).check_password("staple the battery")
    assert Notice.objects.get().mailed_at is None, "it waits for the digest"
