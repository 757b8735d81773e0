"""The Discord user id of an account: optional, digits only, the person's own, and gone when the account goes."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from people.models import User
from people.services import accounts, kept, leaving
from tests.markup import closed_up

pytestmark = pytest.mark.django_db
NUMBER = "123456789012345678"
PASSWORD = "correct horse battery"
ADDRESS = "/people/account"
OTHERS = {"time_zone": "UTC", "digest_hour": "8"}


@pytest.fixture
def kai() -> User:
    return accounts.create_account("Kaiserin", "kai@example.org", PASSWORD)


@pytest.fixture
def client_of_kai(kai: User) -> Client:
    client = Client()
    client.force_login(kai)
    return client


def test_it_is_set_and_emptied_on_the_account_page(kai: User, client_of_kai: Client) -> None:
    page = closed_up(client_of_kai.get(ADDRESS).content.decode())
    assert 'name="discord_id"' in page
    assert "17 to 20 digits" in page
    for typed, stored in ((NUMBER, NUMBER), (f" {NUMBER}00 ", f"{NUMBER}00"), ("", "")):
        assert client_of_kai.post(ADDRESS, OTHERS | {"discord_id": typed}).status_code == 302
        kai.refresh_from_db()
        assert kai.discord_id == stored


@pytest.mark.parametrize(
    "typed",
    ["1" * 16, "1" * 21, f"<@{NUMBER}>", "kai#1234", f"{NUMBER[:17]}x", "١" * 18, f"{NUMBER[:9]} {NUMBER[9:]}"],
)
def test_anything_else_is_refused_and_stays_typed(kai: User, client_of_kai: Client, typed: str) -> None:
    answer = client_of_kai.post(ADDRESS, OTHERS | {"discord_id": typed})
    assert answer.status_code == 200
    assert answer.context["form"]["discord_id"].errors
    assert answer.context["form"]["discord_id"].value() == typed
    kai.refresh_from_db()
    assert kai.discord_id == ""
    # The model holds the same, whatever writes it.
    kai.discord_id = typed
    with pytest.raises(ValidationError):
        kai.full_clean()


def test_it_is_in_ones_own_data_and_goes_with_the_account(kai: User) -> None:
    kai.discord_id = NUMBER
    kai.save()
    assert kept.own_data(kai)["account"]["discord_id"] == NUMBER
    leaving.leave(kai, PASSWORD)
    assert User.objects.get(pk=kai.pk).discord_id == ""


def test_the_staff_do_not_see_it(kai: User, admin_client: Client) -> None:
    User.objects.filter(pk=kai.pk).update(discord_id=NUMBER)
    answer = admin_client.get(f"/admin/people/user/{kai.pk}/change/")
    assert answer.status_code == 200
    assert NUMBER not in answer.content.decode()
