"""What the form of a definition cannot say: how its values fit together. The documents have passed their form.

Catalogue and matches ask the same; what only a printed or authored definition must also keep (values that fall along a
dial, points within the cap, numbers of the right kind) is the catalogue's.
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
"""Where a heat effect may show: the family is the range type of the value there (Q-81); a melee value has none."""


def unit_faults(unit: Document) -> Iterator[Fault]:
    """Ranges, arcs, equipment and heat effects of a unit, in the order of its document."""
    front, rear = unit.get("front_arc", 0), unit.get("rear_arc", 0)
    if front + rear > WHOLE_CIRCLE != front:  # a full front arc has no rear arc, whatever is written (R-FAC-06)
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
    """Return the fault itself, or that an entry of a dial is empty: the dial is ragged."""
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
    """Yield a side declared for a card that has one (R-GER-05); equipment on a value that cannot show it (R-SEG-01)."""
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
