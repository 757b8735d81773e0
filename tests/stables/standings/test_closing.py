"""Closing a cycle: places, purses, compulsory repairs, and that no step boundary loses or doubles anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext

from people.models import Notice
from rules.campaign.standings.purses import purse_row
from rules.core.refusals import SeasonRefused
from stables.models import Asset, Cycle, LedgerEntry, Placing, ReputationEntry, Season
from stables.services.base.ledger import refold
from stables.services.standings import closing
from tests.stables.conftest import open_with, play_out_typed

pytestmark = pytest.mark.database


@pytest.fixture
def played(played_out: Season) -> Season:
    """All rounds settled, nothing closed."""
    return played_out


def books(season: Season) -> Any:
    """Everything a close-out writes, without ids and times."""
    return {
        "ledger": list(
            LedgerEntry.objects.filter(stable__season=season).values_list(
                "stable__number", "sequence", "amount", "balance_after", "cause"
            )
        ),
        "places": list(Placing.objects.values_list("stable__number", "place", "purse", "reputation")),
        "damage": list(Asset.objects.order_by("id").values_list("stable__number", "damage", "is_eliminated")),
        "reputation": list(ReputationEntry.objects.order_by("id").values_list("stable__number", "amount", "kills")),
        "cycle": list(Cycle.objects.values_list("number", "state")),
        "season": Season.objects.get(pk=season.pk).state,
    }


def test_q_126_q_170_places_purses_repairs_end(played: Season) -> None:
    cycle = played.cycles.get()
    closed = closing.close_cycle(cycle_id=cycle.pk)
    placings = list(Placing.objects.order_by("place"))
    assert [placing.stable.number for placing in placings] == list(closed.places)
    assert tuple(placing.purse for placing in placings) == purse_row("standard", "light", 4)
    assert [placing.reputation for placing in placings] == sorted((one.reputation for one in placings), reverse=True)
    for stable in played.stables.all():
        causes = list(stable.ledger.filter(cause__in=["purse", "compulsory_repair"]).values_list("cause", flat=True))
        assert causes.count("purse") == 1
        assert causes == sorted(causes, key=["purse", "compulsory_repair"].index)
        damaged = stable.assets.filter(damage__gt=0).count()
        assert damaged == 0 or stable.capital < 100
    assert Asset.objects.exclude(sits_out_round=None).count() == 0
    assert refold() == []
    played.refresh_from_db()
    assert (played.state, played.cycles.get().state, closed.next_cycle) == ("sudden_death", "closed", None)


def test_closing_twice_is_closing_once(played: Season) -> None:
    cycle = played.cycles.get()
    first = closing.close_cycle(cycle_id=cycle.pk)
    before = books(played)
    assert closing.close_cycle(cycle_id=cycle.pk) == first
    assert books(played) == before


def test_a_cycle_with_open_matches_is_not_closed(stocked: Season) -> None:
    with pytest.raises(SeasonRefused) as caught:
        closing.close_cycle(cycle_id=stocked.cycles.get().pk)
    assert caught.value.code == "cycle_not_over"
    assert Placing.objects.count() == 0


class Killed(Exception):
    """Stands for a worker that dies."""


def dies_at(step: int, is_after: bool) -> Callable[[str, Callable[[], Any]], Any]:
    """Run steps as usual, but die inside step number `step`, before or after its commit."""
    count = 0

    def run(name: str, function: Callable[[], Any]) -> Any:
        nonlocal count
        count += 1
        if count == step and not is_after:

            def half() -> Any:
                function()
                raise Killed(name)

            return closing.in_a_transaction(name, half)
        output = closing.in_a_transaction(name, function)
        if count == step:
            raise Killed(name)
        return output

    return run


@pytest.mark.parametrize("is_after", [False, True], ids=["before-commit", "after-commit"])
def test_killed_at_every_step_boundary_nothing_is_lost_or_doubled(played: Season, is_after: bool) -> None:
    cycle = played.cycles.get()
    steps = 2 + 2 * 4
    for step in range(1, steps + 1):
        with pytest.raises(Killed):
            closing.close_cycle(cycle_id=cycle.pk, run_step=dies_at(step, is_after))
        assert refold() == []
    closing.close_cycle(cycle_id=cycle.pk)
    assert LedgerEntry.objects.filter(cause="purse").count() == 4
    assert Placing.objects.count() == 4
    assert refold() == []


def test_a_killed_close_out_ends_like_an_undisturbed_one(release: Any) -> None:
    from stables.services.ai import owners

    ends = []
    for is_disturbed in (False, True):
        season = open_with(release, ["Ash", "Birch", "Cedar", "Dogwood"])
        for stable in season.stables.order_by("number"):
            owners.shop(stable_id=stable.pk, cycle_id=season.cycles.get().pk)
        play_out_typed(season)
        for step in range(1, 11) if is_disturbed else ():
            with pytest.raises(Killed):
                closing.close_cycle(cycle_id=season.cycles.get().pk, run_step=dies_at(step, step % 2 == 0))
        closing.close_cycle(cycle_id=season.cycles.get().pk)
        ends.append(
            (
                list(
                    LedgerEntry.objects.filter(stable__season=season).values_list(
                        "stable__number", "sequence", "amount", "balance_after", "cause"
                    )
                ),
                list(Placing.objects.filter(cycle__season=season).values_list("stable__number", "place", "purse")),
            )
        )
    assert ends[0] == ends[1]


def test_q_131_without_money_damage_stays_and_the_owners_order_counts(played: Season) -> None:
    from stables.services.base.ledger import Movement, post

    stable = played.stables.get(number=1)
    closing.decide_places(cycle_id=played.cycles.get().pk)
    units = list(stable.assets.filter(kind="unit").order_by("id"))
    for unit in units:
        unit.damage = 1
        unit.is_eliminated = False
        unit.save()
    codes = [unit.code for unit in units][::-1]
    stable.refresh_from_db()
    stable.repair_priority = codes
    stable.save(update_fields=["repair_priority"])
    post(stable_id=stable.pk, movements=[Movement(50 - stable.capital, "test", "poor")])
    assert closing.repair_compulsorily(cycle_id=played.cycles.get().pk, stable_id=stable.pk) == codes[:1]
    assert closing.repair_compulsorily(cycle_id=played.cycles.get().pk, stable_id=stable.pk) == []
    stable.refresh_from_db()
    assert (stable.capital, stable.assets.filter(damage=1).count()) == (0, len(units) - 1)


@pytest.mark.parametrize("is_after", [False, True], ids=["before-commit", "after-commit"])
def test_owners_are_shown_once_of_place_and_purse(played: Season, is_after: bool) -> None:
    owners_of = {number: get_user_model().objects.create_user(f"p{number}", f"p{number}@x.org") for number in (1, 3)}
    for number, owner in owners_of.items():
        played.stables.filter(number=number).update(owner=owner, is_ai=False)
    cycle = played.cycles.get()
    for step in range(1, 3 + 2 * 4):
        with pytest.raises(Killed):
            closing.close_cycle(cycle_id=cycle.pk, run_step=dies_at(step, is_after))
        assert (Notice.objects.count() > 0) == (Season.objects.get(pk=played.pk).state == "sudden_death")
    closing.close_cycle(cycle_id=cycle.pk)
    closing.close_cycle(cycle_id=cycle.pk)
    notices = {notice.user_id: notice for notice in Notice.objects.all()}
    assert Notice.objects.count() == len(notices) == 2
    for number, owner in owners_of.items():
        placing = Placing.objects.select_related("stable__season").get(stable__number=number)
        notice = notices[owner.pk]
        assert (notice.code, notice.url) == ("cycle_closed", placing.stable.get_absolute_url())
        assert notice.parameters == {
            "season": played.name, "cycle": 1, "place": placing.place, "purse": placing.purse,
        }  # fmt: skip


def test_close_out_takes_a_constant_number_of_queries_a_stable(release: Any) -> None:
    from stables.services.ai import owners

    counts = {}
    for size in (4, 8):
        season = open_with(release, list("ABCDEFGH")[:size])
        for stable in season.stables.order_by("number"):
            owners.shop(stable_id=stable.pk, cycle_id=season.cycles.get().pk)
        play_out_typed(season)
        Asset.objects.filter(stable__season=season, kind="unit").update(damage=1, is_eliminated=False)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            closing.close_cycle(cycle_id=season.cycles.get().pk)
        counts[size] = len(queries)
    a_stable = (counts[8] - counts[4]) / 4
    assert a_stable == int(a_stable)
    assert a_stable <= 32


def test_r_cyc_11_q_159_who_sits_a_cycle_out_has_no_place_and_no_purse(stocked: Season) -> None:
    idle = stocked.stables.get(number=4)
    idle.skipped.create(cycle_number=1)
    before = idle.capital
    play_out_typed(stocked)
    cycle = stocked.cycles.get()
    closed = closing.close_cycle(cycle_id=cycle.pk)
    assert sorted(closed.places) == [1, 2, 3]
    assert (
        tuple(Placing.objects.order_by("place").values_list("purse", flat=True))
        == purse_row("standard", "light", 3)[:3]
    )
    idle.refresh_from_db()
    assert idle.capital == before


def test_q_127_q_159_the_table_is_that_of_those_who_started(release: Any) -> None:
    from stables.models import Stable
    from stables.services.ai import owners

    season = open_with(release, list("ABCDE"))
    for stable in season.stables.order_by("number"):
        owners.shop(stable_id=stable.pk, cycle_id=season.cycles.get().pk)
    play_out_typed(season)
    Stable.objects.filter(season=season, number=2).update(left_in_cycle=1)
    closing.close_cycle(cycle_id=season.cycles.get().pk)
    paid = {placing.place: (placing.stable.number, placing.purse) for placing in Placing.objects.all()}
    row = purse_row("standard", "light", 6)
    assert len(paid) == 5
    for place, (number, purse) in paid.items():
        assert purse == (0 if number == 2 else row[place - 1])
