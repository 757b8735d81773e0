"""Eight sides look different: by eight colours in the light and in the dark, and by eight shapes without them."""

from __future__ import annotations

import re
from itertools import combinations
from math import cbrt, dist

import pytest
from django.conf import settings

from matches.presenters.board import COLOURS, SHAPES
from stables.services.fixtures.pairing import SIDES

STYLES = (settings.BASE_DIR / "static/css/board.css").read_text(encoding="utf-8")
LEAST_CONTRAST = 3.0
"""WCAG 2.2, 1.4.11: what is seen against its ground."""
LEAST_CONTRAST_OF_TEXT = 4.5
LEAST_DISTANCE = 0.075
"""In the space Oklab, in which 0.02 is the least difference that people see side by side."""
MOST_SHARED = 0.92

_PAIR = r"light-dark\((#[0-9a-f]{3,6}), (#[0-9a-f]{3,6})\)"


def light(value: int) -> float:
    share = value / 255
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def channels(colour: str) -> tuple[float, float, float]:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    red, green, blue = (light(int(digits[start : start + 2], 16)) for start in (0, 2, 4))
    return red, green, blue


def contrast(one: str, other: str) -> float:
    luminances = (0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in map(channels, (one, other)))
    darker, lighter = sorted(luminances)
    return (lighter + 0.05) / (darker + 0.05)


def oklab(colour: str) -> tuple[float, float, float]:
    red, green, blue = channels(colour)
    long = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    middle = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def colours_of(name: str, theme: int) -> list[str]:
    """The colours that the styles give a property, for light (0) or dark (1)."""
    return [found[theme] for found in re.findall(rf"{name}: {_PAIR}", STYLES)]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_eight_colours_differ_and_are_seen_on_every_ground(theme: int) -> None:
    sides, grounds, [on_unit] = (colours_of(name, theme) for name in ("--own", "--ground", "--on-unit"))
    assert (len(sides), len(grounds)) == (len(SIDES), 5)
    for side in sides:
        assert contrast(side, on_unit) >= LEAST_CONTRAST_OF_TEXT
        assert min(contrast(side, ground) for ground in grounds) >= LEAST_CONTRAST
    assert min(dist(oklab(one), oklab(other)) for one, other in combinations(sides, 2)) >= LEAST_DISTANCE


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_numbers_of_hexes_are_read_on_every_ground(theme: int) -> None:
    [code] = colours_of("--hex-code", theme)
    assert min(contrast(code, ground) for ground in colours_of("--ground", theme)) >= LEAST_CONTRAST_OF_TEXT


def test_a_picture_without_styles_has_the_colours_of_the_light_theme() -> None:
    assert list(COLOURS) == colours_of("--own", 0)


def inside(corners: tuple[tuple[float, float], ...], x: float, y: float) -> bool:
    if not corners:
        return dist((x, y), (0, 0)) <= 15.5
    is_inside = False
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            is_inside = not is_inside
    return is_inside


def test_eight_shapes_differ_without_colour_and_have_room_for_two_digits() -> None:
    grid = [(across + 0.5, down + 0.5) for across in range(-22, 22) for down in range(-22, 22)]
    areas = {name: {point for point in grid if inside(corners, *point)} for name, corners in SHAPES.items()}
    assert len(areas) == len(SIDES)
    for one, other in combinations(areas.values(), 2):
        assert len(one & other) / len(one | other) <= MOST_SHARED
    for name, corners in SHAPES.items():
        assert all(inside(corners, x, y) for x in (-7, 7) for y in (-6, 6)), name


def test_every_side_has_a_sign_of_its_own_beside_its_name() -> None:
    signs = re.findall(r'--sign: "(.)"', STYLES)
    assert len(set(signs)) == len(signs) == len(SIDES)
