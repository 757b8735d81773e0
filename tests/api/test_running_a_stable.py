"""Founding, the market, baskets and the garage over the interface: by the owner, and refused as the pages refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from people.models import KeptAnswer
from people.services.accounts import Limit
from rules.wording.isolation import bare
from stables.models import Asset, Basket, LedgerEntry, Season, Stable
from stables.selectors.definitions import catalogue_of
from stables.services.base.ledger import refold
from stables.services.market import trading
from stables.services.season import invitations
from tests.stables.market_goods import bought, common_pilot, common_unit, fitting_gear, hurt, leave
from tests.web.roles.world import World

pytestmark = pytest.mark.django_db

RECRUITING = "seasons/recruiting-season/"
OWN = f"{RECRUITING}stables/player-sons/"
RUNNING = "seasons/running-season/stables/player-sons/"


@pytest.fixture
def stable(world: World, api: Any) -> Stable:
    return world.stable("recruiting")


@pytest.fixture
def unit(stable: Stable) -> dict[str, Any]:
    return common_unit(stable.season)


def said(answer: Any) -> tuple[int, str]:
    """Status and code."""
    return answer.status_code, answer.json().get("code", "")


def books(stable: Stable) -> tuple[int, int, int]:
    """The capital, how many entries, how many assets."""
    stable.refresh_from_db(fields=["capital"])
    return stable.capital, stable.ledger.count(), stable.assets.count()


# Founding ---------------------------------------------------------------------------------------------------------


def test_a_stable_is_founded_where_the_season_is_open(world: World, api: Any) -> None:
    answer = api("spectator", "post", f"{RECRUITING}stables/found", {"name": " Iron  Parish "})
    assert answer.status_code == 201
    assert answer.json() == {"season": "recruiting-season", "stable": "iron-parish", "number": 4, "capital": 1000}
    founded = Stable.objects.get(season__slug="recruiting-season", slug="iron-parish")
    assert (founded.owner, founded.name) == (world.people["spectator"], "Iron Parish")
    again = api("spectator", "post", f"{RECRUITING}stables/found", {"name": "Another"})
    assert said(again) == (409, "already_owner_here")
    assert said(api("organiser", "post", f"{RECRUITING}stables/found", {"name": "iron parish"})) == (
        409,
        "stable_name_taken",
    )
    assert said(api("spectator", "post", "seasons/running-season/stables/found", {"name": "Late"})) == (
        409,
        "season_closed_to_newcomers",
    )


def test_a_season_for_invited_people_is_joined_by_a_code(world: World, api: Any) -> None:
    season = world.seasons["private"]
    Season.objects.filter(pk=season.pk).update(state="recruiting", joining="invited")
    code = invitations.invite(season_id=season.pk).code
    assert api("spectator", "post", "seasons/private-season/stables/found", {"name": "X"}).status_code == 404
    sent = {"code": code, "name": "Iron Parish"}
    first = api("spectator", "post", "join/", sent, key="once")
    assert (first.status_code, first.json()["season"]) == (201, "private-season")
    assert api("spectator", "post", "join/", sent, key="once").json() == first.json()
    assert season.stables.filter(owner=world.people["spectator"]).count() == 1
    assert said(api("rival", "post", "join/", {"code": "nothing", "name": "X"})) == (409, "unknown_invitation")
    assert said(api("", "post", "join/", sent)) == (401, "log_in_needed")


def test_guessing_codes_is_counted_though_it_is_refused(api: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invitations, "LOOKS_OF_A_PLACE", Limit("invitation", 2))
    sent = {"code": "nothing", "name": "X"}
    codes = [api("rival", "post", "join/", sent, key=f"guess-{number}").status_code for number in range(3)]
    assert codes == [409, 409, 429]


def test_an_owner_says_ready_skips_a_cycle_and_leaves(api: Any) -> None:
    assert said(api("player", "post", f"{OWN}ready")) == (409, "no_crew_for_match")
    sealed = {"begins": False, "seals": False}
    assert api("player", "post", f"{OWN}ready", {"without_crew": True}).json() == {"ready": True, **sealed}
    assert api("player", "post", f"{OWN}ready", {"ready": False}).json() == {"ready": False, **sealed}
    assert said(api("player", "post", f"{RUNNING}ready")) == (409, "no_open_market")
    assert api("player", "post", f"{OWN}skip", {"cycle": 2}).json() == {"skipped": [2], "left_in_cycle": None}
    assert said(api("player", "post", f"{OWN}skip", {"cycle": 99})) == (409, "unknown_cycle")
    assert api("player", "post", f"{OWN}skip", {"cycle": 2, "skip": False}).json()["skipped"] == []
    assert said(api("player", "post", f"{OWN}withdraw", {"sure": False})) == (409, "not_sure_to_leave")
    assert api("player", "post", f"{OWN}withdraw", {"sure": True}).json()["left_in_cycle"] == 1


# Market -----------------------------------------------------------------------------------------------------------


def test_the_market_tells_what_it_offers_and_why_not(stable: Stable, unit: dict[str, Any], api: Any) -> None:
    leave(stable, unit["points"] - 1)
    shown = api("player", "get", f"{OWN}market/", {"kind": "unit", "search": unit["id"]}).json()
    offer = next(each for each in shown["results"] if each["key"] == unit["id"])
    assert (offer["price"], offer["can_buy"], offer["fits_basket"]) == (unit["points"], False, True)
    assert [each["code"] for each in offer["refused"]] == ["capital_too_small"]
    assert unit["name"] in offer["refused"][0]["detail"]
    assert (shown["capital"], shown["is_market"], shown["can_buy"]) == (unit["points"] - 1, True, True)
    leave(stable, unit["points"])
    shown = api("player", "get", f"{OWN}market/", {"kind": "unit", "search": unit["id"]}).json()
    assert next(each for each in shown["results"] if each["key"] == unit["id"])["can_buy"]


def test_offers_are_filtered_and_come_in_pages(stable: Stable, api: Any) -> None:
    season, count = stable.season, {}
    for kind in ("unit", "pilot", "gear", "rally_card"):
        found = api("player", "get", f"{OWN}market/", {"kind": kind, "page_size": 3}).json()
        assert {each["kind"] for each in found["results"]} == {kind}
        assert len(found["results"]) == 3
        count[kind] = found["count"]
    assert api("player", "get", f"{OWN}market/").json()["count"] == sum(count.values())
    light = api("player", "get", f"{OWN}market/", {"kind": "unit", "weight_class": "light"}).json()
    of_class = [each for each in catalogue_of(season).units.values() if each["class"] == "light"]
    assert light["count"] == len(of_class)
    leave(stable, 60)
    cheap = api("player", "get", f"{OWN}market/", {"affordable": "true", "page_size": 100}).json()
    assert 0 < cheap["count"] < sum(count.values())
    assert all(each["can_buy"] and each["price"] <= 60 for each in cheap["results"])
    assert api("player", "get", f"{OWN}market/", {"own_shelf": "true", "kind": "unit"}).json()["count"] == 0


def test_while_the_market_is_closed_nothing_is_offered(api: Any) -> None:
    shown = api("player", "get", f"{RUNNING}market/").json()
    assert (shown["count"], shown["is_market"], shown["can_buy"], shown["can_sell"]) == (0, False, False, True)
    assert said(api("player", "post", f"{RUNNING}buy", {"kind": "unit", "key": "SOL002"})) == (409, "market_closed")


def queries(ask: Callable[[], Any]) -> int:
    ask()
    with CaptureQueriesContext(
        connection,
    ) as caught:
        assert ask().status_code == 200
    return len(caught)


def test_market_and_garage_ask_the_database_as_often_for_much_as_for_little(
    stable: Stable, unit: dict[str, Any], api: Any
) -> None:
    small = [
        queries(lambda: api("player", "get", f"{OWN}market/", {"page_size": 1})),
        queries(lambda: api("player", "get", f"{OWN}garage/")),
        queries(lambda: api("player", "get", f"{OWN}repair-order/")),
        queries(lambda: api("player", "get", f"{OWN}basket/")),
    ]
    gear = fitting_gear(stable.season, unit, ("speed", "attack", "defense", "primary"))
    for _ in range(6):
        owned = bought(stable, "unit", unit)
        hurt(owned)
        card = bought(stable, "gear", gear)
        Asset.objects.filter(pk=card.pk).update(assigned_to=owned)
    Basket.objects.create(
        stable=stable, cycle=stable.season.cycles.get(), lines=[{"kind": "unit", "key": unit["id"]}] * 20
    )
    assert [
        queries(lambda: api("player", "get", f"{OWN}market/", {"page_size": 100})),
        queries(lambda: api("player", "get", f"{OWN}garage/")),
        queries(lambda: api("player", "get", f"{OWN}repair-order/")),
    ] == small[:3]
    with_few = Basket.objects.filter(stable=stable)
    many = queries(lambda: api("player", "get", f"{OWN}basket/"))
    with_few.update(lines=[{"kind": "unit", "key": unit["id"]}])
    assert queries(lambda: api("player", "get", f"{OWN}basket/")) == many


def test_buying_and_selling_moves_stones_once(stable: Stable, unit: dict[str, Any], api: Any) -> None:
    before = books(stable)
    sent = {"kind": "unit", "key": unit["id"]}
    first = api("player", "post", f"{OWN}buy", sent, key="buy-1")
    second = api("player", "post", f"{OWN}buy", {"key": unit["id"], "kind": "unit"}, key="buy-1")
    assert first.status_code == second.status_code == 201
    assert first.json() == second.json()
    assert second.headers["Idempotency-Replayed"] == "true"
    assert first.json()["capital"] == before[0] - unit["points"]
    assert books(stable) == (before[0] - unit["points"], before[1] + 1, before[2] + 1)
    other = api("player", "post", f"{OWN}buy", {"kind": "unit", "key": "SOL001"}, key="buy-1")
    assert said(other) == (422, "idempotency_key_reused")
    sold = {"asset": first.json()["asset"]}
    assert api("player", "post", f"{OWN}sell", sold, key="buy-1").status_code == 422, "the key names one request"
    for _ in range(2):
        answer = api("player", "post", f"{OWN}sell", sold, key="sell-1")
        assert (answer.status_code, answer.json()["capital"]) == (200, before[0])
    assert books(stable) == (before[0], before[1] + 2, before[2] + 1)
    assert said(api("player", "post", f"{OWN}sell", sold)) == (409, "asset_sold")
    assert refold() == []


def test_a_whole_crew_is_bought_at_once_or_not_at_all(stable: Stable, unit: dict[str, Any], api: Any) -> None:
    pilot = common_pilot(stable.season)
    price, sent = unit["points"] + pilot["points"], {"wares": [{"kind": "unit", "key": unit["id"]}]}
    sent["wares"].append({"kind": "pilot", "key": pilot["id"]})
    leave(stable, price - 1)
    before = books(stable)
    assert said(api("player", "post", f"{OWN}buy-crew", sent)) == (409, "capital_too_small")
    assert books(stable) == before
    leave(stable, price)
    names = [bare(each["name"]) for each in (unit, pilot)]
    for told, paid in ((names, price), ([], 0)):
        answer = api("player", "post", f"{OWN}buy-crew", sent)
        assert answer.status_code == 200, "asking again buys nothing"
        assert answer.json() == {"names": told, "price": paid, "capital": 0, "ends_ready": False}
    many = {"wares": sent["wares"] * trading.MOST_WARES}
    assert api("player", "post", f"{OWN}buy-crew", many).status_code == 400


def test_without_a_key_two_requests_are_two_purchases(stable: Stable, unit: dict[str, Any], api: Any) -> None:
    sent = {"kind": "unit", "key": unit["id"]}
    assert [api("player", "post", f"{OWN}buy", sent).status_code for _ in range(2)] == [201, 201]
    assert stable.assets.filter(catalogue_key=unit["id"]).count() == 2


def test_a_refused_purchase_leaves_the_books_as_they_were(stable: Stable, unit: dict[str, Any], api: Any) -> None:
    leave(stable, unit["points"] - 1)
    before, sent = books(stable), {"kind": "unit", "key": unit["id"]}
    first = api("player", "post", f"{OWN}buy", sent, key="too-dear")
    assert said(first) == (409, "capital_too_small")
    assert first.headers["Content-Type"] == "application/problem+json"
    assert books(stable) == before
    leave(stable, 1000)
    before = books(stable)
    again = api("player", "post", f"{OWN}buy", sent, key="too-dear")
    assert (said(again), again.json()) == ((409, "capital_too_small"), first.json()), "a refusal is told again"
    assert books(stable) == before
    assert refold() == []


@pytest.mark.parametrize("after", [False, True], ids=["before the ledger", "after the ledger"])
def test_what_breaks_in_the_middle_leaves_neither_key_nor_purchase(
    stable: Stable, unit: dict[str, Any], api: Any, monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    before, post = books(stable), trading.post

    def broken(**arguments: Any) -> Any:
        if after:
            post(**arguments)
        raise KeyboardInterrupt if after else RuntimeError("the lights went out")

    monkeypatch.setattr(trading, "post", broken)
    sent = {"kind": "unit", "key": unit["id"]}
    if after:
        with pytest.raises(KeyboardInterrupt):
            api("player", "post", f"{OWN}buy", sent, key="broken")
    else:
        assert api("player", "post", f"{OWN}buy", sent, key="broken").status_code == 500
    assert books(stable) == before
    assert not KeptAnswer.objects.filter(key="broken").exists()
    monkeypatch.setattr(trading, "post", post)
    assert api("player", "post", f"{OWN}buy", sent, key="broken").status_code == 201
    assert LedgerEntry.objects.filter(stable=stable, cause="purchase").count() == 1


# Basket -----------------------------------------------------------------------------------------------------------


def test_a_basket_shows_what_it_would_leave_and_is_sealed(stable: Stable, unit: dict[str, Any], api: Any) -> None:
    leave(stable, unit["points"] + 5)
    line = {"kind": "unit", "key": unit["id"]}
    assert api("player", "get", f"{OWN}basket/").json()["lines"] == []
    assert said(api("player", "post", f"{OWN}basket/seal")) == (409, "basket_empty")
    noted = api("player", "put", f"{OWN}basket/", {"lines": [line, line]}).json()
    assert [each["capital_after"] for each in noted["lines"]] == [5, 5]
    assert [[problem["code"] for problem in each["refused"]] for each in noted["lines"]] == [[], ["capital_too_small"]]
    assert (noted["capital_after"], noted["is_sealed"], noted["is_open"]) == (5, False, True)
    assert api("player", "post", f"{OWN}basket/seal").json()["is_sealed"]
    assert said(api("player", "put", f"{OWN}basket/", {"lines": []})) == (409, "basket_sealed")
    assert not api("player", "post", f"{OWN}basket/unseal").json()["is_sealed"]
    assert api("player", "put", f"{OWN}basket/", {"lines": []}).json()["lines"] == []
    unknown = {"lines": [{"kind": "unit", "key": "nothing"}]}
    assert said(api("player", "put", f"{OWN}basket/", unknown)) == (409, "unknown_catalogue_entry")
    assert said(api("player", "put", f"{OWN}basket/", {"lines": [line] * 61})) == (409, "basket_too_long")
    assert said(api("player", "put", f"{RUNNING}basket/", {"lines": [line]})) == (409, "market_closed")


def test_an_owner_reads_what_a_basket_bought(stable: Stable, unit: dict[str, Any], api: Any) -> None:
    refused = [{"code": "stable_owes", "parameters": {"owed": 5}}]
    outcome = [{"kind": "unit", "key": unit["id"], "price": 9, "bought": False, "refused": refused}]
    cycle = stable.season.cycles.get()
    lines = [{"kind": "unit", "key": unit["id"]}]
    Basket.objects.create(
        stable=stable,
        cycle=cycle,
        lines=lines,
        outcome=outcome,
        sealed_at=stable.founded_at,
        filled_at=stable.founded_at,
    )
    shown = api("player", "get", f"{OWN}basket/").json()
    assert shown["lines"] == []
    assert [(each["name"], each["bought"]) for each in shown["outcome"]] == [(unit["name"], False)]
    assert shown["outcome"][0]["refused"][0]["code"] == "stable_owes"


# Garage -----------------------------------------------------------------------------------------------------------


def test_repairs_cost_what_the_garage_says(stable: Stable, unit: dict[str, Any], api: Any) -> None:
    units = [bought(stable, "unit", unit) for _ in range(3)]
    for each in units[:2]:
        hurt(each)
    shown = api("player", "get", f"{OWN}garage/").json()
    cost = shown["units"][0]["repair_cost"]
    assert cost > 0
    assert [each["state"] for each in shown["units"]] == ["able", "able", "undamaged"]
    assert (shown["total"], shown["price"], shown["can_repair"]) == (2 * cost, 2 * cost, True)
    assert shown["capital_after"] == shown["capital"] - 2 * cost
    sent = {"asset": units[1].pk}
    first = api("player", "post", f"{OWN}repair", sent, key="mend")
    assert first.json()["repairs"] == [
        {"asset": units[1].pk, "name": units[1].label, "state": "able", "cost": cost, "sits_out": False}
    ]
    assert api("player", "post", f"{OWN}repair", sent, key="mend").json() == first.json()
    assert said(api("player", "post", f"{OWN}repair", sent)) == (409, "unit_not_damaged")
    assert said(api("player", "post", f"{OWN}repair", {"asset": 2**62})) == (409, "unknown_asset")
    hurt(units[2])
    leave(stable, cost)
    assert [each["is_paid_for"] for each in api("player", "get", f"{OWN}garage/").json()["units"]] == [
        True,
        False,
        False,
    ]
    bill = api("player", "post", f"{OWN}repair-all").json()
    assert ([each["asset"] for each in bill["repairs"]], bill["capital"]) == ([units[0].pk], 0)
    assert refold() == []


def test_the_order_of_repairs_is_set_whole(stable: Stable, unit: dict[str, Any], api: Any) -> None:
    units = [bought(stable, "unit", unit) for _ in range(3)]
    order = [units[2].pk, units[0].pk]
    noted = api("player", "put", f"{OWN}repair-order/", {"order": order}).json()
    assert [each["asset"] for each in noted["order"]] == [*order, units[1].pk]
    assert api("player", "get", f"{OWN}repair-order/").json() == noted
    twice = api("player", "put", f"{OWN}repair-order/", {"order": [units[0].pk] * 2})
    assert said(twice) == (409, "unit_twice")
    assert said(api("player", "put", f"{OWN}repair-order/", {"order": [2**40]})) == (409, "unknown_asset")
    assert api("player", "get", f"{OWN}repair-order/").json() == noted


def test_gear_goes_on_a_unit_and_off_again(stable: Stable, unit: dict[str, Any], api: Any) -> None:
    gear = fitting_gear(stable.season, unit, ("speed", "attack", "defense"))
    owned, other, card = (bought(stable, kind, what) for kind, what in (("unit", unit), ("unit", unit), ("gear", gear)))
    shown = api("player", "get", f"{OWN}garage/").json()
    assert [each["asset"] for each in shown["free"]] == [card.pk]
    assert [each["asset"] for each in shown["units"][0]["choices"]] == [card.pk]
    put = api("player", "post", f"{OWN}assign", {"asset": card.pk, "unit": owned.pk}).json()
    assert (put["unit"], put["unit_name"], put["repairs_are_over"]) == (owned.pk, owned.label, False)
    shown = api("player", "get", f"{OWN}garage/").json()
    assert ([each["asset"] for each in shown["units"][0]["gear"]], shown["free"]) == ([card.pk], [])
    hurt(other)
    sent = {"asset": card.pk}
    asked = api("player", "post", f"{OWN}unassign", sent)
    assert said(asked) == (409, "repairs_would_end")
    off = api("player", "post", f"{OWN}unassign", {**sent, "confirmed": True}).json()
    assert (off["unit"], off["unit_name"], off["repairs_are_over"]) == (None, None, True)
    assert said(api("player", "post", f"{OWN}repair", {"asset": other.pk})) == (409, "repairs_ended")
    assert said(api("player", "post", f"{OWN}assign", {"asset": owned.pk, "unit": owned.pk})) == (409, "unknown_asset")
