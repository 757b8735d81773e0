"""What the site refuses, as people see it: 409 or 400, a sentence, and nothing changed."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from stables.models import Asset, LedgerEntry, Stable

from .conftest import World


def books() -> Any:
    return (
        list(LedgerEntry.objects.order_by("id").values_list()),
        list(Asset.objects.order_by("id").values_list()),
        list(Stable.objects.order_by("id").values_list("id", "capital", "owed")),
    )


@pytest.mark.parametrize(
    ("action", "fields", "status"),
    [
        ("buy", {"kind": "unit", "key": "no such unit"}, 400),
        ("buy", {"kind": "castle", "key": "SOL002"}, 400),
        ("buy", {}, 400),
        ("sell", {"asset": "x"}, 400),
        ("sell", {"asset": "999999"}, 400),
        ("repair", {"asset": "999999"}, 400),
    ],
)
def test_a_malformed_form_is_a_page_with_a_sentence(
    world: World, clients: dict[str, Client], action: str, fields: dict[str, str], status: int
) -> None:
    before = books()
    answer = clients["player"].post(f"{world.stable.get_absolute_url()}{action}", fields)
    assert answer.status_code == status
    assert "Nothing was changed." in answer.content.decode()
    assert books() == before


def test_what_the_season_does_not_allow_now_is_a_page_with_a_sentence(world: World, clients: dict[str, Client]) -> None:
    before = books()
    own = world.running_stable
    unit = own.assets.get(kind="unit")
    for action, fields in (
        ("buy", {"kind": "unit", "key": unit.catalogue_key}),
        ("repair", {"asset": unit.pk}),
    ):
        answer = clients["player"].post(f"{own.get_absolute_url()}{action}", fields)
        assert answer.status_code == 409, action
        assert "Nothing was changed." in answer.content.decode()
    assert books() == before


@pytest.mark.parametrize("role", ["anonymous", "spectator", "rival", "organiser", "staff"])
def test_nobody_trades_for_another_stable(world: World, clients: dict[str, Client], role: str) -> None:
    before = books()
    unit = world.running_stable.assets.get(kind="unit")
    for action, fields in (
        ("buy", {"kind": "unit", "key": unit.catalogue_key}),
        ("sell", {"asset": unit.pk}),
        ("repair", {"asset": unit.pk}),
    ):
        answer = clients[role].post(f"{world.running_stable.get_absolute_url()}{action}", fields)
        assert answer.status_code == (302 if role == "anonymous" else 403), action
    assert books() == before


def test_a_match_in_play_is_not_downloaded(world: World, client: Client) -> None:
    answer = client.get(f"{world.open.get_absolute_url()}replay.json")
    assert answer.status_code == 409
    assert "still being played" in answer.content.decode()


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_pages_to_look_at_take_no_other_method(world: World, client: Client, method: str) -> None:
    for address in ("/", world.played.get_absolute_url(), world.finished.get_absolute_url()):
        assert getattr(client, method)(address).status_code == 405
