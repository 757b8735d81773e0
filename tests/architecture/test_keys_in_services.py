"""Services and the interface pass keys on; words are for pages, mails and the log when somebody reads it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from rules.wording.filling import placeholders
from rules.wording.refusals import templates
from tests.architecture.codes_in_source import ROOT, Call, calls

WORDS = re.compile(r"get_\w+_display\(\)|\w\)\.label\b")


def test_no_service_and_no_endpoint_asks_for_the_word_of_a_choice():
    """A word would be stored, or answered, in the language of whoever happens to act."""
    rooms = [*ROOT.glob("*/services/**/*.py"), *ROOT.glob("*/api/**/*.py"), *ROOT.glob("api/**/*.py")]
    assert len(rooms) > 200
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in rooms
        for number, line in enumerate(Path(path).read_text().splitlines(), 1)
        if WORDS.search(line)
    ]
    assert found == []


def test_no_refusal_gets_the_word_of_a_choice():
    """Also where a page raises it: its parameters are answered by the interface, and worded by the sentence."""
    raised = re.compile(r"(?:Refused|Malformed)\([^)]*get_\w+_display\(\)")
    found = [
        str(path.relative_to(ROOT))
        for path in ROOT.glob("*/**/*.py")
        if path.parts[len(ROOT.parts)] != ".venv" and raised.search(path.read_text())
    ]
    assert found == []


REFUSALS = ("Malformed", "Refused", "IllegalAction", "SeasonRefused", "ChallengeRefused", "Refusal")
DOCUMENTS = ("bad", "wrong_type", "wrong_format", "not_one_of")
"""What makes refusals of a season's document (stables.documents.values)."""
TRANSLATING = {"gettext", "pgettext", "ngettext", "npgettext", "say", "translate", "_"}


def refusals() -> Iterator[Call]:
    for name in REFUSALS:
        yield from calls(name)
    for name in DOCUMENTS:
        yield from (call for call in calls(name) if "stables/documents/" in call.path.as_posix())


def test_no_refusal_gets_an_english_phrase_or_a_translated_word():
    """Its parameters are names, numbers and keys: words of one language stand in no sentence of another."""
    found = set()
    for call in refusals():
        given = [*call.node.args[1:], *(keyword.value for keyword in call.node.keywords)]
        for node in (part for value in given for part in ast.walk(value)):
            if isinstance(node, ast.Constant) and re.search(r"[a-z] [a-z]", str(node.value)):
                found.add(call.place)
            if isinstance(node, ast.Call) and TRANSLATING & {getattr(node.func, name, "") for name in ("id", "attr")}:
                found.add(call.place)
    assert sorted(found) == []


def test_a_problem_inside_a_refusal_is_a_code_and_comes_with_the_values_of_its_sentence():
    found = []
    for call in refusals():
        named = {keyword.arg: keyword.value for keyword in call.node.keywords}
        problem = named.get("problem")
        if not isinstance(problem, ast.Constant) or None in named:
            continue
        if not any(set(placeholders(one)) <= set(named) for one in templates(problem.value)):
            found.append(f"{call.place} {problem.value}")
    assert sorted(found) == []
