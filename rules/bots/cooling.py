"""How bots use a Coolant Flush: which friend to cool, and from where (R-SEA-01).

The worth of a flush is what the heat would cost the friend, in points of damage, times the chance of the roll.
"""

from __future__ import annotations

from rules.bots.estimates import Estimate, facing_to, heat_risk
from rules.bots.places import CAUTION
from rules.competition.attacks.arithmetic import sum_of
from rules.competition.attacks.forms import plain_attack
from rules.competition.phases.flushing import FlushChoice, flush_choices
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import CLOSE
from rules.core.attack_hooks import flushes

STEP_WORTH = 0.15
"""The worth of one heat step less, in points of damage, on top of the effects avoided. At most three steps count."""


def relief(table: MatchState, unit: int, steps: int) -> float:
    """Return the worth, in points of damage, of taking up to `steps` heat steps off a unit's dial now."""
    lost = min(steps, table.position.heat[unit])
    return CAUTION * (heat_risk(table, unit, 0) - heat_risk(table, unit, -lost)) + STEP_WORTH * min(lost, 3)


def best_flushes(table: MatchState, unit: int) -> list[Estimate[FlushChoice]]:
    """Return for each friend with heat on its dial a flush without a move and the best one with a move, if possible.

    The flush of most worth comes first. The list is empty when the unit cannot flush. A unit that keeps its place and
    facing cools twice as much. The best move ends farthest from the nearest opponent, and then faces that opponent most
    directly.
    """
    active = table.equipment(unit)
    heat = table.position.heat
    friends = table.roster.side_units[table.roster.side_of[unit]]
    if not flushes(active, False) or not any(heat[friend] for friend in friends if friend != unit):
        return []
    here = (table.position.hex[unit], table.position.facing[unit])
    best: dict[tuple[int, bool], tuple[tuple[int, int], FlushChoice]] = {}
    for choice in flush_choices(table, unit):
        _, friend, _, place, facing, _, _ = choice
        if heat[friend]:
            has_moved = (place, facing) != here
            merit = _merit(table, unit, place, facing)
            if (friend, has_moved) not in best or merit > best[friend, has_moved][0]:
                best[friend, has_moved] = (merit, choice)
    found = []
    for (friend, has_moved), (_, choice) in best.items():
        chance = sum_of(table, plain_attack(unit, CLOSE, friend), friend).chance
        found.append(Estimate(chance * relief(table, friend, flushes(active, has_moved)), choice))
    return sorted(found, key=lambda one: -one.worth)


def _merit(table: MatchState, unit: int, place: int, facing: int) -> tuple[int, int]:
    """Return the hexes to the nearest opponent, and minus the facing steps by which the unit looks past that opponent.

    Both are 0 without opponents in the arena.
    """
    distance = table.roster.lattice.distance
    others = [at for other in table.roster.opponents[unit] if (at := table.position.hex[other]) >= 0]
    if not others:
        return 0, 0
    nearest = min(others, key=lambda at: distance(place, at))
    turned = abs(facing_to(table, place, nearest) - facing)
    return distance(place, nearest), -min(turned, 12 - turned)
