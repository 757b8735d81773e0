"""Two stables with one unit each share a side, from the draw to the settled result (Q-129, Q-154, Q-168)."""

from __future__ import annotations

from typing import Any

import pytest

from jobs.services import run_pending
from stables.models import Fixture, FixtureSide, Season
from stables.selectors.definitions import catalogue_of
from stables.selectors.season_report import season_report
from stables.services.ai import owners
from stables.services.fixtures import pairing
from stables.services.market import trading
from tests.stables.conftest import open_with

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def one_unit_each(season: Season, count: int) -> None:
    """Let the first `count` stables buy one crew, and the others shop for two."""
    cycle = season.cycles.get()
    catalogue = catalogue_of(season)
    # No Uniques: partners may not field the same one.
    light = [unit for unit in catalogue.units.values() if unit["class"] == "light" and unit["rank"] != "unique"]
    unit = min(light, key=lambda entry: str(entry["id"]))
    fitting = [entry for entry in catalogue.pilots.values() if "light" in (entry["requires"].get("class") or ["light"])]
    pilot = min(fitting, key=lambda entry: int(entry["points"]))
    for stable in season.stables.order_by("number"):
        if stable.number <= count:
            trading.buy(stable_id=stable.pk, kind="unit", key=unit["id"])
            trading.buy(stable_id=stable.pk, kind="pilot", key=pilot["id"])
        else:
            owners.shop(stable_id=stable.pk, cycle_id=cycle.pk)


def test_q_168_four_stables_of_one_unit_meet_two_against_two_and_it_is_settled(release: Any) -> None:
    season = open_with(release, ["Ash", "Birch", "Cedar", "Dogwood"], cycles=["team"])
    one_unit_each(season, 4)
    Season.objects.filter(pk=season.pk).update(state="running")
    pairing.pair_round(cycle_id=season.cycles.get().pk, number=1)
    fixture = Fixture.objects.get()
    assert sorted(fixture.sides.values_list("side", flat=True)) == ["blue", "blue", "red", "red"]
    for side in fixture.sides.order_by("id"):
        owners.prepare(stable_id=side.stable_id, fixture_id=fixture.pk)
        assert side.line_up.crews.count() <= 1
    run_pending(limit=2)
    fixture.refresh_from_db()
    assert fixture.state == "settled"
    assert {stable.reputation.filter(asset=None).count() for stable in season.stables.all()} == {1}
    assert fixture.round.state == "settled"
    [match] = season_report(season)["cycles"][0]["matches"]
    names = [name for side in match["sides"] for name in side.split(" + ")]
    assert sorted(names) == ["Ash", "Birch", "Cedar", "Dogwood"], "the report names partners together"


def test_q_154_two_join_where_that_spares_a_bye(release: Any) -> None:
    season = open_with(release, ["Ash", "Birch", "Cedar", "Dogwood", "Elm"], cycles=["team"])
    one_unit_each(season, 2)
    Season.objects.filter(pk=season.pk).update(state="running")
    drawn = pairing.pair_round(cycle_id=season.cycles.get().pk, number=1)
    assert (len(drawn.fixture_ids), drawn.bye) == (2, None)
    shared = FixtureSide.objects.filter(stable__number__in=(1, 2)).values_list("fixture", "side")
    assert len(set(shared)) == 1


def test_formats_of_one_unit_a_side_join_nobody(release: Any) -> None:
    season = open_with(release, ["Ash", "Birch", "Cedar", "Dogwood"], cycles=["standard"])
    one_unit_each(season, 4)
    assert len(pairing.pair_round(cycle_id=season.cycles.get().pk, number=1).fixture_ids) == 2
