"""What follows from an attack once its damage is scored: effects of a hit, second attacks, the attacker's price."""

from __future__ import annotations

from rules.competition.attacks.damage import Hit, pay_for_miss
from rules.competition.attacks.facts import facts_of
from rules.competition.attacks.forms import Attack
from rules.competition.attacks.sighting import place_of
from rules.competition.state.events import EQUIPMENT_ROLLED, HEAT_TURNED, MARKED, SHUT_DOWN
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import ASSAULT, CLOSE, RANGED, SHUTDOWN
from rules.competition.state.roster import TOKEN
from rules.competition.units.heat import lose, roll_effects
from rules.core.attack_hooks import (
    OVERHEAT_LOSS,
    OVERHEAT_RECOVERS,
    follows_up,
    heat_for_damage,
    key_of,
    marks_target,
    overheats,
    shuts_down,
)
from rules.core.equipment import EQUIPMENT

ORDER_HEAT = {CLOSE: ("close", 1), RANGED: ("ranged", 1), ASSAULT: ("assault", 2)}
"""The heat of an order that attacks (R-HET-02, R-HET-03, R-HET-07); attacks under dig in or defend add none (Q-07)."""


def overheat(table: MatchState, attack: Attack) -> int | None:
    """Turn the heat dial to shutdown before the dice of an Alpha Strike (R-SED-11, Q-101).

    Return the clicks that it turned, None for other attacks.
    """
    unit = attack.attacker
    on_value = table.equipment_on_value(unit, attack.value)
    if not on_value or attack.follow_up:
        return None
    found = overheats(on_value, facts_of(table, attack))
    if not found:
        return None
    now, top = table.position.heat[unit], table.fighter(unit).steps
    table.emit(HEAT_TURNED, unit, now, top, found[0][0])
    return top - now


def after_hit(table: MatchState, hit: Hit) -> int:
    """Apply marks, heat instead of damage, shutdown by TSEMP. Return the attacker's bits that took effect."""
    attack = hit.attack
    on_value = table.equipment_on_value(attack.attacker, attack.value)
    if not hit.targets or not on_value:
        return 0
    facts = facts_of(table, attack)
    target = hit.targets[0]
    used = 0
    for key, _ in marks_target(on_value, facts):
        used |= EQUIPMENT[key].bit
        if place_of(table, target) >= 0 and target not in table.position.beacons:
            table.emit(MARKED, attack.attacker, target)
    for key, amount in heat_for_damage(on_value, facts):
        used |= EQUIPMENT[key].bit
        table.note_heat(target, amount, key)
    for key, highest in shuts_down(on_value, facts):
        used |= EQUIPMENT[key].bit
        (die,) = table.dice.roll(1, key)
        table.emit(EQUIPMENT_ROLLED, target, key, die, int(die <= highest))
        if die <= highest:
            table.emit(SHUT_DOWN, target, key)
    return used


def follow_up_of(table: MatchState, hit: Hit) -> Attack | None:
    """Return the second attack that Pulse or Rapid Strike makes of a hit, None when there is none.

    A second attack has no follow-up of its own (Q-102).
    """
    attack = hit.attack
    on_value = table.equipment_on_value(attack.attacker, attack.value)
    if not hit.targets or not on_value or attack.follow_up:
        return None
    found = follows_up(on_value, attack.is_ranged, attack.is_single)
    if not found or place_of(table, hit.targets[0]) < 0:
        return None
    return attack._replace(follow_up=EQUIPMENT[found[0][0]].bit)


def finish_attack(table: MatchState, attack: Attack, hit: Hit | None, used: int) -> None:
    """Charge what the attack costs its attacker: heat, a critical miss, single-use circles (Q-54 step 14).

    Targets and their protectors pay for their circles too, and an Alpha Strike ends with its die. `hit` is None for an
    attack on a friend, or when nothing was left to attack: then only the heat is charged. `used`: the equipment bits
    that took effect before the hit. Nobody pays when the attacker has left.
    """
    unit = attack.attacker
    if not table.is_in_play(unit):
        return
    if attack.follow_up:
        used |= attack.follow_up
        table.note_heat(unit, 1, key_of(attack.follow_up))
    elif attack.order in ORDER_HEAT:
        name, amount = ORDER_HEAT[attack.order]
        table.note_heat(unit, amount, name)
    if hit is None:
        return
    if hit.heat is not None:
        table.note_heat(unit, hit.heat[1], hit.heat[0])
    if hit.critical == "miss":
        pay_for_miss(table, unit)
    used |= hit.used
    if hit.overheated is not None:
        used |= EQUIPMENT[_overheating(table, attack)].bit
    table.charge_single_use(unit, used, attack.value)
    for target, bit in hit.used_by_targets:
        if target < TOKEN and table.is_in_play(target):
            table.charge_single_use(target, bit)
    if hit.overheated is not None:
        _cool_or_shut_down(table, attack)


def _overheating(table: MatchState, attack: Attack) -> str:
    """Return the key of the equipment that turned the heat dial before the dice."""
    return overheats(table.equipment_on_value(attack.attacker, attack.value), facts_of(table, attack))[0][0]


def _cool_or_shut_down(table: MatchState, attack: Attack) -> None:
    """Roll the die that ends an Alpha Strike (R-SED-11, Q-101)."""
    unit = attack.attacker
    key = _overheating(table, attack)
    (die,) = table.dice.roll(1, key)
    recovers = die >= OVERHEAT_RECOVERS
    table.emit(EQUIPMENT_ROLLED, unit, key, die, int(not recovers))
    if recovers:
        if lose(table, unit, OVERHEAT_LOSS, key):
            roll_effects(table, unit)
    elif not table.position.status[unit] & SHUTDOWN:
        table.emit(SHUT_DOWN, unit, key)
