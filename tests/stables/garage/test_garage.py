"""Gear and pilots on units, swaps that end the repairs, locked gear, and repairs at the bracket of unit and gear."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rules.core.refusals import Malformed
from stables.models import Asset, LedgerEntry, Season, Stable
from stables.selectors.fixtures import sides_with_line_ups
from stables.services.base.ledger import refold
from stables.services.garage import equipping, repairs
from stables.services.line_ups.match_setup import setup_of
from stables.services.market import trading
from stables.services.results import settlement
from stables.services.standings.closing import repair_compulsorily
from tests.stables.conftest import pair, type_in
from tests.stables.market_goods import (
    after_the_last_match,
    bought,
    common_pilot,
    common_unit,
    fitting_gear,
    give,
    goods,
    hurt,
    leave,
    paired,
    refused,
)

pytestmark = [pytest.mark.django_db, pytest.mark.database]

ONE_SIDED = ("speed", "attack", "defense", "primary", "secondary")


@pytest.fixture
def unit(season: Season, stable: Stable) -> Asset:
    return bought(stable, "unit", common_unit(season))


@pytest.fixture
def other(season: Season, stable: Stable) -> Asset:
    return bought(stable, "unit", common_unit(season))


@pytest.fixture
def pilot(season: Season, stable: Stable) -> Asset:
    return bought(stable, "pilot", common_pilot(season))


@pytest.fixture
def gear(season: Season, stable: Stable) -> Asset:
    return bought(stable, "gear", fitting_gear(season, common_unit(season), ONE_SIDED))


def put(stable: Stable, card: Asset, unit: Asset, **keys: object) -> equipping.Assignment:
    return equipping.assign(stable_id=stable.pk, asset_id=card.pk, unit_id=unit.pk, **keys)  # type: ignore[arg-type]


def unit_of(card: Asset) -> int | None:
    return Asset.objects.get(pk=card.pk).assigned_to_id


def test_r_ast_04_what_is_bought_lies_on_the_list_until_it_is_assigned(
    stable: Stable, unit: Asset, gear: Asset, pilot: Asset
) -> None:
    assert (unit_of(gear), unit_of(pilot)) == (None, None)
    assert put(stable, gear, unit).unit == unit.label
    assert put(stable, pilot, unit).repairs_are_over is False
    assert (unit_of(gear), unit_of(pilot)) == (unit.pk, unit.pk)


def test_r_ast_10_gear_and_pilots_move_between_matches(
    season: Season, stable: Stable, unit: Asset, other: Asset, gear: Asset, pilot: Asset
) -> None:
    put(stable, gear, unit)
    put(stable, pilot, unit)
    paired(season)
    assert put(stable, gear, other).unit_id == other.pk
    assert put(stable, pilot, other).unit_id == other.pk
    assert equipping.unassign(stable_id=stable.pk, asset_id=gear.pk).unit_id is None
    assert (unit_of(gear), unit_of(pilot)) == (None, other.pk)


def test_r_ast_10_the_build_total_holds_in_the_garage(season: Season, stable: Stable) -> None:
    entry = max(
        (one for one in goods(season, "unit") if one["class"] == "light" and one["variant"]),
        key=lambda one: one["points"],
    )
    card = fitting_gear(season, entry, ("speed", "attack", "defense"))
    room = 160 - entry["points"] - card["points"]
    pilots = [common_pilot(season, place=place) for place in range(8)]
    unit, gear = bought(stable, "unit", entry), bought(stable, "gear", card)
    put(stable, gear, unit)
    for pilot in pilots:
        if pilot["points"] > room:
            problem = refused(put, stable=stable, card=bought(stable, "pilot", pilot), unit=unit)
            assert (problem.code, problem.parameters["cap"]) == ("over_build_total", 160)
            break
    else:
        raise AssertionError("every pilot fits: the test finds nothing")
    assert list(Asset.objects.filter(assigned_to=unit)) == [gear]


def test_a_second_pilot_sends_the_first_back_to_the_list(
    season: Season, stable: Stable, unit: Asset, pilot: Asset
) -> None:
    relief = bought(stable, "pilot", common_pilot(season, place=1))
    put(stable, pilot, unit)
    put(stable, relief, unit)
    assert (unit_of(pilot), unit_of(relief)) == (None, unit.pk)


def test_r_cec_06_a_unit_has_two_slots(season: Season, stable: Stable, unit: Asset, pilot: Asset) -> None:
    entry = common_unit(season)
    first = bought(stable, "gear", fitting_gear(season, entry, ("speed",)))
    second = bought(stable, "gear", fitting_gear(season, entry, ("attack",)))
    put(stable, first, unit)
    put(stable, pilot, unit)
    assert refused(put, stable=stable, card=second, unit=unit).code == "too_many_cards"
    assert unit_of(second) is None


def test_r_ger_05_two_sided_gear_declares_its_side_and_can_change_it(
    season: Season, stable: Stable, unit: Asset
) -> None:
    card = bought(stable, "gear", fitting_gear(season, common_unit(season), ("either",)))
    assert refused(put, stable=stable, card=card, unit=unit).code == "gear_side_missing"
    with pytest.raises(Malformed):
        put(stable, card, unit, side="left")
    put(stable, card, unit, side="primary")
    assert Asset.objects.get(pk=card.pk).side == "primary"
    equipping.unassign(stable_id=stable.pk, asset_id=card.pk)
    assert Asset.objects.get(pk=card.pk).side == ""


def test_only_gear_and_pilots_of_ones_own_go_on_units_of_ones_own(
    season: Season, stable: Stable, unit: Asset, gear: Asset
) -> None:
    rival = season.stables.get(number=2)
    theirs = bought(rival, "unit", common_unit(season))
    card = bought(stable, "rally_card", goods(season, "rally_card")[0])
    for one, to in ((gear, theirs), (card, unit), (unit, unit), (gear, gear)):
        with pytest.raises(Malformed):
            put(stable, one, to)


def test_r_ast_11_the_first_swap_names_the_damaged_and_ends_the_repairs(
    season: Season, stable: Stable, unit: Asset, other: Asset, gear: Asset
) -> None:
    put(stable, gear, unit)
    paired(season)
    hurt(other)
    problem = refused(put, stable=stable, card=gear, unit=other)
    assert (problem.code, problem.parameters["units"]) == ("repairs_would_end", [other.label])
    assert (unit_of(gear), Stable.objects.get(pk=stable.pk).swapped_round) == (unit.pk, None)
    assert put(stable, gear, other, confirmed=True).repairs_are_over is True
    stable.refresh_from_db()
    assert (stable.swapped_cycle, stable.swapped_round) == (1, 1)
    for call in (repairs.repair, repairs.repair_all):
        arguments = {"asset_id": other.pk} if call is repairs.repair else {}
        assert refused(call, stable_id=stable.pk, **arguments).code == "repairs_ended"
    # Once they are over nothing more is lost by another swap.
    assert equipping.unassign(stable_id=stable.pk, asset_id=gear.pk).unit_id is None
    assert not LedgerEntry.objects.filter(stable=stable, cause="repair").exists()


def test_r_ast_11_repairs_are_open_again_in_the_next_pause(season: Season, stable: Stable, unit: Asset) -> None:
    Stable.objects.filter(pk=stable.pk).update(swapped_cycle=1, swapped_round=1)
    paired(season)
    hurt(unit)
    assert refused(repairs.repair, stable_id=stable.pk, asset_id=unit.pk).code == "repairs_ended"
    Stable.objects.filter(pk=stable.pk).update(swapped_cycle=1, swapped_round=0)
    assert repairs.repair(stable_id=stable.pk, asset_id=unit.pk).repairs[0].cost == 50


def test_q_170_putting_free_gear_on_and_selling_it_ends_nothing(
    season: Season, stable: Stable, unit: Asset, other: Asset, gear: Asset
) -> None:
    spare = bought(stable, "gear", goods(season, "gear")[0])
    hurt(other)
    put(stable, gear, unit)
    trading.sell(stable_id=stable.pk, asset_id=spare.pk)
    stable.refresh_from_db()
    assert stable.swapped_cycle is None
    assert repairs.repair(stable_id=stable.pk, asset_id=other.pk).repairs[0].cost == 50


@pytest.mark.parametrize("what", ["gear", "unit"])
def test_q_170_selling_gear_off_a_unit_or_a_unit_with_gear_is_a_swap(
    stable: Stable, unit: Asset, other: Asset, gear: Asset, what: str
) -> None:
    put(stable, gear, unit)
    hurt(other)
    sold = gear if what == "gear" else unit
    assert refused(trading.sell, stable_id=stable.pk, asset_id=sold.pk).code == "repairs_would_end"
    assert Asset.objects.get(pk=sold.pk).sold_at is None
    trading.sell(stable_id=stable.pk, asset_id=sold.pk, confirmed=True)
    assert refused(repairs.repair, stable_id=stable.pk, asset_id=other.pk).code == "repairs_ended"


def test_a_pilot_who_moves_ends_no_repairs(stable: Stable, unit: Asset, other: Asset, pilot: Asset) -> None:
    put(stable, pilot, unit)
    hurt(other)
    put(stable, pilot, other)
    trading.sell(stable_id=stable.pk, asset_id=pilot.pk)
    stable.refresh_from_db()
    assert stable.swapped_cycle is None


def test_q_170_gear_waits_for_the_repairs_that_close_the_cycle(
    season: Season, stable: Stable, unit: Asset, gear: Asset, pilot: Asset
) -> None:
    free = bought(stable, "gear", goods(season, "gear")[0])
    put(stable, gear, unit)
    put(stable, pilot, unit)
    after_the_last_match(season)
    for call, asset in ((equipping.unassign, gear), (trading.sell, gear), (trading.sell, unit)):
        assert refused(call, stable_id=stable.pk, asset_id=asset.pk).code == "swaps_wait_for_repairs"
    assert equipping.unassign(stable_id=stable.pk, asset_id=pilot.pk).unit_id is None
    assert trading.sell(stable_id=stable.pk, asset_id=free.pk).price == free.price_paid


def test_r_crp_08_the_gear_of_an_eliminated_unit_is_locked_until_it_is_repaired(
    stable: Stable, unit: Asset, other: Asset, gear: Asset
) -> None:
    put(stable, gear, unit)
    hurt(unit, eliminated=True)
    for call in (equipping.unassign, trading.sell):
        assert refused(call, stable_id=stable.pk, asset_id=gear.pk, confirmed=True).code == "gear_locked"
    assert refused(put, stable=stable, card=gear, unit=other, confirmed=True).code == "gear_locked"
    assert refused(trading.sell, stable_id=stable.pk, asset_id=unit.pk).code == "damaged_unit_not_for_sale"
    stable.refresh_from_db()
    assert stable.swapped_cycle is None
    give(stable, 300)
    repairs.repair(stable_id=stable.pk, asset_id=unit.pk)
    assert put(stable, gear, other).unit_id == other.pk


def test_r_crp_08_nothing_is_put_on_an_eliminated_unit(stable: Stable, unit: Asset, gear: Asset, pilot: Asset) -> None:
    hurt(unit, eliminated=True)
    for card in (gear, pilot):
        assert refused(put, stable=stable, card=card, unit=unit).code == "unit_eliminated"


def test_r_crp_12_the_pilot_of_an_eliminated_unit_is_free_at_once(
    season: Season, stable: Stable, unit: Asset, other: Asset, pilot: Asset
) -> None:
    put(stable, pilot, unit)
    paired(season)
    hurt(unit, eliminated=True)
    assert put(stable, pilot, other).unit_id == other.pk


def test_q_171_a_sold_unit_leaves_its_gear_and_pilot_on_the_list(
    stable: Stable, unit: Asset, gear: Asset, pilot: Asset
) -> None:
    put(stable, gear, unit)
    put(stable, pilot, unit)
    trading.sell(stable_id=stable.pk, asset_id=unit.pk)
    assert (unit_of(gear), unit_of(pilot)) == (None, None)
    assert set(stable.assets.filter(sold_at=None)) == {gear, pilot}


def heavy_load(season: Season, stable: Stable) -> tuple[Asset, Asset]:
    """A unit whose gear lifts it into the second bracket, and that gear."""
    for entry in goods(season, "unit"):
        for card in goods(season, "gear"):
            total = entry["points"] + card["points"]
            if not (entry["points"] <= 160 < total <= 210 and entry["class"] == "medium" and entry["variant"]):
                continue
            if card["slot"] == "either" or "medium" not in card["requires"]["class"] or card["requires"].get("type"):
                continue
            return bought(stable, "unit", entry), bought(stable, "gear", card)
    raise AssertionError("no unit of the catalogue changes its bracket with gear")


def test_r_crp_02_gear_lifts_a_unit_into_a_dearer_bracket_and_the_pilot_does_not(
    season: Season, stable: Stable
) -> None:
    unit, gear = heavy_load(season, stable)
    pilot = bought(stable, "pilot", common_pilot(season, "medium"))
    hurt(unit)
    assets = list(stable.assets.all())
    assert repairs.repair_costs(stable, assets) == {unit.pk: 50}
    put(stable, pilot, unit)
    assert repairs.repair_costs(stable, list(stable.assets.all())) == {unit.pk: 50}
    put(stable, gear, unit)
    assert repairs.repair_costs(stable, list(stable.assets.all())) == {unit.pk: 75}
    assert repairs.repair(stable_id=stable.pk, asset_id=unit.pk).repairs[0].cost == 75


def test_r_crp_02_10_the_close_of_a_cycle_counts_gear_too(season: Season, stable: Stable) -> None:
    unit, gear = heavy_load(season, stable)
    put(stable, gear, unit)
    hurt(unit)
    leave(stable, 74)
    cycle = season.cycles.get()
    season.cycles.update(state="closing", started_with=4, rounds_planned=1)
    Season.objects.filter(pk=season.pk).update(state=Season.State.RUNNING)
    assert repair_compulsorily(cycle_id=cycle.pk, stable_id=stable.pk) == []
    leave(stable, 75)
    assert repair_compulsorily(cycle_id=cycle.pk, stable_id=stable.pk) == [unit.code]
    assert stable.ledger.filter(cause="compulsory_repair").get().amount == -75


def test_r_crp_01_everything_affordable_is_repaired_in_one_press_in_the_owners_order(
    season: Season, stable: Stable, unit: Asset, other: Asset
) -> None:
    third = bought(stable, "unit", common_unit(season))
    for one in (unit, other, third):
        hurt(one)
    hurt(other, eliminated=True)
    repairs.set_repair_order(stable_id=stable.pk, asset_ids=[other.pk])
    leave(stable, 151)
    stable.refresh_from_db()
    seen = repairs.preview(stable, list(stable.assets.all()))
    assert (seen.total, seen.price, seen.capital_after, seen.chosen) == (200, 150, 1, (other.pk, unit.pk))
    paired(season)
    bill = repairs.repair_all(stable_id=stable.pk)
    assert [one.asset_id for one in bill.repairs] == [other.pk, unit.pk]
    assert [one.sits_out for one in bill.repairs] == [True, False]
    assert bill.capital == 1
    third.refresh_from_db()
    assert third.damage == 1
    assert repairs.repair_all(stable_id=stable.pk) == repairs.RepairBill((), 1)
    assert refold(season_id=season.pk) == []


def test_r_crp_11_an_undamaged_unit_is_not_repaired_twice(stable: Stable, unit: Asset) -> None:
    hurt(unit)
    repairs.repair(stable_id=stable.pk, asset_id=unit.pk)
    assert refused(repairs.repair, stable_id=stable.pk, asset_id=unit.pk).code == "unit_not_damaged"
    assert stable.ledger.filter(cause="repair").count() == 1


def test_damage_that_a_correction_brings_back_is_paid_again(stable: Stable, unit: Asset) -> None:
    for number in range(3):
        hurt(unit)
        capital = Stable.objects.get(pk=stable.pk).capital
        assert repairs.repair(stable_id=stable.pk, asset_id=unit.pk).capital == capital - 50, number
    assert stable.ledger.filter(cause="repair").count() == 3


def test_a_repair_of_many_takes_as_many_queries_as_of_one(stable: Stable, unit: Asset, other: Asset) -> None:
    counts = []
    for units in ([unit], [unit, other]):
        for one in units:
            hurt(one)
        with CaptureQueriesContext(connection) as queries:
            repairs.repair_all(stable_id=stable.pk)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 20


def next_setup(season: Season, hurt_by: dict[str, object]) -> tuple[Asset, dict[str, object]]:
    """A unit after a match that left it so, and what it brings into its next match without a repair."""
    fixture = pair(season)[0]
    stable = fixture.sides.get(side="red").stable
    type_in(fixture, units={"red": hurt_by})
    for one in season.cycles.get().rounds.get(number=1).fixtures.exclude(pk=fixture.pk):
        type_in(one)
    for one in season.cycles.get().rounds.get(number=1).fixtures.all():
        settlement.settle_fixture(fixture_id=one.pk)
    unit = fixture.sides.get(side="red").line_up.crews.get().unit
    Asset.objects.filter(stable=stable, kind="unit").exclude(pk=unit.pk).update(sold_at=unit.bought_at)
    leave(stable, 0)
    for again in pair(season, 2):
        side = again.sides.filter(stable=stable).first()
        if side is not None:
            sides = sides_with_line_ups(again)
            units = next(one for one in setup_of(again, sides)["sides"] if one["id"] == side.side)["units"]
            return unit, units[0]
    raise AssertionError("the stable has no second match")


def test_r_crp_07_damage_that_is_not_repaired_is_there_in_the_next_match(stocked: Season) -> None:
    unit, brought = next_setup(stocked, {"clicks": 2})
    assert (brought["unit"]["id"], brought["clicks"]) == (unit.catalogue_key, 2)  # type: ignore[index]


def test_r_crp_13_heat_shutdown_and_unconsciousness_end_with_the_match(stocked: Season) -> None:
    _, brought = next_setup(stocked, {"clicks": 1, "heat": 4, "shutdown": True, "unconscious": True})
    assert set(brought) <= {"id", "unit", "pilot", "gear", "hand", "clicks"}
