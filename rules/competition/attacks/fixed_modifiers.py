"""The modifiers that an order, the ground or the state of a unit gives: name, amount and rule, each defined once.

Other modifiers have the key of the equipment or card that gives them.
"""

from __future__ import annotations

from rules.core.equipment_hooks import Modifier

HINDERING: Modifier = ("hindering", -1)
INTERVENING: Modifier = ("intervening", -2)
INDIRECT: Modifier = ("indirect", -2)
REAR_ARC: Modifier = ("rear_arc", 2)
CALLED_SHOT: Modifier = ("called_shot", -1)
FRIENDLY_FIRE: Modifier = ("friendly_fire", -1)
HEIGHT: Modifier = ("height", -1)
ASSAULTS: Modifier = ("assault", -1)
IS_DUG_IN: Modifier = ("dig_in", 2)
DEFENDS: Modifier = ("defend", -1)
TARGET_DUG_IN = "target_dig_in"
"""Its amount is a house rule: `dig_in_target_modifier`."""
TARGET_DEFENDS: Modifier = ("target_defend", -1)
TARGET_DODGES: Modifier = ("target_dodge", -2)
TARGET_SHUT_DOWN: Modifier = ("shutdown", 2)
HAMPERED_CHARGE: Modifier = ("charge_line", -2)
FROM_ABOVE: Modifier = ("death_from_above", -2)

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
"""The rule behind each modifier, by its name."""
