"""The texts that translators translate, read from the source: what `makemessages` collects, without gettext."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from django.utils.translation.template import templatize

from challenge.text import printed
from help.text import documents
from tests.architecture.imports import ROOMS
from web.languages import offer

ROOT = Path(__file__).resolve().parents[2]

FUNCTIONS: Mapping[str, tuple[int | None, int, int | None]] = {
    **dict.fromkeys(("gettext", "gettext_lazy", "gettext_noop", "_", "say"), (None, 0, None)),
    **dict.fromkeys(("ngettext", "ngettext_lazy", "ngettext_noop"), (None, 0, 1)),
    **dict.fromkeys(("pgettext", "pgettext_lazy", "pgettext_noop"), (0, 1, None)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), (0, 1, 2)),
}
"""The functions that mark a text, with the places of its context, of its form for one, and of that for several."""

_STRING = r"""u?(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")"""
_CALL = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, FUNCTIONS))})\({_STRING}(?:, {_STRING})*(?:, count)?\)")
"""A call that Django writes in place of a tag of a template."""

OF_DOCUMENTS = "help/text/documents.py"
"""The file that counts as the place of the rules and rulings, which the help shows."""

Key = tuple[str, str]
"""Context, "" for none, and text."""


@dataclass
class Text:
    """A text to translate: its form for several ("" for none), and the files that have it, from the root."""

    several: str = ""
    files: set[str] = field(default_factory=set)

    @property
    def rooms(self) -> set[str]:
        """The rooms in which people read it."""
        return {offer.room_of_file(path) for path in self.files}


@cache
def texts(root: Path = ROOT) -> Mapping[Key, Text]:
    """Return every text of the project that people see, by its context and its form for one."""
    found: dict[Key, Text] = {}
    for path in _sources(root):
        for context, one, several in marked(path.read_text(encoding="utf-8"), is_template=path.suffix != ".py"):
            text = found.setdefault((context, one), Text())
            text.several = text.several or several
            text.files.add(path.relative_to(root).as_posix())
    if root == ROOT:
        for one in documents.texts_to_translate(documents.books()):
            found.setdefault(("", one), Text()).files.add(OF_DOCUMENTS)
        for one, place in printed.texts_to_translate().items():
            found.setdefault(("", one), Text()).files.add(place)
    return found


def _sources(root: Path) -> Iterator[Path]:
    for room in sorted(ROOMS):
        yield from sorted((root / room).rglob("*.py"))
    for suffix in ("html", "txt"):
        yield from sorted((root / "templates").rglob(f"*.{suffix}"))


def marked(source: str, *, is_template: bool) -> Iterator[tuple[str, str, str]]:
    """Yield the marked texts of a source: context, form for one, form for several, each "" where there is none."""
    if is_template:
        trees: Iterable[ast.AST] = [ast.parse(call) for call in _CALL.findall(templatize(source))]
    else:
        trees = [ast.parse(source)]
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (found := _text_of(node)):
                yield found


def _text_of(call: ast.Call) -> tuple[str, str, str] | None:
    """Return the text that a call marks; None for any other call, and for one whose text stands elsewhere."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name not in FUNCTIONS:
        return None
    values = [each.value if isinstance(each, ast.Constant) else None for each in call.args]
    parts = []
    for place in FUNCTIONS[name]:
        value = "" if place is None else values[place] if place < len(values) else None
        if not isinstance(value, str):
            return None
        parts.append(value)
    context, one, several = parts
    return (context, one, several) if one else None
