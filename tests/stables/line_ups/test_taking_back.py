"""A line-up is taken back before the reveal: by its owner, or unseen by an organiser."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from people.models import Notice
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Fixture, FixtureSide, LineUp, LogEntry, NoShowClaim, Season, SeasonRole
from stables.selectors.windows import window_of
from stables.services.line_ups import line_ups, taking_back
from stables.services.running import overdue
from tests.stables.duels import Club

pytestmark = pytest.mark.django_db

NOW = timezone.now()
HOUR = timedelta(hours=1)


@pytest.fixture
def duel(club: Club) -> Fixture:
    """A match in which Anna's line-up is in and Ben's is not."""
    made = club.fixture("anna", "ben")
    club.hand_in(made, "anna")
    return made


def take_back(club: Club, fixture: Fixture, name: str = "anna") -> None:
    taking_back.take_back(stable_id=club.stable_id(name), fixture_id=fixture.pk, actor=club.people[name], now=NOW)


def reopen(club: Club, fixture: Fixture, name: str = "anna", by: str = "organiser", reason: str = "Misclick") -> None:
    taking_back.reopen(
        fixture_id=fixture.pk, stable_id=club.stable_id(name), reason=reason, user=club.people[by], now=NOW
    )


each_way = pytest.mark.parametrize("act", [take_back, reopen])


def refused(call: Callable[[], object], code: str) -> None:
    before = LineUp.objects.count()
    with pytest.raises((SeasonRefused, Malformed)) as problem:
        call()
    assert problem.value.code == code
    assert LineUp.objects.count() == before


def test_ones_own_line_up_is_taken_back_and_another_handed_in(club: Club, duel: Fixture) -> None:
    anna = club.stables["anna"]
    assert not window_of(anna).is_between_matches
    take_back(club, duel)
    assert (LineUp.objects.count(), window_of(anna).is_between_matches) == (0, True)
    assert LogEntry.objects.get(fixture=duel).code == "fixture_line_up_taken_back"
    assert not line_ups.submit_nearest_legal(stable_id=anna.pk, fixture_id=duel.pk).fixture_is_sealed
    club.hand_in(duel, "ben")
    duel.refresh_from_db()
    assert duel.state == "sealed"


def test_an_organiser_opens_it_unseen_and_both_sides_hear_of_it(club: Club, duel: Fixture) -> None:
    unit = LineUp.objects.get().crews.get().unit
    reopen(club, duel)
    assert not LineUp.objects.exists()
    entry = LogEntry.objects.get(fixture=duel)
    assert (entry.code, entry.parameters["stable"]) == ("fixture_line_up_reopened", "Stable of anna")
    assert unit.label not in str(entry.parameters)
    told = Notice.objects.filter(code="fixture_line_up_reopened")
    assert set(told.values_list("user__username", flat=True)) == {"anna", "ben"}


def test_the_deadline_hands_in_for_an_owner_who_did_not_again(club: Club, duel: Fixture) -> None:
    club.round.line_ups_due_at = NOW + HOUR
    club.round.save()
    reopen(club, duel)
    assert overdue.chase(what="line_ups", pk=club.round.pk, due=NOW + HOUR, run_step=lambda _name, step: step())
    assert LineUp.objects.filter(side__fixture=duel).count() == 2


@each_way
def test_nothing_is_taken_back_after_the_reveal(club: Club, duel: Fixture, act: Any) -> None:
    club.hand_in(duel, "ben")
    refused(lambda: act(club, duel), "line_ups_revealed")


@each_way
def test_there_is_nothing_to_take_back_without_a_line_up(club: Club, duel: Fixture, act: Any) -> None:
    refused(lambda: act(club, duel, "ben"), "line_up_not_in")
    FixtureSide.objects.filter(fixture=duel, stable=club.stables["anna"]).update(forfeits="left")
    refused(lambda: act(club, duel), "line_up_not_in")


@each_way
def test_a_claim_needs_the_line_up(club: Club, duel: Fixture, act: Any) -> None:
    NoShowClaim.objects.create(fixture=duel, claimant=club.stables["anna"], absent=club.stables["ben"])
    refused(lambda: act(club, duel), "line_up_claimed")


@each_way
def test_after_the_time_for_line_ups_they_stay_unless_the_season_is_paused(club: Club, duel: Fixture, act: Any) -> None:
    club.round.line_ups_due_at = NOW
    club.round.save()
    refused(lambda: act(club, duel), "line_up_time_over")
    Season.objects.filter(pk=club.season.pk).update(paused_at=NOW)
    act(club, duel)
    assert not LineUp.objects.exists()


def test_others_take_nothing_back(club: Club, duel: Fixture) -> None:
    refused(lambda: take_back(club, duel, "carla"), "unknown_asset")
    refused(lambda: reopen(club, duel, "carla"), "bad_field")
    refused(lambda: reopen(club, duel, reason=""), "reason_missing")
    with pytest.raises(PermissionDenied):
        reopen(club, duel, by="ben")
    SeasonRole.objects.create(season=club.season, user=club.people["ben"], role="co_organiser")
    refused(lambda: reopen(club, duel, by="ben"), "organiser_takes_part")


def test_a_line_up_of_the_ai_is_not_opened(club: Club) -> None:
    against = club.fixture("anna", "machines")
    club.hand_in(against, "machines")
    refused(lambda: reopen(club, against, "machines"), "line_up_of_the_ai")
