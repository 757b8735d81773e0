"""A line of fire between two hexes says what it meets, and the hexes under threat are those that can be attacked."""

from __future__ import annotations

import pytest

from rules.competition.forecast import attacks_on
from rules.competition.match import Match
from rules.competition.measures import measure, threatened
from rules.core.refusals import Malformed
from tests.rules.board import Dropped, Json, duel, random_position


def ground(hexes: Json, **keys: Json) -> Match:
    """A duel, far from what is measured, in an arena with these hexes."""
    away = {"red": {"hex": "0101"}, "blue": {"hex": "1115"}}
    return Dropped(duel(arena={"id": "tried", "hexes": hexes}, **{**away, **keys}), 1).match


def test_r_lof_06_the_range_counts_hexsides_not_hexes() -> None:
    found = measure(ground({}), "0604", "0608")
    assert (found.range, found.verdict, found.is_hindered, found.is_intervened) == (6, "clear", False, False)


@pytest.mark.parametrize(("end", "verdict"), [("0604", "same"), ("0605", "adjacent")])
def test_r_lof_07_neighbours_have_no_line(end: str, verdict: str) -> None:
    found = measure(ground({"0605": "hindering"}), "0604", end)
    assert (found.range, found.verdict) == (0, verdict)


def test_r_lof_10_blocking_terrain_is_named() -> None:
    wall = {"0504": "blocking", "0505": "blocking", "0605": "blocking", "0705": "blocking", "0704": "blocking"}
    found = measure(ground(wall), "0603", "0607")
    assert found.verdict == "blocked_by_terrain"
    assert "0605" in found.blocking


def test_r_lof_11_units_that_stand_side_by_side_are_named() -> None:
    match = ground({}, red={"hex": "0606"}, blue={"hex": "0707"})
    assert measure(match, "0607", "0706").units == ("a", "b")
    assert measure(match, "0607", "0706").verdict == "blocked_by_units"


def test_r_rmd_01_hindering_terrain_on_every_way_hinders() -> None:
    found = measure(ground({"0605": "hindering"}), "0603", "0607")
    assert (found.verdict, found.is_hindered) == ("clear", True)


def test_r_rmd_11_a_unit_beside_every_way_intervenes() -> None:
    found = measure(ground({}, red={"hex": "0605"}), "0603", "0607")
    assert (found.verdict, found.is_intervened, found.units) == ("clear", True, ("a",))


def test_r_lof_15_one_elevated_end_lets_blocking_terrain_pass() -> None:
    wall = {"0504": "blocking", "0505": "blocking", "0605": "blocking", "0705": "blocking", "0704": "blocking"}
    found = measure(ground({**wall, "0603": "clear+elevated"}), "0603", "0607")
    assert (found.verdict, found.elevated, found.blocking) == ("clear", 1, ())


def test_r_lof_18_a_line_that_only_the_rim_keeps_blocked_says_so() -> None:
    wall = {"0401": "blocking", "0402": "blocking"}
    rim = measure(ground(wall, red={"hex": "1101"}), "0101", "0701")
    assert (rim.verdict, rim.is_cut_by_rim) == ("blocked_by_terrain", True)
    inland = measure(ground({name: "blocking" for name in ("0504", "0505", "0605", "0705", "0704")}), "0603", "0607")
    assert (inland.verdict, inland.is_cut_by_rim) == ("blocked_by_terrain", False)
    assert not measure(ground({}, red={"hex": "1101"}), "0101", "0701").is_cut_by_rim


def test_a_hex_that_the_arena_does_not_have_is_refused() -> None:
    with pytest.raises(Malformed) as refused:
        measure(ground({}), "0604", "9999")
    assert (refused.value.code, refused.value.parameters) == ("unknown_hex", {"hex": "9999"})


def test_a_hex_is_under_threat_exactly_when_the_unit_there_can_be_attacked() -> None:
    seen = set()
    for number in range(12):
        match = random_position(number)
        table = match.table
        for unit, place in enumerate(table.position.hex):
            if place < 0:
                continue
            enemies = [
                other
                for other, at in enumerate(table.position.hex)
                if at >= 0 and table.roster.side_of[other] != table.roster.side_of[unit]
            ]
            attacked = any(attacks_on(table, other, unit) for other in enemies)
            marked = table.roster.lattice.name(place) in threatened(match, table.roster.fighters[unit].name)
            assert marked == attacked
            seen.add(attacked)
    assert seen == {True, False}


def test_to_look_for_threats_changes_nothing() -> None:
    match = random_position(3)
    before = match.table.position.copy()
    threatened(match, match.table.roster.fighters[0].name)
    assert match.table.position == before
