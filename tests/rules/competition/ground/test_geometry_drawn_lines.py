"""Lines that a player draws corner by corner (R-LOF-03, R-LOF-05, R-IND-08)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.competition.ground.corners import corner, corner_neighbours
from rules.competition.ground.hexes import lattice
from rules.competition.ground.line_of_fire import REFUSAL_CODES, LineOption, line_option, line_problem
from rules.core.refusals import IllegalAction, Malformed, Refusal
from tests.rules.competition.ground.oracle import Point, plane
from tests.rules.competition.ground.strategies import NAMES, arena_of, bitset, map_lattice, some_hexes, terrains


def at(name: str) -> int:
    return map_lattice().index(name)


def drawn(walk: list[Point]) -> list[str]:
    return [plane().name_of_corner(point) for point in walk]


@settings(max_examples=75)
@given(terrains(), st.sampled_from(NAMES), st.data(), some_hexes(50))
def test_every_shortest_walk_can_be_drawn_and_meets_what_it_meets(
    terrain: dict[str, str], a: str, data: st.DataObject, units: frozenset[str]
) -> None:
    b = data.draw(st.sampled_from([name for name, steps in plane().steps(a).items() if 2 <= steps <= 4]))
    arena, others = arena_of(terrain), units - {a, b}
    for walk in plane().walks(a, b):
        corners = drawn(walk)
        expected = plane().option(terrain, a, b, others, walk)
        problem = line_problem(arena, at(a), at(b), corners, bitset(others))
        assert (problem is None) == (expected is not None)
        if problem is None:
            assert line_option(arena, at(a), at(b), corners, bitset(others)) == expected
        else:
            assert problem.code in ("line_blocked", "line_blocked_by_units")
        over = line_option(arena, at(a), at(b), corners, bitset(others), indirect=True)
        ends = (plane().corners(a).index(walk[0]), plane().corners(b).index(walk[-1]))
        assert over == LineOption(*ends, False, False)


def test_any_name_of_a_corner_will_do() -> None:
    assert line_option(arena_of({}), at("0607"), at("0706"), ["0607@1", "0707@11"], 0) == LineOption(0, 3, False, False)
    assert line_option(arena_of({}), at("0607"), at("0706"), ["0606@5", "0706@7"], 0) == LineOption(0, 3, False, False)


PROBLEMS = [
    pytest.param("0608", ["0607@5"], "line_to_adjacent", {"target": "0608"}, id="Q-34"),
    pytest.param("0607", ["0607@5"], "line_to_adjacent", {"target": "0607"}, id="itself"),
    pytest.param("0605", [], "line_not_shortest", {"length": 0, "range": 2}, id="nothing"),
    pytest.param(
        "0706", ["0706@7"], "line_starts_elsewhere", {"corner": "0606@3", "hex": "0607"}, id="starts-elsewhere"
    ),
    pytest.param("0706", ["0607@1"], "line_ends_elsewhere", {"corner": "0606@5", "hex": "0706"}, id="ends-elsewhere"),
    pytest.param("0605", ["0607@1", "0605@5"], "line_not_connected", {"from": "0606@5", "to": "0605@5"}, id="gap"),
    pytest.param(
        "0706",
        ["0607@3", "0607@1", "0706@7"],
        "line_not_shortest",
        {"length": 2, "range": 1},
        id="R-LOF-05-along-its-own-side",
    ),
]


@pytest.mark.parametrize(("target", "corners", "code", "parameters"), PROBLEMS)
def test_problems_of_drawn_lines(target: str, corners: list[str], code: str, parameters: dict[str, object]) -> None:
    problem = line_problem(arena_of({}), at("0607"), at(target), corners, 0)
    assert problem == Refusal(code, parameters)
    assert code in REFUSAL_CODES
    with pytest.raises(IllegalAction) as caught:
        line_option(arena_of({}), at("0607"), at(target), corners, 0)
    assert (caught.value.code, caught.value.parameters) == (code, parameters)


def test_r_lof_10_and_11_what_blocks_a_drawn_line_is_named_and_indirect_fire_ignores_it() -> None:
    corners, where = ["0607@1", "0706@7"], {"from": "0606@5", "to": "0606@3"}
    woods, clear, both = arena_of({"0707": "blocking"}), arena_of({}), bitset(["0606", "0707"])
    assert line_problem(woods, at("0607"), at("0706"), corners, 0) == Refusal("line_blocked", where)
    assert line_problem(clear, at("0607"), at("0706"), corners, both) == Refusal("line_blocked_by_units", where)
    for arena in (woods, clear):
        assert line_problem(arena, at("0607"), at("0706"), corners, both, indirect=True) is None


@pytest.mark.parametrize("size", [(11, 15), (21, 30), (2, 2), (4, 3)])
def test_r_lof_18_an_edge_between_corners_of_the_map_belongs_to_the_map(size: tuple[int, int]) -> None:
    board = lattice(*size)
    values = {corner(board, index, which) for index in board.hexes for which in range(6)}
    for value in values:
        for end, sides in corner_neighbours(board, value):
            if end in values:
                assert any(board.mask >> index & 1 for index in sides)


def test_corners_that_do_not_exist_are_malformed() -> None:
    with pytest.raises(Malformed):
        line_problem(arena_of({}), at("0607"), at("0706"), ["0607@2"], 0)
