"""The examples of docs/engine.md and of docstrings in rules/ do what they say."""

from __future__ import annotations

import doctest
import random
import re
from importlib import import_module
from pathlib import Path

import pytest

from rules.catalogue import load_builtin
from rules.competition.match import Match
from rules.core.dice import SeededDice
from rules.measuring.self_play import random_setup

ROOT = Path(__file__).resolve().parents[2]
LEAST = 40


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = sorted(
    module_name(path) for path in (ROOT / "rules").rglob("*.py") if ">>> " in path.read_text(encoding="utf-8")
)


def duel() -> Match:
    """What docstrings call `match`, as docs/engine.md builds it: it has just begun, and is the same each time."""
    return Match.start(random_setup(load_builtin(), random.Random(1)), SeededDice(1))


def examples_of(module: str) -> list[doctest.DocTest]:
    found = doctest.DocTestFinder(exclude_empty=True).find(import_module(module))
    return [each for each in found if each.examples]


def failures_of(test: doctest.DocTest) -> str:
    lines: list[str] = []
    doctest.DocTestRunner().run(test, out=lines.append)
    return "".join(lines)


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_come_true(module: str) -> None:
    tests = examples_of(module)
    assert tests
    for test in tests:
        test.globs["match"] = duel()
    assert "".join(failures_of(test) for test in tests) == ""


def test_many_docstrings_have_an_example() -> None:
    assert sum(len(examples_of(module)) for module in MODULES) >= LEAST


def test_the_tour_comes_true() -> None:
    path = ROOT / "docs" / "engine.md"
    without_fences = re.sub("^```.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    tour = doctest.DocTestParser().get_doctest(without_fences, {}, path.name, str(path), 0)
    assert len(tour.examples) >= LEAST
    assert failures_of(tour) == ""


def test_an_example_that_does_not_come_true_is_shown() -> None:
    wrong = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, 0)
    assert "Expected:\n    3\nGot:\n    2\n" in failures_of(wrong)
