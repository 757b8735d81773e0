"""Matches that nobody played: reports, forfeits, the AI, a new date."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from jobs.models import Job
from jobs.services import run_pending
from people.models import Notice
from rules.campaign.season.appointments import claims_from
from rules.campaign.season.calendar import Calendar
from stables.jobs import season as job_handlers
from stables.models import Fixture, FixtureSide, NoShowClaim, Report
from stables.services.base import deadlines
from stables.services.fixtures import no_shows
from stables.services.running import overdue
from tests.stables.test_season_life import NOW, _Run, asked, begun, hand_in, open_league, people

__all__ = ["people"]
pytestmark = [pytest.mark.django_db, pytest.mark.database]


# Matches that are not played ------------------------------------------------------------------------------------------


def unplayed_fixture(release: Any, people: list[Any], mode: str = "table", **settings: Any) -> Fixture:
    """A sealed fixture of two people in a season whose matches are played in `mode`."""
    calendar = Calendar.of_preset("weekly", mode=mode).to_json()
    season = open_league(release, people[:2], machines=0, calendar=calendar, **settings)
    cycle = begun(season)
    hand_in(cycle)
    fixture = Fixture.objects.get(round__cycle=cycle)
    assert (fixture.state, fixture.mode) == ("sealed", mode)
    return fixture


def chase_play(fixture: Fixture, now: datetime | None = None) -> None:
    """The last look at a round's matches, when results are due."""
    fixture.round.refresh_from_db()
    due = fixture.round.confirm_due_at
    overdue.chase(what=deadlines.RESULTS, pk=fixture.round_id, due=due, run_step=_Run.once, now=now or due)


def test_between_play_and_results_a_table_reports_and_who_came_says_so(release: Any, people: list[Any]) -> None:
    fixture = unplayed_fixture(release, people)
    played = fixture.round
    overdue.chase(what=deadlines.PLAY, pk=played.pk, due=played.play_due_at, run_step=_Run.once, now=played.play_due_at)
    assert not fixture.sides.exclude(forfeits="").exists()
    reminded = Notice.objects.filter(code="report_due").values_list("user", flat=True)
    assert set(reminded) == {side.stable.owner_id for side in fixture.sides.select_related("stable")}
    came, absent = (side.stable for side in fixture.sides.order_by("id"))
    first = claims_from(played.play_due_at, played.confirm_due_at)
    assert played.play_due_at < first < played.confirm_due_at
    no_shows.claim(stable_id=came.pk, fixture_id=fixture.pk, new_date=first + timedelta(hours=1), now=first)
    chase_play(fixture)
    assert dict(fixture.sides.values_list("stable", "forfeits")) == {came.pk: "", absent.pk: "absent"}


def test_q_157_in_a_browser_match_that_nobody_began_nobody_wins(release: Any, people: list[Any]) -> None:
    fixture = unplayed_fixture(release, people, mode="browser")
    run_pending()
    fixture.refresh_from_db()
    assert fixture.match is not None
    chase_play(fixture)
    assert set(fixture.sides.values_list("forfeits", flat=True)) == {"absent"}


def test_what_the_ai_runs_is_never_absent(release: Any, people: list[Any]) -> None:
    calendar = Calendar.of_preset("weekly", mode="browser").to_json()
    season = open_league(release, people[:1], machines=1, calendar=calendar)
    cycle = begun(season)
    hand_in(cycle)
    fixture = Fixture.objects.get(round__cycle=cycle)
    chase_play(fixture)
    forfeits = dict(fixture.sides.values_list("stable__is_ai", "forfeits"))
    assert forfeits == {True: "", False: "absent"}


def test_q_157_a_match_that_nobody_played_is_forfeited_by_both(release: Any, people: list[Any]) -> None:
    fixture = unplayed_fixture(release, people, absence_pays=30)
    for _ in range(2):
        chase_play(fixture)
    assert set(fixture.sides.values_list("forfeits", flat=True)) == {"absent"}
    assert len(asked("settle_fixture")) == 1
    document = job_handlers.settlement.settle_fixture(fixture_id=fixture.pk).document
    assert (document["ended_by"], document["winner"]) == ("forfeit", None)
    assert [side["banked"] for side in document["sides"].values()] == [30, 30]


def test_q_157_the_one_who_came_wins_when_his_claim_is_still_open(release: Any, people: list[Any]) -> None:
    fixture = unplayed_fixture(release, people)
    came, absent = (side.stable for side in fixture.sides.order_by("id"))
    claim = NoShowClaim.objects.create(fixture=fixture, claimant=came, absent=absent)
    chase_play(fixture)
    document = job_handlers.settlement.settle_fixture(fixture_id=fixture.pk).document
    assert document["sides"][document["winner"]]["stable"] == came.number
    claim.refresh_from_db()
    assert claim.state == "forfeit"


def test_with_unplayed_ai_the_ai_plays_both_sides(release: Any, people: list[Any]) -> None:
    fixture = unplayed_fixture(release, people, unplayed="ai")
    Job.objects.all().delete()
    for _ in range(2):
        chase_play(fixture)
    fixture.refresh_from_db()
    assert fixture.mode == "ai"
    assert [job.payload["fixture"] for job in asked("play_fixture")] == [fixture.pk]
    run_pending(limit=1)
    fixture.refresh_from_db()
    assert fixture.match is not None
    assert fixture.match.is_finished


def test_q_157_with_unplayed_extend_there_is_one_new_date_then_the_forfeit(release: Any, people: list[Any]) -> None:
    fixture = unplayed_fixture(release, people, unplayed="extend")
    due = fixture.round.confirm_due_at
    for _ in range(2):
        chase_play(fixture)
    fixture.refresh_from_db()
    assert fixture.scheduled_at == due + timedelta(days=7)
    assert not fixture.sides.exclude(forfeits="").exists()
    assert fixture.log.filter(code="fixture_extended").count() == 1
    (job,) = [job for job in asked("chase") if job.payload["what"] == deadlines.NEW_DATE]
    assert job.not_before == fixture.scheduled_at + deadlines.AFTER_AN_APPOINTMENT
    for _ in range(2):
        job_handlers.chase(_Run(job.payload))
    assert set(fixture.sides.values_list("forfeits", flat=True)) == {"absent"}


def test_what_is_reported_is_left_to_its_confirmation(release: Any, people: list[Any]) -> None:
    fixture = unplayed_fixture(release, people)
    stable = fixture.sides.order_by("id")[0].stable
    Report.objects.create(fixture=fixture, stable=stable, number=1, document={})
    chase_play(fixture)
    assert not fixture.sides.exclude(forfeits="").exists()


def test_what_its_players_put_off_is_looked_at_after_that_date(release: Any, people: list[Any]) -> None:
    fixture = unplayed_fixture(release, people)
    Fixture.objects.filter(pk=fixture.pk).update(scheduled_at=fixture.round.play_due_at + timedelta(days=1))
    chase_play(fixture)
    assert not fixture.sides.exclude(forfeits="").exists()
    (job,) = [job for job in asked("chase") if job.payload["what"] == deadlines.NEW_DATE]
    job_handlers.chase(_Run(job.payload))
    assert fixture.sides.filter(forfeits="absent").count() == 2


def test_line_ups_that_are_missing_at_their_time_are_chosen(release: Any, people: list[Any]) -> None:
    season = open_league(release, people[:2], machines=0)
    cycle = begun(season)
    called = cycle.rounds.get()
    for _ in range(2):
        overdue.chase(what=deadlines.LINE_UPS, pk=called.pk, due=called.line_ups_due_at, run_step=_Run.once, now=NOW)
    sides = FixtureSide.objects.filter(fixture__round=called)
    assert not sides.filter(line_up=None, forfeits="").exists()
