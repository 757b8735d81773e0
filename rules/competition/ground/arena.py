"""An arena compiled for play: its terrain as bitsets over the hexes of its lattice (R-TER-01 to R-TER-04).

The definition is the catalogue's plain dict: `{"id", "name", "columns", "rows", "hexes": {"0607": "hindering",
"0608": "water+elevated"}, "starts": {"A": ["0402"]}}`. A hex not listed is clear and grounded. Every key may be left
out; the size is then 11 x 15.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rules.competition.ground.hexes import Lattice, bits, lattice
from rules.core.codec import canonical_json, content_hash
from rules.core.fixed import Fixed, FixedMap
from rules.core.refusals import Malformed
from rules.core.words import ELEVATIONS, TERRAIN_TYPES, TERRAINS

COLUMNS, ROWS = 11, 15
"""The size of one arena; four of them, side by side and sharing a column, are 21 x 30."""

KEYS = ("id", "name", "columns", "rows", "hexes", "starts")
"""The keys that a definition may have."""

MALFORMED_CODES = ("unknown_hex", "unknown_terrain", "arena_size", "arena_malformed")
"""Codes of Malformed that reading a definition raises."""


class Arena(Fixed):
    """One arena, fixed. Every bitset is over the hexes of `lattice`.

    `hindering`, `blocking`, `water`: terrain types. `elevated`: both heights, `abrupt`: those of two rings (R-TER-18).
    `passable`: hexes of the map that are not blocking. `adjacent[h]`: neighbours on the map. `contact[h]`: those of
    them at the same elevation, where units are in base contact (R-BAS-01, Q-43); `contact_set[h]`: their indices, for
    callers that test one hex after another. `patch[h]`: the number, from 1, of the patch of joined hindering hexes, at
    any elevation, that h is in (Q-37), else 0; `patches[number]` is its bitset. `starts`: hexes of each starting area.
    `entry_masks[flat]`: the hexes that a walking unit may enter, as (for 2 from grounded, for 3 from grounded, for 2
    from elevated, for 3 from elevated), first by the usual costs, then for Reconnaissance. `open_ground` says that
    every hex that may be entered costs 2.
    """

    __slots__ = (
        "abrupt",
        "adjacent",
        "blocking",
        "contact",
        "contact_set",
        "content_hash",
        "definition",
        "elevated",
        "elevated_ends_ignore_hindering",
        "entry_masks",
        "hindering",
        "lattice",
        "line_flags",
        "line_memo",
        "line_memo_with_units",
        "open_ground",
        "passable",
        "patch",
        "patches",
        "starts",
        "water",
    )

    def __init__(self, definition: Mapping[str, Any], elevated_ends_ignore_hindering: bool = False) -> None:
        """Compile a definition and the house rule of Q-176; prefer `Arena.of`, which keeps compiled arenas.

        Raises Malformed: arena_malformed (field), arena_size, unknown_hex (hex), unknown_terrain (hex, terrain).
        """
        for field in definition:
            if field not in KEYS or (field in ("id", "name") and not isinstance(definition[field], str)):
                raise Malformed("arena_malformed", field=field)
        for field in ("hexes", "starts"):
            if not isinstance(definition.get(field, {}), Mapping):
                raise Malformed("arena_malformed", field=field)
        self.definition: dict[str, Any] = dict(definition)
        self.content_hash = content_hash(self.definition)
        self.lattice: Lattice = lattice(definition.get("columns", COLUMNS), definition.get("rows", ROWS))
        sets = dict.fromkeys((*TERRAIN_TYPES, *ELEVATIONS), 0)
        for name, terrain in definition.get("hexes", {}).items():
            bit = 1 << self.lattice.index(name)
            if terrain not in TERRAINS:
                raise Malformed("unknown_terrain", hex=name, terrain=terrain)
            for word in terrain.split("+"):
                sets[word] |= bit
        self.hindering, self.blocking, self.water = sets["hindering"], sets["blocking"], sets["water"]
        self.abrupt = sets["abrupt"]
        self.elevated = sets["elevated"] | self.abrupt
        self.passable = self.lattice.mask & ~self.blocking
        self.adjacent = self.lattice.neighbours
        grounded = self.lattice.mask & ~self.elevated
        self.contact: tuple[int, ...] = tuple(
            near & (self.elevated if self.elevated >> index & 1 else grounded)
            for index, near in enumerate(self.adjacent)
        )
        self.contact_set: tuple[frozenset[int], ...] = tuple(frozenset(bits(near)) for near in self.contact)
        self.patches = _patches(self.lattice, self.hindering)
        patch = [0] * self.lattice.size
        for number, members in enumerate(self.patches):
            for index in bits(members):
                patch[index] = number
        self.patch: tuple[int, ...] = tuple(patch)
        self.starts = self._read_starts()
        self.entry_masks = (self._entry_masks(), self._flat_entry_masks())
        self.open_ground = not (self.hindering | self.elevated & self.passable)
        self.elevated_ends_ignore_hindering = elevated_ends_ignore_hindering
        self.line_flags: list[bytes] = []
        """Terrain as rules.competition.ground.line_of_fire reads it; that module fills this and the two memos below."""
        self.line_memo: dict[int, tuple[int, Any]] = {}
        self.line_memo_with_units: dict[tuple[int, int], Any] = {}
        self.fix()

    @staticmethod
    def of(definition: Mapping[str, Any], elevated_ends_ignore_hindering: bool = False) -> Arena:
        """Return the arena of a definition; equal definitions give one and the same Arena (the last 64 are kept).

        With `elevated_ends_ignore_hindering` a line between two elevated hexes ignores hindering terrain too (Q-176).
        Raises Malformed with one of MALFORMED_CODES.
        """
        try:
            text = canonical_json(dict(definition))
            text.encode()
        except (TypeError, ValueError, RecursionError):
            raise Malformed("arena_malformed", field="hexes") from None
        return _compiled(text, elevated_ends_ignore_hindering)

    def _entry_masks(self) -> tuple[int, int, int, int]:
        """Return the masks by the usual costs.

        Hindering and climbing cost 3, once (Q-47); abrupt hexes are entered only from elevated ones (Q-46).
        """
        rough = self.passable & self.hindering
        smooth = self.passable & ~self.hindering
        two = smooth & ~self.elevated
        three = (rough | self.elevated & self.passable) & ~self.abrupt
        return two, three, smooth, rough

    def _flat_entry_masks(self) -> tuple[int, int, int, int]:
        """Return the masks with Reconnaissance: every hex costs 2, and the same hexes may be entered (R-SEM-01)."""
        return self.passable & ~self.abrupt, 0, self.passable, 0

    def _read_starts(self) -> FixedMap[str, tuple[int, ...]]:
        starts = {}
        for area, names in self.definition.get("starts", {}).items():
            if not isinstance(names, list | tuple):
                raise Malformed("arena_malformed", field=f"starts.{area}")
            starts[str(area)] = tuple(self.lattice.index(name) for name in names)
            for number, place in enumerate(starts[area]):
                if not self.passable >> place & 1:
                    raise Malformed("arena_malformed", field=f"starts.{area}[{number}]")
        return FixedMap(starts)


def _patches(lattice: Lattice, hindering: int) -> tuple[int, ...]:
    """Return the bitsets of joined hindering hexes, in the order of their lowest hex; number 0 is the empty set."""
    patches = [0]
    while hindering:
        patch = hindering & -hindering
        grown = patch
        while grown:
            grown = lattice.spread(patch) & hindering & ~patch
            patch |= grown
        patches.append(patch)
        hindering &= ~patch
    return tuple(patches)


@lru_cache(maxsize=64)
def _compiled(text: str, elevated_ends_ignore_hindering: bool) -> Arena:
    return Arena(json.loads(text), elevated_ends_ignore_hindering)
