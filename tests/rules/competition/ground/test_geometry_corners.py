"""Names of corners, and the edges between them (R-LOF-03)."""

from __future__ import annotations

import pytest

from rules.competition.ground.corners import (
    corner,
    corner_hexes,
    corner_name,
    corner_neighbours,
    edge_hexes,
    parse_corner,
    which_corner,
)
from rules.core.refusals import Malformed
from tests.rules.competition.ground.oracle import plane
from tests.rules.competition.ground.strategies import NAMES, map_lattice


def every_name() -> list[str]:
    return [f"{name}@{facing}" for name in NAMES for facing in range(1, 12, 2)]


def test_a_corner_has_one_value_under_all_its_names() -> None:
    board = map_lattice()
    assert len({parse_corner(board, name) for name in ("0607@1", "0606@5", "0707@9")}) == 1
    by_point: dict[tuple[int, int], set[int]] = {}
    for name in every_name():
        hexagon, facing = name.split("@")
        point = plane().corners(hexagon)[int(facing) // 2]
        by_point.setdefault(point, set()).add(parse_corner(board, name))
    assert all(len(values) == 1 for values in by_point.values())
    assert len(set.union(*by_point.values())) == len(by_point)


def test_the_canonical_name_is_that_of_the_first_hex_and_reads_back() -> None:
    board = map_lattice()
    for name in every_name():
        hexagon, facing = name.split("@")
        value = parse_corner(board, name)
        assert corner_name(board, value) == plane().name_of_corner(plane().corners(hexagon)[int(facing) // 2])
        assert parse_corner(board, corner_name(board, value)) == value
        assert which_corner(board, board.index(hexagon), value) == int(facing) // 2


def test_hexes_of_a_corner() -> None:
    board = map_lattice()
    for name in NAMES:
        for k in range(6):
            value = corner(board, board.index(name), k)
            point = plane().corners(name)[k]
            expected = {
                (other, plane().corners(other).index(point)) for other in NAMES if point in plane().corners(other)
            }
            assert {(board.name(index), which) for index, which in corner_hexes(board, value)} == expected
            assert which_corner(board, board.index("0101" if name != "0101" else "1111"), value) in {-1, *range(6)}
    assert which_corner(board, board.index("0101"), parse_corner(board, "0607@3")) == -1


def test_corners_beside_the_map_have_no_name() -> None:
    board = map_lattice()
    beside = board.index("0101") + board.deltas[0]
    with pytest.raises(ValueError, match="no hex"):
        corner_name(board, corner(board, beside, 5))


def test_edges_and_the_hexes_they_divide() -> None:
    board = map_lattice()
    points = {parse_corner(board, name): plane().corners(name[:4])[int(name[5:]) // 2] for name in every_name()}
    for value, point in points.items():
        ends = {points[end]: hexes for end, hexes in corner_neighbours(board, value) if end in points}
        for other, hexes in ends.items():
            names = plane().by_edge.get(frozenset((point, other)), [])
            assert sorted(names) == sorted(board.name(index) for index in hexes if board.mask >> index & 1)
        assert set(plane().edges[point]) <= set(ends)


def test_corners_that_no_edge_joins() -> None:
    board = map_lattice()
    one = parse_corner(board, "0607@1")
    assert edge_hexes(board, one, parse_corner(board, "0607@5")) is None
    assert edge_hexes(board, one, one) is None
    shared = edge_hexes(board, one, parse_corner(board, "0607@3"))
    assert shared is not None
    assert {board.name(index) for index in shared} == {"0607", "0707"}


@pytest.mark.parametrize(
    "name", ["0607", "0607@", "0607@0", "0607@2", "0607@13", "0607@03", "0016@1", "@3", "", None, 5]
)
def test_a_name_that_is_not_a_corner_is_malformed(name: object) -> None:
    with pytest.raises(Malformed) as caught:
        parse_corner(map_lattice(), name)  # type: ignore[arg-type]
    assert (caught.value.code, caught.value.parameters) == ("unknown_corner", {"corner": name})
