"""Pairing those who are ready while a late match goes on; a round is settled when it is complete (Q-149, Q-158)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from jobs.models import Job
from jobs.services import run_pending
from rules.campaign.season.pairing import Field, pair_some
from rules.core.dice import SeededDice
from rules.core.refusals import SeasonRefused
from stables.models import Cycle, Fixture, FixtureSide, Round, Season
from stables.selectors.windows import window_of
from stables.services.ai import owners
from stables.services.fixtures import pairing as draw
from stables.services.results import settlement
from tests.stables.conftest import open_with, type_in

NAMES = ["Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir"]

pytestmark = pytest.mark.django_db


def dice() -> SeededDice:
    return SeededDice(b"any")


def test_q_149_the_ready_meet_whom_they_met_least_and_an_odd_one_waits() -> None:
    field = Field(["a", "b", "c"], {"a": 90, "b": 90, "c": 10}, met=[("a", "b")])
    pairing = pair_some(field, dice())
    assert pairing.bye is None
    assert {frozenset(pair) for pair in pairing.pairs} <= {frozenset("ac"), frozenset("bc")}
    assert pair_some(Field(["a"]), dice()).pairs == ()


def begin(season: Season) -> Cycle:
    """A running season whose stables have crews and whose first round is paired and sealed."""
    cycle = season.cycles.get()
    Season.objects.filter(pk=season.pk).update(state=Season.State.RUNNING)
    for stable in season.stables.order_by("number"):
        owners.shop(stable_id=stable.pk, cycle_id=cycle.pk)
    draw.pair_round(cycle_id=cycle.pk, number=1)
    seal(cycle)
    cycle.refresh_from_db()
    return cycle


def seal(cycle: Cycle) -> None:
    sides = FixtureSide.objects.filter(
        fixture__round__cycle=cycle, fixture__state="line_ups", forfeits="", line_up=None
    )
    for side in list(sides.order_by("fixture", "id")):
        owners.prepare(stable_id=side.stable_id, fixture_id=side.fixture_id)


def play(fixture: Fixture) -> None:
    fixture.refresh_from_db()
    if fixture.match_id is None and not fixture.sides.exclude(forfeits="").exists():
        type_in(fixture)
    settlement.settle_fixture(fixture_id=fixture.pk)


def open_fixtures(cycle: Cycle) -> list[Fixture]:
    return list(Fixture.objects.filter(round__cycle=cycle).exclude(state="settled").order_by("round__number", "number"))


@pytest.mark.parametrize("count", [5, 6])
def test_one_late_match_does_not_stop_the_others(release: Any, count: int) -> None:
    season = open_with(release, NAMES[:count])
    cycle = begin(season)
    late, *others = open_fixtures(cycle)
    for fixture in others:
        play(fixture)
    assert cycle.rounds.get(number=1).state == "paired"
    paired = draw.pair_ready(season_id=season.pk)
    absent = set(late.sides.values_list("stable__number", flat=True))
    assert len(paired.paired) + len(paired.waiting) == count - 2
    assert len(paired.waiting) == count % 2
    assert not absent & {*paired.paired, *paired.waiting}
    assert not Fixture.objects.filter(round__cycle=cycle, round__number=2, kind="bye").exists()
    # Each stable is told of its own next match.
    for stable in season.stables.select_related("season"):
        assert window_of(stable).next_round == (1 if stable.number in absent else 2)
    # Twice at once: nobody is left to pair.
    with pytest.raises(SeasonRefused) as refused:
        draw.pair_ready(season_id=season.pk)
    assert refused.value.code == "nobody_to_pair"
    # The round is played by those who are in it, and stays open for the late ones.
    seal(cycle)
    second = cycle.rounds.get(number=2)
    for fixture in second.fixtures.all():
        play(fixture)
    second.refresh_from_db()
    assert second.state != "settled"
    play(late)
    run_pairings()
    sides = Counter(FixtureSide.objects.filter(fixture__round=second).values_list("stable__number", flat=True))
    assert set(sides.values()) == {1}
    assert len(sides) == count
    assert second.fixtures.filter(kind="bye").count() == count % 2
    assert len(set(second.fixtures.values_list("number", flat=True))) == second.fixtures.count()


def run_pairings() -> None:
    """Do the jobs of the season but those that play matches."""
    Job.objects.filter(name="stables.play_fixture").delete()
    while Job.objects.filter(state="queued", not_before=None).exclude(name="stables.play_fixture").exists():
        run_pending(limit=1)
        Job.objects.filter(name="stables.play_fixture").delete()


def test_nobody_plays_more_rounds_than_planned_and_nobody_has_two_open_matches(release: Any) -> None:
    season = open_with(release, NAMES[:6], matches_per_cycle=2)
    cycle = begin(season)
    late, *others = open_fixtures(cycle)
    for fixture in others:
        play(fixture)
    draw.pair_ready(season_id=season.pk)
    seal(cycle)
    for fixture in cycle.rounds.get(number=2).fixtures.all():
        play(fixture)
    with pytest.raises(SeasonRefused):
        draw.pair_ready(season_id=season.pk)
    play(late)
    run_pairings()
    seal(cycle)
    assert cycle.rounds.count() == 2
    for fixture in open_fixtures(cycle):
        play(fixture)
    assert set(cycle.rounds.values_list("state", flat=True)) == {"settled"}
    per_stable = Counter(FixtureSide.objects.filter(fixture__round__cycle=cycle).values_list("stable", flat=True))
    assert set(per_stable.values()) == {2}
    run_pairings()
    assert Job.objects.filter(name="stables.close_cycle").count() == 1


def test_a_round_is_not_settled_before_everybody_has_a_match_in_it(release: Any) -> None:
    season = open_with(release, NAMES[:4])
    cycle = begin(season)
    first, _late = open_fixtures(cycle)
    play(first)
    # The two have just met, and nobody else is ready: the organiser asked for it.
    assert len(draw.pair_ready(season_id=season.pk).paired) == 2
    called = cycle.rounds.get(number=2)
    seal(cycle)
    for fixture in called.fixtures.all():
        play(fixture)
    called.refresh_from_db()
    assert called.state == Round.State.PAIRED
    assert not Job.objects.filter(unique_key=f"stables:round:{called.pk}:advance").exists()


def test_only_the_rounds_of_a_running_season_are_paired_so(release: Any) -> None:
    season = open_with(release, NAMES[:4])
    with pytest.raises(SeasonRefused) as refused:
        draw.pair_ready(season_id=season.pk)
    assert refused.value.code == "nobody_to_pair"


def test_pairing_a_round_again_changes_nothing(release: Any) -> None:
    season = open_with(release, NAMES[:5])
    cycle = begin(season)
    before = list(FixtureSide.objects.order_by("id").values_list("fixture", "stable", "side"))
    again = draw.pair_round(cycle_id=cycle.pk, number=1)
    assert list(FixtureSide.objects.order_by("id").values_list("fixture", "stable", "side")) == before
    assert again.bye is not None
