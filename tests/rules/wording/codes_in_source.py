"""Finds in the source, without running it, every refusal code and the parameters that come with it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.architecture.imports import ROOMS

ROOT = Path(__file__).parents[3]
WORDING = ("rules/wording/", "rules/campaign/wording/", "rules/catalogue/wording.py", "rules/challenge/wording.py")

EXCEPTIONS = frozenset(
    {"Refused", "IllegalAction", "SeasonRefused", "Malformed", "AccountTaken", "TooOften", "NotRestartable"}
)
"""Called with a code and keywords."""
GIVEN = EXCEPTIONS | {"Refusal", "Problem", "Fault"}
"""All that is called with a code, outside the rules."""


@dataclass(frozen=True)
class Raised:
    """A code at a place; `parameters` is None where they cannot be read from the source."""

    place: str
    code: str
    parameters: frozenset[str] | None


def sources() -> Iterator[tuple[Path, str]]:
    """The text of every module, but for those that hold the sentences."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if "/migrations/" not in name and not name.startswith(WORDING):
                yield path, path.read_text(encoding="utf-8")


@cache
def raised_codes() -> tuple[Raised, ...]:
    """Every code that a module gives to a refusal, an exception or a catalogue problem."""
    # Reading a module as a tree costs far more than looking for words in it, and most outside the rules give no code.
    spoken = [
        (path, text)
        for path, text in sources()
        if path.is_relative_to(ROOT / "rules") or any(name in text for name in GIVEN)
    ]
    return tuple(found for path, text in spoken for found in _Reader(path, ast.parse(text)).read())


def named_in_source(codes: Iterable[str]) -> set[str]:
    """Those of the codes that are a string in the source outside a list of codes (what a name in _CODES is given)."""
    left, found = set(codes), set[str]()
    for _, text in sources():
        if any(f'"{code}"' in text for code in left):
            found |= left & _strings_outside_lists(ast.parse(text))
            left -= found
    return found


def _strings_outside_lists(tree: ast.Module) -> set[str]:
    listed = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and any(getattr(name, "id", "").endswith("_CODES") for name in node.targets)
        for part in ast.walk(node.value)
    }
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in listed
    }


class _Reader:
    def __init__(self, path: Path, tree: ast.Module) -> None:
        self.name = path.relative_to(ROOT).as_posix()
        self.assigned: dict[ast.AST, dict[str, list[ast.expr]]] = {}
        """What names are given anywhere in a function, and in the whole module."""
        self.speaking: list[tuple[ast.Call | ast.Yield, ast.AST]] = []
        """What may give a code, each with the function around it (the module, where there is none)."""
        # A function that passes its own `code` on is called like a refusal.
        self.helpers: dict[str, int] = {}
        self.tree = tree
        self._look_through(tree, [tree])

    def _look_through(self, node: ast.AST, scopes: list[ast.AST]) -> None:
        if isinstance(node, ast.FunctionDef):
            scopes = [*scopes, node]
            names = [argument.arg for argument in node.args.args]
            if "code" in names:
                self.helpers[node.name] = names.index("code")
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
            for scope in scopes:
                given = self.assigned.setdefault(scope, {})
                for name in _first_targets(node):
                    given.setdefault(name, []).append(node.value)
        elif isinstance(node, ast.Call | ast.Yield):
            self.speaking.append((node, scopes[-1]))
        for child in ast.iter_child_nodes(node):
            self._look_through(child, scopes)

    def read(self) -> Iterator[Raised]:
        for node, scope in self.speaking:
            for code, parameters in self._codes(node, scope):
                for text in self._strings(code, scope):
                    yield Raised(f"{self.name}:{node.lineno}", text, parameters)

    def _codes(self, node: ast.Call | ast.Yield, scope: ast.AST) -> Iterator[tuple[ast.expr, frozenset[str] | None]]:
        """The expressions that stand for a code in this node, each with its parameters."""
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in EXCEPTIONS and node.args:
                yield node.args[0], self._keywords(node)
            elif name == "Refusal" and node.args:
                yield node.args[0], self._keys(node.args[1], scope) if len(node.args) > 1 else frozenset()
            elif name == "Problem" and len(node.args) > 5:
                yield node.args[5], self._keys(node.args[6], scope) if len(node.args) > 6 else frozenset()
            elif name == "Fault" and len(node.args) == 3:
                yield node.args[1], self._keys(node.args[2], scope)
            elif self.name.startswith("rules/") and name in self.helpers and len(node.args) > self.helpers[name]:
                yield node.args[self.helpers[name]], self._keywords(node)
        elif self.name.startswith("rules/catalogue/"):
            found = node.value  # path, code, parameters
            if isinstance(found, ast.Tuple) and len(found.elts) == 3 and isinstance(found.elts[2], ast.Dict | ast.Name):
                yield found.elts[1], self._keys(found.elts[2], scope)

    def _keywords(self, call: ast.Call) -> frozenset[str] | None:
        names = [keyword.arg for keyword in call.keywords]
        return None if None in names else frozenset(name for name in names if name)

    def _keys(self, node: ast.expr, scope: ast.AST) -> frozenset[str] | None:
        if isinstance(node, ast.Name):
            values = self._assigned(node.id, scope)
            return self._keys(values[0], scope) if len(values) == 1 and not isinstance(values[0], ast.Name) else None
        if isinstance(node, ast.Dict) and all(isinstance(key, ast.Constant) for key in node.keys):
            return frozenset(str(key.value) for key in node.keys if isinstance(key, ast.Constant))
        return None

    def _strings(self, node: ast.expr, scope: ast.AST) -> Iterator[str]:
        """The strings an expression can be; nothing for one that passes on what another place made."""
        if isinstance(node, ast.Constant):
            yield str(node.value)
        elif isinstance(node, ast.IfExp):
            yield from self._strings(node.body, scope)
            yield from self._strings(node.orelse, scope)
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            for table in self._assigned(node.value.id, scope):
                for row in table.values if isinstance(table, ast.Dict) else ():
                    first = row.elts[0] if isinstance(row, ast.Tuple) else row
                    yield from self._strings(first, scope)
        elif isinstance(node, ast.Name):
            for value in self._assigned(node.id, scope):
                yield from self._strings(value, scope)

    def _assigned(self, name: str, scope: ast.AST) -> list[ast.expr]:
        """What is assigned to a name in this function, else in the module."""
        own = self.assigned.get(scope, {}).get(name)
        return own or self.assigned.get(self.tree, {}).get(name, [])


def _first_targets(node: ast.Assign | ast.AnnAssign) -> set[str]:
    """The names that get a value, or the first part of one that is taken apart."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    first = [target.elts[0] if isinstance(target, ast.Tuple) else target for target in targets]
    return {target.id for target in first if isinstance(target, ast.Name)}
