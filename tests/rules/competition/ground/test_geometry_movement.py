"""Reach, routes and paths against a plain search over hexes (R-MOV-02 to R-MOV-13, R-MOV-22, Q-46 to Q-50)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.competition.ground.arena import Arena
from rules.competition.ground.paths import REFUSAL_CODES, entry_cost, jump_reach, path_problem, reach, route
from rules.core.refusals import Refusal
from tests.rules.competition.ground.oracle import is_kind, plane
from tests.rules.competition.ground.strategies import (
    NAMES,
    arena_of,
    bitset,
    map_lattice,
    names_of,
    some_hexes,
    terrains,
)

SPEEDS = st.integers(0, 22)
ORIGINS = st.sampled_from(NAMES)


def at(name: str) -> int:
    return map_lattice().index(name)


def path_of(*names: str) -> tuple[int, ...]:
    return tuple(at(name) for name in names)


@settings(max_examples=100)
@given(terrains(), ORIGINS, SPEEDS, some_hexes(12), some_hexes(30), st.booleans())
def test_r_mov_02_to_13_reach_is_what_a_search_finds(
    terrain: dict[str, str], origin: str, speed: int, occupied: frozenset[str], stops: frozenset[str], flat: bool
) -> None:
    found = reach(arena_of(terrain), at(origin), speed, bitset(occupied), bitset(stops), flat)
    expected = plane().costs(terrain, origin, speed, occupied, stops, flat)
    assert names_of(found) == set(expected) - {origin}


@given(terrains(), ORIGINS, st.integers(0, 14), some_hexes(12), some_hexes(30), st.booleans())
def test_routes_are_legal_and_cheapest(
    terrain: dict[str, str], origin: str, speed: int, occupied: frozenset[str], stops: frozenset[str], flat: bool
) -> None:
    arena, taken, ending = arena_of(terrain), bitset(occupied), bitset(stops)
    for name, cost in plane().costs(terrain, origin, speed, occupied, stops, flat).items():
        path = route(arena, at(origin), at(name), speed, taken, ending, flat)
        assert (path[-1] if path else at(origin)) == at(name)
        assert path_problem(arena, at(origin), path, cost, taken, ending, flat) is None
        assert path == route(arena, at(origin), at(name), speed, taken, ending, flat)
        if cost:
            problem = path_problem(arena, at(origin), path, cost - 1, taken, ending, flat)
            assert problem == Refusal("path_too_long", {"cost": cost, "speed": cost - 1})


@given(terrains(), ORIGINS, st.integers(0, 16), some_hexes(20))
def test_r_mov_13_jumps_go_over_anything_and_end_on_free_ground(
    terrain: dict[str, str], origin: str, speed: int, occupied: frozenset[str]
) -> None:
    arena, taken = arena_of(terrain), bitset(occupied)
    near = {name for name, steps in plane().steps(origin).items() if 2 * steps <= speed}
    expected = {name for name in near if not is_kind(terrain, name, "blocking")} - occupied - {origin}
    assert names_of(jump_reach(arena, at(origin), speed, taken)) == expected
    for name in expected:
        path = route(arena, at(origin), at(name), speed, taken, arena.lattice.mask, jump=True)
        assert path[-1] == at(name)
        assert len(path) == plane().steps(origin)[name]
        assert path_problem(arena, at(origin), path, speed, taken, arena.lattice.mask, jump=True) is None


def test_route_to_the_origin_is_empty_and_out_of_reach_is_an_error() -> None:
    arena = arena_of({"0606": "blocking"})
    assert route(arena, at("0607"), at("0607"), 0, 0, 0) == ()
    for jump in (False, True):
        with pytest.raises(ValueError, match="0606"):
            route(arena, at("0607"), at("0606"), 20, 0, 0, jump=jump)


COSTS = [
    pytest.param("clear", "clear", 2, id="R-MOV-02"),
    pytest.param("clear", "hindering", 3, id="R-MOV-03"),
    pytest.param("hindering", "hindering", 3, id="R-TER-06"),
    pytest.param("hindering", "clear", 2, id="Q-47-leaving"),
    pytest.param("clear", "clear+elevated", 3, id="R-MOV-04"),
    pytest.param("clear", "hindering+elevated", 3, id="R-MOV-05"),
    pytest.param("clear+elevated", "clear+elevated", 2, id="R-MOV-06-level"),
    pytest.param("clear+elevated", "clear", 2, id="R-MOV-06-down"),
    pytest.param("clear+elevated", "hindering", 3, id="R-MOV-06-down-into-hindering"),
    pytest.param("clear+elevated", "hindering+elevated", 3, id="R-MOV-06-level-hindering"),
    pytest.param("clear", "water", 2, id="R-MOV-07"),
    pytest.param("water", "water+elevated", 3, id="R-TER-12"),
    pytest.param("clear+elevated", "clear+abrupt", 2, id="R-TER-19"),
    pytest.param("clear+abrupt", "clear", 2, id="Q-46-leaving"),
]


@pytest.mark.parametrize(("here", "there", "cost"), COSTS)
def test_q_47_entry_costs(here: str, there: str, cost: int) -> None:
    arena = Arena({"hexes": {"0607": here, "0606": there}})
    assert entry_cost(arena, at("0607"), at("0606")) == cost
    assert entry_cost(arena, at("0607"), at("0606"), flat=True) == 2
    for speed in (1, 2, 3):
        assert bool(reach(arena, at("0607"), speed, 0, 0) & 1 << at("0606")) == (speed >= cost)
    problem = path_problem(arena, at("0607"), path_of("0606"), cost - 1, 0, 0)
    assert problem == Refusal("path_too_long", {"cost": cost, "speed": cost - 1})


def test_w_11_only_the_largest_cost_counts() -> None:
    arena = Arena({"hexes": {"0606": "hindering+elevated", "0605": "hindering+elevated"}})
    assert path_problem(arena, at("0607"), path_of("0606", "0605"), 6, 0, 0) is None
    assert path_problem(arena, at("0607"), path_of("0606", "0605"), 5, 0, 0) is not None


def test_w_12_elevated_hindering_from_grounded_costs_three() -> None:
    arena = Arena({"hexes": {"0606": "hindering+elevated"}})
    assert entry_cost(arena, at("0607"), at("0606")) == 3


def test_q_46_abrupt_terrain_only_from_elevated_ground() -> None:
    arena = Arena({"hexes": {"0606": "clear+abrupt", "0605": "clear+elevated"}})
    for flat in (False, True):
        assert not reach(arena, at("0607"), 2, 0, 0, flat) >> at("0606") & 1
        problem = path_problem(arena, at("0607"), path_of("0606"), 9, 0, 0, flat)
        assert problem == Refusal("path_abrupt", {"from": "0607", "hex": "0606"})
    assert path_problem(arena, at("0604"), path_of("0605", "0606", "0607"), 7, 0, 0) is None
    assert jump_reach(arena, at("0607"), 2, 0) >> at("0606") & 1


def test_r_sem_01_reconnaissance_pays_two_for_every_hex() -> None:
    terrain = dict.fromkeys(NAMES, "hindering") | {"0606": "hindering+elevated"}
    arena = arena_of(terrain)
    assert names_of(reach(arena, at("0608"), 6, 0, 0, flat=True)) == {
        name for name, steps in plane().steps("0608").items() if 1 <= steps <= 3
    }
    assert path_problem(arena, at("0607"), path_of("0606", "0605"), 4, 0, 0, flat=True) is None


def test_r_mov_11_contact_ends_movement_but_not_at_the_origin() -> None:
    arena = arena_of({})
    stops = bitset(["0607", "0606"])
    assert path_problem(arena, at("0607"), path_of("0606"), 9, 0, stops) is None
    problem = path_problem(arena, at("0607"), path_of("0606", "0605"), 9, 0, stops)
    assert problem == Refusal("path_must_stop", {"hex": "0606"})
    assert names_of(reach(arena, at("0607"), 2, 0, stops)) == set(plane().beside["0607"])


def test_r_mov_22_a_jump_is_not_stopped_on_the_way() -> None:
    arena = arena_of({"0605": "blocking"})
    stops, occupied = bitset(NAMES), bitset(["0606"])
    assert path_problem(arena, at("0607"), path_of("0606", "0605", "0604"), 6, occupied, stops, jump=True) is None


def test_r_mov_18_a_path_without_hexes_turns_only() -> None:
    for jump in (False, True):
        assert path_problem(arena_of({}), at("0607"), (), 0, bitset(["0607"]), bitset(["0607"]), jump=jump) is None


def test_the_origin_counts_as_free_on_the_way_back() -> None:
    arena, occupied = arena_of({}), bitset(["0607"])
    for jump in (False, True):
        assert path_problem(arena, at("0607"), path_of("0606", "0607"), 4, occupied, 0, jump=jump) is None


PROBLEMS = [
    pytest.param(("0606", "0604"), False, "path_not_adjacent", {"from": "0606", "to": "0604"}, id="path_not_adjacent"),
    pytest.param(("0607",), False, "path_not_adjacent", {"from": "0607", "to": "0607"}, id="standing-still"),
    pytest.param(("0608",), False, "path_blocked", {"hex": "0608"}, id="R-MOV-08"),
    pytest.param(("0708",), False, "path_blocked", {"hex": "0708"}, id="R-TER-15"),
    pytest.param(("0707",), False, "path_occupied", {"hex": "0707"}, id="R-MOV-13"),
    pytest.param(("0606", "0605", "0604"), False, "path_too_long", {"cost": 6, "speed": 5}, id="R-MOV-10"),
    pytest.param(("0608",), True, "path_ends_blocked", {"hex": "0608"}, id="R-TER-09"),
    pytest.param(("0707",), True, "path_ends_occupied", {"hex": "0707"}, id="R-MOV-13-jump"),
    pytest.param(("0608", "0609", "0610"), True, "path_too_long", {"cost": 6, "speed": 5}, id="R-MOV-22-too-long"),
    pytest.param(("0606", "0604"), True, "path_not_adjacent", {"from": "0606", "to": "0604"}, id="jump-not-adjacent"),
]


@pytest.mark.parametrize(("names", "jump", "code", "parameters"), PROBLEMS)
def test_problems_of_paths(names: tuple[str, ...], jump: bool, code: str, parameters: dict[str, object]) -> None:
    arena = Arena({"hexes": {"0608": "blocking", "0708": "blocking+elevated"}})
    problem = path_problem(arena, at("0607"), path_of(*names), 5, bitset(["0707"]), 0, jump=jump)
    assert problem == Refusal(code, parameters)
    assert code in REFUSAL_CODES
