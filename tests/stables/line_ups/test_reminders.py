"""What people hear by themselves: line-ups are called for, one was chosen, the match is near."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from jobs.models import Job
from jobs.services import run_pending
from people.models import Notice
from people.text.notices import notice_sentence
from stables.jobs.reminders import scan_for_near_matches
from stables.models import Fixture, Round, Season, Stable
from stables.services.fixtures import pairing, reminders, rounds
from web.moments import worded_moment

pytestmark = [pytest.mark.django_db, pytest.mark.database]
NOW = datetime(2030, 5, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reminders, "timezone", SimpleNamespace(now=lambda: NOW))


@pytest.fixture
def ada(db: None) -> Any:
    return get_user_model().objects.create_user("ada", "ada@example.org")


@pytest.fixture
def paired(stocked: Season, ada: Any) -> Fixture:
    """The fixture of the person's stable in a round for which line-ups are called."""
    Stable.objects.filter(season=stocked, number=1).update(owner=ada, is_ai=False)
    Season.objects.filter(pk=stocked.pk).update(state=Season.State.RUNNING)
    pairing.pair_round(cycle_id=stocked.cycles.get().pk, number=1)
    return Fixture.objects.get(sides__stable__number=1)


def test_a_cancelled_season_reminds_nobody(paired: Fixture) -> None:
    arrange(paired, 59)
    Season.objects.update(state=Season.State.CANCELLED)
    assert reminders.near_fixtures() == []
    assert reminders.tell_near(fixture_id=paired.pk) == 0


def said(code: str) -> list[Notice]:
    return list(Notice.objects.filter(code=code))


def test_a_person_hears_once_that_a_line_up_is_called_for(paired: Fixture, ada: Any) -> None:
    pairing.pair_round(cycle_id=paired.round.cycle_id, number=1)
    [notice] = said("line_up_due")
    assert (notice.user, notice.parameters["due"]) == (ada, None)
    who, arena = " – ".join(side.stable.name for side in paired.sides.order_by("id")), notice.parameters["arena"]
    assert notice_sentence(notice.code, notice.parameters) == (
        f"Test season, cycle 1, round 1: your line-up for {who} is called for. Format: Standard. Arena: {arena}."
    )
    assert notice.url == paired.round.cycle.season.stables.get(number=1).get_absolute_url()


def test_a_person_hears_that_a_line_up_was_chosen(paired: Fixture, ada: Any) -> None:
    rounds.call_time(round_id=paired.round_id)
    rounds.call_time(round_id=paired.round_id)
    assert [notice.user for notice in said("line_up_chosen")] == [ada]


def arrange(fixture: Fixture, minutes: int, mode: str = "browser") -> None:
    at = NOW + timedelta(minutes=minutes)
    Fixture.objects.filter(pk=fixture.pk).update(scheduled_at=at, mode=mode)


def test_a_match_within_the_hour_is_shown_once(paired: Fixture, ada: Any) -> None:
    arrange(paired, 59)
    for _ in range(3):
        scan_for_near_matches()
    run_pending()
    scan_for_near_matches()
    assert run_pending() == 0
    [notice] = said("match_near")
    assert notice.user == ada
    assert notice.parameters["match"].count(" – ") == 1
    assert notice.url.endswith(f"/fixtures/{paired.pk}/")


@pytest.mark.parametrize(("hours", "is_told"), [(2, True), (-2, False)])
def test_a_near_match_says_until_when_it_may_be_played(paired: Fixture, hours: int, is_told: bool) -> None:
    """An organiser may have set a date after that; then the match waits for its date."""
    arrange(paired, 30)
    due = NOW + timedelta(hours=hours)
    Round.objects.filter(pk=paired.round_id).update(play_due_at=due)
    assert reminders.tell_near(fixture_id=paired.pk) == 1
    [notice] = said("match_near")
    sentence = notice_sentence(notice.code, notice.parameters)
    assert (f" It may be played until {worded_moment(due.isoformat())}. Format: " in sentence) == is_told
    assert ("It may be played" in sentence, "Format: Standard. Arena: " in sentence) == (is_told, True)


@pytest.mark.parametrize(("minutes", "mode"), [(61, "browser"), (-1, "browser"), (30, "ai")])
def test_what_is_not_near_or_needs_nobody_is_not_shown(paired: Fixture, minutes: int, mode: str) -> None:
    arrange(paired, minutes, mode)
    scan_for_near_matches()
    assert not Job.objects.filter(name="stables.remind_of_match").exists()


def test_a_new_date_is_shown_again_and_the_old_one_is_not(paired: Fixture) -> None:
    arrange(paired, 40)
    scan_for_near_matches()
    arrange(paired, 50)
    scan_for_near_matches()
    arrange(paired, 600)
    run_pending()
    assert said("match_near") == []
    arrange(paired, 30)
    scan_for_near_matches()
    run_pending()
    assert len(said("match_near")) == 1


def test_nobody_is_reminded_while_the_season_is_paused(paired: Fixture) -> None:
    arrange(paired, 30)
    Season.objects.update(paused_at=NOW)
    assert reminders.near_fixtures() == []
