"""A canvas with the site's colours and its font. Positions and sizes are in pixels of the finished picture."""

from __future__ import annotations

import math
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from itertools import groupby

from django.conf import settings
from PIL import Image, ImageDraw, ImageFont

from rules.wording.isolation import bare

WIDTH, HEIGHT = 1200, 630
SCALE = 2
"""Everything is drawn so many times larger, and made small at the end, so that slanting edges are smooth."""

MAST, PANEL, LINE = "#12161c", "#1b2129", "#323945"
INK, QUIET, AMBER = "#f3efe6", "#a9afb9", "#ffb13d"
TONES = ("#ff8f84", "#86bbf5", "#b8a6ee", "#7ed69a", "#ffbd70", "#e59bd0", "#9fd8d8", "#d8d09f")
"""The colours of the sides, as pages have them in the dark."""

FONTS = settings.BASE_DIR / "static" / "fonts"
LATIN, FURTHER = "saira-condensed-700.woff2", "saira-condensed-700-ext.woff2"
ELLIPSIS = "…"


@cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONTS / name), size * SCALE, layout_engine=ImageFont.Layout.BASIC)


def _file_of(sign: str) -> str:
    """Return the file of the font that has this sign: static/css/tokens.css divides the same way."""
    code = ord(sign)
    return FURTHER if 0x100 <= code <= 0x2BA or 0x1E00 <= code <= 0x1EFF else LATIN


def drawable(text: str) -> str:
    """Return a text in signs that the font has; an accent that it lacks is left out, and another sign becomes "?".

    >>> drawable("Łódź – Наг")
    'Łódź – ???'
    """
    return "".join(_drawable(sign) for sign in unicodedata.normalize("NFC", bare(text)))


def _drawable(sign: str) -> str:
    if sign.isspace():
        return " "
    if sign == "−":
        return "–"
    code = ord(sign)
    if 0x20 <= code < 0x7F or 0xA1 <= code <= 0x2BA or 0x1E00 <= code <= 0x1EFF or sign in "–—‘’‚“”„…•":
        return sign
    if unicodedata.combining(sign) or not sign.isprintable():
        return ""
    first = unicodedata.normalize("NFKD", sign)[0]
    return first if first.isascii() and first.isprintable() else "?"


class Canvas:
    """An empty picture with a ground of hexes."""

    def __init__(self) -> None:
        self.image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), MAST)
        self.draw = ImageDraw.Draw(self.image)

    def png(self) -> bytes:
        """Return the picture as a PNG."""
        written = BytesIO()
        small = self.image.resize((WIDTH, HEIGHT), Image.Resampling.BOX)
        flat = small.quantize(128, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        flat.save(written, "PNG", optimize=True)
        return written.getvalue()

    def polygon(self, corners: Sequence[tuple[float, float]], fill: str | None, line: str | None = None) -> None:
        """Draw a polygon."""
        scaled = [(x * SCALE, y * SCALE) for x, y in corners]
        if fill is not None:
            self.draw.polygon(scaled, fill=fill)
        if line is not None:
            self.draw.line([*scaled, scaled[0]], fill=line, width=2 * SCALE)

    def box(self, left: float, top: float, right: float, bottom: float, fill: str, cut: float = 0) -> None:
        """Draw a box whose right upper and left lower corners are cut off."""
        corners = [(left, top), (right - cut, top), (right, top + cut), (right, bottom), (left + cut, bottom)]
        self.polygon([*corners, (left, bottom - cut)], fill)

    def hexagon(self, x: float, y: float, radius: float, fill: str | None, line: str | None = None) -> None:
        """Draw a hexagon with flat sides above and below."""
        angles = [math.radians(60 * corner) for corner in range(6)]
        self.polygon([(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles], fill, line)

    def star(self, x: float, y: float, radius: float, fill: str = AMBER) -> None:
        """Draw a star of five points."""
        corners = []
        for point in range(10):
            reach = radius if point % 2 == 0 else radius * 0.42
            angle = math.radians(36 * point - 90)
            corners.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
        self.polygon(corners, fill)

    def width_of(self, text: str, size: int) -> float:
        """Return how wide a text is."""
        return sum(_font(name, size).getlength(run) for name, run in _runs(text)) / SCALE

    def text(self, x: float, y: float, text: str, size: int, fill: str = INK, align: str = "left") -> None:
        """Write a text on one line; `y` is its base line. `align` says what is at `x`: left, middle or right."""
        if align != "left":
            wide = self.width_of(text, size)
            x -= wide if align == "right" else wide / 2
        for name, run in _runs(text):
            self.draw.text((x * SCALE, y * SCALE), run, fill=fill, font=_font(name, size), anchor="ls")
            x += _font(name, size).getlength(run) / SCALE

    def fitted(self, text: str, width: float, sizes: Sequence[int]) -> tuple[str, int]:
        """Return a text with the largest of `sizes` in which it fits on one line; cut off where even the last is too
        large."""
        for size in sizes:
            if self.width_of(text, size) <= width:
                return text, size
        return self.cut(text, width, sizes[-1]), sizes[-1]

    def cut(self, text: str, width: float, size: int) -> str:
        """Return a text that fits on one line, with an ellipsis where it is cut off."""
        if self.width_of(text, size) <= width:
            return text
        # The longer the start, the wider it is, and a measurement costs far more than a halving.
        kept = bisect_left(
            range(1, len(text)), True, key=lambda end: self.width_of(text[:end] + ELLIPSIS, size) > width
        )
        return text[:kept].rstrip() + ELLIPSIS

    def wrapped(self, text: str, width: float, size: int, most: int) -> list[str]:
        """Return a text as at most `most` lines; the last one ends in an ellipsis where not all of it fits."""
        words, lines = drawable(text).split(), [""]
        while words:
            longer = f"{lines[-1]} {words[0]}".strip()
            if not lines[-1] or self.width_of(longer, size) <= width:
                lines[-1] = longer
                words.pop(0)
            elif len(lines) == most:
                lines[-1] = f"{lines[-1]} {words[0]}"
                break
            else:
                lines.append("")
        return [self.cut(line, width, size) for line in lines if line]


def _runs(text: str) -> list[tuple[str, str]]:
    """Return a text as runs of signs, each with the file of the font that has them."""
    return [(name, "".join(signs)) for name, signs in groupby(drawable(text), key=_file_of)]
