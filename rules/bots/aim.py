"""What an attack promises: the chance that it hits, and what a hit is worth, in expected points of damage.

An `Aim` looks at the table as it stands and remembers what does not depend on the place that is fired from; make a new
one when the table has changed. It sees what lies open, never dice or face-down tokens.
"""

from __future__ import annotations

from rules.competition.attacking import attack_places
from rules.competition.position import ASSAULT, CLOSE, DEFEND, DIG_IN, DODGE, MOVE, RANGED, SHUTDOWN
from rules.competition.roster import TOKEN
from rules.competition.sighting import indirect_sight, is_rear_side, mendable, place_of, sight
from rules.competition.table import Choice, Table
from rules.core.attack_hooks import ignores_lines
from rules.core.card_hooks import CardFacts, total
from rules.core.equipment_hooks import defense_modifiers, reductions
from rules.core.odds import chance_to_hit

REPUTATION_WORTH = 0.12
"""What one point of reputation is worth in points of damage: a kill of 70 to 80 is about a dial."""

Shares = tuple[tuple[int, float], ...]
"""The targets of an attack in the order in which they take their share, with what a hit on each is worth."""


class Aim:
    """One unit's view of its targets; `order` is the order that its attacks would belong to."""

    __slots__ = ("_base", "_defenses", "_missiles", "_near", "_own_texts", "_shares", "order", "table", "unit")

    def __init__(self, table: Table, unit: int, order: int = 0) -> None:
        self.table = table
        self.unit = unit
        self.order = order
        orders = table.position.orders[unit]
        self._base = table.attack(unit) + (2 if orders & DIG_IN else 0) - (1 if orders & DEFEND else 0)
        self._base -= 1 if order == ASSAULT else 0
        self._own_texts = table.texts(unit) if table.roster.has_texts else ()
        self._near = -1
        self._shares: dict[Choice, Shares] = {}
        self._defenses: dict[tuple[int, bool], int] = {}
        self._missiles: dict[tuple[int, int, bool], bool] = {}

    @property
    def near(self) -> int:
        """The hexes, as bits, from which there may be an attack at all."""
        if self._near < 0:
            self._near = attack_places(self.table, self.unit, CLOSE) | attack_places(self.table, self.unit, RANGED)
        return self._near

    def worth(self, choice: Choice, place: int, facing: int) -> float:
        """The expected worth of one attack; with several targets the damage goes where it counts most."""
        target = choice[2][0]
        roster = self.table.roster
        if target < TOKEN and roster.side_of[target] == roster.side_of[self.unit]:
            return _worth_of_repair(self.table, self.unit, choice)
        shares = self._shares.get(choice)
        if shares is None:
            shares = self._shares[choice] = _shares_of(self.table, self.unit, choice)
        expected = 0.0
        for target, worth in shares:
            expected += self.chance(choice, target, place, facing) * worth
        return expected

    def chance(self, choice: Choice, target: int, place: int, facing: int) -> float:
        """The chance that this attack from `place` hits one of its targets."""
        table = self.table
        target_place = place_of(table, target)
        attack = self._base
        is_ranged = choice[0] != CLOSE
        line = None
        if not is_ranged:
            is_rear = is_rear_side(table, place, target, target_place)
            attack += 2 * is_rear
        elif choice[3]:
            line = indirect_sight(table, self.unit, choice[1], target, place, facing)
            is_rear = line is not None and line.is_rear
            attack += 2 * is_rear - 2
        else:
            line = sight(table, self.unit, choice[1], target, place, facing, self._sees_over(choice))
            is_rear = line is not None and line.is_rear
            attack += line.modifier if line is not None else 0
            touching = table.opponents_touching(self.unit, place)
            if touching and not any(other in choice[2] for other in touching):
                attack -= 1
        arena = table.roster.arena
        if arena.elevated >> target_place & 1 and not arena.elevated >> place & 1:
            attack -= 1
        if table.roster.has_texts:
            theirs = table.texts(target) if target < TOKEN else ()
            if self._own_texts or theirs:
                is_hindered = line is not None and line.line.hindering and not choice[3]
                facts = card_facts(table, self.unit, choice, target, (is_rear, is_hindered, self.order == ASSAULT))
                has_moved_here = has_moved(table, self.unit, place)
                attack += total("attack", self._own_texts, facts._replace(has_moved=has_moved_here))
                attack -= total("defense", theirs, facts)
        return chance_to_hit(attack, self._defense(target, is_ranged))

    def _sees_over(self, choice: Choice) -> int:
        """Whether missiles let this shot ignore what is in the way of its line."""
        key = (choice[1], choice[-1], len(choice[2]) == 1)
        known = self._missiles.get(key)
        if known is None:
            on_value = self.table.equipment_on_value(self.unit, choice[1]) & ~choice[-1]
            known = self._missiles[key] = bool(ignores_lines(on_value, True, key[2]))
        return known

    def _defense(self, target: int, is_ranged: bool) -> int:
        """What an attack has to reach, with what the target's orders and state change."""
        known = self._defenses.get((target, is_ranged))
        if known is None:
            known = self._defenses[target, is_ranged] = _defense_of(self.table, target, is_ranged)
        return known


def _defense_of(table: Table, target: int, is_ranged: bool) -> int:
    if target >= TOKEN:
        return table.roster.tokens[target - TOKEN].defense
    reaction = table.position.orders[target]
    helped = sum(amount for _, amount in defense_modifiers(table.equipment(target), table, target, is_ranged))
    # What the rules take off the attack counts here, so that it is added up once a target.
    helped += (2 if reaction & DODGE else 0) + (1 if reaction & DEFEND else 0) - (1 if reaction & DIG_IN else 0)
    helped -= 2 if table.position.status[target] & SHUTDOWN else 0
    return table.defense(target) + helped


def card_facts(table: Table, unit: int, choice: Choice, target: int, sight: tuple[bool, bool, bool]) -> CardFacts:
    """What the target's cards may ask of an attack; `sight` is rear, hindered, assault."""
    fighters = table.roster.fighters
    own = fighters[unit].range_types[choice[1]]
    is_ranged, is_unit = choice[0] != CLOSE, target < TOKEN
    is_outweighed = is_unit and fighters[target].total > fighters[unit].total
    range_type = own if is_ranged or own == "melee" else None
    is_moved = is_unit and has_moved(table, target, table.position.hex[target])
    is_rear, is_hindered, is_assault = sight
    return CardFacts(is_ranged, range_type, is_unit, is_rear, is_moved, is_outweighed, is_hindered, is_assault)


def has_moved(table: Table, unit: int, place: int) -> bool:
    """Whether the unit has a move order, or needs one to stand in `place`."""
    return bool(table.position.orders[unit] & MOVE) or table.position.hex[unit] != place


def damage_of(table: Table, unit: int, choice: Choice) -> int:
    """What a choice of attack scores if it hits, points."""
    value = choice[1]
    damage = table.damage(unit, value)
    if table.roster.has_texts:
        damage += total("damage", table.texts(unit), choice[0] != CLOSE)
    if choice[0] == CLOSE:
        return damage if table.fighter(unit).range_types[value] == "melee" else max(1, (damage + 1) // 2)
    return min(damage, 2) if choice[3] else damage


def worth_of_hit(table: Table, unit: int, choice: Choice, target: int, damage: int) -> float:
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


def _worth_of_repair(table: Table, unit: int, choice: Choice) -> float:
    friend = choice[2][0]
    printed = table.fighter(unit).attack[table.position.clicks[unit]]
    chance = chance_to_hit(printed, table.fighter(friend).defense[table.position.clicks[friend]])
    return chance * min(mendable(table, friend), max(3, table.damage(unit, choice[1])))


def _shares_of(table: Table, unit: int, choice: Choice) -> Shares:
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
