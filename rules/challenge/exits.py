"""Whether a 'Mech has the movement points to leave by a portal: gates and elevators (MC-EXIT-05, 06, 09)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.core.refusals import Refusal

WAYS = ("gate", "elevator")
MODES = ("walk", "run", "jump")
EXTRA_POINTS = 2
"""Movement points that leaving takes beside those to the portal."""


def points_to_leave(spent: int, inside_contact: bool = False) -> int:
    """Return the movement points of a way to a portal and out of it; Inside Contact opens it for nothing.

    >>> points_to_leave(4)
    6
    """
    return spent + (0 if inside_contact else EXTRA_POINTS)


def why_not_leave(
    way: str, mode: str, points: int, spent: int, inside_contact: bool = False, lame: bool = False
) -> Iterator[Refusal]:
    """Yield why a 'Mech may not leave in this movement.

    `points` are the movement points of its mode, `spent` those that the way to the portal takes. `lame` is a 'Mech that
    damage to its legs has left with one point to walk: it may leave in the turn in which it arrives (MC-EXIT-09).
    """
    if way == "gate" and mode == "jump":
        yield Refusal("gate_takes_no_jump", {})
    needed = points_to_leave(spent, inside_contact)
    if needed > points and not (lame and spent <= points):
        yield Refusal("too_few_movement_points", {"needed": needed, "there": points})
