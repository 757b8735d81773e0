"""Answers to the decisions that formats bring: an unreadable one changes nothing, a listed one is read as written."""

import json
import random
from typing import Any

import pytest

from rules.competition.ground.hexes import bits
from rules.competition.match import Match
from rules.core.dice import SeededDice
from rules.core.refusals import IllegalAction, Malformed
from rules.scenario.playing import Scenario
from tests.rules.board import Json, placed
from tests.rules.competition.formats.test_formats import begun, place_all


def naming() -> Match:
    """Side s1 names its active unit."""
    match = begun("tag_team", [1, 1, 1, 6, 6, 6, 0, 0], 2, 2, house_rules={"target_tokens": False})
    place_all(match)
    return match


def opened(document: Json) -> Match:
    """The match of a scenario at its first decision."""
    match = Scenario({"dice": [], "actions": [], "expect": {}, **document}).match
    match.table.pause_at = frozenset()
    match.table.advance()
    return match


def tagging() -> Match:
    """Side red may change a and a2."""
    units = [placed("a", "red", "0610"), placed("a2", "red", "0611", active=False), placed("b", "blue", "0202")]
    return opened({"format": "tag_team", "units": units, "start": {"phase": "initiative"}})


def dropping() -> Match:
    """Unit a stands beside its own area 0613 with blue's flag and has just turned."""
    flags = {"red": {"home": "0613", "hex": "0613"}, "blue": {"home": "0602", "carrier": "a"}}
    units = [placed("a", "red", "0612"), placed("b", "blue", "0202")]
    match = opened(
        {"format": "capture_the_flag", "units": units, "flags": flags, "start": {"phase": "move", "order": ["a", "b"]}}
    )
    match.play({"unit": "a", "order": "move", "path": [], "facing": 2})
    return match


def placing() -> Match:
    """Side s1 places the first token."""
    match = begun("standard", [6, 6, 6, 1, 1, 1, 2], 1, 1)
    place_all(match)
    return match


@pytest.mark.parametrize(
    ("begin", "answer", "code"),
    [
        (placing, {"unit": "u10", "choose": "token", "hex": "0607", "token": "t1"}, "unknown_field"),
        (placing, {"unit": "u10", "choose": "token", "hex": "0101"}, "token_not_here"),
        (placing, {"unit": "u10", "choose": "token", "hex": None}, "unknown_hex"),
        (placing, {"unit": "u00", "choose": "token", "hex": "0607"}, "not_your_decision"),
        (naming, {"unit": "u10", "choose": "active", "active": "u00"}, "unknown_unit"),
        (naming, {"unit": "u10", "choose": "active", "active": 3}, "unknown_unit"),
        (naming, {"unit": "u10", "choose": "active"}, "unknown_unit"),
        (naming, {"unit": "u10", "choose": "active", "active": "u10", "facing": 3}, "unknown_field"),
        (naming, {"unit": "u00", "choose": "active", "active": "u00"}, "not_your_decision"),
        (naming, {"unit": "u10", "choose": "tag", "with": "u11"}, "other_decision"),
        (tagging, {"unit": "a", "choose": "tag", "with": "a"}, "not_the_partner"),
        (tagging, {"unit": "a", "choose": "tag", "with": "b"}, "unknown_unit"),
        (tagging, {"unit": "a", "choose": "tag", "with": ["a2"]}, "unknown_unit"),
        (tagging, {"unit": "a", "choose": "tag", "with": "a2", "facing": 3}, "unknown_field"),
        (tagging, {"unit": "a", "choose": "tag", "with": "a2", "facings": [0, 3]}, "bad_field"),
        (tagging, {"unit": "a", "choose": "tag", "with": "a2", "facings": {"b": 3}}, "bad_field"),
        (tagging, {"unit": "a", "choose": "tag", "with": "a2", "facings": {"a": 12}}, "bad_field"),
        (tagging, {"unit": "a", "choose": "tag", "with": "a2", "facings": {"a2": "north"}}, "bad_field"),
        (tagging, {"unit": "b", "choose": "tag", "with": "a2"}, "not_your_decision"),
        (dropping, {"unit": "a", "choose": "flag_drop", "hex": "0611"}, "flag_not_here"),
        (dropping, {"unit": "a", "choose": "flag_drop", "hex": "9999"}, "unknown_hex"),
        (dropping, {"unit": "a", "choose": "flag_drop", "hex": 613}, "unknown_hex"),
        (dropping, {"unit": "a", "choose": "flag_drop", "hex": "0613", "flag": "blue"}, "unknown_field"),
    ],
    ids=lambda value: getattr(value, "__name__", None) or str(value),
)
def test_r_fmt_08_r_fmt_09_r_fmt_17_an_answer_that_cannot_be_read_changes_nothing(
    begin: Any, answer: Json, code: str
) -> None:
    match = begin()
    before, decision = match.snapshot(), match.decision
    with pytest.raises((IllegalAction, Malformed)) as caught:
        match.play(answer)
    assert caught.value.code == code
    assert (match.snapshot(), match.decision) == (before, decision)


@pytest.mark.parametrize("begin", [naming, tagging, dropping])
def test_r_fmt_08_r_fmt_09_r_fmt_17_a_listed_answer_is_read_as_it_is_written(begin: Any) -> None:
    listed = begin().legal_actions()
    assert listed
    for action in listed[:: max(1, len(listed) // 20)]:
        match = begin().copy(SeededDice(1))
        match.play(action)
        assert match.actions == [action]


@pytest.mark.parametrize("begin", [naming, tagging, dropping])
def test_r_fmt_08_r_fmt_09_r_fmt_17_sampled_answers_are_the_listed_ones(begin: Any) -> None:
    match, rng = begin(), random.Random(1)
    listed = [json.dumps(action, sort_keys=True) for action in match.legal_actions()]
    sampled = {json.dumps(match.sample_action(rng), sort_keys=True) for _ in range(20 * len(listed))}
    assert sampled == set(listed)


def test_r_fmt_15_each_outcome_of_a_try_is_listed_once() -> None:
    """On foot with speed 8: to a hex beside the flag, the try, and on, also back to where the unit came from."""
    flags = {"red": {"home": "0613", "hex": "0613"}, "blue": {"home": "0602", "hex": "0602"}}
    units = [placed("a", "red", "0604"), placed("b", "blue", "0810")]
    match = opened(
        {"format": "capture_the_flag", "units": units, "flags": flags, "start": {"phase": "move", "order": ["a", "b"]}}
    )
    tries = [action for action in match.legal_actions() if "0602" in action.get("path", ())]
    assert all(match.check(action) == [] for action in tries)
    walked = [action for action in tries if not action.get("run")]
    ends = [[place for place in action["path"] if place != "0602"][-1] for action in walked]
    outcomes = [(end, action["facing"]) for end, action in zip(ends, walked, strict=True)]
    assert len(set(outcomes)) == len(outcomes)
    lattice = match.table.roster.lattice
    barred = {lattice.index(name) for name in ("0602", "0613", "0810")}

    def steps(origin: int) -> dict[int, int]:
        found, ring = {origin: 0}, {origin}
        for step in range(1, 5):
            ring = {near for place in ring for near in bits(lattice.neighbours[place])} - barred - set(found)
            found.update(dict.fromkeys(ring, step))
        return found

    out = steps(lattice.index("0604"))
    beside = [place for place in bits(lattice.neighbours[lattice.index("0602")]) if out.get(place, 9) < 4]
    wanted = {end for place in beside for end, more in steps(place).items() if out[place] + more <= 4}
    assert {lattice.index(end) for end in ends} == wanted
    assert "0604" in ends
