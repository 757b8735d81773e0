"""The order of the standings, changes of rank, and net worth."""

from __future__ import annotations

import pytest

from rules.campaign.capital import net_worth, worth_of
from rules.campaign.standings.places import Record, rank_changes, ranked


def test_r_cyc_09_kills_part_those_that_are_even_and_both_even_share_a_rank() -> None:
    table = ranked([Record("d", 10, 0), Record("b", 50, 2), Record("a", 50, 3), Record("c", 50, 2), Record("e", 9, 9)])
    assert [(line.name, line.rank, line.is_shared, line.decided_by) for line in table] == [
        ("a", 1, False, None),
        ("b", 2, True, "kills"),
        ("c", 2, True, "kills"),
        ("d", 4, False, None),
        ("e", 5, False, None),
    ]


def test_changes_of_rank_count_upwards() -> None:
    before = [Record("a", 30, 0), Record("b", 20, 0), Record("c", 10, 0)]
    now = [Record("a", 30, 0), Record("b", 25, 0), Record("c", 40, 0), Record("new", 0, 0)]
    assert rank_changes(before, now) == {"a": -1, "b": -1, "c": 2}


@pytest.mark.parametrize(
    ("price", "repair", "is_alive", "worth"),
    [(120, 0, True, 120), (120, 50, True, 70), (20, 50, True, 0), (20, 0, False, 0)],
)
def test_r_ast_07_r_ast_09_r_dth_01_an_asset_is_worth_what_it_would_bring(
    price: int, repair: int, is_alive: bool, worth: int
) -> None:
    assert worth_of(price, repair, is_alive=is_alive) == worth


def test_what_is_owed_is_not_owned() -> None:
    assert net_worth(300, 40, [120, 70]) == 450
