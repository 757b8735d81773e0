"""Arena preparation and target tokens: setup rolls, starts, the first token, replacements (sections ARN, TGT)."""

import itertools
from typing import Any

import pytest

from rules.catalogue import load_builtin
from rules.competition.events import FIRST_SIDE, MATCH_STARTED, TOKEN_DESTROYED, TOKEN_DRAWN, TOKEN_PLACED
from rules.competition.match import Match
from rules.competition.position import Position
from rules.competition.roster import Roster
from rules.competition.scene_events import SET_UP
from rules.competition.setup import MatchSetup
from rules.competition.table import Table
from rules.competition.tokens import can_be_attacked, counted_hex, replace_token
from rules.core.dice import ScriptedDice, SeededDice
from rules.core.refusals import IllegalAction, Malformed
from tests.rules.engine.board import Json, duel_setup, happened, loadout, scripted, setup_document, token, unit

RED_FIRST = [6, 6, 6, 1, 1, 1]
BLUE_FIRST = [1, 1, 1, 6, 6, 6]
THREE = {"red": [loadout("a")], "blue": [loadout("b")], "green": [loadout("c")]}
STARTS = {"A": ["0402", "0813"], "B": ["0602", "0613"], "C": ["0902", "0314"]}


def start(name: str, place: str, facing: int = 0) -> Json:
    return {"unit": name, "choose": "start", "hex": place, "facing": facing}


def decided(match: Match) -> tuple[str, str]:
    decision = match.decision
    assert decision is not None
    return decision.kind, decision.unit


# --- section ARN ------------------------------------------------------------------------------------------------


def test_r_arn_01_each_side_rolls_three_dice_and_the_highest_is_first() -> None:
    match = scripted(duel_setup(), [3, 3, 3, 4, 3, 3], [])
    rolls = happened(match, "setup_rolled")
    assert [(roll["side"], roll["dice"], roll["total"]) for roll in rolls] == [
        ("red", [3, 3, 3], 9),
        ("blue", [4, 3, 3], 10),
    ]
    assert happened(match, "first_side")[0]["side"] == "blue"
    assert decided(match) == ("start", "b")


def test_r_arn_01_ties_are_rolled_again_by_those_who_tie_for_the_highest() -> None:
    dice = [5, 5, 5, 5, 5, 5, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 2, 2, 2]
    match = scripted(duel_setup(sides=THREE), dice, [])
    rolls = [(roll["side"], roll["total"]) for roll in happened(match, "setup_rolled")]
    assert rolls == [("red", 15), ("blue", 15), ("green", 3), ("red", 6), ("blue", 6), ("red", 9), ("blue", 6)]
    assert happened(match, "first_side")[0]["side"] == "red"


def test_r_arn_03_in_a_fixed_arena_the_first_player_takes_a_start_first_then_the_other() -> None:
    match = scripted(duel_setup(), [*BLUE_FIRST, 1], [start("b", "0813", 7)])
    assert decided(match) == ("start", "a")
    assert {action["hex"] for action in match.legal_actions()} == {"0402"}
    match.play(start("a", "0402", 5))
    assert {name: (one["hex"], one["facing"]) for name, one in match.snapshot()["units"].items()} == {
        "a": ("0402", 5),
        "b": ("0813", 7),
    }


def test_r_arn_04_more_players_choose_clockwise_from_the_first() -> None:
    match = scripted(duel_setup(sides=THREE), [1, 1, 1, 6, 6, 6, 2, 2, 2, 1], [])
    order = []
    for _ in range(3):
        kind, name = decided(match)
        assert kind == "start"
        order.append(name)
        match.play(match.legal_actions()[0])
    assert order == ["b", "c", "a"]


def test_r_arn_05_a_duel_starts_in_the_areas_a() -> None:
    match = scripted(duel_setup(), RED_FIRST, [])
    assert {action["hex"] for action in match.legal_actions()} == {"0402", "0813"}
    for wrong in ("0602", "0902", "0101"):
        with pytest.raises(IllegalAction, match="not_a_start"):
            match.play(start("a", wrong))
    with pytest.raises(Malformed):
        match.play(start("a", "9999"))


def test_r_arn_06_two_against_two_start_in_the_areas_a_and_b() -> None:
    sides = {"red": [loadout("a"), loadout("b")], "blue": [loadout("c"), loadout("d")]}
    match = scripted(duel_setup(sides=sides), RED_FIRST, [])
    assert {action["hex"] for action in match.legal_actions()} <= {"0402", "0813", "0602", "0613"}
    match.play(start("a", "0402"))
    assert decided(match) == ("start", "b")
    assert {action["hex"] for action in match.legal_actions()} == {"0602"}  # the nearest B: each team has a pair
    match.play(start("b", "0602"))
    assert {action["hex"] for action in match.legal_actions()} == {"0813", "0613"}


def test_r_arn_07_four_players_of_one_unit_start_in_the_areas_a_and_c() -> None:
    sides = {side: [loadout(side[0])] for side in ("red", "blue", "green", "white")}
    match = scripted(duel_setup(sides=sides), [6, 6, 6, 1, 1, 1, 2, 2, 2, 3, 3, 3], [])
    assert {action["hex"] for action in match.legal_actions()} == {"0402", "0813", "0902", "0314"}


def test_q_119_without_enough_marks_units_start_in_the_first_two_rows() -> None:
    match = scripted(duel_setup(arena={"hexes": {"0102": "blocking"}, "starts": {"A": ["0402"]}}), RED_FIRST, [])
    rows = {action["hex"] for action in match.legal_actions()}
    assert rows == {"0402"}
    match.play(start("a", "0402"))
    wanted = {f"{column:02d}{row}" for column in range(1, 12) for row in ("01", "02")} - {"0102", "0402"}
    assert {action["hex"] for action in match.legal_actions()} == wanted


def test_r_fac_10_a_unit_starts_with_any_facing() -> None:
    match = scripted(duel_setup(), RED_FIRST, [])
    assert {action["facing"] for action in match.legal_actions() if action["hex"] == "0402"} == set(range(12))


@pytest.mark.parametrize("sides", range(2, 9))
def test_q_119_every_number_of_sides_finds_room_in_every_arena(sides: int) -> None:
    for arena in load_builtin().arenas.values():
        setup = duel_setup(arena=arena, sides={f"s{number}": [loadout(f"u{number}")] for number in range(sides)})
        match = Match.start(setup, SeededDice(sides))
        while decided(match)[0] == "start":
            match.play(match.legal_actions()[-1])
        places = [one["hex"] for one in match.snapshot()["units"].values()]
        assert None not in places
        assert len(set(places)) == sides


def test_r_bld_19_dials_start_at_the_start_marker_or_at_the_damage_carried_over() -> None:
    sides = {"red": [loadout("a", clicks=2)], "blue": [loadout("b")]}
    match = scripted(duel_setup(sides=sides), RED_FIRST, [])
    units = match.snapshot()["units"]
    assert (units["a"]["clicks"], units["b"]["clicks"]) == (2, 0)


def test_r_gen_05_07_dials_begin_at_the_start_marker_and_the_heat_starting_position() -> None:
    """The first entry of each dial counts: with numbers that fall click by click the first ones show."""
    falling = unit()
    for number, click in enumerate(falling["dial"]):
        click["primary"] = 5 - number
    falling["heat"][1]["primary"] = -1
    match = scripted(duel_setup(red=falling), RED_FIRST, [])
    assert match.snapshot()["units"]["a"]["primary"] == 5
    assert match.snapshot()["units"]["a"]["heat"] == 0


# --- the first token --------------------------------------------------------------------------------------------

PLACED = [start("a", "0402"), start("b", "0813", 6)]
B_PLACED = [start("b", "0402"), start("a", "0813", 6)]


def test_r_arn_09_r_tgt_05_the_second_player_places_the_first_token() -> None:
    match = scripted(duel_setup(), [*RED_FIRST, 4], PLACED)
    assert decided(match) == ("token", "b")
    drawn = happened(match, "token_drawn")
    assert [(event["side"], event["token"]) for event in drawn] == [("blue", "t4")]
    match = scripted(duel_setup(), [*BLUE_FIRST, 4], B_PLACED)
    assert decided(match) == ("token", "a")


def test_r_arn_09_with_three_sides_the_left_neighbour_of_the_first_places_it() -> None:
    match = scripted(duel_setup(sides=THREE), [1, 1, 1, 2, 2, 2, 6, 6, 6, 1], [])
    for _ in range(3):
        match.play(match.legal_actions()[0])
    assert decided(match) == ("token", "a")


def test_w_16_r_tgt_05_the_first_token_lies_six_across_and_seven_or_eight_along() -> None:
    match = scripted(duel_setup(), [*RED_FIRST, 1, 1, 1, 2, 2], PLACED)
    assert [action["hex"] for action in match.legal_actions()] == ["0607", "0608"]
    for column, row in itertools.product(range(1, 12), range(1, 16)):
        name = f"{column:02d}{row:02d}"
        if name in ("0607", "0608") or (column % 2 == 0 and row == 15):
            continue
        action = {"unit": "b", "choose": "token", "hex": name}
        assert [problem.code for problem in match.check(action)] == ["token_not_here"], name
    match.play({"unit": "b", "choose": "token", "hex": "0608"})
    tokens = match.snapshot()["tokens"]
    assert {name: one["hex"] for name, one in tokens.items()} == {"t1": "0608"}
    assert tokens["t1"]["rp"] == 10  # face up: everybody sees what it is


def test_r_tgt_03_the_token_is_drawn_at_random_from_the_whole_pool() -> None:
    """Six tokens, one draw: the die decides which, and over many seeds each of them comes."""
    for face in range(1, 7):
        match = scripted(duel_setup(), [*RED_FIRST, face], PLACED)
        assert happened(match, "token_drawn")[0]["token"] == f"t{face}"
        assert match.snapshot()["pool"] == 5
    drawn = set()
    for seed in range(60):
        match = Match.start(duel_setup(), SeededDice(seed))
        while decided(match)[0] == "start":
            match.play(match.legal_actions()[0])
        drawn.add(happened(match, "token_drawn")[0]["token"])
    assert len(drawn) == 6


def test_r_tgt_02_every_side_adds_its_three_tokens_to_the_pool() -> None:
    match = scripted(duel_setup(), RED_FIRST, [])
    assert match.snapshot()["pool"] == 6
    match = scripted(duel_setup(sides=THREE), [1, 1, 1, 2, 2, 2, 3, 3, 3], [])
    assert match.snapshot()["pool"] == 9


def test_r_tgt_01_without_the_module_there_are_no_tokens() -> None:
    match = scripted(duel_setup(house_rules={"target_tokens": False}), [*RED_FIRST, 1, 1, 2, 2], PLACED)
    assert decided(match) == ("initiative", "b")
    assert match.snapshot()["pool"] == 0
    assert match.snapshot()["tokens"] == {}


# --- replacements -----------------------------------------------------------------------------------------------


def at_replacement(
    dice: list[int], *, sides: Any = None, last: int = 0, gone: tuple[int, ...] = (), pool: int = 6, hexes: Any = None,
    in_play: str | None = None, at: str = "0101", first: int = 0, **size: int,
) -> Match:  # fmt: skip
    """A match at the end of a clean-up: `last` destroyed the last token, units stand in 0105, 0205, ... or are gone."""
    names = sides or {"red": [loadout("a")], "blue": [loadout("b")]}
    tokens = [token(f"T{number}") for number in range(3)]
    setup = MatchSetup.from_json(
        setup_document(names, arena={**size, "hexes": hexes or {}, "starts": STARTS}, tokens=tokens)
    )
    roster = Roster(setup)
    table = Table(roster, Position.empty(len(roster.fighters), len(roster.sides)), ScriptedDice(dice), [])
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
        setup = MatchSetup.from_json({**setup_document(sides, arena={"hexes": hexes, "starts": STARTS}), "format": key})
        table = Match.start(setup, SeededDice(1)).table
        assert can_be_attacked(table, table.roster.lattice.index("0206")) is wanted, key


def test_r_cln_09_nobody_is_asked_for_a_token_when_all_have_fallen() -> None:
    match = at_replacement([1], gone=(0, 1))
    assert match.decision is None
    assert match.snapshot()["pool"] == 5


def test_r_cln_09_the_only_side_left_still_places_a_token_before_the_match_ends() -> None:
    """The token comes before the end of the phase (Q-24)."""
    assert decided(at_replacement([1], gone=(1,))) == ("token", "a")
