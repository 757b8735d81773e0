"""The report on forecasts: its score, its table, and the same fixtures whatever the number of processes."""

from math import comb
from pathlib import Path

import pytest

from rules import calibration
from rules.calibration import Fixture, brier, factor, fixture, ideal, main, rows


def test_the_score_is_the_mean_square_of_what_was_missed() -> None:
    told = [Fixture(1.0, True), Fixture(0.5, False), Fixture(0.0, True)]
    assert brier(told) == pytest.approx((0 + 0.25 + 1) / 3)
    assert ideal(told) == pytest.approx(0.25 / 3)


def test_a_sound_count_scores_so_much_more_the_fewer_its_play_outs() -> None:
    """Of 3 play-outs and a match of one true chance: all cases, weighed by how often they come."""
    chance, count = 0.3, 3
    missed = left = 0.0
    for wins in range(count + 1):
        often = comb(count, wins) * chance**wins * (1 - chance) ** (count - wins)
        told = wins / count
        missed += often * (chance * (1 - told) ** 2 + (1 - chance) * told**2)
        left += often * told * (1 - told)
    assert missed / left == pytest.approx(factor(count))


def test_the_table_sets_what_was_told_beside_what_came() -> None:
    told = [Fixture(0.25, True), Fixture(0.2, False), Fixture(1.0, True)]
    first, last = rows(told)
    assert first.startswith("| 20% to 30% | 2 | 22.5% | 50.0% |")
    assert last.startswith("| 90% to 100% | 1 | 100.0% | 100.0% |")


def test_a_fixture_is_the_same_again_and_played_with_other_dice_than_it_is_forecast() -> None:
    found = [fixture(number, 3, 1) for number in range(12)]
    assert found == [fixture(number, 3, 1) for number in range(12)]
    assert {one.chance == float(one.won) for one in found} == {True, False}


def test_the_command_writes_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written = []
    for jobs in ("1", "2"):
        monkeypatch.setattr(calibration, "REPORT", tmp_path / f"{jobs}.md")
        assert main(["--fixtures", "6", "--play-outs", "2", "--seed", "4", "--jobs", jobs, "--write"]) == 0
        written.append((tmp_path / f"{jobs}.md").read_text(encoding="utf-8"))
    assert written[0] == written[1]
    assert capsys.readouterr().out == "".join(written)


def test_the_committed_report_is_one_of_this_command() -> None:
    written = calibration.REPORT.read_text(encoding="utf-8")
    assert "--fixtures 500" in written
    lines = [line for line in written.splitlines() if line.startswith("| ") and "% to" in line]
    assert sum(int(line.split("|")[2]) for line in lines) == 500
