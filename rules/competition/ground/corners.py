"""Corners of hexes and the edges between them, for lines of fire that a player draws (R-LOF-03).

A corner is written `0607@3`: a hex and the odd facing at which the corner lies (corner k of a hex at facing 2k + 1).
Up to three hexes share a corner, so it has up to three names. Inside it is one integer, the same whichever name was
given: every corner of the plane is the east corner (facing 3) or the west corner (facing 9) of exactly one hex, on
the map or one step beside it; the value is 2 * hex + 1 for an east corner and 2 * hex for a west one.
"""

from __future__ import annotations

from rules.competition.ground.hexes import Lattice
from rules.core.refusals import Malformed

_NORTH_EAST, _SOUTH_EAST, _SOUTH_WEST, _NORTH_WEST = 1, 2, 4, 5

_OWNERS = ((_NORTH_EAST, 0), (None, 1), (_SOUTH_EAST, 0), (_SOUTH_WEST, 1), (None, 0), (_NORTH_WEST, 1))
"""For each corner of a hex: the side across which its owner lies (None: the hex itself), and 1 for an east corner."""


def corner(lattice: Lattice, hexagon: int, which: int) -> int:
    """Return the value of corner `which` (0 to 5, at facing 2 * which + 1) of a hex on the map or one step off it."""
    side, east = _OWNERS[which]
    owner = hexagon if side is None else hexagon + lattice.deltas[side]
    return 2 * owner + east


def corner_hexes(lattice: Lattice, value: int) -> tuple[tuple[int, int], ...]:
    """Return the (hex, corner 0 to 5) pairs of the map's hexes that share the corner, in the order of hex names."""
    owner, east = divmod(value, 2)
    deltas = lattice.deltas
    if east:
        sharing = ((owner, 1), (owner + deltas[_NORTH_EAST], 3), (owner + deltas[_SOUTH_EAST], 5))
    else:
        sharing = ((owner, 4), (owner + deltas[_NORTH_WEST], 2), (owner + deltas[_SOUTH_WEST], 0))
    return tuple(sorted((index, which) for index, which in sharing if lattice.mask >> index & 1))


def corner_name(lattice: Lattice, value: int) -> str:
    """Return the corner's canonical name, by the first of its hexes. Raises ValueError when no hex of the map has it.
    >>> from rules.competition.ground.hexes import lattice
    >>> grid = lattice(11, 15)
    >>> corner_name(grid, corner(grid, grid.index("0607"), 3))
    '0508@3'
    """
    sharing = corner_hexes(lattice, value)
    if not sharing:
        raise ValueError(f"corner {value} belongs to no hex of the map")
    index, which = sharing[0]
    return f"{lattice.name(index)}@{2 * which + 1}"


def parse_corner(lattice: Lattice, name: str) -> int:
    """Return the value of the corner called `name`, such as `0607@3`.

    Raises Malformed("unknown_corner", corner) when it is not a hex of the map, an @ and an odd facing from 1 to 11.
    """
    if isinstance(name, str):
        hexagon, at, facing = name.partition("@")
        if at and facing in ("1", "3", "5", "7", "9", "11"):
            try:
                return corner(lattice, lattice.index(hexagon), int(facing) // 2)
            except Malformed:
                pass
    raise Malformed("unknown_corner", corner=name)


def which_corner(lattice: Lattice, hexagon: int, value: int) -> int:
    """Return which corner of the hex the value is, 0 to 5, or -1 when it is none of them."""
    return next((which for which in range(6) if corner(lattice, hexagon, which) == value), -1)


def corner_neighbours(lattice: Lattice, value: int) -> tuple[tuple[int, tuple[int, int]], ...]:
    """Return, for each of the three edges that meet at a corner, its other end and the two hexes it divides.

    The hexes may lie beside the map: an edge belongs to the map when one of its hexes does (R-LOF-18).
    """
    owner, east = divmod(value, 2)
    # A west corner is an east corner turned by half a circle.
    first, second = (_NORTH_EAST, _SOUTH_EAST) if east else (_SOUTH_WEST, _NORTH_WEST)
    one, two = owner + lattice.deltas[first], owner + lattice.deltas[second]
    beyond = one + two - owner
    other = 1 - east
    return (
        (2 * one + other, (owner, one)),
        (2 * two + other, (owner, two)),
        (2 * beyond + other, (one, two)),
    )


def edge_hexes(lattice: Lattice, a: int, b: int) -> tuple[int, int] | None:
    """Return the two hexes that the edge between corners `a` and `b` divides, or None when no edge joins them."""
    return next((hexes for end, hexes in corner_neighbours(lattice, a) if end == b), None)
