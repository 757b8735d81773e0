"""What documents name is there: files, folders, modules, make targets."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.imports import ROOMS, source_files

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted(ROOT.glob("CONTRIBUTING.md")), *sorted((ROOT / "docs").rglob("*.md"))]
TOP = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")} | {".ci"}
MADE = ("var/", "docs/openapi.json", ".venv")
"""What is made when it is wanted."""

LINK = re.compile(r"\]\((?!https?:|mailto:|#|/)([^)#\s]+)")
QUOTED = re.compile(r"`([^`\s]+)`")
MODULE = re.compile(rf"(?:{'|'.join(ROOMS)}|tests)(?:\.[a-z_0-9]+)+")


def relative(document: Path) -> str:
    return str(document.relative_to(ROOT))


@pytest.mark.parametrize("document", DOCUMENTS, ids=relative)
def test_every_link_leads_to_a_file(document: Path) -> None:
    links = LINK.findall(document.read_text(encoding="utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=relative)
def test_every_path_that_is_named_is_there(document: Path) -> None:
    assert [name for name in QUOTED.findall(document.read_text(encoding="utf-8")) if is_missing_path(name)] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=relative)
def test_every_module_that_is_named_is_there(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    named = [name for name in QUOTED.findall(text) if MODULE.fullmatch(name)] + re.findall(
        r"-m ((?:rules|tests)[.\w]+)", text
    )
    assert [name for name in named if not is_module(name)] == []


def is_missing_path(name: str) -> bool:
    """Whether this reads as a path below the root and leads nowhere; `*`, `<...>` and NAME stand for any name."""
    top, slash, _ = name.partition("/")
    if not slash or top not in TOP or name.startswith(MADE):
        return False
    pattern = re.sub(r"<[^>]+>|\{[^}]+\}|\.\.\.|\bNAME\b", "*", name.rstrip("/").split("::")[0])
    return not any(ROOT.glob(pattern))


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
