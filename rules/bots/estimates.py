"""What a position is worth to a greedy eye: expected damage of an attack, what threatens a place, the risk of heat.

All numbers are in expected points of damage (or their worth), from what lies open on the table.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rules.competition.attacking import Faced, close_attacks, close_choices, ranged_attacks, ranged_choices
from rules.competition.events import MOVED
from rules.competition.heat import EFFECTS
from rules.competition.position import ASSAULT, CLOSE, DEFEND, DIG_IN, DODGE, MOVE, SHUTDOWN
from rules.competition.roster import TOKEN
from rules.competition.sighting import indirect_sight, is_rear_side, mendable, place_of, sight
from rules.competition.table import Choice, Table
from rules.core.attack_hooks import ignores_lines
from rules.core.card_hooks import CardFacts, giver, total
from rules.core.dice import ScriptedDice
from rules.core.equipment_hooks import defense_modifiers, reductions
from rules.core.odds import chance_to_hit

REPUTATION_WORTH = 0.12
"""What one point of reputation is worth in points of damage: a kill of 70 to 80 is about a dial."""


class Estimate(NamedTuple):
    """An attack with its worth."""

    worth: float
    choice: Choice


def facing_to(table: Table, place: int, target_place: int) -> int:
    """The facing that looks from one hex most directly at another, 0 to 11."""
    lattice = table.roster.lattice
    across = (lattice.column[target_place] - lattice.column[place]) * 3
    return _facing_along(across, 2 * (lattice.axial_row[target_place] - lattice.axial_row[place]) + across // 3)


@lru_cache(maxsize=4096)
def _facing_along(across: int, down: int) -> int:
    """The facing that looks most directly along a step on the axes of `_DIRECTIONS`."""
    best, facing = None, 0
    for number, (x, y) in enumerate(_DIRECTIONS):
        # Cosine of the angle, as the two axes are scaled: a column step is 1.5 wide, half a row sqrt(3)/2 high.
        score = (across * x * 0.25 + down * y * 0.75) / (x * x * 0.25 + y * y * 0.75) ** 0.5
        if best is None or score > best:
            best, facing = score, number
    return facing


_DIRECTIONS = ((0, -2), (1, -1), (3, -1), (2, 0), (3, 1), (1, 1), (0, 2), (-1, 1), (-3, 1), (-2, 0), (-3, -1), (-1, -1))
"""The twelve facings as (half columns, half rows) on the stretched axes of `facing_to`."""


def hit_chance(table: Table, unit: int, choice: Choice, target: int, place: int, facing: int, order: int = 0) -> float:
    """The chance that this attack from `place` hits one of its targets, reactions aside."""
    position, roster = table.position, table.roster
    attack = table.attack(unit)
    is_ranged = choice[0] != CLOSE
    target_place = place_of(table, target)
    line = None
    if not is_ranged:
        is_rear = is_rear_side(table, place, target, target_place)
        attack += 2 * is_rear
    elif choice[3]:
        line = indirect_sight(table, unit, choice[1], target, place, facing)
        is_rear = line is not None and line.is_rear
        attack += 2 * is_rear - 2
    else:
        on_value = table.equipment_on_value(unit, choice[1]) & ~choice[-1]
        missiles = ignores_lines(on_value, True, len(choice[2]) == 1)
        line = sight(table, unit, choice[1], target, place, facing, missiles)
        is_rear = line is not None and line.is_rear
        attack += line.modifier if line is not None else 0
        touching = table.opponents_touching(unit, place)
        if any(other not in choice[2] for other in touching) and not any(other in choice[2] for other in touching):
            attack -= 1
    arena = roster.arena
    if arena.elevated >> target_place & 1 and not arena.elevated >> place & 1:
        attack -= 1
    orders = position.orders[unit]
    attack += (2 if orders & DIG_IN else 0) - (1 if orders & DEFEND else 0) - (1 if order == ASSAULT else 0)
    facts = None
    if roster.has_texts:
        is_hindered = line is not None and line.line.hindering and not choice[3]
        facts = card_facts(table, unit, choice, target, (is_rear, is_hindered, order == ASSAULT))
        attack += total("attack", table.texts(unit), facts._replace(has_moved=has_moved(table, unit, place)))
    if target >= TOKEN:
        return chance_to_hit(attack, roster.tokens[target - TOKEN].defense)
    reaction = position.orders[target]
    attack += (1 if reaction & DIG_IN else 0) - (1 if reaction & DEFEND else 0) - (2 if reaction & DODGE else 0)
    attack += 2 if position.status[target] & SHUTDOWN else 0
    helped = sum(amount for _, amount in defense_modifiers(table.equipment(target), table, target, is_ranged))
    if facts is not None:
        helped += total("defense", table.texts(target), facts)
    return chance_to_hit(attack, table.defense(target) + helped)


def card_facts(table: Table, unit: int, choice: Choice, target: int, sight: tuple[bool, bool, bool]) -> CardFacts:
    """What the target's cards may ask of an attack; `sight` is rear, hindered, assault."""
    fighters = table.roster.fighters
    own = fighters[unit].range_types[choice[1]]
    is_ranged, is_unit = choice[0] != CLOSE, target < TOKEN
    is_outweighed = is_unit and fighters[target].total > fighters[unit].total
    range_type = own if is_ranged or own == "melee" else None
    is_moved = is_unit and has_moved(table, target, table.position.hex[target])
    is_rear, is_hindered, is_assault = sight
    return CardFacts(is_ranged, range_type, is_unit, is_rear, is_moved, is_outweighed, is_hindered, is_assault)


def has_moved(table: Table, unit: int, place: int) -> bool:
    """Whether the unit has a move order, or needs one to stand in `place`."""
    return bool(table.position.orders[unit] & MOVE) or table.position.hex[unit] != place


def damage_of(table: Table, unit: int, choice: Choice) -> int:
    """What a choice of attack scores if it hits, points."""
    value = choice[1]
    damage = table.damage(unit, value)
    if table.roster.has_texts:
        damage += total("damage", table.texts(unit), choice[0] != CLOSE)
    if choice[0] == CLOSE:
        return damage if table.fighter(unit).range_types[value] == "melee" else max(1, (damage + 1) // 2)
    return min(damage, 2) if choice[3] else damage


def worth_of_hit(table: Table, unit: int, choice: Choice, target: int, damage: int) -> float:
    """What `damage` scored on a target is worth: points dealt, and the reputation of a kill or a token."""
    fighter = table.fighter(unit)
    is_ranged = choice[0] != CLOSE
    range_type = fighter.range_types[choice[1]]
    armor = table.equipment(target) if target < TOKEN else table.roster.token_armor[target - TOKEN]
    dealt = damage + sum(amount for _, amount in reductions(armor, damage, is_ranged, range_type, False))
    if target >= TOKEN:
        token = table.roster.tokens[target - TOKEN]
        method = range_type if is_ranged or range_type == "melee" else None
        return REPUTATION_WORTH * (token.rp if method == token.method else token.else_rp) if dealt > 0 else 0.0
    other = table.fighter(target)
    left = other.clicks - table.position.clicks[target] - table.position.damage_die(target)
    if left <= 0:
        return 0.1 * dealt
    if dealt >= left:
        return left + REPUTATION_WORTH * (80 if other.total >= fighter.total else 70)
    return dealt * (1.0 + 0.5 * (1 - left / other.clicks))


def attack_worth(table: Table, unit: int, choice: Choice, place: int, facing: int, order: int = 0) -> float:
    """The expected worth of one attack; with several targets the damage goes where it counts most."""
    damage = damage_of(table, unit, choice)
    targets = choice[2]
    if targets[0] < TOKEN and table.roster.side_of[targets[0]] == table.roster.side_of[unit]:
        friend = targets[0]
        printed = table.fighter(unit).attack[table.position.clicks[unit]]
        chance = chance_to_hit(printed, table.fighter(friend).defense[table.position.clicks[friend]])
        return chance * min(mendable(table, friend), max(3, table.damage(unit, choice[1])))
    if choice[0] == CLOSE and len(targets) > 1:
        return sum(
            hit_chance(table, unit, choice, target, place, facing, order)
            * worth_of_hit(table, unit, choice, target, damage)
            for target in targets
        )
    if len(targets) == 1:
        target = targets[0]
        chance = hit_chance(table, unit, choice, target, place, facing, order)
        return chance * worth_of_hit(table, unit, choice, target, damage)
    total = 0.0
    left = damage
    ranked = sorted(targets, key=lambda target: target < TOKEN)
    for number, target in enumerate(ranked):
        share = min(left, 1) if number < len(ranked) - 1 else left
        left -= share
        total += hit_chance(table, unit, choice, target, place, facing, order) * worth_of_hit(
            table, unit, choice, target, share
        )
    return total


def best_attack(table: Table, unit: int, place: int, facing: int, kind: int = 0, order: int = 0) -> Estimate | None:
    """The attack of greatest worth from a place; `kind` CLOSE or RANGED restricts it."""
    choices: list[Choice] = []
    if kind in (0, CLOSE):
        choices += close_choices(table, unit, place, facing)
    if kind != CLOSE:
        choices += ranged_choices(table, unit, place, facing)
    best: Estimate | None = None
    for choice in choices:
        worth = attack_worth(table, unit, choice, place, facing, order)
        if best is None or worth > best.worth:
            best = Estimate(worth, choice)
    return best


def best_facing(table: Table, unit: int, place: int) -> tuple[int, Estimate | None]:
    """The facing towards the opponent or token whose attack is worth most, with that attack."""
    position = table.position
    places = [position.hex[other] for other in table.roster.opponents[unit] if position.hex[other] >= 0]
    places += [at for _, at in position.tokens]
    facings = list(dict.fromkeys([facing_to(table, place, target_place) for target_place in places]))
    if not facings:
        return position.facing[unit], None
    # What can be attacked from here is the same whatever the facing; only the arcs choose among it.
    attacks = close_attacks(table, unit, place) + ranged_attacks(table, unit, place)
    best: Estimate | None = None
    chosen = facings[0]
    for facing in facings:
        found = _best_of(table, unit, place, facing, attacks)
        if found is not None and (best is None or found.worth > best.worth):
            best, chosen = found, facing
    return chosen, best


def _best_of(table: Table, unit: int, place: int, facing: int, attacks: list[Faced]) -> Estimate | None:
    best: Estimate | None = None
    for facings, choice in attacks:
        if facings >> facing & 1:
            worth = attack_worth(table, unit, choice, place, facing)
            if best is None or worth > best.worth:
                best = Estimate(worth, choice)
    return best


def threat_at(table: Table, unit: int, place: int, facing: int) -> float:
    """The expected damage that opponents who already look this way would do to the unit in `place`, points.

    The unit is moved there in thought, on a copy of the table.
    """
    thought = table.copy(_NO_DICE)
    thought.emit(MOVED, unit, (), place, facing, "thought")
    total = 0.0
    for other in table.roster.opponents[unit]:
        at = table.position.hex[other]
        if at < 0 or not table.can_take_orders(other):
            continue
        towards = facing_to(table, at, place)
        best = 0.0
        for choice in _attacks_on(thought, other, unit, at, towards):
            chance = hit_chance(thought, other, choice, unit, at, towards)
            best = max(best, chance * worth_of_hit(thought, other, choice, unit, damage_of(thought, other, choice)))
        total += best
    return total


_NO_DICE = ScriptedDice([])
"""A table in thought never rolls."""


def _attacks_on(table: Table, attacker: int, target: int, place: int, facing: int) -> list[Choice]:
    found = [choice for choice in close_choices(table, attacker, place, facing) if target in choice[2]]
    shots = ranged_attacks(table, attacker, place, only=(target,))
    return found + [choice for facings, choice in shots if facings >> facing & 1]


def heat_risk(table: Table, unit: int, added: int) -> float:
    """What the effects at the coming heat step are worth in damage to oneself, points; 0 on a cool dial."""
    position = table.position
    fighter = table.fighter(unit)
    if position.status[unit] & SHUTDOWN:
        return 0.0
    step = position.heat[unit] + position.heat_die[unit] + added
    if step >= fighter.steps:
        return 6.0
    risk = 0.0
    texts = table.texts(unit) if table.roster.has_texts else ()
    for location, key in fighter.effects[step]:
        effect = EFFECTS[key]
        if giver("ignores_heat_effect", texts, effect.kind):
            continue
        chance = (effect.safe_from - 1) / 6
        if effect.kind == "explosion":
            risk += chance * max(0, table.damage(unit, location) + effect.amount) * 1.5
        elif effect.kind == "overload":
            risk += chance * 1.5
        else:
            risk += chance * 4.0
    lost = table.damage(unit, 0) + table.damage(unit, 1)
    hot = sum(fighter.damage[value][table.pilot_counts(unit)][step][position.clicks[unit]] for value in (0, 1))
    return risk + max(0.0, 0.4 * (lost - hot))
