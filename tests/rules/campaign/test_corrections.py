"""What another result changes: correcting is the same as having settled the right result in the first place."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign.garage.repair import BRACKETS
from rules.campaign.results.corrections import (
    FOUGHT,
    KEPT,
    REFUND,
    WEAR,
    Deeds,
    Taking,
    changes_of_record,
    cost_in_same_bracket,
    dead_pilots,
    deeds_of,
    effect_on_unit,
    purse_changes,
    refund_due,
    seal_of,
    take_back,
    void,
)


def document(red: int = 95, blue: int = 0, kills: int = 1, winner: str = "red", **unit: Any) -> dict[str, Any]:
    def stable(side: str, points: int, count: int) -> dict[str, Any]:
        individuals = {f"pilot:{side}:1": {"reputation": points, "kills": count}}
        return {"side": side, "banked": points, "kills": count, "won": side == winner, "individuals": individuals}

    blue_unit = {"side": "blue", "stable": 2, "asset": "unit:u:1", "pilot": "pilot:blue:1", "before": 1, "clicks": 4,
            "eliminated": False, "kills": 0, "pilot_dead": False, **unit}  # fmt: skip
    return {
        "ended_by": "last_side",
        "winner": winner,
        "sides": {"red": {"stable": 1, "banked": red}, "blue": {"stable": 2, "banked": blue}},
        "stables": {"1": stable("red", red, kills), "2": stable("blue", blue, 0)},
        "units": {"blue-1": blue_unit},
    }


documents = st.builds(
    document,
    red=st.integers(0, 200),
    blue=st.integers(0, 200),
    kills=st.integers(0, 3),
    winner=st.sampled_from(["red", "blue"]),
)


def added(*changes: dict[Any, Deeds]) -> dict[Any, tuple[int, ...]]:
    """Fold entries of the book as it is folded: field by field."""
    book: dict[Any, Counter[str]] = {}
    for change in changes:
        for line, deeds in change.items():
            book.setdefault(line, Counter()).update(vars(deeds))
    found = {
        line: tuple(total[name] for name in ("reputation", "kills", "wins", "matches")) for line, total in book.items()
    }
    return {line: totals for line, totals in found.items() if any(totals)}


@given(st.lists(st.one_of(documents, documents.map(void)), min_size=1, max_size=4))
def test_a_correction_of_a_correction_leaves_what_the_last_result_would_have_brought(results: list[Any]) -> None:
    changes = [deeds_of(results[0])]
    changes += [changes_of_record(one, other) for one, other in pairwise(results)]
    assert added(*changes) == added(deeds_of(results[-1]))


def test_a_voided_match_was_not_played() -> None:
    voided = void(document(clicks=4))
    assert added(deeds_of(voided)) == {}
    assert (voided["winner"], voided["ended_by"]) == (None, "void")
    assert (voided["units"]["blue-1"]["clicks"], voided["units"]["blue-1"]["eliminated"]) == (1, False)


def test_r_dth_01_dead_pilots_are_named_by_stable() -> None:
    assert dead_pilots(document(pilot_dead=True)) == {(2, "pilot:blue:1")}
    assert dead_pilots(void(document(pilot_dead=True))) == dead_pilots(document()) == set()


@pytest.mark.parametrize(
    ("is_repaired", "has_fought", "is_sold", "effect"),
    [
        (False, False, False, WEAR),
        (True, False, False, REFUND),
        (True, True, True, REFUND),
        (False, True, False, FOUGHT),
        (False, False, True, KEPT),
    ],
)
def test_damage_is_corrected_unless_repaired_or_fought_with(
    is_repaired: bool, has_fought: bool, is_sold: bool, effect: str
) -> None:
    assert effect_on_unit(is_repaired, has_fought, is_sold) == effect


@pytest.mark.parametrize(("paid", "now", "refund"), [(100, 0, 100), (100, 50, 50), (50, 100, 0), (50, 50, 0)])
def test_a_repair_of_cancelled_damage_is_refunded_and_a_dearer_one_not_charged(
    paid: int, now: int, refund: int
) -> None:
    assert refund_due(paid, now) == refund


@pytest.mark.parametrize("bracket", [costs for _, costs in BRACKETS])
def test_r_crp_03_06_the_price_of_a_state_names_its_bracket(bracket: dict[str, int]) -> None:
    for state, paid in bracket.items():
        for other, cost in bracket.items():
            assert cost_in_same_bracket(paid, state, other) == cost
        assert cost_in_same_bracket(paid, state, "undamaged") == 0


@pytest.mark.parametrize(
    ("capital", "amount", "taking"),
    [(100, 60, Taking(60, 0)), (50, 60, Taking(50, 10)), (0, 60, Taking(0, 60))],
)
def test_r_ast_12_what_is_there_is_taken_and_the_rest_is_owed(capital: int, amount: int, taking: Taking) -> None:
    assert take_back(capital, amount) == taking


def test_purses_change_by_their_difference() -> None:
    assert purse_changes({1: 400, 2: 325, 3: 250}, {1: 325, 2: 400, 3: 250}) == {1: -75, 2: 75}


def test_the_seal_names_the_effects_and_the_correction() -> None:
    effects = [{"what": "kills", "amount": 1}]
    assert seal_of(effects, 1) == seal_of([{"amount": 1, "what": "kills"}], 1)
    assert len({seal_of(effects, 1), seal_of(effects, 2), seal_of([], 1)}) == 3
