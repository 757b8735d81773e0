"""Limits count a place: an IPv4 address, or the /64 network of an IPv6 address. What is counted is soon forgotten."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt, AccessLog
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from jobs.registry import registry
from people.models import Attempt
from people.services import accounts
from web.places import place_of

pytestmark = [pytest.mark.django_db, pytest.mark.database]
PASSWORD = "correct horse battery"


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2::", "2001:db8:1:2::"),
        ("2001:DB8:1:2:FFFF::9", "2001:db8:1:2::"),
        ("2001:db8:1:3::9", "2001:db8:1:3::"),
        ("fe80::1%eth0", "fe80::"),
        ("::1", "::"),
        ("", ""),
        ("unix:", "unix:"),
    ],
)
def test_an_address_counts_as_its_place(address: str, place: str) -> None:
    assert place_of(address) == place


def log_in(client: Client, name: str = "name") -> Any:
    return client.post("/people/log-in", {"username": name, "password": "wrong"})


ASKED: dict[str, tuple[str, Callable[[Client, int], Any]]] = {
    "sign_up": ("people.services.accounts.SIGN_UPS_OF_A_PLACE", lambda client, _: client.post("/people/sign-up", {})),
    "log_in": (
        "people.services.log_ins.FAILED_LOG_INS_OF_A_PLACE", lambda client, number: log_in(client, f"name{number}")
    ),
    "reset": (
        "people.services.accounts.RESETS_OF_A_PLACE",
        lambda client, number: client.post("/people/reset-password", {"email": f"{number}@example.org"}),
    ),
    "invitation": (
        "stables.services.season.invitations.LOOKS_OF_A_PLACE", lambda client, _: client.get("/join/unknown/")
    ),
    "invitation_api": (
        "stables.services.season.invitations.LOOKS_OF_A_PLACE",
        lambda client, _: client.post("/api/v1/join/", {}, content_type="application/json"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", ASKED)
def test_every_address_of_a_network_counts_as_one_place(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path, ask = ASKED[kind]
    if kind == "invitation_api":
        signed_in = accounts.create_account("Kai", "kai@example.org", PASSWORD)
    monkeypatch.setattr(path, accounts.Limit(kind, 2))

    def asked(address: str, number: int) -> int:
        client = Client(REMOTE_ADDR=address)
        if kind == "invitation_api":
            client.force_login(signed_in)
        return int(ask(client, number).status_code)

    answers = [asked(f"2001:db8:1:2::{number}", number) for number in range(1, 4)]
    assert 429 not in answers[:2]
    assert answers[2] == 429
    assert asked("2001:db8:1:3::1", 4) != 429, "the next network is another place"


def test_a_wrong_password_locks_the_name_for_the_whole_network() -> None:
    accounts.create_account("Kai", "kai@example.org", PASSWORD)
    answers = [log_in(Client(REMOTE_ADDR=f"2001:db8:1:2::{number}"), "Kai").status_code for number in range(5)]
    assert answers == [200] * 4 + [429]
    assert {attempt.ip_address for attempt in AccessAttempt.objects.all()} == {"2001:db8:1:2::"}
    assert log_in(Client(REMOTE_ADDR="2001:db8:1:3::1"), "Kai").status_code == 200


def test_the_interface_counts_strangers_by_network(settings: Any) -> None:
    settings.API_RATES = {**settings.API_RATES, "strangers": "2/min"}
    answers = [
        Client(REMOTE_ADDR=f"2001:db8:77:2::{number}").get("/api/v1/seasons/").status_code for number in range(3)
    ]
    assert answers == [200, 200, 429]


def test_a_log_in_that_succeeds_leaves_no_row() -> None:
    accounts.create_account("Kai", "kai@example.org", PASSWORD)
    client = Client()
    assert client.post("/people/log-in", {"username": "Kai", "password": PASSWORD}).status_code == 302
    client.post("/people/log-out")
    assert not AccessLog.objects.exists()


def test_failed_log_ins_are_forgotten_after_a_quarter_of_an_hour_and_counts_after_an_hour() -> None:
    log_in(Client())
    forget, now = registry.scans["people.old_attempts"], timezone.now()
    AccessAttempt.objects.update(attempt_time=now - timedelta(minutes=14))
    forget()
    assert (AccessAttempt.objects.count(), Attempt.objects.count()) == (1, 1)
    AccessAttempt.objects.update(attempt_time=now - timedelta(minutes=16))
    Attempt.objects.update(created_at=now - timedelta(minutes=61))
    forget()
    assert (AccessAttempt.objects.count(), Attempt.objects.count()) == (0, 0)


def test_sessions_that_have_ended_are_forgotten() -> None:
    for days in (-1, 1):
        Session.objects.create(session_key=str(days), session_data="", expire_date=timezone.now() + timedelta(days))
    registry.scans["people.old_sessions"]()
    assert list(Session.objects.values_list("session_key", flat=True)) == ["1"]
