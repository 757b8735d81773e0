"""What strength and points are measured with: bots under guard play as they do without, see no more, and may fail."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from rules import bots
from rules.bots.base import TableBot
from rules.bots.guard import Fault
from rules.catalogue import load_builtin
from rules.competition.formats import FORMATS
from rules.competition.match import Match
from rules.competition.observation import HIDDEN
from rules.competition.state.match_state import Choice, MatchState
from rules.core.dice import ScriptedDice, SeededDice
from rules.measuring import self_play
from rules.measuring.balance import playing
from rules.tools import learning


def sampled(table: MatchState, rng: random.Random) -> Choice:
    assert table.open is not None
    kind, unit, data = table.open
    return kind.sample(table, unit, data, rng)


class Peeping(TableBot):
    """Answers by chance and fails where it sees what nobody may."""

    name = "peeping"

    def decide(self, table: MatchState, rng: random.Random) -> Choice:
        assert table.open is not None
        side = table.roster.side_of[table.open[1]]
        others = [token for token in table.position.pool if table.roster.token_owner[token] != side]
        assert all(table.roster.tokens[token] is HIDDEN for token in others)
        assert isinstance(table.dice, ScriptedDice)
        return sampled(table, rng)


class Failing(TableBot):
    """Raises at every fifth decision, by chance."""

    name = "failing"

    def decide(self, table: MatchState, rng: random.Random) -> Choice:
        if rng.random() < 0.2:
            raise ValueError("no idea")
        return sampled(table, rng)


@pytest.fixture(autouse=True)
def _listed(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (Peeping, Failing):
        monkeypatch.setitem(bots._BOTS, kind.name, kind)  # type: ignore[arg-type]


def played_directly(names: tuple[str, str], number: int, seed: int, format_key: str) -> tuple[int, int]:
    """The winner, and how many decisions there were, without anything between the bots and the table."""
    players = [bots.get(name) for name in names]
    setup = self_play.random_setup(load_builtin(), random.Random(f"{seed}/setup/{number // 2}"), format_key)
    match = Match.start(setup, SeededDice(f"{seed}/dice/{number}"), recording=False)
    rng = random.Random(f"{seed}/bots/{number}")
    table, count = match.table, 0
    while table.open is not None:
        bot = table.roster.side_of[table.open[1]] % 2 ^ number % 2
        table.answer(players[bot].decide(table, rng))
        count += 1
    assert match.result is not None
    return table.roster.side_of_name[match.result.winner] % 2 ^ number % 2, count


@pytest.mark.parametrize(
    ("name", "format_key", "matches"),
    [*(("greedy", key, 4) for key in FORMATS), ("tactical", "standard", 1)],
)
def test_house_bots_play_the_same_matches_under_guard(name: str, format_key: str, matches: int) -> None:
    for number in range(matches):
        outcome = self_play.play((name, "greedy"), number, 3, format_key)
        count = sum(map(len, outcome.seconds))
        assert (outcome.winner, count) == played_directly((name, "greedy"), number, 3, format_key)
        assert outcome.faults == (0, 0)


def test_units_are_measured_with_the_same_matches() -> None:
    catalogue = load_builtin()
    light = [unit for unit in catalogue.units.values() if unit["class"] == "light"]
    for number in range(6):
        setup = playing.setup_of(catalogue, (light[number], light[number + 1]), random.Random(number))
        match = Match.start(setup, SeededDice(f"{number}/dice"), recording=False)
        players = dict.fromkeys(match.table.roster.sides, bots.get("greedy"))
        bots.play_out(match, players, random.Random(f"{number}/bots"))
        assert match.result is not None
        won = playing.WIN if match.result.winner == "red" else playing.LOSS
        faults: list[Fault] = []
        expected = playing.DRAW if match.result.tie_break is not None else won
        assert playing.play_match(setup, str(number), faults) == expected
        assert faults == []


def test_a_bot_sees_neither_dice_nor_hidden_tokens_where_it_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    for format_key in FORMATS:
        report = self_play.run(("peeping", "greedy"), 2, 1, format_key)
        assert report["faults"] == {"peeping": 0, "greedy": 0}
    assert learning.gather("standard", 4, 1, "peeping", 1).faults == 0
    monkeypatch.setattr(playing, "BOT", "peeping")
    units = list(load_builtin().units)[:2]
    faults: list[Fault] = []
    playing.play_bout(load_builtin(), playing.Bout(*units, 0, 1), faults)
    assert faults == []


def test_a_bot_that_fails_ends_no_run_and_hears_of(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    report: Any = self_play.run(("failing", "greedy"), 2, 1, "standard")
    assert report["faults"]["failing"] > 0
    assert report["faults"]["greedy"] == 0
    assert self_play.main(["--bots", "failing,greedy", "--matches", "2"]) == 0
    count = report["faults"]["failing"]
    assert f"failing  failed at {count} decisions, which were answered by the default" in capsys.readouterr().out
    learning.study(["standard"], 10, 1, "failing", 1)
    assert "standard: a bot failed at" in capsys.readouterr().err
    monkeypatch.setattr(playing, "BOT", "failing")
    rows = playing.play_numbers({"seed": 1, "runs": [[*list(load_builtin().units)[:2], 0, 1]]}, 0, 1)
    assert rows[0][2] > 0


def test_trios_of_tokens_are_found_and_drawn_as_from_a_list() -> None:
    catalogue = load_builtin()
    tokens = [dict(token) for token in reversed(catalogue.target_tokens.values())]
    shuffled = replace(catalogue, target_tokens={token["id"]: token for token in tokens})
    listed = [list(trio) for trio in combinations(tokens, 3) if sum(token["rp"] for token in trio) == 30]
    trios = self_play.TokenTrios(shuffled)
    assert list(trios) == listed, "in the order of the catalogue"
    assert [random.Random(seed).choice(trios) for seed in range(20)] == [
        random.Random(seed).choice(listed) for seed in range(20)
    ]
