"""The commands that measure speed print what they promise; how fast anything is, no test says."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from rules.tools import bench
from tests.tools import bench_peers

FIGURES = {
    "decisions_per_second", "matches_per_second", "legal_actions_us", "legal_choices_us", "legal_choices_listed",
    "legal_choices_per_second", "clone_us", "clone_position_us", "serialise_us", "state_bytes",
}  # fmt: skip


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("bench") / "report.json"
    assert bench.main(["--seconds", "0.05", "--json", str(path)]) == 0
    document: dict[str, Any] = json.loads(path.read_text())
    return document


def test_a_report_has_every_figure_of_every_scene(report: dict[str, Any]) -> None:
    assert list(report) == ["duel", "team", "grand_melee"]
    for figures in report.values():
        assert set(figures) == FIGURES | {"quantiles"}
        assert min(figures[name] for name in FIGURES) > 0
        for parts in figures["quantiles"].values():
            assert list(parts) == ["p10", "p50", "p90"]
            assert parts["p10"] <= parts["p50"] <= parts["p90"]


def test_matches_take_several_decisions_and_positions_are_small(report: dict[str, Any]) -> None:
    for figures in report.values():
        assert figures["decisions_per_second"] > 5 * figures["matches_per_second"]
        assert 100 < figures["state_bytes"] < 5000


def test_the_report_can_be_read_alone_and_by_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main(["--seconds", "0.05", "--scenes", "duel", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)) == ["duel"]
    assert bench.main(["--seconds", "0.05", "--scenes", "duel"]) == 0
    output = capsys.readouterr().out
    assert all(name in output for name in FIGURES)
    assert "p90" in output


def test_a_scene_that_there_is_not_is_refused() -> None:
    with pytest.raises(SystemExit) as ended:
        bench.main(["--scenes", "duel,chess"])
    assert ended.value.code == 2


class Board:
    """A game of so many moves, three possible each time but for the second, which is forced."""

    halfmove_clock = 0

    def __init__(self, length: int) -> None:
        self.length, self.pushed, self.looked = length, 0, 0

    @property
    def legal_moves(self) -> range:
        self.looked += 1
        left = self.length - self.pushed
        return range(0 if left == 0 else 1 if self.pushed == 1 else 3)

    def push(self, move: int) -> None:
        self.pushed += 1

    def is_game_over(self, claim_draw: bool) -> bool:
        return not self.legal_moves

    def is_insufficient_material(self) -> bool:
        return False


@pytest.mark.parametrize(("loop", "looks"), [("usual", 11), ("lean", 6)])
def test_both_ways_to_play_the_peer_count_the_decisions_and_one_looks_for_moves_once(loop: str, looks: int) -> None:
    board = Board(5)
    assert bench_peers.LOOPS[loop](board, random.Random(1)) == 4
    assert (board.pushed, board.looked) == (5, looks)


def test_the_comparison_is_the_ratio_of_each_round(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = iter([(100.0, 200.0), (50.0, 100.0), (200.0, 400.0)])

    def ours(rosters: object, seconds: float) -> dict[str, float]:
        return {"decisions": 100.0, "choices": 30.0, "actions": 3.0}

    def peer(python: Path, seconds: float) -> dict[str, float]:
        usual, lean = next(rounds)
        return {"usual": usual, "lean": lean, "listed": 10.0}

    monkeypatch.setattr(bench_peers, "ours", ours)
    monkeypatch.setattr(bench_peers, "peer", peer)
    report = bench_peers.compare(Path("python"), "duel", bench.setups(*bench.SCENES["duel"])[:1], 0.01, 3)
    assert report["decisions_ratio"] == {"median": 1.0, "least": 0.5, "greatest": 2.0}
    assert report["decisions_lean_ratio"] == {"median": 0.5, "least": 0.25, "greatest": 1.0}
    assert report["listed_ratio"]["median"] == 3.0
    assert report["listed_as_json_ratio"]["median"] == 0.3
