"""The closed word lists of definitions: the words of units, cards, tokens and arenas. Equipment has its own module."""

from __future__ import annotations

from collections.abc import Mapping

CLASS_CAPS: Mapping[str, int] = {"light": 160, "medium": 210, "heavy": 280, "assault": 350}
"""Build total by class, points a unit (R-BLD-03 to R-BLD-06, Q-01)."""

RANKS = ("green", "veteran", "elite", "unique")
RANGE_TYPES = ("ballistic", "energy", "melee")
FRONT_ARCS = (135, 180, 270, 360)
DAMAGE_VALUES = ("primary", "secondary")
HEAT_VALUES = ("primary", "secondary", "speed")

HEAT_EFFECTS: Mapping[str, tuple[str, ...]] = {
    "ballistic": ("avoid_ammunition_explosion_critical", "avoid_ammunition_explosion", "ammunition_jam"),
    "energy": ("avoid_heat_sink_overload_critical", "avoid_heat_sink_overload", "weapons_offline"),
    "speed": ("avoid_shutdown_critical", "avoid_shutdown", "engine_overheat"),
}
"""Heat effects by the family that their location decides (R-HEF-02 to R-HEF-10, Q-81)."""

PILOT_KINDS = ("common", "legendary", "gunslinger")
GEAR_SLOTS = ("primary", "secondary", "either", "speed", "attack", "defense")
ALLOWANCES = ("same_value", "both_sources", "salvage")
"""What the text of a gear card may allow: other gear on its value (R-GER-04), both sources of equipment at once
(R-SEG-14), working under Salvage (R-GER-09)."""

STATES = ("shutdown", "unconscious", "salvage", "overheated", "in_base_contact", "last_unit", "outscored")
"""States of a unit that a rally card may ask for. `overheated`: its heat dial shows a heat effect with a die, or is at
shutdown. `last_unit`: it is the only one left of a side that had more. `outscored`: as the match stands, another side
has more reputation."""

ARMORS = ("reflective_armor", "reactive_armor", "hardened_armor", "heavy_armor")
"""What a target token may wear."""

TERRAIN_TYPES = ("clear", "hindering", "blocking", "water")
ELEVATIONS = ("elevated", "abrupt")
TERRAINS = tuple(kind + height for kind in TERRAIN_TYPES for height in ("", *("+" + word for word in ELEVATIONS)))
"""Every word that a hex of an arena may carry (R-TER-01 to R-TER-04)."""
