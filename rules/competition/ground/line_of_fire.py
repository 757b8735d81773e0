"""Lines of fire between hexes that are not neighbours (R-LOF-03 to R-LOF-18, Q-33 to Q-42).

A line is a shortest walk along hex edges from a corner of the attacker's hex to a corner of the target's; its first
and last edges are spokes of those hexes (rules.competition.ground.hexside_walks).

Functions take hexes as indices of the arena's lattice; `units` is the bitset of the hexes of third-party units.
Adjacent targets have no hexside in the line (R-LOF-07, Q-34): `lines` refuses them with ValueError. Answers for the
terrain alone are kept for good on the arena, those for clear ground on the lattice too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from rules.competition.ground.arena import Arena
from rules.competition.ground.corners import corner_name, edge_hexes, parse_corner, which_corner
from rules.competition.ground.hexes import Lattice, bits
from rules.competition.ground.hexside_walks import (
    BLOCKING,
    CLEAN,
    HINDERING,
    INSIDE,
    JOINS,
    PATCH,
    UNIT,
    corridor,
    hexside_range,
    rim_flags,
    walks,
)
from rules.core.refusals import IllegalAction, Refusal

REFUSAL_CODES = (
    "line_to_adjacent",
    "line_starts_elsewhere",
    "line_not_connected",
    "line_ends_elsewhere",
    "line_not_shortest",
    "line_blocked",
    "line_blocked_by_units",
)
"""Codes of `line_problem`."""


class LineOption(NamedTuple):
    """All that an attack needs to know of its line; several lines may have it in common.

    `first`: the attacker's corner, 0 to 5, from which the line leaves; it must be in the front arc (R-LOF-04). `last`:
    the target's corner at which the line arrives; in the rear arc it makes a rear attack (R-RMD-13). `hindering`: the
    line crosses or follows a hindering boundary that counts (R-RMD-01). `intervening`: a unit is next to the line
    (R-RMD-11).
    """

    first: int
    last: int
    hindering: bool
    intervening: bool


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of fire from one hex to another.

    `options`: every distinct LineOption of the shortest walks that nothing blocks, least penalty first. `starts`: 6-bit
    mask of the attacker's corners from which a shortest walk on the map leaves, blocked or not; when none of them is in
    the front arc there is no line at all (R-LOF-09). `all_options`: the walks that `starts` counts, with boundaries and
    units ignored, as indirect fire does (R-IND-08). `openings`: 6-bit mask of the corners from which the walks of
    `options` leave. `sights`: a cache of rules.competition.attacks.sighting, by the arcs through which the line leaves
    and arrives.
    """

    options: tuple[LineOption, ...]
    starts: int
    all_options: tuple[LineOption, ...]
    openings: int
    sights: dict[int, Any] = field(default_factory=dict, compare=False, repr=False)


_MEMO_LIMIT = 20_000
"""How many answers for positions of units an arena keeps before it drops them all."""

_SHIFT = 15
"""Room for a hex index in the key of a pair."""

_CHARGE = 1 << 2 * _SHIFT
"""Marks the keys of `charge_lines`."""

_BEACON = 2 << 2 * _SHIFT
"""Marks the keys of `beacon_lines`."""


@cache
def _lines(ends: tuple[tuple[int, int], ...], states: tuple[int, ...]) -> Lines:
    """Return the Lines of walks, one object for all equal ones.

    `ends`: the (first, last) corners of the walks on the map. `states`: what each walk has met.
    """
    options: set[LineOption] = set()
    for (first, last), reached in zip(ends, states, strict=True):
        # A walk that stays inside the patch of both ends meets no hindering boundary.
        merged = reached | reached >> 4 & 1 | (reached >> 5 & 1) << 2
        options.update(LineOption(first, last, bool(s & 1), bool(s & 2)) for s in range(4) if merged >> s & 1)
    ordered = sorted(options, key=lambda option: (option.intervening, option.hindering, option.first, option.last))
    every = sorted({LineOption(first, last, False, False) for first, last in ends})
    return Lines(tuple(ordered), _corners_of(every), tuple(every), _corners_of(ordered))


def _corners_of(options: Sequence[LineOption]) -> int:
    """Return the attacker's corners from which these lines leave, as a 6-bit mask."""
    return sum({1 << option.first for option in options})


def _map_lines(lattice: Lattice, a: int, b: int) -> tuple[int, Lines]:
    """Return the corridor of a pair and its lines over clear ground; only the rim of the map counts (R-LOF-18)."""
    key = a << _SHIFT | b
    found = lattice.line_memo.get(key)
    if found is None:
        if lattice.distance(a, b) <= 1:
            raise ValueError(f"no line between neighbours {lattice.name(a)} and {lattice.name(b)}")
        ends, states = walks(lattice, a, b, rim_flags(lattice), CLEAN)
        on_map = tuple(walk for walk, reached in zip(ends, states, strict=True) if reached)
        found = lattice.line_memo[key] = (corridor(lattice, a, b), _lines(on_map, (CLEAN,) * len(on_map)))
    return found


def _terrain_flags(arena: Arena) -> Sequence[bytes]:
    """Return four tables of hex flags: for no, one or two elevated ends (R-LOF-10, -15, -14), and for a charge.

    Q-176 may take the hindering terrain out of the third.
    """
    if not arena.line_flags:
        for hindering, blocking in (
            (arena.hindering, arena.blocking),
            (0, 0),
            (0 if arena.elevated_ends_ignore_hindering else arena.hindering, 0),
            (arena.hindering | arena.blocking, 0),
        ):
            table = bytearray(rim_flags(arena.lattice))
            for index in bits(hindering):
                table[index] |= HINDERING
            for index in bits(blocking):
                table[index] |= BLOCKING
            arena.line_flags.append(bytes(table))
    return arena.line_flags


def _pair_flags(arena: Arena, a: int, b: int, units: int, ground: int | None) -> tuple[Sequence[int], int]:
    """Return the flags of the hexes for one pair, and the states that a walk starts with.

    `ground` is the number of a table of `_terrain_flags`; None chooses it by the elevation of the two ends.
    """
    elevated = arena.elevated
    which = (elevated >> a & 1) + (elevated >> b & 1) if ground is None else ground
    flags = _terrain_flags(arena)[which]
    shared = arena.patch[a] if arena.patch[a] == arena.patch[b] else 0
    if not units and not shared:
        return flags, CLEAN
    own = bytearray(flags)
    for index in bits(units):
        own[index] |= UNIT
    for index in bits(arena.patches[shared]):
        own[index] |= PATCH
    return own, INSIDE if shared else CLEAN


def _measure(arena: Arena, a: int, b: int, units: int, ground: int | None = None) -> Lines:
    """Return the lines of a pair by a sweep; units outside the corridor change nothing."""
    between, clear = _map_lines(arena.lattice, a, b)
    if not units and not between & (arena.hindering | arena.blocking):
        return clear
    flags, start = _pair_flags(arena, a, b, units, ground)
    ends, states = walks(arena.lattice, a, b, flags, start)
    # Walks that the rim cuts off have no state here either, so the walks on the map are those of the clear map.
    on_map = [(option.first, option.last) for option in clear.all_options]
    kept = {walk: reached for walk, reached in zip(ends, states, strict=True) if walk in on_map}
    return _lines(tuple(kept), tuple(kept.values()))


def lines(arena: Arena, attacker: int, target: int, units: int) -> Lines:
    """Return the lines of fire between two hexes with other units on `units` (R-LOF-03 to R-LOF-18).

    Raises ValueError for one hex or two neighbours.

    >>> arena = Arena.of({"id": "wall", "hexes": {"0605": "blocking", "0606": "hindering"}})
    >>> a, b, c = (arena.lattice.index(name) for name in ("0608", "0606", "0604"))
    >>> lines(arena, a, b, 0).options[0]
    LineOption(first=0, last=2, hindering=False, intervening=False)
    >>> lines(arena, b, c, 0).options
    ()
    """
    key = attacker << _SHIFT | target
    found = arena.line_memo.get(key)
    if found is None:
        between, _ = _map_lines(arena.lattice, attacker, target)
        found = arena.line_memo[key] = (between, _measure(arena, attacker, target, 0))
    touching = units & found[0]
    if not touching:
        return found[1]
    memo = arena.line_memo_with_units
    with_units = memo.get((key, touching))
    if with_units is None:
        if len(memo) >= _MEMO_LIMIT:
            memo.clear()
        with_units = memo[key, touching] = _measure(arena, attacker, target, touching)
    return with_units


def charge_lines(arena: Arena, charger: int, target: int) -> Lines:
    """Return the lines of a charge, which neither terrain nor units block.

    `hindering` says that a line crosses or follows a hindering or blocking boundary, at any elevation (R-CHG-05, Q-85).
    `intervening` is never set. Raises ValueError for one hex or two neighbours.
    """
    key = charger << _SHIFT | target | _CHARGE
    found = arena.line_memo.get(key)
    if found is None:
        found = arena.line_memo[key] = (0, _measure(arena, charger, target, 0, ground=3))
    return found[1]


def beacon_lines(arena: Arena, attacker: int, target: int, units: int) -> Lines:
    """Return the lines to a target that a Homing Beacon marks: all clear and free of hindering terrain (R-SED-02).

    A unit next to a line still intervenes (Q-104). Raises ValueError for one hex or two neighbours.
    """
    key = attacker << _SHIFT | target | _BEACON
    found = arena.line_memo_with_units.get((key, units))
    if found is None:
        bare = _measure(arena, attacker, target, units, ground=1)
        beside = (LineOption(option.first, option.last, False, True) for option in bare.all_options)
        options = tuple(dict.fromkeys((*bare.options, *beside)))
        found = Lines(options, bare.starts, bare.all_options, _corners_of(options))
        arena.line_memo_with_units[key, units] = found
    return found


def line_problem(
    arena: Arena, attacker: int, target: int, corners: Sequence[str], units: int, indirect: bool = False
) -> Refusal | None:
    """Return the first reason why the corners do not make a line of fire, or None. Arcs and range are not checked.
    `corners` names every corner of the walk in order, from the attacker's to the target's, such as `0607@3`; an
    `indirect` line ignores boundaries and units (R-IND-08). Parameters: line_starts_elsewhere, line_ends_elsewhere
    (corner, hex), line_not_connected, line_blocked, line_blocked_by_units (from, to), line_not_shortest (length,
    range), line_to_adjacent (target, by its hex). Raises Malformed("unknown_corner").
    """
    found = _follow(arena, attacker, target, corners, units, indirect)
    return found if isinstance(found, Refusal) else None


def line_option(
    arena: Arena,
    attacker: int,
    target: int,
    corners: Sequence[str],
    units: int,
    indirect: bool = False,
    marked: bool = False,
) -> LineOption:
    """Return what the drawn line meets.

    To a target `marked` by a Homing Beacon every line is clear, but units next to it still intervene (Q-104).
    Raises IllegalAction with a code of `line_problem`, and Malformed (unknown_corner).
    """
    found = _follow(arena, attacker, target, corners, units, indirect, marked)
    if isinstance(found, Refusal):
        raise IllegalAction(found.code, **found.parameters)
    return found


def _follow(
    arena: Arena, attacker: int, target: int, corners: Sequence[str], units: int, indirect: bool, marked: bool = False
) -> Refusal | LineOption:
    lattice = arena.lattice
    values = [parse_corner(lattice, name) for name in corners]
    if lattice.distance(attacker, target) <= 1:
        return Refusal("line_to_adjacent", {"target": lattice.name(target)})
    length = hexside_range(lattice, attacker, target)
    if not values:
        return Refusal("line_not_shortest", {"length": 0, "range": length})
    first, last = which_corner(lattice, attacker, values[0]), which_corner(lattice, target, values[-1])
    if first < 0:
        return Refusal(
            "line_starts_elsewhere", {"corner": corner_name(lattice, values[0]), "hex": lattice.name(attacker)}
        )
    flags, states = _pair_flags(arena, attacker, target, units, None)
    is_beside_unit = False
    for one, other in pairwise(values):
        where = {"from": corner_name(lattice, one), "to": corner_name(lattice, other)}
        sides = edge_hexes(lattice, one, other)
        if sides is None:
            return Refusal("line_not_connected", where)
        # Every edge between two corners of the map divides a hex of the map from something, so R-LOF-18 holds.
        left, right = flags[sides[0]], flags[sides[1]]
        is_beside_unit = is_beside_unit or bool((left | right) & UNIT)
        if not (indirect or marked):
            if (left | right) & BLOCKING:
                return Refusal("line_blocked", where)
            if left & right & UNIT:
                return Refusal("line_blocked_by_units", where)
            states = JOINS[left][right][states]
    if last < 0:
        return Refusal("line_ends_elsewhere", {"corner": corner_name(lattice, values[-1]), "hex": lattice.name(target)})
    if len(values) - 1 != length:
        return Refusal("line_not_shortest", {"length": len(values) - 1, "range": length})
    if indirect or marked:
        return LineOption(first, last, False, is_beside_unit and not indirect)
    # One walk is in one state (see CLEAN): hindering 1 and 3, intervening 2, 3 and 5.
    return LineOption(first, last, bool(states & 0b001010), bool(states & 0b101100))
