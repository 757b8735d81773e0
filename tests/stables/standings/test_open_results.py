"""Results stay open between the last one and the close of a season: provisional champions, corrections, the end."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from catalogue.services.releases import load_release
from jobs.models import Job
from jobs.run import Run
from jobs.services import run_pending
from matches.models import Match
from people.models import Notice
from rules.core.refusals import SeasonRefused
from stables.jobs.titles import scan_for_seasons_to_close
from stables.models import Asset, Fixture, LogEntry, ProvisionalTitle, Season, Stable, SuddenDeath, Title
from stables.selectors.leaders import title_lines
from stables.services.running import pauses
from stables.services.season import endings, next_season
from stables.services.standings import ceremony, sudden_deaths
from tests.stables.results.test_corrections import VOID, close, correct, refused, settled, to
from tests.stables.season_worlds import Enters, world_of
from tests.stables.seasons import without_grace
from tests.stables.tabletop_matches import fixture_of, person, red_wins, sides_of

pytestmark = [pytest.mark.django_db, pytest.mark.database]

DAY = timedelta(hours=24)
LOSES, TIES, WINS = (to(red_wins(tokens=tokens)) for tokens in (5, 10, 15))
"""Corrections of the first match: its winner is second, tied with the other winner, or first."""


def last_result_in() -> Season:
    """Two matches of persons, 75 and 80 reputation for their winners, and the only cycle is closed."""
    season = settled(load_release(), [red_wins(tokens=5), red_wins(tokens=0)])
    Stable.objects.filter(season=season).update(bot="random")
    close(season)
    return season


played = world_of("last result in", last_result_in)


@pytest.fixture
def season(db: None, played: Enters) -> Season:
    return Season.objects.get(pk=played().pk)


@pytest.fixture
def shown(season: Season) -> Season:
    """The season after its ceremony."""
    run_pending()
    return again(season)


def again(season: Season) -> Season:
    return Season.objects.get(pk=season.pk)


def run_out(season: Season) -> Season:
    """Let the time for corrections be over."""
    closes_at = again(season).closes_at
    assert closes_at is not None
    ceremony.close_when_due(season_id=season.pk, now=closes_at)
    return again(season)


def champions(season: Season) -> list[int]:
    return [title.stable.number for title in season.provisional_titles.filter(kind="stable").order_by("id")]


def codes(season: Season) -> list[str]:
    """What the log says of titles and of the end."""
    begins = ("title_", "season_", "sudden_death_")
    return [entry.code for entry in season.log.order_by("id") if entry.code.startswith(begins)]


def winner(season: Season, match: int) -> Stable:
    return sides_of(fixture_of(season, match))[0].stable


def come(season: Season, titles: int = 2) -> None:
    """Let all who are tied for this many titles say that they are there, one after the other; their bots fight."""
    run_pending()
    for _ in range(titles):
        row = SuddenDeath.objects.filter(season=season, decided_at=None).order_by("kind").first()
        for number in {each["stable"] for each in row.contenders} if row is not None else ():
            sudden_deaths.appear(stable_id=season.stables.get(number=number).pk)
        run_pending()


# The ceremony --------------------------------------------------------------------------------------------------------


def test_the_last_result_brings_provisional_champions_and_a_day_for_corrections(shown: Season) -> None:
    assert (shown.state, champions(shown)) == ("provisional", [winner(shown, 2).number])
    held = Job.objects.get(name="stables.close_season")
    assert (held.state, held.not_before, shown.closes_at) == ("queued", shown.closes_at, shown.closes_at)
    assert shown.closes_at is not None
    assert timedelta() <= shown.closes_at - DAY - shown.log.get(code="cycle_closed").created_at < timedelta(minutes=1)
    assert not Title.objects.exists()
    assert codes(shown)[-3:] == ["title_provisional", "title_provisional", "season_provisional"]
    told = Notice.objects.filter(code="season_provisional")
    assert sorted(notice.user.username for notice in told) == ["ash", "birch", "cedar", "dogwood", "organiser"]
    assert [(line.is_held, line.is_provisional) for line in title_lines(shown)] == [(True, True)] * 2


def test_at_its_time_the_season_closes_and_the_results_stand(shown: Season) -> None:
    before = list(ProvisionalTitle.objects.order_by("id").values("kind", "stable", "asset", "reputation", "decided_by"))
    assert shown.closes_at is not None
    early = shown.closes_at - timedelta(minutes=1)
    assert not ceremony.close_when_due(season_id=shown.pk, now=early)
    closed = run_out(shown)
    assert (closed.state, ProvisionalTitle.objects.count()) == ("finished", 0)
    assert list(Title.objects.order_by("id").values("kind", "stable", "asset", "reputation", "decided_by")) == before
    assert codes(closed)[-1:] == ["season_finished"]
    assert "title_held" not in codes(closed)
    assert Notice.objects.filter(code="season_stands").count() == 5
    refused("results_are_final", fixture_of(closed), VOID)
    assert not ceremony.close_when_due(season_id=shown.pk, now=early + DAY)


def test_the_organiser_closes_it_with_one_press(shown: Season) -> None:
    with pytest.raises(PermissionDenied):
        ceremony.close_season(season_id=shown.pk, user=person("ash"))
    ceremony.close_season(season_id=shown.pk, user=person("organiser"))
    assert again(shown).state == "finished"
    assert LogEntry.objects.get(code="season_finished").actor == person("organiser")
    with pytest.raises(SeasonRefused) as caught:
        ceremony.close_season(season_id=shown.pk, user=person("organiser"))
    assert caught.value.code == "season_not_to_close"
    Job.objects.filter(name="stables.close_season").update(not_before=None)
    run_pending()
    assert codes(shown).count("season_finished") == 1


def test_a_forgotten_close_is_found_by_a_tick(shown: Season) -> None:
    Job.objects.all().delete()
    scan_for_seasons_to_close()
    assert not Job.objects.exists()
    Season.objects.filter(pk=shown.pk).update(closes_at=shown.log.get(code="cycle_closed").created_at)
    for _ in range(2):
        scan_for_seasons_to_close()
    assert [job.name for job in Job.objects.all()] == ["stables.close_season"]
    run_pending()
    assert again(shown).state == "finished"


@pytest.mark.parametrize("why", ["no hours", "solo", "the AI alone"])
def test_a_season_that_waits_for_nobody_closes_at_once(season: Season, why: str) -> None:
    if why == "no hours":
        without_grace(season)
    else:
        Stable.objects.filter(season=season).exclude(number=1 if why == "solo" else 0).update(is_ai=True, owner=None)
        Season.objects.filter(pk=season.pk).update(calendar={"preset": "solo"} if why == "solo" else {})
    run_pending()
    closed = again(season)
    assert (closed.state, closed.closes_at, Title.objects.count()) == ("finished", None, 2)
    assert codes(closed)[-3:] == ["title_held", "title_held", "season_finished"]
    assert not Notice.objects.filter(code="season_provisional").exists()
    assert Notice.objects.filter(code="season_finished").exists()


def test_the_clock_of_a_paused_season_rests(shown: Season) -> None:
    assert shown.closes_at is not None
    began = shown.closes_at - timedelta(hours=2)
    pauses.pause(season_id=shown.pk, now=began)
    assert not ceremony.close_when_due(season_id=shown.pk, now=shown.closes_at)
    assert ceremony.overdue(now=shown.closes_at) == []
    pauses.resume(season_id=shown.pk, now=began + DAY)
    assert again(shown).closes_at == shown.closes_at + DAY
    assert Job.objects.filter(name="stables.close_season", not_before=shown.closes_at + DAY).count() == 1
    assert not ceremony.close_when_due(season_id=shown.pk, now=shown.closes_at)
    assert run_out(shown).state == "finished"


def test_a_ceremony_in_a_pause_waits_for_its_end_and_then_the_whole_time(season: Season) -> None:
    without_grace(season)
    pauses.pause(season_id=season.pk)
    run_pending()
    assert again(season).state == "provisional"
    pauses.resume(season_id=season.pk)
    Job.objects.filter(name="stables.close_season").update(not_before=None)
    run_pending()
    assert again(season).state == "finished"


@pytest.mark.parametrize("is_after", [False, True], ids=["before-commit", "after-commit"])
def test_a_worker_that_dies_at_any_step_holds_one_ceremony_and_closes_once(
    season: Season, monkeypatch: pytest.MonkeyPatch, settings: Any, is_after: bool
) -> None:
    settings.JOB_ATTEMPTS = 9
    once, died = Run.once, list[tuple[str, str]]()

    def dies_once(run: Run, step: str, function: Callable[[], Any]) -> Any:
        if (run.name, step) in died or run.name not in ("stables.award_titles", "stables.close_season"):
            return once(run, step, function)
        died.append((run.name, step))

        def half() -> Any:
            function()
            raise Killed

        once(run, step, function if is_after else half)
        raise Killed

    monkeypatch.setattr(Run, "once", dies_once)
    until_done("stables.award_titles")
    assert codes(season).count("season_provisional") == 1
    Season.objects.filter(pk=season.pk).update(closes_at=season.log.get(code="cycle_closed").created_at)
    until_done("stables.close_season")
    assert died == [("stables.award_titles", "finish"), ("stables.close_season", "close")]
    assert (again(season).state, Title.objects.count()) == ("finished", 2)
    assert codes(season).count("season_finished") == 1
    assert Notice.objects.filter(code="season_stands").count() == 5


class Killed(Exception):
    """Stands for a worker that dies."""


def until_done(name: str) -> None:
    """Let the job of this name run, as often as its worker dies."""
    for _ in range(3):
        Job.objects.filter(name=name).update(not_before=None)
        with suppress(Killed):
            run_pending()
    assert Job.objects.get(name=name).state == Job.State.DONE


def test_a_job_that_comes_too_early_comes_again(shown: Season) -> None:
    Job.objects.filter(name="stables.close_season").update(not_before=None)
    run_pending()
    job = Job.objects.get(name="stables.close_season")
    assert (again(shown).state, job.state) == ("provisional", "queued")
    assert job.not_before is not None


def test_the_next_season_may_follow_at_the_ceremony(shown: Season) -> None:
    opened = next_season.open_next_season(season_id=shown.pk, organiser=person("organiser"))
    assert Season.objects.get(pk=opened.season_id).settings["closing_hours"] == 24


def test_a_season_with_provisional_champions_can_be_cancelled(shown: Season) -> None:
    endings.cancel_season(season_id=shown.pk, is_sure=True)
    assert (ProvisionalTitle.objects.count(), Title.objects.count()) == (0, 0)
    assert not ceremony.close_when_due(season_id=shown.pk, now=shown.closes_at)


# Corrections ---------------------------------------------------------------------------------------------------------


def test_a_correction_that_changes_the_champion_is_announced_and_begins_the_time_again(shown: Season) -> None:
    purse = winner(shown, 1).capital
    correct(fixture_of(shown), WINS)
    assert (again(shown).state, champions(shown)) == ("sudden_death", [winner(shown, 2).number])
    run_pending()
    after = again(shown)
    assert (after.state, champions(after)) == ("provisional", [winner(shown, 1).number])
    assert winner(shown, 1).capital > purse, "the purses follow"
    assert shown.closes_at is not None
    assert after.closes_at is not None
    assert after.closes_at > shown.closes_at
    assert Notice.objects.filter(code="season_provisional").count() == 10
    assert not ceremony.close_when_due(season_id=shown.pk, now=shown.closes_at - timedelta(minutes=1))
    closed = run_out(after)
    assert [title.stable for title in Title.objects.filter(kind="stable")] == [winner(shown, 1)]
    assert codes(closed)[-3:] == ["title_held", "title_held", "season_finished"]
    assert Notice.objects.filter(code="season_stands_corrected").count() == 5


def test_a_correction_that_changes_no_champion_leaves_the_time_and_notifies_nobody(shown: Season) -> None:
    correct(fixture_of(shown), to(red_wins(tokens=0)))
    run_pending()
    assert (again(shown).state, again(shown).closes_at) == ("provisional", shown.closes_at)
    assert Notice.objects.filter(code="season_provisional").count() == 5


def test_a_correction_there_and_back_ends_where_it_began(shown: Season) -> None:
    for wanted in (WINS, LOSES):
        correct(fixture_of(shown), wanted)
        run_pending()
    closed = run_out(shown)
    assert [title.stable for title in Title.objects.filter(kind="stable")] == [winner(shown, 2)]
    assert codes(closed)[-1] == "season_finished"
    assert "title_held" not in codes(closed), "the first ceremony was right"


def test_the_time_that_ran_out_during_a_correction_ends_with_its_ceremony(shown: Season) -> None:
    past = shown.log.get(code="cycle_closed").created_at
    Season.objects.filter(pk=shown.pk).update(closes_at=past)
    correct(fixture_of(shown), to(red_wins(tokens=0)))
    Job.objects.filter(name="stables.close_season").update(not_before=None)
    # The job that was asked for finds the titles undecided.
    run_pending(limit=1)
    assert again(shown).state == "sudden_death"
    run_pending()
    Job.objects.filter(name="stables.close_season").update(not_before=None)
    run_pending()
    assert again(shown).state == "finished"


# Sudden deaths -------------------------------------------------------------------------------------------------------


def test_r_cyc_09_a_correction_makes_a_sudden_death_needed_and_another_needless(shown: Season) -> None:
    correct(fixture_of(shown), TIES)
    run_pending()
    assert again(shown).state == "sudden_death"
    assert Notice.objects.filter(code="sudden_death_called").count() == 2
    correct(fixture_of(shown), LOSES)
    run_pending()
    assert (again(shown).state, champions(shown)) == ("provisional", [winner(shown, 2).number])
    assert (SuddenDeath.objects.count(), Match.objects.count()) == (0, 0)
    assert Notice.objects.filter(code="sudden_death_off").count() == 2


def test_r_sud_04_an_outcome_counts_again_when_the_same_are_tied_again(shown: Season) -> None:
    correct(fixture_of(shown), TIES)
    come(shown)
    assert again(shown).state == "provisional"
    [fought] = champions(shown)
    assert {title.decided_by for title in ProvisionalTitle.objects.all()} == {"sudden_death"}
    assert Match.objects.filter(state="finished").count() == 2
    correct(fixture_of(shown), WINS)
    run_pending()
    assert champions(shown) == [winner(shown, 1).number]
    assert {title.decided_by for title in ProvisionalTitle.objects.all()} == {"reputation"}
    correct(fixture_of(shown), TIES)
    run_pending()
    assert (again(shown).state, champions(shown)) == ("provisional", [fought])
    assert Match.objects.count() == 2
    run_out(shown)
    assert {title.match for title in Title.objects.all()} == set(Match.objects.all())


def test_a_begun_match_that_a_correction_makes_needless_is_closed(shown: Season) -> None:
    correct(fixture_of(shown), TIES)
    run_pending()
    for number in (1, 2):
        sudden_deaths.appear(stable_id=winner(shown, number).pk, plays="owner")
    run_pending()
    match = Match.objects.get()
    assert not match.is_over
    correct(fixture_of(shown), WINS)
    run_pending()
    match.refresh_from_db()
    assert (again(shown).state, match.state, champions(shown)) == ("provisional", "closed", [winner(shown, 1).number])
    correct(fixture_of(shown), TIES)
    come(shown, titles=1)
    row = SuddenDeath.objects.filter(kind="pilot").exclude(match=match).get()
    assert row.match is not None
    assert row.match.fixture_key == f"season:{shown.pk}:title:pilot:2"
    assert row.match.seed_commitment != match.seed_commitment
    assert row.holders


def test_others_who_are_tied_now_fight_again(shown: Season) -> None:
    correct(fixture_of(shown), TIES)
    come(shown, titles=1)
    # The loser of the second match has as much as the two winners, and so has their pilot.
    third = sides_of(fixture_of(shown, 2))[1].stable
    give(shown, third)
    correct(fixture_of(shown), to(red_wins(tokens=10, clicks=1)))
    run_pending()
    first, second = SuddenDeath.objects.filter(kind="pilot").order_by("id")
    assert third.number in {each["stable"] for each in second.contenders}
    assert (len(first.contenders), len(second.contenders)) == (2, 3)
    come(shown, titles=1)
    second.refresh_from_db()
    assert second.holders
    assert first.match != second.match


def give(season: Season, stable: Stable) -> None:
    """Give a stable and its first pilot the record of the winners."""
    for asset in (None, stable.assets.filter(kind=Asset.Kind.PILOT).order_by("id").first()):
        stable.reputation.create(
            asset=asset, cycle=season.cycles.get(), amount=80, kills=1, cause="win",
            idempotency_key=f"given:{stable.pk}:{asset.pk if asset else 0}",
        )  # fmt: skip


def test_a_correction_while_the_titles_are_fought_for_is_no_longer_refused(season: Season) -> None:
    correct(fixture_of(season), TIES)
    run_pending()
    sudden_deaths.appear(stable_id=winner(season, 1).pk, plays="owner")
    sudden_deaths.appear(stable_id=winner(season, 2).pk, plays="owner")
    run_pending()
    # The tie is the same by another result, so the match goes on.
    correct(fixture_of(season), to(red_wins(tokens=10, clicks=1)))
    run_pending()
    assert not Match.objects.get().is_over
    assert SuddenDeath.objects.get().decided_at is None
    assert Fixture.objects.filter(match__isnull=False).count() == 0
