"""The report on the bots' strengths says what was played, and does not call a goal reached that was not."""

from pathlib import Path
from typing import Any

import pytest

from rules.tools import strengths


def report(rate: float, low: float) -> dict[str, Any]:
    return {
        "matches": 400,
        "win_rates": {"tactical": {"rate": rate, "low": low, "high": 0.8}},
        "milliseconds_a_decision": {"tactical": {"mean": 12.34, "p99": 56.7, "most": 99.0, "match": 345.6}},
    }


@pytest.mark.parametrize(
    ("rate", "low", "goal"),
    [(0.66, 0.61, "reached"), (0.65, 0.601, "reached"), (0.649, 0.61, "not reached"), (0.7, 0.6, "not reached")],
)
def test_a_goal_is_reached_with_its_whole_interval(rate: float, low: float, goal: str) -> None:
    line = strengths.row(("tactical", "greedy"), report(rate, low))
    assert f"| {goal} |" in line
    assert "12.3, 57" in line
    further = report(rate, low)
    for part in ("win_rates", "milliseconds_a_decision"):
        further[part]["quick"] = further[part].pop("tactical")
    assert "| - |" in strengths.row(("quick", "greedy"), further)


def test_every_step_is_in_the_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def played(names: tuple[str, str], matches: int, seed: int, format_key: str, jobs: int) -> dict[str, Any]:
        asked.append((format_key, names, matches, seed, jobs))
        known = report(0.5, 0.4)
        for part in ("win_rates", "milliseconds_a_decision"):
            known[part] = {names[0]: known[part]["tactical"]}
        return known

    monkeypatch.setattr(strengths, "run", played)
    monkeypatch.setattr(strengths, "REPORT", tmp_path / "strengths.md")
    assert strengths.main(["--matches", "40", "--jobs", "2", "--seed", "9", "--write"]) == 0
    assert ("standard", ("strong", "tactical"), 40, 9, 2) in asked
    assert ("standard", ("quick", "greedy"), 10, 9, 2) in asked
    written = (tmp_path / "strengths.md").read_text(encoding="utf-8")
    assert "--jobs 2 --matches 40 --seed 9" in written
    assert written.count(" against ") == len(asked) == 4


def test_the_committed_report_is_one_of_this_command() -> None:
    written = strengths.REPORT.read_text(encoding="utf-8")
    assert "--matches 400" in written
    for names, matches in strengths.pairs(400):
        assert f"| {names[0]} against {names[1]} | {matches} |" in written
