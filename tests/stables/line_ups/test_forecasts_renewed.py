"""A forecast of a fixture that is missing, not whole, or of other line-ups than those that play: found, and renewed."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from jobs.models import Job
from jobs.services import run_job, run_pending
from matches.models import MatchForecast
from matches.services import forecasts as forecasting
from matches.services.answering import Seat
from matches.services.beginning.demonstration import demonstration_setup
from matches.services.matches import create_match, resolve_with_bots
from stables.models import Fixture, FixtureForecast, FixtureSide
from stables.selectors.fixtures import sides_with_line_ups
from stables.services.fixtures import forfeits
from stables.services.line_ups import forecasts
from stables.services.line_ups.match_setup import setup_of
from tests.stables.duels import Club, open_club
from tests.stables.line_ups.test_forecasts import api, asked, page, tally_of

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture(autouse=True)
def few(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forecasts of a few play-outs."""
    settings.FORECASTS = True
    monkeypatch.setattr(forecasts, "BEFORE", 6)
    monkeypatch.setattr(forecasts, "AFTERWARDS", 4)
    monkeypatch.setattr(forecasting, "PART", 3)


@pytest.fixture
def duel(club: Club) -> Fixture:
    return club.fixture("anna", "ben")


def test_one_that_was_half_counted_at_the_end_is_complete(
    club: Club, duel: Fixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More than are wanted of what is over, fewer than of what is to come."""
    monkeypatch.setattr(forecasts, "BEFORE", 9)
    monkeypatch.setattr(forecasting, "PART", 5)
    club.hand_in(duel, "anna", "ben")
    question = forecasts.request_of(duel.pk)
    assert question is not None
    forecasting.go_on(question)
    Fixture.objects.filter(pk=duel.pk).update(state=Fixture.State.SETTLED)
    run_pending()
    assert "still counting" not in page(club, duel)
    assert (api(club, duel)["forecast"]["play_outs"], api(club, duel)["forecast"]["wanted"]) == (5, 5)


def test_a_failed_or_forgotten_one_is_asked_for_again_after_a_pause(club: Club, duel: Fixture) -> None:
    """Before the match and after it: the same job again, so that there are never two."""
    club.hand_in(duel, "anna", "ben")
    question = forecasts.request_of(duel.pk)
    assert question is not None
    forecasting.go_on(question)
    for state, name in ((Fixture.State.SEALED, forecasts.JOB), (Fixture.State.SETTLED, forecasts.AFTERWARDS_JOB)):
        Fixture.objects.filter(pk=duel.pk).update(state=state)
        forecasts.ask_for_missing()
        jobs = Job.objects.filter(name=name)
        jobs.update(state=Job.State.FAILED, finished_at=timezone.now())
        forecasts.ask_for_missing()
        assert [job.state for job in jobs] == [Job.State.FAILED]
        Job.objects.update(finished_at=timezone.now() - forecasting.PAUSE - timedelta(minutes=1))
        forecasts.ask_for_missing()
        forecasts.ask_for_missing()
        assert [job.state for job in jobs.all()] == [Job.State.QUEUED]
    run_pending()
    assert api(club, duel)["forecast"]["play_outs"] == 4


def test_other_code_makes_it_again_while_the_match_is_to_be_played(
    club: Club, duel: Fixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that plays otherwise adds nothing to what the old one counted."""
    club.hand_in(duel, "anna", "ben")
    run_pending()
    forecasts.ask_for_missing()
    assert len(asked()) == 1
    for module in (forecasting, forecasts):
        monkeypatch.setattr(module, "code_hash", lambda: "f" * 64)
    FixtureForecast.objects.update(wanted=9)
    question = forecasts.request_of(duel.pk)
    assert question is not None
    assert forecasting.look_up(question).counted == 0
    forecasts.ask_for_missing()
    forecasts.ask_for_missing()
    assert len(asked()) == 2
    run_pending()
    assert (FixtureForecast.objects.get().code, tally_of(duel).play_outs) == ("f" * 64, 6)


def test_what_has_ended_waits_for_what_is_to_be_played(club: Club, duel: Fixture) -> None:
    """Although it was asked for earlier; in whichever of the two rooms."""
    over = club.fixture("carla", "machines")
    club.hand_in(over, "carla", "machines")
    Fixture.objects.filter(pk=over.pk).update(state=Fixture.State.SETTLED)
    match = create_match(
        demonstration_setup(), b"seed" * 8, None, [Seat("red", bot="random"), Seat("blue", bot="random")]
    )
    resolve_with_bots(match.pk, {"red": "random", "blue": "random"})
    for early in Job.objects.filter(name=forecasts.JOB):
        assert run_job(early.pk, early.attempt)
    backlog = list(Job.objects.filter(name__in=(forecasts.AFTERWARDS_JOB, forecasting.AFTERWARDS)))
    assert len(backlog) == 2, "the first is passed on"
    club.hand_in(duel, "anna", "ben")
    for job in backlog:
        assert run_job(job.pk, job.attempt)
    assert not FixtureForecast.objects.exists()
    assert not MatchForecast.objects.exists()
    job = Job.objects.get(name=forecasts.JOB, state=Job.State.QUEUED)
    while job.state == Job.State.QUEUED:
        assert run_job(job.pk, job.attempt)
        job.refresh_from_db()
    assert tally_of(duel).play_outs == 6
    Job.objects.filter(pk__in=[job.pk for job in backlog]).update(not_before=None)
    run_pending()
    assert tally_of(over).play_outs == 4
    assert MatchForecast.objects.exists()


def test_the_search_looks_at_open_fixtures_and_the_newest_settled_ones_alone(club: Club) -> None:
    """However many were ever played: no statement reads the whole table."""
    with CaptureQueriesContext(connection) as captured:
        forecasts.ask_for_missing()
    assert len(captured) == 2
    if connection.vendor != "sqlite":
        return
    for query in captured.captured_queries:
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN QUERY PLAN " + query["sql"])
            steps = [row[-1] for row in cursor.fetchall()]
        assert any("fixtures_by_state" in step for step in steps)
        assert not [step for step in steps if re.match(r"SCAN (stables_fixture|U0)\b(?!.*INDEX)", step)], steps


def meeting_of_partners(release: Any) -> tuple[Club, Fixture]:
    """Anna and Ben against Carla, with their line-ups."""
    club = open_club(release, format_name="team", mode="table")
    meeting = club.fixture("anna", "ben", "carla", mode="table")
    meeting.sides.filter(stable=club.stables["ben"]).update(side="red")
    meeting.sides.filter(stable=club.stables["carla"]).update(side="blue")
    club.hand_in(meeting, "anna", "ben", "carla")
    return club, meeting


def test_without_a_partner_who_forfeits_it_is_another_one(release: Any) -> None:
    """The sides are the same, the line-ups are not: until the new one is counted none is shown."""
    club, meeting = meeting_of_partners(release)
    run_pending()
    assert "Stable of anna + Stable of ben" in page(club, meeting)
    assert api(club, meeting)["forecast"] is not None
    assert forfeits.forfeit(fixture_id=meeting.pk, stable_ids=[club.stable_id("ben")], why=FixtureSide.Forfeit.LEFT)
    assert "forecast-heading" not in page(club, meeting)
    assert api(club, meeting)["forecast"] is None
    run_pending()
    html = page(club, meeting)
    assert "forecast-heading" in html
    assert "Stable of anna + Stable of ben" not in html
    assert api(club, meeting)["forecast"] is not None


def test_of_what_has_ended_a_forecast_with_a_partner_who_forfeited_is_not_kept(release: Any) -> None:
    """It is another match's; that nobody counted the right one before the match came too early."""
    club, meeting = meeting_of_partners(release)
    run_pending()
    assert forfeits.forfeit(fixture_id=meeting.pk, stable_ids=[club.stable_id("ben")], why=FixtureSide.Forfeit.LEFT)
    Fixture.objects.filter(pk=meeting.pk).update(state=Fixture.State.SETTLED)
    assert api(club, meeting)["forecast"] is None
    question = forecasts.request_of(meeting.pk)
    assert question is not None
    while not forecasting.go_on(question):
        pass
    assert api(club, meeting)["forecast"]["play_outs"] == 4


def test_who_forfeits_in_the_middle_of_a_match_was_in_its_forecast(release: Any) -> None:
    club, meeting = meeting_of_partners(release)
    run_pending()
    setup = setup_of(meeting, sides_with_line_ups(meeting))
    match = create_match(setup, b"seed" * 8, None, [Seat("red", bot="random"), Seat("blue", bot="random")])
    Fixture.objects.filter(pk=meeting.pk).update(match=match)
    meeting.sides.filter(stable=club.stables["ben"]).update(forfeits="absent")
    assert "Stable of anna + Stable of ben" in page(club, meeting)
    FixtureForecast.objects.update(rules_version="0.9")
    assert "forecast-heading" not in page(club, meeting), "it was counted for something else"
