"""Measures of pictures: round ticks, the width of words, and labels that do not overlap."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10

from rules.wording.isolation import bare, isolated

ELLIPSIS = "…"
_WIDE, _NARROW = set("WMmw@%&"), set("iIljtfr.,:;'!|()[] ")


@dataclass(frozen=True)
class Scale:
    """A linear scale from `low` to `high`, drawn from `start` to `end` of the picture."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the place of a value, to two digits."""
        span = self.high - self.low
        share = 0.5 if span == 0 else (value - self.low) / span
        return round(self.start + share * (self.end - self.start), 2)


def ticks(low: float, high: float, most: int = 6) -> list[int]:
    """Return evenly spaced whole numbers, rising, that span `low`, 0 and `high` in at most `most` + 1 steps."""
    low, high = min(0.0, low), max(0.0, high)
    if low == high:
        high = low + 1
    step = _step((high - low) / most)
    first = floor(low / step)
    count = first
    while count * step < high:
        count += 1
    return [number * step for number in range(first, count + 1)]


def _step(least: float) -> int:
    """Return the first of 1, 2, 5, 10, 20, 50... that is not smaller than `least`."""
    if least <= 1:
        return 1
    power = int(10 ** floor(log10(least)))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least)


def width_of(text: str, size: float) -> float:
    """Return an estimate of a sans-serif text's width, in the unit of `size`, which errs on the wide side."""
    return sum(_advance(character) for character in text) * size


def _advance(character: str) -> float:
    if unicodedata.category(character) == "Cf":
        return 0
    if unicodedata.east_asian_width(character) in ("W", "F"):
        return 1.05
    if character in _WIDE:
        return 0.95
    if character in _NARROW:
        return 0.4
    return 0.72 if character.isupper() else 0.6


def shortened(text: str, size: float, room: float) -> str:
    """Return the text, or as much of it as fits into `room` with an ellipsis; only the ellipsis when nothing fits.

    A text that is cut is isolated as a whole, so that no sign that isolates loses its end.
    """
    if width_of(text, size) <= room:
        return text
    text = bare(text)
    while text and width_of(text + ELLIPSIS, size) > room:
        text = text[:-1]
    return isolated(text.rstrip() + ELLIPSIS)


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return a place near each wanted one, in their order, at least `gap` apart and between `low` and `high`.

    When there is no room for all gaps, the places divide the room evenly.
    """
    if not wanted:
        return []
    if len(wanted) > 1:
        gap = min(gap, (high - low) / (len(wanted) - 1))
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    placed: list[float] = []
    for index in order:
        at = max(low, wanted[index])
        placed.append(max(at, placed[-1] + gap) if placed else at)
    limit = high
    for position in range(len(placed) - 1, -1, -1):
        placed[position] = min(placed[position], limit)
        limit = placed[position] - gap
    result = [0.0] * len(wanted)
    for position, index in enumerate(order):
        result[index] = round(placed[position], 2)
    return result
