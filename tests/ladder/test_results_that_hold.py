"""The ladder follows the results that hold: voided and corrected ones."""

from __future__ import annotations

from typing import Any

import pytest

from jobs.models import Job
from jobs.services import run_pending
from ladder.models import RatedMatch
from ladder.services import rate_match, rebuild
from people.models import User
from tests.ladder.conftest import Finish, Results, correct
from tests.ladder.test_rating_matches import figures, rated

pytestmark = [pytest.mark.django_db, pytest.mark.database]
VOIDED = {"ended_by": "void", "winner": None}
FORFEITED = {"ended_by": "forfeit", "winner": "red"}


def test_the_ladder_follows_a_corrected_winner(finish: Finish, people: dict[str, User], results: Results) -> None:
    """As if the match had ended so: those who played later are rated anew too, in the same order."""
    anna, ben, carla = people.values()
    first = finish(anna, ben)
    finish(ben, carla)
    run_pending()
    as_played = figures()
    correct(results, first, winner="blue")
    corrected = figures()
    assert corrected["ben"] > as_played["ben"]
    assert corrected["carla"] != as_played["carla"], "it lost against somebody who is better now"
    assert rebuild(is_trial=True) == []
    assert rated()[0] == first.pk
    correct(results, first, winner="red")
    assert figures() == as_played


def test_corrected_places_that_only_dice_part_are_shared(
    finish: Finish, people: dict[str, User], results: Results
) -> None:
    """A stables' book knows reputation and kills; the totals are those of the match that was played."""
    match = finish(people["anna"], people["ben"], people["carla"])
    assert match.result is not None
    places = ["red", "green", "blue"]
    book = {side: {"reputation": 10, "kills": 1} for side in places}
    correct(results, match, places=places, sides=book)
    means = {name: mean for name, (mean, _, _) in figures().items()}
    assert means["anna"] > means["ben"] == means["carla"]
    match.result["sides"]["blue"]["total"] = 95
    match.save(update_fields=["result"])
    correct(results, match, places=places, sides=book)
    means = {name: mean for name, (mean, _, _) in figures().items()}
    assert means["anna"] > means["carla"] > means["ben"]


@pytest.mark.parametrize("held", [VOIDED, FORFEITED], ids=["voided", "forfeited"])
def test_a_match_that_no_play_decides_any_more_does_not_count(
    finish: Finish, people: dict[str, User], results: Results, held: dict[str, Any]
) -> None:
    anna, ben, carla = people.values()
    other = finish(ben, carla)
    run_pending()
    without = figures()
    match = finish(anna, ben)
    run_pending()
    assert "anna" in figures()
    correct(results, match, **held)
    assert figures() == without
    assert rated() == [other.pk, match.pk], "rows of rated matches are never changed"
    correct(results, match, winner="blue")
    assert set(figures()) == {"anna", "ben", "carla"}


def test_what_is_voided_before_it_is_rated_is_not_rated(
    finish: Finish, people: dict[str, User], results: Results
) -> None:
    match = finish(people["anna"], people["ben"])
    correct(results, match, **VOIDED)
    assert rate_match(match.pk) is None
    assert not RatedMatch.objects.exists()
    assert set(Job.objects.values_list("state", flat=True)) == {Job.State.DONE}
