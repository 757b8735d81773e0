"""What matches, surrenders and forfeits bank."""

from __future__ import annotations

import pytest

from rules.campaign.results.reputation import (
    ForfeitSide,
    SideResult,
    awards_by_stable,
    forfeit_awards,
    match_awards,
    melee_awards,
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


@pytest.mark.parametrize("absence_pays", [0, 12, 30])
def test_q_157_a_stable_that_owns_no_unit_gets_what_absence_pays(absence_pays: int) -> None:
    unable = ForfeitSide(pilots=["a", "b"], forfeits="unable", has_unit=False)
    awards = forfeit_awards({"red": ForfeitSide(["w"]), "blue": unable}, absence_pays)
    assert (awards["blue"].stable, dict(awards["blue"].individuals)) == (
        absence_pays,
        {"a": absence_pays // 2, "b": absence_pays // 2},
    )
    assert (awards["red"].stable, awards["red"].won) == (70, True)
    assert melee_awards({}, {"blue": unable}, absence_pays)["blue"].stable == absence_pays


@pytest.mark.parametrize(
    ("reputation", "by_surrender", "stable", "pilot"),
    [
        pytest.param(95, False, 48, 48, id="Q-129 the half of each, rounded up"),
        pytest.param(95, True, 83, 83, id="Q-137 the 70 whole, and the half of the rest"),
    ],
)
def test_q_129_two_stables_on_a_side_each_take_what_their_own_pilot_takes(
    reputation: int, by_surrender: bool, stable: int, pilot: int
) -> None:
    sides = {
        "red": SideResult(["a/p", "c/p"], reputation, kills={"a/p": 2, "c/p": 0}),
        "blue": SideResult(["b/p", "d/p"], 25, surrendered=True, kills={"b/p": 0, "d/p": 1}),
    }
    awards = match_awards(sides, "red", by_surrender)
    red = awards_by_stable(awards["red"], {"Ash": ["a/p"], "Cedar": ["c/p"]})
    assert {name: (award.stable, dict(award.individuals)) for name, award in red.items()} == {
        "Ash": (stable, {"a/p": pilot}),
        "Cedar": (stable, {"c/p": pilot}),
    }
    assert [(award.stable_kills, award.won) for award in red.values()] == [(2, True), (0, True)]


def test_q_166_q_168_either_partners_surrender_halves_for_both_stables() -> None:
    sides = {"red": SideResult(["w"], 120), "blue": SideResult(["b/p", "d/p"], 13, surrendered=True)}
    blue = awards_by_stable(match_awards(sides, "red", True)["blue"], {"Birch": ["b/p"], "Dogwood": ["d/p"]})
    assert {name: (award.stable, award.cause) for name, award in blue.items()} == {
        "Birch": (7, "surrender"),
        "Dogwood": (7, "surrender"),
    }


def test_one_stable_on_a_side_takes_the_true_sum() -> None:
    award = match_awards({"red": SideResult(["p", "q"], 95), "blue": SideResult(["x"], 0)}, "red", False)["red"]
    assert awards_by_stable(award, {"Ash": ["p", "q"]}) == {"Ash": award}


def test_r_for_02_two_stables_on_the_side_that_is_left_both_win() -> None:
    sides = {
        "Ash": ForfeitSide(["a"], side="red"),
        "Cedar": ForfeitSide(["c"], side="red"),
        "Birch": ForfeitSide(pilots=["b"], forfeits="unable", side="blue"),
        "Dogwood": ForfeitSide(pilots=["d"], forfeits="absent", side="blue"),
    }
    awards = forfeit_awards(sides, absence_pays=0)
    assert {name: (award.stable, award.won) for name, award in awards.items()} == {
        "Ash": (70, True),
        "Cedar": (70, True),
        "Birch": (30, False),
        "Dogwood": (0, False),
    }
    partner_left = forfeit_awards({**sides, "Cedar": ForfeitSide(pilots=["c"], forfeits="unable", side="red")})
    assert (partner_left["Ash"].stable, partner_left["Cedar"].stable, partner_left["Cedar"].won) == (70, 30, False)
