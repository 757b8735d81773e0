"""The addresses outside /api/ that docs/api.md lists always answer JSON; no other view of these rooms does."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.urls import URLPattern, get_resolver

from tests.architecture.imports import ROOMS, module_name, source_files

ROOT = Path(__file__).parents[2]
WORDS = {"JsonResponse", "wants_json", "get_preferred_type", "content_type"}
"""What a view says that answers JSON, or that looks at what kind of answer is asked for."""


def views(patterns: list[Any], route: str = "") -> Iterator[tuple[str, Any]]:
    """Every address outside /api/ with its view; a value in it stands as the last word of its name."""
    for pattern in patterns:
        here = route + re.sub(r"<\w+:(?:\w+_)?(\w+?)>", lambda found: found[1].upper(), str(pattern.pattern))
        if isinstance(pattern, URLPattern):
            # One view exports the catalogue in two forms.
            if pattern.default_args.get("form") != "csv":
                yield f"/{here}", inspect.unwrap(pattern.callback)
        elif here != "api/":
            yield from views(pattern.url_patterns, here)


def words_of(node: ast.AST) -> set[str]:
    used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return WORDS & (used | {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)})


def listed() -> set[str]:
    section = (ROOT / "docs" / "api.md").read_text(encoding="utf-8").split("## JSON beside the interface")[1]
    return set(re.findall(r"^\| `(/[^`]+)`", section.split("\n## ")[0], re.MULTILINE))


def answering() -> dict[str, Any]:
    """The addresses whose own view makes a JSON answer."""
    return {
        address: view
        for address, view in views(get_resolver().url_patterns)
        if inspect.isfunction(view) and "JsonResponse" in view.__code__.co_names
    }


def test_the_list_is_that_of_the_views_that_answer_json() -> None:
    assert set(answering()) == listed()


def test_no_other_function_of_the_views_answers_json() -> None:
    known = {(view.__module__, view.__name__) for view in answering().values()}
    paths = sorted(path for room in ROOMS for path in source_files(ROOT, room) if is_of_views(path))
    found = {
        (module_name(ROOT, path), node.name)
        for path in paths
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and words_of(node)
    }
    read = {module_name(ROOT, path) for path in paths}
    assert {room for room, _, _ in (name.partition(".") for name in read)} >= {"challenge", "ladder", "solaris_site"}
    assert found - error_handlers() == {place for place in known if place[0] in read}


def error_handlers() -> set[tuple[str, str]]:
    """Return what answers errors: below /api/ with a problem document."""
    handlers = [get_resolver().resolve_error_handler(status) for status in (400, 403, 404, 500)]
    return {(handler.__module__, handler.__name__) for handler in handlers}


def is_of_views(path: Path) -> bool:
    return "views" in path.relative_to(ROOT).with_suffix("").parts
