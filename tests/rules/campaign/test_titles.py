"""Champions and sudden death: who fights, in which class, with what (R-CYC-08, R-CYC-09, R-SUD-01..05)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.campaign.classes import BUILD_TOTAL, WEIGHT_CLASSES
from rules.campaign.titles import PILOT, UNIT, Contender, decide, fight_class, mount
from rules.core.dice import SeededDice


def pilot(key: str, points: int = 20, is_alive: bool = True) -> Contender:
    return Contender(key, PILOT, {"id": key, "points": points, "requires": {"class": ["light"]}}, is_alive)


def unit(key: str, points: int, weight_class: str = "light", variant: str = "X-1-L") -> dict[str, Any]:
    return {"id": key, "points": points, "class": weight_class, "variant": variant}


@pytest.mark.parametrize(
    ("alive", "holders", "fighters"),
    [
        ((True, True), (), ("a", "b")),
        ((True, False), ("a",), ()),
        ((False, False), ("a", "b"), ()),
        ((True, False, True), (), ("a", "c")),
    ],
)
def test_q_164_the_dead_drop_out_and_share_when_nobody_is_left(
    alive: tuple[bool, ...], holders: tuple[str, ...], fighters: tuple[str, ...]
) -> None:
    decision = decide([pilot(key, is_alive=lives) for key, lives in zip("abc", alive, strict=False)])
    assert decision.holders == holders
    assert tuple(fighter.key for fighter in decision.fighters) == fighters


def test_r_sud_01_the_class_of_pilots_is_drawn() -> None:
    drawn = {fight_class([pilot("a"), pilot("b")], SeededDice(seed)) for seed in range(40)}
    assert drawn == set(WEIGHT_CLASSES)


def test_r_sud_02_with_a_unit_the_class_is_that_of_the_dearest() -> None:
    old = Contender("old", UNIT, unit("OLD1", 150, variant=""))
    older = Contender("older", UNIT, unit("OLD2", 250, variant=""))
    for seed in range(10):
        assert fight_class([pilot("a"), old, older], SeededDice(seed)) == "heavy"


def test_r_sud_03_a_unit_fights_as_itself() -> None:
    old = Contender("old", UNIT, unit("OLD1", 150, variant=""))
    assert mount(old, [unit("NEW", 100)], "light", SeededDice(1)) == old.definition


def test_q_169_a_pilot_takes_a_unit_of_the_class_that_fits_with_his_points_whatever_he_requires() -> None:
    units = [
        unit("FITS", BUILD_TOTAL["heavy"] - 20, "heavy"),
        unit("TOO_DEAR", BUILD_TOTAL["heavy"] - 19, "heavy"),
        unit("OTHER", 100, "light"),
        unit("OLD", 200, "heavy", variant=""),
    ]
    for seed in range(10):
        assert mount(pilot("a"), units, "heavy", SeededDice(seed))["id"] == "FITS"
    with pytest.raises(ValueError, match="no assault unit"):
        mount(pilot("a"), units, "assault", SeededDice(1))
