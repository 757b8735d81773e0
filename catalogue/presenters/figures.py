"""Our own silhouettes of ’Mechs: how heavy one is shows in its build, what it fires in its arms.

They are drawn for a unit without a photo. Lengths are SVG user units, the origin is the middle of the figure, and a
figure fits in a square of SIZE.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

SIZE = 28.0


@dataclass(frozen=True)
class Figure:
    """A silhouette: the SVG paths of its body and of its cockpit."""

    body: str
    visor: str


@dataclass(frozen=True)
class _Build:
    """The legs, the rump and the cockpit of a weight class, and where its arms hang, from the middle."""

    body: str
    visor: str
    arm: float
    shoulder: float


_BUILDS = {
    # Bird-legged, with a pod for a body.
    "light": _Build(
        "M-1 2h-3.4l-1.6 4.2 1.7 2.6-2.7 4.7h5.2l1-4.7-1.6-2.6 1.4-3zM1 2h3.4l1.6 4.2-1.7 2.6 2.7 4.7h-5.2l-1-4.7"
        " 1.6-2.6-1.4-3zM-4.2 1.2-5-4-2.4-8.4h4.8L5-4l-.8 5.2z",
        "M-2.4-5.6h4.8l-.6-1.8h-3.6z",
        6.1,
        -4.5,
    ),
    "medium": _Build(
        "M-.7 2.6h-4L-6 13.5h4.5zM.7 2.6h4L6 13.5H1.5zM-4.3 2-5.6-7.6h11.2L4.3 2zM-2-8.2v-3.6l1-1h2l1 1v3.6z",
        "M-1.5-10.6h3v1.3h-3z",
        6.3,
        -7.6,
    ),
    "heavy": _Build(
        "M-.7 2.8h-5.2l-2 10.7h5.6zM.7 2.8h5.2l2 10.7H2.3zM-5.4 2.2-7-5.6l1.6-3.4h10.8L7-5.6 5.4 2.2zM-2.2-9.6"
        "l.8-2.6h2.8l.8 2.6z",
        "M-2.6-7.4h5.2l-.7 2h-3.8z",
        7.7,
        -7.6,
    ),
    # Square, with racks on its shoulders.
    "assault": _Build(
        "M-.7 3.2h-6.5L-8.6 13.5h6.8zM.7 3.2h6.5l1.4 10.3H1.8zM-6.4 2.6-7.8-8h15.6L6.4 2.6zM-8.4-8.6v-4.9h5v4.9z"
        "M8.4-8.6v-4.9h-5v4.9zM-2.2-8.6v-2h4.4v2z",
        "M-2.8-6.4h5.6l-.8 2.4h-4z",
        8.5,
        -7.6,
    ),
}  # fmt: skip

_ARMS = {
    # A thick barrel with a muzzle.
    "ballistic": "h3.6v7h1v4.4h-4.6v-4.4z",
    # A thin lance below a round elbow.
    "energy": "h3.6v4.2l-1 1v7.6h-1.6v-7.6l-1-1z",
    # A blade, raised.
    "melee": "h1.4v-6.4l3.4 2.4v6.8l-1.8 1.6v3.4h-3z",
}  # fmt: skip


def figure_of(unit: Mapping[str, Any]) -> Figure:
    """Return the silhouette of a unit's definition: its class, with the primary weapon in the right hand of the reader.

    A side without a weapon has an empty arm.
    """
    build = _BUILDS.get(str(unit.get("class")), _BUILDS["medium"])
    arms = (_arm(build, unit.get("primary"), 1), _arm(build, unit.get("secondary"), -1))
    return Figure(build.body + "".join(arms), build.visor)


def _arm(build: _Build, weapon: Mapping[str, Any] | None, way: int) -> str:
    path = _ARMS.get(str((weapon or {}).get("type")), "h2.4v7.6h-2.4z")
    return f"M{way * build.arm:g} {build.shoulder:g}{path if way == 1 else _mirrored(path)}"


def _mirrored(path: str) -> str:
    """Return a path of relative steps (h, v, l, z) mirrored from left to right."""
    found, number, command, is_across = "", "", "", True
    for sign in f"{path} ":
        if sign in "0123456789.":
            number += sign
            continue
        if sign == "-" and not number:
            number = sign
            continue
        if number:
            turned = -float(number) if command == "h" or (command == "l" and is_across) else float(number)
            found += f" {turned:g}"
            is_across = not is_across
            number = "-" if sign == "-" else ""
        if sign.isalpha():
            command, is_across = sign, True
            found += sign
    return found
