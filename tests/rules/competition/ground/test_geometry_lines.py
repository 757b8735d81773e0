"""Lines of fire against every walk, listed one by one on the graph of corners (R-LOF-03 to R-LOF-18, Q-33 to Q-42)."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.competition.ground.arena import Arena
from rules.competition.ground.hexes import bits, lattice
from rules.competition.ground.hexside_walks import corridor, hexside_range, hexside_ranges
from rules.competition.ground.line_of_fire import LineOption, Lines, charge_lines, lines
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


def at(name: str) -> int:
    return map_lattice().index(name)


def seen(terrain: dict[str, str], a: str, b: str, units: frozenset[str] | set[str] = frozenset()) -> Lines:
    return lines(arena_of(terrain), at(a), at(b), bitset(units))


def within(most: int) -> st.SearchStrategy[tuple[str, str]]:
    """Two hexes 2 to `most` steps apart."""
    return st.sampled_from(NAMES).flatmap(
        lambda a: st.tuples(
            st.just(a),
            st.sampled_from([name for name, steps in plane().steps(a).items() if 2 <= steps <= most]),
        )
    )


@pytest.mark.parametrize("size", [(11, 15), (12, 7), (6, 4)])
def test_r_lof_06_the_range_formula_on_every_pair(size: tuple[int, int]) -> None:
    board, reference = lattice(*size), plane(*size)
    for a in board.hexes:
        lengths = reference.hexsides(board.name(a))
        steps = reference.steps(board.name(a))
        row = hexside_ranges(board, a)
        for b in board.hexes:
            if a == b:
                continue
            name = board.name(b)
            found = min(lengths[corner] for corner in reference.corners(name))
            assert row[b] == hexside_range(board, a, b) == found
            n = steps[name]
            assert found in ({0} if n == 1 else {2 * n - 2, 2 * n - 3})


@pytest.mark.parametrize("origin", ["0101", "1115", "2130", "0130", "1001"])
def test_r_lof_06_the_range_formula_on_the_ground_of_a_grand_melee(origin: str) -> None:
    board, reference = lattice(21, 30), plane(21, 30)
    lengths = reference.hexsides(origin)
    for b in board.hexes:
        if board.name(b) != origin:
            found = min(lengths[corner] for corner in reference.corners(board.name(b)))
            assert hexside_range(board, board.index(origin), b) == found


@pytest.mark.parametrize(
    ("a", "b", "hexsides"),
    [
        ("0607", "0707", 0),
        ("0607", "0706", 1),
        ("0607", "0806", 2),
        ("0607", "0705", 3),
        ("0607", "0604", 4),
        ("0503", "0907", 9),
        ("0101", "1115", 35),
    ],
)
def test_r_lof_06_ranges_named_in_the_design(a: str, b: str, hexsides: int) -> None:
    assert hexside_range(map_lattice(), at(a), at(b)) == hexsides
    assert hexside_range(map_lattice(), at(b), at(a)) == hexsides


@settings(max_examples=120)
@given(terrains(), within(5), some_hexes(60))
def test_r_lof_10_to_16_options_are_those_of_all_walks(
    terrain: dict[str, str], pair: tuple[str, str], units: frozenset[str]
) -> None:
    a, b = pair
    third = units - {a, b}
    found = seen(terrain, a, b, third)
    assert set(found.options) == plane().options(terrain, a, b, third)
    assert len(set(found.options)) == len(found.options)
    ends = {(plane().corners(a).index(walk[0]), plane().corners(b).index(walk[-1])) for walk in plane().walks(a, b)}
    assert {(option.first, option.last) for option in found.all_options} == ends
    assert found.starts == sum({1 << first for first, _ in ends})
    assert not any(option.hindering or option.intervening for option in found.all_options)


@given(terrains(), st.permutations(range(3)), within(5))
def test_lines_are_the_same_warm_and_cold_with_units_near_and_far(
    terrain: dict[str, str], order: list[int], pair: tuple[str, str]
) -> None:
    a, b = pair
    arena = arena_of(terrain)
    between = set(names_of(corridor(map_lattice(), at(a), at(b))))
    sets: list[set[str]] = [set(), set(sorted(between)[::2]), set(NAMES) - between - {a, b}]
    for which in (*order, *order):
        found = lines(arena, at(a), at(b), bitset(sets[which]))
        assert found == seen(terrain, a, b, sets[which])
        if which != 1:
            assert found == seen(terrain, a, b)


@settings(max_examples=100)
@given(terrains(), within(10), some_hexes(40))
def test_swapping_the_ends_mirrors_the_options(
    terrain: dict[str, str], pair: tuple[str, str], units: frozenset[str]
) -> None:
    a, b = pair
    there, back = seen(terrain, a, b, units - {a, b}), seen(terrain, b, a, units - {a, b})
    mirrored = {option._replace(first=option.last, last=option.first) for option in back.options}
    assert set(there.options) == mirrored
    assert {(o.first, o.last) for o in there.all_options} == {(o.last, o.first) for o in back.all_options}


@given(terrains(), within(8), some_hexes(30))
def test_neither_end_ever_stands_beside_its_own_line(
    terrain: dict[str, str], pair: tuple[str, str], units: frozenset[str]
) -> None:
    a, b = pair
    assert seen(terrain, a, b, units | {a, b}) == seen(terrain, a, b, units - {a, b})


@settings(max_examples=80)
@given(terrains(), within(5))
def test_q_85_a_charge_line_meets_hindering_and_blocking_boundaries_at_any_elevation(
    terrain: dict[str, str], pair: tuple[str, str]
) -> None:
    a, b = pair
    patch = plane().patch(terrain, a) if b in plane().patch(terrain, a) else frozenset()
    expected = set()
    for walk in plane().walks(a, b):
        edges = [plane().by_edge[frozenset(ends)] for ends in itertools.pairwise(walk)]
        inside = bool(patch) and all(len(names) == 2 and patch.issuperset(names) for names in edges)
        rough = any(
            is_kind(terrain, name, kind) for names in edges for name in names for kind in ("hindering", "blocking")
        )
        first, last = plane().corners(a).index(walk[0]), plane().corners(b).index(walk[-1])
        expected.add(LineOption(first, last, rough and not inside, False))
    arena = arena_of(terrain)
    assert set(charge_lines(arena, at(a), at(b)).options) == expected
    assert set(charge_lines(arena, at(a), at(b)).options) == expected


def test_r_lof_18_some_walk_stays_on_the_map_for_every_pair() -> None:
    arena = Arena({"hexes": {}})
    for a in arena.lattice.hexes:
        for b in arena.lattice.hexes:
            if arena.lattice.distance(a, b) > 1:
                found = lines(arena, a, b, 0)
                assert len(found.options) in (1, 2)
                assert found.starts


def test_r_lof_18_no_walk_leaves_the_map_to_get_round_what_blocks() -> None:
    assert len(list(plane().walks("0101", "0701"))) < len(list(plane().walks("0107", "0707"))) == 6
    # The same two hexes in the middle of the same shape: inland the walks beyond them remain.
    assert seen({"0407": "blocking", "0408": "blocking"}, "0107", "0707").options
    assert seen({"0401": "blocking", "0402": "blocking"}, "0101", "0701").options == ()


@pytest.mark.parametrize(("a", "b"), [("0607", "0607"), ("0607", "0608"), ("0607", "0708")])
def test_q_34_neighbours_have_no_line(a: str, b: str) -> None:
    for find in (lambda: seen({}, a, b), lambda: charge_lines(arena_of({}), at(a), at(b))):
        with pytest.raises(ValueError, match="no line"):
            find()


def test_options_come_with_the_least_penalty_first() -> None:
    found = seen({"0505": "hindering"}, "0507", "0504", {"0605"})
    penalties = [option.hindering + 2 * option.intervening for option in found.options]
    assert penalties == sorted(penalties)
    assert len(found.options) == 2


RULES = [
    pytest.param({"0506": "blocking"}, [], id="R-LOF-10-beside-every-walk"),
    pytest.param({"0606": "blocking"}, [False], id="R-LOF-10-beside-one-walk"),
    pytest.param({"0507": "clear+elevated", "0506": "blocking", "0606": "hindering"}, [False, False], id="R-LOF-15"),
    pytest.param({"0505": "clear+abrupt", "0506": "hindering"}, [False, False], id="R-LOF-15-target-up"),
    pytest.param(
        {"0507": "clear+elevated", "0505": "clear+elevated", "0506": "blocking", "0606": "hindering"},
        [False, True],
        id="R-LOF-14",
    ),
    pytest.param({"0506": "clear+abrupt", "0606": "clear+elevated"}, [False, False], id="R-LOF-13"),
    pytest.param({"0506": "water", "0606": "water+elevated"}, [False, False], id="R-LOF-16"),
    pytest.param({"0506": "blocking+elevated"}, [], id="R-TER-03-elevated-blocking-still-blocks"),
    pytest.param({"0507": "hindering", "0505": "hindering"}, [False, False], id="Q-38-standing-in-hindering"),
    pytest.param({"0506": "hindering"}, [True, True], id="Q-37-follows"),
    pytest.param(dict.fromkeys(["0507", "0506", "0606", "0605"], "hindering"), [True, True], id="Q-37-target-outside"),
    pytest.param(
        dict.fromkeys(["0507", "0506", "0606", "0605", "0505"], "hindering"),
        [False, True],
        id="Q-37-inside-and-outline",
    ),
    pytest.param(
        dict.fromkeys(["0507", "0506", "0606", "0605", "0505"], "hindering") | {"0506": "hindering+elevated"},
        [False, True],
        id="Q-37-patch-joins-elevations",
    ),
]


@pytest.mark.parametrize(("terrain", "hindering"), RULES)
def test_terrain_on_a_straight_line_of_two(terrain: dict[str, str], hindering: list[bool]) -> None:
    """0507 looks north at 0505: 0506 lies beside both walks, 0606 and 0605 beside the right one alone."""
    found = seen(terrain, "0507", "0505")
    assert sorted(option.hindering for option in found.options) == hindering
    assert found.starts.bit_count() == 2
    assert len(found.all_options) == 2


def test_q_37_a_rim_hexside_is_outline_even_inside_a_patch() -> None:
    everywhere = dict.fromkeys(NAMES, "hindering")
    assert [option.hindering for option in seen(everywhere, "0507", "0505").options] == [False, False]
    assert sorted(option.hindering for option in seen(everywhere, "0107", "0105").options) == [False, True]


def test_q_37_a_unit_inside_the_patch_still_intervenes() -> None:
    everywhere = dict.fromkeys(NAMES, "hindering")
    found = seen(everywhere, "0508", "0505", {"0506"})
    assert [(option.hindering, option.intervening) for option in found.options] == [(False, True), (False, True)]


def test_a_charge_and_a_shot_along_one_line_differ() -> None:
    arena = arena_of({"0606": "blocking", "0506": "blocking"})
    for _ in range(2):
        assert lines(arena, at("0507"), at("0505"), 0).options == ()
        assert [option.hindering for option in charge_lines(arena, at("0507"), at("0505")).options] == [True, True]


def test_q_37_a_line_that_leaves_a_patch_for_another_is_hindered() -> None:
    terrain = dict.fromkeys(["0508", "0507", "0506", "0505"], "hindering")
    assert {option.hindering for option in seen(terrain, "0508", "0505").options} == {True}


def test_corridors_hold_every_hex_that_matters() -> None:
    for a, b in (("0507", "0505"), ("0607", "0903"), ("0101", "0501"), ("1115", "0711")):
        flanking = {
            name
            for walk in plane().walks(a, b)
            for ends in itertools.pairwise(walk)
            for name in plane().by_edge[frozenset(ends)]
        }
        found = corridor(map_lattice(), at(a), at(b))
        assert flanking <= names_of(found)
        assert not {a, b} & names_of(found)
        assert all(index in map_lattice().hexes for index in bits(found))
