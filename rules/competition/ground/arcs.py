"""Front and rear arcs over the six corners and the six sides of a hex (Q-29 to Q-32, R-FAC-01 to R-FAC-07).

A base has 12 facings, 30 degrees apart and clockwise from 0 = north: even ones look at a side (side k at facing 2k),
odd ones at a corner (corner k at facing 2k + 1). Results are 6-bit masks, bit k for corner or side k.

* A corner (whose spoke starts a line of fire) is in an arc when its direction lies inside it or on its edge.
* A side (close combat) is in an arc when more than a single point of it lies inside.

Angles are kept in half degrees, so a 135-degree arc ends on a whole number and no edge depends on rounding.
"""

from __future__ import annotations

from functools import cache

from rules.core.words import FRONT_ARCS

FACINGS = 12
"""Facings of a base, 0 to 11."""

LARGEST_REAR_ARC = 120

ALL = 0b111111
"""All six corners, or all six sides."""

_TURN = 720
_FACING = _TURN // FACINGS
_HALF_SIDE = _FACING


def _turn_between(a: int, b: int) -> int:
    """Return the smaller turn between two directions, in half degrees, 0 to 360."""
    turn = (a - b) % _TURN
    return min(turn, _TURN - turn)


@cache
def _corner_masks(width: int) -> tuple[int, ...]:
    """Return the corners in an arc of `width` degrees around each of the 12 facings.

    Half the arc is `width` half degrees.
    """
    if width == 0:
        return (0,) * FACINGS
    return tuple(
        sum(1 << k for k in range(6) if _turn_between(facing * _FACING, (2 * k + 1) * _FACING) <= width)
        for facing in range(FACINGS)
    )


@cache
def _side_masks(width: int) -> tuple[int, ...]:
    """Return the sides in an arc of `width` degrees around each of the 12 facings.

    A side reaches 30 degrees either way.
    """
    if width == 0:
        return (0,) * FACINGS
    return tuple(
        sum(1 << k for k in range(6) if _turn_between(facing * _FACING, 2 * k * _FACING) - _HALF_SIDE < width)
        for facing in range(FACINGS)
    )


def _check(width: int, facing: int, front: bool) -> None:
    if not 0 <= facing < FACINGS:
        raise ValueError(f"facing {facing} is not 0 to 11")
    if front and width not in FRONT_ARCS:
        raise ValueError(f"front arc {width} is not one of {FRONT_ARCS}")
    if not front and not 0 <= width <= LARGEST_REAR_ARC:
        raise ValueError(f"rear arc {width} is not 0 to {LARGEST_REAR_ARC}")


def front_corners(front_arc: int, facing: int) -> int:
    """Return the corners whose spokes may start a line of fire (R-LOF-04). Raises ValueError for other arcs or facings.
    >>> f"{front_corners(180, 0):06b}"  # bit 0, on the right, is corner 0
    '110011'
    """
    _check(front_arc, facing, front=True)
    return _corner_masks(front_arc)[facing]


def front_sides(front_arc: int, facing: int) -> int:
    """Return the sides across which the unit may attack a neighbour. Raises ValueError for other arcs or facings."""
    _check(front_arc, facing, front=True)
    return _side_masks(front_arc)[facing]


def rear_corners(rear_arc: int, facing: int) -> int:
    """Return the corners at which an arriving line comes from the rear (R-RMD-13); 0 for a rear arc of 0 degrees.

    Raises ValueError for other arcs or facings.
    """
    _check(rear_arc, facing, front=False)
    return _corner_masks(rear_arc)[(facing + 6) % FACINGS]


def rear_sides(rear_arc: int, facing: int) -> int:
    """Return the sides across which an attack comes from the rear; 0 for a rear arc of 0 degrees.

    Raises ValueError for other arcs or facings.

    >>> f"{rear_sides(90, 0):06b}"  # it looks north, its back is south
    '011100'
    """
    _check(rear_arc, facing, front=False)
    return _side_masks(rear_arc)[(facing + 6) % FACINGS]


@cache
def facings_by_side(front_arc: int) -> tuple[int, ...]:
    """Return for each side the facings whose front arc holds it, as a 12-bit mask. Raises ValueError for other arcs."""
    held = [front_sides(front_arc, facing) for facing in range(FACINGS)]
    return tuple(sum(1 << facing for facing in range(FACINGS) if held[facing] >> side & 1) for side in range(6))


@cache
def facings_by_corners(front_arc: int) -> tuple[int, ...]:
    """Return for each set of corners the facings whose front arc holds any of them, as a 12-bit mask.

    Raises ValueError for other arcs.
    """
    held = [front_corners(front_arc, facing) for facing in range(FACINGS)]
    return tuple(sum(1 << facing for facing in range(FACINGS) if held[facing] & corners) for corners in range(64))
