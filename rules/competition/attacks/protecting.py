"""Friends that protect a target: Point Defense Systems in contact with it, Advanced Anti-Missile Systems in reach."""

from __future__ import annotations

from rules.competition.attacks.forms import Attack
from rules.competition.attacks.reactions import CANCEL
from rules.competition.state.events import EQUIPMENT_ROLLED
from rules.competition.state.match_state import MatchState
from rules.competition.state.roster import TOKEN
from rules.competition.units.sources import ask_for
from rules.core.attack_hooks import INTERCEPTION_RANGE, intercepted, intercepts, key_of, lends_defense
from rules.core.equipment import OPTIONAL
from rules.core.equipment_hooks import Modifier, mask_of


def lender(table: MatchState, target: int) -> tuple[int, int]:
    """Return the friend in contact that lends the highest unmodified defense, and that value (Q-109).

    Return (-1, 0) without such a friend.
    """
    best, value = -1, 0
    units = table.roster.side_units[table.roster.side_of[target]]
    if len(units) < 2:
        return best, value
    for friend in table.friends_touching(table.roster.side_of[target], table.position.hex[target], target):
        if lends_defense(table.equipment(friend)):
            own = table.fighter(friend).defense[table.position.clicks[friend]]
            if own > value:
                best, value = friend, own
    return best, value


def interceptors(table: MatchState, target: int) -> list[int]:
    """Return the units of the target's side, itself included, whose system reaches it (R-SEF-01), in turn order."""
    position, lattice = table.position, table.roster.lattice
    place = position.hex[target]
    return table.in_turn_order(
        [
            unit
            for unit in table.roster.side_units[table.roster.side_of[target]]
            if position.hex[unit] >= 0
            and intercepts(table.equipment(unit))
            and lattice.distance(place, position.hex[unit]) <= INTERCEPTION_RANGE
        ]
    )


def intercept(table: MatchState, target: int, dealt: int) -> list[Modifier]:
    """Let each system in reach roll against ballistic fire that still deals damage after all else (Q-97).

    Return what they take off, as negative amounts; an empty list when nothing.
    """
    found: list[Modifier] = []
    for unit in interceptors(table, target):
        if dealt <= 0:
            break
        system = intercepts(table.equipment(unit))
        (die,) = table.dice.roll(1, key_of(system))
        taken = intercepted(system, die, dealt)
        amount = sum(part for _, part in taken)
        table.emit(EQUIPMENT_ROLLED, unit, key_of(system), die, amount)
        if taken:
            dealt += amount
            found.extend(taken)
            table.charge_single_use(unit, system)
    return found


def ask_sources_beside(table: MatchState, attack: Attack) -> None:
    """Ask the targets' friends for the source of each value that might protect a target (R-SEG-14, Q-107)."""
    position, roster = table.position, table.roster
    is_ballistic = attack.is_ranged and roster.fighters[attack.attacker].range_types[attack.value] == "ballistic"
    asked: dict[int, int] = {}
    for target in attack.targets:
        if target >= TOKEN or position.hex[target] < 0:
            continue
        side, place = roster.side_of[target], position.hex[target]
        for friend in table.friends_touching(side, place, target):
            asked[friend] = asked.get(friend, 0) | mask_of("lends_defense")
        for friend in roster.side_units[side] if is_ballistic else ():
            if position.hex[friend] >= 0 and roster.lattice.distance(place, position.hex[friend]) <= INTERCEPTION_RANGE:
                asked[friend] = asked.get(friend, 0) | mask_of("intercepts")
    beside = [unit for unit in asked if unit not in attack.targets]  # targets were asked for all of theirs
    table.push(*((ask_for, unit, asked[unit]) for unit in table.in_turn_order(beside)))


def ask_protectors(table: MatchState, attack: Attack) -> None:
    """Ask each friend with an optional system that would help a target whether to cancel it (R-SEG-08)."""
    asked: list[tuple[int, int]] = []
    for target in attack.targets:
        if target >= TOKEN or not table.is_in_play(target):
            continue
        for friend in table.roster.side_units[table.roster.side_of[target]]:
            if friend == target or not table.is_in_play(friend) or any(friend == other for other, _ in asked):
                continue
            helpful = _helps(table, attack, target, friend) & OPTIONAL
            if helpful:
                asked.append((friend, helpful))
    if asked:
        table.push(*((ask_cancel, friend, attack, helpful) for friend, helpful in asked))


def _helps(table: MatchState, attack: Attack, target: int, friend: int) -> int:
    found = 0
    position = table.position
    is_touching = friend in table.friends_touching(table.roster.side_of[target], position.hex[target], target)
    if is_touching and table.fighter(friend).defense[position.clicks[friend]] > table.defense(target):
        found |= lends_defense(table.equipment(friend))  # also when another lender has more: that one may decline
    is_ballistic = table.fighter(attack.attacker).range_types[attack.value] == "ballistic"
    if attack.is_ranged and is_ballistic and friend in interceptors(table, target):
        found |= intercepts(table.equipment(friend))
    return found


def ask_cancel(table: MatchState, unit: int, attack: Attack, helpful: int) -> None:
    """Ask one protector which equipment to cancel."""
    if table.is_in_play(unit):
        table.ask(CANCEL, unit, (attack, helpful))
