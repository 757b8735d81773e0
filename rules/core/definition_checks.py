"""What the form of a definition cannot say: how its values fit together. The documents have passed their form.

Catalogue and matches share these checks. What only a printed or authored definition must keep (values that fall along a
dial, points within the cap, numbers of the right kind) the catalogue checks itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.core.equipment import EQUIPMENT
from rules.core.shape_checks import Fault
from rules.core.words import DAMAGE_VALUES, HEAT_EFFECTS, RANGE_TYPES

Document = Mapping[str, Any]

WHOLE_CIRCLE = 360

HEAT_EFFECT_PLACES = {key: place for place, keys in HEAT_EFFECTS.items() for key in keys}
"""Heat effect -> the place that may show it: speed, or the range type of a damage value (Q-81); melee shows none."""


def unit_faults(unit: Document) -> Iterator[Fault]:
    """Yield the faults of a unit's arcs, ranges, equipment and heat effects, in that order."""
    front, rear = unit.get("front_arc", 0), unit.get("rear_arc", 0)
    if front + rear > WHOLE_CIRCLE != front:  # a full front arc has no rear arc, so its rear arc is not read (R-FAC-06)
        yield Fault(("rear_arc",), "arcs_overlap", {"front": front, "rear": rear})
    for value in DAMAGE_VALUES:
        yield from _range_faults(value, unit[value])
    places = {value: unit[value]["type"] if value in DAMAGE_VALUES else value for value in _VALUES}
    for index, click in enumerate(unit["dial"]):
        for value, item in click.get("equipment", _NOTHING).items():
            key = item if isinstance(item, str) else item["key"]
            if EQUIPMENT[key].place != places[value]:
                parameters = {"equipment": key, "value": value, "place": EQUIPMENT[key].place}
                yield Fault(("dial", index, "equipment", value), "equipment_wrong_value", parameters)
    for index, step in enumerate(unit["heat"]):
        for value, effect in step["effects"].items():
            if HEAT_EFFECT_PLACES[effect] != places[value]:
                parameters = {"effect": effect, "value": value, "place": HEAT_EFFECT_PLACES[effect], "step": index}
                yield Fault(("heat", index, "effects", value), "heat_effect_wrong_value", parameters)


def named(fault: Fault) -> Fault:
    """Return the fault, renamed to missing_click or missing_heat_step for an empty entry of a dial."""
    if fault.code == "wrong_type" and fault.parameters["value"] == "null" and len(fault.path) == 2:
        ragged = {"dial": "missing_click", "heat": "missing_heat_step"}.get(str(fault.path[0]))
        if ragged is not None:
            return Fault(fault.path, ragged, {})
    return fault


_VALUES = (*DAMAGE_VALUES, "speed", "attack", "defense")
_NOTHING: Document = {}


def _range_faults(name: str, damage: Document) -> Iterator[Fault]:
    is_melee = damage["type"] == "melee"
    if "range" not in damage:
        if not is_melee:
            yield Fault((name, "range"), "missing_key", {"key": "range"})
        return
    least, most = damage["range"]
    if is_melee and (least, most) != (0, 0):  # R-GEN-10
        yield Fault((name, "range"), "melee_with_range", {"least": least, "most": most})
    elif least > most:
        yield Fault((name, "range"), "range_reversed", {"least": least, "most": most})


def gear_faults(gear: Document) -> Iterator[Fault]:
    """Yield the faults of gear.

    They are a side declared for a one-sided card (R-GER-05), and equipment that the value cannot show (R-SEG-01).
    """
    slot, key = gear["slot"], gear.get("equipment")
    if slot != "either" and gear.get("side") is not None:
        yield Fault(("side",), "gear_of_one_side", {"slot": slot})
    if key is None:
        return
    needed = EQUIPMENT[key].place
    wanted = gear.get("requires", _NOTHING).get("type")
    if slot in ("speed", "attack", "defense"):
        fits = needed == slot
    else:
        fits = needed in RANGE_TYPES and wanted in (None, needed)
    if not fits:
        yield Fault(("equipment",), "equipment_wrong_value", {"equipment": key, "value": slot, "place": needed})
