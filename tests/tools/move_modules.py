"""Move modules to other rooms: `git mv`, and every dotted path and file name that speaks of them, written anew.

    python -m tests.tools.move_modules FILE...

A line of a file is an old and a new module (`stables.streams stables.selectors.seeds`); `#` begins a comment. A name
that an import binds changes with its module: who imports `streams` reads `seeds` afterwards, unless the file uses that
name for something else; then the import says `as streams`.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXTS = (".py", ".md", ".toml", ".txt", ".html", ".yaml", ".yml", ".cfg", ".json", ".js", ".po")
LEFT_ALONE = ("CHANGELOG.md", "docs/openapi.json")
"""What tells of the past, and what is made from the code."""
COMMANDS = ("rules.scenario", "rules.selfplay", "rules.bench", "rules.strengths", "rules.verify")
"""`python -m` of these stays as it is."""
DONE = "\0"
"""Stands before a dotted path that is new already."""


def read_moves(files: Iterable[str]) -> dict[str, str]:
    """Return new modules by old ones."""
    lines = [line.split("#")[0].split() for file in files for line in Path(file).read_text().splitlines()]
    return {line[0]: line[1] for line in lines if line}


def file_of(module: str) -> Path:
    """The file in which a module of the project stands; a package's is its `__init__.py`."""
    place = ROOT.joinpath(*module.split("."))
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def move(moves: Mapping[str, str]) -> None:
    """Move the files; a folder that is new gets an empty `__init__.py`. A module that becomes a package makes room."""
    for old, new in moves.items():
        source, target = ROOT.joinpath(*old.split(".")).with_suffix(".py"), ROOT.joinpath(*new.split("."))
        if source.exists():
            target = target.with_suffix(".py")
        elif (source := source.with_suffix("") / "__init__.py").exists():
            target = target / "__init__.py"
        else:
            continue
        for folder in reversed([each for each in target.parents if ROOT in each.parents]):
            folder.mkdir(exist_ok=True)
            if not (folder / "__init__.py").exists() and folder.relative_to(ROOT).parts[0] != "tests":
                (folder / "__init__.py").touch()
        if target.name == "__init__.py" and target.exists() and not target.read_text():
            target.unlink()
        subprocess.run(["git", "mv", source, target], cwd=ROOT, check=True)
    subprocess.run(["git", "add", "-A"], cwd=ROOT, check=True)


class Bound(ast.NodeVisitor):
    """The names that a file binds otherwise than by imports."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.names.add(node.id)

    def visit_arg(self, node: ast.arg) -> None:
        self.names.add(node.arg)
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.names.add(node.name)
        self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.names.add(node.name)
        self.generic_visit(node)


def rewritten_imports(source: str, moves: Mapping[str, str]) -> str:
    """Write `from package import module` of moved modules anew, and the names that this binds."""
    tree = ast.parse(source)
    lines = source.splitlines(keepends=True)
    bound = Bound()
    bound.visit(tree)
    names = bound.names | {
        alias.asname or alias.name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    edits: list[tuple[int, int, str]] = []
    renamed: dict[str, str] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or node.level or node.module is None:
            continue
        moved = [alias for alias in node.names if f"{node.module}.{alias.name}" in moves]
        if not moved:
            continue
        indent = lines[node.lineno - 1][: node.col_offset]
        kept = [alias for alias in node.names if alias not in moved]
        text = ""
        if kept:
            said = ", ".join(alias.name + (f" as {alias.asname}" if alias.asname else "") for alias in kept)
            text += f"{indent}from {node.module} import {said}\n"
        for alias in moved:
            there, _, name = moves[f"{node.module}.{alias.name}"].rpartition(".")
            called = alias.asname or alias.name
            if alias.asname is None and name != alias.name:
                if name in names or name in renamed.values() or alias.name in bound.names:
                    text += f"{indent}from {DONE}{there} import {name} as {alias.name}\n"
                    continue
                renamed[alias.name] = called = name
            text += f"{indent}from {DONE}{there} import {name}{'' if called == name else f' as {called}'}\n"
        edits.append((node.lineno - 1, node.end_lineno or node.lineno, text))
    spots = [
        (node.lineno - 1, node.col_offset, node.id)
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id in renamed
    ]
    for line, column, name in sorted(spots, reverse=True):
        encoded = lines[line].encode()
        lines[line] = (encoded[:column] + renamed[name].encode() + encoded[column + len(name.encode()) :]).decode()
    for first, last, text in sorted(edits, reverse=True):
        lines[first:last] = [text]
    return "".join(lines)


def rewritten_paths(text: str, moves: Mapping[str, str]) -> str:
    """Write dotted paths and file names of moved modules anew, wherever they stand."""
    longest = sorted(moves, key=len, reverse=True)
    dotted = re.compile(rf"(?<![\w./\0-])({'|'.join(map(re.escape, longest))})(?![\w-])(?!\.(?:py|html|md|json)\b)")

    def new_path(found: re.Match[str]) -> str:
        line = found.string[found.string.rfind("\n", 0, found.start()) + 1 : found.start()]
        if found[1] in COMMANDS and line.endswith(("-m ", '"-m", "')):
            return found[1]
        is_alone = found.string[found.start() - 1 : found.start()] == found.string[found.end() : found.end() + 1] == '"'
        if is_alone and found[1].count(".") == 1 and not line.endswith(('include("', 'import_module("')):
            # The name of a job, of a logger, of a salt: it is stored, or known outside.
            return found[1]
        return moves[found[1]]

    text = dotted.sub(new_path, text).replace(DONE, "")
    files = {f"{old.replace('.', '/')}.py": f"{new.replace('.', '/')}.py" for old, new in moves.items()}
    named = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, sorted(files, key=len, reverse=True)))})")
    return named.sub(lambda found: files[found[1]], text)


def texts() -> Iterator[Path]:
    """Every text of the project."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split(
        "\n"
    )
    for name in listed:
        path = ROOT / name
        is_text = path.suffix in TEXTS or path.name in ("Makefile", "Dockerfile")
        if name and is_text and name not in LEFT_ALONE and path.is_file() and path != Path(__file__).resolve():
            yield path


def main(arguments: list[str]) -> None:
    """Move, rewrite, and let ruff put imports in order."""
    moves = read_moves(arguments)
    given = {Path(file).resolve() for file in arguments}
    move(moves)
    for path in texts():
        if path in given:
            continue
        before = path.read_text(encoding="utf-8")
        after = before
        if path.suffix == ".py":
            after = rewritten_imports(after, moves)
        after = rewritten_paths(after, moves)
        if after != before:
            path.write_text(after, encoding="utf-8")
    ruff = Path(sys.executable).parent / "ruff"
    subprocess.run([ruff, "check", "--quiet", "--select", "I", "--fix", "."], cwd=ROOT, check=False)
    subprocess.run([ruff, "format", "--quiet", "."], cwd=ROOT, check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
