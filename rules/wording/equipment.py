"""What each special equipment and each heat effect does, in one sentence for the player who looks at their dial."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.messages import gettext_noop

EQUIPMENT_TEXTS: Mapping[str, str] = {
    "artemis_v_fire_control_system": gettext_noop(
        "After a hit from afar on a single opponent roll a die: 3 to 5 add 1 damage, a 6 adds 2."
    ),
    "homing_beacon": gettext_noop(
        "+1 attack with a ranged order on a single opponent; a hit clears ballistic lines to it for this phase."
    ),
    "armor_piercing": gettext_noop("Ranged attacks with this value ignore the target’s armor equipment."),
    "anti_personnel": gettext_noop("Does nothing in the arena."),
    "streak_missiles": gettext_noop(
        "A ranged attack on a single opponent ignores terrain and units in the way, for 1 damage less (at least 1)."
    ),
    "point_defense_system": gettext_noop("Friends in base contact may use this unit’s printed defense."),
    "ppc_capacitor": gettext_noop("A hit deals half as much again, rounded up, and costs 1 heat."),
    "tsemp": gettext_noop(
        "After a hit with a ranged order on a single opponent its player rolls a die: 1 or 2 shut it down."
    ),
    "pulse": gettext_noop(
        "Once a turn after a ranged hit on a single opponent: a second attack on it at +2 defense, for 1 heat."
    ),
    "grapple": gettext_noop("The one opponent in base contact breaks away on 5 or 6 only."),
    "alpha_strike": gettext_noop(
        "On a single opponent: turn the heat dial to shutdown and add those clicks to the damage; then roll a die, "
        "5 or 6 lose 2 heat, less shuts down."
    ),
    "flamers": gettext_noop("A close hit on a single opponent gives it 2 heat instead of damage."),
    "full_strike": gettext_noop("One close attack strikes every opponent in contact with the front arc, each in full."),
    "hand_to_hand_weapon": gettext_noop("A close hit on a single opponent deals the roll of a die."),
    "rapid_strike": gettext_noop(
        "Once a turn after a close hit on a single opponent: a second close attack on it, for 1 heat."
    ),
    "agility": gettext_noop("Close and special attacks against this unit score 1 damage at most."),
    "brawling": gettext_noop("+1 damage in close and special attacks."),
    "reconnaissance": gettext_noop("Every hex costs 2 to enter, whatever stands in it."),
    "camouflage": gettext_noop("+2 defense against ranged attacks while in hindering terrain."),
    "evade": gettext_noop("+2 defense against ranged attacks; running costs no heat; breaking away fails on a 1 only."),
    "jump_jets": gettext_noop(
        "May move over units and terrain at 2 a hex, not run; breaking away fails on a 1 only; death from above."
    ),
    "electronic_camouflage": gettext_noop("Indirect fire and Streak Missiles do not work against this unit."),
    "infiltrate": gettext_noop("Does nothing in the arena."),
    "coolant_flush": gettext_noop(
        "A close order on a friend: on a success it loses 4 heat, or 2 if this unit moved for it."
    ),
    "repair": gettext_noop("A close attack on a friend: on a success it is repaired instead of damaged."),
    "bypass": gettext_noop("Does nothing in the arena."),
    "improved_targeting": gettext_noop("One die of each close or ranged attack may be rolled again."),
    "salvage": gettext_noop("The unit takes move and vent orders only."),
    "command": gettext_noop("+1 to the initiative roll."),
    "advanced_anti_missile_system": gettext_noop(
        "When this unit or a friend within 2 hexes is hit by ballistic fire roll a die: 3 to 5 take 1 damage off, "
        "a 6 takes 2."
    ),
    "decoy": gettext_noop("Hit from afar, but not critically: the attacker rolls again, and a miss then is a miss."),
    "reflective_armor": gettext_noop("Ranged energy attacks score 2 damage less."),
    "reactive_armor": gettext_noop("Ranged ballistic attacks score 2 damage less."),
    "hardened_armor": gettext_noop("Close and ranged attacks score 2 damage less."),
    "heavy_armor": gettext_noop("Close and ranged attacks score 1 damage less."),
}
"""Key -> what it does (R-SED, R-SEM, R-SEA, R-SEF)."""

HEAT_EFFECT_TEXTS: Mapping[str, str] = {
    "avoid_ammunition_explosion_critical": gettext_noop(
        "Roll a die in clean-up: 1 to 3 explode for this damage value and 1 more."
    ),
    "avoid_ammunition_explosion": gettext_noop("Roll a die in clean-up: 1 or 2 explode for this damage value less 1."),
    "ammunition_jam": gettext_noop("No ballistic equipment, and no ranged attacks with ballistic weapons."),
    "avoid_heat_sink_overload_critical": gettext_noop("Roll a die in clean-up: 1 to 3 add 2 heat."),
    "avoid_heat_sink_overload": gettext_noop("Roll a die in clean-up: 1 or 2 add 1 heat."),
    "weapons_offline": gettext_noop("No energy equipment, and no ranged attacks with energy weapons."),
    "avoid_shutdown_critical": gettext_noop(
        "Roll a die in clean-up: 1 to 3 shut the unit down; shut down, it may restart on 4 to 6."
    ),
    "avoid_shutdown": gettext_noop(
        "Roll a die in clean-up: 1 or 2 shut the unit down; shut down, it may restart on 3 to 6."
    ),
    "engine_overheat": gettext_noop("No equipment on speed, and no running."),
}
"""Heat effect -> what it does (R-HEF)."""
