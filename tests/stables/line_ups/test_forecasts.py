"""The forecast of a fixture: asked for at the reveal, made again when it must be, shown after the reveal alone."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.utils.html import strip_tags

from jobs.models import Job
from jobs.registry import registry
from jobs.services import enqueue, run_pending
from matches.models import MatchForecast
from matches.services import forecasts as forecasting
from rules.competition.setups import read_setup
from rules.competition.state.setup import MatchSetup
from rules.measuring import forecasts as counting
from rules.measuring.forecasts import Tally, play_outs
from rules.measuring.self_play import wilson_interval
from stables.models import Fixture, FixtureForecast, FixtureSide, Season
from stables.selectors.fixtures import sides_with_line_ups
from stables.services.ai import exhibitions
from stables.services.fixtures import forfeits
from stables.services.line_ups import forecasts
from stables.services.line_ups.match_setup import setup_of
from tests.stables.duels import Club, open_club

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ROLES = ("anna", "carla", "organiser", "spectator", None)


@pytest.fixture(autouse=True)
def few(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forecasts of a few play-outs."""
    settings.FORECASTS = True
    monkeypatch.setattr(forecasts, "BEFORE", 6)
    monkeypatch.setattr(forecasts, "AFTERWARDS", 4)
    monkeypatch.setattr(forecasting, "A_ROUND", 2)
    monkeypatch.setattr(forecasting, "PART", 3)


@pytest.fixture
def duel(club: Club) -> Fixture:
    return club.fixture("anna", "ben")


def asked() -> list[Job]:
    return list(Job.objects.filter(name__startswith="stables.forecast").order_by("id"))


def tally_of(fixture: Fixture) -> Tally:
    return Tally.from_json(FixtureForecast.objects.get(fixture=fixture).tally)


def true_setup(fixture: Fixture) -> MatchSetup:
    fixture = Fixture.objects.select_related("round__cycle__season__release").get(pk=fixture.pk)
    return read_setup(setup_of(fixture, sides_with_line_ups(fixture)))


def page(club: Club, fixture: Fixture, name: str | None = None) -> str:
    answer = club.client(name).get(club.address("fixture", fixture))
    assert answer.status_code == 200
    return str(answer.content.decode())


def api(club: Club, fixture: Fixture, name: str | None = None) -> dict[str, Any]:
    answer = club.client(name).get(f"/api/v1/seasons/{club.season.slug}/fixtures/{fixture.pk}/")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


# Making it ------------------------------------------------------------------------------------------------------------


def test_the_reveal_asks_for_it_and_nothing_before(club: Club, duel: Fixture) -> None:
    club.hand_in(duel, "anna")
    assert asked() == []
    club.hand_in(duel, "ben")
    assert [job.payload for job in asked()] == [{"fixture": duel.pk}], "no season waits for it"
    assert not FixtureForecast.objects.exists(), "nothing is counted where line-ups are handed in"


def test_the_job_counts_the_actual_line_ups(club: Club, duel: Fixture) -> None:
    club.hand_in(duel, "anna", "ben")
    setup = true_setup(duel)
    run_pending()
    assert tally_of(duel) == play_outs(setup, f"fixture/{duel.pk}", 0, 6)


def test_before_the_reveal_the_job_counts_nothing(club: Club, duel: Fixture) -> None:
    club.hand_in(duel, "anna")
    enqueue("stables.forecast", {"fixture": duel.pk})
    run_pending()
    assert not FixtureForecast.objects.exists()


def test_done_once_more_it_stays_as_it_is(club: Club, duel: Fixture, monkeypatch: pytest.MonkeyPatch) -> None:
    club.hand_in(duel, "anna", "ben")
    run_pending()
    before = FixtureForecast.objects.values().get()
    monkeypatch.setattr(forecasting, "play_outs", pytest.fail)
    for _ in range(2):
        enqueue("stables.forecast", {"fixture": duel.pk})
    forecasts.ask_for_missing()
    run_pending()
    assert FixtureForecast.objects.values().get() == before


def test_other_line_ups_are_counted_again(club: Club, duel: Fixture) -> None:
    """Nothing changes line-ups that are in today; the fingerprint holds if something does."""
    club.hand_in(duel, "anna", "ben")
    run_pending()
    Fixture.objects.filter(pk=duel.pk).update(match=None)
    before = FixtureForecast.objects.get()
    crew = duel.sides.get(side="red").line_up.crews.get()
    crew.damage = 6
    crew.save()
    enqueue("stables.forecast", {"fixture": duel.pk})
    run_pending()
    after = FixtureForecast.objects.get()
    assert after.fingerprint != before.fingerprint
    assert tally_of(duel) == play_outs(true_setup(duel), f"fixture/{duel.pk}", 0, 6)


def test_other_rules_make_it_again_while_the_match_is_to_be_played(
    club: Club, duel: Fixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.hand_in(duel, "anna", "ben")
    run_pending()
    search = registry.scans["stables.forecasts"]
    search()
    assert len(asked()) == 1
    for module in (forecasting, forecasts):
        monkeypatch.setattr(module, "RULES_VERSION", "9.9")
    search()
    search()
    assert len(asked()) == 2
    run_pending()
    assert FixtureForecast.objects.get().rules_version == "9.9"
    monkeypatch.setattr(forecasts, "RULES_VERSION", "10.0")
    Fixture.objects.filter(pk=duel.pk).update(state=Fixture.State.SETTLED)
    search()
    assert len(asked()) == 2, "what is over keeps its forecast"


def test_fixtures_without_are_found(club: Club, duel: Fixture, settings: Any) -> None:
    settings.FORECASTS = False
    club.hand_in(duel, "anna", "ben")
    half = club.fixture("carla", "machines")
    club.hand_in(half, "carla")
    run_pending()
    forecasts.ask_for_missing()
    assert asked() == []
    settings.FORECASTS = True
    forecasts.ask_for_missing()
    forecasts.ask_for_missing()
    assert [job.payload for job in asked()] == [{"fixture": duel.pk}]
    run_pending()
    assert tally_of(duel).play_outs == 6


def test_who_forfeits_before_the_match_is_not_in_it(release: Any) -> None:
    """A grand melee goes on without him; until the new one is counted none is shown."""
    club = open_club(release, format_name="grand_melee", mode="table")
    melee = club.fixture("anna", "ben", "carla", mode="table")
    club.hand_in(melee, "anna", "ben", "carla")
    run_pending()
    assert list(tally_of(melee).wins) == ["red", "blue", "green"]
    assert "forecast-heading" in page(club, melee)
    assert forfeits.forfeit(fixture_id=melee.pk, stable_ids=[club.stable_id("carla")], why=FixtureSide.Forfeit.LEFT)
    assert "forecast-heading" not in page(club, melee)
    assert api(club, melee)["forecast"] is None
    run_pending()
    assert list(tally_of(melee).wins) == ["red", "blue"]
    assert "forecast-heading" in page(club, melee)


def test_where_nobody_is_left_to_fight_there_is_none(club: Club, duel: Fixture) -> None:
    club.hand_in(duel, "anna")
    FixtureSide.objects.filter(fixture=duel, side="blue").update(forfeits="unable")
    forfeits.seal_when_ready(duel)
    assert asked() == []
    enqueue("stables.forecast", {"fixture": duel.pk})
    run_pending()
    assert not FixtureForecast.objects.exists()


def test_the_line_ups_of_partners_are_counted_as_one_side(release: Any) -> None:
    club = open_club(release, format_name="team", mode="table")
    meeting = club.fixture("anna", "ben", "carla", "machines", mode="table")
    for name, side in zip(("anna", "ben", "carla", "machines"), ("red", "red", "blue", "blue"), strict=True):
        meeting.sides.filter(stable=club.stables[name]).update(side=side)
    club.hand_in(meeting, "anna", "ben", "carla", "machines")
    run_pending()
    assert list(tally_of(meeting).wins) == ["red", "blue"]
    assert "Stable of anna + Stable of ben" in page(club, meeting)


def test_what_the_ai_plays_at_once_is_forecast_afterwards_with_fewer(release: Any) -> None:
    club = open_club(release, mode="ai")
    fixture = club.fixture("machines", "anna", mode="ai")
    club.hand_in(fixture, "machines", "anna")
    Job.objects.filter(name="stables.forecast").update(not_before=None)
    run_pending()
    fixture.refresh_from_db()
    assert fixture.state == Fixture.State.SETTLED
    assert tally_of(fixture).play_outs in (4, 6), "as far as it was before the end"
    FixtureForecast.objects.all().delete()
    enqueue(forecasts.AFTERWARDS_JOB, {"fixture": fixture.pk})
    run_pending()
    assert tally_of(fixture).play_outs == 4


# Where it is switched off ---------------------------------------------------------------------------------------------


def test_a_season_that_is_played_in_one_go_pays_for_no_forecast(release: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the season command plays it; forecasts that others wait for are left for later too."""
    enqueue("matches.forecast", {"match": 0}, unique_key="of somebody else")
    monkeypatch.setattr(counting, "_play_out", pytest.fail)
    opened = exhibitions.open_exhibition(
        name="In one go", stables=4, weight_class="light", cycles=1, seed=7, bot="random"
    )
    season = exhibitions.play(season_id=opened.pk, on_progress=lambda progress: None)
    assert season.state == Season.State.FINISHED
    assert asked() == []
    assert not MatchForecast.objects.exists()
    left = Job.objects.get(unique_key="of somebody else")
    assert left.state in (Job.State.QUEUED, Job.State.DONE)


# Showing it -----------------------------------------------------------------------------------------------------------


def secret_forecast(fixture: Fixture, wins: int) -> FixtureForecast:
    """A forecast that is there too early, as by a fault."""
    tally = Tally(10, {"red": wins, "blue": 10 - wins}, {"last_side": 10}, 70)
    values = {"fingerprint": "-", "rules_version": "1.0", "bot": "greedy", "wanted": 10, "counted": 10}
    return FixtureForecast.objects.create(fixture=fixture, tally=tally.to_json(), **values)


@pytest.mark.parametrize("name", [*ROLES, "ben"])
def test_before_the_reveal_nobody_sees_a_forecast_even_if_there_is_one(
    club: Club, duel: Fixture, name: str | None
) -> None:
    """Not who has handed in, nor who has not, nor the organiser: it would tell of sealed line-ups."""
    club.hand_in(duel, "anna")
    without = strip_tags(page(club, duel, name))
    secret_forecast(duel, wins=9)
    assert strip_tags(page(club, duel, name)).split() == without.split()
    assert api(club, duel, name)["forecast"] is None


BEING_COUNTED = "It is being counted."


def test_between_the_reveal_and_the_first_figures_the_page_says_that_they_come(
    club: Club, duel: Fixture, settings: Any
) -> None:
    """To everybody, and only where they really do."""
    assert BEING_COUNTED not in page(club, duel)
    club.hand_in(duel, "anna")
    enqueue(forecasts.JOB, {"fixture": duel.pk}, unique_key=f"stables:fixture:{duel.pk}:forecast:too early")
    for name in ROLES:
        assert BEING_COUNTED not in page(club, duel, name), "not before the reveal"
    Job.objects.filter(name=forecasts.JOB).delete()
    club.hand_in(duel, "ben")
    for name in ROLES:
        assert BEING_COUNTED in page(club, duel, name)
    settings.FORECASTS = False
    assert BEING_COUNTED not in page(club, duel), "none is made here"
    settings.FORECASTS = True
    Job.objects.filter(name=forecasts.JOB).update(state=Job.State.FAILED)
    assert BEING_COUNTED not in page(club, duel), "nobody counts it"
    Job.objects.filter(name=forecasts.JOB).update(state=Job.State.QUEUED)
    run_pending()
    assert BEING_COUNTED not in page(club, duel)
    assert "forecast-heading" in page(club, duel)


def test_where_nobody_asked_for_a_forecast_none_is_promised(club: Club, duel: Fixture, settings: Any) -> None:
    settings.FORECASTS = False
    club.hand_in(duel, "anna", "ben")
    settings.FORECASTS = True
    assert BEING_COUNTED not in page(club, duel)
    forecasts.ask_for_missing()
    assert BEING_COUNTED in page(club, duel)


@pytest.mark.parametrize("name", ROLES)
def test_after_the_reveal_everybody_who_sees_the_fixture_sees_it(club: Club, duel: Fixture, name: str | None) -> None:
    club.hand_in(duel, "anna", "ben")
    assert "forecast-heading" not in page(club, duel, name)
    assert api(club, duel, name)["forecast"] is None
    run_pending()
    html = page(club, duel, name)
    assert "forecast-heading" in html
    assert api(club, duel, name)["forecast"]["play_outs"] == 6


def test_the_page_tells_figures_words_and_how_sure_they_are(club: Club, duel: Fixture) -> None:
    club.hand_in(duel, "anna", "ben")
    run_pending()
    stored = FixtureForecast.objects.get()
    tally = Tally(200, {"red": 130, "blue": 70}, {"last_side": 150, "time_limit": 50}, 1480)
    stored.tally, stored.counted, stored.wanted = tally.to_json(), 200, 200
    stored.save()
    section = page(club, duel).split('aria-labelledby="forecast-heading"')[1].split("</section>")[0]
    text = " ".join(strip_tags(section.replace("<", " <")).split())
    assert "Stable of anna is ahead: it won 130 of 200 play-outs." in text
    assert "Our estimate, not part of the rules: the AI (Fair) played these line-ups against itself 200 times" in text
    assert (
        "They ended in round 7.4 on average. Why they ended: only one side was left (75 %); the time was up (25 %)."
        in text
    )
    low, high = (round(100 * each) for each in wilson_interval(130, 200))
    assert f"Stable of anna 130 65 % {low} to {high} %" in text
    assert f"Accurate to about ± {max(65 - low, high - 65)} %." in text
    bars = re.findall(r'<polyline class="side-(\d)" points="0,12 (\d+),12"', section)
    assert bars == [("0", "390"), ("1", "210")]
    assert "still counting" not in text
    stored.wanted = 400
    stored.save()
    assert "still counting: 200 of 400" in strip_tags(page(club, duel))


def test_what_chance_alone_could_make_is_no_lead(club: Club, duel: Fixture) -> None:
    club.hand_in(duel, "anna", "ben")
    run_pending()
    tally = Tally(200, {"red": 104, "blue": 96}, {"last_side": 200}, 1400)
    FixtureForecast.objects.update(tally=tally.to_json(), counted=200)
    assert "Nobody is clearly ahead" in page(club, duel)


def test_the_interface_tells_the_same_more_exactly(club: Club, duel: Fixture) -> None:
    club.hand_in(duel, "anna", "ben")
    run_pending()
    tally = tally_of(duel)
    found = api(club, duel)["forecast"]
    assert (found["play_outs"], found["wanted"], found["bot"]) == (6, 6, "greedy")
    assert {side["side"]: side["wins"] for side in found["sides"]} == dict(tally.wins)
    low, high = wilson_interval(tally.wins["red"], 6)
    assert found["sides"][0] == {
        "side": "red", "wins": tally.wins["red"], "chance": round(tally.wins["red"] / 6, 4),
        "low": round(low, 4), "high": round(high, 4),
    }  # fmt: skip
    assert sum(each["share"] for each in found["endings"]) == pytest.approx(1, abs=0.001)
    assert json.dumps(found)
