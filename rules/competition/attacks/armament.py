"""The weapons and targets of a unit, without the place that it attacks from: worked out once for many places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.competition.attacks.circles import unspent_circles
from rules.competition.attacks.forms import RangedChoice
from rules.competition.attacks.sighting import candidates, friends_at, lines_to, place_of
from rules.competition.ground.line_of_fire import Lines, lines
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import RANGED, SHUTDOWN
from rules.competition.state.roster import PRIMARY, SECONDARY, TOKEN
from rules.core.attack_hooks import (
    ignores_lines,
    repairs,
    shuns_indirect_and_missiles,
    weighs_close,
    weighs_ranged,
    weighs_several,
)
from rules.core.equipment import OPTIONAL
from rules.core.refusals import Refusal


def close_values(table: MatchState, unit: int) -> tuple[int, ...]:
    """Return the damage values a close combat attack may use (R-CLO-05, R-CLO-13)."""
    types = table.roster.fighters[unit].range_types
    return (PRIMARY, SECONDARY) if types[SECONDARY] == "melee" else (PRIMARY,)


def ranged_values(table: MatchState, unit: int) -> list[int]:
    """Return the damage values that can make a ranged attack now (R-RNG-05, R-HEF-04, R-HEF-07, R-FMT-06)."""
    if not table.roster.format.allows_ranged:
        return []
    fighter = table.roster.fighters[unit]
    jammed = fighter.jammed[table.position.heat[unit]]
    return [value for value in (PRIMARY, SECONDARY) if fighter.range_types[value] != "melee" and not jammed[value]]


def options_of(table: MatchState, unit: int, value: int, is_ranged: bool) -> int:
    """Return the optional equipment on the attacking value that an attacker may want to cancel, as bits."""
    return table.equipment_on_value(unit, value) & OPTIONAL & (weighs_ranged() if is_ranged else weighs_close())


def missile_problem(table: MatchState, target: int) -> Refusal | None:
    """Return why Streak Missiles cannot choose the target (missiles_not_here), None when they can (R-SED-05).

    They cannot choose a shutdown unit or one with Electronic Camouflage.
    """
    if target < TOKEN and (
        table.position.status[target] & SHUTDOWN or shuns_indirect_and_missiles(table.equipment(target))
    ):
        return Refusal("missiles_not_here", {"target": table.roster.target_name(target)})
    return None


class Weapon(NamedTuple):
    """A damage value that can make ranged attacks now.

    `least` and `most`: its range, hexsides. `targets`: how many it takes at once. `missiles`: the bits by which a shot
    at a single target ignores what is in its way. `skip`, `skip_several`: the optional bits that its owner may want to
    cancel, in a shot at one target and at several. `is_indirect`: whether the attacker may fire it indirectly at all
    (R-IND-03 to R-IND-05).
    """

    value: int
    least: int
    most: int
    targets: int
    missiles: int
    skip: int
    skip_several: int
    is_indirect: bool


class Seen(NamedTuple):
    """A target as seen from a place.

    `openings`: the facings, as 12 bits, from which a line of fire to it is open. `starts`: the facings from which there
    is any line at all, which missiles and indirect fire need (R-IND-01). `lines`: the lines, None to an adjacent
    target.
    """

    openings: int
    starts: int
    lines: Lines | None


def shot(value: int, targets: tuple[int, ...], ignores: bool = False, cancelled: int = 0) -> RangedChoice:
    """Return a choice of direct fire; `ignores`: friendly fire is ignored."""
    return (RANGED, value, targets, False, None, ignores, cancelled)


class Armament:
    """One unit's weapons and targets at one moment; `look` follows moved units, other changes need a new Armament.

    `marks`: every target with its hex. `mends`: the bits by which it repairs friends. `circles`: the result of
    `unspent_circles`.
    """

    __slots__ = (
        "_befriended", "_filled", "_place", "_seen", "_shots", "_spared", "_weapons", "circles", "marks", "mends",
        "table", "unit",
    )  # fmt: skip

    def __init__(self, table: MatchState, unit: int, only: tuple[int, ...] | None = None) -> None:
        """Take all targets of the unit, or those in `only`."""
        self.table = table
        self.unit = unit
        self._weapons: list[Weapon] | None = None
        self.circles = unspent_circles(table, unit)
        self.mends = repairs(table.equipment(unit))
        self.look(candidates(table, unit) if only is None else only)

    @property
    def weapons(self) -> list[Weapon]:
        """The weapons that can make ranged attacks now."""
        if self._weapons is None:
            self._weapons = [_weapon(self.table, self.unit, value) for value in ranged_values(self.table, self.unit)]
        return self._weapons

    def look(self, targets: Sequence[int]) -> None:
        """Make these the targets and look again where all units stand; the weapons stay the same."""
        table = self.table
        position = table.position
        self.marks = [
            (target, position.hex[target] if target < TOKEN else place_of(table, target)) for target in targets
        ]
        own = position.hex[self.unit]
        self._filled = position.occupied() & ~(1 << own) if own >= 0 else position.occupied()
        self._place = -1
        self._seen: dict[int, Seen] = {}
        self._befriended: dict[int, bool] = {}
        self._spared: dict[int, bool] = {}
        self._shots: dict[tuple[int, int], list[RangedChoice]] = {}

    def seen_from(self, place: int, target: int, target_place: int, value: int) -> Seen:
        """Return how a target can be fired at with a value; without beacons the last place's answers are kept."""
        if place == self._place:
            known = self._seen.get(target)
            if known is not None:
                return known
        else:
            # A beacon marks its target for ballistic fire alone, so the answer depends on the value: keep none.
            self._place = -1 if self.table.position.beacons else place
            self._seen = {}
        roster = self.table.roster
        fighter = roster.fighters[self.unit]
        side = roster.lattice.direction(place, target_place)
        if side >= 0:
            found = Seen(fighter.facings_by_side[side], fighter.facings_by_side[side], None)
        else:
            if self._place < 0:
                ways = lines_to(self.table, self.unit, value, target, place)
            else:
                # Third parties are all but the attacker and its target.
                ways = lines(roster.arena, place, target_place, self._filled & ~(1 << target_place))
            found = Seen(fighter.facings_by_corners[ways.openings], fighter.facings_by_corners[ways.starts], ways)
        self._seen[target] = found
        return found

    def shots_at(self, weapon: Weapon, target: int) -> list[RangedChoice]:
        """Return the direct shots at one target.

        They are the plain shot unless the weapon fires missiles, one without the equipment that the owner may want to
        cancel if it has any, and one with friendly fire ignored if friends touch the target (R-RMD-04).
        """
        known = self._shots.get((weapon.value, target))
        if known is None:
            targets = (target,)
            known = []
            if not weapon.missiles:  # `ranged_attacks` lists the plain shot of missiles, along more lines
                known.append(shot(weapon.value, targets))
            if weapon.skip:
                known.append(shot(weapon.value, targets, cancelled=weapon.skip))
            if self.is_befriended(target):
                known.append(shot(weapon.value, targets, ignores=True, cancelled=weapon.missiles))
            self._shots[weapon.value, target] = known
        return known

    def is_befriended(self, target: int) -> bool:
        """Return whether friends of the attacker touch the target (R-RMD-03)."""
        known = self._befriended.get(target)
        if known is None:
            known = self._befriended[target] = bool(friends_at(self.table, self.unit, target))
        return known

    def is_spared(self, target: int) -> bool:
        """Return whether shots that ignore lines cannot choose the target (R-SED-05)."""
        known = self._spared.get(target)
        if known is None:
            known = self._spared[target] = missile_problem(self.table, target) is not None
        return known


def _weapon(table: MatchState, unit: int, value: int) -> Weapon:
    fighter = table.roster.fighters[unit]
    missiles = ignores_lines(table.equipment_on_value(unit, value), True, True)
    skip = options_of(table, unit, value, True)
    is_ballistic = fighter.range_types[value] == "ballistic"
    return Weapon(
        value,
        fighter.minimum[value],
        fighter.maximum[value],
        fighter.targets[value],
        missiles,
        skip,
        skip & weighs_several(),
        is_ballistic and fighter.maximum[value] > 0 and table.attack(unit) > 0,
    )
