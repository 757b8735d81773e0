"""Dice for thinking show as many hits as there are, over all play-outs together."""

import random
from collections import Counter
from itertools import product

import pytest

from rules.bots.stratified_dice import STRATIFIED_ROLLS, Strata
from rules.core.odds import CHANCES


def test_as_many_play_outs_as_rolls_see_each_roll_once() -> None:
    spread = Strata(216, random.Random(1))
    seen = Counter(spread.dice(number).roll(3, "attack") for number in range(216))
    assert seen == Counter(product(range(1, 7), repeat=3))


@pytest.mark.parametrize("needed", range(4, 18))
@pytest.mark.parametrize("roll", range(STRATIFIED_ROLLS))
def test_hits_come_as_often_as_they_should_in_every_roll(needed: int, roll: int) -> None:
    """Within one play-out of the expected number, where plain dice miss it by two and a half on average."""
    spread = Strata(24, random.Random(needed))
    hits = 0
    for number in range(24):
        dice = spread.dice(number)
        for _ in range(roll):
            dice.roll(3, "attack")
        first, second, odd = dice.roll(3, "attack")
        hits += first == second == 6 or (not first == second == 1 and first + second + odd >= needed)
    assert abs(hits - 24 * CHANCES[needed]) <= 1


def test_rolls_of_one_play_out_do_not_follow_each_other() -> None:
    spread = Strata(64, random.Random(3))
    high = [[sum(dice.roll(3, "attack")) > 10 for _ in range(2)] for dice in map(spread.dice, range(64))]
    assert 4 < sum(first and second for first, second in high) < 28


def test_dice_are_the_same_when_asked_for_again_and_others_from_another_seed() -> None:
    spread, other = Strata(8, random.Random(5)), Strata(8, random.Random(6))
    assert [spread.dice(3).roll(3, "a"), spread.dice(3).roll(3, "a")][0] == spread.dice(3).roll(3, "b")
    assert [spread.dice(n).roll(3, "a") for n in range(8)] != [other.dice(n).roll(3, "a") for n in range(8)]


def test_more_rolls_than_are_spread_and_every_size_are_dice_all_the_same() -> None:
    dice = Strata(4, random.Random(7)).dice(0)
    for count in (1, 2, 3, 4, 6) * 20:
        assert all(1 <= face <= 6 for face in dice.roll(count, "any"))
        assert len(dice.roll(count, "any")) == count
    assert {dice.draw(3, "any") for _ in range(60)} == {0, 1, 2}
