"""List sentences that a reader of the code stumbles over: `make prose`.

    python -m tests.tools.prose [PATH...]

Docstrings and comments of product code are read, comments of templates, styles, scripts and settings, the texts of
commands, the documents, and the descriptions in docs/openapi.json; of tests the names and the docstrings of modules.
docs/style.md says what to write instead. Exit status 1 when something is found. What players read on pages is left
out: their words come from the catalogue of messages.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.architecture.imports import ROOMS

ROOT = Path(__file__).resolve().parents[2]
BANNED = {
    r"\banew\b": "again",
    r"\btold\b": "say who says what, or name the thing: text, sentence, report",
    r"\bbut for\b": "except, or apart from",
    r"\bwhat is over\b": "finished matches, the season that has ended",
    r"\bnull\b": "None; of JSON, `null`",
    r"\b(?:he|she|his|him|himself|herself)\b": "they, their, them",
    r"\b(?:of|for|by|to|from|than|at|with|as) who\b": "a noun before the clause: of a person who",
    r"\bas far as (?:is|are)\b": "say how far",
    r"\bbe it\b": "whether",
    r"\bin peace\b": "without a reset, undisturbed",
    r"\btwice is once\b": "say that a second call changes nothing",
    r"\bsp(?:eak|eaks|oke) against\b": "the problems of, why ... may not",
    r"\bwhat is no(?:t a|ne)?\b": "a noun: anything that is not a unit",
    r"\bforbids? to\b": "forbids playing, forbids a purchase",
    r"\bnobody hurries\b": "without a deadline",
    r"\b(?:refuse|drop)s? who\b": "a noun before the clause: a pilot who",
    r"^@property (?:Return|Yield)": "a property is a thing: name it",
    r"^(?:R-[A-Z]{3}-\d|Q-\d)": "begin with what it does; the rule's ID follows",
}
"""Pattern, and what to write in its place."""

PRODUCT = (*ROOMS, "start.py", "manage.py", "gunicorn.conf.py", "examples")
DOCUMENTS = ("*.md", "docs/**/*.md", "examples/*.md", "locale/*.md", "tests/**/*.md")
_BLOCK, _TO_THE_END, _HASH = r"/\*(.*?)\*/", r"(?:^|\s)//(.*?)$", r"^\s*#(?!!)(.*?)$"
COMMENTED = {
    "templates/**/*.html": r"\{#(.*?)#\}|\{% comment %\}(.*?)\{% endcomment %\}|<!--(.*?)-->",
    "static/css/*.css": _BLOCK,
    "static/js/*.js": rf"{_BLOCK}|{_TO_THE_END}",
    **dict.fromkeys(
        (".git*", ".docker*", ".editorconfig", ".ci/*", "Makefile", "Dockerfile", "*.toml", "*.yaml"), _HASH
    ),
}
"""Files that are no modules, and what a comment is in them."""
NOT_OURS = ("style.md", "refusals.md")
"""Documents of which one quotes what is banned, and one repeats the sentences of refusals, which players read."""

OUTPUTS = (
    *("rules/verify.py", "rules/bench.py", "rules/strengths.py", "rules/selfplay.py", "rules/tools/"),
    *("rules/scenario/command.py", "rules/measuring/self_play.py", "start.py", "examples/"),
)
"""Modules beside those of commands whose strings developers and operators read."""

PLAYERS = ("help/text/content/", "rules/wording/", "/migrations/")
"""Modules whose strings players read, or which stay as they were written."""


@dataclass(frozen=True)
class Text:
    """A piece of prose and where it begins."""

    path: str
    line: int
    words: str


def _nodes_with_docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for each in body if isinstance(body, list) else ():
            # A string that stands alone describes what is above it: a module, a class, a function, a constant.
            if (
                isinstance(each, ast.Expr)
                and isinstance(each.value, ast.Constant)
                and isinstance(each.value.value, str)
            ):
                yield each.lineno, each.value.value


def _properties(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the first word of the docstring of each property, after the word @property."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any("property" in ast.unparse(each) for each in node.decorator_list):
            first, _, _ = (ast.get_docstring(node) or "").partition(" ")
            yield node.lineno, f"@property {first}"


def _comments(source: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def _without_code(words: str) -> str:
    words = re.sub(r"^ *>>>.*(?:\n.+)*", lambda code: "\n" * code[0].count("\n"), words, flags=re.MULTILINE)
    return re.sub(r"`[^`]*`", lambda code: "`" + "\n" * code[0].count("\n") + "`", words)


def of_module(path: str, source: str) -> Iterator[Text]:
    """Yield the docstrings and comments of a module; of a test its first docstring and the names it defines."""
    tree = ast.parse(source)
    if path.startswith("tests/"):
        yield Text(path, 1, ast.get_docstring(tree) or "")
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                yield Text(path, node.lineno, node.name.replace("_", " "))
        return
    for line, words in (*_nodes_with_docstrings(tree), *_properties(tree), *_comments(source)):
        yield Text(path, line, _without_code(words))
    if "commands/" in path or path.startswith(OUTPUTS):
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield Text(path, node.lineno, node.value)


def of_document(path: str, source: str) -> Iterator[Text]:
    """Yield the lines of a document outside its blocks of code."""
    is_code = False
    for number, line in enumerate(source.splitlines(), 1):
        is_code ^= line.lstrip().startswith("```")
        yield Text(path, number, "" if is_code else _without_code(line))


def of_comments(path: str, source: str, pattern: str) -> Iterator[Text]:
    """Yield the comments of a file, which are what the groups of a pattern match."""
    for match in re.finditer(pattern, source, re.DOTALL | re.MULTILINE):
        line = source.count("\n", 0, match.start()) + 1
        yield Text(path, line, _without_code(next(group for group in match.groups() if group is not None)))


def of_description(path: str, document: Any) -> Iterator[Text]:
    """Yield the descriptions in the description of the interface."""
    if isinstance(document, dict):
        for name, value in document.items():
            if name in ("description", "summary") and isinstance(value, str):
                yield Text(path, 1, _without_code(value))
            else:
                yield from of_description(path, value)
    elif isinstance(document, list):
        for each in document:
            yield from of_description(path, each)


def modules(root: Path) -> list[str]:
    """Return the paths of all modules that may hold prose."""
    rooms = [root / name for name in (*PRODUCT, "tests")]
    files = sorted(file for room in rooms for file in (room.rglob("*.py") if room.is_dir() else [room]))
    return [file.relative_to(root).as_posix() for file in files]


def texts(root: Path) -> Iterator[Text]:
    """Yield all prose of the project."""
    for name in modules(root):
        if not any(part in name for part in PLAYERS) and name != "tests/tools/prose.py":
            yield from of_module(name, (root / name).read_text())
    for path in sorted(file for pattern in DOCUMENTS for file in root.glob(pattern)):
        if path.name not in NOT_OURS:
            yield from of_document(path.relative_to(root).as_posix(), path.read_text())
    for wanted, pattern in COMMENTED.items():
        for path in sorted(file for file in root.glob(wanted) if file.is_file()):
            yield from of_comments(path.relative_to(root).as_posix(), path.read_text(), pattern)
    description = root / "docs" / "openapi.json"
    yield from of_description("docs/openapi.json", json.loads(description.read_text()))


def found(text: Text) -> Iterator[str]:
    """Yield a line for each banned pattern in a text."""
    for pattern, instead in BANNED.items():
        if "null" in pattern and re.search(r"(^|/)(api/|openapi\.json)|\.js$", text.path):
            # Readers of the interface read JSON, and scripts have null.
            continue
        if pattern.startswith("^") and (text.path.endswith("_hooks.py") or not text.path.startswith(PRODUCT)):
            # The decorator of a hook says when it strikes and for which equipment, and its name says the rest.
            continue
        for match in re.finditer(pattern, text.words, re.IGNORECASE):
            line = text.line + text.words.count("\n", 0, match.start())
            around = " ".join(text.words[max(0, match.start() - 30) : match.end() + 30].split())
            yield f"{text.path}:{line}: “{match[0]}” in “{around}”: {instead}"


def main(paths: list[str]) -> int:
    """Print what was found, and how much; `paths` narrow it to what begins with one of them."""
    lines = [line for text in texts(ROOT) if not paths or text.path.startswith(tuple(paths)) for line in found(text)]
    print(*lines, sep="\n")
    print(f"{len(lines)} found")
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
