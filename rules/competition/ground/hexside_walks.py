"""Shortest walks along hex edges from one hex to another (R-LOF-03, R-LOF-05, R-LOF-06, Q-33), without listing them.

With n the distance in hexes and u, w two neighbouring directions:

* The target lies i steps u and j steps w away (i, j >= 1). Every shortest walk starts at the attacker's corner between
  u and w and ends at the target's opposite corner. It takes the spoke at that corner of i + j - 1 hexes of the
  parallelogram between the two, and between two spokes one edge that leads on in direction u or w: 2n - 3 edges.
* The target lies n steps u away (j = 0). There are two walks, left and right of the hexes between: 2n - 2 edges each.

So a table of at most i x j spokes answers every question. Each spoke has a set of states, as seven bits: what the
walks up to it have met. `JOINS` says how an edge changes such a set.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from rules.competition.ground.hexes import STEPS, Lattice

HINDERING, UNIT, BLOCKING, OFF_MAP, PATCH = 1, 2, 4, 8, 16
"""What a hex is to its edges; PATCH: it is in the hindering patch that both attacker and target are in."""

CLEAN, INSIDE = 0b0000001, 0b1000000
"""The set that walks start with: CLEAN ordinarily, INSIDE when both ends are in one hindering patch (Q-37).


The bits of a set of states: 0 nothing met, 1 hindering, 2 intervening, 3 both, 4 every edge inside the patch of both
ends, 5 that and intervening, 6 no edge yet but starting in that patch.
"""

_STATES = 7


def _through(state: int, hindering: bool, unit: bool, inside: bool) -> int:
    """Return the state after an edge with these neighbours."""
    intervening = bool(state in (2, 3, 5) or unit)
    if state >= 4 and inside:
        return 4 + intervening
    # The first edge outside the patch still has a hex of the patch on one side, so it is hindered itself.
    return 2 * intervening + (hindering or state in (1, 3))


@cache
def _edge_table(hindering: bool, unit: bool, inside: bool) -> bytes:
    """Return a table that has, for each set of states, the set after the edge."""
    after = [1 << _through(state, hindering, unit, inside) for state in range(_STATES)]
    table = []
    for states in range(1 << _STATES):
        result = 0
        for state in range(_STATES):
            if states >> state & 1:
                result |= after[state]
        table.append(result)
    return bytes(table)


def _join(one: int, other: int) -> bytes:
    """Return the table of the edge between two hexes.

    No walk passes an edge that is blocked, off the map or between two units.
    """
    either, both = one | other, one & other
    if either & BLOCKING or both & (UNIT | OFF_MAP):
        return bytes(1 << _STATES)
    return _edge_table(bool(either & HINDERING), bool(either & UNIT), bool(both & PATCH))


JOINS = tuple(tuple(_join(one, other) for other in range(32)) for one in range(32))


@lru_cache(maxsize=4096)
def _sector(across: int, down: int) -> tuple[int, int, int]:
    """Return (side, i, j): an axial offset is i steps (at least 1) toward that side and j toward the next clockwise."""
    for side in range(6):
        (u_across, u_down), (w_across, w_down) = STEPS[side], STEPS[(side + 1) % 6]
        i, j = across * w_down - down * w_across, u_across * down - u_down * across
        if i >= 1 and j >= 0:
            return side, i, j
    raise ValueError("a hex has no line to itself")


def offset(lattice: Lattice, a: int, b: int) -> tuple[int, int, int]:
    """Return (side, i, j) for two hexes of the map: i steps toward `side`, j toward the next side clockwise.

    Raises ValueError for one hex.
    """
    return _sector(lattice.column[b] - lattice.column[a], lattice.axial_row[b] - lattice.axial_row[a])


@lru_cache(maxsize=2048)
def hexside_ranges(lattice: Lattice, origin: int) -> tuple[int, ...]:
    """Return, for every hex of the map, its range from `origin` in hexsides (0 for other indices and for itself)."""
    table = [0] * lattice.size
    for index in lattice.hexes:
        if index != origin:
            _, i, j = offset(lattice, origin, index)
            table[index] = 0 if i + j == 1 else 2 * (i + j) - (3 if j else 2)
    return tuple(table)


def hexside_range(lattice: Lattice, a: int, b: int) -> int:
    """Return the range in hexsides: 0 between neighbours, 2n - 2 on a straight row, otherwise 2n - 3 (R-LOF-06).

    >>> from rules.competition.ground.hexes import lattice
    >>> grid = lattice(11, 15)
    >>> hexside_range(grid, grid.index("0607"), grid.index("0610"))
    4
    """
    return hexside_ranges(lattice, a)[b]


@cache
def hexes_in_range(lattice: Lattice, origin: int, least: int, most: int) -> int:
    """Return the bitset of hexes at `least` to `most` hexsides from `origin`; its neighbours are at 0."""
    ranges = hexside_ranges(lattice, origin)
    return sum(1 << index for index in lattice.hexes if index != origin and least <= ranges[index] <= most)


def corridor(lattice: Lattice, a: int, b: int) -> int:
    """Return the bitset of the map's hexes next to any shortest walk, without the two ends (Q-39).

    Raises ValueError for one hex.
    """
    side, i, j = offset(lattice, a, b)
    along, deltas = lattice.deltas[side], lattice.deltas
    if j:
        beside = deltas[(side + 1) % 6]
        found = sum(1 << a + x * along + y * beside for x in range(i + 1) for y in range(j + 1))
    else:
        left, right = deltas[side - 1], deltas[(side + 1) % 6]
        found = sum(1 << a + x * along + aside for x in range(i) for aside in (left, 0, right))
    return found & lattice.mask & ~(1 << a | 1 << b)


def walks(
    lattice: Lattice, a: int, b: int, flags: Sequence[int], start: int
) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the (first, last) corners of the shortest walks, on the map or not, and the set of states at each end.

    `flags`: what each hex index is to its edges. `start`: CLEAN or INSIDE. Raises ValueError when `a` is `b`.
    """
    side, i, j = offset(lattice, a, b)
    along, deltas = lattice.deltas[side], lattice.deltas
    if j:
        return [(side, (side + 3) % 6)], [_sweep(flags, a, along, deltas[(side + 1) % 6], i, j, start)]
    before = (side - 1) % 6
    return (
        [(before, (side + 3) % 6), (side, (side + 2) % 6)],
        [_straight(flags, a, along, deltas[aside], i, start) for aside in (before, (side + 1) % 6)],
    )


def _sweep(flags: Sequence[int], a: int, along: int, beside: int, i: int, j: int, start: int) -> int:
    """Carry the states over the i x j spokes between hex `a` and the target."""
    below = [0] * i
    for y in range(j):
        row = a + y * beside
        here, states = flags[row], 0
        for x in range(i):
            ahead, aside = flags[row + (x + 1) * along], flags[row + x * along + beside]
            joins = JOINS[here]
            states = joins[aside][states] | joins[ahead][below[x]]
            if not x | y:
                states = start
            below[x] = states = JOINS[ahead][aside][states]
            here = ahead
    return below[-1]


def _straight(flags: Sequence[int], a: int, along: int, aside: int, steps: int, states: int) -> int:
    """Carry the states along one side of the hexes between hex `a` and a target `steps` straight away."""
    for at in range(a, a + (steps - 1) * along, along):
        joins = JOINS[flags[at + along]]
        states = joins[flags[at + along + aside]][joins[flags[at + aside]][states]]
    return states


@lru_cache(maxsize=64)
def rim_flags(lattice: Lattice) -> bytes:
    """Return the flags of every index over clear ground: nothing on the map, OFF_MAP beyond its rim (R-LOF-18)."""
    return bytes(0 if lattice.mask >> index & 1 else OFF_MAP for index in range(lattice.size))
