"""The ground of four maps: its hexes, its starts, and how tokens are counted on it."""

from itertools import combinations_with_replacement

import pytest

from rules.catalogue import load_builtin
from rules.competition.formats.grand_melee import assemble
from rules.competition.ground.arena import Arena
from rules.competition.match import Match
from rules.competition.setups import read_setup
from rules.competition.units.tokens import corners, counted_hex, first_hexes
from rules.core.dice import SeededDice
from rules.core.refusals import Malformed
from tests.rules.board import Json
from tests.rules.competition.formats.test_formats import document_of, place_all


def ground() -> Json:
    return assemble([load_builtin().arenas[key] for key in ("factory", "heights", "plaza", "wildwood")])


def test_r_fmt_21_four_maps_make_one_ground_with_clear_seams() -> None:
    document = ground()
    lattice = Arena.of(document).lattice
    assert (document["columns"], document["rows"]) == (21, 30)
    assert len(lattice.hexes) == 11 * 30 + 10 * 29
    assert not [
        place for place in document["hexes"] if place[:2] == "11" or (int(place[:2]) % 2 == 0 and place[2:] == "15")
    ]
    maps = [load_builtin().arenas[key] for key in ("factory", "heights", "plaza", "wildwood")]
    inner = sum(1 for one in maps[::2] for place in one["hexes"] if place[:2] == "11") + sum(
        1 for one in maps[1::2] for place in one["hexes"] if place[:2] == "01"
    )
    assert len(document["hexes"]) == sum(len(one["hexes"]) for one in maps) - inner
    # A hex and its neighbours lie in their map as they lay before.
    for number, one in enumerate(maps):
        for place, terrain in one["hexes"].items():
            moved = f"{int(place[:2]) + number % 2 * 10:02d}{int(place[2:]) + number // 2 * 15:02d}"
            if moved[:2] != "11":
                assert document["hexes"][moved] == terrain


def opposite(place: str) -> str:
    """The hex in which one comes to stand when the ground is turned half round."""
    column, row = int(place[:2]), int(place[2:])
    return f"{22 - column:02d}{(31 if column % 2 else 30) - row:02d}"


@pytest.mark.parametrize(("corner", "other"), [*combinations_with_replacement(sorted(load_builtin().arenas), 2)])
def test_r_fmt_21_a_ground_with_like_maps_in_opposite_corners_is_the_same_from_both_ends(
    corner: str, other: str
) -> None:
    arenas = load_builtin().arenas
    document = assemble([arenas[key] for key in (corner, other, other, corner)])
    assert {opposite(place): terrain for place, terrain in document["hexes"].items()} == document["hexes"]
    for places in document["starts"].values():
        assert len(places) == 4
        assert {opposite(place) for place in places} == set(places)
        assert not set(places) & set(document["hexes"])


@pytest.mark.parametrize("shift", range(len(load_builtin().arenas)))
def test_r_fmt_21_r_ter_19_from_every_start_one_can_walk_to_the_whole_ground(shift: int) -> None:
    keys = sorted(load_builtin().arenas)
    arena = Arena.of(assemble([load_builtin().arenas[keys[(shift + step) % len(keys)]] for step in (0, 1, 2, 3)]))
    for start in (place for places in arena.starts.values() for place in places):
        walked, edge = 1 << start, 1 << start
        while edge:
            climbing = arena.lattice.spread(edge & arena.elevated) & arena.abrupt
            edge = (arena.lattice.spread(edge) & ~arena.abrupt | climbing) & arena.passable & ~walked
            walked |= edge
        assert walked == arena.passable


def test_r_fmt_21_the_maps_of_a_ground_have_the_common_size() -> None:
    maps = [load_builtin().arenas["plaza"]] * 4
    with pytest.raises(Malformed, match="ground_needs_four_maps"):
        assemble(maps[:3])
    with pytest.raises(Malformed, match="ground_needs_four_maps"):
        assemble([*maps[:3], ground()])


@pytest.mark.parametrize(
    ("columns", "rows", "sides", "fits"),
    [(21, 30, 5, True), (21, 30, 8, True), (21, 30, 4, True), (11, 15, 4, True), (11, 15, 5, False), (22, 15, 5, False),
     (11, 30, 5, False), (21, 29, 8, False)],
)  # fmt: skip
def test_r_fmt_21_more_than_four_need_the_ground_of_four_maps(columns: int, rows: int, sides: int, fits: bool) -> None:
    document = document_of("grand_melee", *[1] * sides, arena={"columns": columns, "rows": rows})
    if fits:
        assert len(read_setup(document).sides) == sides
        return
    with pytest.raises(Malformed, match="format_ground"):
        read_setup(document)


def test_r_fmt_20_eight_start_in_eight_hexes_at_the_outer_edges() -> None:
    match = Match.start(read_setup(document_of("grand_melee", *[1] * 8, arena=ground())), SeededDice(3))
    place_all(match)
    places = [unit["hex"] for unit in match.snapshot()["units"].values()]
    assert len(set(places)) == 8
    assert all(int(place[2:]) <= 2 or int(place[2:]) >= 28 for place in places)
    assert sum(int(place[:2]) < 11 for place in places) == 4


def test_r_tgt_05_tokens_of_the_large_ground_are_counted_from_an_outer_corner() -> None:
    match = Match.start(read_setup(document_of("grand_melee", *[1] * 5, arena=ground())), SeededDice(3))
    table, lattice = match.table, match.table.roster.lattice
    assert [lattice.name(place) for place in corners(table)] == ["0101", "0130", "2101", "2130"]
    middle = {lattice.name(place) for place in first_hexes(table)}
    assert middle <= {"0607", "0608", "0622", "0623", "1607", "1608", "1622", "1623"}
    open_ground = {"columns": 21, "rows": 30}
    match = Match.start(read_setup(document_of("grand_melee", *[1] * 5, arena=open_ground)), SeededDice(3))
    assert {lattice.name(place) for place in first_hexes(match.table)} == {
        "0607", "0608", "0622", "0623", "1607", "1608", "1622", "1623",
    }  # fmt: skip
    assert lattice.name(counted_hex(table, lattice.index("2130"), 6, 7)) == "1623"
    assert lattice.name(counted_hex(table, lattice.index("2101"), 11, 15)) == "1115"
