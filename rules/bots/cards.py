"""The greedy bot's cards: it plays a rally card when that helps now, and chooses the better of two items."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rules.bots.estimates import Estimate, best_attack, best_facing, heat_risk
from rules.competition.attacks.forms import Attack, AttackChoice
from rules.competition.attacks.modifiers import attack_modifiers
from rules.competition.attacks.reactions import ask_reaction
from rules.competition.state.gear_tables import Conflict
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import CLOSE, COMBAT, MOVE, SHUTDOWN, UNCONSCIOUS
from rules.competition.state.roster import TOKEN
from rules.competition.units.rally import RallyChoice, playable
from rules.competition.units.sources import TARGET, SourceChoice, matters, name_of

DANGER = 0.5
"""Above this risk of heat, in points of damage, a card against heat is worth playing."""


def threat(table: MatchState, unit: int) -> Attack | None:
    """Return the declared attack that waits for the unit's reaction; None if there is none."""
    for task in reversed(table.agenda):
        if task[0] is ask_reaction and len(task) > 2 and task[1] == unit:
            attack: Attack = task[2]
            return attack
    return None


def own_attack(table: MatchState, unit: int) -> Estimate[AttackChoice] | None:
    """Return the unit's best attack from its hex, turned towards any target.

    Return None if the unit is under attack, cannot take orders or has no target.
    """
    if threat(table, unit) is not None or not table.can_take_orders(unit):
        return None
    return best_facing(table, unit, table.position.hex[unit])[1]


def _attacks(table: MatchState, unit: int) -> bool:
    return own_attack(table, unit) is not None


def _attacks_a_greater_one(table: MatchState, unit: int) -> bool:
    found = own_attack(table, unit)
    fighters = table.roster.fighters
    return found is not None and any(
        target < TOKEN and fighters[target].total > fighters[unit].total for target in found.choice[2]
    )


def _strikes(table: MatchState, unit: int) -> bool:
    found = own_attack(table, unit)
    return found is not None and found.choice[0] == CLOSE


def _aims_at_a_token(table: MatchState, unit: int) -> bool:
    found = own_attack(table, unit)
    return found is not None and any(target >= TOKEN for target in found.choice[2])


def _is_attacked(table: MatchState, unit: int) -> bool:
    return threat(table, unit) is not None


def _is_shot_at_in_motion(table: MatchState, unit: int) -> bool:
    attack = threat(table, unit)
    return attack is not None and attack.is_ranged and bool(table.position.orders[unit] & MOVE)


def _is_struck(table: MatchState, unit: int) -> bool:
    attack = threat(table, unit)
    return attack is not None and not attack.is_ranged


def _may_be_knocked_out(table: MatchState, unit: int) -> bool:
    is_awake = not table.position.status[unit] & UNCONSCIOUS
    return _is_attacked(table, unit) and is_awake and table.fighter(unit).pilot_key is not None


def _looks_the_wrong_way(table: MatchState, unit: int) -> bool:
    """Return whether the unit is attacked from behind, or has only targets that need another facing in combat."""
    if not table.can_take_orders(unit):
        return False
    attack = threat(table, unit)
    if attack is not None:
        return any(name == "rear_arc" for name, _ in attack_modifiers(table, attack, unit))
    position = table.position
    if position.phase != COMBAT or not _attacks(table, unit):
        return False
    return best_attack(table, unit, position.hex[unit], position.facing[unit]) is None


def _is_far(table: MatchState, unit: int) -> bool:
    is_free = threat(table, unit) is None and not table.opponents_in_contact(unit)
    return is_free and not _attacks(table, unit)


def _is_hemmed_in(table: MatchState, unit: int) -> bool:
    return len(table.opponents_in_contact(unit)) > 1


def _is_hot(table: MatchState, unit: int) -> bool:
    return table.position.heat[unit] + table.position.heat_die[unit] > 1


def _fears_heat(table: MatchState, unit: int) -> bool:
    return heat_risk(table, unit, 1) > DANGER


def _fears_its_own_orders(table: MatchState, unit: int) -> bool:
    return _fears_heat(table, unit) and _attacks(table, unit)


def _will_vent(table: MatchState, unit: int) -> bool:
    """Return whether the unit has more heat than a vent takes away, and no attack in its combat turn."""
    position = table.position
    is_too_hot = position.heat[unit] + position.heat_die[unit] > table.fighter(unit).vent
    own_turn = position.phase == COMBAT and threat(table, unit) is None and table.can_take_orders(unit)
    return is_too_hot and own_turn and not _attacks(table, unit)


def _is_shut_down(table: MatchState, unit: int) -> bool:
    return bool(table.position.status[unit] & SHUTDOWN)


def _is_out(table: MatchState, unit: int) -> bool:
    return bool(table.position.status[unit] & UNCONSCIOUS)


def _can_be_patched(table: MatchState, unit: int) -> bool:
    return not table.fighter(unit).repair_markers[table.position.clicks[unit]]


HELPS: Mapping[str, Callable[[MatchState, int], bool]] = {
    "take_aim": _attacks,
    "brace": _is_attacked,
    "press_the_attack": _attacks,
    "underdog": _attacks_a_greater_one,
    "haymaker": _strikes,
    "play_to_the_crowd": _aims_at_a_token,
    "jink": _is_shot_at_in_motion,
    "hold_the_ring": _is_struck,
    "full_throttle": _is_far,
    "second_look": _attacks,
    "keep_running": _fears_heat,
    "steady_the_reactor": _fears_heat,
    "cold_blooded": _fears_its_own_orders,
    "open_the_vents": _will_vent,
    "shrug_off": _is_attacked,
    "grit_teeth": _may_be_knocked_out,
    "slip_free": _is_hemmed_in,
    "shed_heat": _is_hot,
    "patch_up": _can_be_patched,
    "restart": _is_shut_down,
    "wake_up": _is_out,
    "swing_round": _looks_the_wrong_way,
}
"""Effect of a rally card -> whether it helps the unit now."""


def helps_now(table: MatchState, unit: int, effect: str) -> bool:
    """Return whether the effect of a rally card is worth playing for the unit now."""
    return HELPS[effect](table, unit)


def play_rally(table: MatchState, unit: int, data: None) -> RallyChoice:
    """Return the choice of the first playable card that helps now; (None,) if none does."""
    hand = table.roster.hand_of(unit)
    for card in playable(table, unit):
        if helps_now(table, unit, hand[card].effect):
            return (card,)
    return (None,)


def choose_source(table: MatchState, unit: int, data: Conflict) -> SourceChoice:
    """Return the choice of the first source, which is the dial if the dial is one of them.

    Out of the unit's turn, the first source that helps a target comes before that.
    """
    found = data.sources[0]
    if table.position.turn != unit and not found.bit & matters(TARGET):
        found = next((source for source in data.sources if source.bit & matters(TARGET)), found)
    return (name_of(table, unit, data, found),)
