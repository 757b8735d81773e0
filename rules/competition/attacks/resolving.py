"""An attack from declaration to its last consequence, in the order of Q-54."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rules.competition.attacks.aftermath import after_hit, finish_attack, follow_up_of, overheat
from rules.competition.attacks.arithmetic import CRITICAL_MISS, AttackSum, critical_of, explain, sum_of
from rules.competition.attacks.damage import Hit, damage_value, pay_for_miss, score_hits
from rules.competition.attacks.forms import Attack, is_friendly
from rules.competition.attacks.modifiers import Used, ignored_on_the_way
from rules.competition.attacks.options import swept
from rules.competition.attacks.protecting import ask_protectors, ask_sources_beside
from rules.competition.attacks.reactions import ask_reaction
from rules.competition.attacks.repairing import roll_repair
from rules.competition.attacks.sighting import place_of
from rules.competition.state import reading
from rules.competition.state.events import ATTACK_RESOLVED, ATTACK_ROLLED, DIE_REROLLED, SECOND_ROLL, TARGETED_BY
from rules.competition.state.match_format import Task
from rules.competition.state.match_state import DecisionKind, MatchState
from rules.competition.state.roster import DAMAGE_LOCATIONS, TOKEN
from rules.competition.units.rally import ask_rally
from rules.competition.units.revivals import ask_revive
from rules.competition.units.sources import TARGET, ask_sources
from rules.core.attack_hooks import key_of, strikes_all
from rules.core.card_hooks import Text, giver
from rules.core.equipment import EQUIPMENT, bits_of, keys_of
from rules.core.equipment_hooks import may_reroll
from rules.core.refusals import IllegalAction, Malformed, Refusal


class Rolled(NamedTuple):
    """The dice of an attack: the two of one colour, then the odd one, as they lie after a reroll.

    `reroll` is the place in `dice` (0 to 2) of the die that was rolled again, or None. `overheated` is by how many
    clicks Alpha Strike turned the heat dial, or None.
    """

    attack: Attack
    dice: tuple[int, ...]
    reroll: int | None
    overheated: int | None = None


def declare(table: MatchState, attack: Attack) -> None:
    """Declare targets and value, then queue revive rolls, cards, reactions and the dice; a Repair only rolls."""
    if is_friendly(table, attack):
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
    """Return the attack without targets that have left the arena since it was declared (a surrender).

    Return None when the attacker or all targets are gone.
    """
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
    """Roll the three dice, and let equipment or a card roll one again.

    If no target is left, the attack only costs its heat; if the attacker has left, nothing happens.
    """
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
    """Return the text of a pilot or rally card that lets an attack die be rolled again, None when there is none."""
    texts = table.texts(unit)
    return giver("rerolls_attack", texts) if texts else None


RerollChoice = tuple[int]
"""(0, 1 or 2,), or (-1,) for none."""


class Reroll(DecisionKind[Rolled, RerollChoice]):
    """Which attack die is rolled again (R-SEA-04, cards). Data: the dice."""

    name = "reroll"

    def options(self, table: MatchState, unit: int, data: Rolled) -> list[RerollChoice]:
        return [(-1,), (0,), (1,), (2,)]

    def problems(self, table: MatchState, unit: int, data: Rolled, choice: RerollChoice) -> list[Refusal]:
        return []

    def read(self, table: MatchState, unit: int, data: Rolled, document: Mapping[str, Any]) -> RerollChoice:
        reading.only(document, "choose", "die")
        if document.get("die") is None:
            return (-1,)
        die = reading.whole(document, "die")
        if not 0 <= die <= 2:
            raise Malformed("bad_field", field="die", value=die)
        return (die,)

    def write(self, table: MatchState, unit: int, data: Rolled, choice: RerollChoice) -> dict[str, Any]:
        return {"choose": self.name, "die": None if choice[0] < 0 else choice[0]}

    def why(self, table: MatchState, unit: int, data: Rolled) -> dict[str, Any]:
        return {"dice": list(data.dice)}

    def resolve(self, table: MatchState, unit: int, data: Rolled, choice: RerollChoice) -> None:
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


class Compared(NamedTuple):
    """One target of an attack after the comparison, and the units whose equipment took effect there, with its bits."""

    sum: AttackSum
    is_hit: bool
    used: Used


def compare(table: MatchState, rolled: Rolled) -> None:
    """Compare one roll with every target, each with its own modifiers (R-MUL-05), and score the hits."""
    attack = rolled.attack
    critical = critical_of(rolled.dice, rolled.reroll)
    compared = [_compare_target(table, rolled, target, critical) for target in attack.targets]
    hits = tuple(entry.sum.target for entry in compared if entry.is_hit)
    damage = damage_value(table, attack, hits, rolled.overheated)
    why = None
    if table.log is not None:
        why = explain(table, attack, rolled.dice, [(entry.sum, entry.is_hit) for entry in compared], damage)
    table.emit(ATTACK_RESOLVED, attack.attacker, hits, critical, why)
    used = bits_of(key for key, _ in damage.added if key in EQUIPMENT) if hits else 0
    used |= _used_by_attacker(table, rolled, compared)
    by_targets = tuple(pair for entry in compared for pair in entry.used)
    hit = Hit(attack, hits, critical, damage.amount, by_targets, used, damage.heat, rolled.overheated)
    if len(hits) > 1 and damage.amount > 0 and not damage.is_for_each:
        table.ask(SPLIT, attack.attacker, hit)
    else:
        finish_hit(table, hit, tuple(damage.amount for _ in hits))


def targets_hit(table: MatchState, rolled: Rolled) -> tuple[int, ...]:
    """Return the targets that the dice hit as they lie. A second roll that a Decoy demands is still to come."""
    critical = critical_of(rolled.dice, rolled.reroll)
    attack = rolled.attack
    return tuple(target for target in attack.targets if sum_of(table, attack, target).is_hit_by(rolled.dice, critical))


def _used_by_attacker(table: MatchState, rolled: Rolled, compared: list[Compared]) -> int:
    """Return the attacker's bits that took effect before any damage, hit or miss (Q-95)."""
    attack = rolled.attack
    used = bits_of(key for entry in compared for key, _ in entry.sum.modifiers if key in EQUIPMENT)
    if rolled.reroll is not None:
        used |= may_reroll(table.equipment(attack.attacker))
    if attack.is_ranged:
        return used | ignored_on_the_way(table, attack)
    return used | strikes_all(table.equipment_on_value(attack.attacker, attack.value)) if len(compared) > 1 else used


def _compare_target(table: MatchState, rolled: Rolled, target: int, critical: str | None) -> Compared:
    summed = sum_of(table, rolled.attack, target)
    used, is_hit = summed.used, summed.is_hit_by(rolled.dice, critical)
    if is_hit and critical is None and summed.second_roll:
        used = (*used, (target, summed.second_roll))
        is_hit = _roll_again(table, rolled.attack, summed)
    return Compared(summed, is_hit, used)


def _roll_again(table: MatchState, attack: Attack, summed: AttackSum) -> bool:
    """Make the second roll that a Decoy demands and return whether it hits (R-SEF-02, Q-103).

    A critical miss damages the attacker; a critical hit has no further effect.
    """
    dice = table.dice.roll(3, "second_roll")
    critical = critical_of(dice)
    result, success = sum(dice) + summed.attack, summed.is_hit_by(dice, critical)
    decoy = key_of(summed.second_roll)
    table.emit(SECOND_ROLL, attack.attacker, summed.target, dice, result, summed.defense, success, decoy)
    if critical == CRITICAL_MISS:
        pay_for_miss(table, attack.attacker)
    return success


def finish_hit(table: MatchState, hit: Hit, shares: tuple[int, ...]) -> None:
    """Score each hit target's share, apply the effects of the hit, make a second attack, charge the attacker."""
    used = score_hits(table, hit, shares)
    used |= after_hit(table, hit)
    second = follow_up_of(table, hit)
    if second is None:
        finish_attack(table, hit.attack, hit, used)
    else:
        table.push((roll_attack, second), (finish_attack, hit.attack, hit, used))
    table.roster.format.after_hits(table, hit.targets)


SplitChoice = tuple[int, ...]
"""The share of each hit target, in points."""


class Split(DecisionKind[Hit, SplitChoice]):
    """How damage is divided among several hit targets (R-MUL-07). Data: the hit."""

    name = "split"

    def options(self, table: MatchState, unit: int, data: Hit) -> list[SplitChoice]:
        return _shares(data.damage, len(data.targets))

    def problems(self, table: MatchState, unit: int, data: Hit, choice: SplitChoice) -> list[Refusal]:
        if sum(choice) != data.damage:
            return [Refusal("split_sum", {"sum": sum(choice), "damage": data.damage})]
        return []

    def read(self, table: MatchState, unit: int, data: Hit, document: Mapping[str, Any]) -> SplitChoice:
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

    def write(self, table: MatchState, unit: int, data: Hit, choice: SplitChoice) -> dict[str, Any]:
        names = [table.roster.target_name(target) for target in data.targets]
        return {"choose": self.name, "damage": dict(zip(names, choice, strict=True))}

    def why(self, table: MatchState, unit: int, data: Hit) -> dict[str, Any]:
        return {"damage": data.damage, "targets": [table.roster.target_name(target) for target in data.targets]}

    def default(self, table: MatchState, unit: int, data: Hit) -> SplitChoice:
        return (data.damage, *(0 for _ in data.targets[1:]))

    def resolve(self, table: MatchState, unit: int, data: Hit, choice: SplitChoice) -> None:
        finish_hit(table, data, choice)


SPLIT = Split()


def _shares(damage: int, parts: int) -> list[SplitChoice]:
    """Return every way to divide `damage` into `parts` shares, the most for the first target first."""
    if parts == 1:
        return [(damage,)]
    return [(first, *rest) for first in range(damage, -1, -1) for rest in _shares(damage - first, parts - 1)]
