"""The ladder of the bots: who plays how often, the same report whoever plays, and what stands in it."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from rules import bots
from rules.measuring import ladder, studies
from rules.measuring.ladder import Duel, play_all, play_numbers, ratings_of, report, standings_in, study_of
from rules.measuring.ratings import BEGINNER, rate

REPORT = Path(__file__).resolve().parents[3] / "docs" / "ladder.md"


def test_bots_that_take_their_time_play_fewer_matches_but_always_both_sides() -> None:
    counts = {pair: study_of(pair, 200, 1).count for pair in combinations(bots.BOT_NAMES, 2)}
    assert counts["random", "greedy"] == 200
    assert counts["greedy", "tactical"] == 50
    assert counts["tactical", "strong"] == 20
    for matches in (1, 2, 7, 30):
        assert all(study_of(pair, matches, 1).count % 2 == 0 for pair in counts)
        assert all(study_of(pair, matches, 1).count >= 2 for pair in counts)


def test_every_bot_of_the_house_has_its_share() -> None:
    assert set(ladder.LESS_OFTEN) <= set(bots.BOT_NAMES)


def test_numbers_may_be_played_in_parts() -> None:
    given = {"bots": ["random", "greedy"], "seed": 4}
    whole = play_numbers(given, 0, 4)
    assert [*play_numbers(given, 0, 1), *play_numbers(given, 1, 3)] == whole
    assert set(whole) <= {0, 1}
    assert play_numbers({**given, "seed": 5}, 0, 12) != play_numbers(given, 0, 12)


@pytest.mark.parametrize("way", [studies.in_this_process, studies.in_processes(2)])
def test_the_report_is_the_same_whoever_plays(way: Any) -> None:
    duels = play_all(["random", "greedy"], 6, 1, way)
    assert len(duels) == 6
    assert report(duels) == report(play_all(["random", "greedy"], 6, 1, studies.in_this_process))


DUELS = [Duel(("a", "b"), 0), Duel(("a", "b"), 0), Duel(("b", "c"), 1), Duel(("a", "c"), 0)]


def test_ratings_are_those_of_the_matches_in_their_order() -> None:
    a, b = rate([BEGINNER, BEGINNER], [1, 2])
    a, b = rate([a, b], [1, 2])
    b, c = rate([b, BEGINNER], [2, 1])
    a, c = rate([a, c], [1, 2])
    assert ratings_of(DUELS) == {"a": a, "b": b, "c": c}
    assert list(ratings_of(DUELS)) == ["a", "c", "b"]


def test_the_tables_tell_of_every_pair() -> None:
    text = report(DUELS)
    assert re.search(r"^\| 1 \| a \| 1\d{3} ± \d+ \| \d+ \| 3 \|$", text, re.MULTILINE)
    assert "| a |  | 1 of 1 (21% to 100%) | 2 of 2 (34% to 100%) |" in text
    assert "| b | 0 of 2 (0% to 66%) | 0 of 1 (0% to 79%) |  |" in text


def test_the_committed_report_is_of_all_bots_and_names_its_command() -> None:
    text = REPORT.read_text(encoding="utf-8")
    assert re.search(r"`python -m rules\.measuring\.ladder --jobs \d+ --matches \d+ --seed \d+ --write`", text)
    rows = re.findall(r"^\| \d+ \| (\w+) \| \d+ ± \d+ \| -?\d+ \| \d+ \|$", text, re.MULTILINE)
    assert sorted(rows) == sorted(bots.BOT_NAMES)


def test_what_a_report_tells_is_read_from_it_again() -> None:
    duels = [Duel(("strong", "greedy"), 0), Duel(("strong", "greedy"), 0), Duel(("greedy", "random"), 0)]
    read = standings_in(f"# The ladder\n\n{report(duels)}")
    assert [(line.place, line.bot, line.matches) for line in read] == [
        ("1", "strong", "2"),
        ("2", "greedy", "3"),
        ("3", "random", "1"),
    ]
    assert [f"{each.mean:.0f} ± {2 * each.deviation:.0f}" for each in ratings_of(duels).values()] == [
        line.rating for line in read
    ]
    assert standings_in("nothing of the kind") == []
