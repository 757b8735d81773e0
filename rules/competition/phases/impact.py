"""Carrying out a charge or a death from above: line, move, dice, impact damage, the attacker's price."""

from __future__ import annotations

from typing import NamedTuple

from rules.competition.attacks.damage import knock_out, pay_for_miss
from rules.competition.attacks.forms import Attack
from rules.competition.attacks.modifiers import rule_of, target_defense
from rules.competition.attacks.protecting import ask_protectors, ask_sources_beside
from rules.competition.attacks.reactions import CANCEL
from rules.competition.attacks.resolving import CRITICAL_HIT, CRITICAL_MISS, Rolled, critical_of
from rules.competition.attacks.sighting import is_rear_side, is_shutdown
from rules.competition.ground.line_of_fire import charge_lines
from rules.competition.phases.move_phase import JUMP, RUN, carry_out_move
from rules.competition.state.events import ATTACK_RESOLVED, ATTACK_ROLLED, DAMAGE_SCORED
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import CHARGE, DEATH_FROM_ABOVE
from rules.competition.state.roster import PRIMARY
from rules.competition.state.special_events import GROUNDED
from rules.competition.units.free_spins import ask_free_spin
from rules.competition.units.sources import TARGET, ask_sources
from rules.core.equipment import EQUIPMENT, OPTIONAL, bits_of
from rules.core.equipment_hooks import Modifier, damage_modifiers, helps_target, impact_reductions

NAMES = {CHARGE: "charge", DEATH_FROM_ABOVE: "death_from_above"}
IMPACT = {CHARGE: 1, DEATH_FROM_ABOVE: 2}
"""What impact damage adds to the primary value (R-CHG-10, R-DFA-08)."""


class Approach(NamedTuple):
    """The line of a charge, judged before the move: crosses a boundary or leaves the front arc; rear of the target."""

    is_hampered: bool
    is_rear: bool


def way(table: MatchState, unit: int, kind: int) -> tuple[int, int]:
    """The mode of the move, and its speed: a charge runs (R-CHG-07), the other jumps (R-DFA-05)."""
    speed = table.speed(unit)
    return (RUN, 2 * speed) if kind == CHARGE else (JUMP, speed)


def approach(
    table: MatchState, unit: int, kind: int, target: int, destination: int, facing: int, path: tuple[int, ...] | None
) -> None:
    """Judge the line, move, offer free spins, and go on to the dice; all void if the target has surrendered (Q-136)."""
    if not table.is_in_play(target):
        pay_heat(table, unit, kind)
        return
    line = charge_line(table, unit, target, destination, facing) if kind == CHARGE else Approach(False, False)
    spared = target if kind == DEATH_FROM_ABOVE or line.is_rear else -1  # R-CHG-06, R-DFA-07
    mode, _ = way(table, unit, kind)
    table.push((offer_cancel, unit, kind, target), (strike, unit, kind, target, line))
    used = carry_out_move(table, unit, mode, destination, facing, path, NAMES[kind], spared)
    table.charge_single_use(unit, used)


def charge_line(table: MatchState, unit: int, target: int, destination: int, facing: int) -> Approach:
    """The line that serves best a charger that will end there, from where it stands (R-CHG-05, Q-85, Q-86)."""
    position, roster = table.position, table.roster
    place, at = position.hex[unit], position.hex[target]
    fighter = roster.fighters[unit]
    side = roster.lattice.direction(place, at)
    if side >= 0:  # adjacent across a height step: no hexside to cross
        in_front = fighter.front_sides[position.facing[unit]] >> side & 1
        return Approach(not in_front, is_rear_side(table, place, target, at))
    front = fighter.front_corners[position.facing[unit]]
    rear = roster.fighters[target].rear_corners[position.facing[target]]
    found = [
        Approach(option.hindering or not front >> option.first & 1, bool(rear >> option.last & 1))
        for option in charge_lines(roster.arena, place, at).options
    ]
    bonus = 2 * ends_behind(table, unit, target, destination, facing)
    return max(found, key=lambda line: (bonus * line.is_rear - 2 * line.is_hampered, line.is_rear))


def ends_behind(table: MatchState, unit: int, target: int, place: int, facing: int) -> bool:
    """Whether a unit in this place has a side of its front arc inside the target's rear arc (R-CHG-09)."""
    at = table.position.hex[target]
    side = table.roster.lattice.direction(place, at)
    in_front = side >= 0 and table.fighter(unit).front_sides[facing] >> side & 1
    return bool(in_front) and is_rear_side(table, place, target, at)


def offer_sources(table: MatchState, unit: int, kind: int, target: int) -> None:
    """Where a value of the target, or of a friend that protects it, has several sources: which serves (Q-107)."""
    attack = Attack(unit, kind, False, PRIMARY, (target,), False, None, False)
    table.push((ask_sources, target, TARGET), (ask_sources_beside, attack))


def offer_cancel(table: MatchState, unit: int, kind: int, target: int) -> None:
    """No reactions (R-CHG-14), but the target's side may do without optional equipment (R-SEG-08)."""
    if not table.is_in_play(target) or not table.is_in_play(unit):
        return
    attack = Attack(unit, kind, False, PRIMARY, (target,), False, None, False)
    table.push((ask_protectors, attack))
    helpful = helps_target(table.equipment(target), table, target, False) & OPTIONAL
    if helpful:
        table.ask(CANCEL, target, (attack, helpful))


def strike(table: MatchState, unit: int, kind: int, target: int, line: Approach) -> None:
    """Roll, compare, score impact damage, and pay for it (R-CHG-09 to R-CHG-12, R-DFA-06 to R-DFA-11).

    Against a target that has surrendered in the meantime there is no attack, and only the order's heat is paid.
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
    attack = Attack(unit, kind, False, PRIMARY, (target,), False, None, False)
    critical = critical_of(Rolled(attack, dice, None))
    is_hit = compare(table, attack, dice, critical, line, primary)
    if is_hit:
        score_impact(table, unit, target, primary + IMPACT[kind], critical)
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
    """A charge costs 2 in all, a death from above nothing (R-CHG-12, R-DFA-13)."""
    if kind == CHARGE:
        table.note_heat(unit, 2, "charge")


def special_modifiers(table: MatchState, attack: Attack, line: Approach) -> list[Modifier]:
    """The modifiers to the attack value of a charge or a death from above; height and the rest do not count (Q-93)."""
    unit, target = attack.attacker, attack.targets[0]
    fighter = table.fighter(unit)
    found: list[Modifier] = []
    if attack.order == CHARGE:
        if line.is_hampered:
            found.append(("charge_line", -2))
        if line.is_rear and ends_behind(table, unit, target, table.position.hex[unit], table.position.facing[unit]):
            found.append(("rear_arc", 2))
    else:
        found.append(("death_from_above", -2))
    if is_shutdown(table, target):
        found.append(("shutdown", 2))
    found.extend(fighter.attack_given[table.pilot_counts(unit)][table.position.clicks[unit]])
    return found


def compare(
    table: MatchState, attack: Attack, dice: tuple[int, ...], critical: str | None, line: Approach, primary: int
) -> bool:
    """Compare the roll with the target's defense; only the attack's own modifiers count (Q-93)."""
    position = table.position
    unit, kind, target = attack.attacker, attack.order, attack.targets[0]
    fighter = table.fighter(unit)
    modifiers = special_modifiers(table, attack, line)
    printed, defending, used = target_defense(table, attack, target)
    value = fighter.attack[position.clicks[unit]]
    own = max(0, value + sum(amount for _, amount in modifiers))
    defense = max(0, printed + sum(amount for _, amount in defending))
    result = sum(dice) + own
    is_hit = critical == CRITICAL_HIT or (critical is None and result >= defense)
    why = None
    if table.log is not None:
        why = {
            "order": NAMES[kind],
            "ranged": False,
            "indirect": False,
            "value": "primary",
            "range_type": None,
            "dice": list(dice),
            "roll": sum(dice),
            "attack_printed": value,
            "damage": primary + IMPACT[kind],
            "damage_value": primary,
            "damage_modifiers": {NAMES[kind]: IMPACT[kind]},
            "damage_rule": None,
            "targets": {
                table.roster.target_name(target): {
                    "modifiers": dict(modifiers),
                    "rules": {name: rule_of(table, name) for name, _ in (*modifiers, *defending)},
                    "attack": own,
                    "result": result,
                    "defense": defense,
                    "defense_printed": printed,
                    "defense_modifiers": dict(defending),
                    "hit": is_hit,
                    "range": None,
                }
            },
        }
    table.emit(ATTACK_RESOLVED, unit, (target,) if is_hit else (), critical, why)
    for owner, bit in used:
        table.charge_single_use(owner, bit)
    return is_hit


def score_impact(table: MatchState, unit: int, target: int, scored: int, critical: str | None) -> None:
    """Impact damage: no range type, untouched by armor; Agility names it (R-DMG-07)."""
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
