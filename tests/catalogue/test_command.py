"""`manage.py load_catalogue`: validates, loads all or nothing, reports."""

import copy
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from catalogue.models import CatalogueRelease
from rules.catalogue import Catalogue, load_builtin
from rules.catalogue.bounds import MOST_PROBLEMS
from tests.catalogue.test_mapping import foreign

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def document(builtin: Catalogue) -> dict[str, Any]:
    return copy.deepcopy(builtin.to_json())


def written(folder: Path, name: str, content: Any) -> str:
    path = folder / name
    path.write_text(json.dumps(content), encoding="utf-8")
    return str(path)


def test_without_files_it_loads_what_comes_with_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("load_catalogue")
    assert CatalogueRelease.objects.get().content_hash == load_builtin().content_hash
    counts = load_builtin().counts()
    assert f"{counts['units']} units" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--json"], ["--json", "-"]])
def test_json_stands_alone_on_standard_output(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    call_command("load_catalogue", *arguments)
    assert json.loads(capsys.readouterr().out) == {"counts": load_builtin().counts()}
    assert list(load_builtin().counts()) == ["units", "gear", "pilots", "rally_cards", "target_tokens", "arenas"]


def test_json_to_a_file_beside_human_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "counts.json"
    call_command("load_catalogue", "--json", str(target))
    assert json.loads(target.read_text(encoding="utf-8")) == {"counts": load_builtin().counts()}
    assert "Loaded:" in capsys.readouterr().out


def test_check_changes_nothing(tmp_path: Path, document: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, "units.json", {"schema": 1, "units": document["units"][:3]})
    call_command("load_catalogue", file, "--check")
    assert CatalogueRelease.objects.count() == 0
    assert "nothing changed: 3 units" in capsys.readouterr().out
    call_command("load_catalogue", file, "--check", "--json")
    assert json.loads(capsys.readouterr().out)["counts"]["units"] == 3


def test_several_files_make_one_release(
    tmp_path: Path, document: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    files = [written(tmp_path, f"{kind}.json", {"schema": 1, kind: document[kind]}) for kind in ("units", "pilots")]
    call_command("load_catalogue", *files, verbosity=0)
    release = CatalogueRelease.objects.get()
    assert capsys.readouterr().out == ""
    assert release.label == "units.json, pilots.json"
    assert release.entries.count() == len(document["units"]) + len(document["pilots"])


@pytest.mark.parametrize("options", [[], ["--check"], ["--json"]])
def test_a_bad_file_is_refused_with_its_place_and_nothing_is_loaded(
    tmp_path: Path, document: dict[str, Any], options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    good = written(tmp_path, "good.json", {"schema": 1, "pilots": document["pilots"]})
    document["units"][0]["dial"][3]["attack"] = 19
    bad = written(tmp_path, "bad.json", {"schema": 1, "units": document["units"]})
    with pytest.raises(CommandError) as caught:
        call_command("load_catalogue", good, bad, *options)
    key = document["units"][0]["id"]
    assert f"bad.json · Units {key} · click 4 · attack: Attack: it rises from 9 to 19" in str(caught.value)
    assert caught.value.returncode == 1
    assert CatalogueRelease.objects.count() == 0
    output = capsys.readouterr().out
    if "--json" not in options:
        assert output == ""
        return
    (problem,) = json.loads(output)["problems"]
    assert (problem["file"], problem["id"], problem["click"], problem["field"]) == ("bad.json", key, 4, "attack")
    assert problem["sentence"].startswith("Attack: it rises from 9 to 19")


def test_more_problems_than_are_kept_are_not_said_to_be_all(
    tmp_path: Path, document: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    broken = [{**document["units"][0], "colour": "red"} for _ in range(MOST_PROBLEMS)]
    file = written(tmp_path, "bad.json", {"schema": 1, "units": broken})
    with pytest.raises(CommandError) as caught:
        call_command("load_catalogue", file, "--check", "--json")
    assert f"Problems found: {MOST_PROBLEMS}. The search stopped there; there may be more." in str(caught.value)
    assert json.loads(capsys.readouterr().out)["is_cut"] is True


def test_a_sheet_that_is_cut_is_not_said_to_be_whole_among_other_files(tmp_path: Path) -> None:
    sheet = tmp_path / "bad.csv"
    sheet.write_text("id,row,primary,secondary,speed,attack,defense\n" + "A1,tick\n" * 300, encoding="utf-8")
    broken = written(tmp_path, "bad.json", {"a": 1})
    with pytest.raises(CommandError) as caught:
        call_command("load_catalogue", str(sheet), broken, "--check")
    assert "there may be more" in str(caught.value)


def test_files_that_cannot_be_read_are_all_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    with pytest.raises(CommandError) as caught:
        call_command("load_catalogue", str(tmp_path / "nowhere.json"), str(broken))
    assert "nowhere.json: The file cannot be read" in str(caught.value)
    assert "broken.json: This is not JSON: the reader stopped at line 1, column 2" in str(caught.value)


def test_a_target_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(CommandError):
        call_command("load_catalogue", "--check", "--json", str(tmp_path / "no" / "folder.json"))


def test_help_says_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        call_command("load_catalogue", "--help")
    assert "all or nothing" in capsys.readouterr().out


def test_a_foreign_file_is_loaded_by_its_mapping_and_reports_its_gaps(tmp_path: Path) -> None:
    file = tmp_path / "own.json"
    file.write_text(json.dumps(foreign()), encoding="utf-8")
    out, err = StringIO(), StringIO()
    call_command("load_catalogue", str(file), "--form", "tagged_clicks", stdout=out, stderr=err)
    assert CatalogueRelease.objects.get().entries.get().key == "ZZ001"
    assert "ZZ001 · rank: The file does not say it; veteran was used." in err.getvalue().splitlines()
