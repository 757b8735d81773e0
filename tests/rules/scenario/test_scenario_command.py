"""The command that plays scenarios: a line a file, its status, and what it says of files that are none."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rules.scenario.command import main
from rules.scenario.playing import load
from rules.scenario.shape import ScenarioError
from tests.rules.scenario.test_scenarios import GOOD, changed, with_red

# --- the command ------------------------------------------------------------------------------------------------


def write(folder: Path, name: str, document: Any) -> str:
    path = folder / name
    path.write_text(json.dumps(document), encoding="utf-8")
    return str(path)


def test_the_command_prints_a_line_a_file_and_its_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = write(tmp_path, "good.json", GOOD)
    bad = write(tmp_path, "bad.json", changed(winner="red"))
    assert main([good]) == 0
    assert capsys.readouterr().out == f"{good}: ok\n"
    assert main([good, bad]) == 1
    assert capsys.readouterr().out == f'{good}: ok\n{bad}: winner: expected "red", found null\n'


def test_a_refused_position_is_ok_when_it_is_expected_and_prints_its_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(
        tmp_path, "refused.json", {**with_red(facing=12), "dice": [], "actions": [], "expect": {"error": "bad_setup"}}
    )
    assert main([path]) == 0
    assert capsys.readouterr().out == f"{path}: ok\n"
    assert main(["--print", path]) == 0
    assert json.loads(capsys.readouterr().out) == {"error": "bad_setup"}


def test_a_file_that_breaks_the_comparison_does_not_keep_the_next_from_being_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = write(tmp_path, "a.json", changed(attacks=[{"modifiers": [1]}]))
    good = write(tmp_path, "b.json", GOOD)
    assert main([bad, good]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{bad}: cannot be played: ")
    assert second == f"{good}: ok"


def test_print_shows_the_outcome_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--print", write(tmp_path, "good.json", GOOD)]) == 0
    outcome = json.loads(capsys.readouterr().out)
    assert outcome["units"]["b"]["damage_die"] == 3
    assert outcome["attacks"][0]["roll"] == 12
    assert {"reputation", "winner", "kills", "flags", "decision", "error", "events"} <= set(outcome)


def test_the_command_runs_as_a_module(tmp_path: Path) -> None:
    good = write(tmp_path, "good.json", GOOD)
    bad = write(tmp_path, "bad.json", {**GOOD, "dice": []})
    results = [
        subprocess.run([sys.executable, "-m", "rules.scenario", path], capture_output=True, text=True, check=False)
        for path in (good, bad)
    ]
    assert [result.returncode for result in results] == [0, 1]
    assert "asks for 3 dice" in results[1].stdout


@pytest.mark.parametrize("content", ["", "[]", "{", '"text"'])
def test_a_file_that_is_no_scenario_is_said_to_be_none(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "none.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ScenarioError):
        load(path)
    assert main([str(path)]) == 1
    assert str(path) in capsys.readouterr().out


def test_a_missing_file_is_a_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "nowhere.json")]) == 1
    assert "nowhere.json" in capsys.readouterr().out


def test_a_folder_stands_for_the_files_below_it_in_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "b" / "deep").mkdir(parents=True)
    paths = [write(tmp_path / "b" / "deep", "z.json", GOOD), write(tmp_path, "a.json", GOOD)]
    (tmp_path / "read.me").write_text("no scenario", encoding="utf-8")
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out == "".join(f"{path}: ok\n" for path in reversed(paths))


def test_a_folder_without_a_scenario_is_a_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 1
    assert str(tmp_path) in capsys.readouterr().out


def test_a_reader_that_has_seen_enough_gets_no_complaint(tmp_path: Path) -> None:
    good = write(tmp_path, "good.json", GOOD)
    command = [sys.executable, "-m", "rules.scenario", "--print", *[good] * 200]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(1) == b"{"
        process.stdout.close()
        assert process.stderr.read() == b""
