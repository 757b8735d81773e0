"""What a sealed basket buys, and who gets a Unique that several want."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rules.campaign.market.baskets import Buyer, Line, decide_uniques, fill
from rules.core.dice import ScriptedDice, SeededDice


def unit(key: str, points: int, rank: str = "green") -> Line:
    return Line("unit", {"id": key, "name": key.title(), "rank": rank, "points": points})


KING, QUEEN = unit("king", 100, "unique"), unit("queen", 60, "unique")
PAWN, ROOK = unit("pawn", 40), unit("rook", 80)


def bought(buyer: Buyer, *lines: Line, lost: Any = None) -> list[bool]:
    return [not one.problems for one in fill(buyer, lines, lost)]


def test_r_ast_02_12_lines_are_bought_in_order_and_what_is_too_dear_is_skipped() -> None:
    filled = fill(Buyer(1, 130), [ROOK, PAWN, PAWN, unit("dot", 10)])
    assert [one.capital_after for one in filled] == [50, 10, 10, 0]
    assert [[problem.code for problem in one.problems] for one in filled] == [[], [], ["capital_too_small"], []]
    assert filled[2].problems[0].parameters["missing"] == 30


def test_no_basket_buys_more_of_a_kind_than_a_stable_may_have() -> None:
    card = Line("rally_card", {"id": "R-1", "name": "Card"})
    filled = fill(Buyer(1, 500, counts={"unit": 48}), [PAWN, card, PAWN, PAWN, card])
    assert [[problem.code for problem in one.problems] for one in filled] == [[], [], [], ["too_many_assets"], []]


def test_r_ast_13_a_second_copy_of_a_unique_is_skipped_inside_one_basket() -> None:
    assert bought(Buyer(1, 500), KING, KING, PAWN, PAWN) == [True, False, True, True]
    owner = Buyer(1, 500, owned=frozenset({("unit", "king")}))
    assert bought(owner, KING) == [False]


def test_a_basket_of_a_stable_that_owes_buys_nothing() -> None:
    assert bought(Buyer(1, 500, owed=1), PAWN) == [False]


def test_r_dth_02_a_basket_does_not_bring_the_dead_back() -> None:
    pilot = Line("pilot", {"id": "P-1", "name": "Grad", "kind": "common", "points": 5})
    assert bought(Buyer(1, 50, dead=frozenset({("pilot", "P-1")})), pilot) == [False]


def one_market(number: int, capital: int = 500) -> Buyer:
    return Buyer(number, capital, is_one_market=True)


def test_q_161_the_better_die_gets_the_unique_and_the_loser_reads_both_dice() -> None:
    baskets = [(one_market(1), [KING]), (one_market(2), [PAWN, KING]), (one_market(3), [PAWN])]
    lost = decide_uniques(baskets, ScriptedDice([2, 5]))
    assert set(lost[1]) == {("unit", "king")}
    assert lost[2] == lost[3] == {}
    refused = fill(baskets[0][0], baskets[0][1], lost[1])[0].problems[0]
    assert (refused.code, refused.parameters["rolls"], refused.parameters["best"]) == ("unique_lost_by_die", [2], [5])
    assert bought(*baskets[1][:1], *baskets[1][1], lost=lost[2]) == [True, True]


def test_q_161_equal_dice_are_rolled_again_among_the_equal() -> None:
    baskets = [(one_market(number), [KING]) for number in (1, 2, 3)]
    lost = decide_uniques(baskets, ScriptedDice([4, 1, 4, 3, 3, 2, 6]))
    assert [number for number in lost if not lost[number]] == [3]
    assert lost[1]["unit", "king"]["rolls"] == [4, 3, 2]


def test_q_161_a_basket_without_the_stones_takes_nothing_from_the_next_die() -> None:
    lost = decide_uniques([(one_market(1, 99), [KING]), (one_market(2), [KING])], ScriptedDice([6, 1]))
    assert lost[2] == {}


def test_q_161_who_loses_one_unique_and_spends_the_stones_leaves_the_other() -> None:
    # Stable 1 would win the queen; without the king it buys two rooks first and cannot pay her.
    first = (one_market(1, 170), [KING, ROOK, ROOK, QUEEN])
    second = (one_market(2), [KING, QUEEN])
    lost = decide_uniques([first, second], ScriptedDice([1, 6, 6, 1]))
    assert lost[2] == {}
    assert set(lost[1]) == {("unit", "king"), ("unit", "queen")}


@given(
    capitals=st.lists(st.integers(0, 400), min_size=2, max_size=5),
    picks=st.lists(st.lists(st.sampled_from([KING, QUEEN, PAWN, ROOK]), max_size=5), min_size=5, max_size=5),
    seed=st.integers(0, 9999),
)
def test_q_161_nobody_shares_a_unique_and_none_that_somebody_can_pay_is_left(
    capitals: list[int], picks: list[list[Line]], seed: int
) -> None:
    baskets = [(one_market(number, capital), picks[number]) for number, capital in enumerate(capitals)]
    lost = decide_uniques(baskets, SeededDice(seed))
    filled = {buyer.number: fill(buyer, lines, lost[buyer.number]) for buyer, lines in baskets}
    for ware in (KING.ware, QUEEN.ware):
        takers = [n for n, lines in filled.items() if any(one.line.ware == ware and not one.problems for one in lines)]
        assert len(takers) <= 1
        wanted = [n for n, lines in filled.items() if any(one.line.ware == ware for one in lines)]
        if wanted and not takers:
            assert all(
                one.problems[0].code == "capital_too_small"
                for n in wanted
                for one in filled[n]
                if one.line.ware == ware
            )
    assert decide_uniques(list(reversed(baskets)), SeededDice(seed)) == lost
