"""The text form of a replay: as exact as the JSON document, and checked as strictly."""

import json
from itertools import cycle
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


def test_the_command_takes_a_byte_order_mark_before_either_form(tmp_path: Path, document: dict[str, Any]) -> None:
    path = tmp_path / "match"
    for text in (json.dumps(document), to_text(document)):
        path.write_text(text, encoding="utf-8-sig")
        assert main([str(path)]) == 0


NONSENSE: list[Any] = [None, "", "x", -99, 10**9, 10**30, 1.5, True, [], [None], [10**9], {}, {"x": 1}]


def test_nonsense_in_an_event_of_other_rules_is_refused_in_a_sentence(
    tmp_path: Path, document: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """Each field of each kind of event gets one of the values."""
    document = {**json.loads(json.dumps(document)), "rules_version": "0"}
    path, refusals, values = tmp_path / "match.json", set(), cycle(NONSENSE)
    firsts = {event["event"]: event for batch in reversed(document["events"]) for event in reversed(batch)}
    for event in firsts.values():
        for name, value in list(event.items()):
            event[name] = next(values)
            try:
                assert verify(document).outcome is Outcome.OTHER_RULES
            except Malformed as problem:
                refusals.add(problem.code)
            event[name] = value
    assert "bad_event" in refusals <= {"bad_event", "unknown_hex", "unknown_target"}
    firsts["moved"]["unit"] = []
    path.write_text(json.dumps(document), encoding="utf-8")
    assert main([str(path)]) == 1
    said = capsys.readouterr().err
    assert "not a replay: An event of the kind moved cannot be read (" in said
    path.write_text("[" * 100_000, encoding="utf-8")
    assert main([str(path)]) == 1
    assert "not a replay" in capsys.readouterr().err


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
