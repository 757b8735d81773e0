"""What a declared target may do before the dice: dig in, defend or dodge, and cancel equipment (Q-19 to Q-23, Q-54)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.competition.attacks.circles import unspent_circles
from rules.competition.attacks.forms import Attack
from rules.competition.state import reading
from rules.competition.state.events import CANCELLED, ORDER_GIVEN
from rules.competition.state.match_state import DecisionKind, MatchState
from rules.competition.state.position import (
    COMBAT_ORDER,
    DEFEND,
    DIG_IN,
    DODGE,
    MOVE,
    ORDER_BITS,
    ORDER_NAMES,
    TARGETED_AGAIN,
)
from rules.competition.units.cancelling import cancel_problems
from rules.core.attack_hooks import intercepts, second_roll
from rules.core.equipment import OPTIONAL, keys_of
from rules.core.equipment_hooks import helps_target, only_moves_and_vents
from rules.core.refusals import Malformed, Refusal

REACTIONS = (DODGE, DEFEND, DIG_IN)


def may_react(table: MatchState, unit: int) -> bool:
    """Return whether the unit can react at all: it takes orders, has no combat order yet (Q-19) and no Salvage."""
    return (
        table.can_take_orders(unit)
        and not table.position.orders[unit] & COMBAT_ORDER
        and not only_moves_and_vents(table.equipment(unit))
    )


def reaction_problems(table: MatchState, unit: int, order: int) -> list[Refusal]:
    """Return why a unit that may react may not choose this reaction, an empty list when it may.

    `order` 0 is no reaction. The codes are dig_in_after_move and dig_in_after_target.
    """
    name = table.fighter(unit).name
    orders = table.position.orders[unit]
    if order == DIG_IN and orders & MOVE:
        return [Refusal("dig_in_after_move", {"unit": name})]
    if order == DIG_IN and orders & TARGETED_AGAIN:
        return [Refusal("dig_in_after_target", {"unit": name})]
    return []


ReactChoice = tuple[int, int]
"""(order bit or 0, cancelled)."""


class React(DecisionKind[Attack, ReactChoice]):
    """The reaction of one declared target (R-CMB-05). Data: the attack."""

    name = "react"

    def options(self, table: MatchState, unit: int, data: Attack) -> list[ReactChoice]:
        orders = (0, *(order for order in REACTIONS if not reaction_problems(table, unit, order)))
        found: list[ReactChoice] = [(order, 0) for order in orders]
        circles = unspent_circles(table, unit)
        if circles:
            declined = circles & helps_itself(table, unit, data)
            if declined:
                found.extend((order, declined) for order in orders)
        return found

    def problems(self, table: MatchState, unit: int, data: Attack, choice: ReactChoice) -> list[Refusal]:
        return reaction_problems(table, unit, choice[0]) + cancel_problems(table, unit, choice[1])

    def read(self, table: MatchState, unit: int, data: Attack, document: Mapping[str, Any]) -> ReactChoice:
        reading.only(document, "react", "cancel")
        named = document.get("react")
        if named == "none":
            return (0, reading.equipment(document))
        if not isinstance(named, str) or ORDER_BITS.get(named) not in REACTIONS:
            raise Malformed("bad_field", field="react", value=named)
        return (ORDER_BITS[named], reading.equipment(document))

    def write(self, table: MatchState, unit: int, data: Attack, choice: ReactChoice) -> dict[str, Any]:
        order, cancelled = choice
        document: dict[str, Any] = {"react": ORDER_NAMES[order] if order else "none"}
        if cancelled:
            document["cancel"] = keys_of(cancelled)
        return document

    def why(self, table: MatchState, unit: int, data: Attack) -> dict[str, Any]:
        return attack_in_words(table, data)

    def resolve(self, table: MatchState, unit: int, data: Attack, choice: ReactChoice) -> None:
        order, cancelled = choice
        if cancelled:
            table.emit(CANCELLED, unit, cancelled)
        if order:
            table.emit(ORDER_GIVEN, unit, order, True)
            table.note_heat(unit, 1, ORDER_NAMES[order])  # R-HET-04 to R-HET-06


HelpfulEquipment = tuple[Attack, int]
"""An attack, and the bits of optional equipment that matter for it."""

CancelChoice = tuple[int]
"""(cancelled,)."""


class CancelEquipment(DecisionKind[HelpfulEquipment, CancelChoice]):
    """Which optional equipment a protector, or a target that cannot react, cancels. Data: attack, bits that matter."""

    name = "cancel"

    def options(self, table: MatchState, unit: int, data: HelpfulEquipment) -> list[CancelChoice]:
        keys = keys_of(data[1])
        found: list[CancelChoice] = [(0,)]
        for key in keys:
            found.extend((mask[0] | reading.equipment({"cancel": [key]}),) for mask in list(found))
        return found

    def problems(self, table: MatchState, unit: int, data: HelpfulEquipment, choice: CancelChoice) -> list[Refusal]:
        return cancel_problems(table, unit, choice[0])

    def read(self, table: MatchState, unit: int, data: HelpfulEquipment, document: Mapping[str, Any]) -> CancelChoice:
        reading.only(document, "choose", "keys")
        return (reading.equipment(document, "keys"),)

    def write(self, table: MatchState, unit: int, data: HelpfulEquipment, choice: CancelChoice) -> dict[str, Any]:
        return {"choose": self.name, "keys": keys_of(choice[0])}

    def why(self, table: MatchState, unit: int, data: HelpfulEquipment) -> dict[str, Any]:
        return {**attack_in_words(table, data[0]), "equipment": keys_of(data[1])}

    def resolve(self, table: MatchState, unit: int, data: HelpfulEquipment, choice: CancelChoice) -> None:
        if choice[0]:
            table.emit(CANCELLED, unit, choice[0])


REACT = React()
CANCEL = CancelEquipment()


def ask_reaction(table: MatchState, unit: int, attack: Attack) -> None:
    """Ask one target for its reaction or, if it cannot react, which optional equipment to cancel."""
    if not table.is_in_play(unit) or not table.is_in_play(attack.attacker):
        return
    if may_react(table, unit):
        table.ask(REACT, unit, attack)
        return
    helpful = helps_itself(table, unit, attack) & OPTIONAL
    if helpful:
        table.ask(CANCEL, unit, (attack, helpful))


def helps_itself(table: MatchState, unit: int, attack: Attack) -> int:
    """Return the bits of a target's own equipment that would take effect in this attack on it."""
    active = table.equipment(unit)
    helpful = helps_target(active, table, unit, attack.is_ranged) | second_roll(active, attack.is_ranged)
    if attack.is_ranged and table.fighter(attack.attacker).range_types[attack.value] == "ballistic":
        helpful |= intercepts(active)
    return helpful


def attack_in_words(table: MatchState, attack: Attack) -> dict[str, Any]:
    """Return a declared attack, JSON-ready: attacker, targets, damage value, and whether it is ranged and indirect."""
    return {
        "attacker": table.fighter(attack.attacker).name,
        "targets": [table.roster.target_name(target) for target in attack.targets],
        "value": ("primary", "secondary")[attack.value],
        "ranged": attack.is_ranged,
        "indirect": attack.indirect,
    }
