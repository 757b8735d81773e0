"""How answers are held against each other: chances and their doubt, doing nothing, answers that are no alternative."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from rules.bots.advice import advising
from rules.bots.advice.advising import Advice, Advised, advise
from rules.bots.advice.margins import Judged
from rules.bots.greedy import GreedyBot
from rules.competition.forecast import forecast
from rules.competition.match import Match
from rules.competition.state.match_state import Choice, MatchState
from rules.competition.state.position import RANGED
from tests.rules.board import unit
from tests.rules.bots.advice.advised import FORMATS, at_combat, at_move, attacked, played


class Weighed(NamedTuple):
    choice: Choice
    chance: float


class Weigher(GreedyBot):
    """Weighs every option by a rule that a test can foresee: the farther down the list, the worse."""

    def consider(self, table: MatchState, rng: random.Random) -> list[Weighed]:
        assert table.open is not None
        kind, asked, data = table.open
        options = kind.options(table, asked, data)
        shots = [option for option in options if option != kind.default(table, asked, data)]
        listed = [*shots, kind.default(table, asked, data)]
        return [Weighed(option, 0.8 - 0.6 * place / len(listed)) for place, option in enumerate(listed)]


@pytest.fixture
def weighing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advising, "get", lambda name: Weigher())


@pytest.mark.usefixtures("weighing")
def test_a_bot_that_weighs_gives_chances_and_up_to_three_others_that_differ_in_more_than_a_shade() -> None:
    match = at_move()
    advice = advise(match.observe("red"), "seed")
    assert len(advice.options) == 1 + advising.MOST_ALTERNATIVES
    chances = [option.chance or 0.0 for option in advice.options]
    assert chances == sorted(chances, reverse=True)
    lattice = match.table.roster.lattice
    ends = [lattice.index(option.action["path"][-1]) for option in advice.options if option.action.get("path")]
    assert all(lattice.distance(one, other) >= 2 for one in ends for other in ends if one != other)
    assert len(set(ends)) == len(ends)


@pytest.mark.usefixtures("weighing")
def test_the_first_is_held_against_doing_nothing_and_the_others_against_the_first() -> None:
    first, *others = advise(at_combat().observe("red"), "seed").options
    codes = [reason.code for reason in first.reasons]
    assert codes[-1] == "better_than_nothing"
    assert first.reasons[-1].parameters["points"] > 0
    for other in others:
        assert other.reasons[-1].code in ("behind_the_first", "as_good_as_the_first")


@pytest.mark.usefixtures("weighing")
def test_where_something_must_be_chosen_nothing_is_held_against_doing_nothing() -> None:
    match, rng, seen = played("team", 0), random.Random(1), dict[str, bool]()
    while match.decision is not None and match.decision.kind not in ("combat", "special"):
        first = advise(match.observe(match.decision.side), "seed").options[0]
        has_reason = any(reason.code == "better_than_nothing" for reason in first.reasons)
        seen[match.decision.kind] = seen.get(match.decision.kind, False) or has_reason
        match.play(match.sample_action(rng))
    assert {kind: seen[kind] for kind in ("start", "token", "initiative", "move")} == {
        "start": False,
        "token": False,
        "initiative": False,
        "move": True,
    }
    asked = attacked()
    codes = [reason.code for reason in advise(asked.observe("blue"), "seed").options[0].reasons]
    assert "better_than_nothing" in codes


class Doubter(GreedyBot):
    """Its best first; then one that it dismissed early although it looked better, and two in no order."""

    def consider(self, table: MatchState, rng: random.Random) -> list[Weighed]:
        assert table.open is not None
        kind, asked, data = table.open
        return [
            Weighed(option, chance)
            for option, chance in zip(kind.options(table, asked, data), (0.5, 0.7, 0.1, 0.4), strict=False)
        ]


def test_what_was_dismissed_and_looks_better_by_luck_is_left_out_and_others_stand_by_their_chance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(advising, "get", lambda name: Doubter())
    options = advise(at_combat().observe("red"), "seed").options
    assert [option.chance for option in options] == [0.5, 0.4, 0.1]


class Convinced(GreedyBot):
    """Sees one choice only, and has nothing to compare it with."""

    def consider(self, table: MatchState, rng: random.Random) -> list[Weighed]:
        return [Weighed(self.decide(table, rng), 0.5)]


def test_an_only_choice_is_tried_for_its_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advising, "get", lambda name: Convinced())
    even, ahead = (
        advise(at_combat(blue={"clicks": clicks}).observe("red"), "seed").options[0].chance for clicks in (0, 4)
    )
    assert even is not None
    assert ahead is not None
    assert 0.3 < even < ahead < 1


@pytest.mark.parametrize("seed", range(3))
def test_who_starts_last_has_not_lost_before_it_stands(seed: int) -> None:
    match = played("standard", seed)
    match.play(match.default_action())
    assert match.decision is not None
    assert match.decision.kind == "start"
    (start, *_) = advise(match.observe(match.decision.side), "seed").options
    assert start.chance is not None
    assert 0.2 < start.chance < 0.8


@pytest.mark.parametrize("format_key", FORMATS)
def test_the_real_adviser_weighs_and_every_answer_of_it_can_be_played(format_key: str) -> None:
    rng = random.Random(11)
    match = played(format_key, 3)
    for _ in range(14):
        assert match.decision is not None
        match.play(GreedyBot().choose(match, rng))
    assert match.decision is not None
    advice = advise(match.observe(match.decision.side), "seed")
    assert advice.bot == advising.adviser() == "strong"
    for option in advice.options:
        assert match.check(option.action) == []
        assert option.chance is not None
        assert 0 <= option.chance <= (advice.options[0].chance or 0)
        assert option.reasons


def test_a_bot_that_only_decides_gives_its_one_answer() -> None:
    match = at_combat()
    (only,) = advise(match.observe("red"), "seed", "greedy").options
    assert only.chance is None
    assert dict(only.action) == GreedyBot().choose(match, random.Random(0))
    assert forecast(match, only.action) is not None


class Doubtful(GreedyBot):
    """Says of what it weighs how sure it is: the second is 6 behind, surely or not, the third 30."""

    def __init__(self, apart: float) -> None:
        self.apart = apart

    def judge(self, table: MatchState, rng: random.Random) -> list[Judged]:
        assert table.open is not None
        kind, asked, data = table.open
        options = kind.options(table, asked, data)
        default = kind.default(table, asked, data)
        shots = [option for option in options if option != default]
        return [
            Judged(shots[0], 0.6, 0.04, 0.0),
            Judged(default, 0.54, 0.04, self.apart),
            Judged(shots[1], 0.3, 0.1, 0.06),
        ]


@pytest.mark.parametrize(
    ("apart", "beside", "second"),
    [
        (0.02, "better_than_nothing_about", "behind_the_first_about"),
        (0.08, "nothing_is_as_good", "as_good_as_the_first"),
        (0.25, "nothing_may_be_as_good", "may_be_as_good_as_the_first"),
    ],
)
def test_what_lies_within_a_small_doubt_is_called_about_as_good_and_within_a_large_one_open(
    apart: float, beside: str, second: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advising, "get", lambda name: Doubtful(apart))
    options = advise(at_combat().observe("red"), "seed").options
    assert [option.margin for option in options] == [0.04, 0.04, 0.1]
    last = [option.reasons[-1] for option in options]
    assert [reason.code for reason in last] == [beside, second, "behind_the_first_about"]
    assert last[2].parameters == {"points": 30, "margin": 6}
    if apart == 0.02:
        assert last[0].parameters == {"chance": 54, "best": 60, "points": 6, "margin": 2}
    if apart == 0.25:
        assert last[0].parameters == last[1].parameters == {"points": 6, "margin": 25}
    assert Advice.from_json(advise(at_combat().observe("red"), "seed").to_json()).options == options


class Certain(GreedyBot):
    """Has won whatever it does."""

    def judge(self, table: MatchState, rng: random.Random) -> list[Judged]:
        assert table.open is not None
        kind, asked, data = table.open
        return [Judged(option, 1.0, 0.0, 0.0) for option in kind.options(table, asked, data)]


def test_what_every_play_out_came_to_is_not_shown_as_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advising, "get", lambda name: Certain())
    best, *others = advise(at_combat().observe("red"), "seed").options
    assert (best.chance, best.margin) == (0.99, 0.01)
    assert {option.reasons[-1].code for option in others} == {"as_good_as_the_first"}


class Saving(GreedyBot):
    """Has lost if it does nothing, and won by everything else."""

    def judge(self, table: MatchState, rng: random.Random) -> list[Judged]:
        assert table.open is not None
        kind, asked, data = table.open
        default = kind.default(table, asked, data)
        others = [option for option in kind.options(table, asked, data) if option != default]
        return [*(Judged(option, 1.0, 0.0, 0.0) for option in others), Judged(default, 0.0, 0.0, 0.0)]


def test_nor_is_what_none_of_them_came_to_and_the_difference_is_that_of_what_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(advising, "get", lambda name: Saving())
    best = advise(at_combat().observe("red"), "seed").options[0]
    assert best.chance == 0.99
    assert best.reasons[-1].parameters == {"chance": 1, "best": 99, "points": 98, "margin": 1}


def test_advice_that_was_kept_before_there_was_a_margin_can_be_read() -> None:
    kept = Advised({"order": "pass"}, 0.5, ()).to_json()
    del kept["margin"]
    assert Advised.from_json(kept).margin is None


class Shooter(GreedyBot):
    """Finds all shots about as good as passing, which it likes best."""

    def consider(self, table: MatchState, rng: random.Random) -> list[Weighed]:
        assert table.open is not None
        kind, asked, data = table.open
        default = kind.default(table, asked, data)
        options = [option for option in kind.options(table, asked, data) if option[0] == RANGED]
        return [Weighed(default, 0.5), *(Weighed(option, 0.5) for option in options)]


def advised_attacks(match: Match) -> set[str]:
    options = advise(match.observe("red"), "seed").options
    return {str(option.action["value"]) for option in options if option.action["order"] == "ranged"}


def test_an_attack_that_can_deal_nothing_is_no_alternative(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advising, "get", lambda name: Shooter())
    assert advised_attacks(at_combat()) == {"primary", "secondary"}
    weak = at_combat(red={"unit": unit("a", click={"secondary": 0})})
    assert advised_attacks(weak) == {"primary"}
    armored = unit("b", click={"equipment": {"defense": "hardened_armor"}})
    at_one = at_combat(red={"unit": unit("a", click={"secondary": 1})}, blue={"unit": armored})
    assert advised_attacks(at_one) == {"primary"}


def test_an_attack_without_damage_that_does_something_else_stays_an_alternative(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(advising, "get", lambda name: Shooter())
    beacon = unit("a", click={"primary": 0, "secondary": 0, "equipment": {"primary": "homing_beacon"}})
    assert advised_attacks(at_combat(red={"unit": beacon})) == {"primary"}
