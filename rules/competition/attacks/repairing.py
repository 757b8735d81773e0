"""Close attacks on friends: Repair and Coolant Flush (R-SEA-01, R-SEA-02, Q-106)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rules.competition.attacks.aftermath import finish_attack
from rules.competition.attacks.arithmetic import CRITICAL_HIT, CRITICAL_MISS, critical_of, explain, sum_of
from rules.competition.attacks.damage import NO_DAMAGE
from rules.competition.attacks.forms import Attack
from rules.competition.attacks.sighting import mendable
from rules.competition.state import reading
from rules.competition.state.events import ATTACK_RESOLVED, ATTACK_ROLLED, EQUIPMENT_ROLLED, REPAIRED
from rules.competition.state.match_state import DecisionKind, MatchState
from rules.core.attack_hooks import key_of, repairs
from rules.core.refusals import Malformed, Refusal

VALUE, DIE = "value", "die"


class Mending(NamedTuple):
    """A successful Repair before its amount is known."""

    attack: Attack
    is_critical: bool


def roll_friendly(table: MatchState, attack: Attack) -> tuple[bool, str | None]:
    """Roll for an attack on a friend; return whether it succeeds, and its critical: hit, miss or None.

    The rules are R-SEA-01 and R-SEA-02.
    """
    unit, target = attack.attacker, attack.targets[0]
    dice = table.dice.roll(3, "attack")
    table.emit(ATTACK_ROLLED, unit, dice, None)
    critical = critical_of(dice)
    summed = sum_of(table, attack, target)
    success = summed.is_hit_by(dice, critical)
    why = explain(table, attack, dice, [(summed, success)], NO_DAMAGE) if table.log is not None else None
    table.emit(ATTACK_RESOLVED, unit, (target,) if success else (), critical, why)
    return success, critical


def roll_repair(table: MatchState, attack: Attack) -> None:
    """Roll for a Repair; on a success its owner then chooses the damage value or a die (R-SEA-02)."""
    unit, target = attack.attacker, attack.targets[0]
    if not table.is_in_play(unit) or not table.is_in_play(target):
        finish_attack(table, attack, None, 0)
        return
    used = repairs(table.equipment(unit))
    success, critical = roll_friendly(table, attack)
    table.push((finish_attack, attack, None, 0), (charge_repair, unit, used))
    if success:
        table.ask(REPAIR_AMOUNT, unit, Mending(attack, critical == CRITICAL_HIT))
    elif critical == CRITICAL_MISS:
        table.note_damage(target, 1, "critical_miss")  # R-CRT-07


def charge_repair(table: MatchState, unit: int, used: int) -> None:
    """Charge a single-use Repair for its roll, whether or not it succeeded."""
    table.charge_single_use(unit, used)


RepairChoice = tuple[str]
"""(VALUE,) or (DIE,)."""


class RepairAmount(DecisionKind[Mending, RepairChoice]):
    """Whether a Repair turns back the damage value or a die (Q-106). Data: the mending."""

    name = "repair"

    def options(self, table: MatchState, unit: int, data: Mending) -> list[RepairChoice]:
        return [(VALUE,), (DIE,)]

    def problems(self, table: MatchState, unit: int, data: Mending, choice: RepairChoice) -> list[Refusal]:
        return []

    def read(self, table: MatchState, unit: int, data: Mending, document: Mapping[str, Any]) -> RepairChoice:
        reading.only(document, "choose", "amount")
        amount = reading.text(document, "amount")
        if amount not in (VALUE, DIE):
            raise Malformed("bad_field", field="amount", value=amount)
        return (amount,)

    def write(self, table: MatchState, unit: int, data: Mending, choice: RepairChoice) -> dict[str, Any]:
        return {"choose": self.name, "amount": choice[0]}

    def why(self, table: MatchState, unit: int, data: Mending) -> dict[str, Any]:
        target = data.attack.targets[0]
        return {
            "target": table.roster.target_name(target),
            "value": table.damage_by_heat(unit, data.attack.value),
            "most": mendable(table, target),
        }

    def resolve(self, table: MatchState, unit: int, data: Mending, choice: RepairChoice) -> None:
        target = data.attack.targets[0]
        if choice[0] == VALUE:
            amount = table.damage_by_heat(unit, data.attack.value)  # heat alone modifies it (R-SEA-02)
        else:
            (amount,) = table.dice.roll(1, "repair")
            table.emit(EQUIPMENT_ROLLED, unit, key_of(repairs(table.equipment(unit))), amount, amount)
        turned = min(mendable(table, target), amount + data.is_critical)  # R-CRT-04
        if turned:
            now = table.position.clicks[target]
            table.emit(REPAIRED, target, now, now - turned, unit)


REPAIR_AMOUNT = RepairAmount()
