"""The greedy bot's estimates: the worth of an attack, the threat to a place, the risk of heat.

All numbers are in expected points of damage or their worth. They come from what is face up on the table.
"""

from __future__ import annotations

from typing import Generic, NamedTuple

from rules.bots.attack_estimates import AttackEstimates, damage_of, facing_between, surroundings_of, worth_of_hit
from rules.competition.attacks.forms import AttackChoice
from rules.competition.attacks.options import Faced, close_attacks, ranged_attacks
from rules.competition.ground.hexside_walks import hexside_ranges
from rules.competition.phases.combat_phase import only_vents
from rules.competition.state.events import MOVED
from rules.competition.state.match_state import Chosen, MatchState
from rules.competition.state.position import SHUTDOWN
from rules.competition.units.heat import EFFECTS
from rules.core.card_hooks import giver
from rules.core.dice import ScriptedDice


class Estimate(NamedTuple, Generic[Chosen]):
    """A choice with its worth, in expected points of damage."""

    worth: float
    choice: Chosen


def facing_to(table: MatchState, place: int, target_place: int) -> int:
    """Return the facing that looks from one hex most directly at another, 0 to 11."""
    return facing_between(table.roster.lattice, place, target_place)


def best_attack(table: MatchState, unit: int, place: int, facing: int, order: int = 0) -> Estimate[AttackChoice] | None:
    """Return the attack of greatest worth from a place and facing; None when no attack is possible.

    `order` is the order that the attack belongs to, 0 for its own.
    """
    aim = AttackEstimates(table, unit, order)
    return best_of(aim, place, facing, aim.attacks(place))


def best_of(aim: AttackEstimates, place: int, facing: int, attacks: list[Faced]) -> Estimate[AttackChoice] | None:
    """Return the attack of greatest worth that this facing allows, the first of equals; None when it allows none."""
    best: Estimate[AttackChoice] | None = None
    for facings, choice in attacks:
        if facings >> facing & 1:
            worth = aim.worth(choice, place, facing)
            if best is None or worth > best.worth:
                best = Estimate(worth, choice)
    return best


def best_facing(
    table: MatchState, unit: int, place: int, aim: AttackEstimates | None = None
) -> tuple[int, Estimate[AttackChoice] | None]:
    """Return the facing, towards an opponent or a token, that allows the attack of greatest worth, and that attack.

    When no facing allows an attack, the attack is None and the facing is the first towards a target. Without opponents
    and tokens the unit keeps its facing. `aim` None makes new estimates.
    """
    aim = aim or AttackEstimates(table, unit)
    facings = aim.facings(place)
    if not facings:
        return table.position.facing[unit], None
    # The attacks from a place are the same for all facings; the arcs only allow some of them.
    best: dict[int, Estimate[AttackChoice]] = {}
    for allowed, choice in aim.attacks(place):
        worth = -1.0
        for facing in facings:
            if allowed >> facing & 1:
                if worth < 0 or aim.turns_on_facing(choice, place):
                    worth = aim.worth(choice, place, facing)
                if facing not in best or worth > best[facing].worth:
                    best[facing] = Estimate(worth, choice)
    chosen = facings[0]
    for facing in facings:
        if facing in best and (chosen not in best or best[facing].worth > best[chosen].worth):
            chosen = facing
    return chosen, best.get(chosen)


class Threats:
    """The threat of all opponents to a unit in any place, in points of damage or their worth.

    Opponents stay in their hexes and turn towards the unit. Only close and ranged attacks count, and only those of
    opponents that may attack (`may_attack`). The unit is moved on a copy of the table; make a new object when the table
    has changed.
    """

    __slots__ = ("_aims", "_harms", "_opponents", "_thought", "_unit")

    def __init__(self, table: MatchState, unit: int) -> None:
        self._unit = unit
        self._thought = table.copy(_NO_DICE)
        places = table.position.hex
        self._opponents = [
            (other, places[other], hexside_ranges(table.roster.lattice, places[other]))
            for other in table.roster.opponents[unit]
            if may_attack(table, other)
        ]
        self._aims: dict[int, AttackEstimates] = {}
        self._harms: dict[tuple[int, AttackChoice], float] = {}

    def at(self, place: int, facing: int) -> float:
        """Return the worth of all opponents' best attacks, added up, on the unit in `place` with `facing`."""
        thought = self._thought
        thought.emit(MOVED, self._unit, (), place, facing, "thought")
        surroundings = surroundings_of(thought, self._unit)
        total = 0.0
        for other, at, ranges in self._opponents:
            aim = self._aims.get(other)
            if aim is None:
                aim = self._aims[other] = AttackEstimates(thought, other)
            aim.look_at(self._unit, surroundings)
            total += self._best_of(aim, at, ranges[place])
        return total

    def _best_of(self, aim: AttackEstimates, at: int, hexsides: int) -> float:
        thought, unit = self._thought, self._unit
        place = thought.position.hex[unit]
        is_adjacent = hexsides == 0
        if not is_adjacent and not any(weapon.least <= hexsides <= weapon.most for weapon in aim.armament.weapons):
            return 0.0
        faced = ranged_attacks(thought, aim.unit, at, armament=aim.armament)
        if is_adjacent:  # a sweep may hit others too
            faced += [found for found in close_attacks(thought, aim.unit, at) if unit in found[1][2]]
        towards = facing_to(thought, at, place)
        best = 0.0
        for facings, choice in faced:
            if facings >> towards & 1:
                best = max(best, aim.chance(choice, unit, at, towards) * self._harm(aim.unit, choice))
        return best

    def _harm(self, other: int, choice: AttackChoice) -> float:
        """Return what a hit on the unit is worth to the opponent `other`."""
        known = self._harms.get((other, choice))
        if known is None:
            damage = damage_of(self._thought, other, choice)
            known = self._harms[other, choice] = worth_of_hit(self._thought, other, choice, self._unit, damage)
        return known


def may_attack(table: MatchState, unit: int) -> bool:
    """Return whether a unit is in the arena and able to attack: it takes orders and shows no Salvage (R-SEA-05)."""
    return table.position.hex[unit] >= 0 and table.can_take_orders(unit) and not only_vents(table, unit)


_NO_DICE = ScriptedDice([])
"""Dice of tables that are only imagined; they are never rolled."""


def heat_risk(table: MatchState, unit: int, added: int) -> float:
    """Return what the coming heat step costs a unit, in points of damage: its effects and the damage values it lowers.

    The coming step is that of the dial and its die, and `added` more, which may be negative. A unit that is shut down
    has 0.
    """
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
