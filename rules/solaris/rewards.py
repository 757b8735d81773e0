"""Rewards of a match in reputation: kills, surrenders, forfeits, flags (sections END, SUR, FOR, FMT).

A target token states its own reward.
"""

from __future__ import annotations

from collections.abc import Mapping

KILL_OF_LOWER, KILL_OF_EQUAL_OR_HIGHER = 70, 80
"""Reputation for the kill of a unit of lower total, and of equal or higher total (R-END-05, R-END-06)."""

SURRENDER_AWARD = 70
"""Reputation for each remaining pilot and stable when a surrender ends the match (R-SUR-05, Q-137)."""

FORFEIT_WIN = 70
"""Reputation for the single opponent's stable, and for each pilot that it nominated (R-FOR-02, Q-157)."""

FORFEIT_LOSS = 30
"""Reputation that a stable gains when it cannot play a match, spread over its pilots (R-FOR-03)."""

FLAG_AT_HOME, FLAG_CARRIED = "home", "carried"

FLAG_POINTS: Mapping[tuple[bool, str], int] = {
    (True, FLAG_AT_HOME): 30,
    (True, FLAG_CARRIED): 15,
    (False, FLAG_AT_HOME): 60,
    (False, FLAG_CARRIED): 30,
}
"""Reputation for a flag, by whether it is the side's own, and whether it lies in the side's home or is carried
(R-FMT-19)."""


def for_kill(fallen: int, killer: int) -> int:
    """Return the reputation that a kill pays, by the points of the eliminated unit and of the one that eliminates it
    (R-END-05, R-END-06).

    >>> for_kill(fallen=131, killer=146), for_kill(fallen=146, killer=146)
    (70, 80)
    """
    return KILL_OF_LOWER if fallen < killer else KILL_OF_EQUAL_OR_HIGHER
