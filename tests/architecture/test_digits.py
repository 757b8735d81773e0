"""One reader takes the numbers that come from outside: Python's own tests of digits let through what int refuses."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.architecture.imports import ROOMS, source_files

ROOT = Path(__file__).resolve().parents[2]
READER = "rules/core/digits.py"
TESTS_OF_DIGITS = {"isdigit", "isdecimal", "isnumeric"}
SETTINGS = "solaris_site/environment.py"
"""Operators write these, and a number may be below 0 there until its own bound refuses it."""


def _is_int(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "int"


def _tries_int(node: ast.Try) -> bool:
    """Return whether an attempt catches the ValueError of a bare `int(...)`."""
    caught = {name.id for handler in node.handlers for name in ast.walk(handler) if isinstance(name, ast.Name)}
    return "ValueError" in caught and any(_is_int(each) for line in node.body for each in ast.walk(line))


def own_readers(source: str) -> list[int]:
    """Return the lines that test digits, or try int, by themselves."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if (isinstance(node, ast.Attribute) and node.attr in TESTS_OF_DIGITS)
        or (isinstance(node, ast.Try) and _tries_int(node))
    ]


def test_nobody_tests_digits_by_themselves() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{line}": "use whole_number of rules/core/digits.py"
        for room in ROOMS
        for path in source_files(ROOT, room)
        if str(path.relative_to(ROOT)) not in (READER, SETTINGS)
        for line in own_readers(path.read_text(encoding="utf-8"))
    }
    assert found == {}


def test_a_reader_of_its_own_is_found() -> None:
    assert own_readers("turn = int(text) if text.isdigit() else 1") == [1]
    assert own_readers("try:\n    turn = int(text)\nexcept (TypeError, ValueError):\n    turn = 1") == [1]
    assert own_readers("turn = whole_number(text)") == []
