"""The worked examples of lines of fire: W-08, W-09 and D-01 to D-09, in axial coordinates around the attacker."""

from __future__ import annotations

import pytest

from rules.competition.ground.arcs import front_corners
from rules.competition.ground.hexside_walks import hexside_range
from rules.competition.ground.line_of_fire import Lines, lines
from tests.rules.competition.ground.oracle import plane
from tests.rules.competition.ground.strategies import arena_of, bitset, map_lattice


def name(across: int, down: int, attacker: str = "0407") -> str:
    """The hex at axial (across, down) from the attacker, (1, 0) being south-east and (0, 1) south."""
    board = map_lattice()
    return board.name(board.index(attacker) + across * board.stride + down)


def look(
    target: str, attacker: str = "0407", terrain: dict[str, str] | None = None, units: tuple[str, ...] = ()
) -> Lines:
    board = map_lattice()
    return lines(arena_of(terrain or {}), board.index(attacker), board.index(target), bitset(units))


def hexsides(a: str, b: str) -> int:
    return hexside_range(map_lattice(), map_lattice().index(a), map_lattice().index(b))


@pytest.mark.parametrize(
    ("across", "down", "hexsides_away", "walks"),
    [(2, 0, 2, 2), (1, 1, 1, 1), (3, 0, 4, 2), (2, 1, 3, 1), (5, -2, 7, 3), (6, 0, 10, 2), (3, 3, 9, 6)],
)
def test_d_01_ranges_and_numbers_of_walks(across: int, down: int, hexsides_away: int, walks: int) -> None:
    target = name(across, down)
    assert hexsides("0407", target) == hexsides_away
    assert len(list(plane().walks("0407", target))) == walks
    # All walks off an axis share both ends; on an axis each has its own.
    assert len(look(target).options) == (2 if down == 0 else 1)


def test_d_01_a_neighbour_is_at_range_0() -> None:
    assert hexsides("0407", name(1, 0)) == 0


def test_d_03_one_walk_blocked_and_the_other_past_a_unit() -> None:
    found = look(name(2, 0), units=(name(1, 0), name(0, 1)))
    assert [(option.hindering, option.intervening) for option in found.options] == [(False, True)]
    assert found.starts.bit_count() == 2


def test_d_05_units_beside_the_only_walk() -> None:
    assert [option.intervening for option in look(name(1, 1), units=(name(1, 0),)).options] == [True]
    blocked = look(name(1, 1), units=(name(1, 0), name(0, 1)))
    assert blocked.options == ()
    assert blocked.starts.bit_count() == len(blocked.all_options) == 1


def test_d_07_hindering_beside_one_walk_or_both() -> None:
    assert [option.hindering for option in look(name(2, 0), terrain={name(0, 1): "hindering"}).options] == [False, True]
    assert [option.hindering for option in look(name(2, 0), terrain={name(1, 0): "hindering"}).options] == [True, True]


def test_d_09_which_ranges_a_weapon_of_nine_hexsides_reaches() -> None:
    assert hexsides("0407", name(6, 0)) == 10
    assert hexsides("0407", name(3, 3)) == 9
    assert hexsides("0407", name(1, 0)) == 0


def test_w_08_hellion_to_solitaire_is_seven_hexsides_by_the_shortest_way_only() -> None:
    away = {name(5, -2), name(3, 2), name(4, 1), name(-2, 5), name(-1, 5)} & set(plane().centres)
    assert {hexsides("0407", target) for target in away} == {7}
    assert {plane().steps("0407")[target] for target in away} == {5}
    assert {len(walk) - 1 for target in away for walk in plane().walks("0407", target)} == {7}


def test_w_08_the_first_spoke_must_lie_in_the_front_arc() -> None:
    (option,) = look(name(3, 2)).options
    assert option.first == 2
    facings = [facing for facing in range(12) if front_corners(180, facing) >> option.first & 1]
    assert facings == [2, 3, 4, 5, 6, 7, 8]


def test_w_09_the_lines_of_the_hellion() -> None:
    """The first target is seen clearly, the second across one hindering boundary."""
    terrain = {"0706": "hindering"}
    assert not any(option.hindering for option in look("0507", "0605", terrain).options)
    assert {option.hindering for option in look("0707", "0605", terrain).options} == {True}
