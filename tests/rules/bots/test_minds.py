"""The bots that think ahead: legal in every format, blind to what is hidden, the same for one seed, within budget."""

import itertools
import random
from collections import Counter
from typing import Any

import pytest

from rules import bots
from rules.bots import strategic, tactical
from rules.bots.advice.margins import TIMES
from rules.bots.base import Considered, Weighed
from rules.bots.budget import Budget
from rules.bots.candidates import candidates
from rules.bots.foresight import LEAST, THOUGHT, Foresight, horizon, positions_of_a_decision
from rules.bots.greedy import GreedyBot
from rules.bots.strategic import Stage, StrategicBot
from rules.bots.tactical import TacticalBot
from rules.catalogue import load_builtin
from rules.competition.formats import FORMATS
from rules.competition.match import Match
from rules.competition.observation import imagined
from rules.competition.phases import move_phase
from rules.competition.setups import read_setup, roster_of
from rules.competition.state.match_state import Choice, MatchState
from rules.competition.state.position import MOVE
from rules.core.dice import SeededDice
from rules.measuring.self_play import play, random_setup, run
from rules.tools.bench import SCENES, midgame, setups

THINKERS = ("tactical", "quick", "strong")


def small(name: str) -> Any:
    """A thinker with a budget for tests."""
    brief = TacticalBot(choices=3, play_outs=2, effort=80)
    return brief if name == "tactical" else StrategicBot(name, Stage(3, 2, 80), Stage(2, 2, 200), brief)


@pytest.mark.parametrize("format_key", FORMATS)
@pytest.mark.parametrize("name", ["tactical", "strong"])
def test_every_format_is_played_to_its_end_with_legal_actions(name: str, format_key: str) -> None:
    """Against chance, so that strange positions come up; `play` refuses what is illegal."""
    thinker, chance = small(name), bots.get("random")
    match = Match.start(random_setup(load_builtin(), random.Random(format_key), format_key), SeededDice(format_key))
    rng = random.Random(1)
    kinds = Counter[str]()
    while match.decision is not None:
        mine = match.table.roster.side_of_name[match.decision.side] % 2 == 0
        kinds[match.decision.kind] += mine
        match.play((thinker if mine else chance).choose(match, rng))
    assert match.result is not None
    assert kinds["move"]
    assert kinds["combat"]


def with_cards() -> Match:
    """A team match with gear, pilots' abilities and rally cards for everybody."""
    from tests.rules.dealing import dealt

    return Match.start(dealt(3, 2, 4), SeededDice(3))


def duel_table(seed: int, decisions: int = 14) -> MatchState:
    roster = roster_of(setups("standard", 2)[seed])
    (match,) = midgame([roster], decisions)
    return match.table


@pytest.mark.parametrize("name", THINKERS)
def test_the_same_seed_decides_the_same(name: str) -> None:
    for seed in range(2):
        table = duel_table(seed)
        first = bots.get(name).consider(table, random.Random(5))  # type: ignore[attr-defined]
        again = bots.get(name).consider(duel_table(seed), random.Random(5))  # type: ignore[attr-defined]
        assert first == again


@pytest.mark.parametrize("name", THINKERS)
def test_thinking_leaves_the_table_and_its_dice_alone(name: str) -> None:
    match = midgame([roster_of(setups("standard", 2)[1])], 10)[0]
    before = match.table.position.to_json(), match.table.agenda[:], match.table.open
    dice = match.table.dice
    assert isinstance(dice, SeededDice)
    drawn = [getattr(dice, slot) for slot in SeededDice.__slots__]
    bots.get(name).decide(match.table, random.Random(1))
    assert (match.table.position.to_json(), match.table.agenda, match.table.open) == before
    assert [getattr(dice, slot) for slot in SeededDice.__slots__] == drawn


@pytest.mark.parametrize("name", THINKERS)
def test_what_is_considered_is_ordered_and_its_first_is_decided(name: str) -> None:
    table = duel_table(2)
    considered: list[Considered] = bots.get(name).consider(table, random.Random(3))  # type: ignore[attr-defined]
    assert len(considered) > 1
    assert all(0 <= one.chance <= 1 for one in considered)
    assert len({one.choice for one in considered}) == len(considered)
    assert bots.get(name).decide(table, random.Random(3)) == considered[0].choice


def hidden_otherwise(seed: int) -> tuple[Match, Match]:
    """Two matches at the same decision of red's that differ in what red cannot see: blue's face-down tokens."""
    found = []
    for armor in (None, "hardened_armor"):
        document = random_setup(load_builtin(), random.Random(seed)).to_json()
        for token in document["sides"][1]["tokens"]:
            token.update(defense=20 if armor else 12, armor=armor)
        match = Match.start(read_setup(document), SeededDice(seed))
        while match.decision is not None and (match.decision.kind != "move" or match.decision.side != "red"):
            match.play(match.default_action())
        found.append(match)
    return found[0], found[1]


@pytest.mark.parametrize("name", THINKERS)
def test_hidden_tokens_decide_nothing(name: str) -> None:
    looked_at = 0
    for seed in itertools.count():
        one, other = hidden_otherwise(seed)
        roster, position = one.table.roster, one.table.position
        if any(roster.token_owner[token] == 1 for token, _ in position.tokens) or one.decision is None:
            continue  # blue's token lies open in the arena
        looked_at += 1
        thinkers = [small(name).consider(match.table, random.Random(8)) for match in (one, other)]
        assert thinkers[0] == thinkers[1]
        if looked_at == 2:
            break


class Counting(GreedyBot):
    """The greedy bot, counting how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def decide(self, table: MatchState, rng: random.Random) -> Choice:
        self.asked += 1
        return super().decide(table, rng)


def test_nodes_are_the_decisions_that_were_thought_through() -> None:
    table, policy = duel_table(0), Counting()
    foresight = Foresight(policy, 0, horizon(table), random.Random(1), positions_of_a_decision())
    first = GreedyBot().decide(table, random.Random(1))
    foresight.mean_chances([foresight.branch(table, choice) for choice in candidates(table, first, 4)], 8, 10**6)
    assert 0 < foresight.nodes == policy.asked
    assert foresight.effort > THOUGHT * foresight.nodes
    before = policy.asked
    foresight.mean_chances([foresight.branch(table, first)], 1, 10**6)
    # What was answered before in the same position is remembered.
    assert policy.asked - before < before


def test_play_outs_end_when_their_effort_is_spent() -> None:
    table = duel_table(0)
    first = GreedyBot().decide(table, random.Random(1))

    def played(effort: int) -> int:
        foresight = Foresight(GreedyBot(), 0, horizon(table), random.Random(1), positions_of_a_decision())
        branches = [foresight.branch(table, choice) for choice in candidates(table, first, 4)]
        return foresight.mean_chances(branches, 40, effort)[0]

    assert played(0) == LEAST
    assert LEAST < played(250) < 40
    assert played(10**6) == 40


class Copying(GreedyBot):
    """A thinker that answers as the greedy bot does, and notes for which side it was asked."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def weigh(self, table: MatchState, rng: random.Random, positions: Budget) -> Weighed:
        assert table.open is not None
        self.asked.append(table.open[1])
        return Weighed([Considered(self.decide(table, rng), 0.5)], 100)


def first_to_move(seed: int) -> tuple[MatchState, list[Choice]]:
    """A duel whose open decision is the first move of all, with some choices for it; the other unit moves next."""
    match = Match.start(setups("standard", 2)[seed], SeededDice(seed), recording=False)
    table, greedy, rng = match.table, GreedyBot(), random.Random(1)
    while table.open is not None and table.open[0].name != "move":
        table.answer(greedy.decide(table, rng))
    return table, candidates(table, greedy.decide(table, rng), 6)


def test_every_choice_is_met_by_the_replies_of_a_thinker() -> None:
    """Up to the dice, of all sides; a thinker who answers as the quick bot does leads where that would lead."""
    table, choices = first_to_move(0)
    assert table.open is not None
    mover, copying = table.open[1], Copying()
    foresight = Foresight(GreedyBot(), 0, horizon(table), random.Random(1), positions_of_a_decision())
    lines = foresight.lines(table, choices, copying, 10**6)
    plain = [foresight.branch(table, choice) for choice in choices]
    assert [(branch.choice, branch.table.position.to_json()) for branch in lines] == [
        (branch.choice, branch.table.position.to_json()) for branch in plain
    ]
    assert sum(unit != mover for unit in copying.asked) >= len(choices)
    assert foresight.effort >= 100 * len(copying.asked)


def test_a_thinker_is_asked_equally_often_after_every_choice_until_its_effort_is_spent() -> None:
    table, choices = first_to_move(0)
    asked = []
    for effort in (0, 1, 100 * len(choices) + 1):
        copying = Copying()
        Foresight(GreedyBot(), 0, horizon(table), random.Random(1), positions_of_a_decision()).lines(
            table, choices, copying, effort
        )
        asked.append(len(copying.asked))
    assert asked[:2] == [0, len(choices)]
    assert len(choices) < asked[2] <= 2 * len(choices)


class Standing(GreedyBot):
    """A thinker that never moves, and else answers as the greedy bot does."""

    def weigh(self, table: MatchState, rng: random.Random, positions: Budget) -> Weighed:
        assert table.open is not None
        moves = table.open[0].name == "move"
        return Weighed([Considered((move_phase.PASS,) if moves else self.decide(table, rng), 0.5)], 100)


def test_a_choice_is_judged_by_the_replies_in_thought() -> None:
    """In range of somebody who is thought to stand still, the same choices promise something else."""
    for seed in range(4):
        table, _ = first_to_move(seed)
        stages = Stage(6, 4, 10**6), Stage(6, 24, 10**6)
        quick, against = StrategicBot("quick", *stages), StrategicBot("against", *stages, Standing())
        assert quick.consider(table, random.Random(1)) != against.consider(table, random.Random(1))


def test_the_second_stage_looks_at_the_best_of_the_first() -> None:
    table = duel_table(4)
    one = StrategicBot("one", Stage(6, 24, 10**6), Stage(1, 2, 0)).consider(table, random.Random(2))
    other = StrategicBot("other", Stage(6, 24, 10**6), Stage(3, 48, 10**6)).consider(table, random.Random(2))
    assert {choice for choice, _ in one[:3]} == {choice for choice, _ in other[:3]}
    assert [choice for choice, _ in one[3:]] == [choice for choice, _ in other[3:]]
    # What was left before the second stage keeps its distance to the best one: all lie as far from where they were.
    moves = {round(after.chance - before.chance, 6) for before, after in zip(one[3:], other[3:], strict=True)}
    assert len(moves) == 1
    assert all(left.chance <= considered[0].chance for considered in (one, other) for left in considered[3:])


@pytest.mark.parametrize(("effort", "turns"), [(10**6, [(8, 2), (4, 4), (2, 8)]), (0, [(8, 2)])])
def test_the_worse_half_is_left_until_two_are_or_the_budget_ends(
    effort: int, turns: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Choices and play-outs of each turn of the second stage."""
    made: list[tuple[int, int]] = []

    class Noted(Foresight):
        def mean_chances(self, branches: Any, count: int, effort: int) -> tuple[int, list[float]]:
            made.append((len(branches), count))
            return super().mean_chances(branches, count, effort)

    monkeypatch.setattr(strategic, "Foresight", Noted)
    table, _ = first_to_move(0)
    bot = StrategicBot("bot", Stage(24, LEAST, 10**6), Stage(8, LEAST, effort))
    considered = bot.consider(table, random.Random(2))
    assert made[0][0] == len(considered) > 8
    assert made[1:] == turns


def test_to_say_how_sure_it_is_the_strong_bot_thinks_several_times_with_the_hidden_dealt_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[Foresight] = []
    dealt: list[MatchState] = []

    class Noted(Foresight):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            made.append(self)

    def deals(table: MatchState, rng: random.Random) -> MatchState:
        dealt.append(imagined(table, rng))
        return dealt[-1]

    monkeypatch.setattr(strategic, "Foresight", Noted)
    monkeypatch.setattr(strategic, "imagined", deals)
    bot = StrategicBot("bot", Stage(8, 6, 600), Stage(4, 6, 1500), TacticalBot(choices=3, play_outs=2, effort=80))
    considered = bot.consider(duel_table(2), random.Random(3))
    effort = sum(one.effort for one in made)
    made.clear()
    dealt.clear()
    judged = bot.judge(duel_table(2), random.Random(3))
    assert len(dealt) == len(made) == 2 * TIMES  # once for each stage
    assert sum(one.effort for one in made) < TIMES * effort
    assert {one.choice for one in judged} == {one.choice for one in considered}
    assert [one.chance for one in judged] == sorted((one.chance for one in judged), reverse=True)
    assert judged[0].apart == 0
    assert all(one.margin is not None and 0 <= one.margin < 0.5 for one in judged)
    assert len({one.margin for one in judged}) > 1
    assert bot.judge(duel_table(2), random.Random(3)) == judged


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize(("name", "most", "tried"), [("tactical", 2 * 800, 3), ("strong", 17000 * 3 // 2, 1)])
def test_no_decision_costs_much_more_than_its_budget(
    name: str, most: int, tried: int, scene: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted, not timed: docs/strengths.md says how long that takes. The last play-outs may go over it."""
    made: list[Foresight] = []

    class Noted(Foresight):
        def __init__(self, *about: Any) -> None:
            super().__init__(*about)
            made.append(self)

    # What a thinker of the strong bot spends is part of the strong bot's own effort.
    monkeypatch.setattr(tactical if name == "tactical" else strategic, "Foresight", Noted)
    for match in midgame([roster_of(setup) for setup in setups(*SCENES[scene])[:tried]], 16):
        made.clear()
        bots.get(name).decide(match.table, random.Random(1))
        assert made
        assert sum(each.effort for each in made) <= most


def test_every_kind_of_decision_is_thought_about() -> None:
    """Wherever there are several answers, also for cards, partners, flags, tokens and turns, more than one is looked
    at."""
    most = Counter[str]()
    greedy, rng = GreedyBot(), random.Random(1)
    matches = [with_cards()]
    for format_key in ("capture_the_flag", "tag_team", "team"):
        for seed in range(3):
            setup = random_setup(load_builtin(), random.Random(f"{format_key}/{seed}"), format_key)
            matches.append(Match.start(setup, SeededDice(seed), recording=False))
    for match in matches:
        table = match.table
        while table.open is not None:
            kind, unit, data = table.open
            first = greedy.decide(table, rng)
            if len(kind.options(table, unit, data)) > 1:
                found = candidates(table, first, 8)
                most[kind.name] = max(most[kind.name], len(found))
                for choice in found:
                    assert match.check(match.action_of(choice)) == [], (kind.name, choice)
            table.answer(first)
    assert {"tag", "flag_drop", "free_spin", "rally", "token", "move", "combat", "react"} <= set(most)
    assert [kind for kind, count in most.items() if count < 2] == []


def test_a_try_for_a_flag_is_looked_at() -> None:
    greedy, rng, tries = GreedyBot(), random.Random(1), 0
    match = Match.start(random_setup(load_builtin(), random.Random(2), "capture_the_flag"), SeededDice(2))
    table = match.table
    while table.open is not None:
        kind, unit, _ = table.open
        first = greedy.decide(table, rng)
        if kind.name == "move" and (ways := table.roster.format.flag_tries(table, unit)):
            ends = {(way.mode, way.destination) for way in ways}
            found = candidates(table, first, 4)
            tries += any(choice[0] == MOVE and choice[4] is not None and choice[1:3] in ends for choice in found)
        table.answer(first)
    assert tries


@pytest.mark.parametrize("scene", SCENES)
def test_a_handful_is_looked_at_and_all_of_it_is_legal(scene: str) -> None:
    greedy = GreedyBot()
    for match in midgame([roster_of(setup) for setup in setups(*SCENES[scene])], 16):
        table = match.table
        assert table.open is not None
        first = greedy.decide(table, random.Random(0))
        found = candidates(table, first, 8)
        assert found[0] == first
        assert len(found) <= 14
        assert len(set(found)) == len(found)
        for choice in found:
            assert match.check(match.action_of(choice)) == []


def test_thinking_beats_chance() -> None:
    """Fixed matches: the same count on every machine. How strong the bots are stands in docs/strengths.md."""
    report = run(("quick", "random"), 4, 3, "standard")
    assert report["win_rates"]["quick"]["rate"] == 1


def test_matches_are_the_same_in_one_process_and_in_two() -> None:
    alone = run(("greedy", "random"), 8, 5, "standard")
    shared = run(("greedy", "random"), 8, 5, "standard", jobs=2)
    assert alone["win_rates"] == shared["win_rates"]
    assert alone["matches"] == shared["matches"] == 8
    times = shared["milliseconds_a_decision"]["greedy"]
    assert 0 < times["mean"] <= times["most"]
    assert times["p99"] <= times["most"]
    # The slowest decision of all may take longer than a match on average.
    assert times["mean"] <= times["match"]


def test_pairings_are_played_twice_with_swapped_sides() -> None:
    """The bot that sits at red in one match sits at blue in the next, with the same units."""
    even, odd = play(("random", "random"), 6, 5, "standard"), play(("random", "random"), 7, 5, "standard")
    assert {even.winner, odd.winner} <= {0, 1}
    assert all(len(taken) for outcome in (even, odd) for taken in outcome.seconds)
