"""Special attacks in the initiative phase: charge, death from above, pin (sections CHG, DFA, PIN).

Choices: `(PASS,)`, `(CHARGE or DEATH_FROM_ABOVE, target, destination, facing, path, cancelled)`, `(PIN, target)`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, NamedTuple

from rules.competition import reading
from rules.competition.attack_forms import Attack
from rules.competition.damage import knock_out
from rules.competition.events import (
    ATTACK_RESOLVED,
    ATTACK_ROLLED,
    CANCELLED,
    DAMAGE_SCORED,
    GROUNDED,
    ORDER_GIVEN,
    PASSED,
    PINNED,
    SPECIAL_DECLARED,
    TURN_BEGAN,
)
from rules.competition.hexes import bits, nth_bit, popcount
from rules.competition.line_of_fire import charge_lines
from rules.competition.modifiers import RULE_OF, target_defense
from rules.competition.moving import (
    JUMP,
    RUN,
    ask_free_spin,
    cancel_problems,
    carry_out_move,
    destinations,
    move_problem,
    path_names,
)
from rules.competition.pilots import ask_revive
from rules.competition.position import CHARGE, DEATH_FROM_ABOVE
from rules.competition.reactions import CANCEL
from rules.competition.resolving import CRITICAL_HIT, CRITICAL_MISS, Rolled, critical_of
from rules.competition.roster import PRIMARY
from rules.competition.sighting import is_rear_side, is_shutdown
from rules.competition.table import Choice, DecisionKind, Table
from rules.core.equipment import EQUIPMENT, OPTIONAL, bits_of, keys_of
from rules.core.equipment_hooks import (
    damage_modifiers,
    helps_target,
    impact_reductions,
    jumps,
    only_moves_and_vents,
)
from rules.core.refusals import IllegalAction, Malformed, Refusal

PASS, PIN = 0, -1
NAMES = {CHARGE: "charge", DEATH_FROM_ABOVE: "death_from_above"}
IMPACT = {CHARGE: 1, DEATH_FROM_ABOVE: 2}
"""What impact damage adds to the primary value (R-CHG-10, R-DFA-08)."""


class Approach(NamedTuple):
    """The line of a charge, judged before the move: crosses a boundary or leaves the front arc; rear of the target."""

    is_hampered: bool
    is_rear: bool


def pinnable(table: Table, unit: int) -> list[int]:
    """Opponents in contact now and at the beginning of the round (R-PIN-01)."""
    then = table.position.round_hex
    if then[unit] < 0:
        return []
    contact = table.roster.arena.contact[then[unit]]
    return [other for other in table.opponents_in_contact(unit) if then[other] >= 0 and contact >> then[other] & 1]


def later_opponents(table: Table, unit: int) -> list[int]:
    """Opposing units in the arena whose turn comes after this unit's (R-CHG-02, R-DFA-01)."""
    order = table.position.order
    later = order[order.index(unit) + 1 :]
    return [other for other in table.roster.opponents[unit] if other in later and table.position.hex[other] >= 0]


def may_charge(table: Table, unit: int) -> bool:
    """R-CHG-03, R-CHG-04, and a run must be possible (Q-83)."""
    return (
        not table.opponents_in_contact(unit)
        and table.attack(unit) > 0
        and not table.fighter(unit).no_run[table.position.heat[unit]]
    )


def may_strike_from_above(table: Table, unit: int) -> bool:
    """R-DFA-02 to R-DFA-04."""
    active = table.equipment(unit)
    return (
        not table.opponents_in_contact(unit)
        and table.attack(unit) > 0
        and bool(jumps(active))
        and not bars_strike_from_above(active)
    )


def bars_strike_from_above(active: int) -> bool:
    """Salvage bars death from above by name (R-SEA-05)."""
    return only_moves_and_vents(active)


class Special(DecisionKind):
    """A unit's turn in the step of special attacks (R-INI-08, R-INI-09)."""

    name = "special"

    def options(self, table: Table, unit: int, data: Any) -> list[Choice]:
        found: list[Choice] = [(PASS,), *((PIN, target) for target in pinnable(table, unit))]
        for kind, target, ends in landings(table, unit):
            found.extend((kind, target, end, facing, None, 0) for end in bits(ends) for facing in range(12))
        return found

    def sample(self, table: Table, unit: int, data: Any, rng: random.Random) -> Choice:
        pick = rng.random
        few: list[Choice] = [(PASS,), *((PIN, target) for target in pinnable(table, unit))]
        ways = landings(table, unit)
        number = int(pick() * (len(few) + len(ways)))
        if number < len(few):
            return few[number]
        kind, target, ends = ways[number - len(few)]
        return (kind, target, nth_bit(ends, int(pick() * popcount(ends))), int(pick() * 12), None, 0)

    def problems(self, table: Table, unit: int, data: Any, choice: Choice) -> list[Refusal]:
        if choice[0] == PASS:
            return []
        target = choice[1]
        name = table.fighter(unit).name
        target_name = table.roster.target_name(target)
        if choice[0] == PIN:
            good = target in pinnable(table, unit)
            return [] if good else [Refusal("pin_needs_contact", {"unit": name, "target": target_name})]
        kind, _, destination, _, path, cancelled = choice
        found = cancel_problems(table, unit, cancelled)
        able = may_charge if kind == CHARGE else may_strike_from_above
        if not able(table, unit) or (kind == DEATH_FROM_ABOVE and not jumps(table.equipment(unit) & ~cancelled)):
            found.append(Refusal(f"cannot_{NAMES[kind]}", {"unit": name}))
        elif target not in later_opponents(table, unit):
            found.append(Refusal("target_acts_before", {"target": target_name}))
        if found:
            return found
        mode, speed = _way(table, unit, kind)
        if path is None:
            ends = destinations(table, unit, mode, speed, table.equipment(unit) & ~cancelled, [])
            if not ends >> destination & 1:
                return [Refusal("out_of_reach", {"hex": table.roster.lattice.name(destination)})]
        else:
            problem = move_problem(table, unit, mode, path, speed, table.equipment(unit) & ~cancelled, [])
            if problem:
                return [problem]
        if not table.roster.arena.contact[table.position.hex[target]] >> destination & 1:
            return [Refusal("must_end_in_contact", {"target": target_name})]
        return []

    def read(self, table: Table, unit: int, data: Any, document: Mapping[str, Any]) -> Choice:
        order = document.get("order")
        if order == "pass":
            reading.only(document, "order")
            return (PASS,)
        if order not in ("pin", "charge", "death_from_above"):
            raise IllegalAction("order_not_now", order=order, phase="initiative")
        named = document.get("targets")
        if not isinstance(named, list) or len(named) != 1:
            raise Malformed("bad_field", field="targets", value=named)
        target = table.roster.target_of(named[0])
        if target not in table.roster.opponents[unit]:
            raise IllegalAction("special_needs_unit", target=named[0])  # R-CHG-15
        if order == "pin":
            reading.only(document, "order", "targets")
            return (PIN, target)
        reading.only(document, "order", "targets", "path", "facing", "cancel")
        path = reading.hexes(table.roster, document)
        destination = path[-1] if path else table.position.hex[unit]
        facing = reading.facing(document, default=table.position.facing[unit])
        kind = CHARGE if order == "charge" else DEATH_FROM_ABOVE
        return (kind, target, destination, facing, path, reading.equipment(document))

    def write(self, table: Table, unit: int, data: Any, choice: Choice) -> dict[str, Any]:
        if choice[0] == PASS:
            return {"order": "pass"}
        targets = [table.roster.target_name(choice[1])]
        if choice[0] == PIN:
            return {"order": "pin", "targets": targets}
        kind, _, destination, facing, path, cancelled = choice
        mode, _ = _way(table, unit, kind)
        document: dict[str, Any] = {
            "order": NAMES[kind],
            "targets": targets,
            "path": path_names(table, unit, mode, destination, path, cancelled),
            "facing": facing,
        }
        if cancelled:
            document["cancel"] = keys_of(cancelled)
        return document

    def resolve(self, table: Table, unit: int, data: Any, choice: Choice) -> None:
        if choice[0] == PASS:
            table.emit(PASSED, unit)
            return
        target = choice[1]
        if choice[0] == PIN:
            table.emit(PINNED, unit, target)
            return
        kind, _, destination, facing, path, cancelled = choice
        if cancelled:
            table.emit(CANCELLED, unit, cancelled)
        table.emit(SPECIAL_DECLARED, unit, target, NAMES[kind])
        table.emit(ORDER_GIVEN, unit, kind, False)
        table.push((ask_revive, target), (approach, unit, kind, target, destination, facing, path))


SPECIAL = Special()


def _way(table: Table, unit: int, kind: int) -> tuple[int, int]:
    """The mode of the move, and its speed: a charge runs (R-CHG-07), the other jumps (R-DFA-05)."""
    speed = table.speed(unit)
    return (RUN, 2 * speed) if kind == CHARGE else (JUMP, speed)


def landings(table: Table, unit: int) -> list[tuple[int, int, int]]:
    """Every special attack that needs a move: kind, target, hexes to end in as bits (R-CHG-16)."""
    found: list[tuple[int, int, int]] = []
    for kind, able in ((CHARGE, may_charge), (DEATH_FROM_ABOVE, may_strike_from_above)):
        if not able(table, unit):
            continue
        targets = later_opponents(table, unit)
        if not targets:
            return found
        mode, speed = _way(table, unit, kind)
        ends = destinations(table, unit, mode, speed, table.equipment(unit), [])
        for target in targets:
            near = ends & table.roster.arena.contact[table.position.hex[target]]
            if near:
                found.append((kind, target, near))
    return found


def special_turns(table: Table) -> None:
    """Check special attacks in turn order (R-INI-08)."""
    table.push(*((begin_turn, unit) for unit in table.position.order))


def begin_turn(table: Table, unit: int) -> None:
    """One unit's place in the step of special attacks; asked only when it can make one (Q-92)."""
    if (
        table.can_take_orders(unit)
        and table.position.hex[unit] >= 0
        and (pinnable(table, unit) or landings(table, unit))
    ):
        table.emit(TURN_BEGAN, unit)
        table.ask(SPECIAL, unit)


# --- carrying one out ---


def approach(
    table: Table, unit: int, kind: int, target: int, destination: int, facing: int, path: tuple[int, ...] | None
) -> None:
    """Judge the line, move, offer free spins, and go on to the dice."""
    line = charge_line(table, unit, target) if kind == CHARGE else Approach(False, False)
    spared = target if kind == DEATH_FROM_ABOVE or line.is_rear else -1  # R-CHG-06, R-DFA-07
    mode, _ = _way(table, unit, kind)
    table.push((offer_cancel, unit, kind, target), (strike, unit, kind, target, line))
    used = carry_out_move(table, unit, mode, destination, facing, path, NAMES[kind], spared)
    table.charge_single_use(unit, used)


def charge_line(table: Table, unit: int, target: int) -> Approach:
    """The line that serves the charger best, from where it stands (R-CHG-05, Q-85, Q-86)."""
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
    return max(found, key=lambda line: 2 * line.is_rear - 2 * line.is_hampered)


def offer_cancel(table: Table, unit: int, kind: int, target: int) -> None:
    """No reactions (R-CHG-14), but the target's owner may do without optional equipment (R-SEG-08)."""
    if not table.is_in_play(target) or not table.is_in_play(unit):
        return
    helpful = helps_target(table.equipment(target), table, target, False) & OPTIONAL
    if helpful:
        table.ask(CANCEL, target, (Attack(unit, kind, False, PRIMARY, (target,), False, None, False), helpful))


def strike(table: Table, unit: int, kind: int, target: int, line: Approach) -> None:
    """Roll, compare, score impact damage, and pay for it (R-CHG-09 to R-CHG-12, R-DFA-06 to R-DFA-11)."""
    if not table.is_in_play(unit):
        return
    added = damage_modifiers(table.equipment(unit), False)
    primary = table.damage(unit, PRIMARY) + sum(amount for _, amount in added)
    critical = None
    is_hit = False
    if table.is_in_play(target):
        dice = table.dice.roll(3, "attack")
        table.emit(ATTACK_ROLLED, unit, dice, None)
        attack = Attack(unit, kind, False, PRIMARY, (target,), False, None, False)
        critical = critical_of(Rolled(attack, dice, None))
        is_hit = compare(table, attack, dice, critical, line, primary)
    if is_hit:
        score_impact(table, unit, target, primary + IMPACT[kind], critical)
        if kind == DEATH_FROM_ABOVE:
            table.emit(GROUNDED, target)
    if critical == CRITICAL_MISS:
        table.note_damage(unit, 1, "critical_miss")
    if kind == CHARGE:
        table.note_damage(unit, max(1, (primary + 1) // 2), "charge")
        table.note_heat(unit, 2, "charge")
    else:
        table.note_damage(unit, 1 if is_hit else 2, "death_from_above")
        if not is_hit:
            table.push((ask_free_spin, target, unit))
    table.charge_single_use(unit, bits_of(key for key, _ in added))


def compare(
    table: Table, attack: Attack, dice: tuple[int, ...], critical: str | None, line: Approach, primary: int
) -> bool:
    """Compare the roll with the target's defense; only the attack's own modifiers count (Q-93)."""
    position = table.position
    unit, kind, target = attack.attacker, attack.order, attack.targets[0]
    fighter = table.fighter(unit)
    modifiers: list[tuple[str, int]] = []
    if kind == CHARGE:
        if line.is_hampered:
            modifiers.append(("charge_line", -2))
        place, at = position.hex[unit], position.hex[target]
        side = table.roster.lattice.direction(place, at)
        in_front = side >= 0 and fighter.front_sides[position.facing[unit]] >> side & 1
        if line.is_rear and in_front and is_rear_side(table, place, target, at):
            modifiers.append(("rear_arc", 2))
    else:
        modifiers.append(("death_from_above", -2))
    if is_shutdown(table, target):
        modifiers.append(("shutdown", 2))
    if fighter.pilot_attack and fighter.pilot_key and table.pilot_counts(unit):
        modifiers.append((fighter.pilot_key, fighter.pilot_attack))
    printed, defending, _ = target_defense(table, attack, target)
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
                    "rules": {name: RULE_OF.get(name, "R-PLT-04") for name, _ in (*modifiers, *defending)},
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
    return is_hit


def score_impact(table: Table, unit: int, target: int, scored: int, critical: str | None) -> None:
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
