"""Places, champions and pairings."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from rules.campaign.season.pairing import Field, draw_round
from rules.campaign.standings.places import CycleScore, Record, cycle_places, leaders
from rules.core.dice import ScriptedDice, SeededDice


def score(
    stable: str, reputation: int = 0, kills: int = 0, wins: int = 0, matches: int = 3, total: int = 0
) -> CycleScore:
    return CycleScore(stable, reputation, kills, wins, matches, total)


@pytest.mark.parametrize(
    ("scores", "dice", "rank_by", "expected"),
    [
        pytest.param(
            [score("a", 80), score("b", 150)],
            [],
            "cycle_reputation",
            [("b", None), ("a", "reputation")],
            id="Q-126-reputation",
        ),
        pytest.param(
            [score("a", 80, 1), score("b", 80, 2)],
            [],
            "cycle_reputation",
            [("b", None), ("a", "kills")],
            id="Q-126-kills",
        ),
        pytest.param(
            [score("a", 80, 1, 1), score("b", 80, 1, 2)],
            [],
            "cycle_reputation",
            [("b", None), ("a", "wins")],
            id="Q-126-wins",
        ),
        pytest.param(
            [score("a", 80), score("b", 80)], [2, 5], "cycle_reputation", [("b", None), ("a", "die")], id="Q-126-die"
        ),
        pytest.param(
            [score("a"), score("b"), score("c")],
            [4, 6, 4, 1, 3],
            "cycle_reputation",
            [("b", None), ("c", "die"), ("a", "die")],
            id="Q-126-die-again",
        ),
        pytest.param(
            [score("a", 140, matches=2), score("b", 150)],
            [],
            "cycle_reputation",
            [("a", None), ("b", "reputation")],
            id="Q-158-per-match",
        ),
        pytest.param(
            [score("a", 100, 0, 1, matches=3), score("b", 67, 0, 1, matches=2)],
            [],
            "cycle_reputation",
            [("b", None), ("a", "reputation")],
            id="Q-158-exact-fraction",
        ),
        pytest.param(
            [score("a", 80, 0, 2), score("b", 150, 0, 1)],
            [],
            "wins",
            [("a", None), ("b", "wins")],
            id="purse_rank_by-wins",
        ),
        pytest.param(
            [score("a", 80, total=300), score("b", 150, total=200)],
            [],
            "total_reputation",
            [("a", None), ("b", "total_reputation")],
            id="purse_rank_by-total",
        ),
    ],
)
def test_q_126_q_158_cycle_places(
    scores: list[CycleScore], dice: list[int], rank_by: str, expected: list[tuple[str, str | None]]
) -> None:
    script = ScriptedDice(dice)
    places = cycle_places(reversed(scores), script, rank_by)
    assert [(place.stable, place.decided_by) for place in places] == expected
    assert [place.place for place in places] == list(range(1, len(scores) + 1))
    assert script.left == ()


def test_nobody_ranks_by_what_is_not_known() -> None:
    with pytest.raises(ValueError, match="beauty"):
        cycle_places([], ScriptedDice([]), "beauty")


def test_q_158_reputation_per_match_is_exact() -> None:
    assert score("a", 100).reputation_per_match == Fraction(100, 3)
    assert score("a", 0, matches=0).reputation_per_match == 0


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        pytest.param([Record("a", 200, 0), Record("b", 199, 9)], ("a",), id="R-CYC-08"),
        pytest.param([Record("a", 200, 1), Record("b", 200, 2)], ("b",), id="R-CYC-09-kills"),
        pytest.param(
            [Record("b", 200, 2), Record("a", 200, 2), Record("c", 10, 5)], ("a", "b"), id="R-CYC-09-sudden-death"
        ),
        pytest.param([], (), id="nobody"),
    ],
)
def test_r_cyc_08_09_leaders(records: list[Record], expected: tuple[str, ...]) -> None:
    assert leaders(records) == expected


EIGHT = [f"stable-{letter}" for letter in "abcdefgh"]


def test_q_149_first_round_is_drawn_and_does_not_depend_on_the_listing() -> None:
    drawn = draw_round(Field(EIGHT), True, SeededDice(1))
    assert drawn == draw_round(Field(EIGHT[::-1]), True, SeededDice(1))
    assert sorted(stable for pair in drawn.pairs for stable in pair) == EIGHT
    assert len({draw_round(Field(EIGHT), True, SeededDice(seed)).pairs for seed in range(20)}) > 10


def test_r_cyc_07_near_reputation_meets() -> None:
    reputation = dict(zip(EIGHT, (300, 290, 200, 205, 100, 110, 0, 5), strict=True))
    pairing = draw_round(Field(EIGHT, reputation), False, SeededDice(1))
    assert {frozenset(pair) for pair in pairing.pairs} == {
        frozenset(EIGHT[index : index + 2]) for index in (0, 2, 4, 6)
    }


def test_q_149_a_rematch_weighs_more_than_any_distance() -> None:
    reputation = {"a": 1000, "b": 1000, "c": 0, "d": 0}
    pairing = draw_round(Field(list("abcd"), reputation, met=[("a", "b"), ("c", "d")]), False, SeededDice(3))
    assert frozenset("ab") not in {frozenset(pair) for pair in pairing.pairs}


@pytest.mark.parametrize("size", [4, 6, 8])
@pytest.mark.parametrize("seed", range(6))
def test_q_149_no_rematch_in_a_cycle_that_can_avoid_it(size: int, seed: int) -> None:
    dice, met, reputation = SeededDice(seed), [], dict.fromkeys(EIGHT[:size], 0)
    for number in range(3 if size < 8 else 4):
        pairing = draw_round(Field(EIGHT[:size], reputation, met), number == 0, dice)
        for one, other in pairing.pairs:
            reputation[one] += 70 + dice.draw(50, "test")
            met.append((one, other))
    assert len({frozenset(pair) for pair in met}) == len(met)


@pytest.mark.parametrize("size", [4, 6])
@pytest.mark.parametrize("seed", range(10))
def test_q_149_matching_equals_brute_force(size: int, seed: int) -> None:
    dice = SeededDice(seed)
    stables = EIGHT[:size]
    reputation = {stable: dice.draw(300, "test") for stable in stables}
    met = [pair for pair in combinations(stables, 2) if dice.draw(2, "test")]

    def cost(pairs: tuple[tuple[str, str], ...]) -> tuple[int, int]:
        rematches = sum(tuple(sorted(pair)) in met for pair in pairs)
        return rematches, sum((reputation[one] - reputation[other]) ** 2 for one, other in pairs)

    pairing = draw_round(Field(stables, reputation, met), False, dice)
    assert cost(pairing.pairs) == min(cost(pairs) for pairs in _perfect(stables))


def _perfect(stables: list[str]) -> list[tuple[tuple[str, str], ...]]:
    if not stables:
        return [()]
    first, rest = stables[0], stables[1:]
    return [((first, other), *tail) for other in rest for tail in _perfect([one for one in rest if one != other])]


def test_q_158_byes_go_round_five_stables_exactly_three_each() -> None:
    stables, byes, met = EIGHT[:5], dict.fromkeys(EIGHT[:5], 0), []
    for cycle in range(5):
        in_cycle = dict.fromkeys(stables, 0)
        for number in range(3):
            pairing = draw_round(Field(stables, {}, met, byes, in_cycle), number == 0, SeededDice(cycle * 10 + number))
            assert pairing.bye is not None
            assert len(pairing.pairs) == 2
            byes[pairing.bye] += 1
            in_cycle[pairing.bye] += 1
            met += pairing.pairs
        assert max(in_cycle.values()) == 1
    assert set(byes.values()) == {3}
