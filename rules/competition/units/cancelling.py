"""The check for optional equipment that its owner cancels (R-SEG-08, R-SEG-11)."""

from __future__ import annotations

from rules.competition.state.match_state import MatchState
from rules.core.equipment import OPTIONAL, keys_of
from rules.core.refusals import Refusal


def cancel_problems(table: MatchState, unit: int, cancelled: int) -> list[Refusal]:
    """Return a problem (cannot_cancel) for each item that is not optional or not at work (R-SEG-08, R-SEG-11)."""
    wrong = cancelled & ~(table.equipment(unit) & OPTIONAL)
    return [Refusal("cannot_cancel", {"equipment": key, "unit": table.fighter(unit).name}) for key in keys_of(wrong)]
