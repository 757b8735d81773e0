"""A match in which somebody was advised counts unless that side won it, by the result that holds."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from jobs.models import Job
from jobs.services import run_pending
from ladder.models import LadderPlayer, RatedMatch
from ladder.selectors.folding import is_won_by
from ladder.services import rate_match, rebuild
from matches.account_exit import leave
from matches.models import AskedAdvice, Match
from people.models import User
from tests.ladder.conftest import SIDES, Finish, Results, correct
from tests.ladder.test_rating_matches import figures, rated

pytestmark = pytest.mark.django_db
VOIDED = {"ended_by": "void", "winner": None}
BY_A_DIE = {"winner": "red", "tie_break": "die"}
CHANCES = [("anna", "greedy"), ("greedy", "anna")]
"""Red wins: with advice to Anna the first is a win by advice, the second a loss in spite of it."""


@pytest.fixture
def anna(people: dict[str, User]) -> User:
    return people["anna"]


def advise(match: Match, user: User, *sequences: int) -> Match:
    """Note that a person asked for advice at these steps of the side that the person plays."""
    side = match.seats.get(user=user).side
    for sequence in sequences or (3,):
        AskedAdvice.objects.create(match=match, side=side, sequence=sequence, user=user, document={})
    return match


def plain(finish: Finish, *players: User | str, **fields: Any) -> dict[str, tuple[float, float, int]]:
    """The figures after one such match without advice; the ladder is as empty as before."""
    match = finish(*players, **fields)
    run_pending()
    found = figures()
    assert found
    match.delete()
    for model in (LadderPlayer, Job):
        model.objects.all().delete()
    return found


def test_a_win_by_advice_counts_for_nobody(finish: Finish, anna: User) -> None:
    """It has its number, so that it may count one day."""
    before = finish(anna, "strong")
    run_pending()
    stored = figures()
    match = advise(finish(anna, "greedy"), anna, 1, 5)
    run_pending()
    assert figures() == stored
    assert rated() == [before.pk, match.pk]
    assert RatedMatch.objects.get(match=match).advised == ["red"]
    assert rate_match(match.pk) == 2
    assert rebuild(is_trial=True) == []


def test_a_loss_in_spite_of_advice_counts_like_any_other(finish: Finish, anna: User) -> None:
    """Asking once is no way out of a match that goes badly."""
    expected = plain(finish, "greedy", anna)
    match = advise(finish("greedy", anna), anna)
    run_pending()
    assert figures() == expected
    assert expected["anna"][0] < 1500
    assert rated() == [match.pk]
    assert RatedMatch.objects.get().advised == ["blue"]
    assert rebuild(is_trial=True) == []


def test_a_win_with_a_step_taken_back_counts_for_nobody(finish: Finish, anna: User) -> None:
    """A step back is help like advice."""
    match = finish(anna, "greedy")
    match.actions.create(sequence=1, side="red", action={"unit": "red-1", "order": "take_back"}, events=[])
    run_pending()
    assert figures() == {}
    assert rated() == [match.pk]


def test_a_draw_with_advice_counts(finish: Finish, anna: User) -> None:
    """Whichever side the die chose as the winner."""
    expected = plain(finish, anna, "greedy", tie_break="die")
    advise(finish(anna, "greedy", tie_break="die"), anna)
    run_pending()
    assert figures() == expected


def test_of_many_sides_only_the_first_place_is_a_win(finish: Finish, anna: User) -> None:
    expected = plain(finish, "strong", anna, "greedy", "random")
    advise(finish("strong", anna, "greedy", "random"), anna)
    run_pending()
    assert figures() == expected
    advise(finish(anna, "strong", "greedy", "random"), anna)
    run_pending()
    assert figures() == expected


def test_who_was_not_advised_wins_as_before(finish: Finish, people: dict[str, User]) -> None:
    """Advice on one side takes nothing from a win of another."""
    anna, ben = people["anna"], people["ben"]
    expected = plain(finish, ben, anna)
    advise(finish(ben, anna), anna)
    run_pending()
    assert figures() == expected


def test_the_ladder_follows_corrections_of_matches_by_advice(finish: Finish, anna: User, results: Results) -> None:
    lost, drawn = plain(finish, "greedy", anna), plain(finish, "greedy", anna, tie_break="die")
    match = advise(finish("greedy", anna), anna)
    run_pending()
    assert figures() == lost
    for held, expected in (
        ({"winner": "blue"}, {}),
        (BY_A_DIE, drawn),
        (VOIDED, {}),
        ({"winner": "red"}, lost),
        ({"ended_by": "forfeit", "winner": "red"}, {}),
        ({"winner": "blue"}, {}),
    ):
        correct(results, match, **held)
        assert figures() == expected, held
        assert rebuild(is_trial=True) == []
    assert rated() == [match.pk]


def test_a_win_by_advice_counts_when_it_is_corrected_into_a_loss(finish: Finish, anna: User, results: Results) -> None:
    """In its place: those who played later are rated anew."""
    match = advise(finish(anna, "greedy"), anna)
    finish(anna, "strong")
    run_pending()
    stored = figures()
    correct(results, match, winner="blue")
    assert figures()["anna"][2] == 2
    assert figures()["anna"][0] < stored["anna"][0]
    assert rebuild(is_trial=True) == []
    correct(results, match, winner="red")
    assert figures() == stored


def test_what_is_voided_before_it_is_rated_stays_out(finish: Finish, anna: User, results: Results) -> None:
    match = advise(finish("greedy", anna), anna)
    correct(results, match, **VOIDED)
    assert rate_match(match.pk) is None
    assert not RatedMatch.objects.exists()


def test_a_correction_before_the_rating_decides_what_a_win_is(finish: Finish, anna: User, results: Results) -> None:
    lost = plain(finish, "greedy", anna)
    match = advise(finish("greedy", anna), anna)
    assert match.result is not None
    results[match.pk] = {**match.result, "winner": "blue"}
    run_pending()
    assert figures() == {}
    correct(results, match, winner="red")
    assert figures() == lost


@pytest.mark.parametrize("players", CHANCES, ids=["won", "lost"])
def test_who_leaves_does_not_change_what_counted(
    finish: Finish, anna: User, results: Results, players: tuple[str, str]
) -> None:
    """The advice goes with the person, and that there was some stays with the rated match."""
    match = advise(finish(*(anna if name == "anna" else name for name in players)), anna)
    run_pending()
    stored = figures()
    leave(anna, delete_texts=False)
    assert not AskedAdvice.objects.exists()
    assert rebuild(is_trial=True) == []
    for winner in ("red", "blue"):
        correct(results, match, winner=winner)
        assert ("anna" in figures()) is (players[SIDES.index(winner)] != "anna")
    correct(results, match, winner="red")
    assert figures() == stored


def test_the_command_finds_the_same_figures_again(finish: Finish, anna: User) -> None:
    for players in ((anna, "greedy"), ("greedy", anna)):
        finish(*players)
        advise(finish(*players), anna)
    run_pending()
    stored = figures()
    assert stored["anna"][2] == 3
    call_command("rebuild_ladder", "--check", stdout=io.StringIO())
    LadderPlayer.objects.all().delete()
    call_command("rebuild_ladder", stdout=io.StringIO())
    assert figures() == stored


def test_the_staff_is_not_shown_who_was_advised(finish: Finish, anna: User, admin_client: Client) -> None:
    advise(finish("greedy", anna), anna)
    run_pending()
    row = RatedMatch.objects.get()
    for address in ("/admin/ladder/ratedmatch/", f"/admin/ladder/ratedmatch/{row.pk}/change/"):
        answer = admin_client.get(address)
        assert answer.status_code == 200
        assert "advi" not in answer.content.decode().lower()


def test_the_page_says_what_counts(client: Client) -> None:
    text = client.get("/ladder/").content.decode()
    assert "the winner asked the AI for advice in it" in text
    assert "or the AI played some of it for the winner, by request or because time ran out" in text
    assert "(if they lose or draw all the same, it counts)" in text


@pytest.mark.parametrize(
    ("sides", "places", "is_won"),
    [
        (["red"], {"red": 1, "blue": 2}, True),
        (["blue"], {"red": 1, "blue": 2}, False),
        ([], {"red": 1, "blue": 2}, False),
        (["red"], {"red": 1, "blue": 1}, False),
        (["gold"], {"red": 3, "blue": 2, "gold": 1, "green": 4}, True),
    ],
)
def test_what_a_win_is(sides: list[str], places: dict[str, int], is_won: bool) -> None:
    assert is_won_by(sides, places) is is_won
