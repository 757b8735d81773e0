"""The balance of points: scores that are kept, and the command."""

import json
from pathlib import Path
from typing import Any

import pytest

from rules.catalogue import Catalogue, load_builtin
from rules.measuring.balance import playing
from rules.measuring.balance.playing import Bout, Pairing, Score, play
from rules.tools.balance import __main__ as command
from rules.tools.balance import keeping
from rules.tools.balance.fitting import (
    fit,
)
from rules.tools.balance.keeping import KeptScores
from rules.tools.balance.report import ClassRun, suggestions
from tests.rules.tools.test_balance import CATALOGUE, expected, light

# --- kept scores ------------------------------------------------------------------------------------------------------


def changed(key: str, **fields: Any) -> Catalogue:
    """The catalogue with one unit that differs."""
    catalogue = load_builtin()
    catalogue.units[key] = {**catalogue.units[key], **fields}
    return catalogue


def test_kept_scores_are_found_again_and_not_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = light(3)
    path = tmp_path / "scores"
    schedule = [Pairing(first, second, 2), Pairing(first, third, 1)]
    fresh = play(schedule, 5, memory=KeptScores(path, CATALOGUE))
    assert len(path.read_text().splitlines()) == 3
    played: list[Bout] = []

    def note(bout: Bout) -> tuple[float, float, int]:
        played.append(bout)
        return 0.5, 0.5, 0

    monkeypatch.setattr(playing, "_play_builtin", note)
    assert play(schedule, 5, memory=KeptScores(path, CATALOGUE)) == fresh
    assert played == []
    more = play([Pairing(first, second, 3), Pairing(first, third, 1)], 5, memory=KeptScores(path, CATALOGUE))
    assert played == [Bout(first, second, 2, 5)]
    assert more[0].scores == (*fresh[0].scores, Score(0.5, 0.5))
    assert more[1] == fresh[1]


def test_a_bout_in_which_a_bot_failed_counts_hears_of_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "scores"
    monkeypatch.setattr(playing, "_play_builtin", lambda bout: (1.0, 0.5, bout.number))
    (found,) = play([Pairing(*light(2), 3)], 5, memory=KeptScores(path, CATALOGUE))
    assert found.scores == (Score(1.0, 0.5),) * 3
    assert len(path.read_text().splitlines()) == 1
    assert [(line.levelname, line.getMessage()) for line in caplog.records] == [
        ("ERROR", "greedy failed at 3 decisions, which were answered by the default")
    ]


def test_a_kept_score_is_of_the_same_units_ground_and_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = light(3)
    bout = Bout(first, second, 0, 1)
    points = [int(CATALOGUE.units[key]["points"]) for key in (first, second)]
    dial = CATALOGUE.units[first]["dial"]
    path = tmp_path / "scores"
    KeptScores(path, CATALOGUE).add(bout, Score(1.0, 0.5))

    def finds(catalogue: Catalogue, wanted: Bout = bout) -> bool:
        return KeptScores(path, catalogue).find(wanted) == Score(1.0, 0.5)

    assert finds(CATALOGUE)
    assert finds(changed(first, name="Another name"))
    assert finds(changed(third, dial=dial))
    nearer = points[1] + (1 if points[0] > points[1] else -1)
    assert points[0] != points[1]
    assert finds(changed(first, points=nearer))
    assert not finds(changed(first, points=2 * points[1] - points[0]))
    assert not finds(changed(first, dial=[dial[0], *dial]))
    assert not finds(changed(second, vent=9))
    assert not finds(CATALOGUE, bout._replace(number=1))
    assert not finds(CATALOGUE, bout._replace(seed=2))
    other = load_builtin()
    other.arenas.popitem()
    assert not finds(other)
    monkeypatch.setattr(keeping, "code_hash", lambda: "of other code")
    assert not finds(CATALOGUE)


def test_the_hash_of_the_code_sees_each_place(monkeypatch: pytest.MonkeyPatch) -> None:
    hashes = [keeping.code_hash()]
    for place in keeping.CODE:
        monkeypatch.setattr(keeping, "CODE", tuple(other for other in keeping.CODE if other != place))
        hashes.append(keeping.code_hash())
        monkeypatch.undo()
    assert len(set(hashes)) == len(hashes)


@pytest.mark.parametrize("text", ["Not scores", '["key", 1]', "3", '["key", "one", 0]'])
def test_a_file_of_something_else_is_refused(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deeper" / "scores"
    KeptScores(path, CATALOGUE).add(Bout(*light(2), 0, 1), Score(1.0, 0.0))
    path.write_text(path.read_text() + text)
    with pytest.raises(ValueError, match="not a kept score"):
        KeptScores(path, CATALOGUE)
    with pytest.raises(SystemExit):
        command.main(["--keep", str(path)])
    assert "not a kept score" in capsys.readouterr().err


# --- the command -------------------------------------------------------------------------------------------------


def test_the_command_reports_every_unit_and_the_same_for_any_number_of_jobs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    units = {key: unit for key, unit in CATALOGUE.units.items() if unit["class"] == "light"}
    texts = []
    for jobs in ("1", "2"):
        files = [tmp_path / f"{kind}.{jobs}" for kind in ("json", "md")]
        arguments = ["--class", "light", "--matches", "4", "--seed", "3", "--jobs", jobs, "--suggest"]
        status = command.main([*arguments, "--json", str(files[0]), "--report", str(files[1])])
        screen = capsys.readouterr().out
        assert all(screen.count(key) >= 2 for key in units)
        found = json.loads(files[0].read_text())
        written = files[1].read_text()
        assert "python -m rules.tools.balance --class light --matches 4 --seed 3 --report" in written
        assert all(f"| {key} {unit['name']} | {unit['points']} |" in written for key, unit in units.items())
        fitted = found["classes"]["light"]["units"]
        assert set(fitted) == set(units)
        assert status == (0 if all(unit["adjusted"]["inside"] for unit in fitted.values()) else 1)
        assert (
            sum(pairing["matches"] for pairing in found["classes"]["light"]["pairings"])
            == sum(unit["matches"] for unit in fitted.values()) / 2
        )
        texts.append((found, written.replace(files[1].name, ""), screen))
    assert texts[0] == texts[1]


def test_suggestions_name_the_best_and_the_worst_opponent() -> None:
    keys = light(3)
    strengths = dict(zip(keys, (0.0, 1.0, -1.0), strict=True))
    points = {key: CATALOGUE.units[key]["points"] for key in keys}
    results = expected(strengths, 10)
    text = suggestions(ClassRun("light", CATALOGUE.units, results, fit(points, results), "")).splitlines()
    assert len(text) == 4
    assert text[1].split()[-4:] == [keys[2], "73%", keys[1], "27%"]
    assert text[2].split()[-4:] == [keys[2], "88%", keys[0], "73%"]
    assert text[3].split()[-4:] == [keys[0], "27%", keys[1], "12%"]


def test_one_unit_plays_the_same_matches_as_in_its_class(capsys: pytest.CaptureFixture[str]) -> None:
    one, two = light(2)
    command.main(["--unit", one, "--matches", "4", "--json"])
    alone = json.loads(capsys.readouterr().out)["classes"]["light"]
    command.main(["--class", "light", "--matches", "4", "--json"])
    together = json.loads(capsys.readouterr().out)["classes"]["light"]
    assert list(alone["units"]) == [one]
    assert alone["units"][one]["rate"] == together["units"][one]["rate"]
    assert alone["pairings"] == [pairing for pairing in together["pairings"] if one in pairing["units"]]
    assert two in together["units"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--matches", "0"],
        ["--jobs", "0"],
        ["--class", "colossal"],
        ["--unit", "nobody"],
        ["--unit", light(1)[0], "--report", "x"],
    ],
)
def test_the_command_refuses_what_it_cannot_play(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(arguments)
    assert "usage:" in capsys.readouterr().err
