"""Sign-up, log-in, log-out, account."""

import threading
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people.forms import SignUpForm
from people.models import User
from people.services import accounts
from tests.waiting import DEADLINE_SECONDS

pytestmark = [pytest.mark.django_db, pytest.mark.database]

PASSWORD = "correct horse battery"
SIGN_UP = {
    "username": "Kai",
    "email": "kai@example.org",
    "password1": PASSWORD,
    "password2": PASSWORD,
    "time_zone": "UTC",
}


@pytest.fixture
def kai() -> User:
    return accounts.create_account("Kai", "kai@example.org", PASSWORD, "Europe/Berlin")


def log_in(client: Client, name: str = "Kai", password: str = PASSWORD) -> Any:
    return client.post(reverse("people:log_in"), {"username": name, "password": password})


def test_sign_up_makes_an_account_and_logs_in(client: Client) -> None:
    answer = client.post(reverse("people:sign_up"), {**SIGN_UP, "next": "/people/notices"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/people/notices")
    user = User.objects.get()
    assert (user.username, user.new_email, user.is_staff) == ("Kai", "kai@example.org", False)
    assert client.session["_auth_user_id"] == str(user.pk)


def test_an_account_needs_no_address(client: Client, mailoutbox: list[Any]) -> None:
    page = client.get(reverse("people:sign_up")).content.decode()
    assert "You can leave it empty." in page
    # What the form helps with is said plainly, not in the words of the framework.
    assert "150 characters or fewer" not in page
    assert client.post(reverse("people:sign_up"), {**SIGN_UP, "email": ""}).status_code == 302
    user = User.objects.get()
    assert (user.email, user.new_email, user.new_email_since, mailoutbox) == ("", "", None, [])


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"username": "kAI"}, "username"),
        ({"username": "К\u0430i"}, "username"),
        ({"username": "Kal"}, "username"),
        ({"username": "\u3164"}, "username"),
        ({"password1": "mara@example.org", "password2": "mara@example.org"}, "password2"),
        ({"email": "nowhere"}, "email"),
        ({"password2": "another one entirely"}, "password2"),
        ({"password1": "12345678", "password2": "12345678"}, "password2"),
        ({"time_zone": "Mars/Olympus"}, "time_zone"),
    ],
)
def test_sign_up_refuses_what_cannot_be_and_changes_nothing(
    client: Client, kai: User, change: dict[str, str], field: str
) -> None:
    other = {**SIGN_UP, "username": "Mara", "email": "mara@example.org", **change}
    answer = client.post(reverse("people:sign_up"), other)
    assert answer.status_code == 200
    assert field in answer.context["form"].errors
    assert User.objects.count() == 1


@pytest.mark.parametrize(("there", "name"), [("Νορθ.1", "νορΘ.1"), ("υλη", "ΥΛΗ"), ("Βεα", "βεα"), ("Ϲοσ", "ϲοΣ")])
def test_no_two_names_differ_only_in_the_case_of_greek_letters(there: str, name: str) -> None:
    User.objects.create_user(there)
    assert SignUpForm({"username": name}).has_error("username", "unique")
    assert not SignUpForm({"username": name.replace(".", "_") + "α"}).has_error("username")
    with pytest.raises(CommandError, match="There is already an account with this name"):
        call_command("createsuperuser", username=name, email="operator@example.org", interactive=False)
    call_command("createsuperuser", username="operator", email="operator@example.org", interactive=False, verbosity=0)
    assert User.objects.get(username="operator").is_superuser


def test_sign_up_leads_to_no_foreign_site(client: Client) -> None:
    answer = client.post(reverse("people:sign_up"), {**SIGN_UP, "next": "https://evil.example/"})
    assert answer.headers["Location"] == "/"


def test_an_address_to_go_on_to_is_never_taken_for_the_name_of_a_page(client: Client) -> None:
    answer = client.post(reverse("people:sign_up"), {**SIGN_UP, "next": "nowhere"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "nowhere")
    assert client.get(reverse("people:sign_up"), {"next": "nowhere"}).headers["Location"] == "nowhere"


def test_sign_up_folds_the_time_zone_until_it_is_wrong(client: Client) -> None:
    door = reverse("people:sign_up")
    shown = client.get(door).content.decode()
    folded = shown.split("<details>")[1].split("</details>")[0]
    assert '<span id="zone" translate="no">UTC</span>' in folded
    assert 'name="time_zone"' in folded
    assert "js/zone.js" in shown
    for name in ("username", "email", "password1", "password2"):
        assert f'name="{name}"' in shown
        assert f'name="{name}"' not in folded
    wrong = client.post(door, {**SIGN_UP, "time_zone": "Mars/Olympus"}).content.decode()
    assert "<details open>" in wrong
    # What was chosen before is not chosen anew.
    again = client.post(door, {**SIGN_UP, "email": "nowhere", "time_zone": "Asia/Tokyo"}).content.decode()
    assert '<span id="zone" translate="no">Asia/Tokyo</span>' in again
    assert "js/zone.js" not in again


@pytest.mark.django_db(transaction=True)
def test_two_sign_ups_at_once_with_one_address_make_one_account() -> None:
    results: list[object] = []
    gate = threading.Barrier(4)

    def sign_up(number: int) -> None:
        gate.wait(timeout=DEADLINE_SECONDS)
        try:
            results.append(accounts.create_account(f"pilot{number}", "Same@example.org", PASSWORD))
        except accounts.AccountTaken as refused:
            results.append(refused.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=sign_up, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=DEADLINE_SECONDS)
    assert results.count("account_taken") == 3
    assert User.objects.count() == 1


def test_log_in_and_log_out(client: Client, kai: User) -> None:
    assert log_in(client).status_code == 302
    assert client.get(reverse("people:log_out")).status_code == 405
    assert "_auth_user_id" in client.session
    assert client.post(reverse("people:log_out")).status_code == 302
    assert "_auth_user_id" not in client.session


def test_five_wrong_passwords_lock_this_name_here_and_no_other(client: Client, kai: User) -> None:
    accounts.create_account("Mara", "mara@example.org", PASSWORD)
    statuses = [log_in(client, password="wrong").status_code for _ in range(5)]
    assert statuses == [200] * 4 + [429]
    answer = log_in(client)
    assert answer.status_code == 429
    assert "people/locked_out.html" in [template.name for template in answer.templates]
    assert log_in(client, "Mara").status_code == 302


@pytest.mark.parametrize("name", ["account", "notices", "change_password"])
def test_pages_of_an_account_ask_strangers_to_log_in(client: Client, name: str) -> None:
    address = reverse(f"people:{name}")
    answer = client.get(address)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"{reverse('people:log_in')}?next={address}")


def test_the_account_page_changes_the_time_zone(client: Client, kai: User) -> None:
    client.force_login(kai)
    assert client.post(reverse("people:account"), {"time_zone": "Asia/Tokyo"}).status_code == 302
    kai.refresh_from_db()
    assert kai.time_zone == "Asia/Tokyo"


def test_times_are_shown_in_the_zone_of_the_reader(client: Client, kai: User) -> None:
    kai.time_zone = "Asia/Tokyo"
    kai.save()
    notice = accounts.notify([kai], "cycle_closed")[0]
    morning = timezone.datetime(2026, 3, 1, 20, 0, tzinfo=timezone.get_fixed_timezone(0))
    type(notice).objects.filter(pk=notice.pk).update(created_at=morning)
    client.force_login(kai)
    assert "2026-03-02T05:00:00+09:00" in client.get(reverse("people:notices")).content.decode()


def test_a_zone_that_is_no_more_does_not_break_the_site(client: Client, kai: User) -> None:
    User.objects.update(time_zone="Mars/Olympus")
    client.force_login(kai)
    assert client.get(reverse("people:account")).status_code == 200
