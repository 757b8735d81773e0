"""Coded reasons about the threat to a unit in a place: the average damage of the opponents' attacks."""

from __future__ import annotations

from rules.bots.advice.attacks import blow_at_a_glance
from rules.bots.advice.reason import Reason, points
from rules.bots.estimates import facing_to, may_attack
from rules.competition.forecast import attacks_on
from rules.competition.state.events import MOVED
from rules.competition.state.match_state import MatchState
from rules.core.dice import ScriptedDice

NOTEWORTHY = 0.1
"""Expected damage below this, and a difference below it, count as none."""


def damage_threatening(table: MatchState, unit: int, place: int, facing: int) -> float:
    """Return the average damage, in points, that opponents would deal to a unit in a place.

    Each opponent that may attack stays in its hex, turns towards the unit and makes its attack of most damage: the
    chance to hit times what a hit deals after armor.

    People read this number. Bots decide by another one (`estimates.Threats`), in which kills have a worth. Here kills
    have none, and the damage may exceed the clicks that the unit has left, as it does on all pages.
    """
    thought = table.copy(ScriptedDice([]))
    thought.emit(MOVED, unit, (), place, facing, "thought")
    return sum(_most_of(thought, other, unit) for other in table.roster.opponents[unit] if may_attack(table, other))


def _most_of(thought: MatchState, other: int, unit: int) -> float:
    """Return the average damage of an opponent's best attack on a unit, when the opponent turns towards it."""
    at = thought.position.hex[other]
    turned = thought.copy(ScriptedDice([]))
    turned.emit(MOVED, other, (), at, facing_to(thought, at, thought.position.hex[unit]), "thought")
    most = 0.0
    for seen in attacks_on(turned, other, unit):
        chance = next(each.chance for each in seen.targets if turned.roster.target_of(each.target) == unit)
        most = max(most, chance * blow_at_a_glance(turned, other, seen, unit).mean)
    return most


def reasons_of_threat(table: MatchState, unit: int, place: int, facing: int) -> list[Reason]:
    """Return one reason, which compares the damage expected in a place with that in the unit's present place.

    The list is empty without opponents in the arena.
    """
    position = table.position
    if not any(position.hex[other] >= 0 for other in table.roster.opponents[unit]):
        return []
    then = damage_threatening(table, unit, place, facing)
    now = damage_threatening(table, unit, position.hex[unit], position.facing[unit])
    if then < NOTEWORTHY and now < NOTEWORTHY:
        return [Reason("threat_none")]
    values = {"then": points(then), "now": points(now)}
    if abs(then - now) < NOTEWORTHY:
        return [Reason("threat_stays", {"then": points(then)})]
    return [Reason("threat_falls" if then < now else "threat_grows", values)]
