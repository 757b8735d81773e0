"""What a bot under guard can see and do."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from rules.bots.guard import Guard
from rules.competition.state.match_state import MatchState
from rules.core.dice import DiceRunDry, SeededDice
from tests.rules.competition.test_hidden_facts import constants, hidden_names, random_match, seed_of
from tests.rules.guarded import Obedient, begun, sampled
from tests.rules.object_graph import reachable
from tests.rules.play_outs import state

# --- what a bot can see and do ----------------------------------------------------------------------------------------


def wreck(table: MatchState) -> None:
    position = table.position
    position.hex[:] = [0] * len(position.hex)
    position.clicks[:] = [99] * len(position.clicks)
    position.round, position.tokens, position.outcome = 40, (), (0, "points", None)
    table.agenda.clear()


def test_what_a_bot_does_to_its_table_happens_to_nobody_else() -> None:
    def plays_on(table: MatchState, rng: random.Random) -> Any:
        choice = sampled(table, rng)
        twin = table.copy(SeededDice("its own"))
        for _ in range(6):
            if twin.open is not None:
                twin.answer(sampled(twin, rng))
        wreck(table)
        table.open = None
        table.roster = None
        return choice

    wild, calm = begun(), begun()
    rngs = random.Random(5), random.Random(5)
    guard = Guard(wild)
    while calm.decision is not None:
        saved = rngs[0].getstate()
        before = state(wild)
        answer = guard.ask(Obedient(plays_on), rngs[0])
        rngs[0].setstate(saved)
        assert answer.fault is None
        assert state(wild) == before
        assert answer.choice == guard.ask(Obedient(sampled), rngs[0]).choice
        guard.play(answer)
        calm.play(calm.action_of(sampled(calm.table, rngs[1])))
    assert wild.events == calm.events


def test_a_bot_has_no_dice_no_log_and_no_match() -> None:
    seen: list[MatchState] = []

    def looks(table: MatchState, rng: random.Random) -> Any:
        seen.append(table)
        table.dice.roll(2, "to look ahead")

    match = begun()
    answer = Guard(match).ask(Obedient(looks), random.Random(1))
    assert answer.fault is not None
    assert isinstance(answer.fault.error, DiceRunDry)
    assert seen[0].log is None
    assert seen[0].dice is not match.table.dice


@pytest.mark.parametrize("number", [0, 3])
def test_r_tgt_03_q_153_nothing_hidden_can_be_reached_from_a_bots_table(number: int) -> None:
    """Face-down tokens and hands of others, also of those who play later; the seed, dice and log of the match."""
    match = random_match(number)
    known, seed = constants(match), seed_of(number)
    guard, rng = Guard(match), random.Random(number)
    looked = 0

    def looks(table: MatchState, rng: random.Random) -> Any:
        nonlocal looked
        looked += 1
        decision = match.decision
        assert decision is not None
        hidden, shown = hidden_names(match, decision.side)
        forbidden = {id(match), id(match.table), id(match.table.dice), id(match.table.log), id(match.table.position)}
        texts = set()
        for value in reachable(table, known):
            assert id(value) not in forbidden
            if isinstance(value, str):
                texts.add(value)
            assert value != seed
        assert not hidden & texts
        assert shown & texts or not shown
        return sampled(table, rng)

    for step in itertools.count():
        if match.decision is None:
            break
        is_looked_at = step % 11 == 0 or match.decision.kind == "rally"
        answer = guard.ask(Obedient(looks if is_looked_at else sampled), rng)
        assert answer.fault is None, answer.fault
        guard.play(answer)
    assert looked > 10
