"""What matches, surrenders and forfeits bank."""

from __future__ import annotations

import pytest

from rules.campaign.reputation import (
    ForfeitSide,
    SideResult,
    forfeit_awards,
    match_awards,
    share,
)


def test_r_cyc_05_06_q_125_only_the_winner_banks_and_kills_count_for_all() -> None:
    awards = match_awards(
        {"red": SideResult(["p1"], 95, kills={"p1": 1}), "blue": SideResult(["p2"], 60, kills={"p2": 2})}, "red", False
    )
    assert (awards["red"].stable, awards["red"].individuals, awards["red"].stable_kills, awards["red"].won) == (
        95,
        {"p1": 95},
        1,
        True,
    )
    assert (awards["blue"].stable, awards["blue"].individuals, awards["blue"].stable_kills, awards["blue"].won) == (
        0,
        {"p2": 0},
        2,
        False,
    )


def test_q_125_switch_loser_keeps_reputation() -> None:
    awards = match_awards(
        {"red": SideResult(["p1"], 95), "blue": SideResult(["p2"], 60)}, "red", False, loser_keeps_reputation=True
    )
    assert (awards["blue"].stable, awards["blue"].individuals) == (60, {"p2": 60})


def test_q_135_shares_round_up_and_the_stable_gets_the_true_sum() -> None:
    awards = match_awards({"red": SideResult(["p1", "p2"], 95), "blue": SideResult(["p3", "p4"], 0)}, "red", False)
    assert (awards["red"].stable, awards["red"].individuals) == (95, {"p1": 48, "p2": 48})


@pytest.mark.parametrize(
    ("half", "pilots", "stable", "each"),
    [
        pytest.param(13, ["p1"], 13, 13, id="D-55"),
        pytest.param(13, ["p1", "p2"], 13, 7, id="Q-166-two-pilots-T-25"),
        pytest.param(0, ["p1"], 0, 0, id="nothing-earned"),
    ],
)
def test_r_sur_03_q_166_the_surrendering_side_banks_half(half: int, pilots: list[str], stable: int, each: int) -> None:
    sides = {"red": SideResult(["w"], 120), "blue": SideResult(pilots, half, surrendered=True)}
    awards = match_awards(sides, "red", True)
    assert (awards["blue"].stable, awards["blue"].individuals) == (stable, dict.fromkeys(pilots, each))
    assert awards["blue"].cause == "surrender"
    assert not awards["blue"].won


@pytest.mark.parametrize("earned", range(200))
def test_q_166_half_of_a_share_is_a_share_of_the_half(earned: int) -> None:
    assert share(share(earned, 2), 2) == share(-(-earned // 2), 2)


def test_q_137_each_winning_pilot_takes_the_seventy_whole() -> None:
    sides = {"red": SideResult(["w1", "w2"], 25 + 70), "blue": SideResult(["p"], 0, surrendered=True)}
    awards = match_awards(sides, "red", True)
    assert (awards["red"].stable, awards["red"].individuals) == (95, {"w1": 83, "w2": 83})


@pytest.mark.parametrize(
    ("sides", "expected"),
    [
        pytest.param(
            {"red": ForfeitSide(["w"]), "blue": ForfeitSide(pilots=["a", "b", "c", "d"], forfeits="unable")},
            {"red": (70, {"w": 70}, True), "blue": (30, {"a": 8, "b": 8, "c": 8, "d": 8}, False)},
            id="R-FOR-02-03-W-18",
        ),
        pytest.param(
            {"red": ForfeitSide(["w1", "w2"]), "blue": ForfeitSide(pilotless_units=["u"], forfeits="unable")},
            {"red": (70, {"w1": 70, "w2": 70}, True), "blue": (30, {"u": 30}, False)},
            id="Q-156-pilotless-units",
        ),
        pytest.param(
            {"red": ForfeitSide(forfeits="unable"), "blue": ForfeitSide(pilots=["a"], forfeits="absent")},
            {"red": (30, {}, False), "blue": (30, {"a": 30}, False)},
            id="Q-157-both",
        ),
        pytest.param(
            {
                "red": ForfeitSide(["r"]),
                "blue": ForfeitSide(["b"]),
                "green": ForfeitSide(pilots=["g"], forfeits="unable"),
            },
            {"red": (0, {}, False), "blue": (0, {}, False), "green": (30, {"g": 30}, False)},
            id="Q-138-three-sides",
        ),
    ],
)
def test_r_for_02_03_05_forfeits(
    sides: dict[str, ForfeitSide], expected: dict[str, tuple[int, dict[str, int], bool]]
) -> None:
    awards = forfeit_awards(sides)
    assert {name: (award.stable, dict(award.individuals), award.won) for name, award in awards.items()} == expected
    assert all(award.stable_kills == 0 for award in awards.values())


def test_q_157_absence_pays_what_the_season_says() -> None:
    awards = forfeit_awards(
        {"red": ForfeitSide(["w"]), "blue": ForfeitSide(pilots=["a"], forfeits="absent")}, absence_pays=0
    )
    assert awards["blue"].stable == 0
    awards = forfeit_awards(
        {"red": ForfeitSide(["w"]), "blue": ForfeitSide(pilots=["a"], forfeits="unable")}, absence_pays=0
    )
    assert awards["blue"].stable == 30
