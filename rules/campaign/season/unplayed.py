"""How a match ends that was not played in time, by the setting `unplayed` (Q-157)."""

from __future__ import annotations

AI, EXTEND, FORFEIT = "ai", "extend", "forfeit"


def ending_of(unplayed: str, *, is_sealed: bool, has_date_left: bool) -> str:
    """Return what becomes of an unplayed match whose time is over, for which nobody is excused.

    The AI plays only what has its line-ups; `has_date_left`: it was given no new date yet, nobody is claimed to be
    absent, and the calendar has one.
    """
    if unplayed == AI and is_sealed:
        return AI
    if unplayed == EXTEND and has_date_left:
        return EXTEND
    return FORFEIT
