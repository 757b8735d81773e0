"""The form of a .mtf file: its head of `key:value`, its weapons, its places with their critical slots.

Old files begin with a version and then name chassis and model in lines of their own. Newer ones have a key for
everything. Prose has keys that nobody asks for here, and is passed over unread. `costing` makes a 'Mech of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rules.challenge.mech_files.reading import LARGEST_TEXT, LONGEST_ITEM, Unreadable, clean, text_of

MOST_SLOTS = 12
MOST_WEAPONS = 60
EMPTY = "-empty-"

KEYS = frozenset({
    "chassis", "model", "clanname", "config", "techbase", "mass", "engine", "structure", "myomer", "cockpit", "gyro",
    "ejection", "lam", "motive", "heat sink kit", "heat sinks", "walk mp", "jump mp", "armor",
})  # fmt: skip
LEGS = ("left leg", "right leg", "front left leg", "front right leg", "rear left leg", "rear right leg")
PLACES = frozenset({"left arm", "right arm", "left torso", "right torso", "center torso", "head", "center leg", *LEGS})
_ARMOR = re.compile(r"(LA|RA|LT|RT|CT|HD|LL|RL|CL|FLL|FRL|RLL|RRL|RTL|RTR|RTC)\s+armor", re.I)


@dataclass(slots=True)
class Sheet:
    """What a .mtf file says, as it writes it: `head` by keys, armor points, weapons, slots by their places.

    `loose` are items without a slot.
    """

    head: dict[str, str] = field(default_factory=dict)
    armor: dict[str, str] = field(default_factory=dict)
    weapons: list[str] = field(default_factory=list)
    slots: dict[str, list[str]] = field(default_factory=dict)
    loose: list[str] = field(default_factory=list)


def read_sheet(data: bytes) -> Sheet:
    """Return what a .mtf file says. Raises Unreadable (too_large, no_name, no_slots)."""
    lines = [line.strip() for line in text_of(data, LARGEST_TEXT).splitlines()]
    sheet = Sheet()
    lines = [line for line in lines if not line.startswith("#")]
    place, in_weapons = "", False
    for line in lines[_take_names(sheet, lines) :]:
        key, mark, value = line.partition(":")
        key = " ".join(key.casefold().split())
        if mark and not value and key in PLACES:
            in_weapons, place = False, "" if key in sheet.slots else key
            sheet.slots.setdefault(key, [])
        elif not line:
            in_weapons, place = False, ""
        elif place:
            sheet.slots[place].append(clean(line, LONGEST_ITEM))
            place = "" if len(sheet.slots[place]) == MOST_SLOTS else place
        elif in_weapons:
            sheet.weapons.append(clean(line, LONGEST_ITEM))
            in_weapons = len(sheet.weapons) < MOST_WEAPONS
        elif mark:
            in_weapons = key == "weapons" and not sheet.weapons
            _take(sheet, key, clean(value, LONGEST_ITEM))
    if "chassis" not in sheet.head:
        raise Unreadable("no_name")
    if not sheet.slots:
        raise Unreadable("no_slots")
    return sheet


def _take_names(sheet: Sheet, lines: list[str]) -> int:
    """Take chassis and model from an old file; return the number of lines that this took."""
    for number, line in enumerate(lines):
        if not line:
            continue
        rest = [*lines[number + 1 : number + 3], "", ""]
        if not line.casefold().startswith("version:") or ":" in rest[0] or not rest[0]:
            return number
        sheet.head["chassis"], sheet.head["model"] = clean(rest[0], LONGEST_ITEM), ""
        if ":" in rest[1]:
            return number + 2
        sheet.head["model"] = clean(rest[1], LONGEST_ITEM)
        return number + 3
    return 0


def _take(sheet: Sheet, key: str, value: str) -> None:
    """Take a line of the head. The first line of a key counts: prose never changes what stands before it."""
    armor = _ARMOR.fullmatch(key)
    if armor is not None:
        sheet.armor.setdefault(armor[1].casefold(), value)
    elif key == "nocrit":
        sheet.loose.append(value.rpartition(":")[0] or value)
    elif key in KEYS:
        sheet.head.setdefault(key, value)
