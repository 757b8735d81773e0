"""Where units can move, and by which path (R-MOV-02 to R-MOV-13, R-MOV-22, R-TER-05 to R-TER-19, Q-46 to Q-50).

Sets of hexes are bitsets over the arena's lattice; costs and speeds are points of speed. In every function:

* `origin` is the hex where the unit stands; it counts as free even when `occupied` includes it.
* `occupied` are the hexes of all other units, Target tokens and lying flags (R-MOV-13).
* `stops` are the hexes in which movement ends by contact with an opponent that the unit has not broken away from
  (R-MOV-11, Q-50). The unit may leave `origin` even if it is one of them.
* `flat` is movement with Reconnaissance: every hex costs 2, abrupt terrain stays as it is (R-SEM-01).
* `jump` is movement with Jump Jets: 2 a hex over anything on the map, without a stop. It may not end on blocking
  terrain or in an occupied hex (R-MOV-13, R-MOV-22, R-TER-09).

A path is the hexes entered, in order, without the origin; an empty path only turns (R-MOV-18).
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.competition.ground.arena import Arena
from rules.core.refusals import Refusal

REFUSAL_CODES = (
    "path_not_adjacent",
    "path_must_stop",
    "path_blocked",
    "path_occupied",
    "path_abrupt",
    "path_ends_blocked",
    "path_ends_occupied",
    "path_too_long",
)
"""Codes of `path_problem`."""

HEX_COST = 2
"""The speed that a hex costs (R-MOV-02)."""

ROUGH_COST = 3
"""The speed that a hindering hex costs, and an elevated one entered from below (R-MOV-03, R-MOV-04)."""


def entry_cost(arena: Arena, a: int, b: int, flat: bool = False) -> int:
    """Return what stepping from `a` to its neighbour `b` costs on foot, 2 or 3, whether or not `b` may be entered.

    Only the largest of the costs counts, and equal ones once (R-MOV-05, R-TER-13, R-TER-14).

    >>> arena = Arena.of({"id": "wood", "hexes": {"0606": "hindering"}})
    >>> place = arena.lattice.index
    >>> entry_cost(arena, place("0607"), place("0606")), entry_cost(arena, place("0606"), place("0607"))
    (3, 2)
    """
    if flat:
        return HEX_COST
    climbs = arena.elevated >> b & 1 and not arena.elevated >> a & 1
    return ROUGH_COST if climbs or arena.hindering >> b & 1 else HEX_COST


def reach(arena: Arena, origin: int, speed: int, occupied: int, stops: int, flat: bool = False) -> int:
    """Return the bitset of hexes, `origin` left out, in which a unit on foot can end its movement.

    >>> arena = Arena.of({"id": "plain", "hexes": {}})
    >>> reach(arena, arena.lattice.index("0607"), 4, 0, 0).bit_count()  # two steps any way
    18
    """
    if not (arena.open_ground or (flat and not arena.abrupt)):
        reached = 0
        for wave in wavefront(arena, origin, speed, occupied, stops, flat):
            reached |= wave
        return reached ^ 1 << origin
    # Every hex costs 2, so one wave a step is enough and no costs have to be kept apart.
    stride = arena.lattice.stride
    wave = 1 << origin
    free = unreached = arena.passable & ~(occupied | wave)
    passing = arena.passable & ~stops
    for _ in range(speed // HEX_COST):
        up, down = wave >> 1, wave << 1
        wave = (up | down | (wave | up) << stride | (wave | down) >> stride) & unreached
        if not wave:
            break
        unreached ^= wave
        wave &= passing
    return free ^ unreached


def wavefront(arena: Arena, origin: int, speed: int, occupied: int, stops: int, flat: bool) -> list[int]:
    """Return the hexes by cheapest cost: member c is the bitset of those that cost c, from 0 (the origin) to speed.

    At speed 1 there is only the origin. Each set moves in all six directions at once (see
    rules.competition.ground.hexes); the hexes that it can enter join the set of two or three points later.
    """
    wave = 1 << origin
    waves = [wave]
    if speed < HEX_COST:
        return waves
    stride, elevated = arena.lattice.stride, arena.elevated
    two, three, two_high, three_high = arena.entry_masks[flat]
    unreached = arena.passable & ~(occupied | wave)
    passing = arena.passable & ~stops
    in_one = in_two = 0
    for _ in range(speed - 1):
        in_three = 0
        if wave:
            high = wave & elevated
            low = wave ^ high
            if low:
                up, down = low >> 1, low << 1
                spread = up | down | (low | up) << stride | (low | down) >> stride
                in_two |= spread & two
                in_three = spread & three
            if high:
                up, down = high >> 1, high << 1
                spread = up | down | (high | up) << stride | (high | down) >> stride
                in_two |= spread & two_high
                in_three |= spread & three_high
        wave = in_one & unreached
        unreached ^= wave
        waves.append(wave)
        wave &= passing
        in_one, in_two = in_two, in_three
    waves.append(in_one & unreached)
    return waves


def jump_reach(arena: Arena, origin: int, speed: int, occupied: int) -> int:
    """Return the bitset of hexes, `origin` left out, in which a unit can end a jump (R-MOV-13, R-MOV-22)."""
    return arena.lattice.disc(origin, speed // HEX_COST) & arena.passable & ~(occupied | 1 << origin)


def route(
    arena: Arena,
    origin: int,
    destination: int,
    speed: int,
    occupied: int,
    stops: int,
    flat: bool = False,
    jump: bool = False,
) -> tuple[int, ...]:
    """Return the cheapest path to `destination`, () when that is the origin. Equal arguments give equal paths.

    Raises ValueError when `destination` is not in `reach` (or `jump_reach`).
    """
    if destination == origin:
        return ()
    if jump:
        path = _jump_route(arena, origin, destination, speed, occupied)
    else:
        path = _walking_route(
            arena, origin, destination, wavefront(arena, origin, speed, occupied, stops, flat), stops, flat
        )
    if path is None:
        name = arena.lattice.name
        raise ValueError(f"{name(destination)} is out of reach of {name(origin)} at speed {speed}")
    return path


def _jump_route(arena: Arena, origin: int, destination: int, speed: int, occupied: int) -> tuple[int, ...] | None:
    """Return a path over anything between, by the first direction that gets nearer at each step; None out of reach."""
    if not jump_reach(arena, origin, speed, occupied) >> destination & 1:
        return None
    distances, mask = arena.lattice.distances(destination), arena.lattice.mask
    path = []
    at = origin
    while at != destination:
        left = distances[at] - 1
        at = next(
            at + delta for delta in arena.lattice.deltas if mask >> at + delta & 1 and distances[at + delta] == left
        )
        path.append(at)
    return tuple(path)


def _walking_route(
    arena: Arena, origin: int, destination: int, waves: Sequence[int], stops: int, flat: bool
) -> tuple[int, ...] | None:
    """Return a cheapest path; None when the destination is out of reach.

    It goes back from the destination along hexes whose cheapest costs differ by the cost of the step.
    """
    cost = next((cost for cost, wave in enumerate(waves) if wave >> destination & 1), None)
    if cost is None:
        return None
    may_leave = ~stops | 1 << origin
    left = [wave & may_leave for wave in waves]
    path = [destination]
    while True:
        before, cost = _step_back(arena, path[-1], cost, left, flat)
        if before == origin:
            return tuple(reversed(path))
        path.append(before)


def _step_back(arena: Arena, at: int, cost: int, waves: Sequence[int], flat: bool) -> tuple[int, int]:
    """Return the first neighbour from which a cheapest path enters `at`, and the cheapest cost to reach it."""
    for delta in arena.lattice.deltas:
        before = at - delta
        paid = cost - entry_cost(arena, before, at, flat)
        if paid < 0 or not waves[paid] >> before & 1:
            continue
        if arena.abrupt >> at & 1 and not arena.elevated >> before & 1:
            continue
        return before, paid
    raise AssertionError(f"nothing leads to {arena.lattice.name(at)} at cost {cost}")


def path_problem(
    arena: Arena,
    origin: int,
    path: Sequence[int],
    speed: int,
    occupied: int,
    stops: int,
    flat: bool = False,
    jump: bool = False,
) -> Refusal | None:
    """Return the first reason why the unit may not move along `path`, hexes of the map, or None when it may.

    Parameters of the codes: path_not_adjacent (from, to), path_must_stop, path_blocked, path_occupied,
    path_ends_blocked, path_ends_occupied (hex), path_abrupt (from, hex), path_too_long (cost, speed). Hexes are given
    by name.
    """
    lattice = arena.lattice
    name = lattice.name
    occupied &= ~(1 << origin)
    cost = 0
    before = origin
    for step, at in enumerate(path, start=1):
        if lattice.direction(before, at) < 0:
            return Refusal("path_not_adjacent", {"from": name(before), "to": name(at)})
        if jump:
            cost += HEX_COST
        else:
            if step > 1 and stops >> before & 1:
                return Refusal("path_must_stop", {"hex": name(before)})
            if (problem := _entry_problem(arena, before, at, occupied)) is not None:
                return problem
            cost += entry_cost(arena, before, at, flat)
        before = at
    if jump and path:
        if arena.blocking >> before & 1:
            return Refusal("path_ends_blocked", {"hex": name(before)})
        if occupied >> before & 1:
            return Refusal("path_ends_occupied", {"hex": name(before)})
    if cost > speed:
        return Refusal("path_too_long", {"cost": cost, "speed": speed})
    return None


def _entry_problem(arena: Arena, before: int, at: int, occupied: int) -> Refusal | None:
    """Return why a unit on foot may not enter `at` from its neighbour `before` at any cost; None when it may."""
    name = arena.lattice.name
    if arena.blocking >> at & 1:
        return Refusal("path_blocked", {"hex": name(at)})
    if occupied >> at & 1:
        return Refusal("path_occupied", {"hex": name(at)})
    if arena.abrupt >> at & 1 and not arena.elevated >> before & 1:
        return Refusal("path_abrupt", {"from": name(before), "hex": name(at)})
    return None
