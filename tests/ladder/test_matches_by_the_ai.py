"""A match that the AI played for a person, all of it or a step, counts unless that side won it."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import call_command

from jobs.services import run_pending
from ladder.models import RatedMatch
from ladder.services import rate_match, rebuild
from matches.models import Match, MatchAction
from matches.services.answering import Seat
from matches.services.beginning.demonstration import demonstration_setup
from matches.services.finishing import finish_for
from matches.services.matches import create_match
from people.models import User
from tests.ladder.conftest import Finish, Results, correct
from tests.ladder.test_matches_by_advice import plain
from tests.ladder.test_rating_matches import figures, rated

pytestmark = pytest.mark.django_db
BY_THE_AI = ("given", "opening", "time", "failed", "overran", "relieved", "withdrawn")


def played(match: Match, side: str, *causes: str) -> Match:
    """Note steps of a side, each with its cause."""
    for number, cause in enumerate(causes, start=1):
        MatchAction.objects.create(match=match, sequence=number, side=side, events=[], cause=cause)
    return match


@pytest.fixture
def anna(people: dict[str, User]) -> User:
    return people["anna"]


def test_nobody_climbs_by_letting_the_ai_play_everything(anna: User) -> None:
    """Whoever wins: what the AI wins in somebody's place says nothing of the person, and its losses are hers."""
    won = []
    for number in range(6):
        seats = [Seat("red", anna.pk), Seat("blue", bot="random")]
        match = create_match(demonstration_setup(), bytes([number]) * 32, None, seats)
        before = figures()
        finish_for(match, anna)
        run_pending()
        match.refresh_from_db()
        assert match.result is not None
        has_won = match.result["winner"] == "red" and match.result["tie_break"] != "die"
        won.append(has_won)
        assert (figures() == before) is has_won
    assert any(won)
    assert len(rated()) == 6
    assert rebuild(is_trial=True) == []


@pytest.mark.parametrize("cause", BY_THE_AI)
def test_one_step_by_the_ai_takes_a_win(finish: Finish, anna: User, cause: str) -> None:
    played(finish(anna, "greedy"), "red", "", cause, "")
    run_pending()
    assert figures() == {}


@pytest.mark.parametrize("cause", ["given", "time"])
def test_a_loss_and_a_draw_count_whoever_played(finish: Finish, anna: User, cause: str) -> None:
    """To let the AI finish is no way out of a lost match, nor is to let the time run out."""
    lost = plain(finish, "greedy", anna)
    finish("greedy", anna)
    finish(anna, "greedy", tie_break="die")
    run_pending()
    expected = figures()
    assert expected["anna"][2] == 2
    assert expected["anna"] != lost["anna"]
    RatedMatch.objects.all().delete()
    for match, side in zip(Match.objects.order_by("id"), ("blue", "red"), strict=True):
        played(match, side, "", cause)
        rate_match(match.pk)
    rebuild()
    assert figures() == expected


@pytest.mark.parametrize("cause", ["", "only", "standing"])
def test_what_a_person_left_standing_is_the_persons_own(finish: Finish, anna: User, cause: str) -> None:
    expected = plain(finish, anna, "greedy")
    played(finish(anna, "greedy"), "red", cause)
    run_pending()
    assert figures() == expected


def test_a_bot_that_took_a_seat_before_its_first_decision_has_won_itself(finish: Finish, anna: User) -> None:
    """The log names such steps as given to the AI, and they are the bot's own."""
    expected = plain(finish, "greedy", anna)
    played(finish("greedy", anna), "red", "given", "given")
    run_pending()
    assert figures() == expected


def test_corrections_and_the_command_see_it_too(finish: Finish, anna: User, results: Results) -> None:
    lost = plain(finish, "greedy", anna)
    match = played(finish(anna, "greedy"), "red", "given")
    run_pending()
    assert figures() == {}
    assert RatedMatch.objects.get().advised == [], "nobody was told anything"
    correct(results, match, winner="blue")
    won, swapped = lost[next(name for name in lost if name != "anna")], figures()["anna"]
    assert swapped[0] < 1500 < won[0]
    call_command("rebuild_ladder", "--check", stdout=io.StringIO())
    correct(results, match, winner="red")
    assert figures() == {}


def test_it_costs_one_query_more_for_each_match(finish: Finish, anna: User, django_assert_max_num_queries: Any) -> None:
    played(finish(anna, "greedy"), "red", *["given"] * 40)
    run_pending()
    with django_assert_max_num_queries(14):
        assert rebuild(is_trial=True) == []
