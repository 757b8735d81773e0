"""Stables that can field one unit share a side in formats of two (Q-154, Q-168); the others are paired as ever."""

from __future__ import annotations

from itertools import chain

import pytest

from rules.campaign.season.pairing import Field, draw_round, draw_sides
from rules.core.dice import SeededDice

REPUTATION = {"a": 100, "b": 90, "c": 60, "d": 50, "e": 20, "f": 10}


def field(names: str, **changes: object) -> Field:
    return Field(list(names), REPUTATION, **changes)  # type: ignore[arg-type]


def dice(seed: int = 1) -> SeededDice:
    return SeededDice(seed.to_bytes(4, "big"))


@pytest.mark.parametrize("names", ["abcd", "abcde", "abcdef"])
@pytest.mark.parametrize("first", [True, False])
def test_without_singles_it_is_the_draw_of_pairs_with_the_same_dice(names: str, first: bool) -> None:
    plain, teams = draw_round(field(names), first, dice()), draw_sides(field(names), [], first, dice())
    assert teams.bye == plain.bye
    assert teams.meetings == tuple(((one,), (other,)) for one, other in plain.pairs)


def test_q_168_four_singles_meet_two_against_two_as_even_as_can_be() -> None:
    drawn = draw_sides(field("abcdef"), "abcd", False, dice())
    assert drawn.meetings[0] == (("a", "d"), ("b", "c"))
    assert drawn.meetings[1:] == ((("e",), ("f",)),)
    assert drawn.bye is None


def test_q_154_two_singles_join_where_that_spares_a_bye() -> None:
    drawn = draw_sides(field("abcde"), "de", False, dice())
    assert drawn.bye is None
    assert sorted(len(side) for side in chain(*drawn.meetings)) == [1, 1, 1, 2]
    assert ("d", "e") in chain(*drawn.meetings)
    # Their mean of 35 is nearest to c's 60.
    assert {("d", "e"), ("c",)} in [set(meeting) for meeting in drawn.meetings]


def test_q_154_in_an_even_field_nobody_loses_their_match_to_a_joint_side() -> None:
    drawn = draw_sides(field("abcd"), "cd", False, dice())
    assert drawn.bye is None
    assert {len(side) for side in chain(*drawn.meetings)} == {1}


def test_a_single_that_nobody_joins_plays_alone_or_has_the_bye() -> None:
    drawn = draw_sides(field("abc"), "c", False, dice())
    assert len(drawn.meetings) == 1
    assert drawn.bye is not None


@pytest.mark.parametrize("names", ["ab", "abc", "abcd", "abcde", "abcdef"])
@pytest.mark.parametrize("first", [True, False])
def test_everybody_is_placed_once_whoever_is_single(names: str, first: bool) -> None:
    for mask in range(2 ** len(names)):
        singles = [name for place, name in enumerate(names) if mask >> place & 1]
        drawn = draw_sides(field(names), singles, first, dice(mask))
        placed = [*chain(*chain(*drawn.meetings)), *([drawn.bye] if drawn.bye else [])]
        assert sorted(placed) == list(names)
        assert all(len(side) == 1 or set(side) <= set(singles) for side in chain(*drawn.meetings))


def test_rematches_of_either_partner_count_for_the_joint_side() -> None:
    drawn = draw_sides(field("abcde", met=[("c", "e"), ("c", "d"), ("b", "e")]), "de", False, dice())
    assert {("d", "e"), ("a",)} in [set(meeting) for meeting in drawn.meetings]


def test_the_order_of_listing_changes_nothing() -> None:
    for seed in range(20):
        one = draw_sides(field("abcdef"), "fbda", True, dice(seed))
        assert one == draw_sides(field("fedcba"), "abdf", True, dice(seed))
