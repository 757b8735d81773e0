"""Every legal action can be reached by answering one question after another."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.catalogue import load_builtin
from rules.competition.match import Match
from rules.competition.narrowing import NONE, describe, narrow
from rules.core.dice import SeededDice
from rules.measuring.self_play import random_setup

FORMATS = ("standard", "team", "weapons_dead", "tag_team", "capture_the_flag", "grand_melee")


def origin_of(match: Match) -> str:
    assert match.decision is not None
    return str(match.snapshot()["units"][match.decision.unit]["hex"] or "")


def answered(match: Match, rng: random.Random) -> Any:
    """An action that was asked for by one question after another, answered at random."""
    actions, answers = match.legal_actions(), {}
    for _ in range(12):
        found = narrow(actions, origin_of(match), answers)
        if found.action is not None:
            return found.action
        assert found.question is not None
        answers[found.question.key] = rng.choice(found.question.options).word
    raise AssertionError("more than twelve questions")


@pytest.mark.parametrize("format_key", FORMATS)
def test_words_lead_to_each_legal_action_and_to_nothing_else(format_key: str) -> None:
    rng = random.Random(11)
    match = Match.start(random_setup(load_builtin(), rng, format_key, 2), SeededDice(3))
    for _ in range(120):
        if match.decision is None:
            break
        actions, origin = match.legal_actions(), origin_of(match)
        for action in rng.sample(actions, min(5, len(actions))):
            found = narrow(actions, origin, describe(action, origin))
            same = [other for other in actions if describe(other, origin) == describe(action, origin)]
            assert found.action in same or found.question is not None
            assert len(same) == 1, "words do not tell these apart"
        chosen = answered(match, rng)
        assert chosen in actions
        match.play(chosen)


def moves() -> list[dict[str, Any]]:
    there = {"unit": "red", "order": "move", "path": ["0605", "0606"]}
    return [
        {"unit": "red", "order": "pass"},
        *({**there, "facing": facing} for facing in range(12)),
        *({**there, "facing": facing, "run": True} for facing in range(12)),
        {"unit": "red", "order": "move", "path": [], "facing": 3},
    ]


def test_questions_come_in_the_order_of_a_decision_and_one_answer_needs_none() -> None:
    assert [narrow(moves(), "0604", answers).question.key for answers in ({}, {"order": "move"})] == ["order", "hex"]
    stays = narrow(moves(), "0604", {"order": "move", "hex": "0604"})
    assert stays.action == moves()[-1]
    assert [step.key for step in stays.steps] == ["order", "hex"]


def test_a_proposal_stands_in_for_an_answer_and_says_so() -> None:
    answers = {"order": "move", "hex": "0606", "mode": "walk"}
    open_still = narrow(moves(), "0604", answers)
    assert open_still.action is None
    assert [option.word for option in open_still.question.options] == [str(facing) for facing in range(12)]
    proposed = narrow(moves(), "0604", answers, {"facing": "4"})
    assert proposed.action["facing"] == 4
    assert proposed.steps[-1].is_default
    assert not narrow(moves(), "0604", {**answers, "facing": "4"}).steps[-1].is_default


def test_words_that_do_not_fit_count_as_not_said() -> None:
    assert narrow(moves(), "0604", {"order": "vent", "hex": "0606"}).question.key == "order"


def test_leaving_something_out_has_a_word() -> None:
    spins = [{"unit": "red", "choose": "free_spin", "facing": facing} for facing in (None, 3)]
    assert [option.word for option in narrow(spins, "0604", {}).question.options] == [NONE, "3"]


def test_what_no_word_tells_apart_is_numbered() -> None:
    twins = [{"unit": "red", "choose": "x", "y": 1, "unit2": 2}] * 2
    found = narrow(twins, "0604", {})
    assert found.question.key == "variant"
    assert narrow(twins, "0604", {"variant": "2"}).action == twins[1]


def test_an_action_has_the_same_words_whatever_the_order_of_its_keys() -> None:
    """PostgreSQL hands a document's keys back in an order of its own."""
    tag = {"choose": "tag", "unit": "red-2", "with": "red-1", "facings": {"red-2": 3, "red-1": 9}}
    split = {"choose": "split", "unit": "red-2", "shares": {"blue-2": 1, "blue-1": 2}}
    for action, key in ((tag, "facings"), (split, "shares")):
        turned = dict(reversed({**action, key: dict(reversed(action[key].items()))}.items()))  # type: ignore[attr-defined]
        assert describe(turned, "0101") == describe(action, "0101")
    words = describe(tag, "0101")
    assert (words["facing_out"], words["facing_in"]) == ("3", "9")
