"""Asking bots under guard: whatever a bot does, the match has a legal answer, is left alone, and the fault is shown."""

from __future__ import annotations

import itertools
import random
from asyncio import CancelledError
from typing import Any

import pytest

from rules import bots
from rules.bots.budget import Budget
from rules.bots.guard import ILLEGAL, OVERRAN, RAISED, Guard
from rules.competition.formats import FORMATS
from rules.competition.match import Match
from rules.competition.state.match_state import Choice, MatchState
from rules.competition.state.setup import MatchSetup
from rules.core.dice import SeededDice
from tests.rules.competition.formats.test_formats import setup_of
from tests.rules.competition.test_hidden_facts import other_world, random_match, seed_of
from tests.rules.guarded import Decides, Obedient, begun, play_guarded, sampled, thinker
from tests.rules.play_outs import state

# --- bots that do nothing wrong ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", FORMATS)
@pytest.mark.parametrize("seed", range(2))
def test_bots_play_under_guard_what_they_play_without(key: str, seed: int) -> None:
    setup = setup_of(key, seed, time_limit_rounds=6)
    names = [("greedy", "random")[number % 2] for number in range(len(setup.sides))]
    players: dict[str, Any] = {side.key: bots.get(name) for side, name in zip(setup.sides, names, strict=True)}
    free, guarded = Match.start(setup, SeededDice(seed)), Match.start(setup, SeededDice(seed))
    bots.play_out(free, players, random.Random(seed))
    assert play_guarded(guarded, players, seed) == []
    assert guarded.actions == free.actions
    assert guarded.events == free.events


@pytest.mark.parametrize(
    ("name", "number"), [*(("greedy", number) for number in range(4)), ("tactical", 0), ("strong", 0)]
)
def test_the_same_with_rally_cards_gear_and_abilities(name: str, number: int) -> None:
    """Those who imagine hidden cards and tokens imagine as many as there are."""
    free, guarded = random_match(number), random_match(number)
    players: dict[str, Any] = {side.key: thinker(name) for side in free.setup.sides}
    bots.play_out(free, players, random.Random(number))
    assert play_guarded(guarded, players, number) == []
    assert guarded.events == free.events


def test_q_153_how_many_cards_others_hold_is_seen_and_nothing_of_them() -> None:
    match = random_match(0)
    seen: list[tuple[list[int], list[str]]] = []

    def looks(table: MatchState, rng: random.Random) -> Any:
        own = table.roster.side_of[table.open[1]] if table.open is not None else -1
        others = [
            hand for hand, (side, _) in zip(table.roster.hands, table.roster.setup.owners, strict=True) if side != own
        ]
        seen.append(([len(hand) for hand in table.roster.hands], [key for hand in others for key in hand]))
        return sampled(table, rng)

    Guard(match).ask(Obedient(looks), random.Random(1))
    (counts, keys), real = seen[0], match.table.roster.hands
    assert counts == [len(hand) for hand in real]
    assert sum(counts) > 0
    assert not set(keys) & {key for hand in real for key in hand}


@pytest.mark.parametrize("name", ["tactical", "quick", "strong"])
def test_bots_that_look_far_ahead_are_the_same_under_guard(name: str) -> None:
    setup = setup_of("standard", 1, time_limit_rounds=3)
    players: dict[str, Any] = {side.key: thinker(name) for side in setup.sides}
    free, guarded = Match.start(setup, SeededDice(1)), Match.start(setup, SeededDice(1))
    bots.play_out(free, players, random.Random(1))
    assert play_guarded(guarded, players, 1) == []
    assert guarded.events == free.events


@pytest.mark.parametrize("name", ["greedy", "tactical", "strong"])
def test_what_lies_hidden_and_what_dice_will_fall_decide_nothing(name: str) -> None:
    """The same decision in another world: other tokens face down, other cards in others' hands, other dice to come."""
    compared, kinds = 0, set()
    for number in range(4, 6):
        match, rng = random_match(number), random.Random(number)
        for step in itertools.count():
            if match.decision is None or compared >= 8 * (number - 3):
                break
            if step % 5 == 0:
                twin = other_world(match, match.decision.side, seed_of(number))
                if twin.decision is None or twin.decision.to_json() != match.decision.to_json():
                    continue
                loaded = Match.at(match.table.roster, SeededDice("other dice"))
                loaded._table = match.table.copy(SeededDice("other dice"))
                tables = [each.table for each in (match, twin, loaded)]
                choices = [thinker(name).decide(table, random.Random(step)) for table in tables]
                assert choices[0] == choices[1] == choices[2]
                kinds.add(match.decision.kind)
                compared += 1
            match.play(match.sample_action(rng))
    assert compared > 10
    assert {"move", "combat"} <= kinds


# --- bots that fail ---------------------------------------------------------------------------------------------------


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise ValueError("not even that")


def raising(error: BaseException) -> Decides:
    def decides(table: MatchState, rng: random.Random) -> Any:
        raise error

    return decides


def without_end(table: MatchState, rng: random.Random) -> Any:
    return without_end(table, rng)


ERRORS = [
    ValueError("no idea"), MemoryError(), Unspeakable(), KeyError("x"), StopIteration(), AssertionError(),
    GeneratorExit(), CancelledError(), BaseExceptionGroup("several", [KeyError("y")]),
]  # fmt: skip


RAISING = {type(error).__name__: raising(error) for error in ERRORS} | {"RecursionError": without_end}


@pytest.mark.parametrize("decides", RAISING.values(), ids=RAISING)
def test_what_a_bot_raises_is_its_fault(decides: Decides) -> None:
    match = begun()
    before, default = state(match), match.default_action()
    answer = Guard(match).ask(Obedient(decides), random.Random(1))
    assert answer.fault is not None
    decision = match.decision
    assert decision is not None
    assert (answer.fault.code, answer.fault.bot, answer.fault.kind) == (RAISED, "obedient", decision.kind)
    assert answer.fault.detail
    assert answer.fault.error is not None
    assert answer.action == match.action_of(answer.choice) == default
    assert state(match) == before


def test_a_bot_that_cannot_say_its_name_is_shown_by_its_kind() -> None:
    class Nameless(Obedient):
        @property
        def name(self) -> str:  # type: ignore[override]
            raise AttributeError("name")

    fault = Guard(begun()).ask(Nameless(raising(ValueError("no idea"))), random.Random(1)).fault
    assert fault is not None
    assert (fault.bot, fault.code) == ("Nameless", RAISED)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(1)])
def test_what_stops_the_program_is_no_fault_of_a_bot(error: BaseException) -> None:
    with pytest.raises(type(error)):
        Guard(begun()).ask(Obedient(raising(error)), random.Random(1))


class Odd:
    """Answers every question, with itself."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __getitem__(self, key: Any) -> Any:
        return self

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        raise RuntimeError("unprintable")


NONSENSE: list[Any] = [
    None, (), [], {}, "pass", 7, -1, True, 1.5, float("nan"), object(), Odd(), (None,), (1,), (1, 2), ("move",),
    (1, 2, 3, 4, 5, 6, 7), (1, 0, 10**30, 0, None, 0), (1, 0, -5, 0, None, 0), (4, "a", ["0101"], {}, 0), (Odd(),) * 6,
    ({"order": "surrender"},), lambda: None, MatchState,
]  # fmt: skip


def test_nonsense_is_answered_by_the_default_at_every_decision() -> None:
    """What is no answer at all, and answers of other shapes; where one happens to be legal it counts."""
    met: dict[str, int] = {}
    for number in range(3):
        match = random_match(number)
        guard, rng = Guard(match), random.Random(number)
        while match.decision is not None:
            kind, default = match.decision.kind, match.default_action()
            for nonsense in NONSENSE if met.get(kind, 0) < 12 else rng.sample(NONSENSE, 2):
                before = state(match)
                answer = guard.ask(Obedient(lambda *_, nonsense=nonsense: nonsense), rng)
                assert state(match) == before
                written = match.action_of(answer.choice)
                assert match.check(written) == []
                if answer.fault is not None:
                    met[kind] = met.get(kind, 0) + 1
                    assert (answer.fault.code, written) == (ILLEGAL, default)
            match.play(match.sample_action(rng))
    assert min(met.values()) >= 12
    assert {"start", "initiative", "move", "combat", "react"} <= set(met)


def test_choices_for_other_moments_are_illegal_unless_they_fit() -> None:
    """An answer of a decision before, or of another unit: legal in form, and often not in place."""
    match = begun(1)
    guard, rng = Guard(match), random.Random(1)
    old: list[Choice] = []
    refused = 0
    while match.table.open is not None:
        own = sampled(match.table, rng)
        for choice in rng.sample(old, min(4, len(old))):
            answer = guard.ask(Obedient(lambda *_, choice=choice: choice), rng)
            if answer.fault is None:
                assert match.check(match.action_of(choice)) == []
            else:
                refused += 1
                assert answer.fault.code == ILLEGAL
                assert answer.choice == guard.default().choice
        old.append(own)
        match.play_choice(own)
    assert refused > 50


def test_a_refused_answer_says_why() -> None:
    match = begun()
    while match.decision is not None and match.decision.kind != "move":
        match.play(match.default_action())
    far = (1, 0, match.table.roster.lattice.index("1115"), 0, None, 0)
    fault = Guard(match).ask(Obedient(lambda *_: far), random.Random(1)).fault
    assert fault is not None
    assert (fault.code, fault.kind, fault.unit) == (ILLEGAL, "move", match.decision and match.decision.unit)
    assert "1115" in fault.detail


# --- budgets ----------------------------------------------------------------------------------------------------------


def test_a_search_beyond_its_budget_makes_an_overrun() -> None:
    def searches(table: MatchState, rng: random.Random) -> Any:
        budget = Budget(100, "positions")
        while True:
            budget.spend()

    match = begun()
    before, default = state(match), match.default_action()
    answer = Guard(match).ask(Obedient(searches), random.Random(1))
    assert answer.fault is not None
    assert (answer.fault.code, answer.action) == (OVERRAN, default)
    assert "more than 100 positions" in answer.fault.detail
    assert state(match) == before


def test_a_match_of_bots_that_always_fail_comes_to_an_end_and_is_a_match() -> None:
    setup: MatchSetup = setup_of("standard", 3, time_limit_rounds=6)
    match = Match.start(setup, SeededDice(3))
    players: dict[str, Any] = {side.key: Obedient(raising(ValueError())) for side in setup.sides}
    faults = play_guarded(match, players, 1)
    assert match.result is not None
    assert len(faults) == len(match.actions) > 10
    assert Match.replay(setup, SeededDice(3), match.actions).events == match.events
