"""Head-to-head and strength of schedule: statistics of the house."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from rules.campaign.results.corrections import void
from rules.campaign.standings.schedule import HeadToHead, head_to_head, strengths_of_schedule


def match(winner: int | None, *stables: int | tuple[int, str], banked: int = 70, **more: Any) -> dict[str, Any]:
    """A result; a stable with a side of its own has its number as side."""
    named = [one if isinstance(one, tuple) else (one, str(one)) for one in stables]
    sides = dict(named)
    won = None if winner is None else sides[winner]
    return {
        "ended_by": "last_side",
        "winner": won,
        "sides": {},
        "units": {},
        "stables": {
            str(number): {"side": side, "banked": banked if side == won else 0, "kills": 0, "won": side == won}
            for number, side in named
        },
        **more,
    }


def test_o_m12_head_to_head_counts_both_ways() -> None:
    found = head_to_head([match(1, 1, 2), match(2, 1, 2, banked=95), match(1, 1, 3)])
    assert found[1, 2] == HeadToHead(2, 1, 1, 70)
    assert found[2, 1] == HeadToHead(2, 1, 1, 95)
    assert found[3, 1] == HeadToHead(1, 0, 1, 0)
    assert (2, 3) not in found


def test_voided_results_and_byes_are_no_meetings_and_forfeits_are() -> None:
    played = match(1, 1, 2)
    assert head_to_head([void(played), match(1, 1)]) == {}
    assert head_to_head([match(1, 1, 2, ended_by="forfeit")])[2, 1] == HeadToHead(1, 0, 1, 0)


def test_only_the_winner_of_several_sides_beats_the_others_and_partners_do_not_meet() -> None:
    found = head_to_head([match(1, 1, 2, 3)])
    assert (found[2, 3].wins, found[2, 3].losses, found[2, 1].losses) == (0, 0, 1)
    shared = head_to_head([match(1, (1, "red"), (2, "red"), (3, "blue"))])
    assert (1, 2) not in shared
    assert shared[3, 2].losses == 1


def test_strength_of_schedule_leaves_the_own_matches_out() -> None:
    results = [match(1, 1, 2), match(2, 2, 3), match(2, 2, 4), match(3, 3, 4)]
    found = strengths_of_schedule(results)
    assert found[1] == Decimal("100.0"), "2 won both its other matches"
    assert found[3] == Decimal("25.0"), "2 won one of two others, 4 lost its other one"
    assert found[4] == Decimal("25.0"), "2 won one of two others, 3 lost its other one"
    assert found[2] == Decimal("50.0"), "3 won its other match and 4 did not; 1 has no other and is left out"


def test_without_another_match_of_an_opponent_there_is_no_strength() -> None:
    assert strengths_of_schedule([match(1, 1, 2)]) == {}
    assert strengths_of_schedule([]) == {}


def test_an_opponent_met_twice_counts_twice() -> None:
    results = [match(1, 1, 2), match(1, 1, 2), match(1, 1, 3), match(2, 2, 4), match(4, 3, 4)]
    assert strengths_of_schedule(results)[1] == Decimal("66.7"), "100, 100 and 0"
