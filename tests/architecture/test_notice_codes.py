"""Every notice that the source sends has a sentence, and brings what its sentence names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.wording import NOTICE_CODES
from rules.wording.filling import placeholders
from stables.log_words import SENTENCES
from tests.architecture.imports import ROOMS, source_files

ROOT = Path(__file__).resolve().parents[2]
FORWARDERS = {"people/services.py"}
"""Where `notify` itself stands."""


def calls(name: str) -> Iterator[tuple[str, ast.Call]]:
    """Every call of a function of this name outside tests, with the place where it stands."""
    for room in ROOMS:
        for path in source_files(ROOT, room):
            place = str(path.relative_to(ROOT))
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and place not in FORWARDERS:
                    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                    if called == name:
                        yield f"{place}:{node.lineno}", node


def constants(node: ast.expr | None) -> list[str] | None:
    """The texts that an expression can be: a literal, or a choice between literals; None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        first, second = constants(node.body), constants(node.orelse)
        return None if first is None or second is None else first + second
    return None


def code_of(call: ast.Call) -> ast.expr | None:
    named = next((keyword.value for keyword in call.keywords if keyword.arg == "code"), None)
    return call.args[1] if len(call.args) > 1 else named


NOTICES = list(calls("notify"))


def test_the_search_finds_calls() -> None:
    assert NOTICES


@pytest.mark.parametrize(("place", "call"), NOTICES, ids=[place for place, _ in NOTICES])
def test_notices_have_codes_with_a_sentence(place: str, call: ast.Call) -> None:
    codes = constants(code_of(call))
    assert codes is not None, f"{place}: the code of a notice is written where it is sent"
    assert set(codes) <= set(NOTICE_CODES), place


@pytest.mark.parametrize(("place", "call"), NOTICES, ids=[place for place, _ in NOTICES])
def test_notices_bring_what_their_sentence_names(place: str, call: ast.Call) -> None:
    """Where the parameters are written as a dictionary at the call; others are held by the tests of their services."""
    given = call.args[2] if len(call.args) > 2 else None
    if not isinstance(given, ast.Dict) or any(key is None for key in given.keys):
        return
    names = {key.value for key in given.keys if isinstance(key, ast.Constant)}
    for code in constants(code_of(call)) or []:
        assert set(placeholders(NOTICE_CODES[code])) <= names, f"{place}: {code}"


def test_lines_of_the_log_have_a_sentence() -> None:
    """`record` is the log's verb in `stables`; a line names its code where it is written."""
    lines = [(place, call) for place, call in calls("record") if place.startswith("stables/")]
    codes = {place: constants(code_of(call)) for place, call in lines}
    assert {place: found for place, found in codes.items() if found is None or set(found) - set(SENTENCES)} == {}
