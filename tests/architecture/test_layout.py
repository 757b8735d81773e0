"""The layout of templates and styles: short lines, one declaration a line. Formatters hold the rest (`make lint`)."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONGEST_LINE = 120
SUFFIXES = {".html", ".svg", ".txt"}


def long_lines(text: str) -> list[int]:
    return [number for number, line in enumerate(text.splitlines(), 1) if len(line) > LONGEST_LINE]


def crowded_lines(text: str) -> list[int]:
    """Return the numbers of a style sheet's lines with more than one declaration or rule."""
    bare = re.sub(r"/\*.*?\*/|\"[^\"\n]*\"", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)
    return [number for number, line in enumerate(bare.splitlines(), 1) if re.search(r"[;{}]\s*\S", line)]


def test_no_line_of_a_template_or_a_style_is_too_long() -> None:
    files = [path for path in (ROOT / "templates").rglob("*") if path.suffix in SUFFIXES]
    files += (ROOT / "static" / "css").glob("*.css")
    found = {str(path.relative_to(ROOT)): long_lines(path.read_text(encoding="utf-8")) for path in files}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_styles_have_one_declaration_a_line() -> None:
    sheets = sorted((ROOT / "static" / "css").glob("*.css"))
    found = {path.name: crowded_lines(path.read_text(encoding="utf-8")) for path in sheets}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_what_is_too_long_and_too_much_is_found() -> None:
    sentence = "word " * 30
    assert long_lines(f'<p>{{% translate "{sentence}" %}}</p>\n<p>\n{sentence}') == [1, 3]
    assert crowded_lines('a {\n  color: red;\n  content: "; }";\n}\n/* b; c */\n') == []
    assert crowded_lines("a { color: red }\nb {\n  top: 0; left: 0;\n}\n") == [1, 3]
