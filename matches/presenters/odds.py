"""Chances as people read them."""

from __future__ import annotations


def percent(chance: float) -> int:
    """Return a chance in whole percent, 1 to 99 unless it is 0 or 1 to within a float's error."""
    rounded = round(chance * 100)
    return rounded if abs(chance - round(chance)) < 1e-9 else min(99, max(1, rounded))
