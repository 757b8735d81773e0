"""Names of equipment as files write them, and the item of the price table that each means.

Files spell one item in many ways. What tells a name from others are its letters and digits; a mark of the Inner Sphere
or of the Clans before them says whose it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from rules.challenge.tables import read_data

_ADDED = re.compile(r"(?:\s*\((?:omnipod|armou?red|r|t|fl|fr|rl|rr)\))+\s*$|:size:.*$|\|.*$", re.I)
"""What stands after a name: how it is built in, its size."""
_SIDE = re.compile(r"(IS|Clan|CL)(?=[A-Z0-9 ])")
_SIDES = {"IS": "inner_sphere", "CL": "clan", "Clan": "clan"}


class Item(NamedTuple):
    """A piece of equipment: its name in the price table, its critical slots, and the flag that a rule asks for.

    `slots` is None where they depend on the 'Mech: then all in one location are one piece.
    """

    part: str
    slots: int | None
    flag: str | None


@cache
def _items() -> Mapping[tuple[str, str], Item]:
    return {
        (side, name): Item(row["part"], row["slots"], row.get("flag"))
        for row in read_data("mech_items")["rows"]
        for side in row.get("sides", ["inner_sphere"])
        for name in row["names"]
    }


@cache
def _structural() -> frozenset[str]:
    return frozenset(read_data("mech_items")["structural"])


def letters_of(text: str) -> str:
    """Return the letters and digits of a text in lower case."""
    return re.sub(r"[\W_]+", "", text.casefold())


def _parted(name: str, tech: str) -> tuple[str, str]:
    """Return whose equipment a name means, and its letters."""
    bare = _ADDED.sub("", name.strip())
    side = _SIDE.match(bare)
    return (_SIDES[side[1]], letters_of(bare[side.end() :])) if side else (tech, letters_of(bare))


def item_of(name: str, tech: str) -> Item | None:
    """Return the item that a name means on a 'Mech of this technology; None for one that no table knows.

    >>> item_of("ISMediumLaser (omnipod)", "clan").part
    'medium_laser'
    """
    return _items().get(_parted(name, tech))


def structure_of(name: str, tech: str) -> str | None:
    """Return the letters of what belongs to the body of a 'Mech and costs nothing here, such as `shoulder`; else None.

    Its head says what of it costs: engine, structure, armor, heat sinks and jump jets.
    """
    letters = _parted(name, tech)[1]
    return letters if letters in _structural() else None
