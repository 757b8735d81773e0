"""Many hands at the same moment, on the real database of the run (a SQLite file, or PostgreSQL)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection

from jobs.models import Job
from rules.core.refusals import SeasonRefused
from stables.models import (
    Asset,
    Fixture,
    FixtureSide,
    LedgerEntry,
    Placing,
    Report,
    ReputationEntry,
    Result,
    Season,
    Stable,
)
from stables.services.base.ledger import Movement, post, refold
from stables.services.fixtures import pairing
from stables.services.garage import repairs
from stables.services.market import baskets, readiness, trading
from stables.services.results import reports, settlement
from stables.services.season import invitations
from stables.services.standings import closing
from tests.stables.conftest import first_round, play_out_typed, type_in
from tests.stables.market.test_market import light_unit
from tests.stables.tabletop_matches import fixture_of, red_wins, sides_of, tables
from tests.waiting import DEADLINE_SECONDS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """What each call gave, a result or its exception, when all were made at the same moment."""
    results: list[Any] = []
    gate = threading.Barrier(len(calls))

    def make(call: Callable[[], Any]) -> None:
        try:
            gate.wait(timeout=DEADLINE_SECONDS)
            results.append(call())
        except Exception as error:
            results.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=make, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=DEADLINE_SECONDS)
    return results


def test_of_fifty_buyers_of_the_last_affordable_asset_one_wins(season: Season, stable: Stable) -> None:
    unit = light_unit(season)
    post(stable_id=stable.pk, movements=[Movement(unit["points"] - 1000, "test", "poor")])
    results = at_once([lambda: trading.buy(stable_id=stable.pk, kind="unit", key=unit["id"])] * 50)
    refused = [result for result in results if isinstance(result, SeasonRefused)]
    assert len(refused) == 49
    assert {one.code for one in refused} == {"capital_too_small"}
    stable.refresh_from_db()
    assert (stable.capital, stable.assets.count()) == (0, 1)
    assert LedgerEntry.objects.filter(stable=stable, cause="purchase").count() == 1
    assert refold() == []


def test_of_fifty_repairs_for_the_last_stones_one_is_made(season: Season, stable: Stable) -> None:
    unit = light_unit(season)
    ids = [trading.buy(stable_id=stable.pk, kind="unit", key=unit["id"]).asset_id for _ in range(2)]
    Asset.objects.filter(pk__in=ids).update(damage=1)
    cost = repairs.repair_costs(stable, Asset.objects.filter(pk__in=ids))[ids[0]]
    stable.refresh_from_db()
    post(stable_id=stable.pk, movements=[Movement(cost - stable.capital, "test", "poor")])
    calls = [lambda pk=pk: repairs.repair(stable_id=stable.pk, asset_id=pk) for pk in ids * 25]
    results = at_once(calls)
    refused = [result for result in results if isinstance(result, SeasonRefused)]
    assert len(refused) == 49
    assert {one.code for one in refused} <= {"capital_too_small", "unit_not_damaged"}
    stable.refresh_from_db()
    assert (stable.capital, stable.assets.filter(damage=1).count()) == (0, 1)
    assert LedgerEntry.objects.filter(stable=stable, cause="repair").count() == 1
    assert refold() == []


def test_a_basket_that_fifty_fill_at_once_is_bought_once(season: Season, stable: Stable) -> None:
    unit = light_unit(season)
    baskets.set_lines(stable_id=stable.pk, lines=[{"kind": "unit", "key": unit["id"]}] * 2)
    baskets.seal(stable_id=stable.pk)
    post(stable_id=stable.pk, movements=[Movement(unit["points"] - 1000, "test", "poor")])
    cycle_id = season.cycles.get().pk
    results = at_once([lambda: baskets.fill_basket(cycle_id=cycle_id, stable_id=stable.pk)] * 50)
    assert sorted(len(result.bought) for result in results) == [0] * 49 + [1]
    assert sorted(len(result.refused) for result in results) == [0] * 49 + [1]
    stable.refresh_from_db()
    assert (stable.capital, stable.assets.count()) == (0, 1)
    assert LedgerEntry.objects.filter(stable=stable, cause="purchase").count() == 1
    assert refold() == []


def test_ten_sales_of_one_asset_are_one(season: Season, stable: Stable) -> None:
    asset_id = trading.buy(stable_id=stable.pk, kind="unit", key=light_unit(season)["id"]).asset_id
    results = at_once([lambda: trading.sell(stable_id=stable.pk, asset_id=asset_id)] * 10)
    assert sum(isinstance(result, trading.Trade) for result in results) == 1
    stable.refresh_from_db()
    assert stable.capital == 1000
    assert refold() == []


def test_fifty_settlements_of_one_fixture_are_one(sealed: Season) -> None:
    fixture = first_round(sealed)[0]
    type_in(fixture)
    results = at_once([lambda: settlement.settle_fixture(fixture_id=fixture.pk)] * 50)
    assert sorted(result.is_new for result in results) == [False] * 49 + [True]
    assert Result.objects.count() == 1
    assert ReputationEntry.objects.filter(asset=None).count() == 2


def test_of_fifty_confirmations_of_one_result_one_counts(release: Any) -> None:
    fixture = fixture_of(tables(release, ["Ash", "Birch"]))
    red, blue = (side.stable for side in sides_of(fixture))
    reports.file_report(fixture_id=fixture.pk, stable_id=red.pk, document=red_wins())
    report_id = Report.objects.get().pk
    call = {"fixture_id": fixture.pk, "stable_id": blue.pk, "report_id": report_id}
    results = at_once([lambda: reports.confirm_report(**call)] * 50)
    refused = [result for result in results if isinstance(result, SeasonRefused)]
    assert [result.settled for result in results if not isinstance(result, Exception)] == [True]
    assert [one.code for one in refused] == ["fixture_settled"] * 49
    assert (Result.objects.count(), Report.objects.count()) == (1, 2)
    assert ReputationEntry.objects.filter(asset=None).count() == 2
    assert refold() == []


def test_the_last_two_settlements_at_once_ask_for_what_follows_once(sealed: Season) -> None:
    fixtures = first_round(sealed)
    for fixture in fixtures:
        type_in(fixture)
    at_once([lambda pk=fixture.pk: settlement.settle_fixture(fixture_id=pk) for fixture in fixtures])
    assert Job.objects.filter(name="stables.advance_round").count() == 1


def test_a_round_that_eight_pair_at_once_is_paired_once(season: Season) -> None:
    cycle_id = season.cycles.get().pk
    results = at_once([lambda: pairing.pair_round(cycle_id=cycle_id, number=1)] * 8)
    assert len({result.fixture_ids for result in results}) == 1
    assert season.cycles.get().rounds.count() == 1


def test_four_close_outs_at_once_pay_once(stocked: Season) -> None:
    play_out_typed(stocked)
    cycle_id = stocked.cycles.get().pk
    results = at_once([lambda: closing.close_cycle(cycle_id=cycle_id)] * 4)
    assert len({result.places for result in results}) == 1
    assert Placing.objects.count() == 4
    assert LedgerEntry.objects.filter(cause="purse").count() == 4
    assert refold() == []


def test_of_many_that_want_the_last_place_of_an_invitation_one_gets_it(season: Season) -> None:
    code = invitations.invite(season_id=season.pk, most_uses=1).code
    people = [get_user_model().objects.create_user(f"p{number}", f"p{number}@example.org", "-") for number in range(8)]
    calls = [partial(invitations.join, code=code, name=f"Works {one.username}", owner=one) for one in people]
    results = at_once(calls)
    refused = [result for result in results if isinstance(result, SeasonRefused)]
    assert [one.code for one in refused] == ["invitation_used_up"] * 7
    assert season.stables.count() == 5


def test_a_cycle_begins_once_however_many_say_ready_at_once(season: Season) -> None:
    for number in range(4):
        person = get_user_model().objects.create_user(f"p{number}", f"p{number}@example.org", "-")
        invitations.found_by_person(season_id=season.pk, name=f"Works {number}", owner=person)
    Season.objects.filter(pk=season.pk).update(state=Season.State.RUNNING)
    own = season.stables.exclude(owner=None).values_list("pk", flat=True)
    results = at_once([partial(readiness.say_ready, stable_id=pk, without_crew=True) for pk in own])
    assert [result.begins for result in results].count(True) == 1
    assert Job.objects.filter(name="stables.start_cycle").count() == 1


def test_rounds_paired_by_many_hands_at_once_have_each_stable_once(sealed: Season) -> None:
    for fixture in first_round(sealed)[:1]:
        type_in(fixture)
        settlement.settle_fixture(fixture_id=fixture.pk)
    results = at_once([lambda: pairing.pair_ready(season_id=sealed.pk)] * 4)
    assert sum(isinstance(result, SeasonRefused) for result in results) == 3
    late = Fixture.objects.get(round__number=1, state="sealed")
    type_in(late)
    settlement.settle_fixture(fixture_id=late.pk)
    cycle = sealed.cycles.get()
    results = at_once([lambda: pairing.pair_round(cycle_id=cycle.pk, number=2)] * 4)
    assert [result for result in results if isinstance(result, Exception)] == []
    placed = FixtureSide.objects.filter(fixture__round__number=2).values_list("stable__number", flat=True)
    assert sorted(placed) == [1, 2, 3, 4]
