"""The part of a large ground that a decision is about. Lengths are SVG user units where they are not pixels."""

from __future__ import annotations

from dataclasses import dataclass

from matches.presenters.board import BoardView
from matches.presenters.overlay import WHEEL_RADIUS, Overlay

ROOM = (590.0, 780.0)
"""The largest ground, across and down, that a screen of 360 x 640 pixels shows whole with hexes of 24 pixels."""

AROUND = WHEEL_RADIUS + 16
LEAST_SCALE = 0.58
"""Pixels of a unit at which a hex is 24 pixels high."""


@dataclass(frozen=True)
class Zoom:
    """A part of the ground as the `viewBox` of the picture, and the least pixels across and down that it takes."""

    box: str
    width: int
    height: int


def is_large(board: BoardView) -> bool:
    """Return whether the hexes of the whole ground are small on the smallest screen."""
    return board.width > ROOM[0] or board.height > ROOM[1]


def zoom_to(board: BoardView, overlay: Overlay) -> Zoom | None:
    """Return the part of a large ground where something can be pointed at, or the unit whose turn it is stands.

    None for a ground that is not large, and where there is nothing of either.
    """
    if not is_large(board):
        return None
    points = [(pick.x, pick.y) for pick in overlay.picks]
    points += [(thing.x, thing.y) for thing in overlay.aimed]
    points += [(spoke.x, spoke.y) for spoke in overlay.wheel]
    points += [(unit.x, unit.y) for unit in board.units if unit.active]
    if not points:
        return None
    across, down = zip(*points, strict=True)
    left, top = max(0.0, min(across) - AROUND), max(0.0, min(down) - AROUND)
    width, height = min(board.width, max(across) + AROUND) - left, min(board.height, max(down) + AROUND) - top
    return Zoom(
        f"{left:g} {top:g} {width:g} {height:g}", round(width * LEAST_SCALE) + 1, round(height * LEAST_SCALE) + 1
    )
