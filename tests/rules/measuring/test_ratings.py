"""Ratings: what places do to them, that folding is exact, and what places a result gives."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.measuring.ratings import BEGINNER, Rating, places_of, rate


def result(**fields: Any) -> dict[str, Any]:
    return {"winner": "red", "tie_break": None, "places": [], "sides": {"red": {}, "blue": {}}, **fields}


def test_the_winner_goes_up_and_the_loser_as_much_down_and_both_are_surer() -> None:
    winner, loser = rate([BEGINNER, BEGINNER], [1, 2])
    assert winner.mean > BEGINNER.mean > loser.mean
    assert winner.mean - BEGINNER.mean == pytest.approx(BEGINNER.mean - loser.mean)
    assert max(winner.deviation, loser.deviation) < BEGINNER.deviation
    assert winner.low == winner.mean - 2 * winner.deviation
    assert winner.high == winner.mean + 2 * winner.deviation


def test_an_upset_moves_more_than_what_was_expected() -> None:
    strong, weak = Rating(1900, 60), Rating(1300, 60)
    expected = rate([strong, weak], [1, 2])[0].mean - strong.mean
    upset = strong.mean - rate([strong, weak], [2, 1])[0].mean
    assert 0 < 10 * expected < upset


def test_who_is_surer_moves_less() -> None:
    sure, doubtful = Rating(1500, 40), Rating(1500, 240)
    after_sure, after_doubtful = rate([sure, doubtful], [1, 2])
    assert 0 < 10 * (after_sure.mean - 1500) < 1500 - after_doubtful.mean


def test_a_draw_of_equals_moves_nobody_and_one_of_others_brings_them_together() -> None:
    assert [after.mean for after in rate([BEGINNER, BEGINNER], [1, 1])] == pytest.approx([1500, 1500])
    high, low = rate([Rating(1600, 100), Rating(1400, 100)], [1, 1])
    assert 1400 < low.mean < high.mean < 1600


def test_places_of_many_sides_all_count() -> None:
    after = rate([BEGINNER] * 4, [3, 1, 4, 2])
    means = [rating.mean for rating in after]
    assert sorted(means, reverse=True) == [means[1], means[3], means[0], means[2]]
    shared = rate([BEGINNER] * 4, [1, 2, 2, 2])
    assert shared[1] == shared[2] == shared[3]


def test_true_strengths_are_found_and_doubt_covers_them() -> None:
    """Four players of known strength: after many matches the order is right and the distances are about right."""
    rng = random.Random(8)
    strengths = [1200.0, 1400.0, 1600.0, 1800.0]
    ratings = [BEGINNER] * 4
    for _ in range(3000):
        one, other = rng.sample(range(4), 2)
        chance = 1 / (1 + 10 ** ((strengths[other] - strengths[one]) / 400))
        places = [1, 2] if rng.random() < chance else [2, 1]
        ratings[one], ratings[other] = rate([ratings[one], ratings[other]], places)
    middle = sum(rating.mean for rating in ratings) / 4
    for strength, rating in zip(strengths, ratings, strict=True):
        assert rating.deviation < 40
        assert rating.low - middle < strength - 1500 < rating.high - middle


def test_folding_in_pieces_is_folding_at_once_to_the_last_digit() -> None:
    rng = random.Random(3)
    matches = [(rng.sample(range(5), 3), rng.sample([1, 2, 3], 3)) for _ in range(60)]

    def fold(ratings: list[Rating], played: list[Any]) -> list[Rating]:
        for players, places in played:
            after = rate([ratings[player] for player in players], places)
            for player, rating in zip(players, after, strict=True):
                ratings[player] = rating
        return ratings

    whole = fold([BEGINNER] * 5, matches)
    # What is stored between is two floating-point numbers.
    half = [Rating(float(repr(each.mean)), float(repr(each.deviation))) for each in fold([BEGINNER] * 5, matches[:31])]
    assert fold(half, matches[31:]) == whole


@pytest.mark.parametrize(("players", "places"), [(1, [1]), (2, [1]), (0, []), (2, [1, 2, 3])])
def test_places_that_make_no_match_are_refused(players: int, places: list[int]) -> None:
    with pytest.raises(ValueError, match="two or more"):
        rate([BEGINNER] * players, places)


@pytest.mark.parametrize(
    ("fields", "places"),
    [
        ({}, {"red": 1, "blue": 2}),
        ({"winner": "blue"}, {"red": 2, "blue": 1}),
        ({"tie_break": "total"}, {"red": 1, "blue": 2}),
        ({"tie_break": "die"}, {"red": 1, "blue": 1}),
        ({"sides": {"red": {}, "blue": {}, "green": {}}}, {"red": 1, "blue": 2, "green": 2}),
    ],
)
def test_r_end_08_places_of_a_result(fields: dict[str, Any], places: dict[str, int]) -> None:
    assert places_of(result(**fields)) == places


def standing(reputation: int, kills: int, total: int, *, surrendered: bool = False) -> dict[str, Any]:
    return {"reputation": reputation, "kills": kills, "total": total, "surrendered": surrendered}


MELEE = {
    "a": standing(20, 1, 90),
    "b": standing(10, 0, 90),
    "c": standing(10, 0, 90),
    "d": standing(10, 0, 95),
    "e": standing(10, 0, 95),
    "f": standing(0, 0, 95),
}


def test_q_167_who_only_dice_part_share_a_place_of_a_melee() -> None:
    melee = result(places=list("acbdef"), winner="a", sides=MELEE)
    assert places_of(melee) == {"a": 1, "b": 2, "c": 2, "d": 4, "e": 4, "f": 6}


@pytest.mark.parametrize(
    ("others", "places"),
    [
        # The die over the first place is rolled among those of one reputation and one total, whatever their kills.
        ({"b": standing(20, 3, 90), "c": standing(20, 0, 95)}, {"a": 1, "b": 1, "c": 3}),
        ({"c": standing(20, 3, 80, surrendered=True), "b": standing(20, 1, 90)}, {"a": 1, "b": 1, "c": 3}),
        ({"c": standing(20, 1, 90, surrendered=True), "b": standing(20, 1, 90)}, {"a": 1, "b": 1, "c": 3}),
    ],
    ids=["kills", "surrendered", "surrendered alike"],
)
def test_r_end_11_who_a_die_alone_makes_the_winner_of_a_melee_shares_the_first_place(
    others: dict[str, Any], places: dict[str, int]
) -> None:
    melee = result(places=["a", *others], winner="a", sides={"a": MELEE["a"], **others}, tie_break="die")
    assert places_of(melee) == places


def test_the_winner_of_a_melee_by_anything_else_shares_nothing() -> None:
    alike = {"a": MELEE["a"], "b": MELEE["a"]}
    assert places_of(result(places=["a", "b"], winner="a", sides=alike)) == {"a": 1, "b": 2}
