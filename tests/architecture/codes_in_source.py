"""Reads from the source which codes a call can be given: literals, choices, constants, what callers hand through."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from tests.architecture.imports import ROOMS, module_name, source_files

ROOT = Path(__file__).resolve().parents[2]
FORWARDERS = {"people/services/accounts.py", "stables/services/base/log.py"}
"""Where the functions themselves stand."""


@dataclass(frozen=True)
class Call:
    """A call in a file, and the function that it stands in, if any."""

    path: Path
    node: ast.Call
    inside: ast.FunctionDef | None

    @property
    def place(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.node.lineno}"


def calls(name: str) -> Iterator[Call]:
    """Every call of a function of this name outside tests."""
    for room in ROOMS:
        for path in source_files(ROOT, room):
            if str(path.relative_to(ROOT)) not in FORWARDERS:
                yield from calls_in(path, name)


def calls_in(path: Path, name: str) -> list[Call]:
    # Reading a file as a tree costs far more than looking for a word in it.
    return [call for call in _all_calls_in(path) if called(call.node) == name] if name in _text(path) else []


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def _all_calls_in(path: Path) -> list[Call]:
    """Every call in a file, with the innermost function around it."""
    found: list[Call] = []
    waiting: deque[tuple[ast.AST, ast.FunctionDef | None]] = deque([(ast.parse(_text(path)), None)])
    while waiting:
        node, inside = waiting.popleft()
        if isinstance(node, ast.Call):
            found.append(Call(path, node, inside))
        around = node if isinstance(node, ast.FunctionDef) else inside
        waiting.extend((child, around) for child in ast.iter_child_nodes(node))
    return found


def called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def argument(node: ast.Call, position: int, name: str) -> ast.expr | None:
    named = next((keyword.value for keyword in node.keywords if keyword.arg == name), None)
    return node.args[position] if len(node.args) > position else named


def codes(call: Call, position: int, name: str = "code") -> set[str] | None:
    """What an argument of a call can be; "*" stands for a part that is not known. None when nothing is known."""
    return _texts(call, argument(call.node, position, name), ())


def _texts(call: Call, node: ast.expr | None, seen: Sequence[str]) -> set[str] | None:
    if isinstance(node, ast.Constant):
        return {node.value} if isinstance(node.value, str) else None
    if isinstance(node, ast.IfExp):
        return _all(_texts(call, part, seen) for part in (node.body, node.orelse))
    if isinstance(node, ast.JoinedStr):
        return _joined(call, node, seen)
    if isinstance(node, ast.Name):
        return _handed_through(call, node.id, seen) or _assigned(call, node.id, seen) or _constant(call, node)
    if isinstance(node, (ast.Attribute, ast.Subscript)):
        return _constant(call, node)
    return None


def _all(parts: Iterator[set[str] | None]) -> set[str] | None:
    listed = list(parts)
    known = [part for part in listed if part is not None]
    return set().union(*known) if listed and len(known) == len(listed) else None


def _joined(call: Call, node: ast.JoinedStr, seen: Sequence[str]) -> set[str]:
    found = {""}
    for part in node.values:
        inner = part.value if isinstance(part, ast.FormattedValue) else part
        texts = _texts(call, inner, seen) or {"*"}
        found = {before + text for before in found for text in texts}
    return found


def _handed_through(call: Call, name: str, seen: Sequence[str]) -> set[str] | None:
    """What the callers of the function around a call, in the same file, give for one of its parameters."""
    function = call.inside
    if function is None or function.name in seen:
        return None
    positional = [each.arg for each in function.args.args]
    if name not in [*positional, *(each.arg for each in function.args.kwonlyargs)]:
        return None
    position = positional.index(name) if name in positional else len(positional) + 99
    callers = calls_in(call.path, function.name)
    return _all(_texts(caller, argument(caller.node, position, name), [*seen, function.name]) for caller in callers)


def _assigned(call: Call, name: str, seen: Sequence[str]) -> set[str] | None:
    if call.inside is None:
        return None
    values = [
        node.value
        for node in ast.walk(call.inside)
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == name for to in node.targets)
    ]
    return _all(_texts(call, value, seen) for value in values)


def _constant(call: Call, node: ast.expr) -> set[str] | None:
    """The value of a module's constant, or all values of a table of it."""
    table = node.value if isinstance(node, ast.Subscript) else node
    try:
        value = eval(ast.unparse(table), vars(import_module(module_name(ROOT, call.path))))  # noqa: S307
    except (NameError, AttributeError):
        return None
    if isinstance(node, ast.Subscript):
        return {str(each) for each in value.values()} if isinstance(value, dict) else None
    return {value} if isinstance(value, str) else None
