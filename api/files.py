"""Answers that are no JSON: how they are negotiated, and how tables are written for spreadsheets.

Whoever accepts none of an address' media types gets 406; every refusal is a problem document all the same, whatever
was asked for.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.http import StreamingHttpResponse
from django.utils import translation
from rest_framework.renderers import JSONRenderer

Cell = str | int | bool | None

BEGINS_A_FORMULA = tuple("=+-@＝＋－＠")
"""What spreadsheets, also those with wide letters, take for the beginning of a formula."""
HIDES_A_FORMULA = ("\t", "\r", "\n")
AFTER_A_DELIMITER = re.compile(r"[;\t]\s*[=+\-@＝＋－＠]")
"""A formula behind what some spreadsheets, by their language, take for the end of a cell, quoted or not."""
GUARD = "'"


class Renderer(JSONRenderer):
    """For endpoints that answer files of their own making: rendered are only the refusals, as JSON."""

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
    """Return a text that no spreadsheet runs: with an apostrophe before it, where it would be a formula else, and one
    before each formula behind a semicolon or a tab inside it.

    That is so for texts whose first sign, blanks and signs without a look aside, is one of = + - @ (wide ones too), and
    for those that begin with a tab or the end of a line. Signs without a look (byte order marks, joiners) are left out
    where they hide a formula. Numbers are ours and stay numbers, negative ones too.
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
    """What csv writes to: it keeps nothing, the line goes on to the reader."""

    def write(self, line: str) -> str:
        return line


def lines_of(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[bytes]:
    """Yield the table as RFC 4180 has it: UTF-8, lines end with CR LF, texts are quoted where they must be."""
    writer = csv.writer(_Line())
    yield str(writer.writerow(head)).encode()
    for row in rows:
        yield str(writer.writerow([_cell_as_json(guarded(cell)) for cell in row])).encode()


def _cell_as_json(value: Cell) -> Any:
    """Return a truth value as JSON writes it, and every other value as it is."""
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else value


def table_response(name: str, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> StreamingHttpResponse:
    """Show a table as a file of this name, written while it is read; its words are in the language of the person who
    asked.
    """
    language = translation.get_language() or ""

    def written() -> Iterator[bytes]:
        lines = lines_of(head, rows)
        while True:
            # The stream is read when the language of this request is gone already.
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
