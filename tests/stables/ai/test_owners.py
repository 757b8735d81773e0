"""Stables run by the AI, through the services: they shop, equip, repair, sell in need, and never stall a season."""

from __future__ import annotations

from typing import Any

import pytest

from jobs.services import run_pending
from rules.campaign.classes import FORMATS
from rules.core.dice import SeededDice
from stables.models import Asset, Crew, CrewCard, FixtureSide, Season, Stable
from stables.services.ai import owners
from stables.services.ai.exhibitions import open_exhibition
from stables.services.base.ledger import Movement, post, refold
from stables.services.market import trading
from stables.services.season import seasons
from tests.stables.conftest import open_with, pair
from tests.stables.market_goods import common_pilot, common_unit
from tests.stables.results.test_settlement import start

pytestmark = pytest.mark.django_db


def leave(stable: Stable, capital: int) -> None:
    stable.refresh_from_db()
    post(stable_id=stable.pk, movements=[Movement(capital - stable.capital, "test", f"test:{stable.pk}:{capital}")])


def test_an_exhibition_has_all_three_characters(release: Any) -> None:
    season = open_exhibition(name="E", stables=5, weight_class="light", cycles=1, seed=1, bot="random")
    characters = list(season.stables.order_by("number").values_list("character", flat=True))
    assert characters == ["thrifty", "balanced", "reckless", "thrifty", "balanced"]


def test_the_ai_buys_gear_and_cards_and_takes_them_into_its_matches(release: Any) -> None:
    season = open_with(release, ["Ash", "Birch"])
    season.stables.update(character="reckless")
    for stable in season.stables.all():
        owners.shop(stable_id=stable.pk, cycle_id=season.cycles.get().pk)
        kinds = set(stable.assets.values_list("kind", flat=True))
        assert kinds == {"unit", "pilot", "gear", "rally_card"}
        gear = stable.assets.filter(kind="gear")
        assert gear.exclude(assigned_to=None).exists()
        for card in gear.exclude(assigned_to=None):
            assert card.assigned_to.stable_id == stable.pk
    pair(season)
    assert set(CrewCard.objects.values_list("asset__kind", flat=True)) == {"gear", "rally_card"}
    assert refold() == []


def test_q_156_a_broke_stable_sells_what_it_does_not_need_and_fights_on(release: Any) -> None:
    season = open_with(release, ["Ash", "Birch"])
    stable = season.stables.get(number=1)
    cycle = season.cycles.get()
    owners.shop(stable_id=stable.pk, cycle_id=cycle.pk)
    Asset.objects.filter(stable=stable, kind="unit").update(is_eliminated=True, damage=9)
    leave(stable, 80)
    cards = stable.assets.filter(kind="rally_card", sold_at=None).count()
    assert cards >= 2
    owners.shop(stable_id=stable.pk, cycle_id=cycle.pk)
    assert stable.assets.filter(kind="unit", is_eliminated=False).exists()
    assert stable.assets.filter(kind="rally_card", sold_at=None).count() < cards
    assert refold() == []


@pytest.mark.parametrize("stones", [104, 120, 140])
def test_a_repair_that_no_crew_waits_for_leaves_the_stones_for_the_second_crew(release: Any, stones: int) -> None:
    season = open_with(release, ["Ash", "Birch"], cycles=["team"])
    stable = season.stables.get(number=1)
    for kind, entry in (("unit", common_unit(season)), ("pilot", common_pilot(season))):
        trading.buy(stable_id=stable.pk, kind=kind, key=entry["id"])
    # More than its owner tolerates, and short of Salvage.
    stable.assets.filter(kind="unit").update(damage=3)
    leave(stable, stones)
    owners.shop(stable_id=stable.pk, cycle_id=season.cycles.get().pk)
    assert stable.assets.filter(kind="unit", damage=3).exists()
    [fixture] = start(season)
    owners.prepare(stable_id=stable.pk, fixture_id=fixture.pk)
    side = FixtureSide.objects.get(fixture=fixture, stable=stable)
    assert not side.forfeits
    assert Crew.objects.filter(line_up__side=side).count() == 2


def test_q_156_a_stable_that_nothing_helps_forfeits_and_stays(release: Any) -> None:
    season = open_with(release, ["Ash", "Birch"])
    poor = season.stables.get(number=1)
    leave(poor, 3)
    for stable in season.stables.all():
        owners.shop(stable_id=stable.pk, cycle_id=season.cycles.get().pk)
    [fixture] = start(season)
    assert owners.prepare(stable_id=poor.pk, fixture_id=fixture.pk) == "unable"
    assert owners.prepare(stable_id=poor.pk, fixture_id=fixture.pk) == "unable", "a second call changes nothing"


def test_a_persons_assets_are_never_sold_for_them(release: Any) -> None:
    season = open_with(
        release, ["Ash", "Birch"], weight_class=None, multi_class_order=["light", "heavy"], cycles=["standard", "team"]
    )
    stable = season.stables.get(number=1)
    owners.shop(stable_id=stable.pk, cycle_id=season.cycles.get().pk)
    Stable.objects.filter(pk=stable.pk).update(is_ai=False)
    seasons.open_cycle(season, 2)
    season.cycles.filter(number=1).update(state="closed", started_with=2, rounds_planned=1)
    second = season.cycles.get(number=2)
    owners.shop(stable_id=stable.pk, cycle_id=second.pk)
    assert not stable.assets.exclude(sold_at=None).exists()
    Stable.objects.filter(pk=stable.pk).update(is_ai=True)
    owners.shop(stable_id=stable.pk, cycle_id=second.pk)
    assert stable.assets.exclude(sold_at=None).exists(), "its light units serve in no match to come"


SEASONS = [
    pytest.param(4, {"weight_class": "assault", "house_rules": {"pilot_death": True}}, id="four-assault-pilots-die"),
    pytest.param(
        5, {"multi_class_order": ["light", "assault", "heavy", "medium", "light", "assault"]}, id="five-multi"
    ),
    pytest.param(7, {"weight_class": "medium", "cycles": ["team", "grand_melee"]}, id="seven-medium"),
    pytest.param(
        8,
        {
            "weight_class": "light",
            "cycles": ["standard", "team", "grand_melee"],
            "house_rules": {"pilot_death": True, "points_only": True, "build_total_per": "team"},
            "unique_market": "one_in_campaign",
        },
        id="eight-light-every-switch",
    ),
]


@pytest.mark.parametrize(("stables", "settings"), SEASONS)
def test_a_season_of_ai_owners_never_stalls(release: Any, stables: int, settings: dict[str, Any]) -> None:
    full = {"weight_class": None, "cycles": list(FORMATS), **settings}
    season = open_with(release, list("ABCDEFGH")[:stables], **full)
    for stable in season.stables.all():
        character = ("thrifty", "balanced", "reckless")[stable.number % 3]
        Stable.objects.filter(pk=stable.pk).update(bot="random", character=character)
        # Some begin with hardly a crew's worth of Stones.
        leave(stable, SeededDice(stable.number).draw(400, "capital") + 150)
    seasons.start_season(season_id=season.pk)
    run_pending()
    season.refresh_from_db()
    assert season.state == Season.State.FINISHED
    assert refold() == []
    fought = FixtureSide.objects.filter(fixture__round__cycle__season=season, fixture__match__isnull=False)
    assert fought.exists()
    assert not FixtureSide.objects.filter(fixture__round__cycle__season=season, forfeits="absent").exists()
