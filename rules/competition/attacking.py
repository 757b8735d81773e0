"""Which attacks there are from a place, each with the facings from which it can be made."""

from __future__ import annotations

from itertools import combinations

from rules.competition.circles import unspent_circles, without_circles
from rules.competition.hexside_walks import hexes_in_range
from rules.competition.position import CLOSE, RANGED, SHUTDOWN
from rules.competition.roster import PRIMARY, SECONDARY, TOKEN
from rules.competition.sighting import (
    candidates,
    close_facings,
    direct_facings,
    friends_at,
    indirect_facings,
    is_in_range,
    may_fire_indirectly,
    mendable,
    place_of,
)
from rules.competition.table import Choice, Table
from rules.core.attack_hooks import (
    ignores_lines,
    repairs,
    shuns_indirect_and_missiles,
    strikes_all,
    weighs_close,
    weighs_ranged,
    weighs_several,
)
from rules.core.equipment import OPTIONAL
from rules.core.refusals import Refusal

ALL_FACINGS = (1 << 12) - 1


def close_values(table: Table, unit: int) -> tuple[int, ...]:
    """The damage values a close combat attack may use (R-CLO-05, R-CLO-13)."""
    types = table.roster.fighters[unit].range_types
    return (PRIMARY, SECONDARY) if types[SECONDARY] == "melee" else (PRIMARY,)


def ranged_values(table: Table, unit: int) -> list[int]:
    """The damage values that can make a ranged attack now (R-RNG-05, R-HEF-04, R-HEF-07, R-FMT-06)."""
    if not table.roster.format.allows_ranged:
        return []
    fighter = table.roster.fighters[unit]
    jammed = fighter.jammed[table.position.heat[unit]]
    return [value for value in (PRIMARY, SECONDARY) if fighter.range_types[value] != "melee" and not jammed[value]]


Faced = tuple[int, Choice]
"""A choice of attack with the facings, as 12 bits, from which it can be made."""


def close_attacks(table: Table, unit: int, place: int, order: int = CLOSE) -> list[Faced]:
    """Every close combat attack from this place, with its facings; `order` is the order it would belong to."""
    found: list[Faced] = []
    near: list[tuple[int, int]] = []
    for target in candidates(table, unit):
        facings = close_facings(table, unit, target, place)
        if facings:
            near.append((facings, target))
    if not near and not repairs(table.equipment(unit)):
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
            # Where a sweep would take more than one target, striking one of them means doing without it.
            in_sweep = swept if any(target in group for group in grouped) else 0
            if facings & ~in_sweep:
                found.append((facings & ~in_sweep, (CLOSE, value, (target,), 0)))
                if skip and not sweeps:
                    found.append((facings, (CLOSE, value, (target,), skip)))
            if facings & in_sweep:
                found.append((facings & in_sweep, (CLOSE, value, (target,), sweeps)))
        found.extend(_repairs(table, unit, value, place))
    circles = unspent_circles(table, unit)
    if circles:
        found.extend(without_circles(table, unit, circles, order, found))
    return found


def attack_places(table: Table, unit: int, order: int) -> int:
    """The hexes, as bits, near enough to something that the unit may attack with this order; elsewhere it has no
    attack of the kind, here it may have one."""
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


def _sweeps(table: Table, unit: int, place: int, near: list[tuple[int, int]]) -> dict[tuple[int, ...], int]:
    """Full Strike: the groups of two and more units in contact that one facing takes, with those facings."""
    touching = table.opponents_touching(unit, place)
    grouped: dict[tuple[int, ...], int] = {}
    for facing in range(12):
        group = tuple(target for facings, target in near if target in touching and facings >> facing & 1)
        if len(group) > 1:
            grouped[group] = grouped.get(group, 0) | 1 << facing
    return grouped


def swept(table: Table, unit: int, value: int, targets: tuple[int, ...]) -> tuple[int, ...]:
    """The targets of a close attack: with Full Strike all opponents in contact with the front arc (R-SED-13)."""
    if not strikes_all(table.equipment_on_value(unit, value)):
        return targets
    position, direction = table.position, table.roster.lattice.direction
    place = position.hex[unit]
    front = table.roster.fighters[unit].front_sides[position.facing[unit]]
    near = table.opponents_touching(unit, place)
    more = [other for other in near if other not in targets and front >> direction(place, position.hex[other]) & 1]
    return (*targets, *more)


def _repairs(table: Table, unit: int, value: int, place: int) -> list[Faced]:
    """Repair: friends in contact, in front, and opponents nowhere near either (R-SEA-02, Q-106)."""
    if not repairs(table.equipment(unit)) or table.opponents_touching(unit, place):
        return []
    found: list[Faced] = []
    for friend in table.friends_touching(table.roster.side_of[unit], place, unit):
        if not table.opponents_in_contact(friend) and mendable(table, friend):
            found.append((close_facings(table, unit, friend, place), (CLOSE, value, (friend,), 0)))
    return found


def options_of(table: Table, unit: int, value: int, is_ranged: bool) -> int:
    """The optional equipment on the attacking value that an attacker may rather do without, as bits."""
    return table.equipment_on_value(unit, value) & OPTIONAL & (weighs_ranged() if is_ranged else weighs_close())


def ranged_attacks(
    table: Table, unit: int, place: int, order: int = RANGED, only: tuple[int, ...] | None = None
) -> list[Faced]:
    """Every ranged attack from this place that has an outcome of its own, with its facings; `order` is the order it
    would belong to, `only` leaves all attacks out that have another target than these."""
    found: list[Faced] = []
    values = ranged_values(table, unit)
    if not values:
        return found
    targets = candidates(table, unit) if only is None else only
    for value in values:
        skip = options_of(table, unit, value, True)
        missiles = ignores_lines(table.equipment_on_value(unit, value), True, True)
        seen: dict[int, int] = {}
        direct = []
        for target in targets:
            if not is_in_range(table, unit, value, place, target):
                continue
            seen[target] = direct_facings(table, unit, value, target, place)
            if seen[target]:
                direct.append(target)
            if missiles and missile_problem(table, target) is None:
                found.append((direct_facings(table, unit, value, target, place, missiles), _shot(value, (target,))))
            if seen[target] != ALL_FACINGS:
                found.extend(_indirect_attack(table, unit, value, target, place, missiles))
        for count in range(1, min(table.roster.fighters[unit].targets[value], len(direct)) + 1):
            for group in combinations(direct, count):
                found.extend(_direct_attack(table, unit, value, group, seen, skip, missiles))
    circles = unspent_circles(table, unit)
    if circles:
        found.extend(without_circles(table, unit, circles, order, found))
    return [(facings, choice) for facings, choice in found if facings]


def _shot(value: int, group: tuple[int, ...], ignores: bool = False, cancelled: int = 0) -> Choice:
    return (RANGED, value, group, False, None, ignores, cancelled)


def missile_problem(table: Table, target: int) -> Refusal | None:
    """Streak Missiles cannot choose a shutdown unit or one with Electronic Camouflage (R-SED-05)."""
    if target < TOKEN and (
        table.position.status[target] & SHUTDOWN or shuns_indirect_and_missiles(table.equipment(target))
    ):
        return Refusal("missiles_not_here", {"target": table.roster.target_name(target)})
    return None


def _indirect_attack(table: Table, unit: int, value: int, target: int, place: int, missiles: int) -> list[Faced]:
    if table.roster.fighters[unit].range_types[value] != "ballistic":
        return []
    facings = indirect_facings(table, unit, value, target, place)
    if not facings or may_fire_indirectly(table, unit, value, place, target):
        return []
    return [(facings, (RANGED, value, (target,), True, None, False, missiles))]


def _direct_attack(
    table: Table, unit: int, value: int, group: tuple[int, ...], seen: dict[int, int], skip: int, missiles: int
) -> list[Faced]:
    """The attack on a group of targets; again where friendly fire may be waived (R-RMD-04), and where equipment may
    be done without."""
    facings = ALL_FACINGS
    for target in group:
        facings &= seen[target]
    if not facings:
        return []
    found: list[Faced] = []
    is_single = len(group) == 1
    if not (missiles and is_single):  # with missiles a single target was listed already
        found.append((facings, _shot(value, group)))
    if not is_single:
        skip &= weighs_several()
    if skip:
        found.append((facings, _shot(value, group, cancelled=skip)))
    if any(friends_at(table, unit, target) for target in group):
        found.append((facings, _shot(value, group, ignores=True, cancelled=missiles if is_single else 0)))
    return found


def close_choices(table: Table, unit: int, place: int, facing: int, order: int = CLOSE) -> list[Choice]:
    """Every close combat attack from this place and facing."""
    return [choice for facings, choice in close_attacks(table, unit, place, order) if facings >> facing & 1]


def ranged_choices(table: Table, unit: int, place: int, facing: int, order: int = RANGED) -> list[Choice]:
    """Every ranged attack from this place and facing that has an outcome of its own."""
    return [choice for facings, choice in ranged_attacks(table, unit, place, order) if facings >> facing & 1]
