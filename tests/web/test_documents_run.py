"""The examples of docstrings outside rules/ do what they say."""

from __future__ import annotations

import pytest

from tests.architecture.imports import ROOMS, source_files
from tests.rules.test_documents_run import ROOT, examples_of, failures_of, module_name

MODULES = sorted(
    module_name(path)
    for room in ROOMS
    if room != "rules"
    for path in source_files(ROOT, room)
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_come_true(module: str) -> None:
    tests = examples_of(module)
    assert tests
    assert "".join(failures_of(test) for test in tests) == ""
