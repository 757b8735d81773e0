"""Champions and sudden death: who fights, in which class, with what (R-CYC-08, R-CYC-09, R-SUD-01..05)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.campaign.classes import BUILD_TOTAL, WEIGHT_CLASSES
from rules.campaign.standings.titles import (
    PILOT,
    UNIT,
    Contender,
    attendance,
    decide,
    fight_class,
    holders_still,
    may_fight,
    mount,
    own_fighter,
)
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


def test_q_169_a_pilot_takes_a_unit_of_the_class_that_fits_with_their_points_whatever_they_require() -> None:
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


@pytest.mark.parametrize(
    ("present", "is_due", "is_extended", "expected"),
    [
        ("abc", False, False, ("fight", "abc")),
        ("ab", False, False, ("wait", "")),
        ("ab", True, False, ("extend", "")),
        ("ab", True, True, ("fight", "ab")),
        ("b", True, True, ("hold", "b")),
        ("", True, True, ("hold", "abc")),
        ("", False, True, ("wait", "")),
    ],
)
def test_a_sudden_death_has_a_date_one_extension_and_then_an_end(
    present: str, is_due: bool, is_extended: bool, expected: tuple[str, str]
) -> None:
    found = attendance("abc", set(present), is_due=is_due, is_extended=is_extended)
    assert (found.step, "".join(found.keys)) == expected


@pytest.mark.parametrize(("named", "own"), [("b", "b"), ("c", "a"), (None, "a")])
def test_q_169_of_their_tied_pilots_a_player_plays_the_one_they_name(named: str | None, own: str) -> None:
    assert own_fighter(["a", "b"], named) == own


@pytest.mark.parametrize(
    ("kind", "needs_pilot", "is_sold", "is_alive", "may"),
    [
        (PILOT, False, False, True, True),
        (PILOT, False, True, True, False),
        (PILOT, False, False, False, False),
        (UNIT, True, False, True, False),
        (UNIT, False, False, True, True),
        ("gear", False, False, True, False),
    ],
)
def test_q_169_a_tied_stable_sends_a_living_pilot_or_pilotless_unit_on_its_list(
    kind: str, needs_pilot: bool, is_sold: bool, is_alive: bool, may: bool
) -> None:
    assert may_fight(kind, needs_pilot=needs_pilot, is_sold=is_sold, is_alive=is_alive) is may


@pytest.mark.parametrize(
    ("fought", "held", "tied", "holders"),
    [
        ("ab", "a", "ab", ("a",)),
        ("abc", "a", "ab", ("a",)),
        ("abc", "c", "ab", ()),
        ("ab", "a", "abc", ()),
        ("abc", "abc", "ab", ("a", "b")),
        ("ab", "", "ab", ()),
    ],
)
def test_r_sud_04_an_outcome_counts_between_those_who_were_in_it(
    fought: str, held: str, tied: str, holders: tuple[str, ...]
) -> None:
    assert holders_still(fought, held, list(tied)) == holders
