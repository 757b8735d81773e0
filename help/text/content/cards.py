"""The use of each special equipment, heat effect and format, in one sentence.

The rule behind each key has the exact words. These sentences only say why a player wants it, or fears it.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

EQUIPMENT_WORDS: Mapping[str, str | Promise] = {
    "artemis_v_fire_control_system": _("A hit with this weapon often does 1 or 2 damage more."),
    "homing_beacon": _("Marks a target: ballistic fire at it gets a free line for the rest of the phase."),
    "armor_piercing": _("Shoots through armor as if it were not there."),
    "anti_personnel": _("Does nothing in the arena; it is for another game."),
    "streak_missiles": _("Nothing in between stops these missiles, but they do 1 damage less."),
    "point_defense_system": _("Friends who touch this unit may use its defense when it is better than theirs."),
    "ppc_capacitor": _("A hit does half as much damage again, for one more heat."),
    "tsemp": _("A hit may switch the target off."),
    "pulse": _("A hit may be followed by a second shot at once, somewhat harder and for one more heat."),
    "grapple": _("The opponent who touches this unit hardly gets away."),
    "alpha_strike": _("Everything at once: all the heat that is left becomes damage, and then the unit may shut down."),
    "flamers": _("In close combat: heat for the target instead of damage."),
    "full_strike": _("One blow at everybody in front, with full damage for each who is hit."),
    "hand_to_hand_weapon": _("The damage of a blow is the roll of a die."),
    "rapid_strike": _("A blow that hits may be followed by a second one at once, for one more heat."),
    "agility": _("Blows, charges and jumps at this unit do at most 1 damage."),
    "brawling": _("1 damage more in close combat and special attacks."),
    "reconnaissance": _("No ground is difficult: every hex costs 2."),
    "camouflage": _("Harder to shoot at while it stands in hindering terrain."),
    "evade": _("Harder to shoot at, gets away easily, and runs without heat."),
    "jump_jets": _("Jumps over units and walls, gets away easily, and can drop onto others; it does not run."),
    "electronic_camouflage": _("Cannot be fired at indirectly or with Streak Missiles."),
    "infiltrate": _("Does nothing in the arena; it is for another game."),
    "coolant_flush": _("Cools a friend by 4, or by 2 after moving up to it."),
    "repair": _("Turns a friend’s combat dial back."),
    "bypass": _("Does nothing in the arena; it is for another game."),
    "improved_targeting": _("One attack die may be rolled again."),
    "salvage": _("A wreck that can still walk: it moves and vents and does nothing else."),
    "command": _("+1 to the initiative roll."),
    "advanced_anti_missile_system": _("Takes damage off ballistic hits on itself and on friends nearby."),
    "decoy": _("A shot that hits must be rolled a second time."),
    "reflective_armor": _("2 damage less from energy weapons."),
    "reactive_armor": _("2 damage less from ballistic weapons."),
    "hardened_armor": _("2 damage less from every shot and blow, but not from charges and jumps."),
    "heavy_armor": _("1 damage less from every shot and blow, but not from charges and jumps."),
}

HEAT_WORDS: Mapping[str, str | Promise] = {
    "avoid_ammunition_explosion_critical": _(
        "Half of the time the magazine goes up and hurts more than the gun would."
    ),
    "avoid_ammunition_explosion": _("One time in three the magazine goes up, a little weaker than the gun."),
    "ammunition_jam": _("While it shows, ballistic weapons cannot shoot and their equipment is off."),
    "avoid_heat_sink_overload_critical": _("Half of the time 2 more heat, which may lead to more rolls."),
    "avoid_heat_sink_overload": _("One time in three 1 more heat."),
    "weapons_offline": _("While it shows, energy weapons cannot shoot and their equipment is off."),
    "avoid_shutdown_critical": _("Half of the time the unit shuts down; one that is shut down restarts as often."),
    "avoid_shutdown": _("One time in three the unit shuts down; one that is shut down restarts two times in three."),
    "engine_overheat": _("While it shows, the unit cannot run and its speed equipment is off."),
}

HEAT_RULES: Mapping[str, str] = {
    "avoid_ammunition_explosion_critical": "R-HEF-02",
    "avoid_ammunition_explosion": "R-HEF-03",
    "ammunition_jam": "R-HEF-04",
    "avoid_heat_sink_overload_critical": "R-HEF-05",
    "avoid_heat_sink_overload": "R-HEF-06",
    "weapons_offline": "R-HEF-07",
    "avoid_shutdown_critical": "R-HEF-08",
    "avoid_shutdown": "R-HEF-09",
    "engine_overheat": "R-HEF-10",
}

FORMAT_WORDS: Mapping[str, str | Promise] = {
    "standard": _("One ’Mech against one. The rules as they are, without exceptions: the place to begin."),
    "team": _("Two ’Mechs a side. Partners share the reputation, whoever of them earned it."),
    "weapons_dead": _("No shooting at all: fists, charges and jumps decide. Bring melee weapons and speed."),
    "tag_team": _(
        "Two ’Mechs a side, but only one fights at a time. The other waits, cools down and is repaired a little, and "
        "takes over when the active one stands beside it and wants to rest."
    ),
    "capture_the_flag": _(
        "Two ’Mechs a side and two flags. At the end each flag is worth reputation by where it is: your own at home "
        "30, the other one brought home 60. Eliminations still count."
    ),
    "grand_melee": _("Everybody against everybody, one ’Mech each. More than four meet on four maps joined together."),
}

FORMAT_RULES: Mapping[str, tuple[str, ...]] = {
    "standard": ("R-FMT-01", "R-BLD-17"),
    "team": ("R-FMT-02", "R-FMT-03", "R-FMT-04", "R-FMT-05"),
    "weapons_dead": ("R-FMT-06",),
    "tag_team": ("R-FMT-07", "R-FMT-08", "R-FMT-09", "R-FMT-10", "R-FMT-11", "R-FMT-12"),
    "capture_the_flag": (
        *("R-FMT-13", "R-FMT-14", "R-FMT-15", "R-FMT-16", "R-FMT-17", "R-FMT-18", "R-FMT-19", "R-FMT-23"),
    ),
    "grand_melee": ("R-FMT-20", "R-FMT-21"),
}
"""Format -> the ids of the rules of this format alone. R-FMT-22 (the time) and R-FMT-24 belong to several formats."""
