"""The initiative phase: rolls, ties, the choice to go first, the turn order (section INI)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rules.competition.state.events import INITIATIVE_CHOSEN, INITIATIVE_ROLLED, TURN_ORDER
from rules.competition.state.match_state import DecisionKind, MatchState
from rules.competition.state.position import DEFENDED_LAST, UNCONSCIOUS
from rules.competition.state.reading import flag, only
from rules.competition.units.sources import INITIATIVE_ROLL, ask_sources
from rules.core.card_hooks import amounts
from rules.core.equipment_hooks import initiative_modifiers
from rules.core.refusals import Refusal

Ranking = tuple[int, ...]
"""Units by their result, the highest last."""

FirstChoice = tuple[bool]
"""(whether the unit goes first,)."""


class First(DecisionKind[Ranking, FirstChoice]):
    """Whether the unit with the highest result goes first instead of last (R-INI-04, Q-13). Data: units by result."""

    name = "initiative"

    def options(self, table: MatchState, unit: int, data: Ranking) -> list[FirstChoice]:
        return [(False,), (True,)]

    def problems(self, table: MatchState, unit: int, data: Ranking, choice: FirstChoice) -> list[Refusal]:
        return []

    def read(self, table: MatchState, unit: int, data: Ranking, document: Mapping[str, Any]) -> FirstChoice:
        only(document, "choose", "first")
        return (flag(document, "first"),)

    def write(self, table: MatchState, unit: int, data: Ranking, choice: FirstChoice) -> dict[str, Any]:
        return {"choose": self.name, "first": choice[0]}

    def why(self, table: MatchState, unit: int, data: Ranking) -> dict[str, Any]:
        return {"order": [table.fighter(other).name for other in data]}

    def resolve(self, table: MatchState, unit: int, data: Ranking, choice: FirstChoice) -> None:
        first = choice[0]
        table.emit(INITIATIVE_CHOSEN, unit, first)
        ranked = tuple(data)
        set_order(table, (ranked[-1], *ranked[:-1]) if first else ranked)

    def abandon(self, table: MatchState, unit: int, data: Ranking) -> None:
        set_order(table, tuple(other for other in data if table.is_in_play(other)))


FIRST = First()


def roll_initiative(table: MatchState) -> None:
    """Ask for the sources of equipment that matter for the roll, then roll."""
    if table.roster.has_cards:
        table.push(*((ask_sources, unit, INITIATIVE_ROLL) for unit in table.roster.units), (roll_all,))
    else:
        roll_all(table)


def roll_all(table: MatchState) -> None:
    """Roll 2d6 for every unit in the arena unless its pilot is unconscious, again for ties; let the highest choose."""
    position = table.position
    rollers = [unit for unit in table.roster.units if table.is_active(unit) and not position.status[unit] & UNCONSCIOUS]
    modifiers = {unit: _modifiers(table, unit) for unit in rollers}
    results: dict[int, int] = {}
    again = rollers
    while again:
        for unit in again:
            dice = table.dice.roll(2, "initiative")
            results[unit] = dice[0] + dice[1] + sum(modifiers[unit].values())
            table.emit(INITIATIVE_ROLLED, unit, dice, modifiers[unit], results[unit])
        again = []
        if len(set(results.values())) < len(results):
            count = Counter(results.values())
            again = [unit for unit in rollers if count[results[unit]] > 1]
    ranked = sorted(rollers, key=results.__getitem__)
    if len(ranked) > 1:
        table.ask(FIRST, ranked[-1], tuple(ranked))
    else:
        set_order(table, tuple(ranked))


def _modifiers(table: MatchState, unit: int) -> dict[str, int]:
    """Return the modifiers to all of a unit's initiative rolls of this round, by name (R-INI-06)."""
    found = dict(initiative_modifiers(table.equipment(unit)))
    if table.roster.has_texts:
        found |= amounts("initiative", table.texts(unit))
    if table.position.orders[unit] & DEFENDED_LAST:
        found["defend"] = -1  # R-INI-05
    return found


def set_order(table: MatchState, ranked: tuple[int, ...]) -> None:
    """Fix the round's turn order; units with unconscious pilots come last, in the order of the roster (Q-16)."""
    others = tuple(unit for unit in table.roster.units if table.is_active(unit) and unit not in ranked)
    table.emit(TURN_ORDER, ranked + others)
