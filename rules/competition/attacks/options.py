"""The attacks that can be made from a place, each with the facings from which it can be made."""

from __future__ import annotations

from functools import cache
from itertools import combinations

from rules.competition.attacks.armament import Armament, Weapon, close_values, options_of, ranged_values, shot
from rules.competition.attacks.circles import without_circles
from rules.competition.attacks.forms import AttackChoice
from rules.competition.attacks.sighting import (
    candidates,
    close_facings,
    indirect_problems,
    is_out_of_hand,
    mendable,
    place_of,
)
from rules.competition.ground.hexes import bits
from rules.competition.ground.hexside_walks import hexes_in_range, hexside_ranges
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import CLOSE, RANGED
from rules.core.attack_hooks import repairs, strikes_all

ALL_FACINGS = (1 << 12) - 1


@cache
def facings_in(facings: int) -> tuple[int, ...]:
    """Return the facings of a set of 12 bits in rising order. Few sets occur, and they occur often: hence the cache."""
    return tuple(bits(facings))


Faced = tuple[int, AttackChoice]
"""A choice of attack with the facings, as 12 bits, from which it can be made."""


def close_attacks(
    table: MatchState, unit: int, place: int, order: int = CLOSE, armament: Armament | None = None
) -> list[Faced]:
    """Return every close combat attack from this place, with its facings.

    `order` is the order that the attack would belong to. `armament` is the unit's Armament; callers that ask about
    several places make it once.
    """
    armament = armament or Armament(table, unit)
    roster = table.roster
    direction, by_side = roster.lattice.direction, roster.fighters[unit].facings_by_side
    found: list[Faced] = []
    near: list[tuple[int, int]] = []
    for target, target_place in armament.marks:
        side = direction(place, target_place)
        if side >= 0 and not is_out_of_hand(table, place, target_place):
            near.append((by_side[side], target))
    if not near and not armament.mends:
        return found
    for value in close_values(table, unit):
        sweeps = strikes_all(table.equipment_on_value(unit, value))
        grouped = _sweeps(table, unit, place, near) if sweeps else {}
        swept = 0
        for group, facings in grouped.items():
            found.append((facings, (CLOSE, value, group, 0)))
            swept |= facings
        skip = options_of(table, unit, value, False)
        for facings, target in near:
            # Where a sweep would take more than one target, striking one of them means cancelling Full Strike.
            in_sweep = swept if any(target in group for group in grouped) else 0
            if facings & ~in_sweep:
                found.append((facings & ~in_sweep, (CLOSE, value, (target,), 0)))
                if skip and not sweeps:
                    found.append((facings, (CLOSE, value, (target,), skip)))
            if facings & in_sweep:
                found.append((facings & in_sweep, (CLOSE, value, (target,), sweeps)))
        found.extend(_repairs(table, unit, value, place))
    if armament.circles:
        found.extend(without_circles(table, unit, armament.circles, order, found))
    return found


def attack_places(table: MatchState, unit: int, order: int) -> int:
    """Return the hexes, as bits, near enough to a target of this order, CLOSE or RANGED.

    From these hexes the unit may have an attack, from all others it has none.
    """
    lattice = table.roster.lattice
    mask = 0
    if order == CLOSE:
        for target in candidates(table, unit):
            mask |= lattice.disc(place_of(table, target), 1)
        if repairs(table.equipment(unit)):
            for friend in table.roster.side_units[table.roster.side_of[unit]]:
                if table.position.hex[friend] >= 0:
                    mask |= table.roster.arena.contact[table.position.hex[friend]]
        return mask
    fighter = table.roster.fighters[unit]
    for value in ranged_values(table, unit):
        for target in candidates(table, unit):
            place = place_of(table, target)
            mask |= hexes_in_range(lattice, place, fighter.minimum[value], fighter.maximum[value])
    return mask


def _sweeps(table: MatchState, unit: int, place: int, near: list[tuple[int, int]]) -> dict[tuple[int, ...], int]:
    """Return the groups of two or more units in contact that a Full Strike hits at once, each with its facings."""
    touching = table.opponents_touching(unit, place)
    grouped: dict[tuple[int, ...], int] = {}
    for facing in range(12):
        group = tuple(target for facings, target in near if target in touching and facings >> facing & 1)
        if len(group) > 1:
            grouped[group] = grouped.get(group, 0) | 1 << facing
    return grouped


def swept(table: MatchState, unit: int, value: int, targets: tuple[int, ...]) -> tuple[int, ...]:
    """Return the targets of a close attack: with Full Strike all opponents in contact with the front arc (R-SED-13)."""
    if not strikes_all(table.equipment_on_value(unit, value)):
        return targets
    position, direction = table.position, table.roster.lattice.direction
    place = position.hex[unit]
    front = table.roster.fighters[unit].front_sides[position.facing[unit]]
    near = table.opponents_touching(unit, place)
    more = [other for other in near if other not in targets and front >> direction(place, position.hex[other]) & 1]
    return (*targets, *more)


def _repairs(table: MatchState, unit: int, value: int, place: int) -> list[Faced]:
    """Return the repairs of friends in contact and in front; neither unit may touch an opponent (R-SEA-02, Q-106)."""
    if not repairs(table.equipment(unit)) or table.opponents_touching(unit, place):
        return []
    found: list[Faced] = []
    for friend in table.friends_touching(table.roster.side_of[unit], place, unit):
        if not table.opponents_in_contact(friend) and mendable(table, friend):
            found.append((close_facings(table, unit, friend, place), (CLOSE, value, (friend,), 0)))
    return found


def ranged_attacks(
    table: MatchState, unit: int, place: int, order: int = RANGED, armament: Armament | None = None
) -> list[Faced]:
    """Return every ranged attack from this place that has an outcome of its own, with its facings.

    `order` is the order that the attack would belong to. `armament` is the unit's Armament; callers that ask about
    several places make it once.
    """
    armament = armament or Armament(table, unit)
    found: list[Faced] = []
    ranges = hexside_ranges(table.roster.lattice, place)
    for weapon in armament.weapons:
        value, least, most, missiles = weapon.value, weapon.least, weapon.most, weapon.missiles
        direct = []
        for target, target_place in armament.marks:
            if not least <= ranges[target_place] <= most:
                continue
            openings, starts, _ = armament.seen_from(place, target, target_place, value)
            if openings:
                direct.append((target, openings))
            if missiles and starts and not armament.is_spared(target):
                found.append((starts, shot(value, (target,))))
            if openings != starts and weapon.is_indirect and not indirect_problems(table, unit, value, place, target):
                found.append((starts & ~openings, (RANGED, value, (target,), True, None, False, missiles)))
        for target, openings in direct:
            found += [(openings, choice) for choice in armament.shots_at(weapon, target)]
        for count in range(2, min(weapon.targets, len(direct)) + 1):
            for group in combinations(direct, count):
                _add_group(armament, weapon, group, found)
    if armament.circles:
        found.extend(without_circles(table, unit, armament.circles, order, found))
    return found


def _add_group(armament: Armament, weapon: Weapon, group: tuple[tuple[int, int], ...], found: list[Faced]) -> None:
    """Add the attack on several targets, with its facings.

    Add it again without equipment that the owner may cancel, and again with friendly fire ignored (R-RMD-04).
    """
    facings = ALL_FACINGS
    for _, openings in group:
        facings &= openings
    if not facings:
        return
    targets = tuple([target for target, _ in group])
    found.append((facings, shot(weapon.value, targets)))
    if weapon.skip_several:
        found.append((facings, shot(weapon.value, targets, cancelled=weapon.skip_several)))
    if any([armament.is_befriended(target) for target in targets]):
        found.append((facings, shot(weapon.value, targets, ignores=True)))


def close_choices(
    table: MatchState, unit: int, place: int, facing: int, order: int = CLOSE, armament: Armament | None = None
) -> list[AttackChoice]:
    """Return every close combat attack from this place and facing."""
    found = close_attacks(table, unit, place, order, armament)
    return [choice for facings, choice in found if facings >> facing & 1]


def ranged_choices(
    table: MatchState, unit: int, place: int, facing: int, order: int = RANGED, armament: Armament | None = None
) -> list[AttackChoice]:
    """Return every ranged attack from this place and facing that has an outcome of its own."""
    found = ranged_attacks(table, unit, place, order, armament)
    return [choice for facings, choice in found if facings >> facing & 1]
