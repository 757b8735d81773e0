"""The marks of special equipment and heat effects on a drawn dial: the printed colour, and a short code, so
that nobody depends on the colour alone.

Colours are those of the rulebook's glossary (R-SED, R-SEM, R-SEA, R-SEF, R-HEF); the codes are ours.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mark:
    """A mark on a drawn dial. `colour` is purple, green, red, blue, black, gray or yellow; `code` has two or three
    characters.
    """

    colour: str
    code: str


EQUIPMENT_MARKS: dict[str, Mark] = {
    # on a ballistic damage value
    "artemis_v_fire_control_system": Mark("purple", "AV"),
    "homing_beacon": Mark("green", "HB"),
    "armor_piercing": Mark("red", "AP"),
    "anti_personnel": Mark("blue", "APe"),
    "streak_missiles": Mark("black", "SM"),
    "point_defense_system": Mark("gray", "PD"),
    # on an energy damage value
    "ppc_capacitor": Mark("purple", "PC"),
    "tsemp": Mark("green", "TS"),
    "pulse": Mark("red", "PU"),
    "grapple": Mark("blue", "GR"),
    "alpha_strike": Mark("black", "AS"),
    "flamers": Mark("gray", "FL"),
    # on a melee damage value
    "full_strike": Mark("green", "FS"),
    "hand_to_hand_weapon": Mark("red", "HH"),
    "rapid_strike": Mark("blue", "RS"),
    "agility": Mark("black", "AG"),
    "brawling": Mark("gray", "BR"),
    # on speed
    "reconnaissance": Mark("purple", "RC"),
    "camouflage": Mark("green", "CA"),
    "evade": Mark("red", "EV"),
    "jump_jets": Mark("blue", "JJ"),
    "electronic_camouflage": Mark("black", "EC"),
    "infiltrate": Mark("gray", "IN"),
    # on attack
    "coolant_flush": Mark("purple", "CF"),
    "repair": Mark("green", "RP"),
    "bypass": Mark("red", "BY"),
    "improved_targeting": Mark("blue", "IT"),
    "salvage": Mark("black", "SV"),
    "command": Mark("gray", "CO"),
    # on defense
    "advanced_anti_missile_system": Mark("purple", "AM"),
    "decoy": Mark("green", "DE"),
    "reflective_armor": Mark("red", "RF"),
    "reactive_armor": Mark("blue", "RA"),
    "hardened_armor": Mark("black", "HD"),
    "heavy_armor": Mark("gray", "HV"),
}
"""Equipment -> its mark. Equipment on the same kind of value has different colours, and all codes differ."""

HEAT_MARKS: dict[str, Mark] = {
    "avoid_ammunition_explosion_critical": Mark("red", "AE!"),
    "avoid_ammunition_explosion": Mark("yellow", "AE"),
    "ammunition_jam": Mark("black", "AJ"),
    "avoid_heat_sink_overload_critical": Mark("red", "HO!"),
    "avoid_heat_sink_overload": Mark("yellow", "HO"),
    "weapons_offline": Mark("black", "WO"),
    "avoid_shutdown_critical": Mark("red", "SD!"),
    "avoid_shutdown": Mark("yellow", "SD"),
    "engine_overheat": Mark("black", "EO"),
}
