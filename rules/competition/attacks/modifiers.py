"""The modifiers of one attack against one target, each by name, amount and rule (sections CLO, RMD, IND)."""

from __future__ import annotations

from rules.competition.attacks.facts import facts_of
from rules.competition.attacks.forms import Attack
from rules.competition.attacks.protecting import lender
from rules.competition.attacks.sighting import (
    Sight,
    friends_at,
    indirect_sight,
    is_marked,
    is_rear_side,
    is_shutdown,
    place_of,
    sight,
    sight_along,
    third_parties,
)
from rules.competition.ground.line_of_fire import line_option
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import ASSAULT, DEFEND, DIG_IN, DODGE, MOVE, SPECIAL_MOVE
from rules.competition.state.roster import TOKEN
from rules.core.attack_hooks import attack_bonus, follow_up_defense, ignores_lines, lends_defense
from rules.core.card_hooks import CardFacts, amounts, merged
from rules.core.equipment import EQUIPMENT
from rules.core.equipment_hooks import Modifier, defense_modifiers

RULE_OF = {
    "hindering": "R-RMD-01",
    "called_shot": "R-RMD-02",
    "friendly_fire": "R-RMD-03",
    "indirect": "R-RMD-09",
    "intervening": "R-RMD-11",
    "shutdown": "R-SHD-07",
    "rear_arc": "R-RMD-13",
    "height": "R-TER-21",
    "assault": "R-ASL-05",
    "dig_in": "R-DIG-05",
    "target_dig_in": "R-DIG-04",
    "defend": "R-DEF-04",
    "target_defend": "R-DEF-02",
    "target_dodge": "R-DOD-02",
    "charge_line": "R-CHG-05",
    "death_from_above": "R-DFA-06",
}
"""The rule behind each modifier that an order or the ground gives; others are keys of cards and equipment."""


def rule_of(table: MatchState, name: str) -> str:
    """The rule behind a modifier, by its name: an order, the ground, equipment, gear, a rally card or a pilot."""
    if name in RULE_OF:
        return RULE_OF[name]
    if name in EQUIPMENT:
        return EQUIPMENT[name].rule
    if any(name in fighter.card_keys for fighter in table.roster.fighters):
        return "R-GER-10"
    if any(card == name for _, _, card, _ in table.position.rallies):
        return "R-RAL-03"
    return "R-PLT-04"


def attack_modifiers(table: MatchState, attack: Attack, target: int) -> list[Modifier]:
    """All modifiers to the attack value against one target, none of them 0, in a fixed order."""
    position = table.position
    attacker = attack.attacker
    orders = position.orders[attacker]
    found: list[Modifier] = []
    if attack.is_ranged:
        _add_line(table, attack, target, found)
        _add_contact(table, attack, target, found)
    elif is_rear_side(table, position.hex[attacker], target, place_of(table, target)):
        found.append(("rear_arc", 2))
    arena = table.roster.arena
    if arena.elevated >> place_of(table, target) & 1 and not arena.elevated >> position.hex[attacker] & 1:
        found.append(("height", -1))
    if attack.order == ASSAULT:
        found.append(("assault", -1))
    if orders & DIG_IN:
        found.append(("dig_in", 2))
    if orders & DEFEND:
        found.append(("defend", -1))
    if target < TOKEN:
        _add_target_state(table, target, found)
    on_value = table.equipment_on_value(attacker, attack.value)
    if on_value:
        found.extend(attack_bonus(on_value, facts_of(table, attack)))
    given = table.roster.fighters[attacker].attack_given[table.pilot_counts(attacker)][position.clicks[attacker]]
    texts = table.texts(attacker) if table.roster.has_texts else ()
    if not texts:
        found.extend(given)
        return found
    return merged([*found, *given, *amounts("attack", texts, card_facts(table, attack, target, attacker, found))])


def card_facts(table: MatchState, attack: Attack, target: int, holder: int, found: list[Modifier]) -> CardFacts:
    """What the card of `holder`, the attacker or the target, may ask of this attack."""
    fighters = table.roster.fighters
    own = fighters[attack.attacker].range_types[attack.value]
    is_unit = target < TOKEN
    return CardFacts(
        attack.is_ranged,
        own if attack.is_ranged or own == "melee" else None,
        is_unit,
        any(name == "rear_arc" for name, _ in found),
        bool(table.position.orders[holder] & MOVE),
        is_unit and fighters[target].total > fighters[attack.attacker].total,
        any(name == "hindering" for name, _ in found),
        attack.order == ASSAULT,
    )


def _add_target_state(table: MatchState, target: int, found: list[Modifier]) -> None:
    """The target's reaction and shutdown."""
    reaction = table.position.orders[target]
    if reaction & DIG_IN:
        found.append(("target_dig_in", table.roster.house_rules.dig_in_target_modifier))
    elif reaction & DEFEND:
        found.append(("target_defend", -1))
    elif reaction & DODGE:
        found.append(("target_dodge", -2))
    if is_shutdown(table, target):
        found.append(("shutdown", 2))


def _add_line(table: MatchState, attack: Attack, target: int, found: list[Modifier]) -> None:
    line = line_to(table, attack, target)
    if line is None:
        return
    if attack.indirect:
        found.append(("indirect", -2))
    else:
        if line.line.hindering or (not is_clear(table, attack, target) and _stands_in_woods(table, attack, target)):
            found.append(("hindering", -1))
        if line.line.intervening:
            found.append(("intervening", -2))
    if line.is_rear:
        found.append(("rear_arc", 2))


def line_to(table: MatchState, attack: Attack, target: int) -> Sight | None:
    """The line that this attack uses: as drawn, else the best one (Q-35)."""
    position = table.position
    attacker = attack.attacker
    place, facing = position.hex[attacker], position.facing[attacker]
    on_value = table.equipment_on_value(attacker, attack.value)
    missiles = ignores_lines(on_value, True, attack.is_single) if on_value else 0
    drawn = attack.lines[attack.targets.index(target)] if attack.lines else None
    if drawn is not None:
        others = third_parties(table, attacker, target)
        is_free = attack.indirect or bool(missiles)
        marked = is_marked(table, attacker, attack.value, target)
        option = line_option(table.roster.arena, place, place_of(table, target), drawn, others, is_free, marked)
        rear = 0
        if target < TOKEN:
            rear = table.roster.fighters[target].rear_corners[position.facing[target]]
        return sight_along(option, bool(rear >> option.last & 1))
    if attack.indirect:
        return indirect_sight(table, attacker, attack.value, target, place, facing)
    return sight(table, attacker, attack.value, target, place, facing, missiles)


def _stands_in_woods(table: MatchState, attack: Attack, target: int) -> bool:
    """The house rule of Q-38: a target inside hindering terrain that the attacker is not inside of."""
    if not table.roster.house_rules.target_inside_hindering:
        return False
    arena = table.roster.arena
    place, target_place = table.position.hex[attack.attacker], place_of(table, target)
    if not arena.hindering >> target_place & 1:
        return False
    return not (arena.hindering >> place & 1 and arena.patch[place] == arena.patch[target_place])


def _add_contact(table: MatchState, attack: Attack, target: int, found: list[Modifier]) -> None:
    """Called shot and friendly fire (R-RMD-02 to R-RMD-04, R-MUL-08, Q-58)."""
    touching = table.opponents_in_contact(attack.attacker)
    if touching:
        if len(attack.targets) > 1:
            if not any(other in attack.targets for other in touching):
                found.append(("called_shot", -1))
        elif any(other != target for other in touching):
            found.append(("called_shot", -1))
    if not attack.ignores_friendly_fire and friends_at(table, attack.attacker, target):
        found.append(("friendly_fire", -1))


def is_clear(table: MatchState, attack: Attack, target: int) -> bool:
    """Whether terrain does not count on the way: Streak Missiles, or a Homing Beacon on the target."""
    on_value = table.equipment_on_value(attack.attacker, attack.value)
    if on_value and ignores_lines(on_value, attack.is_ranged, attack.is_single):
        return True
    return is_marked(table, attack.attacker, attack.value, target)


def ignored_on_the_way(table: MatchState, attack: Attack) -> int:
    """The attacker's bits without which something on the way would block, hinder or intervene (R-SED-05)."""
    unit = attack.attacker
    on_value = table.equipment_on_value(unit, attack.value)
    missiles = ignores_lines(on_value, attack.is_ranged, attack.is_single) if on_value else 0
    if not missiles:
        return 0
    place, facing = table.position.hex[unit], table.position.facing[unit]
    plain = sight(table, unit, attack.value, attack.targets[0], place, facing)
    return missiles if plain is None or plain.line.hindering or plain.line.intervening else 0


Used = tuple[tuple[int, int], ...]
"""Units and the equipment bits of theirs that took effect."""


def target_defense(table: MatchState, attack: Attack, target: int) -> tuple[int, list[Modifier], Used]:
    """The target's printed defense, the modifiers to it (pilot, equipment), and whose equipment took effect.

    A friend's Point Defense System replaces the value where that is higher; then nothing is added (Q-109).
    """
    more = list(follow_up_defense(attack.follow_up)) if attack.follow_up else []
    if target >= TOKEN:
        return table.roster.tokens[target - TOKEN].defense, more, ()
    printed, found = own_defense(table, attack, target)
    friend, lent = lender(table, target)
    if lent > printed + sum(amount for _, amount in found):
        return lent, more, ((friend, lends_defense(table.equipment(friend))),)
    used = tuple((target, EQUIPMENT[key].bit) for key, _ in found if key in EQUIPMENT)
    return printed, found + more, used


def own_defense(table: MatchState, attack: Attack, target: int) -> tuple[int, list[Modifier]]:
    """A unit's printed defense value and its own modifiers against this attack."""
    fighter = table.roster.fighters[target]
    found = list(fighter.defense_given[table.pilot_counts(target)][table.position.clicks[target]])
    is_special = attack.order & SPECIAL_MOVE
    texts = table.texts(target) if table.roster.has_texts and not is_special else ()
    if texts:
        found = merged(found + amounts("defense", texts, card_facts(table, attack, target, target, [])))
    found.extend(defense_modifiers(table.equipment(target), table, target, attack.is_ranged))
    return fighter.defense[table.position.clicks[target]], found
