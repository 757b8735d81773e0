"""Random matches and positions for the property tests, and the whole state of a match to compare."""

import random
from collections.abc import Iterator
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from rules.competition.match import Match
from rules.core.dice import SeededDice
from tests.rules.board import decisions, random_match, random_position

SHAPES = [(2, 2), (2, 3), (3, 3), (2, 4), (4, 4), (3, 6), (2, 8), (8, 8)]
"""Sides and units."""

seeds = st.integers(0, 10**6)
shapes = st.sampled_from(SHAPES)


def quickly(examples: int) -> Any:
    """So many examples; the random parts are in the seeds."""
    return settings(max_examples=examples)


def some_match(seed: int, shape: tuple[int, int]) -> Match:
    """A whole match for even seeds, a position dropped into the middle of one for odd ones."""
    make = random_position if seed % 2 else random_match
    return make(seed, sides=shape[0], units=shape[1])


def finished(seed: int, shape: tuple[int, int]) -> Match:
    """A match played at random to its end."""
    match = some_match(seed, shape)
    for _ in decisions(match, random.Random(seed)):
        pass
    assert match.decision is None
    return match


def dice_state(match: Match) -> tuple[Any, ...]:
    dice = match.table.dice
    assert isinstance(dice, SeededDice)
    return tuple(getattr(dice, name) for name in SeededDice.__slots__)


def state(match: Match) -> tuple[Any, ...]:
    """Everything that a refused action must leave alone."""
    table = match.table
    counts = len(match.actions), len(table.log or ())
    return table.position.copy(), list(table.agenda), table.open, dice_state(match), counts


def visited(seed: int, shape: tuple[int, int], step: int, limit: int) -> Iterator[Match]:
    """Some of the decisions of a match."""
    match = some_match(seed, shape)
    for number, _ in enumerate(decisions(match, random.Random(seed))):
        if number % step == seed % step:
            yield match
            limit -= 1
            if not limit:
                return
