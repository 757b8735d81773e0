"""The standings: ranks and what decided them, net worth, changes of rank, and that every number adds up."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from stables.models import Asset, Cycle, ReputationEntry, Season, Stable, Title
from stables.services.results import settlement
from tests.stables.conftest import first_round, type_in

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def page_of(season: Season) -> Any:
    return Client().get(reverse("stables:standings", args=[season.slug]))


def earn(stable: Stable, amount: int, kills: int = 0, cycle: Cycle | None = None, **values: Any) -> None:
    number = ReputationEntry.objects.count()
    fields = {"cause": "win", "idempotency_key": f"test:{number}", **values}
    cycle = cycle or stable.season.cycles.get(number=1)
    ReputationEntry.objects.create(stable=stable, cycle=cycle, amount=amount, kills=kills, **fields)


def by_name(season: Season) -> dict[str, Any]:
    return {row.stable.name: row for row in page_of(season).context["rows"]}


def test_r_cyc_09_what_kills_decided_is_named(season: Season) -> None:
    for number, (amount, kills) in enumerate([(50, 1), (50, 3), (20, 0), (20, 0)], 1):
        earn(season.stables.get(number=number), amount, kills)
    page = page_of(season)
    rows = page.context["rows"]
    assert [(row.stable.number, row.standing.rank, row.standing.decided_by) for row in rows] == [
        (2, 1, None),
        (1, 2, "kills"),
        (3, 3, None),
        (4, 3, None),
    ]
    assert page.content.decode().count("behind by kills") == 1


def test_net_worth_is_what_would_be_left_of_everything(season: Season) -> None:
    stable = season.stables.get(number=1)
    Stable.objects.filter(pk=stable.pk).update(capital=300, owed=40)
    values = {"stable": stable, "catalogue_key": "P0", "content_hash": "x", "kind": "pilot"}
    Asset.objects.create(name="alive", price_paid=20, serial=1, **values)
    Asset.objects.create(name="dead", price_paid=30, serial=2, died_at=timezone.now(), **values)
    Asset.objects.create(name="sold", price_paid=50, serial=3, sold_at=timezone.now(), **values)
    assert by_name(season)["Ash"].worth == 280


def test_a_damaged_unit_is_worth_its_price_less_its_repair(stocked: Season) -> None:
    before = by_name(stocked)["Ash"].worth
    unit = Asset.objects.filter(stable__name="Ash", kind="unit").order_by("id")[0]
    Asset.objects.filter(pk=unit.pk).update(damage=1)
    assert by_name(stocked)["Ash"].worth == before - 50


def test_the_change_of_rank_is_that_of_the_newest_cycle(season: Season) -> None:
    second = Cycle.objects.create(season=season, number=2, format="standard", match_class="light")
    ash, birch, cedar = (season.stables.get(number=number) for number in (1, 2, 3))
    earn(ash, 30)
    earn(birch, 20)
    earn(cedar, 10)
    assert not page_of(season).context["has_changes"], "there was no order before the first cycle"
    earn(cedar, 40, cycle=second)
    rows = by_name(season)
    assert [rows[name].change for name in ("Ash", "Birch", "Cedar", "Dogwood")] == [-1, -1, 2, 0]
    assert "▲ 2" in page_of(season).content.decode()


def test_a_correction_stands_among_the_parts(sealed: Season) -> None:
    [fixture, _] = first_round(sealed)
    type_in(fixture)
    settlement.settle_fixture(fixture_id=fixture.pk)
    winner = fixture.sides.get(side="red").stable
    earn(winner, -45, kills=-1, cause="correction", fixture=fixture, wins=-1, matches=-1)
    row = by_name(sealed)[winner.name]
    assert (row.total.reputation, row.total.wins, row.total.matches) == (50, 0, 0)
    assert [entry.amount for entry in row.corrections] == [-45]
    assert "cycle 1, round 1: reputation -45, kills -1" in page_of(sealed).content.decode()


def test_q_162_individuals_count_the_matches_they_were_fielded_in(sealed: Season) -> None:
    for fixture in first_round(sealed):
        type_in(fixture, units={"red": {"kills": 1}})
        settlement.settle_fixture(fixture_id=fixture.pk)
    listed = page_of(sealed).context["individuals"]
    assert [(line.total.wins, line.total.losses, line.asset.kind) for line in listed] == [
        (1, 0, "pilot"),
        (1, 0, "pilot"),
        (0, 1, "pilot"),
        (0, 1, "pilot"),
    ]


def test_q_159_who_withdrew_and_who_is_champion_are_marked(season: Season) -> None:
    ash, birch = (season.stables.get(number=number) for number in (1, 2))
    Stable.objects.filter(pk=ash.pk).update(left_in_cycle=1)
    Title.objects.create(season=season, kind="stable", stable=birch, reputation=0, kills=0, decided_by="shared")
    Season.objects.filter(pk=season.pk).update(state=Season.State.FINISHED)
    text = page_of(season).content.decode()
    assert "withdrew" in text
    assert "★ champion" in text
