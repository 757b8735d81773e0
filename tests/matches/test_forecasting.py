"""Counting the play-outs of matches: a part at a time, nothing twice, nothing hidden, nothing where it is off."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from jobs.models import Job
from jobs.services import enqueue, run_job, run_pending
from matches.models import Match, MatchForecast
from matches.presenters import forecasts
from matches.services import forecasts as forecasting
from matches.services.answering import Seat
from matches.services.forecasts import go_on, keep, look_up, of_match, without_forecasts
from matches.services.matches import create_match, resolve_with_bots
from rules.bots import base
from rules.bots.budget import Overran
from rules.competition.setups import read_setup
from rules.core.codec import canonical_json
from rules.measuring.forecasts import Tally, code_hash, play_outs_from, round_starts
from tests.worlds import Worlds

from .conftest import SEED, play_some, play_with_bots

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture(autouse=True)
def few(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forecasts of a few play-outs, in small parts."""
    settings.FORECASTS = True
    monkeypatch.setattr(forecasting, "A_ROUND", 5)
    monkeypatch.setattr(forecasting, "PART", 2)


@pytest.fixture
def played(worlds: Worlds) -> Match:
    """A match that two bots have just played."""
    return worlds.enter("a match that wants forecasts", lambda: play_with_bots(None))


def counted(match: Match) -> list[tuple[int, int]]:
    return list(match.forecasts.order_by("round").values_list("round", "counted"))


def tallies(match: Match) -> dict[int, Tally]:
    return {row.round: Tally.from_json(row.tally) for row in match.forecasts.all()}


def test_the_end_of_a_match_asks_for_the_chances_of_all_its_rounds(played: Match) -> None:
    assert not MatchForecast.objects.exists(), "nothing is counted where the match is stored"
    assert run_pending() >= 1
    assert played.result is not None
    assert counted(played) == [(number, 5) for number in range(1, played.result["rounds"] + 1)]
    assert Job.objects.get(name=forecasting.AFTERWARDS).state == Job.State.DONE


def test_what_is_counted_in_parts_is_what_is_counted_at_once(played: Match) -> None:
    run_pending()
    events = [event for step in played.actions.order_by("sequence") for event in step.events]
    for start in round_starts(read_setup(played.setup), events):
        assert tallies(played)[start.round] == play_outs_from(start.seen, f"{played.public_id}/{start.round}", 0, 5)


def test_done_once_more_nothing_is_counted_again(played: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    run_pending()
    before = list(MatchForecast.objects.order_by("round").values())
    monkeypatch.setattr(forecasting, "play_outs_from", pytest.fail)
    enqueue("matches.forecast", {"match": played.pk})
    run_pending()
    assert list(MatchForecast.objects.order_by("round").values()) == before


def test_a_worker_that_is_late_neither_doubles_nor_loses_play_outs(played: Match) -> None:
    """Another worker counts the same part, and the next one, before this one has kept its own."""
    question = next(of_match(played))
    known = look_up(question)
    late = question.count(0, 2)
    go_on(question)
    go_on(question)
    assert not keep(question, known, late)
    row = played.forecasts.get(round=1)
    assert row.counted == Tally.from_json(row.tally).play_outs == 4
    while not go_on(question):
        pass
    row.refresh_from_db()
    assert Tally.from_json(row.tally) == question.count(0, 5)


def test_what_was_counted_for_something_else_is_counted_again(played: Match) -> None:
    run_pending()
    known = tallies(played)[1]
    stale = {"wins": [["red", 0], ["blue", 4]], "play_outs": 4, "endings": {"last_side": 4}, "rounds": 9}
    # A whole one of a match that is over would stay.
    played.forecasts.filter(round=1).update(fingerprint="of other rules", tally=stale, counted=4)
    enqueue("matches.forecast", {"match": played.pk})
    run_pending()
    assert tallies(played)[1] == known


def test_the_fingerprint_names_all_that_a_forecast_depends_on(played: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = read_setup(played.setup)
    other = json.loads(json.dumps(played.setup))
    other["sides"][0]["units"][0]["clicks"] = 1
    found = {
        forecasting.fingerprint_of(setup, "seed"),
        forecasting.fingerprint_of(setup, "other"),
        forecasting.fingerprint_of(setup, "seed", 7),
        forecasting.fingerprint_of(read_setup(other), "seed"),
    }
    for name in ("RULES_VERSION", "BOT"):
        with monkeypatch.context() as patch:
            patch.setattr(forecasting, name, "another")
            found.add(forecasting.fingerprint_of(setup, "seed"))
    with monkeypatch.context() as patch:
        patch.setattr(forecasting, "code_hash", lambda: "of other code")
        found.add(forecasting.fingerprint_of(setup, "seed"))
    assert len(found) == 7
    assert forecasting.fingerprint_of(read_setup(setup.to_json()), "seed") in found


def test_play_outs_of_other_code_are_not_added_to_old_ones(played: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the same version and the same name a bot may have changed."""
    go_on(next(of_match(played)))
    row = played.forecasts.get(round=1)
    assert (row.counted, row.code) == (2, code_hash())
    setup = read_setup(played.setup)
    monkeypatch.setattr(forecasting, "code_hash", lambda: "c" * 64)
    question = next(of_match(played))
    assert look_up(question).counted == 0
    go_on(question)
    assert (played.forecasts.get(round=1).counted, played.forecasts.get(round=1).code) == (2, "c" * 64)
    assert forecasting.fingerprint_of(setup, "s", counted=row) != forecasting.fingerprint_of(setup, "s")
    row.code = ""
    known = [row.rules_version, row.bot, "s", 0, setup.to_json()]
    of_old = hashlib.sha256(canonical_json(known).encode()).hexdigest()
    assert forecasting.fingerprint_of(setup, "s", counted=row) == of_old, "as rows were named before there was one"


def test_a_round_that_is_missing_at_the_end_leaves_the_others_as_they_were(
    played: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever code counted them. One that was not whole is counted anew, so a curve can be of several codes."""
    run_pending()
    assert played.forecasts.count() > 2
    played.forecasts.filter(round=2).delete()
    played.forecasts.filter(round=3).update(counted=4)
    before = list(played.forecasts.exclude(round=3).order_by("round").values())
    for name, value in (("code_hash", lambda: "c" * 64), ("RULES_VERSION", "9.9"), ("A_ROUND", 6)):
        monkeypatch.setattr(forecasting, name, value)
    over_for(forecasting.PAUSE + timedelta(minutes=1))
    forecasting.ask_for_missing()
    run_pending()
    assert list(played.forecasts.exclude(round__in=(2, 3)).order_by("round").values()) == before
    renewed = played.forecasts.filter(round__in=(2, 3)).order_by("round")
    assert list(renewed.values_list("code", "rules_version", "counted")) == [("c" * 64, "9.9", 6)] * 2


def test_a_round_that_begins_asks_for_its_chances(waiting: Match) -> None:
    while not any(event["event"] == "round_began" for step in waiting.actions.all() for event in step.events):
        play_some(waiting, 1)
    assert [job.unique_key for job in Job.objects.filter(name="matches.forecast")] == [
        f"matches:{waiting.pk}:forecast:1"
    ]
    run_pending()
    assert counted(waiting) == [(1, 5)]


def test_other_work_goes_before_forecasts(played: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part at least is counted, so that forecasts come to their end on a busy site too."""
    enqueue("matches.tell_turn", {"match": played.pk, "sequence": 1})
    job = Job.objects.get(name=forecasting.AFTERWARDS)
    assert run_job(job.pk, job.attempt)
    assert counted(played) == [(1, 2)]
    assert Job.objects.get(name=forecasting.AFTERWARDS).state == Job.State.QUEUED
    run_pending()
    assert counted(played)[0] == (1, 5)


def test_one_forecast_at_a_time(played: Match) -> None:
    """The others are put off until the next tick, and no attempt is spent on it."""
    running = enqueue("matches.forecast", {"match": 0})
    later = timezone.now() + timedelta(minutes=5)
    Job.objects.filter(pk=running.pk).update(state=Job.State.RUNNING, planned=1, lease_until=later)
    run_pending()
    waiting = Job.objects.get(unique_key=f"matches:{played.pk}:forecast:end")
    assert (waiting.state, waiting.attempt) == (Job.State.QUEUED, 1)
    assert waiting.not_before is not None
    assert waiting.not_before > timezone.now()
    assert counted(played) == []


def test_switched_off_nothing_is_asked_for_and_what_was_asked_waits(
    setup_document: dict[str, Any], settings: Any, played: Match
) -> None:
    with without_forecasts():
        assert not forecasting.is_on()
        run_pending()
        assert counted(played) == []
        other = create_match(setup_document, SEED, None, [Seat("red", bot="random"), Seat("blue", bot="random")])
        resolve_with_bots(other.pk, {"red": "random", "blue": "random"})
        forecasting.ask_for_missing()
    settings.FORECASTS = False
    forecasting.ask_for_missing()
    assert Job.objects.filter(name=forecasting.AFTERWARDS).count() == 1
    assert Job.objects.get(name=forecasting.AFTERWARDS).state == Job.State.QUEUED


def test_matches_that_came_to_their_end_without_are_found(setup_document: dict[str, Any], settings: Any) -> None:
    settings.FORECASTS = False
    match = create_match(setup_document, SEED, None, [Seat("red", bot="random"), Seat("blue", bot="random")])
    resolve_with_bots(match.pk, {"red": "random", "blue": "random"})
    settings.FORECASTS = True
    forecasting.ask_for_missing()
    forecasting.ask_for_missing()
    assert Job.objects.filter(name=forecasting.AFTERWARDS).count() == 1
    run_pending()
    assert counted(match)
    assert Job.objects.count() == 1


def test_a_match_that_is_gone_is_no_failure() -> None:
    enqueue("matches.forecast", {"match": 0})
    assert run_pending() == 1


def test_a_setup_that_nobody_can_read_any_more_has_no_forecast(played: Match) -> None:
    Match.objects.filter(pk=played.pk).update(setup={})
    run_pending()
    assert counted(played) == []
    assert Job.objects.get(name=forecasting.AFTERWARDS).state == Job.State.DONE


def test_a_forecast_of_which_fewer_are_wanted_now_is_complete(played: Match) -> None:
    question = next(of_match(played))
    go_on(question)
    fewer = replace(question, wanted=2)
    assert go_on(fewer)
    view = forecasts.forecasts_of(played)[1]
    assert (view.play_outs, view.wanted, view.is_complete) == (2, 2, True)
    assert go_on(fewer)
    assert not go_on(replace(question, stays=False)), "it can be counted on"
    assert go_on(replace(question, wanted=4)), "what is whole at the end stays"


def over_for(pause: timedelta) -> Job:
    """The one job of forecasts as if it had come to its end so long ago."""
    job = Job.objects.get(name=forecasting.AFTERWARDS)
    Job.objects.filter(pk=job.pk).update(finished_at=timezone.now() - pause)
    return job


@pytest.mark.parametrize("state", [Job.State.FAILED, Job.State.DONE])
def test_what_is_missing_is_asked_for_again_after_a_pause(
    played: Match, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    """A curve of which a round, or a part of one, was never counted; two ticks at once ask once."""
    run_pending()
    complete = counted(played)
    played.forecasts.exclude(round=1).delete()
    played.forecasts.update(counted=F("counted") - 1)
    Job.objects.update(state=state, attempt=5)
    forecasting.ask_for_missing()
    assert Job.objects.get().state == state, "not at once"
    job = over_for(forecasting.PAUSE + timedelta(minutes=1))
    forecasting.ask_for_missing()
    forecasting.ask_for_missing()
    again = Job.objects.get()
    assert (again.pk, again.state, again.attempt, again.last_attempt) == (job.pk, Job.State.QUEUED, 6, 6)
    played.forecasts.all().delete()
    run_pending()
    assert counted(played) == complete
    over_for(forecasting.PAUSE + timedelta(minutes=1))
    forecasting.ask_for_missing()
    assert Job.objects.get().state == Job.State.DONE, "nothing is missing"


def test_play_outs_that_do_not_end_let_their_worker_go(played: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "MOST_DECISIONS", 20)
    Job.objects.update(last_attempt=1)
    with pytest.raises(Overran, match="more than 20 decisions"):
        run_pending()
    job = Job.objects.get()
    assert (job.state, job.error_code) == (Job.State.FAILED, "Overran")
    assert counted(played) == []


@pytest.mark.parametrize(
    ("wins", "percents"),
    [
        (0, (1, 0, 2)),
        (1, (1, 1, 3)),
        (100, (50, 43, 57)),
        (199, (99, 97, 99)),
        (200, (99, 98, 100)),
    ],
)
def test_percents_are_not_certain_where_play_outs_were_not(
    played: Match, wins: int, percents: tuple[int, int, int]
) -> None:
    go_on(next(of_match(played)))
    tally = Tally(200, {"red": wins, "blue": 200 - wins}, {"last_side": max(1, wins), "time_limit": 1}, 900)
    played.forecasts.update(tally=tally.to_json(), counted=200, wanted=200)
    view = forecasts.forecasts_of(played)[1]
    side = view.sides[0]
    assert (side.chance, side.low, side.high) == percents
    assert all(0 < percent < 100 or (percent == 100 and wins == 200) for _, percent in view.endings)
