"""The ground of four maps: its hexes, its starts, and how tokens are counted on it."""

import pytest

from rules.catalogue import load_builtin
from rules.competition.arena import Arena
from rules.competition.formats.grand_melee import assemble
from rules.competition.match import Match
from rules.competition.setup import MatchSetup
from rules.competition.tokens import corners, counted_hex, first_hexes
from rules.core.dice import SeededDice
from rules.core.refusals import Malformed
from tests.rules.engine.board import Json
from tests.rules.engine.test_formats import document_of, place_all


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


def test_r_fmt_21_the_maps_of_a_ground_have_the_common_size() -> None:
    maps = [load_builtin().arenas["plaza"]] * 4
    with pytest.raises(Malformed, match="ground_needs_four_maps"):
        assemble(maps[:3])
    with pytest.raises(Malformed, match="ground_needs_four_maps"):
        assemble([*maps[:3], ground()])


def test_r_fmt_20_eight_start_in_eight_hexes_at_the_outer_edges() -> None:
    match = Match.start(MatchSetup.from_json(document_of("grand_melee", *[1] * 8, arena=ground())), SeededDice(3))
    place_all(match)
    places = [unit["hex"] for unit in match.snapshot()["units"].values()]
    assert len(set(places)) == 8
    assert all(int(place[2:]) <= 2 or int(place[2:]) >= 28 for place in places)
    assert sum(int(place[:2]) < 11 for place in places) == 4


def test_r_tgt_05_tokens_of_the_large_ground_are_counted_from_an_outer_corner() -> None:
    match = Match.start(MatchSetup.from_json(document_of("grand_melee", *[1] * 5, arena=ground())), SeededDice(3))
    table, lattice = match.table, match.table.roster.lattice
    assert [lattice.name(place) for place in corners(table)] == ["0101", "0130", "2101", "2130"]
    middle = {lattice.name(place) for place in first_hexes(table)}
    assert middle <= {"0607", "0608", "0622", "0623", "1607", "1608", "1622", "1623"}
    assert lattice.name(counted_hex(table, lattice.index("2130"), 6, 7)) == "1623"
    assert lattice.name(counted_hex(table, lattice.index("2101"), 11, 15)) == "1115"
