"""Which stables take part in a cycle: whole cycles are skipped, entered at their start, or left (R-CYC-11, Q-159)."""

from __future__ import annotations

from collections.abc import Collection

from rules.campaign.classes import SMALLEST_SEASON

FEWEST_IN_A_CYCLE = SMALLEST_SEASON
"""A match needs two stables; a cycle that begins with fewer is dropped (R-CYC-04)."""


def takes_part(joined_in: int, left_in: int | None, skipped: Collection[int], cycle: int) -> bool:
    """Return whether a stable takes part in a cycle, all numbered from 1 (R-CYC-11, Q-159).

    It takes part from the cycle it joined in up to the cycle it left in, except in those it skips. A stable that leaves
    during play keeps its place in that cycle. One that leaves before a cycle begins also skips that cycle. `left_in`
    None means that it has not left.
    """
    return joined_in <= cycle and cycle not in skipped and (left_in is None or cycle <= left_in)


def is_paid(left_in: int | None, cycle: int) -> bool:
    """Return whether a stable that took part in a cycle gets its purse: not when it left during it (Q-159).

    `left_in` None means that it has not left.
    """
    return left_in is None or cycle < left_in
