"""Founding, buying, selling and repairing through the services."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model

from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Asset, LedgerEntry, ReputationEntry, Season, Stable
from stables.selectors.definitions import catalogue_of
from stables.services.base import ledger
from stables.services.garage import repairs
from stables.services.market import trading
from stables.services.season import seasons
from tests.stables.conftest import first_round, open_with, pair, type_in

pytestmark = pytest.mark.database


def light_unit(season: Season, at_most: int = 160) -> dict[str, Any]:
    return next(
        unit
        for unit in catalogue_of(season).units.values()
        if unit["class"] == "light" and unit["points"] <= at_most and unit["rank"] != "unique"
    )


def spend_down_to(stable: Stable, capital: int) -> None:
    """Leave the stable with so many Stones."""
    stable.refresh_from_db()
    movement = ledger.Movement(capital - stable.capital, "test", f"test:{stable.pk}:{capital}")
    ledger.post(stable_id=stable.pk, movements=[movement])
    stable.refresh_from_db()


def refusal(call: Any, **arguments: Any) -> SeasonRefused:
    with pytest.raises(SeasonRefused) as caught:
        call(**arguments)
    return caught.value


@pytest.mark.parametrize(
    ("weight_class", "stones"), [("light", 1000), ("medium", 1500), ("heavy", 2000), ("assault", 2500)]
)
def test_r_stb_01_founding_credits_the_starting_capital_once(release: Any, weight_class: str, stones: int) -> None:
    season = open_with(release, ["Ash"], weight_class=weight_class)
    stable = season.stables.get()
    entry = stable.ledger.get()
    assert (stable.capital, entry.amount, entry.balance_after, entry.cause) == (
        stones,
        stones,
        stones,
        "starting_capital",
    )


def test_founding_refuses_newcomers_doubles_and_the_ninth(season: Season) -> None:
    owner = get_user_model().objects.create_user("player", "player@example.org", "-")
    assert refusal(seasons.found_stable, season_id=season.pk, name="ash").code == "stable_name_taken"
    seasons.found_stable(season_id=season.pk, name="Elm", owner=owner)
    assert refusal(seasons.found_stable, season_id=season.pk, name="Fir", owner=owner).code == "already_owner_here"
    for name in ("Fir", "Ginkgo", "Holly"):
        seasons.found_stable(season_id=season.pk, name=name)
    assert refusal(seasons.found_stable, season_id=season.pk, name="Ivy").code == "season_full"
    Season.objects.filter(pk=season.pk).update(state=Season.State.RUNNING)
    season.cycles.update(state="rounds", started_with=8, rounds_planned=3)
    assert refusal(seasons.found_stable, season_id=season.pk, name="Ivy").code == "season_closed_to_newcomers"
    with pytest.raises(Malformed):
        seasons.found_stable(season_id=season.pk, name="   ")


@pytest.mark.parametrize(
    ("settings", "code"),
    [({"house_rules": {"clock_seconds": 60}}, "setting_not_built")],
)
def test_a_season_that_cannot_be_played_is_not_opened(release: Any, settings: dict[str, Any], code: str) -> None:
    assert refusal(open_with, release=release, names=[], **settings).code == code
    assert Season.objects.count() == 0


def test_r_ast_02_07_buy_and_sell_move_the_full_price(season: Season, stable: Stable) -> None:
    unit = light_unit(season)
    bought = trading.buy(stable_id=stable.pk, kind="unit", key=unit["id"])
    assert (bought.price, bought.capital) == (unit["points"], 1000 - unit["points"])
    sold = trading.sell(stable_id=stable.pk, asset_id=bought.asset_id)
    assert (sold.price, sold.capital) == (unit["points"], 1000)
    assert refusal(trading.sell, stable_id=stable.pk, asset_id=bought.asset_id).code == "asset_sold"
    assert [entry.amount for entry in stable.ledger.all()] == [1000, -unit["points"], unit["points"]]


def test_r_ast_12_unaffordable_changes_nothing_and_says_what_helps(season: Season, stable: Stable) -> None:
    unit = light_unit(season)
    spend_down_to(stable, unit["points"] - 1)
    before = LedgerEntry.objects.count()
    refused = refusal(trading.buy, stable_id=stable.pk, kind="unit", key=unit["id"])
    assert (refused.code, refused.parameters["missing"], refused.parameters["rule"]) == (
        "capital_too_small",
        1,
        "R-AST-12",
    )
    assert (LedgerEntry.objects.count(), stable.assets.count()) == (before, 0)


def test_q_161_common_copies_are_numbered(season: Season, stable: Stable) -> None:
    unit = light_unit(season)
    trading.buy(stable_id=stable.pk, kind="unit", key=unit["id"])
    second = trading.buy(stable_id=stable.pk, kind="unit", key=unit["id"])
    assert second.name == f"{unit['name']} #2"
    assert {asset.code for asset in stable.assets.all()} == {f"unit:{unit['id']}:1", f"unit:{unit['id']}:2"}


@pytest.mark.parametrize(
    ("kind", "key", "code"),
    [
        ("unit", "NONE", "unknown_catalogue_entry"),
        ("castle", "X", "unknown_asset_kind"),
        ("pilot", "", "unknown_catalogue_entry"),
    ],
)
def test_unknown_goods_are_malformed(stable: Stable, kind: str, key: str, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        trading.buy(stable_id=stable.pk, kind=kind, key=key)
    assert caught.value.code == code


def test_r_ast_12_a_rivals_asset_cannot_be_sold_or_repaired(season: Season, stable: Stable) -> None:
    rival = season.stables.get(number=2)
    bought = trading.buy(stable_id=rival.pk, kind="unit", key=light_unit(season)["id"])
    for call in (trading.sell, repairs.repair):
        with pytest.raises(Malformed) as caught:
            call(stable_id=stable.pk, asset_id=bought.asset_id)
        assert caught.value.code == "unknown_asset"


def test_q_163_a_record_resumes_with_the_highest_frozen_one(season: Season, stable: Stable) -> None:
    pilot = next(one for one in catalogue_of(season).pilots.values() if one["kind"] == "common")
    ids = [trading.buy(stable_id=stable.pk, kind="pilot", key=pilot["id"]).asset_id for _ in range(2)]
    for asset_id, amount in zip(ids, (40, 90), strict=True):
        ReputationEntry.objects.create(
            stable=stable,
            asset_id=asset_id,
            cycle=season.cycles.get(),
            amount=amount,
            cause="win",
            idempotency_key=f"t{asset_id}",
        )
        trading.sell(stable_id=stable.pk, asset_id=asset_id)
    again = trading.buy(stable_id=stable.pk, kind="pilot", key=pilot["id"])
    assert again.asset_id == ids[1]
    assert Asset.objects.get(pk=ids[1]).purchases == 2
    assert ledger.refold(season_id=season.pk) == []


def test_r_ast_03_07_the_market_closes_with_the_pairing_and_sales_with_the_line_up(
    stocked: Season, stable: Stable
) -> None:
    from stables.services.fixtures import pairing

    Season.objects.filter(pk=stocked.pk).update(state=Season.State.RUNNING)
    pilot = stable.assets.filter(kind="pilot").first()
    pairing.pair_round(cycle_id=stocked.cycles.get().pk, number=1)
    refused = refusal(trading.buy, stable_id=stable.pk, kind="pilot", key=pilot.catalogue_key)
    assert (refused.code, refused.parameters["rule"]) == ("market_closed", "R-AST-03")
    trading.sell(stable_id=stable.pk, asset_id=pilot.pk)
    fixtures = pair(stocked)
    other = stable.assets.filter(kind="pilot", sold_at=None).first()
    assert refusal(trading.sell, stable_id=stable.pk, asset_id=other.pk).code == "sales_closed"
    unit = stable.assets.filter(kind="unit").first()
    assert refusal(repairs.repair, stable_id=stable.pk, asset_id=unit.pk).code == "repairs_closed"
    assert len(fixtures) == 2


def test_buy_between_matches_is_a_setting(release: Any) -> None:
    season = open_with(release, ["Ash", "Birch"], buy_between_matches=True)
    Season.objects.filter(pk=season.pk).update(state=Season.State.RUNNING)
    from stables.services.fixtures import pairing

    pairing.pair_round(cycle_id=season.cycles.get().pk, number=1)
    assert trading.buy(stable_id=season.stables.get(number=1).pk, kind="unit", key=light_unit(season)["id"]).price > 0


@pytest.mark.parametrize(("damage", "eliminated", "cost", "sits_out"), [(1, False, 50, False), (0, True, 100, True)])
def test_r_crp_03_09_repair_between_matches(
    sealed: Season, damage: int, eliminated: bool, cost: int, sits_out: bool
) -> None:
    fixture = first_round(sealed)[0]
    type_in(fixture, units={"red": {"clicks": damage, "eliminated": eliminated}})
    from stables.services.results import settlement

    settlement.settle_fixture(fixture_id=fixture.pk)
    crew = fixture.sides.get(side="red").line_up.crews.get()
    stable = crew.unit.stable
    refused = refusal(trading.sell, stable_id=stable.pk, asset_id=crew.unit_id)
    assert (refused.code, refused.parameters["rule"]) == ("damaged_unit_not_for_sale", "R-AST-09")
    before = stable.capital
    bill = repairs.repair(stable_id=stable.pk, asset_id=crew.unit_id)
    assert (bill.repairs[0].cost, bill.repairs[0].sits_out, bill.capital) == (cost, sits_out, before - cost)
    asset = Asset.objects.get(pk=crew.unit_id)
    assert (asset.damage, asset.is_eliminated) == (0, False)
    assert (asset.sits_out_cycle, asset.sits_out_round) == ((1, 2) if sits_out else (None, None))
    assert refusal(repairs.repair, stable_id=stable.pk, asset_id=asset.pk).code == "unit_not_damaged"


def test_r_ast_12_a_repair_is_refused_without_the_stones(sealed: Season) -> None:
    fixture = first_round(sealed)[0]
    type_in(fixture, units={"red": {"clicks": 2}})
    from stables.services.results import settlement

    settlement.settle_fixture(fixture_id=fixture.pk)
    unit = fixture.sides.get(side="red").line_up.crews.get().unit
    spend_down_to(unit.stable, 49)
    assert refusal(repairs.repair, stable_id=unit.stable_id, asset_id=unit.pk).code == "capital_too_small"
    unit.refresh_from_db()
    assert unit.damage == 2
