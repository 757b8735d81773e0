"""Special equipment as data: one row a key. What a key does is in `rules.core.equipment_hooks`.

A set of equipment is an integer with one bit a key, so that the question "is any of these at work?" is one `&`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

LOCATIONS = ("primary", "secondary", "speed", "attack", "defense")


@dataclass(frozen=True)
class Equipment:
    """One entry of the special equipment card.

    `place` is ballistic, energy or melee for a damage value, otherwise speed, attack or defense. `optional` equipment
    is on unless cancelled (R-SEG-07). `is_inert` entries have no effect in this game (Q-108).
    """

    key: str
    place: str
    rule: str
    optional: bool = True
    is_inert: bool = False
    bit: int = 0


_ROWS = (
    ("artemis_v_fire_control_system", "ballistic", "R-SED-01", ""),
    ("homing_beacon", "ballistic", "R-SED-02", ""),
    ("armor_piercing", "ballistic", "R-SED-03", ""),
    ("anti_personnel", "ballistic", "R-SED-04", "inert"),
    ("streak_missiles", "ballistic", "R-SED-05", ""),
    ("point_defense_system", "ballistic", "R-SED-06", ""),
    ("ppc_capacitor", "energy", "R-SED-07", ""),
    ("tsemp", "energy", "R-SED-08", ""),
    ("pulse", "energy", "R-SED-09", ""),
    ("grapple", "energy", "R-SED-10", ""),
    ("alpha_strike", "energy", "R-SED-11", ""),
    ("flamers", "energy", "R-SED-12", ""),
    ("full_strike", "melee", "R-SED-13", ""),
    ("hand_to_hand_weapon", "melee", "R-SED-14", ""),
    ("rapid_strike", "melee", "R-SED-15", ""),
    ("agility", "melee", "R-SED-16", ""),
    ("brawling", "melee", "R-SED-17", ""),
    ("reconnaissance", "speed", "R-SEM-01", ""),
    ("camouflage", "speed", "R-SEM-02", ""),
    ("evade", "speed", "R-SEM-03", ""),
    ("jump_jets", "speed", "R-SEM-04", ""),
    ("electronic_camouflage", "speed", "R-SEM-05", ""),
    ("infiltrate", "speed", "R-SEM-06", "inert"),
    ("coolant_flush", "attack", "R-SEA-01", ""),
    ("repair", "attack", "R-SEA-02", ""),
    ("bypass", "attack", "R-SEA-03", "inert"),
    ("improved_targeting", "attack", "R-SEA-04", "fixed"),
    ("salvage", "attack", "R-SEA-05", "fixed"),
    ("command", "attack", "R-SEA-06", ""),
    ("advanced_anti_missile_system", "defense", "R-SEF-01", ""),
    ("decoy", "defense", "R-SEF-02", ""),
    ("reflective_armor", "defense", "R-SEF-03", "fixed"),
    ("reactive_armor", "defense", "R-SEF-04", "fixed"),
    ("hardened_armor", "defense", "R-SEF-05", "fixed"),
    ("heavy_armor", "defense", "R-SEF-06", "fixed"),
)

EQUIPMENT: Mapping[str, Equipment] = {
    key: Equipment(
        key=key,
        place=place,
        rule=rule,
        optional=mark not in ("fixed",),
        is_inert=mark == "inert",
        bit=1 << number,
    )
    for number, (key, place, rule, mark) in enumerate(_ROWS)
}
"""Every key of the catalogue's vocabulary, in the order of the card."""

BY_BIT: Mapping[int, Equipment] = {row.bit: row for row in EQUIPMENT.values()}


def bits_of(keys: Iterable[str]) -> int:
    """Return the set of these keys as bits. Raises KeyError for an unknown key."""
    mask = 0
    for key in keys:
        mask |= EQUIPMENT[key].bit
    return mask


def keys_of(mask: int) -> list[str]:
    """Return the keys in a set of bits, in the order of the card."""
    return [row.key for row in EQUIPMENT.values() if row.bit & mask]


OPTIONAL = bits_of(row.key for row in EQUIPMENT.values() if row.optional)
BALLISTIC = bits_of(row.key for row in EQUIPMENT.values() if row.place == "ballistic")
ENERGY = bits_of(row.key for row in EQUIPMENT.values() if row.place == "energy")
SPEED = bits_of(row.key for row in EQUIPMENT.values() if row.place == "speed")
