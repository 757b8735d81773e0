"""How a poster is laid out: the mast above, the title, what is in the middle, the story below."""

from __future__ import annotations

from web.pictures.canvas import AMBER, HEIGHT, INK, LINE, MAST, PANEL, QUIET, TONES, WIDTH, Canvas
from web.pictures.poster import Poster

EDGE = 56
INNER = WIDTH - 2 * EDGE
TOP, BOTTOM = 224, 470
"""The middle of the picture, from above to below."""

MOST_COLUMNS = 4
NAME = "SOLARIS CIRCUIT"


def drawn(poster: Poster) -> bytes:
    """Return the picture of a poster as a PNG; equal posters give equal bytes."""
    canvas = Canvas()
    _ground(canvas)
    _mast(canvas, poster)
    if poster.is_podium:
        _podium(canvas, poster)
    elif poster.columns:
        _columns(canvas, poster)
    else:
        _figures(canvas, poster)
        if poster.bars:
            _bars(canvas, poster)
    for place, line in enumerate(canvas.wrapped(poster.sentence, INNER, 32, 3)):
        canvas.text(EDGE, 514 + 39 * place, line, 32, INK)
    return canvas.png()


def _ground(canvas: Canvas) -> None:
    """Draw hexes that fade out to the left, and the hazard stripe below."""
    radius, high = 44.0, 44.0 * 3**0.5
    for column in range(19):
        x = column * radius * 1.5
        shade = 0x16 + round(0x14 * column / 18)
        line = f"#{shade:02x}{shade + 5:02x}{shade + 12:02x}"
        for row in range(10):
            canvas.hexagon(x, row * high + (high / 2 if column % 2 else 0), radius, None, line)
    canvas.box(0, HEIGHT - 16, WIDTH, HEIGHT, MAST)
    for place in range(-1, 31):
        left = place * 42
        canvas.polygon([(left, HEIGHT), (left + 24, HEIGHT), (left + 33, HEIGHT - 16), (left + 9, HEIGHT - 16)], AMBER)


def _mast(canvas: Canvas, poster: Poster) -> None:
    canvas.hexagon(EDGE + 20, 64, 21, AMBER)
    canvas.hexagon(EDGE + 20, 64, 10, MAST)
    canvas.text(EDGE + 56, 76, NAME, 36, AMBER)
    room = INNER - 110 - canvas.width_of(NAME, 36)
    canvas.text(WIDTH - EDGE, 75, canvas.cut(poster.heading, room, 30), 30, QUIET, "right")
    title, size = canvas.fitted(poster.title, INNER, (92, 80, 68, 58, 50))
    canvas.text(EDGE, 180, title, size)


def _columns(canvas: Canvas, poster: Poster) -> None:
    shown = poster.columns[:MOST_COLUMNS]
    gap = 24
    wide = (INNER - gap * (len(shown) - 1)) / len(shown)
    for place, column in enumerate(shown):
        left = EDGE + place * (wide + gap)
        tone = TONES[column.tone % len(TONES)]
        canvas.box(left, TOP, left + wide, BOTTOM, PANEL, 18)
        canvas.box(left, TOP, left + 10, BOTTOM - 18, tone)
        room = wide - 60
        if column.is_first:
            canvas.star(left + wide - 52, TOP + 50, 28)
            room -= 50
        name, size = canvas.fitted(column.name, room, (50, 42, 36, 30))
        canvas.text(left + 36, TOP + 64, name, size, tone)
        size = 112 if len(column.value) < 5 else 76
        canvas.text(left + 36, TOP + 178, column.value, size)
        beside = canvas.width_of(column.value, size) + 16
        canvas.text(left + 36 + beside, TOP + 178, canvas.cut(column.unit, wide - 60 - beside, 32), 32, QUIET)
        note, size = canvas.fitted(column.note, wide - 60, (28, 25, 22))
        canvas.text(left + 36, TOP + 222, note, size, QUIET)


def _podium(canvas: Canvas, poster: Poster) -> None:
    """Draw the first in the middle, the second on its left, the third on its right."""
    wide, heights = 330, (130, 88, 56)
    middle = WIDTH / 2
    for place, column in list(enumerate(poster.columns[:3]))[::-1]:
        x = middle + (0, -wide - 16, wide + 16)[place]
        top = BOTTOM - heights[place]
        canvas.box(x - wide / 2, top, x + wide / 2, BOTTOM, PANEL, 14)
        canvas.box(x - wide / 2, top, x + wide / 2, top + 6, TONES[column.tone % len(TONES)])
        canvas.text(x, BOTTOM - heights[place] / 2 + 20, str(place + 1), 54, AMBER if place == 0 else INK, "middle")
        name, size = canvas.fitted(column.name, wide, (46, 38, 32, 28))
        canvas.text(x, top - 50, name, size, AMBER if place == 0 else INK, "middle")
        canvas.text(x, top - 16, canvas.cut(column.value, wide, 28), 28, QUIET, "middle")


def _figures(canvas: Canvas, poster: Poster) -> None:
    if not poster.figures:
        return
    shown = poster.figures[:5]
    wide = INNER / len(shown)
    high = BOTTOM - TOP if not poster.bars else 112
    canvas.box(EDGE, TOP, WIDTH - EDGE, TOP + high, PANEL, 18)
    size = 104 if not poster.bars else 56
    for place, figure in enumerate(shown):
        x = EDGE + wide * (place + 0.5)
        value, fits = canvas.fitted(figure.value, wide - 28, (size, round(size * 0.75), round(size * 0.5)))
        canvas.text(x, TOP + high * 0.54, value, fits, INK, "middle")
        canvas.text(x, TOP + high * 0.9, canvas.cut(figure.label, wide - 20, 26), 26, QUIET, "middle")


def _bars(canvas: Canvas, poster: Poster) -> None:
    """Draw the values of a dial as bars from the left to the right, with the numbers on them."""
    top, base = TOP + 140, BOTTOM
    canvas.text(EDGE, top + 4, poster.bars_label, 26, QUIET)
    most = max(*poster.bars, 1)
    wide = INNER / len(poster.bars)
    canvas.box(EDGE, base, WIDTH - EDGE, base + 3, LINE)
    for place, value in enumerate(poster.bars):
        left = EDGE + place * wide
        high = (base - top - 46) * value / most
        canvas.box(left + 4, base - high, left + wide - 4, base, AMBER if place == 0 else TONES[1])
        canvas.text(left + wide / 2, base - high - 8, str(value), 26, INK, "middle")
