"""How many queries the close of a cycle takes: as many for each stable, however long the season lasts already."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jobs.models import Job
from jobs.services import run_pending
from stables.models import Asset, Cycle, LedgerEntry, Season
from stables.services.ai import owners
from stables.services.base.job_requests import ask_for
from stables.services.results import settlement
from stables.services.standings import closing
from tests.stables.conftest import open_with, pair, type_in

pytestmark = [pytest.mark.django_db, pytest.mark.database]

NAMES = ["Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Holly"]
CYCLES = ["standard", "weapons_dead"]
MOST_A_STABLE = 45


def play_a_cycle(season: Season) -> Cycle:
    """Play the newest cycle with typed results up to its close, each stable with a damaged unit."""
    cycle = season.cycles.order_by("-number")[0]
    for stable in season.stables.order_by("number"):
        owners.shop(stable_id=stable.pk, cycle_id=cycle.pk)
    cycle.refresh_from_db()
    number = 0
    while number == 0 or number < (cycle.rounds_planned or 0):
        number += 1
        for fixture in pair(season, number):
            if fixture.sides.filter(forfeits="").count() == 2:
                units = {"red": {"clicks": 1, "kills": 1}, "blue": {"clicks": 2}}
                type_in(fixture, reputation=(90 + fixture.number, 10), units=units)
            settlement.settle_fixture(fixture_id=fixture.pk)
        cycle.refresh_from_db()
    # The same work to do for every stable: its first unit alone is hurt.
    Asset.objects.filter(stable__season=season).update(damage=0, is_eliminated=False)
    for stable in season.stables.all():
        hurt = stable.assets.filter(kind="unit", sold_at=None).order_by("id")[0]
        Asset.objects.filter(pk=hurt.pk).update(damage=1)
    return cycle


def queries_of_the_close(cycle: Cycle) -> dict[str, int]:
    """How many queries each step of the close takes."""
    counted: dict[str, int] = {}

    def step(name: str, function: Any) -> Any:
        with CaptureQueriesContext(connection) as queries:
            result = closing.in_a_transaction(name, function)
        counted[name] = len(queries)
        return result

    with CaptureQueriesContext(connection) as queries:
        closing.close_cycle(cycle_id=cycle.pk, run_step=step)
    counted["all"] = len(queries)
    return counted


def by_kind(counted: dict[str, int]) -> dict[str, set[int]]:
    """The counts of steps of one kind, of all stables together."""
    found: dict[str, set[int]] = {}
    for name, count in counted.items():
        found.setdefault(name.partition(":")[0], set()).add(count)
    return found


def test_a_close_out_takes_as_many_queries_after_a_long_season_as_after_a_short_one(release: Any) -> None:
    season = open_with(release, NAMES[:4], cycles=CYCLES)
    first = queries_of_the_close(play_a_cycle(season))
    assert max(first.values()) == first["all"]
    # A past as long as many seasons: each stable bought and sold, and earned, a hundred times.
    for stable in season.stables.all():
        newest = stable.ledger.order_by("-sequence")[0]
        LedgerEntry.objects.bulk_create(
            LedgerEntry(
                stable=stable,
                sequence=newest.sequence + number,
                amount=1 if number % 2 else -1,
                balance_after=newest.balance_after + number % 2,
                cause="test",
                idempotency_key=f"past:{stable.pk}:{number}",
            )
            for number in range(1, 101)
        )
    second = queries_of_the_close(play_a_cycle(season))
    per_stable = ("purse", "repairs")
    assert {kind: by_kind(second)[kind] for kind in per_stable} == {kind: by_kind(first)[kind] for kind in per_stable}
    assert by_kind(second)["places"] == by_kind(first)["places"]
    for kind in per_stable:
        assert len(by_kind(first)[kind]) == 1, f"{kind} takes as many queries for each stable"


def test_a_close_out_takes_a_constant_number_of_queries_a_stable(release: Any) -> None:
    counts = {}
    for size in (4, 6, 8):
        season = open_with(release, NAMES[:size], cycles=CYCLES)
        counts[size] = queries_of_the_close(play_a_cycle(season))["all"]
    assert counts[8] - counts[6] == counts[6] - counts[4]
    assert (counts[6] - counts[4]) / 2 <= MOST_A_STABLE


def test_the_job_of_a_close_adds_a_constant_number_a_step(release: Any) -> None:
    counts = {}
    for size in (4, 6, 8):
        season = open_with(release, NAMES[:size], cycles=CYCLES)
        cycle = play_a_cycle(season)
        Job.objects.all().delete()
        ask_for(season, "stables.close_cycle", f"cycle:{cycle.pk}:close", cycle=cycle.pk)
        with CaptureQueriesContext(connection) as queries:
            assert run_pending(limit=1) == 1
        counts[size] = len(queries)
    assert counts[8] - counts[6] == counts[6] - counts[4]
