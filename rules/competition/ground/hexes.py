"""The hexes of an arena as small integers, laid out so that every step is the same shift.

An arena of `columns` x `rows` names its hexes by column and row, two digits each from 01: `0607`. Odd columns
hold `rows` hexes; even columns hold one less and stand half a hex lower. A hex is stored as its index in a padded
axial layout: a step in direction k adds `deltas[k]` from any hex, on the map or beside it, so a set of hexes is one
integer (bit h stands for hex h) and a step of the whole set is one shift. The padding between two columns is wide
enough that no hex within two steps of the map, and none in the parallelogram between two hexes of the map, has the
index of another hex of the map.

Directions are the sides of a hex, clockwise from north: N, NE, SE, S, SW, NW (side k looks at facing 2k).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import compress, count
from typing import Any

from rules.core.fixed import Fixed, FixedMap
from rules.core.refusals import Malformed

DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")
"""The six sides of a hex in the order of every table here."""

STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""The steps in these directions as (column, axial row) differences, the same from every column."""

LARGEST_SIDE = 99
"""The most columns or rows: two digits name each."""


class Lattice(Fixed):
    """All hexes of one size of arena, with the tables that depend on the size alone. Fixed; get it from `lattice`.

    `columns`, `rows`: the size. `stride`: the index difference of a step SE. `size`: one more than the highest index
    within two steps of the map. `deltas`: the six index differences. `hexes`: every hex of the map in the order of
    names. `mask`: these hexes as a bitset. `neighbours[h]`: bitset of the hexes of the map next to hex h of the map
    (0 for every other index). `column[h]`, `axial_row[h]`: axial coordinates, for indices within two steps of the map.
    """

    __slots__ = (
        "_directions",
        "_discs",
        "_distances",
        "_indices",
        "_names",
        "axial_row",
        "column",
        "columns",
        "deltas",
        "hexes",
        "line_memo",
        "mask",
        "neighbours",
        "rows",
        "size",
        "stride",
    )

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        # The line between two hexes of one row bulges out of the map by a quarter of the columns.
        self.stride = stride = rows + max(4, (columns - 1) // 4 + 2)
        self.deltas: tuple[int, ...] = tuple(column * stride + row for column, row in STEPS)
        self.size = self._place(columns + 2, rows + 2) + 1
        column, axial_row = [0] * self.size, [0] * self.size
        for c in range(-1, columns + 3):
            for r in range(-1, rows + 3):
                column[self._place(c, r)] = c
                axial_row[self._place(c, r)] = r - (c - 1) // 2
        self.column: tuple[int, ...] = tuple(column)
        self.axial_row: tuple[int, ...] = tuple(axial_row)
        self._names: FixedMap[int, str] = FixedMap(
            {self._place(c, r): f"{c:02d}{r:02d}" for c in range(1, columns + 1) for r in range(1, rows + c % 2)}
        )
        self._indices = FixedMap({name: index for index, name in self._names.items()})
        self.hexes: tuple[int, ...] = tuple(self._names)
        self.mask = sum(1 << index for index in self.hexes)
        neighbours = [0] * self.size
        for index in self.hexes:
            neighbours[index] = sum(1 << index + delta for delta in self.deltas if index + delta in self._names)
        self.neighbours: tuple[int, ...] = tuple(neighbours)
        self._directions = FixedMap({delta: side for side, delta in enumerate(self.deltas)})
        self._distances: dict[int, bytes] = {}
        self._discs: dict[tuple[int, int], int] = {}
        self.line_memo: dict[int, tuple[int, Any]] = {}
        """A cache of rules.competition.ground.line_of_fire for pairs of hexes, for any terrain."""
        self.fix()

    def _place(self, column: int, row: int) -> int:
        return self.stride + column * self.stride + row - (column - 1) // 2

    def index(self, name: str) -> int:
        """Return the hex called `name`. Raises Malformed("unknown_hex", hex) when the map has no such hex."""
        found = self._indices.get(name) if isinstance(name, str) else None
        if found is None:
            raise Malformed("unknown_hex", hex=name)
        return found

    def name(self, index: int) -> str:
        """Return the name of a hex of the map. Raises ValueError for any other index."""
        try:
            return self._names[index]
        except KeyError:
            raise ValueError(f"{index} is no hex of the {self.columns} x {self.rows} map") from None

    def distances(self, origin: int) -> bytes:
        """Return the distance in steps from `origin` (on the map) to every index of the map; other entries are 0."""
        found = self._distances.get(origin)
        if found is None:
            column, row = self.column, self.axial_row
            table = bytearray(self.size)
            for index in self.hexes:
                across, down = column[index] - column[origin], row[index] - row[origin]
                table[index] = max(abs(across), abs(down), abs(across + down))
            found = self._distances[origin] = bytes(table)
        return found

    def distance(self, a: int, b: int) -> int:
        """Return how many steps apart two hexes of the map are (R-LOF-06 calls it n).

        >>> grid = lattice(11, 15)
        >>> grid.distance(grid.index("0607"), grid.index("0610"))
        3
        """
        return self.distances(a)[b]

    def direction(self, a: int, b: int) -> int:
        """Return the side of hex `a` that it shares with hex `b`, 0 to 5, or -1 when they are not neighbours.

        >>> grid = lattice(11, 15)
        >>> DIRECTIONS[grid.direction(grid.index("0607"), grid.index("0608"))]
        'S'
        """
        return self._directions.get(b - a, -1)

    def spread(self, hexes: int) -> int:
        """Return the bitset of the map's hexes next to any of `hexes`.

        A member of `hexes` is in it only when another member is next to it.
        """
        stride = self.stride
        up, down = hexes >> 1, hexes << 1
        return (up | down | (hexes | up) << stride | (hexes | down) >> stride) & self.mask

    def disc(self, origin: int, radius: int) -> int:
        """Return the bitset of hexes at most `radius` steps from `origin`, itself included.

        >>> grid = lattice(11, 15)
        >>> [grid.name(index) for index in bits(grid.disc(grid.index("0101"), 1))]
        ['0101', '0102', '0201']
        """
        key = (origin, radius)
        found = self._discs.get(key)
        if found is None:
            distances = self.distances(origin)
            found = sum(1 << index for index in self.hexes if distances[index] <= radius)
            self._discs[key] = found
        return found


@cache
def _lattice(columns: int, rows: int) -> Lattice:
    return Lattice(columns, rows)


def lattice(columns: int, rows: int) -> Lattice:
    """Return the one Lattice of this size: 11 x 15 for an arena, 21 x 30 for the ground of a grand melee.

    Raises Malformed("arena_size", columns, rows) unless both are 2 to 99.

    >>> grid = lattice(11, 15)
    >>> grid.name(grid.index("0607")), len(grid.hexes)
    ('0607', 160)
    """
    for side in (columns, rows):
        if type(side) is not int or not 2 <= side <= LARGEST_SIDE:
            raise Malformed("arena_size", columns=columns, rows=rows)
    return _lattice(columns, rows)


def _few_bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


_DIGITS = bytes.maketrans(b"01", b"\0\1")


def bits(mask: int) -> Iterator[int]:
    """Yield the members of a bitset in rising order.

    >>> list(bits(0b10110))
    [1, 2, 4]
    """
    if mask.bit_count() < 20:
        return _few_bits(mask)
    # Peeling off the lowest bit copies the whole integer each time; one pass over its digits is faster for big sets.
    return compress(count(), f"{mask:b}"[::-1].encode().translate(_DIGITS))


def popcount(mask: int) -> int:
    """Return how many members a bitset has."""
    return mask.bit_count()


def nth_bit(mask: int, n: int) -> int:
    """Return member `n` (from 0, in rising order) of a bitset. Raises IndexError for any other n."""
    if not 0 <= n < mask.bit_count():
        raise IndexError(f"member {n} of a set of {mask.bit_count()}")
    base = 0
    width = mask.bit_length()
    while width > 1:
        half = width >> 1
        low = mask & (1 << half) - 1
        members = low.bit_count()
        if n < members:
            mask = low
            width = half
        else:
            n -= members
            mask >>= half
            base += half
            width -= half
    return base
