"""Unconscious pilots: revive attempts at the beginning of each phase and on being declared a target (section UNC)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.competition.state.events import REVIVE_ROLLED, REVIVED
from rules.competition.state.match_state import DecisionKind, MatchState
from rules.competition.state.position import UNCONSCIOUS
from rules.competition.state.reading import flag, only
from rules.core.card_hooks import total
from rules.core.refusals import Refusal

REVIVE_AT = 4
"""What d6 plus the pilot's defense modifier must reach (R-UNC-05)."""


ReviveChoice = tuple[bool]
"""(whether it tries,)."""


class Revive(DecisionKind[None, ReviveChoice]):
    """Whether to try to wake the pilot (R-UNC-07: optional)."""

    name = "revive"

    def options(self, table: MatchState, unit: int, data: None) -> list[ReviveChoice]:
        return [(False,), (True,)]

    def problems(self, table: MatchState, unit: int, data: None, choice: ReviveChoice) -> list[Refusal]:
        return []

    def read(self, table: MatchState, unit: int, data: None, document: Mapping[str, Any]) -> ReviveChoice:
        only(document, "choose", "attempt")
        return (flag(document, "attempt"),)

    def write(self, table: MatchState, unit: int, data: None, choice: ReviveChoice) -> dict[str, Any]:
        return {"choose": self.name, "attempt": choice[0]}

    def resolve(self, table: MatchState, unit: int, data: None, choice: ReviveChoice) -> None:
        if not choice[0]:
            return
        fighter = table.fighter(unit)
        modifier = fighter.pilot_defense + total("revive", fighter.texts)
        (die,) = table.dice.roll(1, "revive")
        success = die + modifier >= REVIVE_AT
        table.emit(REVIVE_ROLLED, unit, die, modifier, success)
        if success:
            table.emit(REVIVED, unit)


REVIVE = Revive()


def ask_revive(table: MatchState, unit: int) -> None:
    """Offer a revive attempt if the unit's pilot is unconscious."""
    if table.position.status[unit] & UNCONSCIOUS and table.is_in_play(unit):
        table.ask(REVIVE, unit)


def ask_revivals(table: MatchState, in_turn_order: bool) -> None:
    """Offer one attempt for each unconscious pilot, before anything else in a phase (R-UNC-03)."""
    out = [unit for unit in table.roster.units if table.position.status[unit] & UNCONSCIOUS and table.is_in_play(unit)]
    if out:
        table.push(*((ask_revive, unit) for unit in (table.in_turn_order(out) if in_turn_order else out)))
