"""Reads who imports whom from the source, function-level and type-checking imports included."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# Each room with the rooms it may import; the arrows of the house.
ROOMS: dict[str, frozenset[str]] = {
    "solaris_site": frozenset({"stables", "ladder", "matches", "catalogue", "jobs", "people", "commands", "rules"}),
    "stables": frozenset({"matches", "catalogue", "jobs", "people", "commands", "rules"}),
    "ladder": frozenset({"matches", "jobs", "people", "commands", "rules"}),
    "matches": frozenset({"catalogue", "jobs", "people", "commands", "rules"}),
    "catalogue": frozenset({"commands", "rules"}),
    "jobs": frozenset({"commands", "rules"}),
    "people": frozenset({"commands", "rules"}),
    "commands": frozenset(),
    "rules": frozenset(),
}

# The same inside rules/. Its root modules may import every room; no room may import them.
RULES_ROOMS: dict[str, frozenset[str]] = {
    "bots": frozenset({"competition", "campaign", "core"}),
    "competition": frozenset({"core"}),
    "campaign": frozenset({"core"}),
    "catalogue": frozenset({"core"}),
    "core": frozenset(),
}

# What the rules may use beside Python itself: no framework, nothing with a clock, a network or a disk of its own.
RULES_LIBRARIES = frozenset({"networkx", "openskill"})

# Inside an app, from the ground up. A module that belongs to none of them is looked through.
LAYERS: dict[str, int] = {
    "models": 0,
    "selectors": 1,
    "services": 2,
    **dict.fromkeys(("views", "api", "admin", "management", "urls", "forms", "templatetags", "middleware"), 3),
}


@dataclass(frozen=True)
class Import:
    """One import: the file and line where it stands and the dotted name it asks for."""

    path: Path
    line: int
    module: str
    target: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.module} imports {self.target}"


def source_files(root: Path, room: str) -> Iterator[Path]:
    """The modules of a room; migrations are written by Django and left out."""
    for path in sorted((root / room).rglob("*.py")):
        if "migrations" not in path.parts:
            yield path


def module_name(root: Path, path: Path) -> str:
    parts = list(path.relative_to(root).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(root: Path, path: Path) -> Iterator[Import]:
    """Every import in a file, relative ones made absolute, `from package import module` named by the module."""
    module = module_name(root, path)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        for target in _targets(root, package, node):
            yield Import(path.relative_to(root), node.lineno, module, target)  # type: ignore[attr-defined]


def _targets(root: Path, package: str, node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*above, base] if base else above)
        return [_module_or_package(root, base, alias.name) for alias in node.names]
    is_call = isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)
    if is_call and _called_name(node) in {"import_module", "__import__"}:  # type: ignore[arg-type]
        return [str(node.args[0].value)]  # type: ignore[attr-defined]
    return []


def _called_name(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _module_or_package(root: Path, base: str, name: str) -> str:
    place = root.joinpath(*base.split("."), name)
    return f"{base}.{name}" if place.is_dir() or place.with_suffix(".py").exists() else base


def all_imports(root: Path) -> list[Import]:
    return [found for room in ROOMS for path in source_files(root, room) for found in imports_of(root, path)]


def wrong_between_rooms(imports: list[Import]) -> list[Import]:
    """Imports against the arrows between the rooms of the house."""
    wrong = []
    for found in imports:
        room, target = found.module.split(".")[0], found.target.split(".")[0]
        if target in ROOMS and target != room and target not in ROOMS[room]:
            wrong.append(found)
    return wrong


def wrong_inside_rules(imports: list[Import]) -> list[Import]:
    """Imports against the arrows inside rules/, and imports of frameworks."""
    wrong = []
    for found in imports:
        here, there = found.module.split("."), found.target.split(".")
        if here[0] != "rules":
            continue
        if there[0] != "rules":
            if there[0] not in sys.stdlib_module_names | RULES_LIBRARIES:
                wrong.append(found)
        elif len(here) > 1 and len(there) > 1 and there[1] not in RULES_ROOMS.get(here[1], {there[1]}) | {here[1]}:
            wrong.append(found)
    return wrong


def wrong_inside_apps(imports: list[Import]) -> list[str]:
    """Ways from a lower layer of an app to a higher one, also through modules that belong to no layer."""
    inside: dict[str, set[str]] = {}
    for found in imports:
        app = found.module.split(".")[0]
        if app not in {"rules", "solaris_site"} and found.target.split(".")[0] == app:
            inside.setdefault(found.module, set()).add(found.target)
    wrong = []
    for module in sorted(inside):
        layer = layer_of(module)
        if layer is None:
            continue
        ways, seen = [[module]], {module}
        while ways:
            way = ways.pop()
            for target in sorted(inside.get(way[-1], set()) - seen):
                seen.add(target)
                there = layer_of(target)
                if there is None:
                    ways.append([*way, target])
                elif there > layer:
                    wrong.append(" -> ".join([*way, target]))
    return wrong


def layer_of(module: str) -> int | None:
    parts = module.split(".")
    return LAYERS.get(parts[1]) if len(parts) > 1 else None
