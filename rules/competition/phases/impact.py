"""The course of a charge or a death from above: line, move, dice, impact damage, the attacker's price."""

from __future__ import annotations

from rules.competition.attacks.approaches import FROM_THE_AIR, Approach, charge_line
from rules.competition.attacks.arithmetic import CRITICAL_HIT, CRITICAL_MISS, critical_of, explain, sum_of
from rules.competition.attacks.damage import Damage, knock_out, pay_for_miss
from rules.competition.attacks.forms import Attack, plain_attack
from rules.competition.attacks.protecting import ask_protectors, ask_sources_beside
from rules.competition.attacks.reactions import CANCEL
from rules.competition.phases.move_phase import JUMP, RUN, carry_out_move
from rules.competition.state.events import ATTACK_RESOLVED, ATTACK_ROLLED, DAMAGE_SCORED
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import CHARGE, DEATH_FROM_ABOVE, ORDER_NAMES
from rules.competition.state.roster import PRIMARY
from rules.competition.state.special_events import GROUNDED
from rules.competition.units.free_spins import ask_free_spin
from rules.competition.units.sources import TARGET, ask_sources
from rules.core.equipment import EQUIPMENT, OPTIONAL, bits_of
from rules.core.equipment_hooks import damage_modifiers, helps_target, impact_reductions

IMPACT = {CHARGE: 1, DEATH_FROM_ABOVE: 2}
"""What impact damage adds to the primary value (R-CHG-10, R-DFA-08)."""


def way(table: MatchState, unit: int, kind: int) -> tuple[int, int]:
    """Return the mode and speed of the move: a charge runs (R-CHG-07), a death from above jumps (R-DFA-05)."""
    speed = table.speed(unit)
    return (RUN, 2 * speed) if kind == CHARGE else (JUMP, speed)


def approach(
    table: MatchState, unit: int, kind: int, target: int, destination: int, facing: int, path: tuple[int, ...] | None
) -> None:
    """Judge the line, move, offer free spins, and queue the dice.

    If the target has surrendered, the attacker only pays the heat (Q-136).
    """
    if not table.is_in_play(target):
        pay_heat(table, unit, kind)
        return
    line = charge_line(table, unit, target, destination, facing) if kind == CHARGE else FROM_THE_AIR
    spared = target if kind == DEATH_FROM_ABOVE or line.is_rear else -1  # R-CHG-06, R-DFA-07
    mode, _ = way(table, unit, kind)
    table.push((offer_cancel, unit, kind, target), (strike, unit, kind, target, line))
    used = carry_out_move(table, unit, mode, destination, facing, path, ORDER_NAMES[kind], spared)
    table.charge_single_use(unit, used)


def offer_sources(table: MatchState, unit: int, kind: int, target: int) -> None:
    """Ask for the source of each value of the target, and of friends that protect it, that has several (Q-107)."""
    attack = plain_attack(unit, kind, target)
    table.push((ask_sources, target, TARGET), (ask_sources_beside, attack))


def offer_cancel(table: MatchState, unit: int, kind: int, target: int) -> None:
    """Ask the target's side which optional equipment to cancel (R-SEG-08); there are no reactions (R-CHG-14)."""
    if not table.is_in_play(target) or not table.is_in_play(unit):
        return
    attack = plain_attack(unit, kind, target)
    table.push((ask_protectors, attack))
    helpful = helps_target(table.equipment(target), table, target, False) & OPTIONAL
    if helpful:
        table.ask(CANCEL, target, (attack, helpful))


def strike(table: MatchState, unit: int, kind: int, target: int, line: Approach) -> None:
    """Roll, compare, score impact damage, and pay for it (R-CHG-09 to R-CHG-12, R-DFA-06 to R-DFA-11).

    If the target has surrendered in the meantime, there is no attack, and the attacker only pays the heat.
    """
    if not table.is_in_play(unit):
        return
    if not table.is_in_play(target):
        pay_heat(table, unit, kind)
        return
    added = damage_modifiers(table.equipment(unit), False)
    primary = table.damage(unit, PRIMARY) + sum(amount for _, amount in added)
    dice = table.dice.roll(3, "attack")
    table.emit(ATTACK_ROLLED, unit, dice, None)
    attack = plain_attack(unit, kind, target)
    critical = critical_of(dice)
    damage = impact_damage(kind, primary)
    is_hit = compare(table, attack, dice, critical, line, damage)
    if is_hit:
        score_impact(table, unit, target, damage.amount, critical)
        if kind == DEATH_FROM_ABOVE:
            table.emit(GROUNDED, target)
        table.roster.format.after_hits(table, (target,))
    if critical == CRITICAL_MISS:
        pay_for_miss(table, unit)
    if kind == CHARGE:
        table.note_damage(unit, max(1, (primary + 1) // 2), "charge")
    else:
        table.note_damage(unit, 1 if is_hit else 2, "death_from_above")
        if not is_hit:
            table.push((ask_free_spin, target, unit))
    pay_heat(table, unit, kind)
    table.charge_single_use(unit, bits_of(key for key, _ in added))


def pay_heat(table: MatchState, unit: int, kind: int) -> None:
    """Pay the heat of a special attack: 2 in all for a charge, none for a death from above (R-CHG-12, R-DFA-13)."""
    if kind == CHARGE:
        table.note_heat(unit, 2, "charge")


def impact_damage(kind: int, primary: int) -> Damage:
    """Return the damage of a hit; `primary` is the value with its equipment (R-CHG-10, R-DFA-08)."""
    return Damage(primary + IMPACT[kind], primary, ((ORDER_NAMES[kind], IMPACT[kind]),), None)


def compare(
    table: MatchState, attack: Attack, dice: tuple[int, ...], critical: str | None, line: Approach, damage: Damage
) -> bool:
    """Compare the roll with the target's defense, charge the circles that defended it, and return whether it hits.

    The attack value has only the modifiers of `special_modifiers` (Q-93).
    """
    (target,) = attack.targets
    summed = sum_of(table, attack, target, line)
    is_hit = summed.is_hit_by(dice, critical)
    why = explain(table, attack, dice, [(summed, is_hit)], damage) if table.log is not None else None
    table.emit(ATTACK_RESOLVED, attack.attacker, attack.targets if is_hit else (), critical, why)
    for owner, bit in summed.used:
        table.charge_single_use(owner, bit)
    return is_hit


def score_impact(table: MatchState, unit: int, target: int, scored: int, critical: str | None) -> None:
    """Score impact damage: it has no range type, and of all equipment only Agility reduces it (R-DMG-07)."""
    if critical == CRITICAL_HIT:
        scored += table.roster.house_rules.critical_hit_extra_damage
    taken = impact_reductions(table.equipment(target), scored)
    dealt = scored + sum(amount for _, amount in taken)
    why = None
    if table.log is not None:
        why = {
            "cause": "impact",
            "reductions": [{"name": key, "amount": amount, "rule": EQUIPMENT[key].rule} for key, amount in taken],
        }
    table.emit(DAMAGE_SCORED, unit, target, scored, dealt, why)
    table.note_damage(target, dealt, "impact", unit)
    if critical == CRITICAL_HIT and scored > 0:
        knock_out(table, target)
    table.charge_single_use(target, bits_of(key for key, _ in taken))
