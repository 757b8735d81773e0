"""What an attack promises: the chance that it hits, and what a hit is worth, in expected points of damage.

An `Aim` looks at the table as it stands and remembers what does not depend on the place that is fired from; make a new
one when the table has changed. It sees what lies open, never dice or face-down tokens.
"""

from __future__ import annotations

from functools import lru_cache

from rules.competition.attacks.armament import Armament
from rules.competition.attacks.options import Faced, attack_places, close_attacks, ranged_attacks
from rules.competition.attacks.sighting import indirect_sight, is_rear_side, mendable, place_of, sight
from rules.competition.ground.hexes import Lattice
from rules.competition.state.match_state import Choice, MatchState
from rules.competition.state.position import ASSAULT, CLOSE, DEFEND, DIG_IN, DODGE, MOVE, RANGED, SHUTDOWN
from rules.competition.state.roster import TOKEN
from rules.core.attack_hooks import ignores_lines
from rules.core.card_hooks import CardFacts, Text, total
from rules.core.equipment_hooks import defense_modifiers, reductions
from rules.core.odds import CHANCES, MOST, chance_to_hit

REPUTATION_WORTH = 0.12
"""What one point of reputation is worth in points of damage: a kill of 70 to 80 is about a dial."""

Shares = tuple[tuple[int, float], ...]
"""The targets of an attack in the order in which they take their share, with what a hit on each is worth."""


class Aim:
    """One unit's view of its targets; `order` is the order that its attacks would belong to."""

    __slots__ = (
        "_armament",
        "_base",
        "_by_cards",
        "_defenses",
        "_missiles",
        "_near",
        "_place",
        "_shots",
        "_texts",
        "_touching",
        "_towards",
        "order",
        "table",
        "unit",
    )  # fmt: skip

    def __init__(self, table: MatchState, unit: int, order: int = 0) -> None:
        self.table = table
        self.unit = unit
        self.order = order
        orders = table.position.orders[unit]
        self._base = table.attack(unit) + (2 if orders & DIG_IN else 0) - (1 if orders & DEFEND else 0)
        self._base -= 1 if order == ASSAULT else 0
        self._armament: Armament | None = None
        self._near: tuple[int, int] | None = None
        self._towards: list[bytes] | None = None
        self._place = -1
        self._touching: list[int] = []
        self._shots: dict[Choice, list[tuple[int, int, bool, float]]] = {}
        self._defenses: dict[tuple[int, bool], int] = {}
        self._missiles: dict[tuple[int, int, bool], bool] = {}
        self._texts: dict[int, tuple[Text, ...]] = {}
        self._by_cards: dict[tuple[int, int, int, int], int] = {}

    @property
    def armament(self) -> Armament:
        """What the unit attacks with, and whom."""
        if self._armament is None:
            self._armament = Armament(self.table, self.unit)
        return self._armament

    def look_at(self, target: int) -> None:
        """From now on there is this one target, and it stands elsewhere than before."""
        if self._armament is None:
            self._armament = Armament(self.table, self.unit, (target,))
        else:
            self._armament.look((target,))
        self._place = -1

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
        """The facings towards each opponent and token, each once, in their order."""
        if self._towards is None:
            lattice = self.table.roster.lattice
            self._towards = [facings_towards(lattice, at) for _, at in self.armament.marks]
        return list(dict.fromkeys([towards[place] for towards in self._towards]))

    def attacks(self, place: int, kind: int = 0) -> list[Faced]:
        """What can be attacked from a place, with the facings that allow it; `kind` CLOSE or RANGED restricts it."""
        close, ranged = self._near_by_order()
        found: list[Faced] = []
        if kind != RANGED and close >> place & 1:
            found += close_attacks(self.table, self.unit, place, armament=self.armament)
        if kind != CLOSE and ranged >> place & 1:
            found += ranged_attacks(self.table, self.unit, place, armament=self.armament)
        return found

    # --- with what effect -------------------------------------------------------------------------------------------

    def worth(self, choice: Choice, place: int, facing: int) -> float:
        """The expected worth of one attack; with several targets the damage goes where it counts most."""
        shots = self._shots.get(choice)
        if shots is None:
            target = choice[2][0]
            roster = self.table.roster
            if target < TOKEN and roster.side_of[target] == roster.side_of[self.unit]:
                return _worth_of_repair(self.table, self.unit, choice)
            ignores = self._sees_over(choice)
            shots = self._shots[choice] = [
                (target, self._needed(choice, target), ignores, share)
                for target, share in _shares_of(self.table, self.unit, choice)
            ]
        expected = 0.0
        for target, needed, ignores, share in shots:
            lacking = needed - self._helped(choice, target, ignores, place, facing)
            expected += CHANCES[min(MOST, max(0, lacking))] * share
        return expected

    def chance(self, choice: Choice, target: int, place: int, facing: int) -> float:
        """The chance that this attack from `place` hits one of its targets."""
        helped = self._helped(choice, target, self._sees_over(choice), place, facing)
        return chance_to_hit(helped, self._needed(choice, target))

    def turns_on_facing(self, choice: Choice, place: int) -> bool:
        """Whether the worth of an attack may depend on the facing, where several allow it: a target straight ahead has
        lines from two corners."""
        if choice[0] == CLOSE:
            return False
        for target in choice[2]:
            at = self.table.position.hex[target] if target < TOKEN else place_of(self.table, target)
            lines = self.armament.seen_from(place, target, at, choice[1]).lines
            if lines is not None and lines.starts & (lines.starts - 1):
                return True
        return False

    def _needed(self, choice: Choice, target: int) -> int:
        """What the dice have to reach wherever the attack is made from, were it not for `_helped`."""
        is_ranged = choice[0] != CLOSE
        defense = self._defenses.get((target, is_ranged))
        if defense is None:
            defense = self._defenses[target, is_ranged] = _defense_of(self.table, target, is_ranged)
        return defense - self._base + (2 if is_ranged and choice[3] else 0)

    def _helped(self, choice: Choice, target: int, ignores: bool, place: int, facing: int) -> int:
        """What place and facing add to the attack, below 0 for what they take from it; `ignores`: as `_sees_over`."""
        table = self.table
        target_place = table.position.hex[target] if target < TOKEN else place_of(table, target)
        attack = 0
        is_rear = is_hindered = False
        if choice[0] == CLOSE:
            is_rear = is_rear_side(table, place, target, target_place)
            attack += 2 * is_rear
        else:
            armament = self._armament or self.armament
            value = choice[1]
            lines = armament.seen_from(place, target, target_place, value).lines
            if choice[3]:
                line = indirect_sight(table, self.unit, value, target, place, facing, lines)
            else:
                line = sight(table, self.unit, value, target, place, facing, ignores, lines)
                if place != self._place:
                    self._place, self._touching = place, table.opponents_touching(self.unit, place)
                # Opponents in contact that are none of the targets (R-RMD-02).
                if self._touching and not any(other in choice[2] for other in self._touching):
                    attack -= 1
            if line is not None:
                (_, _, is_hindered, _), is_rear, modifier = line
                attack += modifier
        elevated = table.roster.arena.elevated
        if elevated >> target_place & 1 and not elevated >> place & 1:
            attack -= 1
        if table.roster.has_texts:
            attack += self._from_cards(choice, target, place, is_rear, is_hindered)
        return attack

    def _from_cards(self, choice: Choice, target: int, place: int, is_rear: bool, is_hindered: bool) -> int:
        """What the texts of both sides change, as attack value."""
        own, theirs = self._texts_of(self.unit), self._texts_of(target) if target < TOKEN else ()
        if not own and not theirs:
            return 0
        table, unit = self.table, self.unit
        has_moved_here = has_moved(table, unit, place)
        key = (choice[0], choice[1], target, is_rear << 2 | is_hindered << 1 | has_moved_here)
        known = self._by_cards.get(key)
        if known is None:
            facts = card_facts(table, unit, choice, target, (is_rear, is_hindered, self.order == ASSAULT))
            known = total("attack", own, facts._replace(has_moved=has_moved_here)) - total("defense", theirs, facts)
            self._by_cards[key] = known
        return known

    def _texts_of(self, unit: int) -> tuple[Text, ...]:
        known = self._texts.get(unit)
        if known is None:
            known = self._texts[unit] = self.table.texts(unit)
        return known

    def _sees_over(self, choice: Choice) -> bool:
        """Whether missiles let this shot ignore what is in the way of its line."""
        if choice[0] == CLOSE:
            return False
        key = (choice[1], choice[-1], len(choice[2]) == 1)
        known = self._missiles.get(key)
        if known is None:
            on_value = self.table.equipment_on_value(self.unit, choice[1]) & ~choice[-1]
            known = self._missiles[key] = bool(ignores_lines(on_value, True, key[2]))
        return known


@lru_cache(maxsize=2048)
def facings_towards(lattice: Lattice, target_place: int) -> bytes:
    """The facing that looks most directly at a hex, 0 to 11, from every hex of the map."""
    table = bytearray(lattice.size)
    for place in lattice.hexes:
        table[place] = facing_between(lattice, place, target_place)
    return bytes(table)


def facing_between(lattice: Lattice, place: int, target_place: int) -> int:
    """The facing that looks from one hex most directly at another, 0 to 11."""
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
"""The twelve facings as (half columns, half rows) on the stretched axes of `facing_between`."""


def _defense_of(table: MatchState, target: int, is_ranged: bool) -> int:
    if target >= TOKEN:
        return table.roster.tokens[target - TOKEN].defense
    reaction = table.position.orders[target]
    helped = sum(amount for _, amount in defense_modifiers(table.equipment(target), table, target, is_ranged))
    # What the rules take off the attack counts here, so that it is added up once a target.
    helped += (2 if reaction & DODGE else 0) + (1 if reaction & DEFEND else 0) - (1 if reaction & DIG_IN else 0)
    helped -= 2 if table.position.status[target] & SHUTDOWN else 0
    return table.defense(target) + helped


def card_facts(table: MatchState, unit: int, choice: Choice, target: int, sight: tuple[bool, bool, bool]) -> CardFacts:
    """What the target's cards may ask of an attack; `sight` is rear, hindered, assault."""
    fighters = table.roster.fighters
    own = fighters[unit].range_types[choice[1]]
    is_ranged, is_unit = choice[0] != CLOSE, target < TOKEN
    is_outweighed = is_unit and fighters[target].total > fighters[unit].total
    range_type = own if is_ranged or own == "melee" else None
    is_moved = is_unit and has_moved(table, target, table.position.hex[target])
    is_rear, is_hindered, is_assault = sight
    return CardFacts(is_ranged, range_type, is_unit, is_rear, is_moved, is_outweighed, is_hindered, is_assault)


def has_moved(table: MatchState, unit: int, place: int) -> bool:
    """Whether the unit has a move order, or needs one to stand in `place`."""
    return bool(table.position.orders[unit] & MOVE) or table.position.hex[unit] != place


def damage_of(table: MatchState, unit: int, choice: Choice) -> int:
    """What a choice of attack scores if it hits, points."""
    value = choice[1]
    damage = table.damage(unit, value)
    if table.roster.has_texts:
        damage += total("damage", table.texts(unit), choice[0] != CLOSE)
    if choice[0] == CLOSE:
        return damage if table.fighter(unit).range_types[value] == "melee" else max(1, (damage + 1) // 2)
    return min(damage, 2) if choice[3] else damage


def worth_of_hit(table: MatchState, unit: int, choice: Choice, target: int, damage: int) -> float:
    """What `damage` scored on a target is worth: points dealt, and the reputation of a kill or a token."""
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
        return left + REPUTATION_WORTH * (80 if other.total >= fighter.total else 70)
    return dealt * (1.0 + 0.5 * (1 - left / other.clicks))


def _worth_of_repair(table: MatchState, unit: int, choice: Choice) -> float:
    friend = choice[2][0]
    printed = table.fighter(unit).attack[table.position.clicks[unit]]
    chance = chance_to_hit(printed, table.fighter(friend).defense[table.position.clicks[friend]])
    return chance * min(mendable(table, friend), max(3, table.damage(unit, choice[1])))


def _shares_of(table: MatchState, unit: int, choice: Choice) -> Shares:
    """A sweep strikes each target with all its damage; a split shot gives tokens one point and a unit the rest."""
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
