"""Signs that tell the lines of a picture apart: a letter, a shape, dashes, and last a colour.

Every colour has a contrast of three to one with the light and the dark background, so that one picture suits both.
"""

from __future__ import annotations

from dataclasses import dataclass

COLOURS = ("#2f7fd6", "#c8611a", "#2f8f4e", "#9461cc", "#178c96", "#cf4a86", "#8a7d1a", "#7b8490")

DASHES = ("", "7 3", "2 3", "10 3 2 3", "5 5", "12 4", "2 6", "8 3 2 3 2 3")
"""Values for SVG's stroke-dasharray; an empty one is a solid line."""

SHAPES = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "M-3.6-3.6h7.2v7.2h-7.2z",
    "M0-4.8L4.6 3.6H-4.6z",
    "M0-5L5 0 0 5-5 0z",
    "M0 4.8L4.6-3.6H-4.6z",
    "M-1.6-4.6h3.2v3h3v3.2h-3v3h-3.2v-3h-3v-3.2h3z",
    "M-2.5-4.3h5L5 0 2.5 4.3h-5L-5 0z",
    "M0-5L1.5-1.7 5-1.5 2.3.8 3.2 4.3 0 2.3-3.2 4.3-2.3.8-5-1.5-1.5-1.7z",
)
"""SVG paths around the origin, about nine units wide."""

CROSS = "M-4-4L4 4M4-4L-4 4"
"""The mark of an elimination; it is stroked, not filled."""


@dataclass(frozen=True)
class Sign:
    """How one line, row or column differs from the others. Small pictures show only the `letter`."""

    letter: str
    name: str
    colour: str
    dash: str
    shape: str


def sign_of(number: int, name: str) -> Sign:
    """Return the sign for a number from 0. From the ninth sign on, shapes come again with other colours and dashes.

    Letters go on as A to Z, AA, AB and so on.
    """
    turn = number // len(SHAPES)
    return Sign(
        letter=_letters(number),
        name=name,
        colour=COLOURS[(number + turn) % len(COLOURS)],
        dash=DASHES[(number + 2 * turn) % len(DASHES)],
        shape=SHAPES[number % len(SHAPES)],
    )


def _letters(number: int) -> str:
    return chr(65 + number) if number < 26 else _letters(number // 26 - 1) + _letters(number % 26)
