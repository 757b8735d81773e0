"""Replacement tokens: who draws, from which corner, and where it lies."""

import itertools
from typing import Any

import pytest

from rules.competition.match import Match
from rules.competition.setups import read_setup, roster_of
from rules.competition.state.events import FIRST_SIDE, MATCH_STARTED, TOKEN_DESTROYED, TOKEN_DRAWN, TOKEN_PLACED
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import Position
from rules.competition.state.scene_events import SET_UP
from rules.competition.units.tokens import can_be_attacked, counted_hex, replace_token
from rules.core.dice import ScriptedDice, SeededDice
from rules.core.refusals import IllegalAction, Malformed
from tests.rules.board import Json, happened, loadout, setup_document, token
from tests.rules.competition.phases.test_preparation import STARTS, THREE, decided

# --- replacements -----------------------------------------------------------------------------------------------


def at_replacement(
    dice: list[int], *, sides: Any = None, last: int = 0, gone: tuple[int, ...] = (), pool: int = 6, hexes: Any = None,
    in_play: str | None = None, at: str = "0101", first: int = 0, **size: int,
) -> Match:  # fmt: skip
    """A match at the end of a clean-up: `last` destroyed the last token, units stand in 0105, 0205, ... or are gone."""
    names = sides or {"red": [loadout("a")], "blue": [loadout("b")]}
    tokens = [token(f"T{number}") for number in range(3)]
    setup = read_setup(setup_document(names, arena={**size, "hexes": hexes or {}, "starts": STARTS}, tokens=tokens))
    roster = roster_of(setup)
    table = MatchState(roster, Position.empty(len(roster.fighters), len(roster.sides)), ScriptedDice(dice), [])
    table.emit(MATCH_STARTED, "standard", list(roster.sides), list(range(pool)), [0] * len(roster.fighters))
    for number in roster.units:
        place = -1 if number in gone else roster.lattice.index(f"{number + 1:02d}05" if number else at)
        table.emit(SET_UP, number, place, 0, 0, 0, 0, 4 if number in gone else 0, 0)
    table.emit(FIRST_SIDE, first)
    table.emit(TOKEN_DRAWN, 0, 0)
    if in_play:
        table.emit(TOKEN_PLACED, 0, roster.lattice.index(in_play))
    else:
        table.emit(TOKEN_DESTROYED, 0, last, roster.side_of[last], "energy", 5)
    table.push((replace_token,))
    return Match.of_table(table)


def corner(name: str, place: str) -> Json:
    return {"unit": name, "choose": "token", "hex": place}


def test_r_tgt_12_15_r_cln_09_the_left_neighbour_of_the_destroyer_draws_and_chooses_the_corner() -> None:
    match = at_replacement([2, 3, 3, 2, 2, 2], last=0)
    assert decided(match) == ("token", "b")
    assert [action["hex"] for action in match.legal_actions()] == ["0101", "0115", "1101", "1115"]
    match.play(corner("b", "0101"))
    assert {name: one["hex"] for name, one in match.snapshot()["tokens"].items()} == {"t3": "0606"}
    assert decided(at_replacement([2], last=1)) == ("token", "a")


@pytest.mark.parametrize(("last", "first", "places"), [(0, 1, "b"), (0, 2, "b"), (1, 0, "c"), (2, 1, "a")])
def test_r_tgt_12_the_destroyer_counts_not_who_was_first(last: int, first: int, places: str) -> None:
    assert decided(at_replacement([1], sides=THREE, last=last, first=first)) == ("token", places)


def test_q_122_a_neighbour_who_is_out_is_passed_over() -> None:
    assert decided(at_replacement([1], sides=THREE, last=0)) == ("token", "b")
    assert decided(at_replacement([1], sides=THREE, last=0, gone=(1,))) == ("token", "c")
    assert decided(at_replacement([1], sides=THREE, last=2, gone=(0,))) == ("token", "b")


def test_r_tgt_11_r_tgt_04_no_replacement_while_one_is_in_play() -> None:
    match = at_replacement([], in_play="0607")
    assert match.decision is None
    assert len(match.snapshot()["tokens"]) == 1


def test_r_tgt_17_an_empty_pool_gives_no_more_tokens() -> None:
    match = at_replacement([], pool=1)
    assert match.decision is None
    assert match.snapshot()["tokens"] == {}


@pytest.mark.parametrize("place", ["0607", "0102", "1114", "1015"])
def test_r_tgt_12_only_the_four_corners_can_be_named(place: str) -> None:
    match = at_replacement([1])
    with pytest.raises((IllegalAction, Malformed)):
        match.play(corner("b", place))


CORNERS = {"0101": (0, 0), "0115": (0, 1), "1101": (1, 0), "1115": (1, 1)}


@pytest.mark.parametrize("place", CORNERS)
def test_q_120_counting_from_every_corner(place: str) -> None:
    """The corner is 1; across the short side column by column, then along the column away from that corner's edge.

    Column k from a corner has 15 hexes when k is odd and 14 when it is even, whichever corner it is.
    """
    table = at_replacement([1]).table
    lattice = table.roster.lattice
    from_right, from_bottom = CORNERS[place]
    for across, along in itertools.product(range(1, 12), range(1, 16)):
        found = counted_hex(table, lattice.index(place), across, along)
        length = 14 if across % 2 == 0 else 15
        if along > length:
            assert found == -1, (across, along)
            continue
        column = 12 - across if from_right else across
        row = length + 1 - along if from_bottom else along
        assert lattice.name(found) == f"{column:02d}{row:02d}", (across, along)


@pytest.mark.parametrize("place", CORNERS)
def test_w_16_q_120_six_across_then_seven_or_eight_is_the_centre_from_every_corner(place: str) -> None:
    table = at_replacement([1]).table
    lattice = table.roster.lattice
    found = {lattice.name(counted_hex(table, lattice.index(place), 6, along)) for along in (7, 8)}
    assert found == {"0607", "0608"}


@pytest.mark.parametrize(("place", "lands"), [("0101", "0409"), ("0115", "0406"), ("1101", "0809"), ("1115", "0806")])
def test_q_120_the_same_roll_from_the_four_corners(place: str, lands: str) -> None:
    match = at_replacement([1, 2, 2, 3, 3, 3], at="1105")
    match.play(corner("b", place))
    assert [one["hex"] for one in match.snapshot()["tokens"].values()] == [lands]
    assert happened(match, "token_counted")[0] == {
        "event": "token_counted", "see": "all", "corner": place, "across": 4, "along": 9, "hex": lands,
    }  # fmt: skip


def test_r_tgt_13_twelve_across_is_rolled_again() -> None:
    match = at_replacement([1, 6, 6, 6, 6, 1, 1, 1, 1, 1])
    match.play(corner("b", "0101"))
    assert [one["hex"] for one in match.snapshot()["tokens"].values()] == ["0203"]


def test_r_tgt_14_sixteen_to_eighteen_along_are_rolled_again() -> None:
    match = at_replacement([1, 1, 2, 6, 6, 6, 6, 6, 5, 6, 5, 5, 5, 5, 5])
    match.play(corner("b", "0101"))
    assert [one["hex"] for one in match.snapshot()["tokens"].values()] == ["0315"]


@pytest.mark.parametrize(
    ("dice", "lands"),
    [
        pytest.param([6, 6, 5, 6, 1, 1, 1], "1103", id="R-TGT-13 twelve across"),
        pytest.param([1, 1, 6, 5, 5, 5, 5, 5], "0215", id="R-TGT-14 sixteen along"),
        pytest.param([1, 1, 6, 6, 6, 1, 1, 1], "0203", id="R-TGT-14 eighteen along"),
    ],
)
def test_r_tgt_13_r_tgt_14_the_same_results_are_rolled_again_on_four_maps(dice: list[int], lands: str) -> None:
    """Although the large ground has a twelfth column and a sixteenth row."""
    match = at_replacement([1, *dice], columns=21, rows=30, at="2130")
    match.play(corner("b", "0101"))
    assert [one["hex"] for one in match.snapshot()["tokens"].values()] == [lands]


@pytest.mark.parametrize(
    ("along", "hexes", "why"),
    [
        pytest.param([5, 5, 5], {}, "fifteen falls off an even column", id="R-TGT-16 Q-121 off the map"),
        pytest.param([1, 2, 2], {}, "the other unit stands in 0205", id="R-TGT-16 Q-121 a unit"),
        pytest.param([2, 2, 2], {"0206": "blocking"}, "rock", id="R-TGT-16 Q-121 blocking"),
        pytest.param(
            [2, 2, 2],
            dict.fromkeys(["0207", "0106", "0107", "0306", "0307"], "blocking"),
            "nobody gets near",
            id="R-TGT-16 Q-121 walled in by rock and the unit in 0205",
        ),
    ],
)
def test_r_tgt_16_a_hex_that_cannot_be_attacked_is_rolled_along_again(
    along: list[int], hexes: dict[str, str], why: str
) -> None:
    match = at_replacement([1, 1, 1, *along, 1, 1, 2], hexes=hexes)
    match.play(corner("b", "0101"))
    assert [one["hex"] for one in match.snapshot()["tokens"].values()] == ["0204"], why


def test_q_121_after_fifty_rolls_along_the_width_is_rolled_again() -> None:
    column = {f"02{row:02d}": "blocking" for row in range(1, 15)}
    dice = [1, 1, 1, *([1, 1, 1] * 50), 1, 2, 1, 1, 1]
    match = at_replacement(dice, hexes=column, sides={"red": [loadout("a")], "blue": [loadout("b")]}, at="1105")
    match.table.emit(SET_UP, 1, match.table.roster.lattice.index("1110"), 0, 0, 0, 0, 0, 0)
    match.play(corner("b", "0101"))
    assert [one["hex"] for one in match.snapshot()["tokens"].values()] == ["0303"]


def test_q_121_no_free_hex_at_all_gives_no_token_instead_of_rolling_for_ever() -> None:
    rock = {f"{column:02d}{row:02d}": "blocking" for column in range(1, 12) for row in range(1, 16 - (column + 1) % 2)}
    for free in ("0101", "0205", *(place for places in STARTS.values() for place in places)):
        del rock[free]
    match = at_replacement([1], hexes=rock)
    assert not any(can_be_attacked(match.table, place) for place in match.table.roster.lattice.hexes)
    match.play(corner("b", "0101"))
    assert match.snapshot()["tokens"] == {}


WALL = dict.fromkeys(["0205", "0207", "0106", "0107", "0306", "0307"], "blocking")


@pytest.mark.parametrize(
    ("hexes", "standard", "weapons_dead"),
    [
        pytest.param(WALL, False, False, id="walled in on the ground"),
        pytest.param({**WALL, "0206": "clear+elevated"}, True, False, id="walled in on a height: it can be shot at"),
        pytest.param({"0206": "clear+abrupt"}, True, False, id="a cliff above the ground: only shots reach it"),
        pytest.param({"0206": "clear+abrupt", "0205": "clear+elevated"}, True, True, id="a cliff beside a height"),
        pytest.param({"0206": "hindering"}, True, True, id="woods"),
        pytest.param({"0206": "blocking+elevated"}, False, False, id="rock"),
    ],
)
def test_q_121_a_token_lies_where_a_blow_or_a_line_reaches_it(
    hexes: dict[str, str], standard: bool, weapons_dead: bool
) -> None:
    """Where nothing ranged is allowed, lines do not count."""
    for key, wanted in (("standard", standard), ("weapons_dead", weapons_dead)):
        sides = {"red": [loadout("a")], "blue": [loadout("b")]}
        setup = read_setup({**setup_document(sides, arena={"hexes": hexes, "starts": STARTS}), "format": key})
        table = Match.start(setup, SeededDice(1)).table
        assert can_be_attacked(table, table.roster.lattice.index("0206")) is wanted, key


def test_r_cln_09_nobody_is_asked_for_a_token_when_all_have_fallen() -> None:
    match = at_replacement([1], gone=(0, 1))
    assert match.decision is None
    assert match.snapshot()["pool"] == 5


def test_r_cln_09_the_only_side_left_still_places_a_token_before_the_match_ends() -> None:
    """The token comes before the end of the phase (Q-24)."""
    assert decided(at_replacement([1], gone=(1,))) == ("token", "a")
