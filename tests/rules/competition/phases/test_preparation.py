"""Arena preparation and target tokens: setup rolls, starts, the first token, replacements (sections ARN, TGT)."""

import itertools

import pytest

from rules.catalogue import load_builtin
from rules.competition.match import Match
from rules.core.dice import SeededDice
from rules.core.refusals import IllegalAction, Malformed
from tests.rules.board import Json, duel_setup, happened, loadout, scripted, unit

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
