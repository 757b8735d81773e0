"""Keys: made, shown as codes on one page to print, ended; for GMs alone."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from challenge.models import Event, Key
from people.models import User
from tests.challenge.conftest import Enter


@pytest.fixture
def gm(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


def make(browser: Client, event: Event, **typed: Any) -> Any:
    return browser.post(reverse("challenge:keys_make", args=[event.slug]), typed)


def test_keys_of_agents_gms_and_pilots_are_made_and_ended(gm: Client, fight: Event) -> None:
    assert make(gm, fight, role="agent", table="Factory", label="Kim").status_code == 302
    assert make(gm, fight, role="agent", table="").status_code == 302
    assert make(gm, fight, role="gm", label="Ana").status_code == 302
    for _ in range(2):
        assert make(gm, fight, role="player").status_code == 302
    keys = Key.objects.filter(event=fight)
    assert sorted((key.role, key.table, key.pilot, key.label) for key in keys) == [
        ("agent", "", "", ""), ("agent", "Factory", "", "Kim"), ("gm", "", "", "Ana"), ("player", "", "Jo", ""),
        ("player", "", "Ross", ""),
    ]  # fmt: skip
    page = gm.get(reverse("challenge:keys", args=[fight.slug])).content.decode()
    assert all(f"/key/{key.secret}/" in page for key in keys)
    other = Client()
    held = keys.get(role="gm")
    other.get(reverse("challenge:use_key", args=[fight.slug, held.secret]))
    assert other.get(reverse("challenge:settings", args=[fight.slug])).status_code == 200
    assert gm.post(reverse("challenge:keys_end", args=[fight.slug]), {"key": held.pk}).status_code == 302
    assert other.get(reverse("challenge:settings", args=[fight.slug])).status_code == 403
    assert held.secret not in gm.get(reverse("challenge:keys", args=[fight.slug])).content.decode()


def test_no_key_is_made_for_a_table_or_a_role_that_is_not_there(gm: Client, event: Event) -> None:
    assert make(gm, event, role="agent", table="Moon").status_code == 404
    assert make(gm, event, role="king").status_code == 404
    assert not Key.objects.exists()


def test_one_page_prints_the_codes_without_those_of_gms(gm: Client, fight: Event) -> None:
    for role in ("agent", "gm", "player"):
        make(gm, fight, role=role)
    address = reverse("challenge:keys_print", args=[fight.slug])
    page = gm.get(address).content.decode()
    assert page.count('class="qr"') == 3
    assert Key.objects.get(role="gm").secret not in page
    assert gm.get(address, {"role": "gm"}).content.decode().count('class="qr"') == 1


@pytest.mark.parametrize(
    ("host", "root"), [("localhost", "https://site.example"), ("192.168.7.7:8000", "http://192.168.7.7:8000")]
)
def test_a_code_leads_where_a_phone_can_go(gm: Client, event: Event, settings: Any, host: str, root: str) -> None:
    settings.SITE_URL, settings.ALLOWED_HOSTS = "https://site.example", ["*"]
    make(gm, event, role="agent")
    page = gm.get(reverse("challenge:keys", args=[event.slug]), headers={"host": host}).content.decode()
    assert f"{root}/challenge/{event.slug}/key/{Key.objects.get().secret}/" in page


def test_keys_are_for_gms(client: Client, event: Event, enter: Enter) -> None:
    enter(what="new_pilot", by="Ross")
    for name in ("keys", "keys_print"):
        assert client.get(reverse(f"challenge:{name}", args=[event.slug])).status_code == 403
    for name in ("keys_make", "keys_end"):
        assert client.post(reverse(f"challenge:{name}", args=[event.slug]), {"role": "gm"}).status_code == 403
    assert not Key.objects.exists()
