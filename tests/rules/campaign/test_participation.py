"""R-CYC-11 and Q-159: skipping a cycle, late entry, withdrawal."""

from __future__ import annotations

from rules.campaign.season.participation import is_paid, takes_part

CYCLES = range(1, 7)


def cycles_of(joined_in: int, left_in: int | None, skipped: set[int]) -> list[int]:
    return [cycle for cycle in CYCLES if takes_part(joined_in, left_in, skipped, cycle)]


def test_r_cyc_11_a_stable_skips_whole_cycles_and_comes_back() -> None:
    assert cycles_of(1, None, set()) == [1, 2, 3, 4, 5, 6]
    assert cycles_of(1, None, {2, 5}) == [1, 3, 4, 6]


def test_q_159_entry_is_at_the_start_of_a_cycle() -> None:
    assert cycles_of(3, None, set()) == [3, 4, 5, 6]


def test_q_159_who_leaves_keeps_its_place_in_that_cycle_and_takes_no_part_later() -> None:
    assert cycles_of(1, 3, set()) == [1, 2, 3]
    # Before cycle 3 began: it is skipped and left.
    assert cycles_of(1, 3, {3}) == [1, 2]
    assert cycles_of(1, 1, {1}) == []


def test_q_159_a_withdrawal_costs_the_purse_of_its_cycle() -> None:
    assert [is_paid(3, cycle) for cycle in CYCLES] == [True, True, False, False, False, False]
    assert all(is_paid(None, cycle) for cycle in CYCLES)
