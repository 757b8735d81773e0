"""What documents name is there: files, folders, modules, make targets."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.imports import ROOMS, source_files

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *(path for room in ("docs", "locale", "tests") for path in (ROOT / room).rglob("*.md"))]
)
TOP = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")} | {".ci"}
MADE = ("var/", "docs/openapi.json", ".venv", "locale/de/", "stables/purses.html")
"""What is made when it is wanted, or by whoever follows an example."""

LINK = re.compile(r"\]\((?!https?:|mailto:|#|/)([^)#\s]+)")
CODE = re.compile(r"^ *```.*?^ *```|`[^`\n]+`", re.DOTALL | re.MULTILINE)
"""Fenced blocks, and what stands in backticks."""

PYTHON_FILE = re.compile(r"(?:[\w-]+/)*\w+\.py")
TARGET = re.compile(r"\bmake ([a-z][a-z-]*)")
MODULE = re.compile(rf"(?:{'|'.join(ROOMS)}|tests)(?:\.[a-z_0-9]+)+")


def relative(document: Path) -> str:
    return str(document.relative_to(ROOT))


@pytest.mark.parametrize("document", DOCUMENTS, ids=relative)
def test_every_link_leads_to_a_file(document: Path) -> None:
    links = LINK.findall(document.read_text(encoding="utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=relative)
def test_every_path_that_is_named_is_there(document: Path) -> None:
    assert [word for word in words_of_code(document) if is_missing_path(word) or is_missing_file(word)] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=relative)
def test_every_target_of_make_that_is_named_is_there(document: Path) -> None:
    assert missing_targets("\n".join(code_of(document))) == []


@pytest.mark.parametrize(
    "code",
    [
        "python -m pytest tests/nowhere/at_all.py",
        "docs/nowhere.md",
        "presenters/nothing.py",
        "nothing.py",
        "tests/rules/*/nothing.py",
    ],
)
def test_what_leads_nowhere_is_seen(code: str) -> None:
    assert [word for word in code.split() if is_missing_path(word) or is_missing_file(word)] != []


def test_a_target_that_nobody_makes_is_seen() -> None:
    assert missing_targets("make nonsense and make test") == ["nonsense"]


@pytest.mark.parametrize("document", DOCUMENTS, ids=relative)
def test_every_module_that_is_named_is_there(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    named = [word for word in words_of_code(document) if MODULE.fullmatch(word)] + re.findall(
        r"-m ((?:rules|tests)[.\w]+)", text
    )
    assert [name for name in named if not is_module(name)] == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_module_that_code_names_in_a_sentence_is_there(room: str) -> None:
    """Docstrings and comments alone hold names in backticks."""
    named = {
        (str(path.relative_to(ROOT)), word)
        for path in source_files(ROOT, room)
        for word in re.findall(r"`([\w.]+)`", path.read_text(encoding="utf-8"))
        if MODULE.fullmatch(word)
    }
    assert {(path, name) for path, name in named if not is_module(name)} == set()


def code_of(document: Path) -> list[str]:
    return CODE.findall(document.read_text(encoding="utf-8"))


def words_of_code(document: Path) -> list[str]:
    return [word.strip("`,;:()\"'") for code in code_of(document) for word in code.split()]


def missing_targets(text: str) -> list[str]:
    """What `make` is asked for and the Makefile does not know."""
    known = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    return [name for name in TARGET.findall(text) if name not in known]


@cache
def python_files() -> tuple[str, ...]:
    rooms = [ROOT / room for room in (*ROOMS, "tests", "examples")]
    return ("/manage.py", "/start.py", *(f"/{path.relative_to(ROOT)}" for room in rooms for path in room.rglob("*.py")))


def is_missing_file(name: str) -> bool:
    """Whether this reads as a Python file, by the end of its path, and no file ends so."""
    return bool(PYTHON_FILE.fullmatch(name)) and not any(path.endswith(f"/{name}") for path in python_files())


def is_missing_path(name: str) -> bool:
    """Whether this reads as a path below the root and leads nowhere; `*`, `<...>` and NAME stand for any name."""
    top, slash, _ = name.partition("/")
    is_address = "?" in name or "/ID/" in name
    if not slash or top not in TOP or name.startswith(MADE) or is_address:
        return False
    pattern = re.sub(r"<[^>]+>|\{[^}]+\}|\.\.\.|\bNAME\b", "*", name.rstrip("/").split("::")[0])
    return not any(found for place in (ROOT, ROOT / "templates") for found in place.glob(pattern))


def is_module(name: str) -> bool:
    """Whether a dotted name is a module, something in one, a job, a log, or a style sheet."""
    if name in known_by_name() or name.endswith(".css"):
        return True
    parts = name.split(".")
    for length in range(len(parts), 1, -1):
        place = ROOT.joinpath(*parts[:length])
        if place.is_dir() or place.with_suffix(".py").exists():
            return length >= len(parts) - 2 and (
                length == len(parts) or place.is_file() or _defines(place, parts[length])
            )
    return False


@cache
def known_by_name() -> frozenset[str]:
    """What jobs, searches and logs are called."""
    sources = [path.read_text(encoding="utf-8") for room in ROOMS for path in source_files(ROOT, room)]
    return frozenset(
        name
        for source in sources
        for name in re.findall(r'(?:@(?:job|search)\(\s*|\bJOB = |getLogger\()"([^"]+)"', source)
    )


def _defines(place: Path, name: str) -> bool:
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    return file.exists() and re.search(rf"\b{name}\b", file.read_text(encoding="utf-8")) is not None
