"""Every roll is an event: what was thrown can be read from the record of a match, die by die, in the order of play.

The same of every scenario is held by tests/rules/scenario/test_scenarios.py.
"""

import random

import pytest

from rules.competition.formats import FORMATS
from rules.competition.match import Match
from rules.core.dice import SeededDice
from tests.rules.board import decisions, dice_in, flat
from tests.rules.competition.formats.test_formats import setup_of
from tests.rules.dealing import dealt


class Recorded(SeededDice):
    """Dice that keep what they showed."""

    __slots__ = ("thrown",)

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.thrown: list[int] = []

    def roll(self, count: int, purpose: str) -> tuple[int, ...]:
        faces = super().roll(count, purpose)
        self.thrown.extend(faces)
        return faces


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("key", FORMATS)
def test_every_die_of_a_random_match_is_shown(key: str, seed: int) -> None:
    dice = Recorded(seed)
    match = Match.start(setup_of(key, seed), dice)
    for _ in decisions(match, random.Random(seed)):
        pass
    assert dice.thrown
    assert dice_in(flat(match)) == dice.thrown


@pytest.mark.parametrize("number", range(6))
def test_every_die_of_a_match_with_cards_is_shown(number: int) -> None:
    dice = Recorded(number)
    match = Match.start(dealt(number), dice)
    for _ in decisions(match, random.Random(number)):
        pass
    assert dice_in(flat(match)) == dice.thrown
