"""Silhouettes: each weight class and each kind of weapon has its own, and none leaves its square."""

from __future__ import annotations

import re
from itertools import product

import pytest

from catalogue.presenters.figures import SIZE, figure_of

CLASSES = ("light", "medium", "heavy", "assault")
TYPES = ("ballistic", "energy", "melee", None)


def unit(unit_class: str, primary: str | None, secondary: str | None) -> dict[str, object]:
    weapons = {"primary": primary, "secondary": secondary}
    return {"class": unit_class, **{name: kind and {"type": kind} for name, kind in weapons.items()}}


def points(path: str) -> list[tuple[float, float]]:
    """The ends of the steps of a path of M, L, H, h, v, l and z."""
    found, start, here = [], (0.0, 0.0), (0.0, 0.0)
    for command, written in re.findall(r"([MLHhvlz])([^MLHhvlz]*)", path):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", written)]
        if command in "hH":
            steps = [(number, here[1] if command == "H" else 0.0) for number in numbers]
        elif command == "v":
            steps = [(0.0, number) for number in numbers]
        else:
            steps = list(zip(numbers[::2], numbers[1::2], strict=True))
        for number, (across, down) in enumerate(steps):
            is_absolute = command in "MLH"
            here = (across, down) if is_absolute else (here[0] + across, here[1] + down)
            start = here if command == "M" and not number else start
            found.append(here)
        if command == "z":
            here = start
    return found


def test_every_class_and_every_pair_of_weapons_has_its_own_silhouette() -> None:
    bodies = {figure_of(unit(*which)).body for which in product(CLASSES, TYPES, TYPES)}
    assert len(bodies) == len(CLASSES) * len(TYPES) ** 2


@pytest.mark.parametrize("which", list(product(CLASSES, TYPES, TYPES)), ids=str)
def test_a_silhouette_stays_inside_its_square(which: tuple[str, str | None, str | None]) -> None:
    figure = figure_of(unit(*which))
    assert all(abs(at) <= SIZE / 2 for point in points(figure.body) + points(figure.visor) for at in point)


def test_the_same_weapon_hangs_on_both_sides_alike() -> None:
    for kind in TYPES:
        at = points(figure_of(unit("heavy", kind, kind)).body)
        assert {(round(-x, 2), round(y, 2)) for x, y in at} == {(round(x, 2), round(y, 2)) for x, y in at}


def test_a_unit_of_an_unknown_class_has_a_figure_too() -> None:
    assert figure_of({"class": "colossal"}).body
