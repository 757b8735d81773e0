"""Asking bots under guard: whatever a bot does, the match has a legal answer, is left alone, and the fault is told."""

from __future__ import annotations

import itertools
import random
from asyncio import CancelledError
from collections.abc import Callable
from typing import Any

import pytest

from rules import bots
from rules.bots.base import TableBot
from rules.bots.guard import ILLEGAL, OVERRAN, RAISED, Guard, LateBot, Overran
from rules.bots.relief import LIVES, RESERVE, Relief
from rules.bots.strategic import Stage, StrategicBot
from rules.bots.tactical import TacticalBot
from rules.competition.match import Match
from rules.competition.setup import FORMATS_BUILT, MatchSetup
from rules.competition.table import Choice, Table
from rules.core.dice import DiceRunDry, SeededDice
from tests.rules.engine.object_graph import reachable
from tests.rules.engine.play_outs import state
from tests.rules.engine.test_formats import setup_of
from tests.rules.engine.test_hidden_facts import constants, hidden_names, other_world, random_match, seed_of

Decides = Callable[[Table, random.Random], Any]


class Told(TableBot):
    """A bot that does what it is told."""

    name = "told"

    def __init__(self, decides: Decides) -> None:
        self._decides = decides

    def decide(self, table: Table, rng: random.Random) -> Choice:
        choice: Choice = self._decides(table, rng)
        return choice


def sampled(table: Table, rng: random.Random) -> Choice:
    assert table.open is not None
    kind, unit, data = table.open
    return kind.sample(table, unit, data, rng)


def begun(number: int = 0) -> Match:
    return Match.start(setup_of("standard", number, time_limit_rounds=6), SeededDice(number))


def play_guarded(match: Match, players: dict[str, TableBot], seed: int) -> list[Any]:
    """Play a match to its end; the faults."""
    guard, rng, faults = Guard(match), random.Random(seed), []
    while (decision := match.decision) is not None:
        answer = guard.ask(players[decision.side], rng)
        if answer.fault is not None:
            faults.append(answer.fault)
        guard.play(answer)
    return faults


# --- bots that do nothing wrong ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", FORMATS_BUILT)
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

    def looks(table: Table, rng: random.Random) -> Any:
        own = table.roster.side_of[table.open[1]] if table.open is not None else -1
        others = [
            hand for hand, (side, _) in zip(table.roster.hands, table.roster.setup.owners, strict=True) if side != own
        ]
        seen.append(([len(hand) for hand in table.roster.hands], [key for hand in others for key in hand]))
        return sampled(table, rng)

    Guard(match).ask(Told(looks), random.Random(1))
    (counts, keys), real = seen[0], match.table.roster.hands
    assert counts == [len(hand) for hand in real]
    assert sum(counts) > 0
    assert not set(keys) & {key for hand in real for key in hand}


def thinker(name: str) -> Any:
    """A bot of that search with a budget for tests; each stage of it is reached at every decision."""
    brief = TacticalBot(choices=3, play_outs=2, effort=80)
    thinkers = {
        "tactical": brief,
        "quick": StrategicBot(name, Stage(3, 2, 80), Stage(2, 2, 80)),
        "strong": StrategicBot(name, Stage(3, 2, 80), Stage(2, 2, 200), brief),
    }
    return thinkers.get(name) or bots.get(name)


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
    def decides(table: Table, rng: random.Random) -> Any:
        raise error

    return decides


def without_end(table: Table, rng: random.Random) -> Any:
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
    answer = Guard(match).ask(Told(decides), random.Random(1))
    assert answer.fault is not None
    decision = match.decision
    assert decision is not None
    assert (answer.fault.code, answer.fault.bot, answer.fault.kind) == (RAISED, "told", decision.kind)
    assert answer.fault.detail
    assert answer.fault.error is not None
    assert answer.action == match.action_of(answer.choice) == default
    assert state(match) == before


def test_a_bot_that_cannot_say_its_name_is_told_by_its_kind() -> None:
    class Nameless(Told):
        @property
        def name(self) -> str:  # type: ignore[override]
            raise AttributeError("name")

    fault = Guard(begun()).ask(Nameless(raising(ValueError("no idea"))), random.Random(1)).fault
    assert fault is not None
    assert (fault.bot, fault.code) == ("Nameless", RAISED)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(1)])
def test_what_stops_the_program_is_no_fault_of_a_bot(error: BaseException) -> None:
    with pytest.raises(type(error)):
        Guard(begun()).ask(Told(raising(error)), random.Random(1))


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
    ({"order": "surrender"},), lambda: None, Table,
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
                answer = guard.ask(Told(lambda *_, nonsense=nonsense: nonsense), rng)
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
            answer = guard.ask(Told(lambda *_, choice=choice: choice), rng)
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
    fault = Guard(match).ask(Told(lambda *_: far), random.Random(1)).fault
    assert fault is not None
    assert (fault.code, fault.kind, fault.unit) == (ILLEGAL, "move", match.decision and match.decision.unit)
    assert "1115" in fault.detail


# --- limits -----------------------------------------------------------------------------------------------------------


class Steps(random.Random):
    """A chance that ends: whoever draws from it too often is stopped, as by a limit, in the middle of what it does."""

    drawn = 0

    def random(self) -> float:
        self.drawn += 1
        if self.drawn > 2000:
            raise Overran
        return super().random()


def test_a_limit_that_stops_a_bot_makes_an_overrun() -> None:
    def hangs(table: Table, rng: random.Random) -> Any:
        while True:
            try:
                while True:
                    rng.random()
            except Exception:
                continue

    match = begun()
    before, default = state(match), match.default_action()
    answer = Guard(match, lambda function: function()).ask(Told(hangs), Steps(1))
    assert answer.fault is not None
    assert (answer.fault.code, answer.action) == (OVERRAN, default)
    assert state(match) == before


def test_an_answer_without_an_end_is_written_within_the_limit() -> None:
    calls = []

    def limit(function: Callable[[], Any]) -> Any:
        calls.append("begun")
        result = function()
        assert isinstance(result, dict), "what comes out is a document, not the bot's own answer"
        return result

    match = begun()
    assert Guard(match, limit).ask(bots.get("random"), random.Random(1)).fault is None
    assert calls == ["begun"]


def test_who_is_given_up_holds_nothing_of_the_match() -> None:
    """What a limit is handed leads to copies: a thread that is left behind with it has nothing else."""
    match = random_match(0)
    known, held = constants(match), []

    def limit(function: Any) -> Any:
        secret = {id(match), id(match.table), id(match.table.position), id(match.table.dice), id(match.table.log)}
        parts = list(reachable([function.func, *function.args], known))
        held.append([part for part in parts if id(part) in secret or isinstance(part, (Match, SeededDice))])
        return function()

    guard, rng = Guard(match, limit), random.Random(1)
    while match.decision is not None and len(held) < 12:
        answer = guard.ask(bots.get("random"), rng)
        assert answer.fault is None
        guard.play(answer)
    assert held == [[]] * 12


# --- what a bot can see and do ----------------------------------------------------------------------------------------


def wreck(table: Table) -> None:
    position = table.position
    position.hex[:] = [0] * len(position.hex)
    position.clicks[:] = [99] * len(position.clicks)
    position.round, position.tokens, position.outcome = 40, (), (0, "points", None)
    table.agenda.clear()


def test_what_a_bot_does_to_its_table_happens_to_nobody_else() -> None:
    def plays_on(table: Table, rng: random.Random) -> Any:
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
        answer = guard.ask(Told(plays_on), rngs[0])
        rngs[0].setstate(saved)
        assert answer.fault is None
        assert state(wild) == before
        assert answer.choice == guard.ask(Told(sampled), rngs[0]).choice
        guard.play(answer)
        calm.play(calm.action_of(sampled(calm.table, rngs[1])))
    assert wild.events == calm.events


def test_a_bot_has_no_dice_no_log_and_no_match() -> None:
    seen: list[Table] = []

    def looks(table: Table, rng: random.Random) -> Any:
        seen.append(table)
        table.dice.roll(2, "to look ahead")

    match = begun()
    answer = Guard(match).ask(Told(looks), random.Random(1))
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

    def looks(table: Table, rng: random.Random) -> Any:
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
        answer = guard.ask(Told(looks if is_looked_at else sampled), rng)
        assert answer.fault is None, answer.fault
        guard.play(answer)
    assert looked > 10


# --- who answers when a bot cannot be left to play --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "faults", "expected"),
    [
        ("quick", [], "quick"),
        ("quick", [RAISED] * (LIVES - 1), "quick"),
        ("quick", [RAISED, ILLEGAL, RAISED], RESERVE),
        ("quick", [OVERRAN], RESERVE),
        ("quick", [RAISED, OVERRAN], RESERVE),
        ("quick", [OVERRAN, RAISED, ILLEGAL], RESERVE),
        ("quick", [OVERRAN, RAISED, RAISED, RAISED], None),
        ("quick", [OVERRAN, OVERRAN], None),
        ("quick", [OVERRAN, OVERRAN, OVERRAN, RAISED], None),
        (RESERVE, [RAISED, RAISED], RESERVE),
        (RESERVE, [OVERRAN], None),
    ],
)
def test_an_overrun_costs_all_lives_and_anything_else_one(name: str, faults: list[str], expected: str | None) -> None:
    assert Relief({"red": name}, [("red", fault) for fault in faults]).who_answers("red", name) == expected


def test_an_overrun_costs_every_seat_of_the_bot_and_other_faults_only_their_own() -> None:
    names = {"a": "quick", "b": "quick", "c": "tactical", "d": RESERVE}
    relief = Relief(names, [*[("c", RAISED)] * LIVES, ("a", OVERRAN)])
    assert {side: relief.who_answers(side, name) for side, name in names.items()} == dict.fromkeys("abcd", RESERVE)
    assert relief.who_answers("e", "tactical") == "tactical"
    relief.note("b", OVERRAN)  # by RESERVE, which answered there
    assert {side: relief.who_answers(side, name) for side, name in names.items()} == dict.fromkeys("abcd")
    assert relief.who_answers("e", "tactical") == "tactical"


def test_what_was_noted_one_by_one_is_what_is_read_again() -> None:
    names = {"a": "quick", "b": "tactical", "c": RESERVE, "d": "quick"}
    for number in range(200):
        rng, relief, told = random.Random(number), Relief(names), []
        for _ in range(rng.randrange(12)):
            side = rng.choice(list(names))
            if relief.who_answers(side, names[side]) is None:
                continue
            told.append((side, rng.choice([RAISED, RAISED, ILLEGAL, OVERRAN])))
            relief.note(*told[-1])
        again = Relief(names, told)
        for side, name in names.items():
            assert relief.who_answers(side, name) == again.who_answers(side, name)


def test_where_all_took_too_long_together_only_who_takes_over_is_asked() -> None:
    relief = Relief({"red": "quick"})
    assert relief.who_answers("red", "quick", is_late=True) == RESERVE
    assert relief.who_answers("red", "quick") == "quick"
    for fault in (OVERRAN, OVERRAN):
        relief.note("red", fault)
    assert relief.who_answers("red", "quick", is_late=True) is None


def test_a_seat_whose_bot_nobody_knows_any_more_costs_no_other_seat() -> None:
    assert Relief({}, [("red", OVERRAN)]).who_answers("blue", RESERVE) == RESERVE


def test_who_takes_over_is_a_bot_that_there_is() -> None:
    assert RESERVE in bots.BOT_NAMES


def test_a_bot_that_cannot_be_made_fails_like_any_other() -> None:
    made = []

    def make(name: str) -> Any:
        made.append(name)
        if name == "broken":
            raise OSError("its table of weights is gone")
        return bots.get(name)

    match = begun()
    fault = Guard(match).ask(LateBot("broken", make), random.Random(1)).fault
    assert fault is not None
    assert (fault.code, fault.bot) == (RAISED, "broken")
    good = LateBot("random", make)
    for _ in range(3):
        assert Guard(match).ask(good, random.Random(1)).fault is None
    assert made == ["broken", "random"]


def test_a_match_of_bots_that_always_fail_comes_to_an_end_and_is_a_match() -> None:
    setup: MatchSetup = setup_of("standard", 3, time_limit_rounds=6)
    match = Match.start(setup, SeededDice(3))
    players: dict[str, Any] = {side.key: Told(raising(ValueError())) for side in setup.sides}
    faults = play_guarded(match, players, 1)
    assert match.result is not None
    assert len(faults) == len(match.actions) > 10
    assert Match.replay(setup, SeededDice(3), match.actions).events == match.events
