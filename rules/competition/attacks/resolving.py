"""An attack from declaration to its last consequence, in the order of Q-54."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rules.competition.attacks.aftermath import after_hit, finish_attack, follow_up_of, overheat
from rules.competition.attacks.damage import Damage, Hit, damage_value, pay_for_miss, score_hits
from rules.competition.attacks.forms import Attack
from rules.competition.attacks.modifiers import attack_modifiers, ignored_on_the_way, rule_of, target_defense
from rules.competition.attacks.options import swept
from rules.competition.attacks.protecting import ask_protectors, ask_sources_beside
from rules.competition.attacks.reactions import ask_reaction
from rules.competition.attacks.repairing import is_repair, roll_repair
from rules.competition.attacks.sighting import place_of, range_to
from rules.competition.state import reading
from rules.competition.state.events import ATTACK_RESOLVED, ATTACK_ROLLED, DIE_REROLLED, SECOND_ROLL, TARGETED_BY
from rules.competition.state.match_state import Choice, DecisionKind, MatchState, Task
from rules.competition.state.roster import DAMAGE_LOCATIONS, TOKEN
from rules.competition.units.rally import ask_rally
from rules.competition.units.revivals import ask_revive
from rules.competition.units.sources import TARGET, ask_sources
from rules.core.attack_hooks import key_of, second_roll, strikes_all
from rules.core.card_hooks import Text, giver
from rules.core.equipment import EQUIPMENT, bits_of, keys_of
from rules.core.equipment_hooks import Modifier, may_reroll
from rules.core.refusals import IllegalAction, Malformed, Refusal

CRITICAL_HIT, CRITICAL_MISS = "hit", "miss"


class Rolled(NamedTuple):
    """The dice of an attack: the two of one colour, then the odd one.

    `reroll` is the die rolled again, or None; `overheated` the clicks that Alpha Strike turned the heat dial, or None.
    """

    attack: Attack
    dice: tuple[int, ...]
    reroll: int | None
    overheated: int | None = None


def declare(table: MatchState, attack: Attack) -> None:
    """Declare targets and value; then revive rolls, reactions, and the dice."""
    if is_repair(table, attack):
        table.push((roll_repair, attack))
        return
    if not attack.is_ranged:
        targets = swept(table, attack.attacker, attack.value, attack.targets)
        attack = attack._replace(targets=targets, declared=len(targets))
    table.emit(TARGETED_BY, attack.attacker, attack.targets, DAMAGE_LOCATIONS[attack.value], attack.indirect)
    units = table.in_turn_order([target for target in attack.targets if target < TOKEN])
    cards: list[Task] = []
    if table.roster.has_cards:
        cards = [task for unit in units for task in ((ask_rally, unit), (ask_sources, unit, TARGET))]
    table.push(
        *((ask_revive, unit) for unit in units),
        *cards,
        *(((ask_sources_beside, attack),) if cards else ()),
        *((ask_reaction, unit, attack) for unit in units),
        (ask_protectors, attack),
        (roll_attack, attack),
    )


def _remaining(table: MatchState, attack: Attack) -> Attack | None:
    """The attack without targets that have left the arena since (a surrender); None when nothing is left of it."""
    if not table.is_in_play(attack.attacker):
        return None
    if all(place_of(table, target) >= 0 for target in attack.targets):
        return attack
    kept = [number for number, target in enumerate(attack.targets) if place_of(table, target) >= 0]
    if not kept:
        return None
    return attack._replace(
        targets=tuple(attack.targets[number] for number in kept),
        lines=tuple(attack.lines[number] for number in kept) if attack.lines else None,
    )


def roll_attack(table: MatchState, attack: Attack) -> None:
    """Roll the three dice, and let Improved Targeting roll one again."""
    left = _remaining(table, attack)
    if left is None:
        finish_attack(table, attack, None, 0)
        return
    overheated = overheat(table, left)
    dice = table.dice.roll(3, "attack")
    table.emit(ATTACK_ROLLED, left.attacker, dice, None)
    rolled = Rolled(left, dice, None, overheated)
    if may_reroll(table.equipment(left.attacker)) or (
        table.roster.has_texts and _card_that_rerolls(table, left.attacker)
    ):
        table.ask(REROLL, left.attacker, rolled)
    else:
        compare(table, rolled)


def _card_that_rerolls(table: MatchState, unit: int) -> Text | None:
    """The pilot or rally card that lets an attack die be rolled again, when Improved Targeting does not."""
    texts = table.texts(unit)
    return giver("rerolls_attack", texts) if texts else None


class Reroll(DecisionKind):
    """Which attack die is rolled again (R-SEA-04, cards). Data: the dice. Choice: (0, 1 or 2,), (-1,) for none."""

    name = "reroll"

    def options(self, table: MatchState, unit: int, data: Rolled) -> list[Choice]:
        return [(-1,), (0,), (1,), (2,)]

    def problems(self, table: MatchState, unit: int, data: Rolled, choice: Choice) -> list[Refusal]:
        return []

    def read(self, table: MatchState, unit: int, data: Rolled, document: Mapping[str, Any]) -> Choice:
        reading.only(document, "choose", "die")
        if document.get("die") is None:
            return (-1,)
        die = reading.whole(document, "die")
        if not 0 <= die <= 2:
            raise Malformed("bad_field", field="die", value=die)
        return (die,)

    def write(self, table: MatchState, unit: int, data: Rolled, choice: Choice) -> dict[str, Any]:
        return {"choose": self.name, "die": None if choice[0] < 0 else choice[0]}

    def why(self, table: MatchState, unit: int, data: Rolled) -> dict[str, Any]:
        return {"dice": list(data.dice)}

    def resolve(self, table: MatchState, unit: int, data: Rolled, choice: Choice) -> None:
        die = choice[0]
        if die >= 0:
            (again,) = table.dice.roll(1, "reroll")
            by_equipment = may_reroll(table.equipment(unit))
            text = None if by_equipment else _card_that_rerolls(table, unit)
            cause = text[0] if text is not None else keys_of(by_equipment)[0]
            table.emit(DIE_REROLLED, unit, die, data.dice[die], again, cause)
            if text is not None:
                table.use_up(unit, text)
            dice = (*data.dice[:die], again, *data.dice[die + 1 :])
            data = data._replace(dice=dice, reroll=die)
        compare(table, data)


REROLL = Reroll()


def critical_of(rolled: Rolled) -> str | None:
    """Critical hit, miss or neither (R-CRT-01, R-CRT-05, R-CRT-08); a hit made by a reroll is none (R-SEA-04)."""
    first, second = rolled.dice[0], rolled.dice[1]
    if first != second:
        return None
    if first == 6 and rolled.reroll not in (0, 1):
        return CRITICAL_HIT
    return CRITICAL_MISS if first == 1 else None


class Compared(NamedTuple):
    """One target of an attack after the comparison."""

    target: int
    modifiers: list[Modifier]
    own: int
    result: int
    printed: int
    defending: list[Modifier]
    defense: int
    is_hit: bool
    used: tuple[tuple[int, int], ...]


def compare(table: MatchState, rolled: Rolled) -> None:
    """Compare one roll with every target, each with its own modifiers (R-MUL-05), and score the hits."""
    attack = rolled.attack
    critical = critical_of(rolled)
    compared = [_compare_target(table, rolled, target, critical) for target in attack.targets]
    hits = tuple(entry.target for entry in compared if entry.is_hit)
    damage = damage_value(table, attack, hits, rolled.overheated)
    why = _explained(table, rolled, compared, damage) if table.log is not None else None
    table.emit(ATTACK_RESOLVED, attack.attacker, hits, critical, why)
    used = bits_of(key for key, _ in damage.added if key in EQUIPMENT) if hits else 0
    used |= _used_by_attacker(table, rolled, compared)
    by_targets = tuple(pair for entry in compared for pair in entry.used)
    hit = Hit(attack, hits, critical, damage.amount, by_targets, used, damage.heat, rolled.overheated)
    if len(hits) > 1 and damage.amount > 0 and not damage.is_for_each:
        table.ask(SPLIT, attack.attacker, hit)
    else:
        finish_hit(table, hit, tuple(damage.amount for _ in hits))


def _used_by_attacker(table: MatchState, rolled: Rolled, compared: list[Compared]) -> int:
    """The attacker's bits that took effect before any damage, hit or miss (Q-95)."""
    attack = rolled.attack
    used = bits_of(key for entry in compared for key, _ in entry.modifiers if key in EQUIPMENT)
    if rolled.reroll is not None:
        used |= may_reroll(table.equipment(attack.attacker))
    if attack.is_ranged:
        return used | ignored_on_the_way(table, attack)
    return used | strikes_all(table.equipment_on_value(attack.attacker, attack.value)) if len(compared) > 1 else used


def _compare_target(table: MatchState, rolled: Rolled, target: int, critical: str | None) -> Compared:
    attack = rolled.attack
    modifiers = attack_modifiers(table, attack, target)
    printed, defending, used = target_defense(table, attack, target)
    value = table.fighter(attack.attacker).attack[table.position.clicks[attack.attacker]]
    own = max(0, value + sum(amount for _, amount in modifiers))  # R-ATK-06
    defense = max(0, printed + sum(amount for _, amount in defending))
    result = sum(rolled.dice) + own
    is_hit = critical == CRITICAL_HIT or (critical is None and result >= defense)
    if is_hit and critical is None and target < TOKEN:
        decoy = second_roll(table.equipment(target), attack.is_ranged)
        if decoy:
            used = (*used, (target, decoy))
            is_hit = _roll_again(table, attack, target, own, defense, decoy)
    return Compared(target, modifiers, own, result, printed, defending, defense, is_hit, used)


def _roll_again(table: MatchState, attack: Attack, target: int, own: int, defense: int, decoy: int) -> bool:
    """The second roll that a Decoy demands (R-SEF-02, Q-103): it can fail, and cost a critical miss, no more."""
    dice = table.dice.roll(3, "second_roll")
    critical = critical_of(Rolled(attack, dice, None))
    result = sum(dice) + own
    success = critical == CRITICAL_HIT or (critical is None and result >= defense)
    table.emit(SECOND_ROLL, attack.attacker, target, dice, result, defense, success, key_of(decoy))
    if critical == CRITICAL_MISS:
        pay_for_miss(table, attack.attacker)
    return success


def _explained(table: MatchState, rolled: Rolled, compared: list[Compared], damage: Damage) -> dict[str, Any]:
    """The full arithmetic of an attack, JSON-ready."""
    attack = rolled.attack
    place = table.position.hex[attack.attacker]
    return {
        "order": _order_name(attack),
        "ranged": attack.is_ranged,
        "indirect": attack.indirect,
        "follow_up": key_of(attack.follow_up) if attack.follow_up else None,
        "value": DAMAGE_LOCATIONS[attack.value],
        "range_type": range_type_of(table, attack),
        "dice": list(rolled.dice),
        "roll": sum(rolled.dice),
        "attack_printed": table.fighter(attack.attacker).attack[table.position.clicks[attack.attacker]],
        "damage": damage.amount,
        "damage_value": damage.value,
        "damage_modifiers": dict(damage.added),
        "damage_rule": damage.rule,
        "targets": {
            table.roster.target_name(entry.target): {
                "modifiers": dict(entry.modifiers),
                "rules": {name: rule_of(table, name) for name, _ in (*entry.modifiers, *entry.defending)},
                "attack": entry.own,
                "result": entry.result,
                "defense": entry.defense,
                "defense_printed": entry.printed,
                "defense_modifiers": dict(entry.defending),
                "hit": entry.is_hit,
                "range": range_to(table, place, entry.target) if attack.is_ranged else None,
            }
            for entry in compared
        },
    }


def finish_hit(table: MatchState, hit: Hit, shares: tuple[int, ...]) -> None:
    """Score each hit target's share, then what follows from the hit, a second attack, and the attacker's price."""
    used = score_hits(table, hit, shares)
    used |= after_hit(table, hit)
    second = follow_up_of(table, hit)
    if second is None:
        finish_attack(table, hit.attack, hit, used)
    else:
        table.push((roll_attack, second), (finish_attack, hit.attack, hit, used))
    table.roster.format.after_hits(table, hit.targets)


def _order_name(attack: Attack) -> str:
    from_order = {1 << 3: "assault", 1 << 4: "dig_in", 1 << 5: "defend"}
    return from_order.get(attack.order, "ranged" if attack.is_ranged else "close")


def range_type_of(table: MatchState, attack: Attack) -> str | None:
    """The attack's range type; a close combat attack has melee or none (Q-72)."""
    own = table.fighter(attack.attacker).range_types[attack.value]
    return own if attack.is_ranged or own == "melee" else None


class Split(DecisionKind):
    """How damage is divided among several hit targets (R-MUL-07). Data: the hit. Choice: shares, one a hit target."""

    name = "split"

    def options(self, table: MatchState, unit: int, data: Hit) -> list[Choice]:
        return _shares(data.damage, len(data.targets))

    def problems(self, table: MatchState, unit: int, data: Hit, choice: Choice) -> list[Refusal]:
        if sum(choice) != data.damage:
            return [Refusal("split_sum", {"sum": sum(choice), "damage": data.damage})]
        return []

    def read(self, table: MatchState, unit: int, data: Hit, document: Mapping[str, Any]) -> Choice:
        reading.only(document, "choose", "damage")
        shares = document.get("damage")
        names = [table.roster.target_name(target) for target in data.targets]
        if not isinstance(shares, Mapping):
            raise Malformed("bad_field", field="damage", value=shares)
        for name in shares:
            if name not in names:
                raise IllegalAction("split_to_missed", target=name)  # R-MUL-06
        amounts = [shares.get(name, 0) for name in names]
        if any(isinstance(amount, bool) or not isinstance(amount, int) or amount < 0 for amount in amounts):
            raise Malformed("bad_field", field="damage", value=dict(shares))
        return tuple(amounts)

    def write(self, table: MatchState, unit: int, data: Hit, choice: Choice) -> dict[str, Any]:
        names = [table.roster.target_name(target) for target in data.targets]
        return {"choose": self.name, "damage": dict(zip(names, choice, strict=True))}

    def why(self, table: MatchState, unit: int, data: Hit) -> dict[str, Any]:
        return {"damage": data.damage, "targets": [table.roster.target_name(target) for target in data.targets]}

    def default(self, table: MatchState, unit: int, data: Hit) -> Choice:
        return (data.damage, *(0 for _ in data.targets[1:]))

    def resolve(self, table: MatchState, unit: int, data: Hit, choice: Choice) -> None:
        finish_hit(table, data, choice)


SPLIT = Split()


def _shares(damage: int, parts: int) -> list[Choice]:
    """Every way to divide `damage` into `parts` shares, the most for the first target first."""
    if parts == 1:
        return [(damage,)]
    return [(first, *rest) for first in range(damage, -1, -1) for rest in _shares(damage - first, parts - 1)]
