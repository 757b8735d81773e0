"""Surrender, agreement and time at every moment of a match, with two sides and more (sections SUR, END)."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from rules.competition.match import Match
from rules.competition.state.events import DAMAGE_NOTED, REPUTATION
from rules.core.dice import SeededDice
from rules.core.refusals import IllegalAction, Malformed
from tests.rules.board import (
    Json,
    decisions,
    duel_setup,
    flat,
    happened,
    loadout,
    random_match,
    scripted,
    token,
    unit,
)

RED_FIRST = [6, 6, 6, 1, 1, 1]
OPENING = [
    {"unit": "a", "choose": "start", "hex": "0402", "facing": 6},
    {"unit": "b", "choose": "start", "hex": "0813", "facing": 0},
    {"unit": "b", "choose": "token", "hex": "0607"},
]


def begun(dice: list[int], **keys: Any) -> Match:
    """A duel at the initiative choice of its first round: `dice` are the two rolls of 2d6 and what comes later."""
    return scripted(duel_setup(**keys), [*RED_FIRST, 1, *dice], OPENING)


def until(match: Match, wanted: Callable[[Match], bool], seed: int = 1) -> Match:
    """Play at random until something is so."""
    for now in decisions(match, random.Random(seed)):
        if wanted(now):
            return now
    raise AssertionError("it never came to that")


def kind_of(match: Match) -> str | None:
    return match.decision.kind if match.decision else None


# --- surrender --------------------------------------------------------------------------------------------------


def test_r_sur_01_a_side_may_surrender_at_each_of_its_decisions() -> None:
    """Whatever is asked: the match ends at once, and the pending dice are void (R-SUR-04, Q-136)."""
    seen = set()
    for seed in range(60):
        match = random_match(seed)
        for now in decisions(match, random.Random(seed)):
            decision = now.decision
            assert decision is not None
            if decision.kind in seen:
                continue
            seen.add(decision.kind)
            twin = Match.replay(now.setup, SeededDice(seed), now.actions)
            before = twin.snapshot()["reputation"]
            other = next(side for side in before if side != decision.side)
            clicks = {name: one["clicks"] for name, one in twin.snapshot()["units"].items()}
            events = twin.play({"unit": decision.unit, "order": "surrender"})
            assert [event["event"] for event in events if event["event"] not in ("reputation",)] == [
                "surrendered",
                "match_ended",
            ], decision.kind
            assert twin.decision is None
            assert twin.result is not None
            assert (twin.result.winner, twin.result.ended_by) == (other, "surrender")
            assert twin.result.sides[other]["reputation"] == before[other] + 70
            assert twin.result.sides[decision.side]["reputation"] == (before[decision.side] + 1) // 2
            assert {name: one["clicks"] for name, one in twin.snapshot()["units"].items()} == clicks
    assert {"start", "token", "initiative", "move", "combat", "react", "free_spin"} <= seen


def test_r_sur_01_only_at_a_decision_of_the_own_side() -> None:
    match = begun([1, 1, 6, 6])
    assert match.decision is not None
    assert match.decision.side == "blue"
    with pytest.raises(IllegalAction, match="not_your_decision"):
        match.play({"unit": "a", "order": "surrender"})


@pytest.mark.parametrize(("earned", "kept"), [(0, 0), (1, 1), (15, 8), (25, 13), (30, 15)])
def test_d_55_r_sur_03_r_sur_05_half_rounded_up_for_the_one_and_seventy_for_the_other(earned: int, kept: int) -> None:
    match = begun([1, 1, 6, 6])
    match.table.emit(REPUTATION, 1, earned, "test")
    match.play({"unit": "b", "order": "surrender"})
    assert match.snapshot()["reputation"] == {"red": 70, "blue": kept}


THREE = {
    "red": [loadout("a", unit(points=150))],
    "blue": [loadout("b", unit(points=150))],
    "green": [loadout("c", unit(points=140))],
}


def three(dice: list[int] | None = None) -> Match:
    """Three sides with all units placed and the token in 0607, red first, at the initiative choice of round 1."""
    match = scripted(duel_setup(sides=THREE), [6, 6, 6, 1, 1, 1, 2, 2, 2, 1, *(dice or [1, 2, 2, 2, 6, 6])], [])
    while kind_of(match) in ("start", "token"):
        match.play(match.legal_actions()[0])
    return match


def test_q_136_among_three_the_quitter_leaves_and_nobody_gains_seventy_yet() -> None:
    match = three()
    match.play({"unit": "c", "choose": "initiative", "first": False})
    assert match.decision is not None
    assert (match.decision.kind, match.decision.unit) == ("special", "a")
    match.play({"unit": "a", "order": "surrender"})
    snapshot = match.snapshot()
    assert snapshot["winner"] is None
    assert snapshot["units"]["a"]["hex"] is None
    assert set(snapshot["reputation"].values()) == {0}
    assert match.decision is not None
    assert match.decision.unit == "b"
    match.play({"unit": "b", "order": "surrender"})
    assert match.result is not None
    assert match.result.winner == "green"
    assert {side: one["reputation"] for side, one in match.result.sides.items()} == {"red": 0, "blue": 0, "green": 70}


def test_r_sur_01_a_surrender_at_the_initiative_choice_leaves_the_others_their_round() -> None:
    """The unit with the highest result gives up instead of choosing: the rest still act in the order of their rolls."""
    match = three()
    assert match.decision is not None
    assert (match.decision.kind, match.decision.unit) == ("initiative", "c")
    match.table.dice = SeededDice(1)
    match.play({"unit": "c", "order": "surrender"})
    if kind_of(match) == "initiative":  # whether the next highest is asked then is left open
        match.play({"unit": "b", "choose": "initiative", "first": False})
    assert len(happened(match, "initiative_rolled")) == 3
    assert match.snapshot()["order"] == ["a", "b"]
    assert match.decision is not None
    assert (match.decision.kind, match.decision.unit) == ("move", "a")


def test_q_122_a_surrender_at_the_token_leaves_it_to_the_next_player() -> None:
    """The token that was drawn is not lost: the next side clockwise that is still in places it."""
    match = scripted(duel_setup(sides=THREE), [6, 6, 6, 1, 1, 1, 2, 2, 2, 1, 1, 2, 3, 4], [])
    while kind_of(match) == "start":
        match.play(match.legal_actions()[0])
    assert match.decision is not None
    assert (match.decision.kind, match.decision.unit) == ("token", "b")
    match.play({"unit": "b", "order": "surrender"})
    assert match.decision is not None
    assert (match.decision.kind, match.decision.unit) == ("token", "c")


def test_r_sur_06_a_side_that_surrendered_cannot_win_with_the_most_reputation() -> None:
    match = three()
    match.play({"unit": "c", "choose": "initiative", "first": False})
    match.table.emit(REPUTATION, 0, 400, "test")
    match.play({"unit": "a", "order": "surrender"})
    match.play({"order": "time_up"})
    while match.decision is not None:
        match.play(match.default_action())
    assert match.result is not None
    assert match.result.sides["red"]["reputation"] == 200
    assert match.result.winner == "green"
    assert match.result.tie_break == "total"  # 140 against 150, both without reputation


def test_q_166_what_comes_after_a_surrender_is_no_longer_the_quitters() -> None:
    """Half of what was earned at that moment, and nothing for damage that fells somebody in a later clean-up."""
    match = three()
    match.play({"unit": "c", "choose": "initiative", "first": False})
    match.table.emit(DAMAGE_NOTED, 1, 5, "attack", 0)
    match.table.emit(REPUTATION, 0, 15, "test")
    match.play({"unit": "a", "order": "surrender"})
    assert match.snapshot()["reputation"]["red"] == 8
    while match.decision is not None:
        match.play(match.default_action())
    assert match.result is not None
    assert match.result.units["b"]["eliminated"]
    assert match.result.sides["red"]["reputation"] == 8
    assert match.result.winner == "green"


def test_surrender_among_many_never_stops_the_match() -> None:
    """Random matches of three to eight sides with surrenders at random decisions go on to their end."""
    for seed in range(40):
        match = random_match(seed, sides=3 + seed % 6, units=3 + seed % 6)
        rng = random.Random(seed)
        while match.decision is not None:
            if rng.random() < 0.03:
                match.play({"unit": match.decision.unit, "order": "surrender"})
            else:
                match.play(match.sample_action(rng))
        assert match.result is not None
        assert not match.result.sides[match.result.winner]["surrendered"]
        again = Match.replay(match.setup, SeededDice(seed), match.actions)
        assert again.events == match.events


# --- agreement and time -----------------------------------------------------------------------------------------


def test_r_end_01_r_end_04_agreement_of_all_ends_the_match_at_the_end_of_the_phase() -> None:
    match = begun([1, 1, 6, 6], red=unit("a", points=140))
    match.play({"unit": "b", "choose": "initiative", "first": False})
    match.play({"unit": "b", "order": "agree"})  # at any moment, also while the other side decides
    assert match.decision is not None
    match.play({"unit": "a", "order": "agree"})
    assert match.result is None
    match.play({"unit": "a", "order": "pass"})
    assert match.result is None
    match.play({"unit": "b", "order": "pass"})
    assert match.result is not None
    assert (match.result.ended_by, match.result.winner, match.result.tie_break) == ("agreement", "red", "total")


def test_r_end_04_one_of_two_is_no_agreement_and_it_lapses_with_the_phase() -> None:
    match = begun([1, 1, 6, 6])
    match.play({"unit": "b", "choose": "initiative", "first": False})
    match.play({"unit": "b", "order": "agree"})
    match.play({"unit": "a", "order": "pass"})
    match.play({"unit": "b", "order": "pass"})
    assert kind_of(match) == "combat"
    match.play({"unit": "a", "order": "agree"})
    match.play({"unit": "a", "order": "pass"})
    match.table.dice = SeededDice(1)
    match.play({"unit": "b", "order": "pass"})
    assert match.result is None
    assert match.snapshot()["round"] == 2


def test_r_end_04_those_who_are_out_need_not_agree() -> None:
    match = three()
    match.play({"unit": "c", "choose": "initiative", "first": False})
    match.play({"unit": "a", "order": "surrender"})
    with pytest.raises(IllegalAction, match="side_is_out"):
        match.play({"unit": "a", "order": "agree"})
    match.play({"unit": "c", "order": "agree"})
    match.play({"unit": "b", "order": "agree"})
    while match.decision is not None:
        match.play(match.default_action())
    assert match.result is not None
    assert (match.result.ended_by, match.result.rounds) == ("agreement", 1)


def test_q_27_when_time_is_up_the_phase_is_finished_and_dice_are_not_applied() -> None:
    match = begun([1, 1, 6, 6, 5, 5, 6, 6, 4, 3], red=unit("a", points=140))
    match.play({"unit": "b", "choose": "initiative", "first": False})
    match.table.emit(DAMAGE_NOTED, 1, 9, "test", 0)
    match.play({"order": "time_up"})
    assert match.result is None
    match.play({"unit": "a", "order": "pass"})
    assert kind_of(match) == "move"
    match.play({"unit": "b", "order": "pass"})
    assert match.result is not None
    assert (match.result.ended_by, match.result.winner) == ("time_limit", "red")
    assert match.result.units["b"]["clicks"] == 0
    assert not match.result.units["b"]["eliminated"]


def test_agreement_and_time_are_recorded_actions_that_replay() -> None:
    match = random_match(5)
    until(match, lambda now: now.snapshot()["round"] == 2, 5)
    for action in ({"unit": "u0", "order": "agree"}, {"order": "time_up"}, {"unit": "u1", "order": "agree"}):
        match.play(action)
    for _ in decisions(match, random.Random(2)):
        pass
    assert match.result is not None
    assert match.result.ended_by == "agreement"
    again = Match.replay(match.setup, SeededDice(5), match.actions)
    assert again.events == match.events
    assert flat(again)[-1]["event"] == "match_ended"


@pytest.mark.parametrize(
    "action",
    [
        {"unit": "nobody", "order": "agree"},
        {"unit": "nobody", "order": "surrender"},
        {"order": "surrender"},
        {"order": "agree"},
        {},
        {"unit": "b"},
        {"unit": "b", "order": "move", "choose": "initiative"},
        [],
        "surrender",
        None,
    ],
    ids=str,
)
def test_ends_that_cannot_be_read_are_malformed(action: Any) -> None:
    match = begun([1, 1, 6, 6])
    with pytest.raises(Malformed):
        match.play(action)
    assert match.result is None


# --- who has won ------------------------------------------------------------------------------------------------


def shoot_out(red_points: int, blue_points: int) -> Match:
    """Red fells blue's only unit in the first clean-up: one click, no token reached."""
    gun = {"type": "ballistic", "targets": 1, "range": [0, 30]}
    match = scripted(
        duel_setup(
            sides={
                "red": [loadout("a", unit("a", points=red_points, primary=gun))],
                "blue": [loadout("b", unit("b", points=blue_points, clicks=1))],
            }
        ),
        [*RED_FIRST, 1, 1, 1, 6, 5, 6, 6, 6],
        OPENING,
    )  # fmt: skip
    match.play({"unit": "b", "choose": "initiative", "first": False})
    for name in ("a", "b"):
        match.play({"unit": name, "order": "pass"})
    match.play({"unit": "a", "order": "ranged", "targets": ["b"]})
    while match.decision is not None:
        match.play(match.default_action())
    return match


@pytest.mark.parametrize(
    ("red", "blue", "reputation"),
    [
        pytest.param(200, 190, 70, id="R-END-05 D-45 lower"),
        pytest.param(190, 200, 80, id="R-END-06 D-45 higher"),
        pytest.param(190, 190, 80, id="R-END-06 D-45 equal"),
    ],
)
def test_d_45_a_kill_pays_seventy_or_eighty(red: int, blue: int, reputation: int) -> None:
    match = shoot_out(red, blue)
    assert match.result is not None
    assert match.result.to_json() == {
        "winner": "red",
        "rounds": 1,
        "ended_by": "last_side",
        "tie_break": None,
        "sides": {
            "red": {"reputation": reputation, "kills": 1, "tokens": 0, "total": red, "surrendered": False},
            "blue": {"reputation": 0, "kills": 0, "tokens": 0, "total": blue, "surrendered": False},
        },
        "units": {
            "a": {
                "side": "red", "clicks": 0, "eliminated": False, "kills": 1, "salvage": False, "eliminated_by": None,
                "pilot_dead": False, "reputation": reputation, "owner": None,
            },
            "b": {
                "side": "blue", "clicks": 1, "eliminated": True, "kills": 0, "salvage": False, "eliminated_by": "a",
                "pilot_dead": False, "reputation": 0, "owner": None,
            },
        },
        "places": [],
    }  # fmt: skip
    kills: list[Json] = happened(match, "kill")
    assert [(event["side"], event["unit"], event["by"], event["reputation"]) for event in kills] == [
        ("red", "b", "a", reputation)
    ]


def test_d_47_r_end_08_the_survivor_loses_to_more_reputation() -> None:
    """Red survives with the 70 of the kill; blue is dead with 85 from tokens, and wins."""
    match = begun(
        [1, 1, 6, 5], sides={"red": [loadout("a")], "blue": [loadout("b", unit(points=140))]}, tokens=[token()]
    )
    match.table.emit(REPUTATION, 1, 85, "test")
    match.table.emit(DAMAGE_NOTED, 1, 5, "attack", 0)
    match.play({"unit": "b", "choose": "initiative", "first": False})
    while match.decision is not None:
        match.play(match.default_action())
    assert match.result is not None
    assert match.result.units["b"]["eliminated"]
    assert match.result.sides["red"]["reputation"] == 70
    assert match.result.winner == "blue"
