"""Arenas compiled from their definitions (R-TER-01 to R-TER-04, R-TER-18, R-BAS-01, R-BAS-04, Q-37)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from rules.competition.ground.arena import Arena
from rules.core.codec import content_hash
from rules.core.refusals import Malformed
from rules.core.words import TERRAINS
from tests.rules.competition.ground.oracle import is_high, is_kind, plane
from tests.rules.competition.ground.strategies import NAMES, arena_of, bitset, map_lattice, names_of, terrains


def test_r_ter_01_unlisted_hexes_are_clear_and_grounded() -> None:
    arena = Arena({"hexes": {}})
    assert arena.lattice is map_lattice()
    assert not arena.hindering | arena.blocking | arena.water | arena.elevated | arena.abrupt
    assert arena.passable == arena.lattice.mask
    assert arena.open_ground
    assert arena.starts == {}


@given(terrains())
def test_r_ter_02_and_03_every_type_at_every_height(terrain: dict[str, str]) -> None:
    arena = arena_of(terrain)
    for kind in ("hindering", "blocking", "water"):
        assert names_of(getattr(arena, kind)) == {name for name in terrain if is_kind(terrain, name, kind)}
    assert names_of(arena.elevated) == {name for name in terrain if is_high(terrain, name)}
    assert names_of(arena.abrupt) == {name for name in terrain if terrain[name].endswith("abrupt")}
    assert names_of(arena.passable) == {name for name in NAMES if not is_kind(terrain, name, "blocking")}


@given(terrains())
def test_r_bas_01_contact_is_between_neighbours_of_equal_elevation(terrain: dict[str, str]) -> None:
    arena = arena_of(terrain)
    for name in NAMES:
        index = map_lattice().index(name)
        level = {other for other in plane().beside[name] if is_high(terrain, other) == is_high(terrain, name)}
        assert names_of(arena.contact[index]) == level
        assert names_of(arena.adjacent[index]) == set(plane().beside[name])


def test_r_bas_04_abrupt_and_elevated_are_one_elevation() -> None:
    arena = Arena({"hexes": {"0607": "clear+abrupt", "0608": "water+elevated"}})
    assert names_of(arena.contact[map_lattice().index("0607")]) == {"0608"}


@given(terrains())
def test_q_37_a_patch_joins_neighbours_whatever_their_elevation(terrain: dict[str, str]) -> None:
    arena = arena_of(terrain)
    for name in NAMES:
        number = arena.patch[map_lattice().index(name)]
        assert names_of(arena.patches[number]) == plane().patch(terrain, name)
        assert (number > 0) == is_kind(terrain, name, "hindering")
    assert sum(arena.patches) == arena.hindering


def test_starting_areas_are_hexes() -> None:
    arena = Arena({"hexes": {}, "starts": {"A": ["0402", "0813"], "B": []}})
    assert arena.starts == {"A": (map_lattice().index("0402"), map_lattice().index("0813")), "B": ()}


def test_equal_definitions_are_one_arena() -> None:
    one = Arena.of({"hexes": {"0607": "water", "0608": "hindering"}, "name": "Yard"})
    assert Arena.of({"name": "Yard", "hexes": {"0608": "hindering", "0607": "water"}}) is one
    assert Arena.of({"name": "Yard", "hexes": {"0608": "hindering"}}) is not one
    assert one.content_hash == content_hash({"hexes": {"0607": "water", "0608": "hindering"}, "name": "Yard"})
    assert bitset(["0607"]) == one.water


def test_the_ground_of_a_grand_melee() -> None:
    arena = Arena({"columns": 21, "rows": 30, "hexes": {"2130": "blocking"}})
    assert arena.blocking == 1 << arena.lattice.index("2130")
    assert arena.passable.bit_count() == 619


def test_twelve_terrains() -> None:
    assert len(set(TERRAINS)) == 12


@pytest.mark.parametrize(
    ("definition", "code", "parameters"),
    [
        ({"hexes": {"0607": "lava"}}, "unknown_terrain", {"hex": "0607", "terrain": "lava"}),
        ({"hexes": {"0607": "elevated"}}, "unknown_terrain", {"hex": "0607", "terrain": "elevated"}),
        ({"hexes": {"0607": "water+water"}}, "unknown_terrain", {"hex": "0607", "terrain": "water+water"}),
        ({"hexes": {"0607": ["water"]}}, "unknown_terrain", {"hex": "0607", "terrain": ["water"]}),
        ({"hexes": {"0016": "water"}}, "unknown_hex", {"hex": "0016"}),
        ({"hexes": {}, "starts": {"A": ["1301"]}}, "unknown_hex", {"hex": "1301"}),
        ({"hexes": {}, "starts": {"A": "0101"}}, "arena_malformed", {"field": "starts.A"}),
        ({"hexes": []}, "arena_malformed", {"field": "hexes"}),
        ({"hexes": {}, "starts": []}, "arena_malformed", {"field": "starts"}),
        ({"hexes": {"0607": {1}}}, "arena_malformed", {"field": "hexes"}),
        ({"hexes": {}, "columns": 0}, "arena_size", {"columns": 0, "rows": 15}),
    ],
)
def test_what_cannot_be_read_is_malformed(definition: dict[str, Any], code: str, parameters: dict[str, Any]) -> None:
    with pytest.raises(Malformed) as caught:
        Arena.of(definition)
    assert (caught.value.code, caught.value.parameters) == (code, parameters)
