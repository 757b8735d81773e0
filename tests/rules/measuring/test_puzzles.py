"""The finder of puzzles: the same seed gives the same puzzle, and only a clear lead makes one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rules.measuring.puzzles import LEAD, Puzzle, Weighed, find, leads, solve, weighed

SHIPPED: dict[str, Any] = json.loads(Path("matches/puzzles.json").read_text("utf-8"))
DAY = "2026-11-26"
"""The one that takes least time to find: two seconds, after five duels without one."""

NOTHING: dict[str, Any] = {}
"""No order at all, so that none is obvious."""

OBVIOUS = {"order": "vent"}
ORDERS = [{"order": "ranged"}, {"order": "pass"}, OBVIOUS]


def test_the_finder_finds_a_shipped_puzzle_again_from_its_day() -> None:
    assert find(DAY) == Puzzle.from_json(SHIPPED[DAY]), "python -m rules.tools.puzzles writes the file again"


@pytest.mark.parametrize(
    ("times", "is_puzzle"),
    [
        ([[0.6, 0.5, 0.4], [0.62, 0.52, 0.4]], True),
        ([[0.6, 0.52, 0.4], [0.6, 0.52, 0.4]], False),  # the second is too near
        ([[0.9, 0.5, 0.4], [0.5, 0.5, 0.4]], False),  # a lead of 0.2 with a standard error of 0.2
        ([[0.4, 0.5, 0.9], [0.4, 0.5, 0.9]], False),  # the obvious order is the best
    ],
)
def test_an_order_leads_if_it_is_clear_and_sure_and_not_obvious(times: list[list[float]], is_puzzle: bool) -> None:
    assert leads(weighed(ORDERS, times), OBVIOUS) is is_puzzle


def test_orders_stand_by_their_mean_with_the_error_of_the_distance() -> None:
    first, second, _ = weighed(ORDERS, [[0.6, 0.5, 0.4], [0.7, 0.5, 0.4]])
    assert first == Weighed(ORDERS[0], 0.65, 0.0, 0.0)
    assert second == Weighed(ORDERS[1], 0.5, 0.15, 0.05)


def test_a_moment_of_a_duel_is_refused_when_the_lead_is_too_narrow() -> None:
    puzzle = Puzzle.from_json(SHIPPED[DAY])
    match = puzzle.played()
    assert match is not None
    observed = match.observe(puzzle.decision["side"])
    second = sorted(order.behind for order in puzzle.orders)[1]
    assert solve(observed, NOTHING, "seed", LEAD) is not None
    assert solve(observed, NOTHING, "seed", second + 0.05) is None
    assert solve(observed, puzzle.orders[puzzle.best].action, "seed", LEAD) is None


def test_duels_without_a_puzzle_end_the_search() -> None:
    assert find("a day without duels", 0) is None
