"""Two sources of equipment for one value: the owner says which of them serves (R-SEG-14, R-GER-07, Q-107).

Asked on a turn in which the choice can matter: the unit's own, or one in which it is attacked. The answer holds until
it is asked again; before the first answer the dial serves. A choice is `("dial",)` or `("gear",)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.competition import reading
from rules.competition.card_events import SOURCE_CHOSEN
from rules.competition.gearing import Conflict
from rules.competition.position import EQUIPMENT_STATE, GEAR_SERVES, GONE
from rules.competition.table import Choice, DecisionKind, Table
from rules.core.equipment import keys_of
from rules.core.equipment_hooks import mask_of
from rules.core.refusals import IllegalAction, Malformed, Refusal

INITIATIVE_ROLL, SPECIAL_TURN, MOVE_TURN, COMBAT_TURN, TARGET = range(5)
"""The moments at which a source may be asked for."""

_MOVING = ("jumps", "break_away", "run_heat", "flat_entry_cost")
_DEFENDING = (
    "defense", "caps_scored", "armor", "second_roll", "intercepts", "lends_defense", "shuns_indirect_and_missiles",
)  # fmt: skip
_FIGHTING = (
    "damage", "reroll", "ignores_armor", "ignores_lines", "attack", "marks", "strikes_all", "overheats", "damage_die",
    "damage_after_hit", "half_again", "die_for_damage", "heat_for_damage", "shuts_down", "follows_up", "flushes",
    "repairs", "holds_fast", "only_moves_and_vents",
)  # fmt: skip


def matters(moment: int) -> int:
    """The equipment bits that change something at this moment."""
    if moment == INITIATIVE_ROLL:
        return mask_of("initiative")
    if moment in (SPECIAL_TURN, MOVE_TURN):
        return mask_of(*_MOVING)
    if moment == TARGET:
        return mask_of(*_DEFENDING)
    return mask_of(*_MOVING, *_FIGHTING)


class Source(DecisionKind):
    """Which source serves one value. Data: the conflict."""

    name = "source"

    def options(self, table: Table, unit: int, data: Conflict) -> list[Choice]:
        found: list[Choice] = [("dial",), ("gear",)]
        return found[::-1] if table.position.status[unit] & GEAR_SERVES[data.card] else found

    def problems(self, table: Table, unit: int, data: Conflict, choice: Choice) -> list[Refusal]:
        return []

    def read(self, table: Table, unit: int, data: Conflict, document: Mapping[str, Any]) -> Choice:
        reading.only(document, "choose", "value", "from")
        value = reading.text(document, "value")
        if value != data.location:
            raise IllegalAction("other_decision", given=value, expected=data.location)
        served = reading.text(document, "from")
        if served not in ("dial", "gear"):
            raise Malformed("bad_field", field="from", value=served)
        return (served,)

    def write(self, table: Table, unit: int, data: Conflict, choice: Choice) -> dict[str, Any]:
        return {"choose": self.name, "value": data.location, "from": choice[0]}

    def why(self, table: Table, unit: int, data: Conflict) -> dict[str, Any]:
        return {"value": data.location, "dial": keys_of(data.dial)[0], "gear": keys_of(data.gear)[0]}

    def resolve(self, table: Table, unit: int, data: Conflict, choice: Choice) -> None:
        if choice != self.options(table, unit, data)[0]:
            table.emit(SOURCE_CHOSEN, unit, data.location, data.card, choice[0])


SOURCE = Source()


def ask_sources(table: Table, unit: int, moment: int) -> None:
    """Ask for each value of the unit at which the choice would change something at this moment."""
    position, fighter = table.position, table.fighter(unit)
    if position.status[unit] & GONE:
        return
    relevant = matters(moment)
    asked = [
        conflict
        for conflict in fighter.conflicts[position.clicks[unit]]
        if (conflict.dial | conflict.gear) & relevant and is_open(table, unit, conflict)
    ]
    table.push(*((ask_source, unit, conflict) for conflict in asked))


def is_open(table: Table, unit: int, conflict: Conflict) -> bool:
    """Whether the choice changes anything at all: heat or shutdown may have silenced both items."""
    position, fighter = table.position, table.fighter(unit)
    state = position.status[unit] & EQUIPMENT_STATE
    other = state ^ GEAR_SERVES[conflict.card]
    place = position.heat[unit], position.clicks[unit]
    return fighter.equipment[state][place[0]][place[1]] != fighter.equipment[other][place[0]][place[1]]


def ask_source(table: Table, unit: int, conflict: Conflict) -> None:
    """Ask for one value."""
    if table.is_in_play(unit):
        table.ask(SOURCE, unit, conflict)
