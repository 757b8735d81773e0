"""The standing answers with which the units of people sit down in the matches of a season that has "routine"."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from jobs.services import run_pending
from matches.models import StandingAnswers
from rules.bots.preset_answers import ROUTINE, ROUTINE_BETWEEN_PEOPLE
from stables.models import ExternalSeat, Fixture, Season
from stables.services.fixtures import hand_overs
from stables.services.running import passing
from tests.stables.duels import Club
from tests.stables.fixtures.test_hand_overs import away

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def club(club: Club) -> Club:
    club.season.settings["standing_answers"] = "routine"
    Season.objects.filter(pk=club.season.pk).update(settings=club.season.settings)
    return club


def begun(club: Club, *names: str) -> Fixture:
    fixture = club.fixture(*names)
    club.hand_in(fixture, *names)
    run_pending()
    fixture.refresh_from_db()
    return fixture


def standing(fixture: Fixture) -> dict[str, Any]:
    """The answers of the match by the person in the seat; all units of a seat have the same."""
    return dict(
        StandingAnswers.objects.filter(seat__match=fixture.match).values_list("seat__user__username", "answers")
    )


def test_r_ral_03_between_people_nobody_is_asked_about_useful_cards_alone(club: Club) -> None:
    assert "rally" not in ROUTINE_BETWEEN_PEOPLE
    assert {**ROUTINE_BETWEEN_PEOPLE, "rally": "useful"} == ROUTINE
    assert standing(begun(club, "anna", "ben")) == dict.fromkeys(("anna", "ben"), ROUTINE_BETWEEN_PEOPLE)
    assert standing(begun(club, "carla", "machines")) == {"carla": ROUTINE}


def test_whoever_sits_down_later_begins_with_them_too(club: Club) -> None:
    made = away(club)
    duel = begun(club, "anna", "ben")
    # The owner of the other stable may come back, so the match is one between people.
    assert standing(duel) == {"anna": ROUTINE_BETWEEN_PEOPLE}
    StandingAnswers.objects.filter(seat__user=club.people["anna"]).update(answers={"spin": "keep"})
    hand_overs.take_back(stable_id=club.stable_id("ben"), hand_over_id=made.pk)
    run_pending()
    assert standing(duel) == {"anna": {"spin": "keep"}, "ben": ROUTINE_BETWEEN_PEOPLE}


def test_who_comes_back_from_the_ai_finds_those_of_the_season_and_no_old_ones(club: Club) -> None:
    duel = begun(club, "anna", "ben")
    StandingAnswers.objects.filter(seat__user=club.people["ben"]).update(answers={"spin": "keep"})
    made = away(club)
    run_pending()
    assert standing(duel) == {"anna": ROUTINE_BETWEEN_PEOPLE}
    hand_overs.take_back(stable_id=club.stable_id("ben"), hand_over_id=made.pk)
    run_pending()
    assert standing(duel) == dict.fromkeys(("anna", "ben"), ROUTINE_BETWEEN_PEOPLE)


def test_a_new_owner_in_the_ai_s_place_begins_with_them(club: Club) -> None:
    duel = begun(club, "anna", "machines")
    assert standing(duel) == {"anna": ROUTINE}
    passing.pass_to(
        stable_id=club.stable_id("machines"), name="spectator", reason="agreed", user=club.people["organiser"]
    )
    # The match has become one between people; what was not chosen by its player goes along.
    assert standing(duel) == dict.fromkeys(("anna", "spectator"), ROUTINE_BETWEEN_PEOPLE)


def test_programs_begin_without_any(club: Club) -> None:
    program = club.people["spectator"]
    ExternalSeat.objects.create(stable=club.stables["ben"], user=program, agreed_at=timezone.now())
    duel = begun(club, "anna", "ben")
    assert duel.match is not None
    assert duel.match.seats.filter(user=program).exists()
    assert standing(duel) == {"anna": ROUTINE_BETWEEN_PEOPLE}
