"""Accounts in the administration: to look at. Nobody gets into another's account there."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import NoReverseMatch, reverse

from people.models import User
from people.services import accounts

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"
LIST = "/admin/people/user/"


@pytest.fixture
def kai() -> User:
    return accounts.create_account("Kai", "kai@example.org", PASSWORD)


@pytest.fixture
def admin() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("root", "root@example.org", PASSWORD))
    return client


def test_the_admin_changes_no_password_name_or_address(admin: Client, kai: User) -> None:
    group = Group.objects.create(name="Helpers")
    sent = {
        "username": "Mine",
        "email": "mine@example.org",
        "password": "x",
        "password1": "staple the battery",
        "password2": "staple the battery",
        "is_superuser": "on",
        "is_staff": "on",
        "groups": [group.pk],
    }
    assert admin.post(f"{LIST}{kai.pk}/change/", sent).status_code == 302
    changed = User.objects.get(pk=kai.pk)
    assert (changed.username, changed.email, changed.password) == ("Kai", "kai@example.org", kai.password)
    assert (changed.is_superuser, changed.is_staff, changed.is_active) == (False, True, False)
    assert [each.name for each in changed.groups.all()] == ["Helpers"]


def test_there_is_no_page_to_set_a_password_and_none_to_add_an_account(admin: Client, kai: User) -> None:
    with pytest.raises(NoReverseMatch):
        reverse("admin:auth_user_password_change", args=[kai.pk])
    passwords = {"password1": "staple the battery", "password2": "staple the battery"}
    for ask in (admin.get, admin.post):
        # Django leads what it does not know as an object back to the list.
        assert ask(f"{LIST}{kai.pk}/password/", passwords).status_code in (302, 404)
        assert ask(f"{LIST}add/", {"username": "New", "email": "new@example.org", **passwords}).status_code == 403
    assert User.objects.count() == 2
    assert User.objects.get(pk=kai.pk).check_password(PASSWORD)


def test_the_hash_of_a_password_is_neither_shown_nor_asked_for(admin: Client, kai: User) -> None:
    shown = admin.get(f"{LIST}{kai.pk}/change/").content.decode()
    assert "kai@example.org" in shown
    assert kai.password.split("$")[-1][:12] not in shown
    assert kai.password.split("$")[0] + "$" not in shown
    answer = admin.get(LIST, {"password__startswith": kai.password[:30]})
    assert answer.status_code == 400, "Django's answer to a filter that is not allowed"
    assert admin.get(LIST, {"is_staff__exact": "0"}).status_code == 200


def test_staff_that_is_no_superuser_cannot_raise_itself(kai: User, client: Client) -> None:
    from django.contrib.auth.models import Permission

    kai.is_staff = True
    kai.save()
    codes = ("view_user", "change_user")
    kai.user_permissions.set(Permission.objects.filter(content_type__app_label="people", codename__in=codes))
    group = Group.objects.create(name="Everything")
    client.force_login(kai)
    sent = {"is_active": "on", "is_superuser": "on", "groups": [group.pk]}
    assert client.post(f"{LIST}{kai.pk}/change/", sent).status_code == 302
    kai.refresh_from_db()
    assert (kai.is_active, kai.is_staff, kai.is_superuser, kai.groups.count()) == (True, True, False, 0)


def ask_for_reset(admin: Client, *people: User) -> Any:
    sent = {"action": "send_reset_mail", "_selected_action": [person.pk for person in people]}
    return admin.post(LIST, sent, follow=True)


def test_the_reset_mail_goes_to_the_persons_own_address(admin: Client, kai: User, mailoutbox: Any) -> None:
    asleep = User.objects.create_user("Mara", "mara@example.org", PASSWORD, is_active=False)
    answer = ask_for_reset(admin, kai, asleep)
    assert [message.to for message in mailoutbox] == [["kai@example.org"]]
    assert "/people/reset-password/" in mailoutbox[0].body
    assert "1 mail sent" in answer.content.decode()
    assert "/people/reset-password/" not in answer.content.decode(), "the link is for the mailbox alone"


def test_a_mailbox_is_not_flooded_from_the_admin_either(admin: Client, kai: User, mailoutbox: Any) -> None:
    for _ in range(accounts.RESETS_OF_A_MAILBOX.times + 1):
        answer = ask_for_reset(admin, kai)
    assert len(mailoutbox) == accounts.RESETS_OF_A_MAILBOX.times
    assert "enough of these mails" in answer.content.decode()
