"""A combat dial as a picture of one line: damage and attack by click, and the repair markers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

WIDTH = 100.0
HEIGHT = 28.0
CLICKS = 20
"""How many clicks fill the width; a longer dial fills it too."""
DAMAGE = 8
"""The damage of both weapons that fills the height; a dial with more fills it too."""
ATTACK = 12
"""The attack that fills the height; a dial with more fills it too."""


@dataclass(frozen=True)
class Sparkline:
    """A dial in a box of `width` by `height` SVG units, the first click on the left.

    `damage` is the path of an area, both weapons together, `attack` that of a line. `markers` are the middles of the
    clicks with a repair marker. `words` say the same to people who do not see it.
    """

    damage: str
    attack: str
    markers: tuple[float, ...]
    words: str
    width: float = WIDTH
    height: float = HEIGHT


def sparkline(dial: Sequence[Mapping[str, Any]]) -> Sparkline:
    """Return the picture of a combat dial. Equal values are equally high in all of them, up to the usual bounds."""
    damage = [click["primary"] + click["secondary"] for click in dial]
    attack = [click["attack"] for click in dial]
    step = WIDTH / max(CLICKS, len(dial))
    values = {"clicks": len(dial), "damage": damage[0], "last": damage[-1], "attack": attack[0], "end": attack[-1]}
    words = gettext(
        "{clicks} clicks: damage of both weapons from {damage} to {last}, attack from {attack} to {end}"
    ).format(**values)
    return Sparkline(
        damage=f"M0 {HEIGHT:g}{_steps(damage, step, DAMAGE, 'L')}V{HEIGHT:g}Z",
        attack=_steps(attack, step, ATTACK, "M"),
        markers=tuple(round((at + 0.5) * step, 2) for at, click in enumerate(dial) if click["repair_marker"]),
        words=words,
    )


def _steps(values: Sequence[int], step: float, full: int, first: str) -> str:
    """Return the path of stairs from left to right, one tread a click; it begins with the command `first`."""
    scale = (HEIGHT - 2) / max(full, *values)
    treads = [f"{HEIGHT - max(value, 0) * scale:.4g}H{(at + 1) * step:.4g}" for at, value in enumerate(values)]
    return f"{first}0 " + "V".join(treads)
