"""Forms that strangers may send are not sent without end, and nobody is shut out for ever."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people.models import Attempt, User
from people.services import accounts

pytestmark = [pytest.mark.django_db, pytest.mark.database]

TWICE = accounts.Limit("twice", 2)


def an_hour_passes() -> None:
    Attempt.objects.update(created_at=timezone.now() - accounts.ATTEMPTS_LAST - timedelta(seconds=1))


def test_each_source_and_each_purpose_is_counted_by_itself() -> None:
    for _ in range(2):
        accounts.count_attempt(TWICE, "192.0.2.1")
    accounts.count_attempt(TWICE, "192.0.2.2")
    accounts.count_attempt(accounts.Limit("other", 1), "192.0.2.1")
    with pytest.raises(accounts.TooOften) as refusal:
        accounts.count_attempt(TWICE, "192.0.2.1")
    assert (refusal.value.code, refusal.value.parameters) == ("too_often", {"minutes": 60})


def test_a_mailbox_is_the_same_in_any_case_of_letters() -> None:
    accounts.count_attempt(TWICE, "Kai@example.org")
    accounts.count_attempt(TWICE, " kai@EXAMPLE.org")
    with pytest.raises(accounts.TooOften):
        accounts.count_attempt(TWICE, "kai@example.org")


def test_there_is_room_again_when_the_oldest_attempt_is_an_hour_old() -> None:
    accounts.count_attempt(TWICE, "192.0.2.1")
    Attempt.objects.update(created_at=timezone.now() - timedelta(minutes=45))
    accounts.count_attempt(TWICE, "192.0.2.1")
    with pytest.raises(accounts.TooOften) as refusal:
        accounts.count_attempt(TWICE, "192.0.2.1")
    assert refusal.value.parameters == {"minutes": 15}
    an_hour_passes()
    accounts.count_attempt(TWICE, "192.0.2.1")
    assert Attempt.objects.count() == 1, "what is too old to count is deleted"


def test_who_it_was_cannot_be_read_from_the_database() -> None:
    accounts.count_attempt(TWICE, "192.0.2.1")
    assert "192.0.2" not in Attempt.objects.get().source


def sign_up(client: Client, name: str) -> Any:
    values = {"username": name, "email": f"{name}@example.org", "time_zone": "UTC"}
    return client.post(reverse("people:sign_up"), values | dict.fromkeys(("password1", "password2"), "correct horse"))


def test_sign_ups_of_one_address_are_limited(client: Client) -> None:
    for _ in range(accounts.SIGN_UPS_OF_A_PLACE.times - 2):
        accounts.count_attempt(accounts.SIGN_UPS_OF_A_PLACE, "127.0.0.1")
    for _ in range(2):
        assert client.post(reverse("people:sign_up"), {}).status_code == 200
    answer = sign_up(client, "kai")
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "3600")
    assert "60 minutes" in answer.content.decode()
    assert not User.objects.exists()
    assert client.get(reverse("people:sign_up")).status_code == 200
    assert sign_up(Client(REMOTE_ADDR="192.0.2.9"), "mara").status_code == 302
    an_hour_passes()
    assert sign_up(client, "kai").status_code == 302


def ask(client: Client, email: str) -> int:
    status: int = client.post(reverse("people:reset_password"), {"email": email}).status_code
    return status


@pytest.mark.parametrize("email", ["kai@example.org", "nobody@example.org"], ids=["known", "unknown"])
def test_a_mailbox_is_not_flooded_and_the_limit_does_not_tell_who_has_an_account(email: str, mailoutbox: Any) -> None:
    accounts.create_account("Kai", "kai@example.org", "correct horse battery")
    times = accounts.RESETS_OF_A_MAILBOX.times
    answers = [ask(Client(REMOTE_ADDR=f"192.0.2.{number}"), email) for number in range(times + 1)]
    assert answers == [302] * times + [429]
    assert len(mailoutbox) == (times if email.startswith("kai") else 0)


def test_one_address_cannot_go_through_all_mailboxes(client: Client) -> None:
    times = accounts.RESETS_OF_A_PLACE.times
    assert [ask(client, f"{number}@example.org") for number in range(times + 1)] == [302] * times + [429]


FORGED = "203.0.113.9, 192.0.2.7"


@pytest.mark.parametrize(
    ("proxies", "header", "address"),
    [
        (0, FORGED, "127.0.0.1"),
        (1, FORGED, "192.0.2.7"),
        (1, "192.0.2.7", "192.0.2.7"),
        (2, f"{FORGED}, 10.0.0.2", "192.0.2.7"),
        (2, "192.0.2.7", "127.0.0.1"),
        (1, "", "127.0.0.1"),
    ],
)
def test_the_clients_address_behind_proxies(
    client: Client, settings: Any, proxies: int, header: str, address: str
) -> None:
    settings.PROXY_COUNT = proxies
    answer = client.get(reverse("people:sign_up"), headers={"x-forwarded-for": header})
    assert answer.wsgi_request.META["REMOTE_ADDR"] == address


def log_in(client: Client, name: str, password: str = "wrong", page: str = "people:log_in") -> Any:
    return client.post(reverse(page), {"username": name, "password": password})


@pytest.mark.parametrize("page", ["people:log_in", "admin:login"])
def test_one_place_cannot_try_a_password_with_all_names(client: Client, page: str) -> None:
    user = accounts.create_account("Kai", "kai@example.org", "correct horse battery")
    User.objects.filter(pk=user.pk).update(is_staff=True)
    times = accounts.FAILED_LOG_INS_OF_A_PLACE.times
    assert {log_in(client, f"name{number}", page=page).status_code for number in range(times)} == {200}
    answer = log_in(client, "Kai", "correct horse battery", page)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "3600")
    assert "60 minutes" in answer.content.decode()
    assert "_auth_user_id" not in client.session
    assert log_in(client, "Kai", "correct horse battery", "people:log_in").status_code == 429, "by every page"
    assert client.get(reverse(page)).status_code == 200
    elsewhere = Client(REMOTE_ADDR="192.0.2.9")
    assert log_in(elsewhere, "Kai", "correct horse battery", page).status_code == 302
    an_hour_passes()
    assert log_in(client, "Kai", "correct horse battery", page).status_code == 302


def test_log_ins_that_succeed_are_not_counted(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    accounts.create_account("Kai", "kai@example.org", "correct horse battery")
    monkeypatch.setattr("people.services.log_ins.FAILED_LOG_INS_OF_A_PLACE", accounts.Limit("log_in_failed", 2))
    for _ in range(4):
        assert log_in(Client(), "Kai", "correct horse battery").status_code == 302
    assert not Attempt.objects.exists()
    assert [log_in(client, name).status_code for name in ("a", "b", "c")] == [200, 200, 429]


def test_a_stranger_at_an_open_session_cannot_guess_the_password_by_any_page(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(accounts.create_account("Kai", "kai@example.org", "correct horse battery"))
    for module in ("accounts", "addresses", "leaving"):
        monkeypatch.setattr(f"people.services.{module}.PASSWORD_TRIES", accounts.Limit("own_password", 3))
    asked = [
        ("password", {"old_password": "wrong"}),
        ("address", {"email": "new@example.org", "password": "wrong"}),
        ("leave", {"password": "wrong", "sure": "on"}),
    ]
    assert [client.post(f"/people/account/{page}", fields).status_code for page, fields in asked] == [200] * 3
    assert [client.post(f"/people/account/{page}", fields).status_code for page, fields in asked] == [429] * 3
