"""The sum of an attack: the values and modifiers of both sides, the odds, whether dice hit, and the explanation.

The match, its forecasts and the bots all use this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rules.competition.attacks.approaches import Approach, special_modifiers
from rules.competition.attacks.damage import Damage
from rules.competition.attacks.forms import Attack, is_friendly, order_name
from rules.competition.attacks.modifiers import Used, attack_modifiers, rule_of, target_defense
from rules.competition.attacks.sighting import range_to
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import SPECIAL_MOVE
from rules.competition.state.roster import DAMAGE_LOCATIONS, TOKEN
from rules.core.attack_hooks import key_of, second_roll
from rules.core.equipment_hooks import Modifier
from rules.core.odds import chance_to_hit

CRITICAL_HIT, CRITICAL_MISS = "hit", "miss"


def critical_of(dice: tuple[int, ...], reroll: int | None = None) -> str | None:
    """Return hit, miss or None for three dice, the two of one colour first (R-CRT-01, R-CRT-05, R-CRT-08).
    `reroll` is the die that was rolled again: a double six that it makes is no critical hit (R-SEA-04).

    >>> critical_of((6, 6, 1)), critical_of((1, 1, 6)), critical_of((2, 2, 2))
    ('hit', 'miss', None)
    """
    first, second = dice[0], dice[1]
    if first != second:
        return None
    if first == 6 and reroll not in (0, 1):
        return CRITICAL_HIT
    return CRITICAL_MISS if first == 1 else None


class AttackSum(NamedTuple):
    """An attack against one target before its dice. Values are printed first, then after the modifiers, never below 0.

    `used`: the units whose equipment takes effect at the target, with its bits. `second_roll`: the target's equipment
    bits by which a hit must be rolled again, 0 for none.
    """

    target: int
    attack_printed: int
    modifiers: list[Modifier]
    attack: int
    defense_printed: int
    defense_modifiers: list[Modifier]
    defense: int
    used: Used
    second_roll: int

    @property
    def chance(self) -> float:
        """The chance of a hit, 0 to 1, second roll included."""
        return chance_to_hit(self.attack, self.defense, bool(self.second_roll))

    def is_hit_by(self, dice: tuple[int, ...], critical: str | None) -> bool:
        """Return whether these dice hit (R-ATK-02, R-ATK-03, R-CRT-01, R-CRT-05)."""
        return critical == CRITICAL_HIT or (critical is None and sum(dice) + self.attack >= self.defense)


def sum_of(
    table: MatchState,
    attack: Attack,
    target: int,
    approach: Approach | None = None,
    landing: tuple[int, int] | None = None,
) -> AttackSum:
    """Return the sum of one attack against one of its targets, from the table as it is now.

    `approach` is that of a charge or a death from above, None for other attacks; `landing` the hex and facing in which
    it will end, None when the attacker is there. Raises what `line_to` raises.
    """
    modifiers: list[Modifier] = []
    defending: list[Modifier] = []
    used: Used = ()
    again = 0
    position, fighters = table.position, table.roster.fighters
    unit = attack.attacker
    if target < TOKEN and table.roster.side_of[target] == table.roster.side_of[unit]:
        # On a friend only heat effects count, and they change neither value (R-SEA-01, R-SEA-02).
        printed = fighters[target].defense[position.clicks[target]]
    else:
        if approach is None:
            modifiers = attack_modifiers(table, attack, target)
            again = second_roll(table.equipment(target), attack.is_ranged) if target < TOKEN else 0
        else:
            place, facing = landing or (position.hex[unit], position.facing[unit])
            modifiers = special_modifiers(table, attack, approach, place, facing)
        printed, defending, used = target_defense(table, attack, target)
    value = fighters[unit].attack[position.clicks[unit]]
    own = reached(value, modifiers)
    return AttackSum(target, value, modifiers, own, printed, defending, reached(printed, defending), used, again)


def reached(printed: int, modifiers: Sequence[Modifier]) -> int:
    """Return a value after its modifiers: never below 0 (R-ATK-06).

    >>> reached(9, [("hindering", -2), ("rear_arc", 2), ("called_shot", -1)])
    8
    """
    for _, amount in modifiers:
        printed += amount
    return max(0, printed)


def explain(
    table: MatchState, attack: Attack, dice: tuple[int, ...], compared: Sequence[tuple[AttackSum, bool]], damage: Damage
) -> dict[str, Any]:
    """Return the full arithmetic of an attack, JSON-ready; `compared`: each sum, and whether its target is hit."""
    is_special, is_plain = attack.order & SPECIAL_MOVE, is_friendly(table, attack)
    place = table.position.hex[attack.attacker]
    document: dict[str, Any] = {
        "order": "close" if is_plain else order_name(attack.order, attack.is_ranged),
        "ranged": attack.is_ranged,
        "indirect": attack.indirect,
    }
    if not is_special:  # a special attack is never followed by a second one
        document["follow_up"] = key_of(attack.follow_up) if attack.follow_up else None
    document |= {
        "value": DAMAGE_LOCATIONS[attack.value],
        "range_type": None if is_special or is_plain else range_type_of(table, attack),
        "dice": list(dice),
        "roll": sum(dice),
        "attack_printed": compared[0][0].attack_printed,
        "damage": damage.amount,
        "damage_value": damage.value,
        "damage_modifiers": dict(damage.added),
        "damage_rule": damage.rule,
        "targets": {
            table.roster.target_name(each.target): {
                "modifiers": dict(each.modifiers),
                "rules": {name: rule_of(table, name) for name, _ in (*each.modifiers, *each.defense_modifiers)},
                "attack": each.attack,
                "result": sum(dice) + each.attack,
                "defense": each.defense,
                "defense_printed": each.defense_printed,
                "defense_modifiers": dict(each.defense_modifiers),
                "hit": is_hit,
                "range": range_to(table, place, each.target) if attack.is_ranged else None,
            }
            for each, is_hit in compared
        },
    }
    return document


def range_type_of(table: MatchState, attack: Attack) -> str | None:
    """Return the attack's range type; in close combat melee, or None for a value of another type (Q-72)."""
    own = table.fighter(attack.attacker).range_types[attack.value]
    return own if attack.is_ranged or own == "melee" else None
