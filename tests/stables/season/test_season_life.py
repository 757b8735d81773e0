"""What moves a season on, and what stops it: readiness, deadlines, pauses, cycles skipped, stables that come and go."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jobs.models import Job
from jobs.services import run_pending
from people.models import Notice
from rules.campaign.season.calendar import Calendar
from rules.core.refusals import Malformed, SeasonRefused
from stables.jobs import season as job_handlers
from stables.models import Cycle, Fixture, FixtureSide, Round, Season, Stable
from stables.selectors.entrants import entrants
from stables.services.ai import owners
from stables.services.base import deadlines
from stables.services.fixtures import pairing
from stables.services.market import readiness
from stables.services.running import overdue, participation, pauses
from stables.services.season import endings, seasons
from tests.stables.conftest import SECRET, type_in

NOW = datetime(2135, 6, 13, 12, 0, tzinfo=UTC)
"""A Monday that no machine's clock has seen yet: jobs of these times wait."""
WEEKLY = Calendar.of_preset("weekly", time_zone="Europe/Berlin").to_json()

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def people(db: None) -> list[Any]:
    return [get_user_model().objects.create_user(f"p{number}", f"p{number}@example.org", "-") for number in range(6)]


def open_league(
    release: Any, people: list[Any], *, machines: int = 2, calendar: Any = WEEKLY, **settings: Any
) -> Season:
    """A recruiting season with a stable of each person and some of the AI."""
    settings = {"weight_class": "light", "cycles": ["standard", "weapons_dead"], **settings}
    opened = seasons.open_season(
        name="League", settings=settings, release=release, secret=SECRET, calendar=calendar, organiser=people[0]
    )
    for person in people:
        seasons.found_stable(season_id=opened.season_id, name=f"Works of {person.username}", owner=person)
    for number in range(machines):
        seasons.found_stable(season_id=opened.season_id, name=f"Machines {number}")
    return Season.objects.get(pk=opened.season_id)


@pytest.fixture
def league(release: Any, people: list[Any]) -> Season:
    return open_league(release, people[:2])


def in_second_market(season: Season, now: datetime = NOW) -> Cycle:
    """Close the first cycle without a match, and open the market of the second."""
    Season.objects.filter(pk=season.pk).update(state=Season.State.RUNNING)
    season.cycles.filter(number=1).update(state="closed", started_with=4, rounds_planned=3)
    season.refresh_from_db()
    cycle = seasons.open_cycle(season, 2, now)
    cycle.season = season
    return cycle


def asked(name: str) -> list[Job]:
    return list(Job.objects.filter(name=f"stables.{name}").order_by("id"))


def code_of(function: Any, *arguments: Any, **named: Any) -> str:
    with pytest.raises((SeasonRefused, Malformed)) as refused:
        function(*arguments, **named)
    return refused.value.code


# Ready ----------------------------------------------------------------------------------------------------------------


def test_a_cycle_begins_by_itself_when_all_people_are_ready(league: Season) -> None:
    cycle = in_second_market(league)
    one, other = league.stables.exclude(owner=None).order_by("number")
    assert not readiness.say_ready(stable_id=one.pk, without_crew=True).begins
    assert asked("start_cycle") == []
    # Who shops on after all is waited for again.
    assert readiness.say_ready(stable_id=one.pk, is_ready=False).ready_for == ""
    assert not readiness.say_ready(stable_id=other.pk, without_crew=True).begins
    assert readiness.say_ready(stable_id=one.pk, without_crew=True).begins
    assert [job.payload["cycle"] for job in asked("start_cycle")] == [cycle.pk]
    assert code_of(readiness.say_ready, stable_id=one.pk, without_crew=True) == "no_open_market"


def test_the_first_cycle_waits_for_its_organiser_and_the_paused_for_its_end(league: Season) -> None:
    for stable in league.stables.exclude(owner=None):
        readiness.say_ready(stable_id=stable.pk, without_crew=True)
    assert asked("start_cycle") == []
    in_second_market(league)
    pauses.pause(season_id=league.pk, now=NOW)
    for stable in league.stables.exclude(owner=None):
        assert not readiness.say_ready(stable_id=stable.pk, without_crew=True).begins
    assert code_of(seasons.start_cycle, season_id=league.pk) == "season_is_paused"
    assert asked("start_cycle") == []
    pauses.resume(season_id=league.pk, now=NOW + timedelta(hours=1))
    assert len(asked("start_cycle")) == 1


# Skipping, entering, leaving ------------------------------------------------------------------------------------------


def test_r_cyc_11_a_stable_skips_a_coming_cycle_and_takes_it_back(league: Season) -> None:
    stable = league.stables.get(number=1)
    assert participation.skip_cycle(stable_id=stable.pk, number=2).skipped == (2,)
    assert participation.skip_cycle(stable_id=stable.pk, number=2).skipped == (2,)
    assert [each.number for each in entrants(league, 2)] == [2, 3, 4]
    assert [each.number for each in entrants(league, 1)] == [1, 2, 3, 4]
    assert participation.skip_cycle(stable_id=stable.pk, number=2, skips=False).skipped == ()
    assert list(league.log.values_list("code", flat=True).order_by("id"))[-2:] == ["cycle_skipped", "cycle_not_skipped"]
    assert code_of(participation.skip_cycle, stable_id=stable.pk, number=3) == "unknown_cycle"
    in_second_market(league)
    assert code_of(participation.skip_cycle, stable_id=stable.pk, number=1) == "cycle_begun"


def test_nobody_waits_for_those_who_skip_and_the_draw_leaves_them_out(league: Season) -> None:
    cycle = in_second_market(league)
    one, other = league.stables.exclude(owner=None).order_by("number")
    readiness.say_ready(stable_id=one.pk, without_crew=True)
    participation.skip_cycle(stable_id=other.pk, number=2)
    assert len(asked("start_cycle")) == 1
    # Once the beginning is asked for nobody gets out of it any more.
    assert code_of(participation.skip_cycle, stable_id=one.pk, number=2) == "cycle_begun"
    pairing.pair_round(cycle_id=cycle.pk, number=1)
    cycle.refresh_from_db()
    assert cycle.started_with == 3
    assert other.number not in FixtureSide.objects.filter(fixture__round__cycle=cycle).values_list(
        "stable__number", flat=True
    )


def test_q_159_late_entry_is_at_the_start_of_a_cycle_with_the_ordinary_capital(
    league: Season, people: list[Any]
) -> None:
    cycle = in_second_market(league)
    founded = seasons.found_stable(season_id=league.pk, name="Latecomers", owner=people[3])
    stable = Stable.objects.get(pk=founded.stable_id)
    assert (stable.joined_in_cycle, stable.capital, stable.reputation.count()) == (2, 1000, 0)
    assert [each.number for each in entrants(league, 1)] == [1, 2, 3, 4]
    assert [each.number for each in entrants(league, 2)] == [1, 2, 3, 4, 5]
    seasons.start_cycle(season_id=league.pk)
    late = {"season_id": league.pk, "name": "Too late", "owner": people[4]}
    assert code_of(seasons.found_stable, **late) == "season_closed_to_newcomers"
    pairing.pair_round(cycle_id=cycle.pk, number=1)
    assert code_of(seasons.found_stable, **late) == "season_closed_to_newcomers"


def test_the_places_of_a_season_are_those_of_stables_that_have_not_left(release: Any, people: list[Any]) -> None:
    season = open_league(release, people[:1], machines=1, places=2)
    assert code_of(seasons.found_stable, season_id=season.pk, name="Third") == "season_full"
    participation.withdraw(stable_id=season.stables.get(number=1).pk)
    seasons.found_stable(season_id=season.pk, name="Third")
    assert [each.number for each in entrants(season, 1)] == [2, 3]


def begun(season: Season) -> Cycle:
    """Cycle 1, its first round paired, its stables stocked by the AI."""
    Season.objects.filter(pk=season.pk).update(state=Season.State.RUNNING)
    cycle = season.cycles.get(number=1)
    for stable in season.stables.order_by("number"):
        owners.shop(stable_id=stable.pk, cycle_id=cycle.pk)
    pairing.pair_round(cycle_id=cycle.pk, number=1, now=NOW)
    cycle.refresh_from_db()
    return cycle


def hand_in(cycle: Cycle) -> None:
    for side in FixtureSide.objects.filter(fixture__round__cycle=cycle, line_up=None, fixture__kind="match"):
        owners.prepare(stable_id=side.stable_id, fixture_id=side.fixture_id)


def test_q_159_who_leaves_forfeits_open_matches_and_is_paired_no_more(league: Season) -> None:
    cycle = begun(league)
    leaver = league.stables.get(number=1)
    fixture = leaver.fixture_sides.get().fixture
    part = participation.withdraw(stable_id=leaver.pk, actor=leaver.owner)
    assert (part.left_in_cycle, part.skipped) == (1, ())
    assert participation.withdraw(stable_id=leaver.pk) == part
    assert leaver.fixture_sides.get().forfeits == "left"
    assert [each.number for each in entrants(league, 1)] == [1, 2, 3, 4]
    assert Notice.objects.get(code="stable_left").user == league.stables.get(number=2).owner
    hand_in(cycle)
    fixture.refresh_from_db()
    assert fixture.state == "sealed"
    assert [job.payload["fixture"] for job in asked("settle_fixture")] == [fixture.pk]
    for each in Fixture.objects.filter(round__cycle=cycle).exclude(pk=fixture.pk):
        type_in(each)
    for each in Fixture.objects.filter(round__cycle=cycle, kind="match"):
        job_handlers.settlement.settle_fixture(fixture_id=each.pk)
    assert fixture.result.document["ended_by"] == "forfeit"
    again = pairing.pair_round(cycle_id=cycle.pk, number=2)
    placed = FixtureSide.objects.filter(fixture__round=again.round_id).values_list("stable__number", flat=True)
    assert sorted(placed) == [2, 3, 4]
    assert again.bye is not None


def test_who_leaves_before_a_cycle_has_no_part_in_it(league: Season) -> None:
    in_second_market(league)
    leaver = league.stables.get(number=2)
    part = participation.withdraw(stable_id=leaver.pk)
    assert (part.left_in_cycle, part.skipped) == (2, (2,))
    assert leaver.number not in [each.number for each in entrants(league, 2)]
    assert code_of(participation.skip_cycle, stable_id=leaver.pk, number=2) == "stable_has_left"
    assert code_of(readiness.say_ready, stable_id=leaver.pk) == "takes_no_part"


def test_a_cycle_that_fewer_than_two_begin_is_dropped(release: Any, people: list[Any]) -> None:
    season = open_league(release, people[:1], machines=1, cycles=["standard", "weapons_dead", "grand_melee"])
    cycle = in_second_market(season)
    participation.skip_cycle(stable_id=season.stables.get(number=2).pk, number=2)
    drawn = pairing.pair_round(cycle_id=cycle.pk, number=1)
    assert drawn.round_id is None
    cycle.refresh_from_db()
    assert (cycle.state, cycle.rounds_planned) == ("closed", 0)
    assert season.cycles.get(number=3).state == "market"
    assert pairing.pair_round(cycle_id=cycle.pk, number=1).round_id is None


def test_a_season_with_fewer_than_two_stables_left_ends(release: Any, people: list[Any]) -> None:
    season = open_league(release, people[:2], machines=0)
    cycle = in_second_market(season)
    participation.withdraw(stable_id=season.stables.get(number=1).pk)
    assert len(asked("start_cycle")) == 1
    pairing.pair_round(cycle_id=cycle.pk, number=1)
    season.refresh_from_db()
    assert season.state == "sudden_death"
    assert len(asked("award_titles")) == 1


@pytest.mark.parametrize("count", [2, 3])
def test_q_159_a_grand_melee_of_two_or_three_stables_is_on_one_map(release: Any, people: list[Any], count: int) -> None:
    season = open_league(release, people[:1], machines=count - 1, cycles=["grand_melee"])
    pairing.pair_round(cycle_id=season.cycles.get().pk, number=1)
    fixture = Fixture.objects.get()
    assert (fixture.sides.count(), "+" in fixture.arena_key) == (count, False)


# Deadlines ------------------------------------------------------------------------------------------------------------


def test_a_deadline_that_is_over_closes_the_market_once(league: Season) -> None:
    cycle = in_second_market(league)
    assert cycle.market_closes_at == datetime(2135, 6, 19, 18, 0, tzinfo=UTC)
    (job,) = asked("chase")
    assert job.not_before == cycle.market_closes_at
    run_pending()
    assert asked("start_cycle") == []
    for _ in range(2):
        job_handlers.chase(_Run(job.payload))
    assert len(asked("start_cycle")) == 1


class _Run:
    """A run of a job without its row: each step is called."""

    def __init__(self, payload: dict[str, Any]) -> None:
        self.payload = payload

    @staticmethod
    def once(name: str, function: Any) -> Any:
        return function()


def test_a_deadline_that_was_moved_is_not_over(league: Season) -> None:
    cycle = in_second_market(league)
    (job,) = asked("chase")
    later = cycle.market_closes_at + timedelta(days=1)
    Cycle.objects.filter(pk=cycle.pk).update(market_closes_at=later)
    job_handlers.chase(_Run(job.payload))
    assert asked("start_cycle") == []
    deadlines.ask_to_chase(league, deadlines.MARKET, cycle.pk, later)
    job_handlers.chase(_Run(asked("chase")[-1].payload))
    assert len(asked("start_cycle")) == 1


@pytest.mark.parametrize("stop", ["pause", "cancel"])
def test_a_season_that_stands_takes_no_step_by_itself(league: Season, stop: str) -> None:
    in_second_market(league)
    (job,) = asked("chase")
    if stop == "pause":
        pauses.pause(season_id=league.pk, now=NOW)
    else:
        endings.cancel_season(season_id=league.pk, is_sure=True)
    job_handlers.chase(_Run(job.payload))
    overdue.scan_for_passed_deadlines(NOW + timedelta(days=90))
    assert asked("start_cycle") == []
    assert len(asked("chase")) == 1


def test_forgotten_deadlines_are_found_in_few_queries(league: Season) -> None:
    cycle = in_second_market(league)
    Job.objects.all().delete()
    overdue.scan_for_passed_deadlines(NOW)
    assert asked("chase") == []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            overdue.scan_for_passed_deadlines(NOW + timedelta(days=30))
    assert [job.payload["id"] for job in asked("chase")] == [cycle.pk]
    assert len(queries) <= 6


def test_a_pause_moves_every_open_deadline_by_its_length(league: Season) -> None:
    cycle = begun(league)
    called = cycle.rounds.get()
    before = [called.line_ups_due_at, called.play_due_at, called.confirm_due_at]
    assert None not in before
    assert len(asked("chase")) == 3
    pauses.pause(season_id=league.pk, now=NOW)
    assert code_of(pauses.pause, season_id=league.pk) == "paused_already"
    pauses.resume(season_id=league.pk, now=NOW + timedelta(days=3, minutes=5))
    called.refresh_from_db()
    moved = [called.line_ups_due_at, called.play_due_at, called.confirm_due_at]
    assert [after - earlier for after, earlier in zip(moved, before, strict=True)] == [timedelta(days=3, minutes=5)] * 3
    assert [job.not_before for job in asked("chase")[3:]] == moved
    assert code_of(pauses.resume, season_id=league.pk) == "not_paused"


def test_a_round_that_was_settled_during_a_pause_is_followed_when_it_ends(league: Season) -> None:
    cycle = begun(league)
    pauses.pause(season_id=league.pk)
    hand_in(cycle)
    for fixture in Fixture.objects.filter(round__cycle=cycle, kind="match"):
        type_in(fixture)
        job_handlers.settlement.settle_fixture(fixture_id=fixture.pk)
    (job,) = asked("advance_round")
    job_handlers.advance_round(_Run(job.payload))
    assert asked("pair_round") == []
    pauses.resume(season_id=league.pk)
    assert [job.payload["number"] for job in asked("pair_round")] == [2]


# Cancelling -----------------------------------------------------------------------------------------------------------


def test_a_cancelled_season_does_nothing_more(league: Season) -> None:
    cycle = begun(league)
    hand_in(cycle)
    assert code_of(endings.cancel_season, season_id=league.pk) == "not_sure"
    endings.cancel_season(season_id=league.pk, is_sure=True)
    assert Notice.objects.filter(code="season_cancelled").count() == 2
    count = Job.objects.count()
    run_pending()
    assert set(Job.objects.exclude(not_before=None).values_list("state", flat=True)) == {"queued"}
    assert Job.objects.count() == count
    assert not Fixture.objects.exclude(match=None).exists()
    assert code_of(endings.cancel_season, season_id=league.pk, is_sure=True) == "season_is_over"


def test_solo_seasons_ask_for_no_chase(release: Any, people: list[Any]) -> None:
    season = open_league(release, people[:2], calendar=None)
    begun(season)
    assert Round.objects.get().line_ups_due_at is None
    assert asked("chase") == []
