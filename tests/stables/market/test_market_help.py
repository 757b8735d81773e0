"""Gear and rally cards, pilots who died, the emergency hire and the sponsor's grant, through the services."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from stables.models import Asset, Cycle, LogEntry, Season, Stable
from stables.services.base.ledger import refold
from stables.services.garage import equipping, repairs
from stables.services.market import trading
from stables.services.season import buyers
from stables.services.standings import closing
from tests.stables.conftest import open_with
from tests.stables.market_goods import (
    after_the_last_match,
    bought,
    common_pilot,
    common_unit,
    fitting_gear,
    goods,
    hurt,
    leave,
    paired,
    refused,
)

pytestmark = pytest.mark.django_db


def first_of(season: Season) -> Stable:
    return season.stables.select_related("season").get(number=1)


@pytest.mark.parametrize("kind", ["gear", "rally_card"])
def test_r_ast_01_02_07_08_gear_and_rally_cards_are_bought_sold_and_bought_again(
    season: Season, stable: Stable, kind: str
) -> None:
    entry = goods(season, kind)[0]
    price = 10 if kind == "rally_card" else entry["points"]
    for capital in (1000 - price, 1000 - price):
        trade = trading.buy(stable_id=stable.pk, kind=kind, key=entry["id"])
        assert (trade.price, trade.capital) == (price, capital)
        assert trading.sell(stable_id=stable.pk, asset_id=trade.asset_id).capital == 1000
    assert stable.assets.get().purchases == 2
    assert refold(season_id=season.pk) == []


def test_r_stb_04_a_stable_owns_units_pilots_gear_and_rally_cards(season: Season, stable: Stable) -> None:
    for kind in ("unit", "pilot", "gear", "rally_card"):
        trading.buy(stable_id=stable.pk, kind=kind, key=goods(season, kind)[0]["id"])
    assert sorted(stable.assets.values_list("kind", flat=True)) == ["gear", "pilot", "rally_card", "unit"]


def test_rally_cards_and_gear_are_owned_in_any_number(season: Season, stable: Stable) -> None:
    for kind in ("gear", "rally_card"):
        entry = goods(season, kind)[0]
        names = [trading.buy(stable_id=stable.pk, kind=kind, key=entry["id"]).name for _ in range(2)]
        assert names == [entry["name"], f"{entry['name']} #2"]


def test_r_ast_09_a_unit_off_its_start_marker_is_not_sold_whatever_its_state(season: Season, stable: Stable) -> None:
    unit = bought(stable, "unit", common_unit(season))
    hurt(unit)
    assert refused(trading.sell, stable_id=stable.pk, asset_id=unit.pk).code == "damaged_unit_not_for_sale"
    hurt(unit, eliminated=True)
    assert refused(trading.sell, stable_id=stable.pk, asset_id=unit.pk).code == "damaged_unit_not_for_sale"


def died(pilot: Asset) -> Asset:
    pilot.died_at = timezone.now()
    pilot.assigned_to = None
    pilot.save(update_fields=["died_at", "assigned_to"])
    return pilot


def test_r_dth_02_who_died_is_not_bought_again_by_the_stable_and_by_others_still(
    season: Season, stable: Stable
) -> None:
    entry = common_pilot(season)
    died(bought(stable, "pilot", entry))
    problem = refused(trading.buy, stable_id=stable.pk, kind="pilot", key=entry["id"])
    assert (problem.code, problem.parameters["rule"]) == ("pilot_died", "R-DTH-02")
    assert [one["id"] for one in trading.for_sale(stable, "pilot") if one["id"] == entry["id"]] == []
    (line,) = buyers.what_if(stable, [{"kind": "pilot", "key": entry["id"]}])
    assert line.problems[0].code == "pilot_died"
    rival = season.stables.get(number=2)
    assert trading.buy(stable_id=rival.pk, kind="pilot", key=entry["id"]).price == entry["points"]


def test_r_dth_01_who_died_is_neither_sold_nor_assigned(season: Season, stable: Stable) -> None:
    unit = bought(stable, "unit", common_unit(season))
    pilot = died(bought(stable, "pilot", common_pilot(season)))
    capital = Stable.objects.get(pk=stable.pk).capital
    assert refused(trading.sell, stable_id=stable.pk, asset_id=pilot.pk).code == "asset_sold"
    assert refused(equipping.assign, stable_id=stable.pk, asset_id=pilot.pk, unit_id=unit.pk).code == "asset_sold"
    assert Stable.objects.get(pk=stable.pk).capital == capital


@pytest.fixture
def dangerous(release: Any) -> Season:
    """A season with the emergency hire."""
    return open_with(release, ["Ash", "Birch", "Cedar", "Dogwood"], emergency_hire=True)


def test_without_a_living_pilot_one_common_one_is_hired_between_matches(dangerous: Season) -> None:
    stable = first_of(dangerous)
    bought(stable, "unit", common_unit(dangerous))
    paired(dangerous)
    legend = next(p for p in goods(dangerous, "pilot") if p["kind"] != "common")
    heavy = next(
        p
        for p in goods(dangerous, "pilot")
        if p["kind"] == "common" and "light" not in (p["requires"].get("class") or ["light"])
    )
    for entry in (legend, heavy):
        problem = refused(trading.buy, stable_id=stable.pk, kind="pilot", key=entry["id"])
        assert (problem.code, problem.parameters["rule"]) == ("no_emergency", "R-AST-03")
    entry = common_pilot(dangerous)
    assert refused(trading.buy, stable_id=stable.pk, kind="unit", key=common_unit(dangerous)["id"]).code == (
        "market_closed"
    )
    trade = trading.buy(stable_id=stable.pk, kind="pilot", key=entry["id"])
    assert (trade.price, stable.ledger.last().cause) == (entry["points"], "emergency_hire")
    again = refused(trading.buy, stable_id=stable.pk, kind="pilot", key=entry["id"])
    assert (again.code, again.parameters["rule"]) == ("market_closed", "R-AST-03")


def test_an_emergency_hire_is_paid_for(dangerous: Season) -> None:
    stable = first_of(dangerous)
    bought(stable, "unit", common_unit(dangerous))
    entry = common_pilot(dangerous)
    paired(dangerous)
    leave(stable, entry["points"] - 1)
    assert refused(trading.buy, stable_id=stable.pk, kind="pilot", key=entry["id"]).code == "capital_too_small"


def test_there_is_no_emergency_without_a_unit_that_lacks_only_a_pilot_nor_behind_the_last_match(
    dangerous: Season,
) -> None:
    stable = first_of(dangerous)
    unit = bought(stable, "unit", common_unit(dangerous))
    entry = common_pilot(dangerous)
    hurt(unit, eliminated=True)
    paired(dangerous)
    assert refused(trading.buy, stable_id=stable.pk, kind="pilot", key=entry["id"]).code == "market_closed"
    hurt(unit, 1)
    dangerous.cycles.get().rounds.all().delete()
    after_the_last_match(dangerous)
    assert refused(trading.buy, stable_id=stable.pk, kind="pilot", key=entry["id"]).code == "market_closed"


@pytest.mark.parametrize("settings", [{}, {"emergency_hire": False, "buy_between_matches": False}])
def test_a_season_without_the_emergency_hire_has_none(release: Any, settings: dict[str, Any]) -> None:
    season = open_with(release, ["Ash", "Birch"], **settings)
    stable = first_of(season)
    bought(stable, "unit", common_unit(season))
    paired(season)
    entry = common_pilot(season)
    assert refused(trading.buy, stable_id=stable.pk, kind="pilot", key=entry["id"]).code == "market_closed"


@pytest.fixture
def sponsored(release: Any) -> Season:
    """A season of two cycles with sponsors, the first one closing."""
    season = open_with(release, ["Ash", "Birch"], sponsor_grant=True, cycles=["standard", "team"])
    Season.objects.filter(pk=season.pk).update(state=Season.State.RUNNING)
    Cycle.objects.filter(season=season).update(state=Cycle.State.CLOSING, started_with=2, rounds_planned=1)
    return season


def cheapest(season: Season) -> int:
    from rules.campaign.line_ups.checks import OwnedPilot, OwnedUnit, check_crew

    return min(
        unit["points"] + (0 if pilot is None else pilot["points"])
        for unit in goods(season, "unit")
        for pilot in [None, *goods(season, "pilot")]
        if not check_crew(OwnedUnit("u", unit, "undamaged"), None if pilot is None else OwnedPilot("p", pilot), "light")
    )


def repair_and_grant(season: Season, stable: Stable) -> int:
    """What the close of the cycle gives the stable."""
    before = Stable.objects.get(pk=stable.pk).capital
    closing.repair_compulsorily(cycle_id=season.cycles.get(number=1).pk, stable_id=stable.pk)
    return Stable.objects.get(pk=stable.pk).capital - before


def test_a_sponsor_gives_what_the_cheapest_crew_lacks_once_a_cycle(sponsored: Season) -> None:
    stable = first_of(sponsored)
    leave(stable, 7)
    assert repair_and_grant(sponsored, stable) == cheapest(sponsored) - 7
    assert repair_and_grant(sponsored, stable) == 0
    entry = stable.ledger.get(cause="sponsor_grant")
    assert (entry.amount, entry.parameters) == (cheapest(sponsored) - 7, {"cycle": 2})
    assert LogEntry.objects.get(code="sponsor_grant").parameters["amount"] == entry.amount
    leave(stable, 0)
    assert repair_and_grant(sponsored, stable) == 0, "one grant a cycle, whatever became of it"
    assert refold(season_id=sponsored.pk) == []


def test_a_sponsor_gives_nothing_to_those_who_can_help_itself(sponsored: Season) -> None:
    stable = first_of(sponsored)
    leave(stable, cheapest(sponsored))
    assert repair_and_grant(sponsored, stable) == 0
    leave(stable, 0)
    Stable.objects.filter(pk=stable.pk).update(owed=5)
    assert repair_and_grant(sponsored, stable) == 0


def test_a_sponsor_comes_neither_without_the_setting_nor_after_the_last_cycle(release: Any, sponsored: Season) -> None:
    for settings in ({"sponsor_grant": False, "cycles": ["standard", "team"]}, {"sponsor_grant": True}):
        season = open_with(release, ["Ash"], **settings)
        Cycle.objects.filter(season=season).update(state=Cycle.State.CLOSING, started_with=2, rounds_planned=1)
        stable = first_of(season)
        leave(stable, 0)
        assert repair_and_grant(season, stable) == 0


def test_a_sponsors_grant_comes_after_the_repairs_of_the_cycle(sponsored: Season) -> None:
    stable = first_of(sponsored)
    unit = bought_before(sponsored, stable)
    hurt(unit, 1)
    leave(stable, 50)
    # The repair takes the last Stones, the unit is able, and a pilot is all that the grant has to pay.
    repair = 50
    granted = repair_and_grant(sponsored, stable) + repair
    pilots = [p["points"] for p in goods(sponsored, "pilot") if _fits(unit, p)]
    others = cheapest(sponsored)
    assert granted == max(0, min(min(pilots), others - unit.price_paid))
    assert repairs.damaged_units(stable, stable.assets.all()) == []


def bought_before(season: Season, stable: Stable) -> Asset:
    entry = common_unit(season)
    return Asset.objects.create(
        stable=stable, kind="unit", catalogue_key=entry["id"], content_hash="-", name=entry["name"], price_paid=1
    )


def _fits(unit: Asset, pilot: dict[str, Any]) -> bool:
    from rules.campaign.line_ups.checks import OwnedPilot, OwnedUnit, check_crew
    from stables.selectors.definitions import definition_of

    owned = OwnedUnit("u", definition_of(unit.stable.season, unit), "undamaged")
    return not check_crew(owned, OwnedPilot("p", pilot), "light")


def test_gear_may_be_sold_to_help_oneself_before_a_sponsor_comes(sponsored: Season) -> None:
    stable = first_of(sponsored)
    card = fitting_gear(sponsored, common_unit(sponsored), ("speed",))
    Asset.objects.create(
        stable=stable, kind="gear", catalogue_key=card["id"], content_hash="-", name="x", price_paid=card["points"]
    )
    leave(stable, 0)
    assert repair_and_grant(sponsored, stable) == cheapest(sponsored) - card["points"]
