"""Ten requests with one key at the same moment, on the real database of the run: one purchase, one answer.

It stands here and not with the interface's other tests: those share a world in an open transaction.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connections
from django.test import Client

from people.models import KeptAnswer
from people.services.tokens import make_token
from stables.models import LedgerEntry, Season, Stable
from stables.services.base.ledger import refold
from tests.stables.market_goods import common_unit
from tests.stables.running.test_concurrency import at_once
from tests.stables.tabletop_matches import person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def header(stable: Stable) -> Iterator[dict[str, str]]:
    owner = person("ash")
    Stable.objects.filter(pk=stable.pk).update(owner=owner, is_ai=False)
    yield {"Authorization": f"Bearer {make_token(user=owner, name='shop', scopes=['play']).text}"}
    connections.close_all()


def buy(stable: Stable, header: dict[str, str], key: str, ware: str) -> Any:
    address = f"/api/v1/seasons/{stable.season.slug}/stables/{stable.slug}/buy"
    body = {"kind": "unit", "key": ware}
    return Client().post(address, body, content_type="application/json", headers={**header, "Idempotency-Key": key})


def test_ten_purchases_at_once_with_one_key_are_one(season: Season, stable: Stable, header: dict[str, str]) -> None:
    unit = common_unit(season)
    found = at_once([lambda: buy(stable, header, "one", unit["id"])] * 10)
    answers = {(answer.status_code, answer.content) for answer in found}
    assert len(found) == 10
    assert {status for status, _ in answers} == {201}, found
    assert len(answers) == 1, "all are answered the same"
    assert LedgerEntry.objects.filter(stable=stable, cause="purchase").count() == 1
    assert KeptAnswer.objects.get().status == 201
    stable.refresh_from_db()
    assert (stable.capital, stable.assets.count()) == (1000 - unit["points"], 1)
    assert refold() == []


def test_ten_purchases_with_ten_keys_are_as_many_as_can_be_paid(
    season: Season, stable: Stable, header: dict[str, str]
) -> None:
    unit = common_unit(season)
    found = at_once([lambda key=f"key-{number}": buy(stable, header, key, unit["id"]) for number in range(10)])
    bought = [answer.json()["asset"] for answer in found if answer.status_code == 201]
    assert len(set(bought)) == len(bought) == min(10, 1000 // unit["points"])
    assert {answer.json()["code"] for answer in found if answer.status_code != 201} <= {"capital_too_small"}
    assert LedgerEntry.objects.filter(stable=stable, cause="purchase").count() == len(bought)
    assert refold() == []
