"""A step back: it restores the table as it was, while no die fell and nothing hidden was shown since."""

import random
from typing import Any

import pytest
from hypothesis import given

from rules.competition.match import Match
from rules.competition.replay import rebuild
from rules.competition.setups import roster_of
from rules.core.dice import SeededDice
from rules.core.refusals import IllegalAction, Malformed
from tests.rules.board import decisions, flat, random_match
from tests.rules.play_outs import quickly, seeds, shapes, state


def unit_of(match: Match, side: str) -> str:
    """A unit of the side."""
    roster = match.table.roster
    return next(fighter.name for fighter in roster.fighters if roster.sides[fighter.side] == side)


def step_back(match: Match, side: str, answers: Any) -> dict[str, Any]:
    return {"unit": unit_of(match, side), "order": "take_back", "answers": answers}


@given(seeds, shapes)
@quickly(12)
def test_a_step_back_restores_the_table_and_the_same_dice_fall_next(seed: int, shape: tuple[int, int]) -> None:
    match, rng = random_match(seed, sides=shape[0], units=shape[1]), random.Random(seed)
    before, taken = {}, 0
    for _ in decisions(match, random.Random(seed)):
        before[len(match.actions) + 1] = match.clone()
        sides = [side for side in match.table.roster.sides if match.steps_to_take_back(side)]
        if not sides or rng.random() < 0.8:
            continue
        side = rng.choice(sides)
        steps = match.steps_to_take_back(side)
        count = rng.randint(1, len(steps))
        then, now = before[steps[-count]].clone(), match.clone()
        now.play(step_back(now, side, count))
        assert now.decision == then.decision
        assert now.table.position == then.table.position
        assert now.table.agenda == then.table.agenda
        assert rebuild(roster_of(now.setup), flat(now)) == now.table.position
        action = then.sample_action(rng)
        assert now.play(action) == then.play(action)
        taken += 1
    assert taken


@given(seeds)
@quickly(4)
def test_a_match_with_steps_back_is_played_again_as_it_was(seed: int) -> None:
    match, rng = random_match(seed, sides=2, units=2), random.Random(seed)
    for _ in decisions(match, rng):
        side = rng.choice(match.table.roster.sides)
        if match.steps_to_take_back(side) and rng.random() < 0.3:
            match.play({"unit": unit_of(match, side), "order": "take_back"})
    assert {"take_back"} <= {action.get("order") for action in match.actions}
    again = Match.replay(match.setup, SeededDice(seed), match.actions)
    assert again.events == match.events


def test_no_step_is_taken_back_after_dice_fell_or_something_was_shown() -> None:
    match = random_match(3, sides=2, units=2)
    kinds = set()
    for _ in decisions(match, random.Random(3)):
        last = match.events[-1] if match.actions else []
        fallen = {event["event"] for event in last} & {
            "attack_rolled", "equipment_rolled", "initiative_rolled", "rally_played", "setup_rolled", "token_drawn",
        }  # fmt: skip
        kinds |= fallen
        if fallen:
            assert [match.steps_to_take_back(side) for side in match.table.roster.sides] == [[], []]
    assert {"attack_rolled", "token_drawn"} <= kinds


def test_a_step_that_cannot_be_taken_back_is_refused_and_changes_nothing() -> None:
    match = random_match(8, sides=2, units=2)
    match.play(match.default_action())
    side = next(side for side in match.table.roster.sides if match.steps_to_take_back(side))
    (other,) = {*match.table.roster.sides} - {side}
    before = state(match)
    for who, answers in ((other, 1), (side, 2), (side, 0)):
        with pytest.raises(IllegalAction) as refused:
            match.play(step_back(match, who, answers))
        assert refused.value.code == "nothing_to_take_back"
    for document in ({"answers": "1"}, {"answers": True}, {"answers": None}, {"steps": 2}):
        with pytest.raises(Malformed):
            match.play({**step_back(match, side, 1), **document})
    assert state(match) == before
    match.play(step_back(match, side, 1))
    assert match.steps_to_take_back(side) == []
