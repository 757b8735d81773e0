"""How many presses of a thumb a unit takes on the screens of a dial: each tap on the page and each key is one.

A field that says already what it should is left alone. A row begins as the one before it, without a repair marker.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from rules.catalogue.dial_entry import blank_figure
from rules.catalogue.vocabulary import DIAL_VALUES
from rules.core.words import DAMAGE_VALUES, HEAT_VALUES

WRITTEN = ("set", "number", "name", "variant", "points", "rear_arc", "vent")
CHOSEN = ("rank", "front_arc")
"""The fields of the base, without those of the damage values; id and class follow from them."""


def writing(old: object, new: object) -> int:
    """Count the tap into a field, which takes all of its text, and a key for each new letter or to empty it."""
    return 0 if str(old) == str(new) else 1 + max(1, len(str(new)))


def choosing(old: object, new: object) -> int:
    """Count the tap that opens a list, and the one on a word of it."""
    return 2 * (str(old) != str(new))


def presses_of_base(unit: Mapping[str, Any]) -> int:
    """Count from the first screen to the button that leads to the first click."""
    blank = blank_figure()
    count = sum(writing(blank.get(name, ""), unit[name]) for name in WRITTEN)
    count += sum(choosing(blank[name], unit[name]) for name in CHOSEN)
    for value in DAMAGE_VALUES:
        old, new = blank[value], unit[value]
        count += choosing(old["type"], new["type"]) + writing(old["targets"], new["targets"])
        count += sum(map(writing, old["range"], new["range"]))
    return count + 1


def presses_of_dial(unit: Mapping[str, Any]) -> int:
    """Count from the first click to the button that saves; each screen has a button that leads to the next one."""
    clicks: list[Any] = [{"equipment": {}}, *unit["dial"]]
    count = len(unit["dial"]) + len(unit["heat"][1:]) + 1
    for old, new in pairwise(clicks):
        count += sum(writing(old.get(value, ""), new[value]) for value in DIAL_VALUES)
        count += sum(_colouring(old["equipment"].get(value), new["equipment"].get(value)) for value in DIAL_VALUES)
        count += new["repair_marker"]
    for old, new in pairwise(unit["heat"]):
        count += sum(writing(old[value], new[value]) for value in HEAT_VALUES)
        count += sum(_colouring(old["effects"].get(value), new["effects"].get(value)) for value in HEAT_VALUES)
    return count


def _colouring(old: Any, new: Any) -> int:
    """Count the tap that shows the colours of a value, the one on a colour, and the one on the box for a circle."""
    (old_key, was_circle), (key, is_circle) = _colour(old), _colour(new)
    taps = (old_key != key) + (was_circle != is_circle)
    return taps and taps + 1


def _colour(item: Any) -> tuple[str, bool]:
    return (item["key"], bool(item.get("single_use"))) if isinstance(item, Mapping) else (item or "", False)
