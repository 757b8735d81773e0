"""How a match that was not played in time ends, by the setting `unplayed` (Q-157)."""

from __future__ import annotations

AI, EXTEND, FORFEIT = "ai", "extend", "forfeit"


def ending_of(unplayed: str, *, is_sealed: bool, has_date_left: bool) -> str:
    """Return how an unplayed match ends when its time is over and nobody is excused: AI, EXTEND or FORFEIT.

    The AI plays only a match with all line-ups (`is_sealed`). `has_date_left` says that the match has had no new date
    yet, that nobody is claimed to be absent, and that the calendar has another date.
    """
    if unplayed == AI and is_sealed:
        return AI
    if unplayed == EXTEND and has_date_left:
        return EXTEND
    return FORFEIT
