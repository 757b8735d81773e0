"""What starts an event runs on every system: no module that only POSIX has, and nothing but Python before the start."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from tests.architecture.imports import all_imports

ROOT = Path(__file__).resolve().parents[2]
START = ROOT / "start.py"
OF_POSIX = frozenset({"crypt", "fcntl", "grp", "posix", "pty", "pwd", "resource", "spwd", "syslog", "termios", "tty"})


def imported(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return plain | {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}


def test_no_room_needs_a_module_of_posix() -> None:
    assert [str(found) for found in all_imports(ROOT) if found.target.split(".")[0] in OF_POSIX] == []


def test_the_start_needs_only_python_itself() -> None:
    names = imported(START)
    assert names <= sys.stdlib_module_names
    assert names & OF_POSIX == set()


def test_an_older_python_can_read_the_start_and_say_what_it_needs() -> None:
    ast.parse(START.read_text(encoding="utf-8"), feature_version=(3, 8))
