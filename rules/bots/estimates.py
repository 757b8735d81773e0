"""What a position is worth to a greedy eye: expected damage of an attack, what threatens a place, the risk of heat.

All numbers are in expected points of damage (or their worth), from what lies open on the table.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rules.bots.aim import Aim, damage_of, worth_of_hit
from rules.competition.attacking import Faced, close_attacks, ranged_attacks
from rules.competition.events import MOVED
from rules.competition.heat import EFFECTS
from rules.competition.position import CLOSE, SHUTDOWN
from rules.competition.table import Choice, Table
from rules.core.card_hooks import giver
from rules.core.dice import ScriptedDice


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


def attacks_from(table: Table, unit: int, place: int, kind: int = 0) -> list[Faced]:
    """What can be attacked from a place, with the facings that allow it; `kind` CLOSE or RANGED restricts it."""
    found: list[Faced] = []
    if kind in (0, CLOSE):
        found += close_attacks(table, unit, place)
    if kind != CLOSE:
        found += ranged_attacks(table, unit, place)
    return found


def best_attack(table: Table, unit: int, place: int, facing: int, order: int = 0) -> Estimate | None:
    """The attack of greatest worth from a place and facing; `order` is the one that it would belong to."""
    return best_of(Aim(table, unit, order), place, facing, attacks_from(table, unit, place))


def best_of(aim: Aim, place: int, facing: int, attacks: list[Faced]) -> Estimate | None:
    """The attack of greatest worth among those that this facing allows, the first of equals."""
    best: Estimate | None = None
    for facings, choice in attacks:
        if facings >> facing & 1:
            worth = aim.worth(choice, place, facing)
            if best is None or worth > best.worth:
                best = Estimate(worth, choice)
    return best


def best_facing(table: Table, unit: int, place: int, aim: Aim | None = None) -> tuple[int, Estimate | None]:
    """The facing towards the opponent or token whose attack is worth most, with that attack."""
    position = table.position
    places = [position.hex[other] for other in table.roster.opponents[unit] if position.hex[other] >= 0]
    places += [at for _, at in position.tokens]
    facings = list(dict.fromkeys([facing_to(table, place, target_place) for target_place in places]))
    if not facings:
        return position.facing[unit], None
    aim = aim or Aim(table, unit)
    if not aim.near >> place & 1:
        return facings[0], None
    # What can be attacked from here is the same whatever the facing; only the arcs choose among it.
    attacks = attacks_from(table, unit, place)
    best: Estimate | None = None
    chosen = facings[0]
    for facing in facings:
        found = best_of(aim, place, facing, attacks)
        if found is not None and (best is None or found.worth > best.worth):
            best, chosen = found, facing
    return chosen, best


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
        aim = Aim(thought, other)
        best = 0.0
        for choice in _attacks_on(thought, other, unit, at, towards):
            harm = worth_of_hit(thought, other, choice, unit, damage_of(thought, other, choice))
            best = max(best, aim.chance(choice, unit, at, towards) * harm)
        total += best
    return total


_NO_DICE = ScriptedDice([])
"""A table in thought never rolls."""


def _attacks_on(table: Table, attacker: int, target: int, place: int, facing: int) -> list[Choice]:
    faced = [found for found in close_attacks(table, attacker, place) if target in found[1][2]]
    faced += ranged_attacks(table, attacker, place, only=(target,))
    return [choice for facings, choice in faced if facings >> facing & 1]


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
