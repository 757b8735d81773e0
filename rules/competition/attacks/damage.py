"""From a hit to the damage die: the damage value, shares, reductions, energy heat, knocked-out pilots, tokens."""

from __future__ import annotations

from typing import NamedTuple

from rules.competition.attacks.facts import facts_of
from rules.competition.attacks.forms import Attack
from rules.competition.attacks.modifiers import rule_of
from rules.competition.attacks.protecting import intercept
from rules.competition.attacks.sighting import friends_at
from rules.competition.state.events import DAMAGE_SCORED, EQUIPMENT_ROLLED, KNOCKED_OUT, TOKEN_DESTROYED
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import ENERGY_HEAT, UNCONSCIOUS
from rules.competition.state.roster import TOKEN
from rules.core.attack_hooks import (
    AttackFacts,
    damage_after_hit,
    damage_die,
    damage_of_die,
    die_for_damage,
    half_again,
    heat_for_damage,
    key_of,
    overheats,
)
from rules.core.card_hooks import amounts, giver
from rules.core.equipment import EQUIPMENT, bits_of
from rules.core.equipment_hooks import Modifier, damage_modifiers, ignores_armor, mask_of, reductions


class Damage(NamedTuple):
    """What an attack scores on a success, in points: `value` before halving, the cap or the half again, `amount` after.

    `added`: the equipment and cards that changed it. `rule`: what halved, capped or replaced the value, None for the
    plain value. `heat`: the equipment that costs the attacker heat on a hit, and how much; None without it.
    `is_for_each`: every target takes all of the damage.
    """

    amount: int
    value: int
    added: tuple[Modifier, ...]
    rule: str | None
    heat: Modifier | None = None
    is_for_each: bool = False


NO_DAMAGE = Damage(0, 0, (), None)
"""The damage of an attack on a friend."""


def damage_value(table: MatchState, attack: Attack, hits: tuple[int, ...], overheated: int | None) -> Damage:
    """Return the damage that the attacker scores: heat, equipment and cards, then halving or the cap (Q-54 to Q-56).

    `hits` are the targets that are hit; without any, equipment that needs a hit adds nothing. `overheated`: the clicks
    that Alpha Strike turned, or None. Equipment may roll a die.
    """
    unit = attack.attacker
    on_value = table.equipment_on_value(unit, attack.value)
    added = list(damage_modifiers(table.equipment(unit), attack.is_ranged))
    if table.roster.has_texts:
        added += amounts("damage", table.texts(unit), attack.is_ranged)
    value = table.damage(unit, attack.value)
    if hits and on_value:
        facts = facts_of(table, attack)
        replaced = _replaced(table, attack, on_value, facts)
        if replaced is not None:
            return replaced
        for key, heat in half_again(on_value, attack.is_ranged):
            printed = table.damage_by_heat(unit, attack.value)
            more = (printed + 1) // 2
            return Damage(printed + more, printed, ((key, more),), EQUIPMENT[key].rule, (key, heat))
        added.extend(_after_hit(table, attack, on_value, facts, value, overheated))
    value += sum(amount for _, amount in added)
    for_each = not attack.is_ranged and len(attack.targets) > 1
    if not attack.is_ranged:
        if table.fighter(unit).range_types[attack.value] != "melee":
            return Damage(max(1, (value + 1) // 2), value, tuple(added), "R-CLO-07")  # R-DMG-09
    elif attack.indirect and value > 2:
        return Damage(2, value, tuple(added), "R-IND-10")
    return Damage(value, value, tuple(added), None, None, for_each)


def _replaced(table: MatchState, attack: Attack, on_value: int, facts: AttackFacts) -> Damage | None:
    """Return the damage of equipment that replaces the damage value by a die or by heat; None when none does."""
    for key, _ in heat_for_damage(on_value, facts):
        return Damage(0, 0, ((key, 0),), EQUIPMENT[key].rule)
    for key, _ in die_for_damage(on_value, facts):
        (die,) = table.dice.roll(1, key)
        table.emit(EQUIPMENT_ROLLED, attack.attacker, key, die, die)
        return Damage(die, die, ((key, 0),), EQUIPMENT[key].rule)
    return None


def _after_hit(
    table: MatchState, attack: Attack, on_value: int, facts: AttackFacts, value: int, overheated: int | None
) -> list[Modifier]:
    """Return what a hit adds to the damage value: Alpha Strike's clicks, Streak Missiles, Artemis."""
    found: list[Modifier] = []
    if overheated is not None:
        found.extend((key, overheated) for key, _ in overheats(on_value, facts))
    found.extend(damage_after_hit(on_value, facts, value))
    if damage_die(on_value, facts):
        key = key_of(damage_die(on_value, facts))
        (die,) = table.dice.roll(1, key)
        more = damage_of_die(on_value, facts, die)
        table.emit(EQUIPMENT_ROLLED, attack.attacker, key, die, sum(amount for _, amount in more))
        found.extend(more)
    return found


class Hit(NamedTuple):
    """An attack after the comparison, before its damage is scored.

    `targets`: those that were hit. `critical`: hit, miss or None. `damage`: points to score. `used_by_targets`: units
    with the bits of their equipment that took effect; `used`: the attacker's bits. `heat`: the equipment by which the
    hit costs heat, and how much. `overheated`: the clicks that Alpha Strike turned, or None.
    """

    attack: Attack
    targets: tuple[int, ...]
    critical: str | None
    damage: int
    used_by_targets: tuple[tuple[int, int], ...]
    used: int
    heat: Modifier | None
    overheated: int | None


def score_hits(table: MatchState, hit: Hit, shares: tuple[int, ...]) -> int:
    """Score the shares on the hit targets and splash on bystanders; a critical hit knocks out pilots (R-CRT-02).

    Return the attacker's bits that took effect.
    """
    attack = hit.attack
    used = 0
    extra = table.roster.house_rules.critical_hit_extra_damage if hit.critical == "hit" else 0
    splashed = []
    if attack.ignores_friendly_fire:
        splashed = [friend for target in hit.targets for friend in friends_at(table, attack.attacker, target)]
    for target, share in zip(hit.targets, shares, strict=True):
        scored = share + extra if share else share
        used |= _score(table, attack, target, scored, "attack")
        if hit.critical == "hit" and scored > 0 and target < TOKEN:
            knock_out(table, target)
    for friend in splashed:
        used |= _score(table, attack, friend, 1, "friendly_fire")  # R-RMD-04
    return used


def knock_out(table: MatchState, unit: int) -> None:
    """Knock the pilot out after a critical hit (R-CRT-02), unless a card keeps them awake."""
    if table.fighter(unit).pilot_key is None or table.position.status[unit] & UNCONSCIOUS:
        return
    if not giver("stays_awake", table.texts(unit)):
        table.emit(KNOCKED_OUT, unit)


def pay_for_miss(table: MatchState, unit: int) -> None:
    """Deal the attacker 1 damage for a critical miss (R-CRT-06), unless a card prevents it."""
    if not giver("spares_damage", table.texts(unit), "critical_miss"):
        table.note_damage(unit, 1, "critical_miss")


def _score(table: MatchState, attack: Attack, target: int, scored: int, cause: str) -> int:
    """Take the target's reductions off the damage scored and record what is dealt. Return the attacker's bits used."""
    attacker = attack.attacker
    fighter = table.fighter(attacker)
    range_type = fighter.range_types[attack.value]
    pierced = ignores_armor(table.equipment_on_value(attacker, attack.value), attack.is_ranged)
    armor = table.equipment(target) if target < TOKEN else table.roster.token_armor[target - TOKEN]
    taken = reductions(armor, scored, attack.is_ranged, range_type, bool(pierced))
    if pierced and taken == reductions(armor, scored, attack.is_ranged, range_type, False):
        pierced = 0  # there was nothing to pierce, so a single-use circle is not spent
    dealt = scored + sum(amount for _, amount in taken)
    if table.roster.has_texts and target < TOKEN and dealt > 0:
        taken += _reduced_by_cards(table, attack, target, dealt)
        dealt = scored + sum(amount for _, amount in taken)
    is_target = cause == "attack"  # a bystander is not a target, so no system intercepts for it
    if is_target and target < TOKEN and dealt > 0 and attack.is_ranged and range_type == "ballistic":
        taken += intercept(table, target, dealt)
        dealt = scored + sum(amount for _, amount in taken)
    why = None
    if table.log is not None:
        why = {
            "cause": cause,
            "reductions": [{"name": key, "amount": amount, "rule": rule_of(table, key)} for key, amount in taken],
        }
    table.emit(DAMAGE_SCORED, attacker, target, scored, dealt, why)
    if target >= TOKEN:
        if dealt > 0:
            destroy_token(table, attack, target - TOKEN)
        return pierced
    table.note_damage(target, dealt, cause, attacker)
    is_warmed = attack.is_ranged and range_type == "energy" and dealt > 0
    if is_warmed and not table.position.orders[target] & ENERGY_HEAT:  # R-HET-09
        table.note_heat(target, 1, "energy_hit")
    used = bits_of(key for key, _ in taken if key in EQUIPMENT) & ~mask_of(
        "intercepts"
    )  # `intercept` has charged the interceptors already
    if used:
        table.charge_single_use(target, used)
    return pierced


def _reduced_by_cards(table: MatchState, attack: Attack, target: int, left: int) -> list[Modifier]:
    """Return what the target's pilot and rally cards take off, after armor and never below 0."""
    found = []
    range_type = table.fighter(attack.attacker).range_types[attack.value]
    for text in table.texts(target):
        for key, amount in amounts("reduces", (text,), attack.is_ranged, range_type):
            taken = max(amount, -left)
            if taken:
                found.append((key, taken))
                left += taken
                table.use_up(target, text)
    return found


def destroy_token(table: MatchState, attack: Attack, token: int) -> None:
    """Destroy a token; its reputation depends on the method of the attack (R-TGT-08, R-TGT-09, Q-72)."""
    fighter = table.fighter(attack.attacker)
    own_type = fighter.range_types[attack.value]
    method = own_type if attack.is_ranged or own_type == "melee" else "none"
    definition = table.roster.tokens[token]
    reputation = definition.rp if method == definition.method else definition.else_rp
    table.emit(TOKEN_DESTROYED, token, attack.attacker, fighter.side, method, reputation)
