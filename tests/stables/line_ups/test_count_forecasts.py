"""All forecasts of a season counted at once: the numbers that the jobs would count, whoever plays."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from jobs.services import run_pending
from matches.services import forecast_studies
from matches.services import forecasts as forecasting
from matches.services.forecast_studies import CountedTogether, count_together, planned
from rules.measuring.forecasts import Tally, code_hash, play_outs
from rules.measuring.studies import in_processes, in_this_process
from stables.models import Fixture, FixtureForecast
from stables.services.line_ups import forecasts
from tests.rules.measuring.dying import works
from tests.stables.duels import Club, open_club

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture(autouse=True)
def few(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.FORECASTS = True
    monkeypatch.setattr(forecasts, "BEFORE", 5)
    for module in (forecasting, forecast_studies):
        monkeypatch.setattr(module, "PART", 2)


@pytest.fixture
def club(release: Any) -> Club:
    """Two fixtures whose line-ups are in, and one that waits for them."""
    club = open_club(release)
    for names in (("anna", "ben"), ("carla", "machines")):
        club.hand_in(club.fixture(*names), *names)
    club.fixture("anna", "carla")
    return club


def counted() -> dict[int, Any]:
    return {row.fixture_id: row.tally for row in FixtureForecast.objects.all()}


def test_they_are_those_of_the_jobs(club: Club) -> None:
    questions = forecasts.requests_of(club.season)
    assert [question.row["fixture"].number for question in questions] == [1, 2]
    assert planned(questions) == 10
    assert count_together(questions, in_this_process) == CountedTogether(2, 10, 0)
    together = counted()
    assert [Tally.from_json(tally).play_outs for tally in together.values()] == [5, 5]
    FixtureForecast.objects.all().delete()
    run_pending()
    assert counted() == together


@pytest.mark.parametrize("way", [in_this_process, in_processes(2)])
def test_what_is_there_is_counted_on(club: Club, way: Callable[..., Any]) -> None:
    questions = forecasts.requests_of(club.season)
    assert not forecasting.go_on(questions[0])
    counts: list[int] = []
    assert count_together(questions, way, counts.append) == CountedTogether(2, 8, 0)
    assert counts[-1] == 8
    first = Fixture.objects.get(number=1)
    setup = forecasts.request_of(first.pk).given["setup"]  # type: ignore[union-attr, index]
    whole = play_outs(forecasting.read_setup(setup), f"fixture/{first.pk}", 0, 5)
    assert Tally.from_json(counted()[first.pk]) == whole
    assert planned(questions) == 0
    assert count_together(questions, way) == CountedTogether(0, 0, 0)


def test_what_a_job_counted_meanwhile_stays(club: Club) -> None:
    questions = forecasts.requests_of(club.season)[:1]

    def slowly(parts: Any, tell: Any) -> Any:
        assert not forecasting.go_on(questions[0])
        return in_this_process(parts, tell)

    assert count_together(questions, slowly) == CountedTogether(0, 0, 1)
    assert [Tally.from_json(tally).play_outs for tally in counted().values()] == [2]


@pytest.mark.parametrize("forecast_of_then", ["whole", "of more than are wanted afterwards"])
def test_what_has_ended_keeps_the_forecast_that_other_code_counted(
    club: Club, monkeypatch: pytest.MonkeyPatch, forecast_of_then: str
) -> None:
    """What was read before the match does not change after it; what is to be played is counted anew."""
    monkeypatch.setattr(forecasts, "AFTERWARDS", 3)
    count_together(forecasts.requests_of(club.season), in_this_process)
    over = Fixture.objects.get(number=1)
    Fixture.objects.filter(pk=over.pk).update(state=Fixture.State.SETTLED)
    if forecast_of_then != "whole":
        FixtureForecast.objects.update(wanted=9)
    before = counted()[over.pk]
    for module in (forecasting, forecasts):
        monkeypatch.setattr(module, "code_hash", lambda: "f" * 64)
    out = io.StringIO()
    call_command("count_forecasts", club.season.slug, json="-", stdout=out, stderr=io.StringIO())
    assert json.loads(out.getvalue()) == {"fixtures": 2, "forecasts": 1, "play_outs": 5, "overtaken": 0}
    assert counted()[over.pk] == before
    rows = FixtureForecast.objects.order_by("fixture__number").values_list("code", "counted", "wanted")
    assert list(rows) == [(code_hash(), 5, 5), ("f" * 64, 5, 5)]


def test_of_what_has_ended_the_rest_of_a_forecast_is_not_counted_by_other_code(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is not whole is counted anew."""
    monkeypatch.setattr(forecasts, "AFTERWARDS", 3)
    forecasting.go_on(forecasts.requests_of(club.season)[0])
    Fixture.objects.filter(number=1).update(state=Fixture.State.SETTLED)
    monkeypatch.setattr(forecasting, "code_hash", lambda: "f" * 64)
    questions = forecasts.requests_of(club.season)[:1]
    assert planned(questions) == 3
    assert count_together(questions, in_this_process) == CountedTogether(1, 3, 0)
    row = FixtureForecast.objects.get()
    assert (row.code, row.counted, row.wanted) == ("f" * 64, 3, 3)


def test_the_command_says_what_it_did(club: Club) -> None:
    out, err = io.StringIO(), io.StringIO()
    call_command("count_forecasts", club.season.slug, json="-", stdout=out, stderr=err)
    assert json.loads(out.getvalue()) == {"fixtures": 2, "forecasts": 2, "play_outs": 10, "overtaken": 0}
    assert err.getvalue().endswith("\r10 of 10 play-outs\n")
    out = io.StringIO()
    call_command("count_forecasts", str(club.season.pk), stdout=out)
    assert out.getvalue() == "Added 0 play-outs to 0 forecasts.\n"


def test_it_is_refused_in_words(club: Club) -> None:
    with pytest.raises(CommandError, match="There is no season atlantis"):
        call_command("count_forecasts", "atlantis")
    with pytest.raises(CommandError, match=r"CELERY_RESULT_BACKEND.*\[study_needs_servers\]"):
        call_command("count_forecasts", club.season.slug, workers=True)
    with works(**{"forecasts.play_outs": "dies"}), pytest.raises(CommandError, match=r"\[study_processes_died\]"):
        call_command("count_forecasts", club.season.slug, jobs=2, stderr=io.StringIO())
    assert counted() == {}
