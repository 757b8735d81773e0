"""What special equipment does in an attack: for the attacker, for the target and for friends near the target.

Timings are those of `rules.core.equipment_hooks`. Functions that need a die take its face; the engine rolls it.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.core.equipment import BY_BIT, bits_of
from rules.core.equipment_hooks import (
    Modifier,
    amounts,
    at_timing,
    damage_modifiers,
    ignores_armor,
    mask_of,
    present,
)


class AttackFacts(NamedTuple):
    """The facts of an attack that its equipment may depend on; of several targets only the first counts.

    `is_order`: a close or ranged combat order itself, not an attack within assault, dig in or defend. `is_single`:
    exactly one target was declared. `is_unit`: the first target is a unit, not a token. `is_shutdown`: the first
    target is a unit that is shut down.
    """

    is_ranged: bool
    is_order: bool
    is_single: bool
    is_unit: bool
    is_shutdown: bool


# --- before the dice ----------------------------------------------------------------------------------------------


@at_timing("ignores_lines", "streak_missiles")
def _streak_line(is_ranged: bool, is_single: bool) -> int:
    """R-SED-05, R-SED-18."""
    return int(is_ranged and is_single)


def ignores_lines(active_on_value: int, is_ranged: bool, is_single: bool) -> int:
    """Return the equipment bits that ignore what blocks, hinders or intervenes on the way (0: none)."""
    found = amounts("ignores_lines", active_on_value, is_ranged, is_single)
    return present("ignores_lines", active_on_value) if found else 0


@at_timing("shuns_indirect_and_missiles", "electronic_camouflage")
def _electronic_camouflage() -> int:
    """R-SEM-05."""
    return 1


def shuns_indirect_and_missiles(active: int) -> bool:
    """Return whether indirect fire and attacks that ignore lines cannot choose this target."""
    return bool(present("shuns_indirect_and_missiles", active))


@at_timing("attack", "homing_beacon")
def _homing_aim(facts: AttackFacts) -> int:
    """R-SED-02, R-SED-19."""
    return int(facts.is_ranged and facts.is_order and facts.is_single)


def attack_bonus(active_on_value: int, facts: AttackFacts) -> tuple[Modifier, ...]:
    """Return the modifiers to the attack value from equipment on the attacking value."""
    return amounts("attack", active_on_value, facts)


@at_timing("marks", "homing_beacon")
def _homing_mark(facts: AttackFacts) -> int:
    """R-SED-02."""
    return int(facts.is_ranged and facts.is_order and facts.is_single)


def marks_target(active_on_value: int, facts: AttackFacts) -> tuple[Modifier, ...]:
    """Return the equipment whose hit marks the target for ballistic fire until the combat phase ends."""
    return amounts("marks", active_on_value, facts)


@at_timing("strikes_all", "full_strike")
def _full_strike() -> int:
    """R-SED-13."""
    return 1


def strikes_all(active_on_value: int) -> int:
    """Return the bits that let a close attack strike every opposing unit in contact with the front arc."""
    return present("strikes_all", active_on_value)


@at_timing("overheats", "alpha_strike")
def _alpha_strike(facts: AttackFacts) -> int:
    """R-SED-11."""
    return int(facts.is_ranged and facts.is_single)


def overheats(active_on_value: int, facts: AttackFacts) -> tuple[Modifier, ...]:
    """Return the equipment that turns the heat dial to shutdown first, for as much damage as the dial turns."""
    return amounts("overheats", active_on_value, facts)


OVERHEAT_RECOVERS = 5
OVERHEAT_LOSS = 2
"""R-SED-11: on a roll of OVERHEAT_RECOVERS or more the unit loses OVERHEAT_LOSS heat; otherwise it shuts down."""


# --- damage ---------------------------------------------------------------------------------------------------------


@at_timing("damage_die", "artemis_v_fire_control_system")
def _artemis(facts: AttackFacts, die: int) -> int:
    """R-SED-01."""
    if not (facts.is_ranged and facts.is_single):
        return 0
    return 0 if die < 3 else 1 if die < 6 else 2


def damage_die(active_on_value: int, facts: AttackFacts) -> int:
    """Return the bits that roll a die for more damage after a hit (0: none); `damage_of_die` reads it."""
    return present("damage_die", active_on_value) if amounts("damage_die", active_on_value, facts, 6) else 0


def damage_of_die(active_on_value: int, facts: AttackFacts, die: int) -> tuple[Modifier, ...]:
    """Return the damage that the die of `damage_die` adds."""
    return amounts("damage_die", active_on_value, facts, die)


@at_timing("damage_after_hit", "streak_missiles")
def _streak_damage(facts: AttackFacts, value: int) -> int:
    """R-SED-05: one less, at least 1."""
    return -1 if facts.is_ranged and facts.is_single and value > 1 else 0


def damage_after_hit(active_on_value: int, facts: AttackFacts, value: int) -> tuple[Modifier, ...]:
    """Return the changes to the damage value after a hit."""
    return amounts("damage_after_hit", active_on_value, facts, value)


@at_timing("half_again", "ppc_capacitor")
def _ppc_capacitor(is_ranged: bool) -> int:
    """R-SED-07, Q-100."""
    return int(is_ranged)


def half_again(active_on_value: int, is_ranged: bool) -> tuple[Modifier, ...]:
    """Return the equipment whose hit scores one and a half times the value, which only heat may modify, for 1 heat."""
    return amounts("half_again", active_on_value, is_ranged)


@at_timing("die_for_damage", "hand_to_hand_weapon")
def _hand_to_hand_weapon(facts: AttackFacts) -> int:
    """R-SED-14."""
    return int(not facts.is_ranged and facts.is_single)


def die_for_damage(active_on_value: int, facts: AttackFacts) -> tuple[Modifier, ...]:
    """Return the equipment whose hit scores a die instead of the damage value."""
    return amounts("die_for_damage", active_on_value, facts)


@at_timing("heat_for_damage", "flamers")
def _flamers(facts: AttackFacts) -> int:
    """R-SED-12; a token has no heat to gain."""
    return 2 if not facts.is_ranged and facts.is_single and facts.is_unit and not facts.is_shutdown else 0


def heat_for_damage(active_on_value: int, facts: AttackFacts) -> tuple[Modifier, ...]:
    """Return the heat that a hit gives the target instead of damage."""
    return amounts("heat_for_damage", active_on_value, facts)


# --- after a hit ------------------------------------------------------------------------------------------------------


@at_timing("shuts_down", "tsemp")
def _tsemp(facts: AttackFacts) -> int:
    """R-SED-08, R-SED-19: the highest roll that shuts the target down."""
    is_aimed = facts.is_ranged and facts.is_order and facts.is_single and facts.is_unit
    return 2 if is_aimed and not facts.is_shutdown else 0


def shuts_down(active_on_value: int, facts: AttackFacts) -> tuple[Modifier, ...]:
    """Return the highest roll of a die on which a hit shuts the target down."""
    return amounts("shuts_down", active_on_value, facts)


@at_timing("follows_up", "pulse")
def _pulse(is_ranged: bool, is_single: bool) -> int:
    """R-SED-09."""
    return int(is_ranged and is_single)


@at_timing("follows_up", "rapid_strike")
def _rapid_strike(is_ranged: bool, is_single: bool) -> int:
    """R-SED-15."""
    return int(not is_ranged and is_single)


def follows_up(active_on_value: int, is_ranged: bool, is_single: bool) -> tuple[Modifier, ...]:
    """Return the equipment that follows up a hit with a second attack, for 1 heat."""
    return amounts("follows_up", active_on_value, is_ranged, is_single)


@at_timing("follow_up_defense", "pulse")
def _pulse_defense() -> int:
    """R-SED-09."""
    return 2


def follow_up_defense(follow_up: int) -> tuple[Modifier, ...]:
    """Return what the target's defense gains against a second attack by this equipment."""
    return amounts("follow_up_defense", follow_up)


# --- at the target ----------------------------------------------------------------------------------------------------


@at_timing("second_roll", "decoy")
def _decoy(is_ranged: bool) -> int:
    """R-SEF-02."""
    return int(is_ranged)


def second_roll(active: int, is_ranged: bool) -> int:
    """Return the bits that force a hit to be rolled again (0: none)."""
    return present("second_roll", active) if amounts("second_roll", active, is_ranged) else 0


@at_timing("lends_defense", "point_defense_system")
def _point_defense_system() -> int:
    """R-SED-06."""
    return 1


def lends_defense(active: int) -> int:
    """Return the bits that let friends in contact use this unit's unmodified defense value."""
    return present("lends_defense", active)


INTERCEPTION_RANGE = 2
"""R-SEF-01, hexes."""


@at_timing("intercepts", "advanced_anti_missile_system")
def _advanced_anti_missile_system(die: int, scored: int) -> int:
    """R-SEF-01, Q-97: the damage that is left never rises."""
    if die < 3:
        return 0
    return min(0, max(scored - 1, 1) - scored) if die < 6 else max(scored - 2, 0) - scored


def intercepts(active: int) -> int:
    """Return the bits that may shoot down ballistic fire at this unit or at friends nearby."""
    return present("intercepts", active)


def intercepted(system: int, die: int, scored: int) -> tuple[Modifier, ...]:
    """Return what the die of one system takes off the damage scored, as a negative amount; () when nothing."""
    return amounts("intercepts", system, die, scored)


# --- in contact -------------------------------------------------------------------------------------------------------


GRIP_BREAKS_AT = 5
"""The lowest roll that breaks away from a unit that holds fast (R-SED-10, R-BRK-06)."""


@at_timing("holds_fast", "grapple")
def _grapple() -> int:
    """R-SED-10."""
    return 1


def holds_fast(active: int) -> int:
    """Return the bits that make it hard for a single opponent in contact to break away."""
    return present("holds_fast", active)


# --- friends ----------------------------------------------------------------------------------------------------------


@at_timing("flushes", "coolant_flush")
def _coolant_flush(has_moved: bool) -> int:
    """R-SEA-01: heat that the friend loses."""
    return 2 if has_moved else 4


def flushes(active: int, has_moved: bool) -> int:
    """Return the heat that a friend loses by this unit's close combat order (0: it cannot flush)."""
    found = amounts("flushes", active, has_moved)
    return found[0][1] if found else 0


def flush_bits(active: int) -> int:
    """Return the bits that flush."""
    return present("flushes", active)


@at_timing("repairs", "repair")
def _repair() -> int:
    """R-SEA-02."""
    return 1


def repairs(active: int) -> int:
    """Return the bits that let this unit's close attack repair a friend (0: it cannot)."""
    return present("repairs", active)


def helps_attacker(active: int, on_value: int, facts: AttackFacts, meets_armor: bool) -> int:
    """Return the bits that only help the attacker in this attack: its player declines them only to save circles.

    `active` is all of the unit's equipment at work, `on_value` what works on the attacking value. Equipment that costs
    more than a circle is left out: `weighs_ranged` and `weighs_close` name it.
    """
    if not facts.is_ranged and (heat_for_damage(on_value, facts) or die_for_damage(on_value, facts)):
        return 0  # nothing is added to a damage value that does not count
    found = damage_modifiers(active, facts.is_ranged) + attack_bonus(on_value, facts)
    found += marks_target(on_value, facts) + shuts_down(on_value, facts)
    relevant = damage_die(on_value, facts)
    if meets_armor:
        relevant |= ignores_armor(on_value, facts.is_ranged)
    return relevant | bits_of(key for key, _ in found)


def weighs_ranged() -> int:
    """Return the bits on a damage value whose use in a ranged attack costs something, so that the player is asked."""
    return mask_of("ignores_lines", "overheats", "half_again", "follows_up")


def weighs_several() -> int:
    """Return the bits of `weighs_ranged` that work on several targets too."""
    return mask_of("half_again")


def weighs_close() -> int:
    """Return the bits on a damage value whose use in a close attack costs something, so that the player is asked."""
    return mask_of("heat_for_damage", "die_for_damage", "follows_up")


def serves_any_value() -> int:
    """Return the bits on a damage value that work with any value an attack uses, or with none (R-SED-17, Q-96)."""
    return mask_of("damage", "caps_scored", "lends_defense", "holds_fast")


def key_of(bit: int) -> str:
    """Return the key of one bit."""
    return BY_BIT[bit].key
