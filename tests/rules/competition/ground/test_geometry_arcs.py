"""Arcs against the counts of the printed figures and against a fine sampling of directions."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from rules.competition.ground.arcs import (
    ALL,
    FACINGS,
    front_corners,
    front_sides,
    rear_corners,
    rear_sides,
)
from rules.core.words import FRONT_ARCS

PRINTED_REAR_ARC = 90
CORNER_FACINGS, SIDE_FACINGS = range(1, FACINGS, 2), range(0, FACINGS, 2)

FRONT_COUNTS = [
    pytest.param(135, (3, 4), (2, 3), id="R-FAC-03"),
    pytest.param(180, (3, 4), (4, 3), id="R-FAC-04"),
    pytest.param(270, (5, 6), (4, 5), id="R-FAC-05"),
    pytest.param(360, (6, 6), (6, 6), id="R-FAC-06"),
]


@pytest.mark.parametrize(("arc", "facing_a_corner", "facing_a_side"), FRONT_COUNTS)
def test_r_fac_03_to_06_front_counts_of_corners_and_sides(
    arc: int, facing_a_corner: tuple[int, int], facing_a_side: tuple[int, int]
) -> None:
    for facings, counts in ((CORNER_FACINGS, facing_a_corner), (SIDE_FACINGS, facing_a_side)):
        for facing in facings:
            assert (front_corners(arc, facing).bit_count(), front_sides(arc, facing).bit_count()) == counts


@pytest.mark.parametrize(("arc", "corner", "side"), [(135, 3, 2), (180, 3, 4), (270, 5, 4), (360, 6, 6)])
def test_w_05_hexsides_by_arc_width(arc: int, corner: int, side: int) -> None:
    assert front_corners(arc, 1).bit_count() == corner
    assert front_corners(arc, 0).bit_count() == side


def test_w_06_figure_1_facing_a_corner() -> None:
    facing = 3
    assert front_corners(180, facing) == 0b000111
    assert front_sides(180, facing) == 0b001111
    assert rear_corners(PRINTED_REAR_ARC, facing) == 0b010000
    assert rear_sides(PRINTED_REAR_ARC, facing) == 0b110000


def test_w_07_figure_2_facing_a_side() -> None:
    facing = 4
    assert front_corners(180, facing) == 0b001111
    assert front_sides(180, facing) == 0b001110
    assert rear_corners(PRINTED_REAR_ARC, facing) == 0b110000
    assert rear_sides(PRINTED_REAR_ARC, facing) == 0b110001


def test_r_fac_07_rear_counts_by_default() -> None:
    for facing in CORNER_FACINGS:
        assert (rear_corners(90, facing).bit_count(), rear_sides(90, facing).bit_count()) == (1, 2)
    for facing in SIDE_FACINGS:
        assert (rear_corners(90, facing).bit_count(), rear_sides(90, facing).bit_count()) == (2, 3)


@pytest.mark.parametrize("width", [61, 90, 119])
def test_q_31_rear_arcs_between_60_and_120_degrees_all_give_the_figures(width: int) -> None:
    assert [rear_corners(width, facing) for facing in range(12)] == [rear_corners(90, facing) for facing in range(12)]
    assert [rear_sides(width, facing) for facing in range(12)] == [rear_sides(90, facing) for facing in range(12)]


def test_r_fac_06_no_rear_arc_has_no_corner_and_no_side() -> None:
    for facing in range(12):
        assert rear_corners(0, facing) == rear_sides(0, facing) == 0
        assert front_corners(360, facing) == front_sides(360, facing) == ALL


@pytest.mark.parametrize("width", [*FRONT_ARCS, 0, 1, 59, 60, 61, 90, 119, 120])
def test_r_fac_01_and_02_agree_with_directions_sampled_exactly(width: int) -> None:
    front = width in FRONT_ARCS
    half = Fraction(width, 2)

    def inside(degrees: Fraction, centre: int) -> bool:
        turn = (degrees - centre) % 360
        return width > 0 and min(turn, 360 - turn) <= half

    for facing in range(12):
        centre = 30 * facing + (0 if front else 180)
        corners = sum(1 << k for k in range(6) if inside(Fraction(60 * k + 30), centre))
        # Two neighbouring samples inside make a stretch of positive length.
        sides = 0
        for k in range(6):
            samples = [inside(60 * k - 30 + Fraction(step, 4), centre) for step in range(241)]
            if any(one and other for one, other in itertools.pairwise(samples)):
                sides |= 1 << k
        assert (front_corners if front else rear_corners)(width, facing) == corners
        assert (front_sides if front else rear_sides)(width, facing) == sides


@pytest.mark.parametrize("facing", [-1, 12])
def test_r_fac_q_32_there_are_twelve_facings(facing: int) -> None:
    for arc in (front_corners, front_sides):
        with pytest.raises(ValueError, match="facing"):
            arc(180, facing)
    for arc in (rear_corners, rear_sides):
        with pytest.raises(ValueError, match="facing"):
            arc(90, facing)


def test_arcs_that_no_base_has_are_refused() -> None:
    for arc in (front_corners, front_sides):
        with pytest.raises(ValueError, match="front arc"):
            arc(90, 0)
    for arc in (rear_corners, rear_sides):
        with pytest.raises(ValueError, match="rear arc"):
            arc(121, 0)
