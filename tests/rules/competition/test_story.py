"""The story of a match: its shots, the one that decided it, and the luck of the dice."""

from __future__ import annotations

from typing import Any

import pytest

from rules.competition.story import LAST_FALL, LEAD, Luck, story_of

SETUP: dict[str, Any] = {
    "sides": [
        {"id": "red", "units": [{"id": "rook"}]},
        {"id": "blue", "units": [{"id": "vixen"}]},
    ]
}


def shot(unit: str, target: str, dice: list[int], attack: int, defense: int, *, again: list[int] | None = None) -> Any:
    """Return an attack: its first dice, and its result with the dice as they lie in the end."""
    last = again or dice
    is_hit = sum(last) + attack >= defense
    why = {"order": "ranged", "value": "primary", "targets": {target: {"attack": attack, "defense": defense}}}
    return [
        {"event": "attack_rolled", "unit": unit, "dice": dice, "why": None},
        {"event": "attack_resolved", "unit": unit, "hit": [target] if is_hit else [], "critical": None, "why": why},
    ]


def token(by: str, side: str, reputation: int, name: str = "t1") -> dict[str, Any]:
    return {"event": "token_destroyed", "token": name, "by": by, "side": side, "method": 0, "reputation": reputation}


def ended(winner: str, ended_by: str = "time_limit") -> dict[str, Any]:
    return {"event": "match_ended", "winner": winner, "ended_by": ended_by, "tie_break": None}


def test_luck_sets_the_hits_rolled_against_those_expected() -> None:
    # 10 or 11 and more of three dice: even chances, and two dice of one colour change little.
    events = [*shot("rook", "vixen", [5, 4, 6], 9, 20), *shot("rook", "vixen", [1, 2, 3], 9, 20)]
    luck = story_of(SETUP, events).luck
    assert luck["red"] == Luck(2, 1.0, 1)
    assert luck["red"].more == 0
    assert luck["blue"] == Luck()


def test_luck_counts_the_dice_as_they_first_fell() -> None:
    [rolled, *_] = [story_of(SETUP, shot("rook", "vixen", [1, 2, 3], 9, 20, again=[6, 5, 6])).luck["red"]]
    assert (rolled.rolls, rolled.hits) == (1, 0)


@pytest.mark.parametrize(("dice", "hits"), [([6, 6, 1], 1), ([1, 1, 6], 0)])
def test_r_crt_01_two_dice_of_one_colour_decide_alone(dice: list[int], hits: int) -> None:
    defense = 40 if hits else 3
    assert story_of(SETUP, shot("rook", "vixen", dice, 9, defense)).luck["red"].hits == hits


def test_r_sef_02_a_second_roll_counts_as_a_roll_of_its_own() -> None:
    again = {
        "event": "second_roll", "unit": "rook", "target": "vixen", "dice": [1, 2, 3], "result": 15, "defense": 20,
        "success": False, "cause": "decoy",
    }  # fmt: skip
    first, resolved = shot("rook", "vixen", [5, 4, 6], 9, 20)
    assert story_of(SETUP, [first, again, resolved]).luck["red"] == Luck(2, 1.0, 1)


def test_a_roll_at_a_friend_is_no_luck() -> None:
    setup = {"sides": [{"id": "red", "units": [{"id": "rook"}, {"id": "vixen"}]}]}
    assert story_of(setup, shot("rook", "vixen", [5, 4, 6], 9, 20)).luck["red"].rolls == 0


def test_the_shot_that_took_the_lead_for_good_decides() -> None:
    events = [
        *shot("vixen", "t1", [6, 5, 6], 9, 10), token("vixen", "blue", 5),
        *shot("rook", "t2", [6, 5, 6], 9, 10), token("rook", "red", 10, "t2"),
        *shot("rook", "t3", [6, 5, 6], 9, 10), token("rook", "red", 5, "t3"),
        ended("red"),
    ]  # fmt: skip
    story = story_of(SETUP, events)
    assert story.deciding is not None
    assert (story.deciding.number, story.because) == (2, LEAD)
    assert story.best["red"].reputation == 10


def test_without_a_lead_the_last_elimination_decides_also_when_it_comes_later() -> None:
    events = [
        *shot("rook", "vixen", [6, 5, 6], 9, 10),
        *shot("vixen", "rook", [1, 2, 3], 9, 40),
        {"event": "eliminated", "unit": "vixen", "by": "rook"},
        ended("red"),
    ]
    story = story_of(SETUP, events)
    assert story.deciding is not None
    assert (story.deciding.number, story.because, story.deciding.fallen) == (1, LAST_FALL, ["vixen"])


def test_an_elimination_that_ends_the_match_decides_it_however_early_the_lead_was_taken() -> None:
    fall = {"event": "eliminated", "unit": "vixen", "by": "rook"}
    events = [
        *shot("rook", "t2", [6, 5, 6], 9, 10), token("rook", "red", 10, "t2"),
        *shot("rook", "vixen", [6, 5, 6], 9, 10), fall,
    ]  # fmt: skip
    by_fall, by_time = (story_of(SETUP, [*events, ended("red", how)]) for how in ("last_side", "time_limit"))
    assert by_fall.deciding is not None
    assert by_time.deciding is not None
    assert (by_fall.deciding.number, by_fall.because) == (2, LAST_FALL)
    assert (by_time.deciding.number, by_time.because) == (1, LEAD)


def test_the_clicks_of_a_shot_are_those_of_units() -> None:
    scored = {"event": "damage_scored", "unit": "rook", "dealt": 2}
    events = [
        *shot("rook", "vixen", [6, 5, 6], 9, 10),
        {**scored, "target": "vixen"}, {**scored, "target": "t1"}, ended("red"),
    ]  # fmt: skip
    assert story_of(SETUP, events).shots[0].damage == 2


def test_a_match_can_end_without_a_shot_that_decides() -> None:
    bonus = {"event": "reputation", "side": "red", "amount": 5, "cause": "survivor"}
    assert story_of(SETUP, [bonus, ended("red")]).deciding is None
    assert story_of(SETUP, []).deciding is None
