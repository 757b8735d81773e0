"""What people may ask of market, garage and basket: who may, what is refused and how."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from stables.models import Asset, Basket, LedgerEntry, Season, Stable
from stables.services.garage import equipping
from stables.services.market import baskets
from tests.markup import closed_up, read_aloud
from tests.stables.leagues import League
from tests.stables.market_goods import (
    bought,
    common_pilot,
    common_unit,
    fitting_gear,
    goods,
    hurt,
    leave,
    unique_unit,
)

pytestmark = pytest.mark.django_db

POSTS = (
    "repair_all",
    "assign",
    "unassign",
    "basket_put",
    "basket_take",
    "basket_up",
    "basket_seal",
    "basket_unseal",
)
PAGES = ("market", "garage")


@pytest.fixture
def people(of_two_owners: League) -> dict[str, Any]:
    return of_two_owners.people


@pytest.fixture
def league(of_two_owners: League) -> Season:
    return of_two_owners.season


@pytest.fixture
def mine(league: Season) -> Stable:
    return league.stables.select_related("season").get(name="Stable of owner")


@pytest.fixture
def owner(people: dict[str, Any]) -> Client:
    return client_of(people["owner"])


def client_of(person: Any) -> Client:
    client = Client()
    if person is not None:
        client.force_login(person)
    return client


def address(name: str, stable: Stable) -> str:
    return reverse(f"stables:{name}", args=[stable.season.slug, stable.slug])


@pytest.mark.parametrize("name", POSTS)
@pytest.mark.parametrize(
    ("person", "status"), [(None, 302), ("rival", 403), ("organiser", 403), ("spectator", 403), ("staff", 403)]
)
def test_only_the_owner_acts(mine: Stable, people: dict[str, Any], name: str, person: str | None, status: int) -> None:
    fields = {"kind": "unit", "key": common_unit(mine.season)["id"], "asset": 1, "unit": 1, "line": 1}
    answer = client_of(people.get(person or "")).post(address(name, mine), fields)
    assert answer.status_code == status
    assert not Basket.objects.exists()


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(
    ("person", "status"), [(None, 302), ("rival", 403), ("organiser", 403), ("staff", 403), ("owner", 200)]
)
def test_only_the_owner_sees_market_and_garage(
    mine: Stable, people: dict[str, Any], name: str, person: str | None, status: int
) -> None:
    assert client_of(people.get(person or "")).get(address(name, mine)).status_code == status


@pytest.mark.parametrize("name", POSTS)
def test_looking_is_no_way_to_act_and_nobody_acts_for_a_stable_that_is_not_there(
    mine: Stable, owner: Client, name: str
) -> None:
    assert owner.get(address(name, mine)).status_code == 405
    there = address(name, mine).replace(mine.slug, "no-such")
    assert owner.post(there, {}).status_code == 404


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_looked_at_only(mine: Stable, owner: Client, name: str) -> None:
    assert owner.post(address(name, mine)).status_code == 405
    assert owner.get(address(name, mine).replace(mine.slug, "no-such")).status_code == 404


@pytest.mark.parametrize(
    ("name", "body", "status", "code"),
    [
        ("assign", {}, 400, "not_a_number"),
        ("assign", {"asset": "x", "unit": 1}, 400, "not_a_number"),
        ("assign", {"asset": 1}, 400, "not_a_number"),
        ("assign", {"asset": 999_999, "unit": 1}, 400, "unknown_asset"),
        ("assign", {"card": "1:left", "unit": 1}, 400, "bad_field"),
        ("assign", {"card": ":primary", "unit": 1}, 400, "not_a_number"),
        ("assign", {"asset": 1, "unit": 1, "confirmed": "perhaps"}, 400, "setting_out_of_range"),
        ("unassign", {"asset": 999_999}, 400, "unknown_asset"),
        ("unassign", {}, 400, "not_a_number"),
        ("basket_put", {}, 400, "bad_field"),
        ("basket_put", {"kind": "castle", "key": "x"}, 400, "unknown_asset_kind"),
        ("basket_put", {"kind": "unit", "key": "x"}, 400, "unknown_catalogue_entry"),
        ("basket_take", {"line": 1}, 400, "bad_field"),
        ("basket_take", {"line": "one"}, 400, "not_a_number"),
        ("basket_up", {"line": 0}, 400, "bad_field"),
        ("basket_seal", {}, 409, "basket_empty"),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(
    mine: Stable, owner: Client, name: str, body: dict[str, Any], status: int, code: str
) -> None:
    entries = LedgerEntry.objects.count()
    answer = owner.post(address(name, mine), body)
    assert (answer.status_code, answer.context["code"]) == (status, code)
    assert answer.context["sentence"]
    assert LedgerEntry.objects.count() == entries
    assert not Basket.objects.exclude(lines=[]).exists()


def test_a_rivals_asset_is_unknown(league: Season, mine: Stable, owner: Client) -> None:
    rival = league.stables.select_related("season").get(name="Stable of rival")
    theirs, pilot = bought(rival, "unit", common_unit(league)), bought(rival, "pilot", common_pilot(league))
    own = bought(mine, "unit", common_unit(league))
    for fields in ({"asset": pilot.pk, "unit": own.pk}, {"asset": pilot.pk, "unit": theirs.pk}):
        answer = owner.post(address("assign", mine), fields)
        assert (answer.status_code, answer.context["code"]) == (400, "unknown_asset")
    assert owner.post(address("unassign", mine), {"asset": pilot.pk}).context["code"] == "unknown_asset"


def test_a_basket_is_composed_sealed_and_opened_by_forms(league: Season, mine: Stable, owner: Client) -> None:
    unit, pilot = common_unit(league), common_pilot(league)
    for kind, entry in (("pilot", pilot), ("unit", unit)):
        answer = owner.post(address("basket_put", mine), {"kind": kind, "key": entry["id"]})
        assert (answer.status_code, answer["Location"]) == (302, f"{address('market', mine)}#offer-{entry['id']}")
    assert owner.post(address("basket_up", mine), {"line": "2"}).status_code == 302
    page = owner.get(address("market", mine))
    lines = page.context["basket"]["lines"]
    assert [line["name"] for line in lines] == [unit["name"], pilot["name"]]
    assert lines[1]["capital_after"] == 1000 - unit["points"] - pilot["points"]
    assert owner.post(address("basket_seal", mine)).status_code == 302
    html = owner.get(address("market", mine)).content.decode()
    assert "Break the seal" in html
    assert "Into the basket" not in html
    answer = owner.post(address("basket_put", mine), {"kind": "unit", "key": unit["id"]})
    assert (answer.status_code, answer.context["code"]) == (409, "basket_sealed")
    assert owner.post(address("basket_unseal", mine)).status_code == 302
    assert owner.post(address("basket_take", mine), {"line": "1"}).status_code == 302
    assert Basket.objects.get().lines == [{"kind": "pilot", "key": pilot["id"]}]
    assert mine.assets.count() == 0


def test_what_came_of_a_basket_is_shown_to_its_owner(league: Season, mine: Stable, owner: Client) -> None:
    unit = common_unit(league)
    leave(mine, unit["points"])
    for _ in range(2):
        baskets.put_in(stable_id=mine.pk, kind="unit", key=unit["id"])
    baskets.seal(stable_id=mine.pk)
    baskets.fill_basket(cycle_id=league.cycles.get().pk, stable_id=mine.pk)
    page = owner.get(address("market", mine)).content.decode()
    assert f"bought for {unit['points']}" in page
    assert "short by" in page


def test_no_page_or_answer_tells_others_what_is_in_a_basket(
    league: Season, mine: Stable, people: dict[str, Any]
) -> None:
    wanted = unique_unit(league)
    baskets.put_in(stable_id=mine.pk, kind="unit", key=wanted["id"])
    baskets.seal(stable_id=mine.pk)
    season, stable = league.get_absolute_url(), mine.get_absolute_url()
    for person in ("rival", "organiser", "staff", "spectator", ""):
        client = client_of(people.get(person))
        for page in (season, stable, f"{season}standings/", "/"):
            assert wanted["name"] not in client.get(page, follow=True).content.decode()


def test_gear_is_put_on_and_taken_off_by_forms(league: Season, mine: Stable, owner: Client) -> None:
    entry = common_unit(league)
    unit = bought(mine, "unit", entry)
    two_sided = bought(mine, "gear", fitting_gear(league, entry, ("either",)))
    page = owner.get(address("garage", mine))
    (view,) = page.context["units"]
    offered = [choice["value"] for choice in view["choices"]]
    assert f"{two_sided.pk}:primary" in offered
    fields = {"unit": unit.pk, "card": f"{two_sided.pk}:primary", "back": "garage"}
    answer = owner.post(address("assign", mine), fields)
    assert (answer.status_code, answer["Location"]) == (302, f"{address('garage', mine)}#asset-{unit.pk}")
    two_sided.refresh_from_db()
    assert (two_sided.assigned_to, two_sided.side) == (unit, "primary")
    html = owner.get(address("garage", mine)).content.decode()
    assert f"{entry['points'] + two_sided.price_paid} of 160 points" in html
    answer = owner.post(address("unassign", mine), {"asset": two_sided.pk})
    assert answer.status_code == 302
    two_sided.refresh_from_db()
    assert two_sided.assigned_to is None


def test_what_the_garage_offers_is_what_it_allows(league: Season, mine: Stable, owner: Client) -> None:
    units = [bought(mine, "unit", common_unit(league)) for _ in range(2)]
    for entry in goods(league, "gear")[:12]:
        bought(mine, "gear", entry)
    for place in range(3):
        bought(mine, "pilot", common_pilot(league, place=place))
    hurt(units[1], eliminated=True)
    first, second = owner.get(address("garage", mine)).context["units"]
    assert second["choices"] == []
    assert first["choices"]
    offered = {choice["value"] for choice in first["choices"]}
    for asset in mine.assets.filter(kind__in=("gear", "pilot")):
        for side in ("", "primary", "secondary"):
            value = f"{asset.pk}:{side}" if side else str(asset.pk)
            fields = {"unit": units[0].pk, "asset": asset.pk, "side": side, "confirmed": "yes"}
            answer = owner.post(address("assign", mine), fields)
            is_shown = value in offered or (str(asset.pk) in offered and side)
            assert (answer.status_code == 302) == bool(is_shown), (value, answer.content)
            equipping.unassign(stable_id=mine.pk, asset_id=asset.pk, confirmed=True)


def test_a_swap_before_repairs_asks_first_and_goes_on_when_it_is_confirmed(
    league: Season, mine: Stable, owner: Client
) -> None:
    entry = common_unit(league)
    unit, damaged = bought(mine, "unit", entry), bought(mine, "unit", entry)
    gear = bought(mine, "gear", fitting_gear(league, entry, ("speed", "attack", "defense")))
    equipping.assign(stable_id=mine.pk, asset_id=gear.pk, unit_id=unit.pk)
    hurt(damaged)
    for name, fields in (
        ("unassign", {"asset": gear.pk}),
        ("assign", {"asset": gear.pk, "unit": damaged.pk}),
        ("sell", {"asset": gear.pk}),
    ):
        answer = owner.post(address(name, mine), {**fields, "back": "garage"})
        page = closed_up(answer.content.decode())
        assert (answer.status_code, escape(damaged.label) in page, 'name="confirmed" value="yes"' in page) == (
            409,
            True,
            True,
        )
        assert answer.context["address"] == address(name, mine)
    assert Asset.objects.get(pk=gear.pk).assigned_to == unit
    fields = {"asset": gear.pk, "back": "garage", "confirmed": "yes"}
    there = owner.post(address("unassign", mine), fields)["Location"]
    assert there == f"{address('garage', mine)}#asset-{gear.pk}"
    page = owner.get(address("garage", mine)).content.decode()
    assert "repairs are over until the next pause" in page
    assert "Repair everything affordable" not in page


def test_everything_affordable_is_repaired_in_one_press(league: Season, mine: Stable, owner: Client) -> None:
    units = [bought(mine, "unit", common_unit(league)) for _ in range(3)]
    for unit in units:
        hurt(unit)
    leave(mine, 120)
    page = owner.get(address("garage", mine))
    assert (page.context["repairs"].price, page.context["repairs"].total) == (100, 150)
    assert "100 Stones, left 20 Stones" in read_aloud(page.content.decode())
    answer = owner.post(address("repair_all", mine), {"back": "garage"})
    assert (answer.status_code, answer["Location"]) == (302, address("garage", mine))
    mine.refresh_from_db()
    assert (mine.capital, sum(unit.damage for unit in mine.assets.all())) == (20, 1)
    answer = owner.post(address("repair_all", mine))
    mine.refresh_from_db()
    assert (answer.status_code, mine.capital) == (302, 20)
    assert "pays for no repair" in owner.get(address("garage", mine)).content.decode()
