"""The tools that say whether the tests are calm and what they cost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.tools import calm, coverage_by_room
from tests.tools.processor_time import spoken

REPORT = """<testsuites><testsuite>
<testcase classname="tests.a" name="test_good"/>
<testcase classname="tests.a" name="test_bad"><failure message="no">trace</failure></testcase>
<testcase classname="tests.b" name="test_set_up"><error message="no">trace</error></testcase>
<testcase classname="tests.b" name="test_left_out"><skipped/></testcase>
</testsuite></testsuites>"""


def test_failures_and_errors_of_a_report_count_as_failed(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(REPORT, encoding="utf-8")
    assert calm.failed(report) == ["tests.a::test_bad", "tests.b::test_set_up"]


def test_the_tally_adds_up_over_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    outcomes = iter([(0, []), (1, ["tests.a::test_bad"]), (0, [])])
    monkeypatch.setattr(calm, "run", lambda *_: next(outcomes))
    monkeypatch.setattr(calm, "commit", lambda: "abc")
    tally = tmp_path / "calm.json"

    def call(*options: str) -> int:
        monkeypatch.setattr(sys, "argv", ["calm", "--busy", "0", "--tally", str(tally), *options])
        return calm.main()

    assert call("--runs", "2") == 1
    assert call("--seed", "7") == 0
    runs = json.loads(tally.read_text(encoding="utf-8"))["runs"]
    assert [each["failed"] for each in runs] == [[], ["tests.a::test_bad"], []]
    assert runs[2]["seed"] == 7
    assert f"3 runs; tests that ever failed: 1.\n  tests.a::test_bad: seed {runs[1]['seed']} at abc" in (
        capsys.readouterr().out
    )


def test_the_time_of_a_command_is_printed_and_its_status_kept() -> None:
    command = [sys.executable, "-m", "tests.tools.processor_time", sys.executable, "-c", "raise SystemExit(3)"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout[:16]) == (3, "Processor time: ")


def test_times_are_spoken_in_minutes_and_seconds() -> None:
    assert [spoken(5.9), spoken(60), spoken(605.2)] == ["0 min 05 s", "1 min 00 s", "10 min 05 s"]


def test_rooms_add_up_their_files() -> None:
    summary = {"covered_lines": 8, "num_statements": 10, "covered_branches": 3, "num_branches": 4}
    names = ("rules/core/dice.py", "rules/core/units.py", "rules/bench.py", "stables/urls.py")
    found = coverage_by_room.by_room({"files": {name: {"summary": summary} for name in names}})
    lines = {room: counts["covered_lines"] for room, counts in found.items()}
    assert lines == {"rules": 8, "rules/core": 16, "stables": 8}
