"""The modifiers of one attack against one target, each by name and amount (sections CLO, RMD, IND).

Modifiers to the attack value are of two sorts: those that depend on the attacker's hex and facing, and those that do
not (`standing_modifiers`). Code that compares many places asks for the latter once.
"""

from __future__ import annotations

from rules.competition.attacks.facts import facts_of
from rules.competition.attacks.fixed_modifiers import (
    ASSAULTS,
    CALLED_SHOT,
    DEFENDS,
    FRIENDLY_FIRE,
    HEIGHT,
    HINDERING,
    INDIRECT,
    INTERVENING,
    IS_DUG_IN,
    REAR_ARC,
    RULE_OF,
    TARGET_DEFENDS,
    TARGET_DODGES,
    TARGET_DUG_IN,
    TARGET_SHUT_DOWN,
)
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


def rule_of(table: MatchState, name: str) -> str:
    """Return the rule behind a modifier by its name: an order, the ground, equipment, gear, a rally card or a pilot."""
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
    """Return all modifiers to the attack value against one target, none of them 0, in a fixed order.

    Raises what `line_to` raises.
    """
    position = table.position
    attacker = attack.attacker
    place, target_place = position.hex[attacker], place_of(table, target)
    found: list[Modifier] = []
    if attack.is_ranged:
        _add_line(table, attack, target, found)
        touching = table.opponents_in_contact(attacker)
        if touching and is_called_shot(touching, attack.targets):
            found.append(CALLED_SHOT)
        if not attack.ignores_friendly_fire and friends_at(table, attacker, target):
            found.append(FRIENDLY_FIRE)
    elif is_rear_side(table, place, target, target_place):
        found.append(REAR_ARC)
    elevated = table.roster.arena.elevated
    if elevated >> target_place & 1 and not elevated >> place & 1:
        found.append(HEIGHT)
    found.extend(standing_modifiers(table, attack, target, table.equipment_on_value(attacker, attack.value)))
    texts = table.texts(attacker) if table.roster.has_texts else ()
    if not texts:
        return found
    is_rear, is_hindered = REAR_ARC in found, HINDERING in found
    has_moved = bool(position.orders[attacker] & MOVE)
    return merged(found + amounts("attack", texts, card_facts(table, attack, target, is_rear, is_hindered, has_moved)))


def standing_modifiers(table: MatchState, attack: Attack, target: int, on_value: int) -> list[Modifier]:
    """Return the modifiers that depend on neither the attacker's hex nor its facing.

    They come from orders and state of both sides, equipment, gear and pilot. `on_value`: the equipment bits at work on
    the attacking value. Friendly fire and the texts of cards are left out.
    """
    position = table.position
    attacker = attack.attacker
    orders = position.orders[attacker]
    found: list[Modifier] = []
    if attack.order == ASSAULT:
        found.append(ASSAULTS)
    if orders & DIG_IN:
        found.append(IS_DUG_IN)
    if orders & DEFEND:
        found.append(DEFENDS)
    if target < TOKEN:
        _add_target_state(table, target, found)
    if on_value:
        found.extend(attack_bonus(on_value, facts_of(table, attack)))
    found.extend(table.roster.fighters[attacker].attack_given[table.pilot_counts(attacker)][position.clicks[attacker]])
    return found


def card_facts(
    table: MatchState, attack: Attack, target: int, is_rear: bool, is_hindered: bool, has_moved: bool
) -> CardFacts:
    """Return what the texts of cards may ask about this attack; `has_moved`: the card's unit has a move order."""
    fighters = table.roster.fighters
    own = fighters[attack.attacker].range_types[attack.value]
    is_unit = target < TOKEN
    return CardFacts(
        attack.is_ranged,
        own if attack.is_ranged or own == "melee" else None,
        is_unit,
        is_rear,
        has_moved,
        is_unit and fighters[target].total > fighters[attack.attacker].total,
        is_hindered,
        attack.order == ASSAULT,
    )


def is_called_shot(touching: list[int], targets: tuple[int, ...]) -> bool:
    """Return whether an attacker shoots past opponents in contact (R-RMD-02, R-MUL-08, Q-58).

    `touching` are those opponents, at least one. A shot at a single target does so when any other opponent is in
    contact, a shot at several when no target is.
    """
    if len(targets) > 1:
        return set(targets).isdisjoint(touching)
    return len(touching) > 1 or touching[0] != targets[0]


def _add_target_state(table: MatchState, target: int, found: list[Modifier]) -> None:
    """Add the modifiers for the target's reaction and shutdown."""
    reaction = table.position.orders[target]
    if reaction & DIG_IN:
        found.append((TARGET_DUG_IN, table.roster.house_rules.dig_in_target_modifier))
    elif reaction & DEFEND:
        found.append(TARGET_DEFENDS)
    elif reaction & DODGE:
        found.append(TARGET_DODGES)
    if is_shutdown(table, target):
        found.append(TARGET_SHUT_DOWN)


def _add_line(table: MatchState, attack: Attack, target: int, found: list[Modifier]) -> None:
    line = line_to(table, attack, target)
    if line is None:
        return
    if attack.indirect:
        found.append(INDIRECT)
    else:
        place = table.position.hex[attack.attacker]
        if line.line.hindering or (not is_clear(table, attack, target) and aims_into_woods(table, place, target)):
            found.append(HINDERING)
        if line.line.intervening:
            found.append(INTERVENING)
    if line.is_rear:
        found.append(REAR_ARC)


def line_to(table: MatchState, attack: Attack, target: int) -> Sight | None:
    """Return the line that this attack uses: the drawn one, or the best one; None when none is open (Q-35).

    Raises IllegalAction with a code of `line_problem`, and Malformed (unknown_corner), for a drawn line that is not
    allowed.
    """
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


def aims_into_woods(table: MatchState, place: int, target: int) -> bool:
    """Return whether the target is inside hindering terrain and an attacker in `place` is outside that patch.

    Without the house rule of Q-38 the answer is always no.
    """
    if not table.roster.house_rules.target_inside_hindering:
        return False
    arena = table.roster.arena
    target_place = place_of(table, target)
    if not arena.hindering >> target_place & 1:
        return False
    return not (arena.hindering >> place & 1 and arena.patch[place] == arena.patch[target_place])


def is_clear(table: MatchState, attack: Attack, target: int) -> bool:
    """Return whether terrain on the way is ignored, by Streak Missiles or a Homing Beacon on the target."""
    on_value = table.equipment_on_value(attack.attacker, attack.value)
    if on_value and ignores_lines(on_value, attack.is_ranged, attack.is_single):
        return True
    return is_marked(table, attack.attacker, attack.value, target)


def ignored_on_the_way(table: MatchState, attack: Attack) -> int:
    """Return the attacker's bits that ignore a unit or terrain on the way, 0 when nothing is there (R-SED-05)."""
    unit = attack.attacker
    on_value = table.equipment_on_value(unit, attack.value)
    missiles = ignores_lines(on_value, attack.is_ranged, attack.is_single) if on_value else 0
    if not missiles:
        return 0
    place, facing = table.position.hex[unit], table.position.facing[unit]
    plain = sight(table, unit, attack.value, attack.targets[0], place, facing)
    return missiles if plain is None or plain.line.hindering or plain.line.intervening else 0


Used = tuple[tuple[int, int], ...]
"""Units, each with the bits of its equipment that took effect."""


def target_defense(table: MatchState, attack: Attack, target: int) -> tuple[int, list[Modifier], Used]:
    """Return the target's printed defense, the modifiers to it (gear, pilot, texts of cards, equipment), and `Used`.

    A friend's Point Defense System replaces the value when that is higher; then only the modifier of a second attack is
    added (Q-109).
    """
    more = list(follow_up_defense(attack.follow_up)) if attack.follow_up else []
    if target >= TOKEN:
        return table.roster.tokens[target - TOKEN].defense, more, ()
    printed, found = own_defense(table, attack, target)
    friend, lent = lender(table, target)
    if friend >= 0 and lent > printed + sum([amount for _, amount in found]):
        return lent, more, ((friend, lends_defense(table.equipment(friend))),)
    used = tuple([(target, EQUIPMENT[key].bit) for key, _ in found if key in EQUIPMENT]) if found else ()
    return printed, found + more, used


def own_defense(table: MatchState, attack: Attack, target: int) -> tuple[int, list[Modifier]]:
    """Return a unit's printed defense value and its own modifiers against this attack."""
    fighter = table.roster.fighters[target]
    found = list(fighter.defense_given[table.pilot_counts(target)][table.position.clicks[target]])
    is_special = attack.order & SPECIAL_MOVE
    texts = table.texts(target) if table.roster.has_texts and not is_special else ()
    if texts:
        has_moved = bool(table.position.orders[target] & MOVE)
        facts = card_facts(table, attack, target, False, False, has_moved)
        found = merged(found + amounts("defense", texts, facts))
    found.extend(defense_modifiers(table.equipment(target), table, target, attack.is_ranged))
    return fighter.defense[table.position.clicks[target]], found
