"""The marks of special equipment and heat effects on a drawn dial: the printed colour, and a short code, so
that nobody depends on the colour alone.

The colours are those of `rules.catalogue.colours`; the codes are ours.
"""

from dataclasses import dataclass

from rules.catalogue.colours import EQUIPMENT_COLOURS, HEAT_COLOURS


@dataclass(frozen=True)
class Mark:
    """A mark on a drawn dial. `colour` is purple, green, red, blue, black, gray or yellow; `code` has two or three
    characters.
    """

    colour: str
    code: str


_EQUIPMENT_CODES = {
    # on a ballistic damage value
    "artemis_v_fire_control_system": "AV",
    "homing_beacon": "HB",
    "armor_piercing": "AP",
    "anti_personnel": "APe",
    "streak_missiles": "SM",
    "point_defense_system": "PD",
    # on an energy damage value
    "ppc_capacitor": "PC",
    "tsemp": "TS",
    "pulse": "PU",
    "grapple": "GR",
    "alpha_strike": "AS",
    "flamers": "FL",
    # on a melee damage value
    "full_strike": "FS",
    "hand_to_hand_weapon": "HH",
    "rapid_strike": "RS",
    "agility": "AG",
    "brawling": "BR",
    # on speed
    "reconnaissance": "RC",
    "camouflage": "CA",
    "evade": "EV",
    "jump_jets": "JJ",
    "electronic_camouflage": "EC",
    "infiltrate": "IN",
    # on attack
    "coolant_flush": "CF",
    "repair": "RP",
    "bypass": "BY",
    "improved_targeting": "IT",
    "salvage": "SV",
    "command": "CO",
    # on defense
    "advanced_anti_missile_system": "AM",
    "decoy": "DE",
    "reflective_armor": "RF",
    "reactive_armor": "RA",
    "hardened_armor": "HD",
    "heavy_armor": "HV",
}

_HEAT_CODES = {
    "avoid_ammunition_explosion_critical": "AE!",
    "avoid_ammunition_explosion": "AE",
    "ammunition_jam": "AJ",
    "avoid_heat_sink_overload_critical": "HO!",
    "avoid_heat_sink_overload": "HO",
    "weapons_offline": "WO",
    "avoid_shutdown_critical": "SD!",
    "avoid_shutdown": "SD",
    "engine_overheat": "EO",
}

EQUIPMENT_MARKS: dict[str, Mark] = {key: Mark(EQUIPMENT_COLOURS[key], code) for key, code in _EQUIPMENT_CODES.items()}
"""Equipment -> its mark. Equipment on the same kind of value has different colours, and all codes differ."""

HEAT_MARKS: dict[str, Mark] = {key: Mark(HEAT_COLOURS[key], code) for key, code in _HEAT_CODES.items()}
