"""What a deed, a purchase or a gift moves: Fame, Character Points (CP) and C-bills."""

from __future__ import annotations

from typing import NamedTuple

ROUNDED_DOWN_TO = 10_000
"""C-bills of a cost, and of what a sale brings, are a multiple of this (MC-PILOT-04)."""


class Worth(NamedTuple):
    """Fame, CP and C-bills, each a whole number that may be below 0."""

    fame: int = 0
    cp: int = 0
    c_bills: int = 0

    def times(self, count: int) -> Worth:
        """Return the same `count` times."""
        return Worth(self.fame * count, self.cp * count, self.c_bills * count)


NOTHING = Worth()


def rounded_down(c_bills: int) -> int:
    """Return a cost, 0 or more C-bills, as it is paid (MC-PILOT-04).

    >>> rounded_down(936_540)
    930000
    """
    return c_bills // ROUNDED_DOWN_TO * ROUNDED_DOWN_TO
