"""The text form of a replay: as exact as the JSON document, and checked as strictly."""

import json
from pathlib import Path
from typing import Any

import pytest

from rules.competition.notation import from_text, to_text
from rules.competition.verification import Outcome, verify
from rules.core.refusals import Malformed
from rules.verify import main
from tests.tools.golden import replay


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return json.loads(json.dumps(replay("standard-1")))


def test_the_text_reads_back_as_the_same_document(document: dict[str, Any]) -> None:
    assert from_text(to_text(document)) == {"schema": 1, **document}


def test_one_line_an_event(document: dict[str, Any]) -> None:
    events = [event for batch in document["events"] for event in batch]
    lines = to_text(document).splitlines()
    assert len(lines) == 1 + 4 + len(document["actions"]) + len(events) + 1
    assert sum(line.startswith(">") for line in lines) == len(document["actions"])


def test_the_command_checks_both_forms(
    tmp_path: Path, document: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    as_json, as_text = tmp_path / "match.json", tmp_path / "match.txt"
    as_json.write_text(json.dumps(document), encoding="utf-8")
    assert main([str(as_json), "--text"]) == 0
    as_text.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main([str(as_json)]) == main([str(as_text)]) == 0


def test_one_die_changed_is_found(tmp_path: Path, document: dict[str, Any]) -> None:
    lines = to_text(document).splitlines()
    number = next(number for number, line in enumerate(lines) if line.startswith("initiative_rolled"))
    before = lines[number]
    lines[number] = before.replace("dice=[", "dice=[9,", 1)
    assert lines[number] != before
    found = verify(from_text("\n".join(lines)))
    assert found.outcome is Outcome.DIFFERS
    assert found.stored["event"] == "initiative_rolled"
    path = tmp_path / "changed.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    assert main([str(path)]) == 1


@pytest.mark.parametrize(
    "text",
    ["", "replay 2", "replay 1\nmoved unit=", "replay 1\nmoved unit", "replay 1\n> {", 'replay 1\nseed "a'],
    ids=repr,
)
def test_a_text_that_is_not_a_replay_is_refused(text: str) -> None:
    with pytest.raises(Malformed) as caught:
        from_text(text)
    assert caught.value.code == "bad_replay"
