"""Tables for spreadsheets: texts that no spreadsheet runs, and lines of comma-separated values."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

Cell = str | int | bool | Decimal | None

BEGINS_A_FORMULA = tuple("=+-@＝＋－＠")
"""The signs that begin a formula in spreadsheets. Some spreadsheets also accept the wide forms."""
HIDES_A_FORMULA = ("\t", "\r", "\n")
AFTER_A_DELIMITER = re.compile(r"[;\t]\s*[=+\-@＝＋－＠]")
"""A formula after a semicolon or tab, which ends a cell in some spreadsheets, even inside quotes."""
GUARD = "'"

PLAIN, EXCEL = "plain", "excel"
FORMS = (PLAIN, EXCEL)
"""The forms of a table. `plain` has commas, as programs expect it. `excel` opens by a double click in the spreadsheets
of most of Europe: a byte order mark, semicolons, and commas in decimal numbers. Sentences in `plain` are English, those
in `excel` are in the reader's language (api.files).
"""
MARK = "\ufeff"
"""The byte order mark, by which spreadsheets know UTF-8."""


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


def lines_of(head: Sequence[str], rows: Iterable[Sequence[Cell]], form: str = PLAIN) -> Iterator[bytes]:
    """Yield the lines of a table in the form of RFC 4180: UTF-8, CR LF at line ends, quotes only where needed.

    `form` is one of FORMS; `excel` begins with the byte order mark and has semicolons.
    """
    yield from _written(head, ([_cell_as_json(guarded(cell), form) for cell in row] for row in rows), form)


def as_excel(text: str) -> str:
    """Return a table of the form `plain` in the form `excel`; its cells stay as they are."""
    head, *rows = csv.reader(io.StringIO(text, newline=""))
    return b"".join(_written(head, rows, EXCEL)).decode()


def _written(head: Sequence[str], rows: Iterable[Sequence[Any]], form: str) -> Iterator[bytes]:
    writer = csv.writer(_Line(), delimiter=";" if form == EXCEL else ",")
    yield f"{MARK if form == EXCEL else ''}{writer.writerow(head)}".encode()
    for row in rows:
        yield str(writer.writerow(row)).encode()


def _cell_as_json(value: Cell, form: str) -> Any:
    """Return a truth value as JSON writes it, a decimal number with the mark of the form, any other value unchanged."""
    if isinstance(value, Decimal):
        return str(value).replace(".", ",") if form == EXCEL else str(value)
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else value
