"""Answers other than JSON: their media types, and tables for spreadsheets.

A client that accepts none of an address's media types gets 406. Every refusal is a problem document, whichever media
type the client asked for.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

from django.http import StreamingHttpResponse
from django.utils import translation

from api.rendering import BareRenderer

Cell = str | int | bool | Decimal | None

BEGINS_A_FORMULA = tuple("=+-@＝＋－＠")
"""The signs that begin a formula in spreadsheets. Some spreadsheets also accept the wide forms."""
HIDES_A_FORMULA = ("\t", "\r", "\n")
AFTER_A_DELIMITER = re.compile(r"[;\t]\s*[=+\-@＝＋－＠]")
"""A formula after a semicolon or tab, which ends a cell in some spreadsheets, even inside quotes."""
GUARD = "'"


class Renderer(BareRenderer):
    """The base of renderers for endpoints that make files themselves. It renders only their refusals, as JSON."""

    charset = None


class CsvRenderer(Renderer):
    media_type = "text/csv"
    format = "csv"


class CalendarRenderer(Renderer):
    media_type = "text/calendar"
    format = "ics"


class ZipRenderer(Renderer):
    media_type = "application/zip"
    format = "zip"


def guarded(value: Cell) -> Cell:
    """Return a text that no spreadsheet runs as a formula. An apostrophe is put before a text that would be a formula,
    and before each formula after a semicolon or tab inside a text.

    A text would be a formula when its first sign, apart from blanks and invisible signs, is one of = + - @ or a wide
    form of these, or when it begins with a tab or line break. Where invisible signs (byte order marks, joiners) would
    hide a formula, they are removed. Numbers come from the site and stay numbers, negative ones, too.
    """
    if not isinstance(value, str):
        return value
    seen = "".join(sign for sign in value if unicodedata.category(sign) != "Cf")
    is_formula = seen.startswith(HIDES_A_FORMULA) or seen.lstrip().startswith(BEGINS_A_FORMULA)
    is_inside = AFTER_A_DELIMITER.search(seen) is not None
    if not is_formula and not is_inside:
        return value
    inside = AFTER_A_DELIMITER.sub(lambda found: f"{found[0][:-1]}{GUARD}{found[0][-1]}", seen)
    return f"{GUARD}{inside}" if is_formula else inside


class _Line:
    """A file for the csv module that stores nothing: `write` returns the line."""

    def write(self, line: str) -> str:
        return line


def lines_of(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[bytes]:
    """Yield the lines of a table in the form of RFC 4180: UTF-8, CR LF at line ends, quotes only where needed."""
    writer = csv.writer(_Line())
    yield str(writer.writerow(head)).encode()
    for row in rows:
        yield str(writer.writerow([_cell_as_json(guarded(cell)) for cell in row])).encode()


def _cell_as_json(value: Cell) -> Any:
    """Return a truth value as JSON writes it, and every other value unchanged."""
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else value


def table_response(name: str, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> StreamingHttpResponse:
    """Return a CSV file of this name, which is written while the client reads it, in the language of the request.
    `head` names the columns.
    """
    language = translation.get_language() or ""

    def written() -> Iterator[bytes]:
        lines = lines_of(head, rows)
        while True:
            # The stream is read after the end of the request, which resets the language.
            with translation.override(language):
                line = next(lines, None)
            if line is None:
                return
            yield line

    return StreamingHttpResponse(
        written(),
        content_type="text/csv; charset=utf-8; header=present",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
