"""The greedy bot: it looks one step ahead at expected damage. It closes to its best range, faces its target, fires its
better weapon, dodges when that saves more than it costs, and vents before it overheats.

It decides from what is face up on the table (positions, dials, heat), never from dice or face-down tokens.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from rules.bots import objectives
from rules.bots.attack_estimates import AttackEstimates, damage_of, worth_of_hit
from rules.bots.base import TableBot
from rules.bots.cards import choose_source, play_rally
from rules.bots.cooling import STEP_WORTH, best_flushes
from rules.bots.estimates import best_attack, best_facing, best_of, facing_to, heat_risk
from rules.bots.places import CAUTION, Places
from rules.competition.attacks.approaches import FROM_THE_AIR, charge_line
from rules.competition.attacks.arithmetic import sum_of
from rules.competition.attacks.damage import Hit
from rules.competition.attacks.forms import Attack, AttackChoice, CloseChoice, plain_attack
from rules.competition.attacks.reactions import CancelChoice, HelpfulEquipment, ReactChoice
from rules.competition.attacks.repairing import DIE, VALUE, Mending, RepairChoice
from rules.competition.attacks.resolving import RerollChoice, Rolled, SplitChoice
from rules.competition.ground.hexes import bits
from rules.competition.phases import combat_phase, impact, move_phase, special_attacks
from rules.competition.phases.combat_phase import AssaultChoice, CombatChoice
from rules.competition.phases.move_phase import MoveChoice
from rules.competition.phases.rounds import StartChoice
from rules.competition.phases.special_attacks import SpecialChoice
from rules.competition.state.match_state import Choice, MatchState
from rules.competition.state.position import ASSAULT, CHARGE, CLOSE, DEFEND, DODGE, MOVE, RANGED, TURN_OVER, VENT
from rules.competition.state.roster import PRIMARY, TOKEN
from rules.competition.units.free_spins import SpinChoice
from rules.competition.units.heat import RestartChoice, ShownEffect
from rules.competition.units.initiative import FirstChoice, Ranking
from rules.competition.units.revivals import ReviveChoice
from rules.competition.units.tokens import TokenChoice, counted_hex

BREAK_AWAY_COST = 0.8
"""The cost of a move that must break away first, in points of damage; the roll may fail."""

ASSAULT_PLACES = 24
"""The most hexes that are looked at for each kind of assault."""


class GreedyBot(TableBot):
    """A bot that looks one step ahead at expected damage."""

    name = "greedy"

    def decide(self, table: MatchState, rng: random.Random) -> Choice:
        """Return the choice of greatest expected worth."""
        assert table.open is not None
        kind, unit, data = table.open
        return _ANSWERS[kind.name](table, unit, data)


def _start(table: MatchState, unit: int, data: None) -> StartChoice:
    """Return the starting hex nearest to the middle of the arena, facing the middle."""
    lattice = table.roster.lattice
    options = _start_hexes(table)
    centre = lattice.index(f"{(lattice.columns + 1) // 2:02d}{(lattice.rows + 1) // 2:02d}")
    place = min(options, key=lambda option: lattice.distance(option, centre))
    return (place, facing_to(table, place, centre))


def _start_hexes(table: MatchState) -> list[int]:
    """Return the hexes on offer, from the open decision itself."""
    assert table.open is not None
    kind, unit, data = table.open
    return list(dict.fromkeys(choice[0] for choice in kind.options(table, unit, data)))


def _initiative(table: MatchState, unit: int, data: Ranking) -> FirstChoice:
    """Choose to act last: the unit then knows the others' moves."""
    return (False,)


def _attempt(table: MatchState, unit: int, data: ShownEffect | None) -> ReviveChoice | RestartChoice:
    return (True,)


def _move(table: MatchState, unit: int, data: None) -> MoveChoice:
    position = table.position
    place = position.hex[unit]
    places = Places(table, unit)
    best_worth = places.worth_of(place, position.facing[unit])
    facing, attack = places.facing_at(place)
    best: MoveChoice = (move_phase.PASS,)
    turned = places.threatened(place, facing, attack) - 0.01
    if turned > best_worth:
        best_worth, best = turned, (MOVE, move_phase.WALK, place, facing, None, 0)
    speed = table.speed(unit)
    active = table.equipment(unit)
    broken_from = table.opponents_in_contact(unit)
    fear = BREAK_AWAY_COST if broken_from else 0.0
    seen = 0
    for mode in move_phase.MOVE_TURN.modes(table, unit):
        if mode == move_phase.RUN and (best_worth > 0.8 or heat_risk(table, unit, 2) > 0.5):
            continue
        reached = move_phase.destinations(
            table, unit, mode, speed * (2 if mode == move_phase.RUN else 1), active, broken_from
        )
        cost = fear + (0.4 + heat_risk(table, unit, 1) if mode == move_phase.RUN else 0.0)
        found = places.best(list(bits(reached & ~seen)), cost, best_worth)
        if found is not None:
            best_worth, best = found[0], (MOVE, mode, found[1], found[2], None, 0)
        seen |= reached
    return _move_for_flag(places, best_worth, best, fear)


def _move_for_flag(places: Places, best_worth: float, best: MoveChoice, fear: float) -> MoveChoice:
    """Return the best move that tries for a flag on its way, or `best` unless that is worth more than `best_worth`."""
    table, unit = places.table, places.unit
    match_format = table.roster.format
    for way in match_format.flag_tries(table, unit):
        if way.mode == move_phase.RUN and heat_risk(table, unit, 2) > 0.5:
            continue
        gain = objectives.worth_of_try(table, unit, way) - fear
        cost = 0.4 + heat_risk(table, unit, 1) if way.mode == move_phase.RUN else 0.0
        facing, attack = places.facing_at(way.destination)
        # A threat only lowers the worth, so a place that is worth too little without one is skipped.
        if places.unthreatened(way.destination, attack) + gain - cost <= best_worth:
            continue
        worth = places.threatened(way.destination, facing, attack) + gain - cost
        if worth > best_worth:
            best_worth = worth
            best = (MOVE, way.mode, way.destination, facing, match_format.path_of(table, unit, way), 0)
    return best


def _special(table: MatchState, unit: int, data: None) -> SpecialChoice:
    """Return the best charge or death from above, or the pass.

    Less what it costs the unit, it must promise more than the unit's best attack now, and more than 0.8 points.
    """
    position = table.position
    found = best_facing(table, unit, position.hex[unit])[1]
    best_worth = max(0.8, found.worth if found is not None else 0.0)
    best: SpecialChoice = (move_phase.PASS,)
    for kind, target, ends in special_attacks.landings(table, unit):
        place = next(bits(ends))
        facing = facing_to(table, place, position.hex[target])
        line = charge_line(table, unit, target, place, facing) if kind == CHARGE else FROM_THE_AIR
        attack = plain_attack(unit, kind, target)
        chance = sum_of(table, attack, target, line, (place, facing)).chance
        primary = table.damage(unit, PRIMARY)
        blow: CloseChoice = (CLOSE, PRIMARY, (target,), 0)
        gain = chance * worth_of_hit(table, unit, blow, target, primary + impact.IMPACT[kind])
        price = max(1, (primary + 1) // 2) + heat_risk(table, unit, 2) if kind == CHARGE else 2 - chance
        if gain - CAUTION * price > best_worth:
            best_worth, best = gain - CAUTION * price, (kind, target, place, facing, None, 0)
    return best


def _free_spin(table: MatchState, unit: int, data: int) -> SpinChoice:
    facing, _ = best_facing(table, unit, table.position.hex[unit])
    return (facing if facing != table.position.facing[unit] else -1,)


def _combat(table: MatchState, unit: int, data: str) -> CombatChoice:
    position = table.position
    place, facing = position.hex[unit], position.facing[unit]
    is_free = data == combat_phase.FREE
    options: list[tuple[float, CombatChoice]] = [(0.0, (move_phase.PASS,))]
    legal_now = not is_free or not combat_phase.only_vents(table, unit)
    added = 1 if is_free else 0
    if legal_now:
        found = best_attack(table, unit, place, facing)
        if found is not None:
            options.append((found.worth - CAUTION * heat_risk(table, unit, added), found.choice))
    if is_free:
        if position.heat[unit] > 0:
            options.append((CAUTION * heat_risk(table, unit, 0) + STEP_WORTH * min(position.heat[unit], 3), (VENT,)))
        if legal_now and (flushes := best_flushes(table, unit)):
            options.append((flushes[0].worth - CAUTION * heat_risk(table, unit, added), flushes[0].choice))
        if legal_now and not table.opponents_in_contact(unit):
            assault = best_assault(table, unit)
            if assault is not None:
                worth = assault[0] - CAUTION * heat_risk(table, unit, 2) - 0.2
                options.append((worth, assault[1]))
    return max(options, key=lambda option: option[0])[1]


def best_assault(table: MatchState, unit: int) -> tuple[float, AssaultChoice] | None:
    """Return the worth of the best assault's attack, in points of damage, and that assault; None when there is none.

    At most ASSAULT_PLACES hexes are looked at for each kind of attack, those nearest to a target first.
    """
    position, lattice = table.position, table.roster.lattice
    origin = position.hex[unit]
    goals = [position.hex[other] for other in table.roster.opponents[unit] if position.hex[other] >= 0]
    goals += [at for _, at in position.tokens]
    best: tuple[float, AssaultChoice] | None = None
    aim = AttackEstimates(table, unit, ASSAULT)
    for order in (CLOSE, RANGED):
        reached = combat_phase.assault_reach(table, unit, order, move_phase.WALK)
        near = sorted(bits(reached), key=lambda at: min((lattice.distance(at, goal) for goal in goals), default=0))
        for place in near[:ASSAULT_PLACES]:
            if order == CLOSE and not any(lattice.distance(place, goal) == 1 for goal in goals):
                break
            if place == origin:
                continue
            attacks = aim.attacks(place, order)
            for facing in dict.fromkeys(facing_to(table, place, goal) for goal in goals):
                found = best_of(aim, place, facing, attacks)
                if found is not None and (best is None or found.worth > best[0]):
                    best = (found.worth, (ASSAULT, move_phase.WALK, place, facing, None, found.choice, 0))
    return best


def _react(table: MatchState, unit: int, data: Attack) -> ReactChoice:
    """Return the reaction that saves most beyond what it costs in heat and in the unit's own attack.

    Order 0, no reaction, is returned when none saves more than it costs.
    """
    position = table.position
    attacker = data.attacker
    choice: AttackChoice = (
        (RANGED, data.value, data.targets, data.indirect, None, data.ignores_friendly_fire, 0)
        if data.is_ranged
        else (CLOSE, data.value, data.targets, 0)
    )
    damage = worth_of_hit(table, attacker, choice, unit, damage_of(table, attacker, choice))
    before = sum_of(table, data, unit).chance
    own = 0.0
    if not position.orders[unit] & TURN_OVER:
        found = best_attack(table, unit, position.hex[unit], position.facing[unit])
        own = found.worth if found else 0.0
    heat = CAUTION * heat_risk(table, unit, 1) + 0.1
    best_worth, best = 0.0, 0
    assert table.open is not None
    for order, _ in table.open[0].options(table, unit, data):
        if not order:
            continue
        if order == DODGE:
            worth = chance_lost(before, 2) * damage - own - heat
        elif order == DEFEND:
            worth = chance_lost(before, 1) * damage - 0.25 * own - heat
        else:
            worth = 0.3 * own - chance_lost(before, 1) * damage - heat
        if worth > best_worth:
            best_worth, best = worth, order
    return (best, 0)


def chance_lost(chance: float, points: int) -> float:
    """Return roughly how much of a chance to hit is lost with `points` off the attack value.

    A point costs an eighth in the middle, less at the ends.
    """
    return min(chance, points * (0.125 if 0.1 < chance < 0.9 else 0.06))


def _cancel(table: MatchState, unit: int, data: HelpfulEquipment) -> CancelChoice:
    return (0,)


def _reroll(table: MatchState, unit: int, data: Rolled) -> RerollChoice:
    """Return the die to roll again, or -1 for none.

    One of the two ones of a critical miss is rolled again. If the first target would be missed, the lowest die is, when
    it shows three or less.
    """
    first, second, _ = data.dice
    if first == second == 1:
        return (0,)
    if first == second == 6 or sum_of(table, data.attack, data.attack.targets[0]).is_hit_by(data.dice, None):
        return (-1,)
    lowest = min(range(3), key=lambda die: data.dice[die])
    return (lowest,) if data.dice[lowest] < 4 else (-1,)


def _split(table: MatchState, unit: int, data: Hit) -> SplitChoice:
    """Return the shares: one point for each token, the rest for the unit with the fewest clicks left.

    Without a unit the first token gets the rest.
    """
    shares = [0] * len(data.targets)
    left = data.damage
    units = [number for number, target in enumerate(data.targets) if target < TOKEN]
    for number, target in enumerate(data.targets):
        if target >= TOKEN and left > (1 if units else 0):
            shares[number] = 1
            left -= 1
    if units:
        best = min(
            units,
            key=lambda number: table.fighter(data.targets[number]).clicks - table.position.clicks[data.targets[number]],
        )
        shares[best] += left
    else:
        shares[0] += left
    return tuple(shares)


def _repair(table: MatchState, unit: int, data: Mending) -> RepairChoice:
    """Return the choice to repair by damage value, if it is four or more, or by die, which brings 3.5 on average."""
    return (VALUE,) if table.damage(unit, data.attack.value) >= 4 else (DIE,)


def _token(table: MatchState, unit: int, data: int) -> TokenChoice:
    """Return the corner from which the token probably falls nearest to the unit.

    Every hex is taken for a corner, so the hexes of the first token count alike. Of equals, and for a unit outside of
    the arena, the first on offer is returned.
    """
    assert table.open is not None
    kind = table.open[0]
    lattice, place = table.roster.lattice, table.position.hex[unit]
    options: list[TokenChoice] = kind.options(table, unit, data)
    if place < 0:
        return options[0]

    def away(choice: TokenChoice) -> int:
        likely = counted_hex(table, choice[0], 7, 10)
        return lattice.distance(place, likely if likely >= 0 else choice[0])

    return min(options, key=away)


_ANSWERS: Mapping[str, Callable[[MatchState, int, Any], Choice]] = {
    "start": _start,
    "token": _token,
    "active": objectives.name_active,
    "tag": objectives.tag,
    "flag_drop": objectives.drop,
    "initiative": _initiative,
    "revive": _attempt,
    "restart": _attempt,
    "special": _special,
    "move": _move,
    "free_spin": _free_spin,
    "combat": _combat,
    "react": _react,
    "cancel": _cancel,
    "reroll": _reroll,
    "split": _split,
    "repair": _repair,
    "rally": play_rally,
    "source": choose_source,
}
