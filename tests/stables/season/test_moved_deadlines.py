"""What the end of a pause moves: each deadline has a line and a notice."""

from __future__ import annotations

from datetime import timedelta

import pytest

from people.models import Notice
from stables.models import NoShowClaim, Round, Season, SuddenDeath
from stables.services.running import pauses
from tests.stables.duels import Club
from tests.stables.season.test_what_changed import NOW, lines, notices

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_o_8_2_each_deadline_that_a_pause_moves_is_named(club: Club) -> None:
    Round.objects.filter(pk=club.round.pk).update(play_due_at=NOW + timedelta(hours=5))
    due = NOW + timedelta(hours=2)
    club.fixture("anna", "ben", mode="table", confirm_due_at=due, excused_until=due, scheduled_at=due)
    duel = club.fixture("carla", "machines")
    NoShowClaim.objects.create(
        fixture=duel, claimant=club.stables["carla"], absent=club.stables["machines"], new_date=due
    )
    Season.objects.filter(pk=club.season.pk).update(closes_at=due)
    SuddenDeath.objects.create(season=club.season, kind="stable", due_at=due)
    pauses.pause(season_id=club.season.pk, now=NOW)
    Notice.objects.all().delete()
    pauses.resume(season_id=club.season.pk, now=NOW + timedelta(days=1))
    moved = "to Tue 2 Mar 2027, 14:00 (UTC). Before, it was Mon 1 Mar 2027, 14:00 (UTC)."
    date = "to Tue 2 Mar 2027, 14:00 (UTC). Before: Mon 1 Mar 2027, 14:00 (UTC)."
    pairing = "Stable of anna – Stable of ben"
    assert lines("deadline_moved") == [
        "Cycle 1, round 1: the deadline for playing was moved to Tue 2 Mar 2027, 17:00 (UTC). Before, it was "
        "Mon 1 Mar 2027, 17:00 (UTC).",
        f"Cycle 1, round 1, {pairing}: the deadline for an answer to the report was moved {moved}",
        f"Cycle 1, round 1, {pairing}: the deadline for playing was moved {moved}",
        f"The deadline for corrections of results was moved {moved}",
        f"Title “champion stable”: the deadline for the sudden death was moved {moved}",
    ]
    assert lines("fixture_date_moved") == [
        f"Round 1, Stable of carla – Stable of machines: the date moved {date}",
        f"Round 1, {pairing}: the date moved {date}",
    ]
    told = Notice.objects.filter(code="deadline_moved").values_list("user__username", flat=True)
    assert sorted(told) == sorted([*["anna", "ben", "carla"] * 3, *["anna", "ben"] * 2])
    assert notices("deadline_moved")[3:4] == [
        f"Test season, cycle 1, round 1, {pairing}: the deadline for an answer to the report was moved {moved}"
    ]
    assert notices("fixture_date_moved") == [
        f"Test season, Stable of carla – Stable of machines in round 1: the date moved {date}",
        *[f"Test season, {pairing} in round 1: the date moved {date}"] * 2,
    ]


def test_a_deadline_that_stays_the_same_to_the_minute_is_not_said_to_have_moved(club: Club) -> None:
    Round.objects.filter(pk=club.round.pk).update(play_due_at=NOW + timedelta(hours=5))
    for seconds, said in ((40, 0), (30, 1)):
        pauses.pause(season_id=club.season.pk, now=NOW)
        pauses.resume(season_id=club.season.pk, now=NOW + timedelta(seconds=seconds))
        assert len(lines("deadline_moved")) == len(notices("deadline_moved")[:1]) == said
    assert Round.objects.get(pk=club.round.pk).play_due_at == NOW + timedelta(hours=5, seconds=70)


def test_the_new_date_of_a_claim_is_said_once_and_that_of_an_ended_one_not(club: Club) -> None:
    due = NOW + timedelta(hours=2)
    for absent, state, agreed in (("ben", "new_date", due), ("machines", "withdrawn", None)):
        duel = club.fixture("anna", absent, scheduled_at=agreed)
        stables = {"claimant": club.stables["anna"], "absent": club.stables[absent]}
        NoShowClaim.objects.create(fixture=duel, **stables, state=state, new_date=due)
    pauses.pause(season_id=club.season.pk, now=NOW)
    pauses.resume(season_id=club.season.pk, now=NOW + timedelta(days=1))
    assert [line.split(": ")[0] for line in lines("fixture_date_moved")] == ["Round 1, Stable of anna – Stable of ben"]
    assert set(NoShowClaim.objects.values_list("new_date", flat=True)) == {due + timedelta(days=1)}
