"""Line-ups of two units, and what a grand melee pays and how it places (Q-138, Q-152, Q-154, Q-155, Q-167)."""

from __future__ import annotations

import pytest

from rules.campaign.classes import FORMATS, TEAM_FORMATS, units_a_side
from rules.campaign.line_ups.checks import Crew, best_team, check_size
from rules.campaign.results.reputation import Award, ForfeitSide, melee_awards
from rules.campaign.standings.places import melee_places


def crew(unit: str, pilot: str | None, by_duty: bool = True) -> Crew:
    return Crew(unit, pilot, 100, by_duty)


def test_r_fmt_02_q_152_team_tag_team_and_flag_take_two_units() -> None:
    assert {name: units_a_side(name) for name in FORMATS} == {
        "standard": 1,
        "team": 2,
        "weapons_dead": 1,
        "tag_team": 2,
        "capture_the_flag": 2,
        "grand_melee": 1,
    }


def test_r_cyc_02_cycles_two_and_four_pay_by_the_team_table() -> None:
    assert [number for number, name in enumerate(FORMATS, 1) if name in TEAM_FORMATS] == [2, 4]


@pytest.mark.parametrize(
    ("choices", "size", "team"),
    [
        ([], 2, []),
        ([("a", "p"), ("b", "q")], 1, [("a", "p")]),
        ([("a", "p"), ("a", "q"), ("b", "p"), ("b", "q")], 2, [("a", "p"), ("b", "q")]),
        ([("a", "p"), ("b", "p"), ("a", "q")], 2, [("b", "p"), ("a", "q")]),
        ([("a", "p"), ("b", "p")], 2, [("a", "p")]),
        ([("a", "p"), ("a", "q")], 2, [("a", "p")]),
        ([("a", None), ("b", None)], 2, [("a", None), ("b", None)]),
    ],
)
def test_a_team_is_as_large_as_it_can_be_then_as_good(
    choices: list[tuple[str, str | None]], size: int, team: list[tuple[str, str | None]]
) -> None:
    found = best_team([crew(*choice) for choice in choices], size)
    assert [(one.unit, one.pilot) for one in found] == team


TWO = [crew("a", "p"), crew("b", "q")]
ONE_AND_SALVAGE = [crew("a", "p"), crew("b", "q", by_duty=False)]


@pytest.mark.parametrize(
    ("fielded", "choices", "size", "refused"),
    [
        (2, TWO, 2, False),
        (1, TWO, 2, True),
        (3, TWO, 2, True),
        (0, TWO, 2, True),
        (1, TWO, 1, False),
        (2, TWO, 1, True),
        (1, ONE_AND_SALVAGE, 2, False),
        (2, ONE_AND_SALVAGE, 2, False),
        (1, ONE_AND_SALVAGE[:1], 2, False),
        (0, [], 1, True),
    ],
)
def test_r_bld_10_q_154_q_155_all_field_the_same_number_if_they_are_able(
    fielded: int, choices: list[Crew], size: int, refused: bool
) -> None:
    assert [problem.code for problem in check_size(fielded, choices, size)] == ["line_up_size"] * refused


def test_q_138_a_grand_melee_goes_on_without_the_forfeiter_who_gets_their_thirty() -> None:
    played = {"red": Award(90, {"p": 90}, {}, True, "win"), "blue": Award(0, {"q": 0}, {}, False, "loss")}
    awards = melee_awards(
        played,
        {
            "green": ForfeitSide(pilots=["r", "s"], forfeits="unable"),
            "gold": ForfeitSide(pilots=["t"], forfeits="absent"),
        },
        absence_pays=0,
    )
    assert {name: awards[name] for name in played} == played
    assert (awards["green"].stable, awards["green"].individuals, awards["green"].won) == (30, {"r": 15, "s": 15}, False)
    assert (awards["gold"].stable, awards["gold"].individuals) == (0, {"t": 0})


def test_q_167_places_are_those_of_the_match_and_forfeits_come_last() -> None:
    places = melee_places(["03", "01"], ["04", "02"])
    assert [(place.place, place.stable, place.decided_by) for place in places] == [
        (1, "03", None),
        (2, "01", "match"),
        (3, "02", "forfeit"),
        (4, "04", "forfeit"),
    ]
