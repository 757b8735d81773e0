"""The layout: names, neighbours, distances, padding, and sets of hexes as integers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.competition.ground.hexes import DIRECTIONS, STEPS, bits, lattice, nth_bit, popcount
from rules.competition.ground.hexside_walks import offset
from rules.core.refusals import Malformed
from tests.rules.competition.ground.oracle import plane

SIZES = ((11, 15), (21, 30), (2, 2), (5, 3), (12, 7))


def test_an_arena_has_160_hexes_in_11_columns() -> None:
    board = lattice(11, 15)
    names = [board.name(index) for index in board.hexes]
    assert len(names) == 160
    assert names == sorted(plane().centres)
    assert [sum(name.startswith(f"{column:02d}") for name in names) for column in range(1, 12)] == [15, 14] * 5 + [15]


def test_the_grand_melee_ground_shares_its_middle_column() -> None:
    board = lattice(21, 30)
    assert len(board.hexes) == 11 * 30 + 10 * 29
    assert lattice(21, 30) is board


@pytest.mark.parametrize(
    ("name", "around"),
    [
        ("0607", ["0606", "0707", "0708", "0608", "0508", "0507"]),
        ("0507", ["0506", "0606", "0607", "0508", "0407", "0406"]),
    ],
)
def test_neighbours_of_even_and_odd_columns_in_order_of_directions(name: str, around: list[str]) -> None:
    board = lattice(11, 15)
    index = board.index(name)
    assert DIRECTIONS == ("N", "NE", "SE", "S", "SW", "NW")
    assert [board.name(index + delta) for delta in board.deltas] == around
    assert [board.direction(index, board.index(other)) for other in around] == [0, 1, 2, 3, 4, 5]
    assert board.direction(index, index) == -1
    assert board.direction(index, board.index("0101")) == -1


@pytest.mark.parametrize("size", SIZES)
def test_neighbours_and_directions_agree_with_the_plane(size: tuple[int, int]) -> None:
    board, reference = lattice(*size), plane(*size)
    for index in board.hexes:
        beside = {board.index(name) for name in reference.beside[board.name(index)]}
        assert set(bits(board.neighbours[index])) == beside
        assert board.spread(1 << index) == board.neighbours[index]
        assert {other for other in board.hexes if board.direction(index, other) >= 0} == beside


@pytest.mark.parametrize("size", [(11, 15), (2, 2), (12, 7)])
def test_distances_and_discs_agree_with_a_search(size: tuple[int, int]) -> None:
    board, reference = lattice(*size), plane(*size)
    for index in board.hexes:
        steps = {board.index(name): count for name, count in reference.steps(board.name(index)).items()}
        assert {other: board.distance(index, other) for other in board.hexes} == steps
        for radius in (0, 1, 4):
            assert set(bits(board.disc(index, radius))) == {other for other, count in steps.items() if count <= radius}


@pytest.mark.parametrize("size", SIZES)
def test_padding_keeps_every_hex_within_two_steps_apart(size: tuple[int, int]) -> None:
    board = lattice(*size)
    places: dict[int, tuple[int, int]] = {}
    for index in board.hexes:
        here = (board.column[index], board.axial_row[index])
        for one in ((0, 0), *STEPS):
            for two in ((0, 0), *STEPS):
                across, down = one[0] + two[0], one[1] + two[1]
                there = index + across * board.stride + down
                assert 0 <= there < board.size
                place = (here[0] + across, here[1] + down)
                assert places.setdefault(there, place) == place
                assert (board.column[there], board.axial_row[there]) == place


@pytest.mark.parametrize("size", [(11, 15), (12, 7), (21, 30)])
def test_padding_keeps_the_ground_between_two_hexes_off_the_map_apart_from_the_map(size: tuple[int, int]) -> None:
    board = lattice(*size)
    on_map = {(board.column[index], board.axial_row[index]) for index in board.hexes}
    # The parallelograms that leave the map furthest start in the first column; the others repeat their shapes.
    for a in [index for index in board.hexes if board.column[index] <= 2]:
        for b in board.hexes:
            if a == b:
                continue
            side, i, j = offset(board, a, b)
            (u_across, u_down), (w_across, w_down) = STEPS[side], STEPS[(side + 1) % 6]
            for x, y in ((i, 0), (0, j), (i // 2, j), (i, j // 2)):
                across, down = x * u_across + y * w_across, x * u_down + y * w_down
                place = (board.column[a] + across, board.axial_row[a] + down)
                index = a + across * board.stride + down
                assert 0 <= index < board.size
                assert (place in on_map) == bool(board.mask >> index & 1)


@pytest.mark.parametrize("name", ["0000", "0016", "0215", "1201", "607", "06 7", "", None, 607])
def test_unknown_hexes_are_malformed(name: object) -> None:
    with pytest.raises(Malformed) as caught:
        lattice(11, 15).index(name)  # type: ignore[arg-type]
    assert (caught.value.code, caught.value.parameters) == ("unknown_hex", {"hex": name})


def test_only_hexes_of_the_map_have_names() -> None:
    board = lattice(11, 15)
    with pytest.raises(ValueError, match="no hex"):
        board.name(board.index("0101") + board.deltas[0])


@pytest.mark.parametrize("size", [(1, 15), (11, 1), (100, 15), (11, 100), ("11", 15), (11, None), (True, 15)])
def test_sizes_that_names_cannot_hold_are_malformed(size: tuple[int, int]) -> None:
    with pytest.raises(Malformed) as caught:
        lattice(*size)
    assert caught.value.code == "arena_size"


@given(st.sets(st.integers(0, 900)))
def test_sets_as_integers(members: set[int]) -> None:
    mask = sum(1 << member for member in members)
    assert list(bits(mask)) == sorted(members)
    assert popcount(mask) == len(members)
    assert [nth_bit(mask, n) for n in range(len(members))] == sorted(members)
    for n in (-1, len(members)):
        with pytest.raises(IndexError):
            nth_bit(mask, n)
