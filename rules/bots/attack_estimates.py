"""Estimates of attacks: the chance to hit, and the worth of a hit in expected points of damage.

`AttackEstimates` belong to the present table and remember all that does not depend on the attacker's place; make new
ones when the table has changed. They see only what is face up, never dice or face-down tokens.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rules.competition.attacks.arithmetic import reached, sum_of
from rules.competition.attacks.armament import Armament
from rules.competition.attacks.fixed_modifiers import (
    CALLED_SHOT,
    FRIENDLY_FIRE,
    HEIGHT,
    HINDERING,
    INDIRECT,
    REAR_ARC,
)
from rules.competition.attacks.forms import Attack, AttackChoice, as_attack
from rules.competition.attacks.modifiers import (
    aims_into_woods,
    card_facts,
    is_called_shot,
    standing_modifiers,
    target_defense,
)
from rules.competition.attacks.options import Faced, attack_places, close_attacks, ranged_attacks
from rules.competition.attacks.sighting import indirect_sight, is_marked, is_rear_side, mendable, place_of, sight
from rules.competition.ground.hexes import Lattice
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import ASSAULT, CLOSE, DEFEND, DIG_IN, MOVE, RANGED
from rules.competition.state.roster import TOKEN
from rules.core.attack_hooks import ignores_lines, second_roll
from rules.core.card_hooks import Text, total
from rules.core.equipment_hooks import reductions
from rules.core.odds import CHANCES, CHANCES_TWICE, MOST
from rules.solaris.rewards import for_kill

REPUTATION_WORTH = 0.12
"""What one point of reputation is worth in points of damage: a kill, which brings 70 or 80, counts about a dial."""

Surroundings = tuple[bool, tuple[int, ...], tuple[int, ...]] | None
"""What `surroundings_of` returns; None when it is unknown."""

Shares = tuple[tuple[int, float], ...]
"""The targets of an attack in the order in which they take their share, with what a hit on each is worth."""


class Shot(NamedTuple):
    """An attack on one target: its attack value without what the place adds, the target's defense, whether the attack
    ignores obstacles on its line, and the table of odds."""

    choice: AttackChoice
    attack: Attack
    target: int
    value: int
    defense: int
    ignores: bool
    chances: tuple[float, ...]


Shots = dict[tuple[AttackChoice, int], Shot]
"""Shots by choice and target."""

Defenses = dict[tuple[int, int, bool], int]
"""Defense values after their modifiers, by target, attacking value and whether the attack is ranged."""


class AttackEstimates:
    """One unit's view of its targets; `order` is the order that its attacks would belong to, 0 for their own."""

    __slots__ = (
        "_aimed",
        "_armament",
        "_by_cards",
        "_defenses",
        "_known",
        "_near",
        "_own_texts",
        "_place",
        "_shots",
        "_touching",
        "_towards",
        "_within",
        "_woods_hinder",
        "order",
        "table",
        "unit",
    )  # fmt: skip

    def __init__(self, table: MatchState, unit: int, order: int = 0) -> None:
        self.table = table
        self.unit = unit
        self.order = order
        # An attack within dig in or defend belongs to that order.
        self._within = order or table.position.orders[unit] & (DIG_IN | DEFEND)
        self._armament: Armament | None = None
        self._near: tuple[int, int] | None = None
        self._towards: list[bytes] | None = None
        self._place = -1
        self._touching: list[int] = []
        self._shots: dict[AttackChoice, list[tuple[Shot, float]]] = {}
        self._aimed: Shots = {}
        self._defenses: Defenses = {}
        self._known: dict[Surroundings, tuple[Shots, Defenses]] = {}
        self._woods_hinder = table.roster.house_rules.target_inside_hindering
        self._own_texts: tuple[Text, ...] | None = None
        self._by_cards: dict[tuple[Attack, int, int], int] = {}

    @property
    def armament(self) -> Armament:
        """The unit's weapons and targets."""
        if self._armament is None:
            self._armament = Armament(self.table, self.unit)
        return self._armament

    def look_at(self, target: int, surroundings: Surroundings = None) -> None:
        """Look only at this target from now on, after it has moved.

        `surroundings` are what its new place changes for attacks on it (`surroundings_of`). Estimates for the same
        surroundings are used again.
        """
        if self._armament is None:
            self._armament = Armament(self.table, self.unit, (target,))
        else:
            self._armament.look((target,))
        self._place = -1
        self._shots.clear()
        self._aimed, self._defenses = self._known.setdefault(surroundings, ({}, {})) if surroundings else ({}, {})

    # --- from where -------------------------------------------------------------------------------------------------

    @property
    def near(self) -> int:
        """The hexes, as bits, from which there may be an attack at all."""
        close, ranged = self._near_by_order()
        return close | ranged

    def _near_by_order(self) -> tuple[int, int]:
        if self._near is None:
            self._near = (attack_places(self.table, self.unit, CLOSE), attack_places(self.table, self.unit, RANGED))
        return self._near

    def facings(self, place: int) -> list[int]:
        """Return the facings from `place` towards each opponent and token, each facing once."""
        if self._towards is None:
            lattice = self.table.roster.lattice
            self._towards = [facings_towards(lattice, at) for _, at in self.armament.marks]
        return list(dict.fromkeys([towards[place] for towards in self._towards]))

    def attacks(self, place: int, kind: int = 0) -> list[Faced]:
        """Return the attacks from a place, each with its facings as bits; `kind` CLOSE or RANGED limits them."""
        close, ranged = self._near_by_order()
        found: list[Faced] = []
        if kind != RANGED and close >> place & 1:
            found += close_attacks(self.table, self.unit, place, armament=self.armament)
        if kind != CLOSE and ranged >> place & 1:
            found += ranged_attacks(self.table, self.unit, place, armament=self.armament)
        return found

    # --- with what effect -------------------------------------------------------------------------------------------

    def worth(self, choice: AttackChoice, place: int, facing: int) -> float:
        """Return the expected worth of one attack, in points of damage; several targets share it by `_shares_of`.

        A repair of a friend counts the clicks that it mends.
        """
        shots = self._shots.get(choice)
        if shots is None:
            target = choice[2][0]
            roster = self.table.roster
            if target < TOKEN and roster.side_of[target] == roster.side_of[self.unit]:
                return _worth_of_repair(self.table, self.unit, choice)
            shots = self._shots[choice] = [
                (self._shot_at(choice, target), share) for target, share in _shares_of(self.table, self.unit, choice)
            ]
        expected = 0.0
        for shot, share in shots:
            expected += self._chance_of(shot, place, facing) * share
        return expected

    def chance(self, choice: AttackChoice, target: int, place: int, facing: int) -> float:
        """Return the chance, 0 to 1, that this attack hits `target`, one of its targets, from a place and facing."""
        return self._chance_of(self._shot_at(choice, target), place, facing)

    def turns_on_facing(self, choice: AttackChoice, place: int) -> bool:
        """Return whether the worth of an attack may depend on which of its facings the unit has.

        A target straight ahead has lines from two corners.
        """
        if choice[0] == CLOSE:
            return False
        for target in choice[2]:
            at = self.table.position.hex[target] if target < TOKEN else place_of(self.table, target)
            lines = self.armament.seen_from(place, target, at, choice[1]).lines
            if lines is not None and lines.starts & (lines.starts - 1):
                return True
        return False

    def _shot_at(self, choice: AttackChoice, target: int) -> Shot:
        """Return all about an attack on one target that does not depend on the attacker's place."""
        known = self._aimed.get((choice, target))
        if known is not None:
            return known
        table, unit = self.table, self.unit
        is_ranged = choice[0] != CLOSE
        attack = as_attack(unit, self._within or choice[0], choice)
        on_value = table.equipment_on_value(unit, attack.value) & ~choice[-1]
        value = table.roster.fighters[unit].attack[table.position.clicks[unit]]
        for _, amount in standing_modifiers(table, attack, target, on_value):
            value += amount
        ignores = False
        if is_ranged:
            ignores = bool(ignores_lines(on_value, True, len(choice[2]) == 1))
            if attack.indirect:
                value += INDIRECT[1]
            if not attack.ignores_friendly_fire and (self._armament or self.armament).is_befriended(target):
                value += FRIENDLY_FIRE[1]
        is_decoyed = is_ranged and target < TOKEN and second_roll(table.equipment(target), True)
        chances = CHANCES_TWICE if is_decoyed else CHANCES
        known = Shot(choice, attack, target, value, self._defense_of(attack, target), ignores, chances)
        self._aimed[choice, target] = known
        return known

    def _defense_of(self, attack: Attack, target: int) -> int:
        key = (target, attack.value, attack.is_ranged)
        known = self._defenses.get(key)
        if known is None:
            printed, modifiers, _ = target_defense(self.table, attack, target)
            known = self._defenses[key] = reached(printed, modifiers)
        return known

    def _chance_of(self, shot: Shot, place: int, facing: int) -> float:
        """Return the chance of a hit from a place and facing, 0 to 1, with the modifiers of both."""
        table = self.table
        target, choice = shot.target, shot.choice
        target_place = table.position.hex[target] if target < TOKEN else place_of(table, target)
        value = shot.value
        is_rear = is_hindered = False
        if choice[0] == CLOSE:
            is_rear = is_rear_side(table, place, target, target_place)
            value += REAR_ARC[1] * is_rear
        else:
            armament = self._armament or self.armament
            location = choice[1]
            lines = armament.seen_from(place, target, target_place, location).lines
            if choice[3]:
                line = indirect_sight(table, self.unit, location, target, place, facing, lines)
            else:
                line = sight(table, self.unit, location, target, place, facing, shot.ignores, lines)
                if place != self._place:
                    self._place, self._touching = place, table.opponents_touching(self.unit, place)
                if self._touching and is_called_shot(self._touching, choice[2]):
                    value += CALLED_SHOT[1]
            if line is not None:
                (_, _, is_hindered, _), is_rear, modifier = line
                value += modifier
                if self._woods_hinder and not is_hindered and not choice[3] and self._aims_into_woods(shot, place):
                    is_hindered = True
                    value += HINDERING[1]
        elevated = table.roster.arena.elevated
        if elevated >> target_place & 1 and not elevated >> place & 1:
            value += HEIGHT[1]
        if table.roster.has_texts:
            value += self._from_cards(shot, place, is_rear, is_hindered)
        return shot.chances[min(MOST, max(0, shot.defense - max(0, value)))]

    def _aims_into_woods(self, shot: Shot, place: int) -> bool:
        is_clear = shot.ignores or is_marked(self.table, self.unit, shot.attack.value, shot.target)
        return not is_clear and aims_into_woods(self.table, place, shot.target)

    def _has_moved(self, place: int) -> bool:
        """Return whether the unit has a move order when it attacks from `place`; an assault gets there without one."""
        position, unit = self.table.position, self.unit
        return bool(position.orders[unit] & MOVE) or (self.order != ASSAULT and position.hex[unit] != place)

    def _from_cards(self, shot: Shot, place: int, is_rear: bool, is_hindered: bool) -> int:
        """Return what the texts of the attacker's cards add to the attack value."""
        texts = self._own_texts
        if texts is None:
            texts = self._own_texts = self.table.texts(self.unit)
        if not texts:
            return 0
        moves = self._has_moved(place)
        key = (shot.attack, shot.target, is_rear << 2 | is_hindered << 1 | moves)
        known = self._by_cards.get(key)
        if known is None:
            facts = card_facts(self.table, shot.attack, shot.target, is_rear, is_hindered, moves)
            known = self._by_cards[key] = total("attack", texts, facts)
        return known


def surroundings_of(table: MatchState, target: int) -> Surroundings:
    """Return what the place of a unit changes for attacks on it from anywhere.

    That is whether it stands in hindering ground, and the friends and opponents that touch it there (friendly fire,
    Point Defense Systems). In a match of two units the latter change nothing and are left empty.
    """
    in_woods = table.stands_in_hindering(target)
    if len(table.position.hex) == 2:
        return in_woods, (), ()
    place = table.position.hex[target]
    return (
        in_woods,
        tuple(table.friends_touching(table.roster.side_of[target], place, target)),
        tuple(table.opponents_touching(target, place)),
    )


@lru_cache(maxsize=2048)
def facings_towards(lattice: Lattice, target_place: int) -> bytes:
    """Return the facing, 0 to 11, that looks most directly at the target hex; the index is the hex that looks."""
    table = bytearray(lattice.size)
    for place in lattice.hexes:
        table[place] = facing_between(lattice, place, target_place)
    return bytes(table)


def facing_between(lattice: Lattice, place: int, target_place: int) -> int:
    """Return the facing that looks from one hex most directly at another, 0 to 11."""
    across = (lattice.column[target_place] - lattice.column[place]) * 3
    return _facing_along(across, 2 * (lattice.axial_row[target_place] - lattice.axial_row[place]) + across // 3)


@lru_cache(maxsize=4096)
def _facing_along(across: int, down: int) -> int:
    """Return the facing that looks most directly along a step, in the units of `_DIRECTIONS`."""
    best, facing = None, 0
    for number, (x, y) in enumerate(_DIRECTIONS):
        # Cosine of the angle on scaled axes: a column step is 1.5 wide, half a row is sqrt(3)/2 high.
        score = (across * x * 0.25 + down * y * 0.75) / (x * x * 0.25 + y * y * 0.75) ** 0.5
        if best is None or score > best:
            best, facing = score, number
    return facing


_DIRECTIONS = ((0, -2), (1, -1), (3, -1), (2, 0), (3, 1), (1, 1), (0, 2), (-1, 1), (-3, 1), (-2, 0), (-3, -1), (-1, -1))
"""The twelve facings as steps: (thirds of a column to the right, half rows down)."""


def damage_of(table: MatchState, unit: int, choice: AttackChoice) -> int:
    """Return the points of damage that an attack scores if it hits, before armor."""
    value = choice[1]
    damage = table.damage(unit, value)
    if table.roster.has_texts:
        damage += total("damage", table.texts(unit), choice[0] != CLOSE)
    if choice[0] == CLOSE:
        return damage if table.fighter(unit).range_types[value] == "melee" else max(1, (damage + 1) // 2)
    return min(damage, 2) if choice[3] else damage


def worth_of_hit(table: MatchState, unit: int, choice: AttackChoice, target: int, damage: int) -> float:
    """Return what `damage` scored on a target is worth: points after armor and the reputation of a kill or a token."""
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
        return left + REPUTATION_WORTH * for_kill(other.total, fighter.total)
    return dealt * (1.0 + 0.5 * (1 - left / other.clicks))


def _worth_of_repair(table: MatchState, unit: int, choice: AttackChoice) -> float:
    friend = choice[2][0]
    chance = sum_of(table, as_attack(unit, CLOSE, choice), friend).chance
    return chance * min(mendable(table, friend), max(3, table.damage_by_heat(unit, choice[1])))


def _shares_of(table: MatchState, unit: int, choice: AttackChoice) -> Shares:
    """Return how the targets share the worth of an attack.

    A sweep deals all of its damage to each target. A divided shot deals one point to each target except the last, which
    gets the rest; tokens come before units.
    """
    damage = damage_of(table, unit, choice)
    targets = choice[2]
    if choice[0] == CLOSE or len(targets) == 1:
        return tuple((target, worth_of_hit(table, unit, choice, target, damage)) for target in targets)
    shares = []
    left = damage
    ranked = sorted(targets, key=lambda target: target < TOKEN)
    for number, target in enumerate(ranked):
        share = min(left, 1) if number < len(ranked) - 1 else left
        left -= share
        shares.append((target, worth_of_hit(table, unit, choice, target, share)))
    return tuple(shares)
