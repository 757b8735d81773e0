"""What a decision has cost, by the advice: what a player could see then decides, and nothing of what came later."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from rules import bots
from rules.bots.advice.hindsight import GLANCE, Hindsight, has_choice, look_back
from rules.catalogue import load_builtin
from rules.competition.match import Match
from rules.core.dice import SeededDice
from rules.measuring.self_play import random_setup


def decisions(count: int) -> Iterator[Match]:
    """The first decisions of red that have a choice, in a match that both sides play sensibly."""
    match = Match.start(random_setup(load_builtin(), random.Random(4), "standard"), SeededDice(b"h" * 32))
    bot, rng = bots.get("greedy"), random.Random(1)
    while count and match.decision is not None:
        if match.decision.side == "red" and has_choice(match):
            count -= 1
            yield match
        match.play(match.action_of(bot.decide(match.table, rng)))


def test_of_all_answers_to_a_decision_those_cost_nothing_that_the_adviser_gives() -> None:
    """Passing in front of a target costs something; the adviser's own answer is never a mistake."""
    found: list[Hindsight] = []
    for match in decisions(9):
        observed = match.observe("red")
        seen = look_back(observed, match.default_action(), "a seed", GLANCE)
        if seen is not None:
            assert look_back(observed, match.default_action(), "a seed", GLANCE) == seen, "it repeats"
            assert look_back(observed, seen.advised, "a seed", GLANCE) is None
            assert Hindsight.from_json(seen.to_json()) == seen
            assert 0 <= seen.given <= 1
            found.append(seen)
    assert max(seen.cost - seen.margin for seen in found) > 0.02


def test_what_answers_no_question_costs_nothing_and_somebody_else_s_decision_is_an_error() -> None:
    (match,) = decisions(1)
    assert look_back(match.observe("red"), {"unit": "red", "order": "surrender"}, "a seed", GLANCE) is None
    with pytest.raises(ValueError, match="not this side's"):
        look_back(match.observe("blue"), match.default_action(), "a seed", GLANCE)
