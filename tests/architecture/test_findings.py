"""Every test that docs/findings.md names is there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.nursery import ROOT

NAMED = re.compile(r"(?P<file>tests/[\w/]+\.py)?(?:::(?P<test>\w+))?")
"""A file, a test of it, or a further test of the file that was named last in the row."""


def named_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield the files and tests that the rows of tables name; the test is "" for a file as a whole."""
    for row in (line for line in text.splitlines() if line.startswith("|")):
        file = ""
        for found in NAMED.finditer(row):
            file = found["file"] or file
            if found[0]:
                yield file, found["test"] or ""


def missing_in(text: str) -> list[tuple[str, str]]:
    missing = []
    for file, test in named_in(text):
        source = (ROOT / file).read_text(encoding="utf-8") if file and (ROOT / file).is_file() else ""
        if not re.search(rf"^ *def {test}\(" if test else ".", source, re.MULTILINE):
            missing.append((file, test))
    return missing


def test_every_test_of_the_findings_is_there() -> None:
    text = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    assert len(list(named_in(text))) > 100
    assert missing_in(text) == []


def test_a_test_that_is_not_there_is_found() -> None:
    own, there = "tests/architecture/test_findings.py", "test_every_test_of_the_findings_is_there"
    row = f"| X-1 | Right. | {own}::{there}, ::test_nowhere; tests/nowhere.py |"
    assert missing_in(row) == [(own, "test_nowhere"), ("tests/nowhere.py", "")]
