"""The order in which a stable's units are repaired when a cycle closes, as its owner sets it."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from stables.models import Asset, Cycle, Season, Stable
from stables.selectors.definitions import catalogue_of
from stables.services.base import ledger
from stables.services.garage import repairs
from stables.services.market import trading
from stables.services.season import seasons
from stables.services.standings import closing
from tests.architecture.pseudo_locale import speak_pseudo, untranslated
from tests.markup import closed_up
from tests.stables.conftest import open_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def mine(release: Any) -> Stable:
    """A stable of a person with three units."""
    season = open_with(release, ["Ash"], weight_class="light")
    owner = get_user_model().objects.create_user("owner", "owner@example.org", "-")
    founded = seasons.found_stable(season_id=season.pk, name="Mine", owner=owner)
    credit = ledger.Movement(2000, "reversal", "test:credit", {"reason": "a test"})
    ledger.post(stable_id=founded.stable_id, movements=[credit])
    light = [key for key, entry in sorted(catalogue_of(season).units.items()) if entry["class"] == "light"]
    for number in range(3):
        trading.buy(stable_id=founded.stable_id, kind="unit", key=light[number % len(light)])
    return Stable.objects.select_related("season").get(pk=founded.stable_id)


@pytest.fixture
def owner(mine: Stable) -> Client:
    client = Client()
    client.force_login(mine.owner)
    return client


def units_of(stable: Stable) -> list[Asset]:
    return list(stable.assets.filter(kind="unit").order_by("id"))


def address(stable: Stable, name: str = "repair_order") -> str:
    return reverse(f"stables:{name}", args=[stable.season.slug, stable.slug])


def test_the_form_shows_the_order_and_takes_another(
    mine: Stable, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = units_of(mine)
    assert len(owner.get(address(mine, "garage")).context["repair_order"]) == 3
    fields = {f"place_{first.pk}": "7", f"place_{second.pk}": "1", f"place_{third.pk}": "1"}
    answer = owner.post(address(mine), fields)
    assert (answer.status_code, answer["Location"]) == (302, mine.get_absolute_url())
    mine.refresh_from_db()
    assert mine.repair_priority == [second.code, third.code, first.code]
    page = owner.get(address(mine, "garage"))
    assert [view["asset"] for view in page.context["repair_order"]] == [second, third, first]
    assert f'name="place_{first.pk}" value="3"' in closed_up(page.content.decode())
    speak_pseudo(monkeypatch)
    assert untranslated(owner.get(address(mine, "garage")).content.decode()) == []


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "bad_field"),
        ({"place_999999": "1"}, 400, "unknown_asset"),
        ({"place_x": "1"}, 400, "not_a_number"),
        ({"place_1": "soon"}, 400, "not_a_number"),
    ],
)
def test_a_bad_order_is_refused_and_changes_nothing(
    mine: Stable, owner: Client, body: dict[str, Any], status: int, code: str
) -> None:
    first = units_of(mine)[0]
    repairs.set_repair_order(stable_id=mine.pk, asset_ids=[first.pk])
    answer = owner.post(address(mine), body)
    assert (answer.status_code, answer.context["code"]) == (status, code)
    assert answer.context["sentence"]
    mine.refresh_from_db()
    assert mine.repair_priority == [first.code]


def test_sold_units_and_those_of_rivals_are_unknown(mine: Stable, owner: Client) -> None:
    first, second, _ = units_of(mine)
    trading.sell(stable_id=mine.pk, asset_id=first.pk)
    rival = mine.season.stables.exclude(pk=mine.pk).get()
    foreign = trading.buy(stable_id=rival.pk, kind="unit", key=second.catalogue_key).asset_id
    for asset_id in (first.pk, foreign):
        answer = owner.post(address(mine), {f"place_{asset_id}": "1"})
        assert (answer.status_code, answer.context["code"]) == (400, "unknown_asset")


def test_others_neither_see_nor_set_it(mine: Stable, client: Client) -> None:
    assert client.get(address(mine, "garage")).status_code == 302
    client.force_login(get_user_model().objects.create_user("rival", "rival@example.org", "-"))
    assert client.get(address(mine, "garage")).status_code == 403
    assert client.post(address(mine), {}).status_code == 403


def test_r_crp_10_the_close_of_a_cycle_follows_it(mine: Stable, owner: Client) -> None:
    units = units_of(mine)
    Asset.objects.filter(pk__in=[unit.pk for unit in units]).update(damage=1)
    chosen = [units[1], units[2], units[0]]
    owner.post(address(mine), {f"place_{unit.pk}": str(place) for place, unit in enumerate(chosen, 1)})
    Cycle.objects.filter(season=mine.season).update(state=Cycle.State.CLOSING, started_with=2, rounds_planned=1)
    Season.objects.filter(pk=mine.season_id).update(state=Season.State.RUNNING)
    repaired = closing.repair_compulsorily(cycle_id=mine.season.cycles.get().pk, stable_id=mine.pk)
    assert repaired == [unit.code for unit in chosen]
