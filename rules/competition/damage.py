"""From a hit to the damage die: shares, reductions, energy heat, critical results, tokens, the attacker's price."""

from __future__ import annotations

from typing import NamedTuple

from rules.competition.attacking import Attack, friends_at
from rules.competition.events import DAMAGE_SCORED, KNOCKED_OUT, TOKEN_DESTROYED
from rules.competition.position import ASSAULT, CLOSE, ENERGY_HEAT, RANGED, SHUTDOWN, UNCONSCIOUS
from rules.competition.roster import TOKEN
from rules.competition.table import Table
from rules.core.equipment import EQUIPMENT
from rules.core.equipment_hooks import ignores_armor, reductions

ORDER_HEAT = {CLOSE: ("close", 1), RANGED: ("ranged", 1), ASSAULT: ("assault", 2)}
"""Heat of an order that attacks (R-HET-02, R-HET-03, R-HET-07); under dig in or defend none comes on top (Q-07)."""


class Hit(NamedTuple):
    """A compared attack: targets hit, critical hit or miss, damage to score, and the equipment that took effect:
    bits by target, and the attacker's own bits."""

    attack: Attack
    targets: tuple[int, ...]
    critical: str | None
    damage: int
    used_by_targets: tuple[tuple[int, int], ...]
    used: int


def score_hits(table: Table, hit: Hit, shares: tuple[int, ...]) -> int:
    """Score the shares on the hit targets and splash on bystanders. Returns the attacker's bits that took effect."""
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


def knock_out(table: Table, unit: int) -> None:
    """A critical hit knocks the pilot out (R-CRT-02)."""
    if table.fighter(unit).pilot_key is not None and not table.position.status[unit] & UNCONSCIOUS:
        table.emit(KNOCKED_OUT, unit)


def _score(table: Table, attack: Attack, target: int, scored: int, cause: str) -> int:
    """Take the target's reductions off damage scored and record what is dealt. Returns attacker's bits used."""
    attacker = attack.attacker
    fighter = table.fighter(attacker)
    range_type = fighter.range_types[attack.value]
    pierced = ignores_armor(table.equipment_on_value(attacker, attack.value), attack.is_ranged)
    armor = table.equipment(target) if target < TOKEN else table.roster.token_armor[target - TOKEN]
    taken = reductions(armor, scored, attack.is_ranged, range_type, bool(pierced))
    if pierced and taken == reductions(armor, scored, attack.is_ranged, range_type, False):
        pierced = 0  # there was nothing to pierce, so a single-use circle is not spent
    dealt = scored + sum(amount for _, amount in taken)
    why = None
    if table.log is not None:
        why = {
            "cause": cause,
            "reductions": [{"name": key, "amount": amount, "rule": EQUIPMENT[key].rule} for key, amount in taken],
        }
    table.emit(DAMAGE_SCORED, attacker, target, scored, dealt, why)
    if target >= TOKEN:
        if dealt > 0:
            destroy_token(table, attack, target - TOKEN)
        return pierced
    table.note_damage(target, dealt, cause, attacker)
    if attack.is_ranged and range_type == "energy" and dealt > 0:
        orders, status = table.position.orders[target], table.position.status[target]
        if not orders & ENERGY_HEAT and not status & SHUTDOWN:  # R-HET-09, R-SHD-04
            table.note_heat(target, 1, "energy_hit")
    used = 0
    for key, _ in taken:
        used |= EQUIPMENT[key].bit
    if used:
        table.charge_single_use(target, used)
    return pierced


def destroy_token(table: Table, attack: Attack, token: int) -> None:
    """One point destroys a token at once; its reputation depends on the method (R-TGT-08, R-TGT-09, Q-72)."""
    fighter = table.fighter(attack.attacker)
    own_type = fighter.range_types[attack.value]
    method = own_type if attack.is_ranged or own_type == "melee" else "none"
    definition = table.roster.tokens[token]
    reputation = definition.rp if method == definition.method else definition.else_rp
    table.emit(TOKEN_DESTROYED, token, attack.attacker, fighter.side, method, reputation)


def finish_attack(table: Table, attack: Attack, hit: Hit | None, used: int) -> None:
    """What the attack costs its attacker: order heat, a critical miss, single-use circles (Q-54 step 14)."""
    if not table.is_in_play(attack.attacker):
        return
    if attack.order in ORDER_HEAT:
        name, amount = ORDER_HEAT[attack.order]
        table.note_heat(attack.attacker, amount, name)
    if hit is None:
        return
    if hit.critical == "miss":
        table.note_damage(attack.attacker, 1, "critical_miss")  # R-CRT-06
    table.charge_single_use(attack.attacker, used | hit.used)
    for target, bit in hit.used_by_targets:
        if table.is_in_play(target):
            table.charge_single_use(target, bit)
