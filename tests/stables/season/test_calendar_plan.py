"""The calendar's plan in every state of a season, and where days off lead what its services set."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from jobs.models import Job
from rules.campaign.season.calendar import Calendar
from rules.campaign.season.planning import Plan
from rules.core.refusals import SeasonRefused
from stables.models import Cycle, Fixture, NoShowClaim, Result, Round, Season
from stables.services.base import deadlines
from stables.services.base.news import stored
from stables.services.fixtures import pairing
from stables.services.running import pauses
from stables.services.running.calendars import change_calendar, season_plan
from stables.services.season import seasons
from stables.services.season.calendar import move_deadline
from stables.services.season.next_season import open_next_season
from stables.text.log import log_sentence

pytestmark = pytest.mark.django_db

FOUR = ["Ash", "Birch", "Cedar", "Dogwood"]
FORMATS = ["standard", "team", "grand_melee"]


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


START = utc("2026-11-26 19:00")
"""A Thursday, 20:00 in Berlin."""


@pytest.fixture
def league(season: Season) -> Season:
    """A season of four stables with a round a week, each due on a Thursday at 20:00."""
    season.settings = {**season.settings, "cycles": FORMATS}
    season.save(update_fields=["settings"])
    return set_calendar(season, "weekly", weekday=3, at="20:00")


def set_calendar(season: Season, preset: str, **values: Any) -> Season:
    season.calendar = Calendar.of_preset(preset, time_zone="Europe/Berlin", **values).to_json()
    season.save(update_fields=["calendar"])
    return season


def newest(season: Season) -> Cycle:
    return season.cycles.order_by("-number")[0]


def run(season: Season) -> Cycle:
    season.state = Season.State.RUNNING
    season.save(update_fields=["state"])
    return newest(season)


def pair(season: Season, number: int, now: datetime) -> Round:
    paired = pairing.pair_round(cycle_id=newest(season).pk, number=number, now=now)
    return Round.objects.get(pk=paired.round_id)


def settle(called: Round) -> None:
    Fixture.objects.filter(round=called).update(state=Fixture.State.SETTLED)
    Round.objects.filter(pk=called.pk).update(state=Round.State.SETTLED)


def last_of_three(season: Season) -> Fixture:
    """Play two rounds, pair the third, and return its first match."""
    run(season)
    for number in (1, 2, 3):
        called = pair(season, number, START + timedelta(weeks=number - 1))
        if number < 3:
            settle(called)
    return called.fixtures.order_by("number")[0]


def planned(season: Season, now: datetime) -> Plan:
    return season_plan(season, newest(season), len(FOUR), now)


def closes(plan: Plan) -> list[datetime]:
    return [cycle.market_closes for cycle in plan.cycles]


def test_before_the_start_a_plan_begins_with_the_first_market(league: Season) -> None:
    plan = planned(league, utc("2026-11-22 12:00"))
    assert closes(plan) == [utc("2026-11-26 19:00"), utc("2026-12-24 19:00"), utc("2027-01-21 19:00")]
    assert (plan.played, plan.ends) == (None, utc("2027-01-28 19:00"))


def test_o_4_1_after_the_start_what_is_left_of_the_cycle_comes_before_the_next_market(league: Season) -> None:
    run(league)
    assert closes(planned(league, START))[:2] == [START, utc("2026-12-24 19:00")]
    called = pair(league, 1, START)
    assert called.confirm_due_at == utc("2026-12-03 19:00")
    for now in (START, utc("2026-12-01 12:00"), utc("2026-12-03 18:59")):
        plan = planned(league, now)
        assert plan.played is not None
        assert (plan.played.number, plan.played.ends) == (1, utc("2026-12-17 19:00"))
        assert closes(plan) == [utc("2026-12-24 19:00"), utc("2027-01-21 19:00")]


def test_o_4_1_at_a_club_night_no_market_closes_while_the_evening_is_played(league: Season) -> None:
    set_calendar(league, "club_night", weekday=4, at="19:00")
    run(league)
    called = pair(league, 1, utc("2026-11-27 18:00"))
    assert called.line_ups_due_at == utc("2026-11-27 18:10")
    plan = planned(league, utc("2026-11-27 18:00"))
    assert plan.played is not None
    assert plan.played.ends == utc("2026-11-27 20:45")
    assert closes(plan) == [utc("2026-12-04 18:00"), utc("2026-12-11 18:00")]


def test_between_rounds_and_in_the_last_round_a_plan_counts_what_is_left(league: Season) -> None:
    run(league)
    ends = []
    for number in (1, 2, 3):
        begins = START + timedelta(weeks=number - 1)
        called = pair(league, number, begins)
        ends.append(planned(league, begins).played)
        settle(called)
        # One that was quicker than its week lets the next one begin at once.
        ends.append(planned(league, called.confirm_due_at - timedelta(days=2)).played)
    cycle_ends = utc("2026-12-17 19:00")
    # The next round ends on a Thursday again, so two days early are nothing unless the cycle is over.
    assert [found.ends for found in ends if found is not None] == [cycle_ends] * 5 + [cycle_ends - timedelta(days=2)]


def test_a_date_that_is_set_for_a_match_comes_before_the_next_market(league: Season) -> None:
    fixture, now = last_of_three(league), utc("2026-12-11 12:00")
    fixture.scheduled_at = utc("2026-12-28 18:00")
    fixture.save()
    assert ended(league, now) == utc("2026-12-28 21:00")
    NoShowClaim.objects.create(
        fixture=fixture,
        claimant=fixture.sides.order_by("id")[0].stable,
        absent=fixture.sides.order_by("id")[1].stable,
        new_date=utc("2026-12-29 18:00"),
    )
    assert ended(league, now) == utc("2026-12-29 21:00")
    Fixture.objects.filter(pk=fixture.pk).update(confirm_due_at=utc("2026-12-30 18:00"))
    assert ended(league, now) == utc("2026-12-30 18:00")
    # What is over holds nothing up.
    Fixture.objects.filter(pk=fixture.pk).update(state=Fixture.State.SETTLED)
    assert ended(league, now) == utc("2026-12-17 19:00")


def test_o_4_1_an_excused_match_comes_before_the_next_market(league: Season) -> None:
    fixture, now = last_of_three(league), utc("2026-12-11 12:00")
    Fixture.objects.filter(pk=fixture.pk).update(excused_until=utc("2026-12-30 18:00"))
    assert ended(league, now) == utc("2026-12-30 21:00")
    pauses.pause(season_id=league.pk, now=now)
    league.refresh_from_db()
    assert ended(league, now + timedelta(days=7)) == utc("2027-01-06 21:00")
    Fixture.objects.filter(pk=fixture.pk).update(state=Fixture.State.SETTLED)
    assert ended(league, now) == utc("2026-12-17 19:00")


def ended(season: Season, now: datetime) -> datetime:
    played = planned(season, now).played
    assert played is not None
    return played.ends


def test_a_cycle_that_waits_for_a_silence_closes_after_it(league: Season, monkeypatch: pytest.MonkeyPatch) -> None:
    run(league)
    for number in (1, 2, 3):
        settle(called := pair(league, number, START))
    settled = START + timedelta(days=1)
    assert ended(league, settled) == settled
    monkeypatch.setattr(timezone, "now", lambda: settled)
    fixture = called.fixtures.order_by("number")[0]
    Result.objects.create(fixture=fixture, source=Result.Source.SILENCE, document={})
    assert ended(league, settled) == settled + timedelta(hours=24)


def test_an_open_market_closes_when_it_is_set_to(league: Season) -> None:
    run(league)
    Cycle.objects.update(state=Cycle.State.CLOSED, started_with=4, rounds_planned=3)
    seasons.open_cycle(league, 2, START)
    assert newest(league).market_closes_at == utc("2026-12-03 19:00")
    moved = utc("2026-12-20 10:00")
    Cycle.objects.filter(number=2).update(market_closes_at=moved)
    plan = planned(league, utc("2026-11-28 12:00"))
    assert (closes(plan)[0], plan.cycles[0].ends, plan.played) == (moved, utc("2027-01-14 19:00"), None)
    # Without a deadline it counts as one that opens now.
    Cycle.objects.filter(number=2).update(market_closes_at=None)
    assert closes(planned(league, utc("2026-12-08 12:00")))[0] == utc("2026-12-17 19:00")


def test_while_a_cycle_closes_the_next_market_is_near_and_after_the_last_there_is_none(league: Season) -> None:
    run(league)
    Cycle.objects.update(state=Cycle.State.CLOSING, started_with=4, rounds_planned=3)
    plan = planned(league, START)
    assert (closes(plan)[0], plan.played) == (utc("2026-12-03 19:00"), None)
    Cycle.objects.update(number=3, format="grand_melee", state=Cycle.State.ROUNDS)
    pair(league, 1, START)
    plan = planned(league, START)
    assert (plan.cycles, ended(league, START)) == ((), utc("2026-12-17 19:00"))
    set_calendar(league, "weekly", weekday=3, at="20:00", ends_on="2026-12-16")
    assert [warned.code for warned in planned(league, START).warnings] == ["ends_too_late"]


def test_a_paused_season_counts_as_if_it_went_on_now(league: Season) -> None:
    run(league)
    called = pair(league, 3, START)
    called.cycle.rounds.create(number=1, state=Round.State.SETTLED)
    called.cycle.rounds.create(number=2, state=Round.State.SETTLED)
    pauses.pause(season_id=league.pk, now=utc("2026-11-28 12:00"))
    league.refresh_from_db()
    now = utc("2026-12-24 12:00")
    ahead = utc("2026-12-28 18:00")
    Fixture.objects.filter(round=called).update(scheduled_at=ahead)
    assert ended(league, now) == utc("2026-12-29 19:00")
    Fixture.objects.filter(round=called).update(scheduled_at=utc("2026-12-10 18:00"))
    assert ended(league, now) == utc("2027-01-05 21:00")
    pauses.resume(season_id=league.pk, now=now)
    league.refresh_from_db()
    assert ended(league, now) == utc("2027-01-05 21:00")


def test_a_season_whose_rounds_have_no_deadlines_yet_is_planned_from_now_on(league: Season) -> None:
    set_calendar(league, "solo")
    run(league)
    called = pair(league, 1, START)
    assert planned(league, START) == Plan((), ())
    set_calendar(league, "weekly", weekday=3, at="20:00")
    assert called.confirm_due_at is None
    assert ended(league, utc("2026-12-04 12:00")) == utc("2026-12-24 19:00")


def test_a_plan_takes_two_queries_at_most(league: Season, django_assert_max_num_queries: Any) -> None:
    run(league)
    called = pair(league, 1, START)
    cycle = newest(league)
    for state in (Round.State.PAIRED, Round.State.SETTLED):
        Round.objects.filter(pk=called.pk).update(state=state)
        with django_assert_max_num_queries(2):
            season_plan(league, cycle, len(FOUR), START)
    assert deadlines.calendar_of(league).has_deadlines


# Days off -------------------------------------------------------------------------------------------------------------


CHRISTMAS = {"first": "2026-12-24", "last": "2026-12-26", "word": "Christmas"}
WEEKLY = {"preset": "weekly", "time_zone": "Europe/Berlin", "weekday": 3, "at": "20:00"}


def take(season: Season, now: str, *days_off: dict[str, str], moves: bool = True) -> int:
    """Give the weekly calendar of a season these days off."""
    calendar = {**Calendar.of_preset(**WEEKLY).to_json(), "days_off": list(days_off)}
    moved = change_calendar(season_id=season.pk, calendar=calendar, moves_deadlines=moves, now=utc(now))
    season.refresh_from_db()
    return moved


def times_of(called: Round) -> list[datetime | None]:
    called.refresh_from_db()
    return [called.line_ups_due_at, called.play_due_at, called.confirm_due_at]


def test_what_opens_from_now_on_keeps_clear_of_days_off_and_so_does_its_plan(league: Season) -> None:
    take(league, "2026-12-01 12:00", CHRISTMAS)
    run(league)
    called = pair(league, 1, utc("2026-12-17 19:00"))
    # The week of Christmas lasts until the next Thursday, and that is New Year's Eve.
    assert times_of(called) == [utc("2026-12-19 19:00"), utc("2026-12-30 19:00"), utc("2026-12-31 19:00")]
    assert ended(league, utc("2026-12-18 12:00")) == utc("2027-01-14 19:00")


def test_deadlines_that_are_set_stay_unless_the_organiser_moves_them(league: Season) -> None:
    run(league)
    called = pair(league, 1, utc("2026-12-17 19:00"))
    before = times_of(called)
    assert before[1:] == [utc("2026-12-23 19:00"), utc("2026-12-24 19:00")]
    agreed = utc("2026-12-25 18:00")
    Fixture.objects.filter(round=called).update(scheduled_at=agreed)
    assert take(league, "2026-12-18 12:00", CHRISTMAS, moves=False) == 0
    assert times_of(called) == before
    assert not league.log.filter(code="deadline_behind_days_off").exists()
    take(league, "2026-12-18 12:00")
    # Results are due on a day off: a week later they are not. Dates of players stay.
    assert take(league, "2026-12-18 12:00", CHRISTMAS) == 1
    assert times_of(called) == [*before[:2], utc("2026-12-31 19:00")]
    assert set(Fixture.objects.filter(round=called).values_list("scheduled_at", flat=True)) == {agreed}
    assert league.log.get(code="deadline_behind_days_off").parameters == {"count": 1}
    moved = league.log.get(code="deadline_moved")
    assert log_sentence(moved.code, moved.parameters) == (
        "Cycle 1, round 1: the deadline for results was moved to Thu 31 Dec 2026, 19:00 (UTC). Before, it was "
        "Thu 24 Dec 2026, 19:00 (UTC)."
    )
    keys = list(Job.objects.filter(name="stables.chase").values_list("unique_key", flat=True))
    assert f"stables:chase:results:{called.pk}:{round(utc('2026-12-31 19:00').timestamp() * 1_000_000)}" in keys
    # The same days off again move nothing more.
    assert take(league, "2026-12-19 12:00", CHRISTMAS) == 0


def test_an_open_market_and_a_silence_move_behind_new_days_off(league: Season) -> None:
    run(league)
    Cycle.objects.filter(season=league).update(market_closes_at=utc("2026-12-24 19:00"))
    assert take(league, "2026-12-22 12:00", CHRISTMAS) == 1
    assert newest(league).market_closes_at == utc("2026-12-31 19:00")
    take(league, "2026-12-22 12:00")
    called = pair(league, 1, utc("2026-12-22 12:00"))
    fixture = called.fixtures.order_by("number")[0]
    Fixture.objects.filter(pk=fixture.pk).update(confirm_due_at=utc("2026-12-24 12:00"))
    take(league, "2026-12-23 12:00", CHRISTMAS)
    fixture.refresh_from_db()
    assert fixture.confirm_due_at == utc("2026-12-27 12:00")


def test_silence_stands_still_on_days_off(league: Season) -> None:
    assert deadlines.silence_ends(league, utc("2026-12-23 19:00")) == utc("2026-12-24 19:00")
    take(league, "2026-12-01 12:00", CHRISTMAS)
    assert deadlines.silence_ends(league, utc("2026-12-23 19:00")) == utc("2026-12-27 19:00")


def test_a_pause_moves_no_deadline_onto_a_day_off(league: Season) -> None:
    take(league, "2026-12-01 12:00", CHRISTMAS)
    run(league)
    called = pair(league, 1, utc("2026-12-10 19:00"))
    pauses.pause(season_id=league.pk, now=utc("2026-12-14 12:00"))
    pauses.resume(season_id=league.pk, now=utc("2026-12-22 12:00"))
    assert times_of(called) == [utc("2026-12-20 19:00"), utc("2026-12-27 19:00"), utc("2026-12-28 19:00")]


def test_an_organiser_moves_no_deadline_onto_a_day_off(league: Season) -> None:
    take(league, "2026-12-01 12:00", CHRISTMAS)
    run(league)
    called = pair(league, 1, utc("2026-12-10 19:00"))
    before = times_of(called)
    # In Berlin the day off has begun already.
    for at in ("2026-12-23 23:30", "2026-12-26 22:30"):
        with pytest.raises(SeasonRefused) as refused:
            move_deadline(season_id=league.pk, what="play", at=utc(at), now=utc("2026-12-11 12:00"))
        assert refused.value.code == "deadline_on_day_off"
    assert refused.value.parameters == {"day": "2026-12-26"}
    assert times_of(called) == before
    move_deadline(season_id=league.pk, what="play", at=utc("2026-12-26 23:00"), now=utc("2026-12-11 12:00"))
    assert times_of(called)[1] == utc("2026-12-26 23:00")


def test_a_deadline_that_stays_is_no_news(league: Season) -> None:
    run(league)
    called = pair(league, 1, utc("2026-12-10 19:00"))
    line_ups, play, confirm = times_of(called)
    for what, at in (("play", line_ups), ("play", line_ups), ("line_ups", line_ups)):
        move_deadline(season_id=league.pk, what=what, at=at, now=utc("2026-12-11 12:00"))
    assert times_of(called) == [line_ups, line_ups, confirm]
    moved = league.log.filter(code="deadline_moved").values_list("parameters__deadline", "parameters__earlier")
    assert list(moved) == [("play", stored(play))]


def test_days_off_that_come_and_go_are_lines_of_the_log(league: Season) -> None:
    take(league, "2026-12-01 12:00", CHRISTMAS, {"first": "2026-12-31", "last": "2026-12-31"})
    take(league, "2026-12-01 12:00", CHRISTMAS)
    entries = league.log.filter(code__startswith="calendar_days_off")
    assert [entry.code for entry in entries] == [*["calendar_days_off"] * 2, "calendar_days_off_dropped"]
    lines = [log_sentence(entry.code, entry.parameters) for entry in entries]
    assert [line.split(". ")[0] for line in lines] == [
        "Days off: Thu 24 Dec 2026 to Sat 26 Dec 2026 (Christmas)",
        "Days off: Thu 31 Dec 2026",
        "No days off any more: Thu 31 Dec 2026.",
    ]


def test_the_next_season_takes_over_the_days_off_that_are_not_over(
    league: Season, monkeypatch: pytest.MonkeyPatch, django_user_model: Any
) -> None:
    take(league, "2026-12-01 12:00", CHRISTMAS, {"first": "2027-03-26", "last": "2027-03-29", "word": "Easter"})
    league.organiser = django_user_model.objects.create_user("organiser", "organiser@example.org", "-")
    league.state = Season.State.FINISHED
    league.save()
    monkeypatch.setattr(timezone, "now", lambda: utc("2027-01-02 12:00"))
    opened = open_next_season(season_id=league.pk, organiser=league.organiser)
    kept = Season.objects.get(pk=opened.season_id).calendar["days_off"]
    assert [each["word"] for each in kept] == ["Easter"]
