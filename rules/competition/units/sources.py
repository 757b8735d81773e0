"""The choice between sources of equipment for one value: the owner says which one serves (R-SEG-14, R-GER-07, Q-107).

The owner is asked on a turn in which the choice can matter: the unit's own, or one with an attack on the unit or on a
friend near it. The answer holds until the next question. Before the first answer the dial serves, or the first of two
cards. A choice is `("dial",)` or `("gear",)`; when two gear cards differ it names the card, `(key,)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.competition.state import reading
from rules.competition.state.card_events import GEAR_CHOSEN, SOURCE_CHOSEN
from rules.competition.state.gear_tables import DIAL, Conflict, Source, chosen_source
from rules.competition.state.match_state import DecisionKind, MatchState
from rules.competition.state.position import EQUIPMENT_STATE, GEAR_SERVES, GEAR_SHIFT, GONE
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
    """Return the equipment bits that change something at this moment."""
    if moment == INITIATIVE_ROLL:
        return mask_of("initiative")
    if moment == SPECIAL_TURN:
        return mask_of(*_MOVING, "damage")  # the impact of a charge takes what Brawling adds (R-SED-17)
    if moment == MOVE_TURN:
        return mask_of(*_MOVING)
    if moment == TARGET:
        return mask_of(*_DEFENDING)
    return mask_of(*_MOVING, *_FIGHTING)


def serving_now(table: MatchState, unit: int, conflict: Conflict) -> Source:
    """Return the source that serves until its owner says otherwise."""
    return chosen_source(conflict.sources, (table.position.status[unit] & EQUIPMENT_STATE) >> GEAR_SHIFT)


def name_of(table: MatchState, unit: int, conflict: Conflict, source: Source) -> str:
    """Return the name of a source: dial, gear, or the card's key when two cards differ."""
    if source.card == DIAL:
        return "dial"
    return "gear" if len(conflict.cards) == 1 else table.fighter(unit).gear_keys[source.card]


SourceChoice = tuple[str]
"""(the name of the source,)."""


class ChooseSource(DecisionKind[Conflict, SourceChoice]):
    """Which source serves one value. Data: the conflict."""

    name = "source"

    def options(self, table: MatchState, unit: int, data: Conflict) -> list[SourceChoice]:
        now = serving_now(table, unit, data)
        listed = (now, *(source for source in data.sources if source != now))
        return [(name_of(table, unit, data, source),) for source in listed]

    def problems(self, table: MatchState, unit: int, data: Conflict, choice: SourceChoice) -> list[Refusal]:
        return []

    def read(self, table: MatchState, unit: int, data: Conflict, document: Mapping[str, Any]) -> SourceChoice:
        reading.only(document, "choose", "value", "from")
        value = reading.text(document, "value")
        if value != data.location:
            raise IllegalAction("other_decision", given=value, expected=data.location)
        served = reading.text(document, "from")
        if all(served != name_of(table, unit, data, source) for source in data.sources):
            raise Malformed("bad_field", field="from", value=served)
        return (served,)

    def write(self, table: MatchState, unit: int, data: Conflict, choice: SourceChoice) -> dict[str, Any]:
        return {"choose": self.name, "value": data.location, "from": choice[0]}

    def why(self, table: MatchState, unit: int, data: Conflict) -> dict[str, Any]:
        found = {name_of(table, unit, data, source): keys_of(source.bit)[0] for source in data.sources}
        return {"value": data.location, **found}

    def resolve(self, table: MatchState, unit: int, data: Conflict, choice: SourceChoice) -> None:
        now = serving_now(table, unit, data)
        wanted = next(source for source in data.sources if name_of(table, unit, data, source) == choice[0])
        if wanted == now:
            return
        if len(data.cards) > 1 and wanted.card != DIAL:
            table.emit(GEAR_CHOSEN, unit, data.location, wanted.card, choice[0])
        else:
            card = now.card if wanted.card == DIAL else wanted.card
            table.emit(SOURCE_CHOSEN, unit, data.location, card, "dial" if wanted.card == DIAL else "gear")


SOURCE = ChooseSource()


def ask_sources(table: MatchState, unit: int, moment: int) -> None:
    """Ask for the source of each value of the unit for which the choice would change something at this moment."""
    # Most units have nothing to choose from, and this runs for every unit on every turn.
    if has_conflicts(table, unit):
        ask_for(table, unit, matters(moment))


def has_conflicts(table: MatchState, unit: int) -> bool:
    """Return whether the unit is in play and has several sources for any value at its click."""
    position = table.position
    return not position.status[unit] & GONE and bool(table.roster.fighters[unit].conflicts[position.clicks[unit]])


def ask_for(table: MatchState, unit: int, relevant: int) -> None:
    """Ask for the source of each value of the unit that has one of these equipment bits among its sources."""
    if not has_conflicts(table, unit):
        return
    position, fighter = table.position, table.fighter(unit)
    asked = [
        conflict
        for conflict in fighter.conflicts[position.clicks[unit]]
        if conflict.bits & relevant and is_open(table, unit, conflict)
    ]
    table.push(*((ask_source, unit, conflict) for conflict in asked))


def is_open(table: MatchState, unit: int, conflict: Conflict) -> bool:
    """Return whether the choice changes anything at all: heat or shutdown may have silenced all items."""
    position, fighter = table.position, table.fighter(unit)
    heat, click = position.heat[unit], position.clicks[unit]
    plain = position.status[unit] & EQUIPMENT_STATE
    for card in conflict.cards:
        plain &= ~GEAR_SERVES[card]
    states = (plain, *(plain | GEAR_SERVES[card] for card in conflict.cards))
    return len({fighter.equipment[state][heat][click] for state in states}) > 1


def ask_source(table: MatchState, unit: int, conflict: Conflict) -> None:
    """Ask for the source of one value."""
    if table.is_in_play(unit):
        table.ask(SOURCE, unit, conflict)
