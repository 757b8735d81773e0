"""Tables of text (CSV) as spreadsheets write them: their encodings, separators and headings."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from rules.catalogue import written
from rules.catalogue.bounds import MOST_CELLS_OF_A_ROW, MOST_COLUMNS
from rules.catalogue.problems import CatalogueError, Problem, require_table

_SEPARATORS = ",;\t|"

_SEP_LINE = re.compile(r'"?sep=([,;\t|])"?[,;\t|]*(?:\r\n?|\n|$)', re.IGNORECASE)
"""The first line by which some programs say which separator a spreadsheet should use."""

_FIRST_LINE = re.compile(r"[\s,;|\"]*([^\r\n]*)")
"""The first line in which something stands, after lines that are empty or hold separators alone."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|$)")

_MOST_TITLE_LINES = 20

_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""The beginnings of workbooks: of .xlsx and .ods files, and of .xls files."""

_CENTRAL_EUROPEAN = re.compile(r"(?:\w[¹³¿¯£¥]|[¹³¿¯£¥][^\W\d_]|[a-z]Ÿ)")
"""Signs of Windows-1252 inside words: they are letters of Windows-1250, such as ł, ą and ż."""


class Table(NamedTuple):
    """A table: its encoding, its heading as keys, and its rows. Each row is its number in the file and its cells.

    Reading a row raises CatalogueError (not_a_sheet; file_too_full for a row of more than MOST_CELLS_OF_A_ROW).
    """

    encoding: str
    heading: list[str]
    rows: Iterator[tuple[int, list[str]]]


def refuse_workbook(file: str, content: bytes) -> None:
    """Raise CatalogueError (is_a_workbook, is_an_archive) for a file that begins as workbooks do, whatever its name."""
    if content.startswith(_WORKBOOKS):
        raise _error(file, "is_an_archive" if _is_archive(content) else "is_a_workbook")


def _is_archive(content: bytes) -> bool:
    """Return whether a file is an archive of other files: the first one in it is named, and it is no workbook's."""
    first = content[30 : 30 + int.from_bytes(content[26:28], "little")] if content.startswith(b"PK") else b""
    return bool(first) and first != b"mimetype" and b"[Content_Types].xml" not in content


def decode(file: str, content: bytes) -> tuple[str, str]:
    """Return the text of a file and the name of its encoding: UTF-8, UTF-16, Windows-1252 or Windows-1250.

    A file without a mark that is no UTF-8 comes from an older spreadsheet. It is Windows-1250 if Windows-1252 would
    show signs such as ³ or ¿ inside words. Raises CatalogueError (is_a_workbook, not_a_sheet).
    """
    refuse_workbook(file, content)
    try:
        if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return _clean(file, content.decode("utf-16")), "UTF-16"
        try:
            return _clean(file, content.decode("utf-8-sig")), "UTF-8"
        except UnicodeDecodeError:
            return _decode_old(file, content)
    except UnicodeDecodeError as error:
        raise _error(file, "not_a_sheet") from error


def read_table(file: str, content: bytes | str, is_heading: Callable[[list[str]], bool] | None = None) -> Table:
    """Return a table with its heading row read. Columns are separated by commas, semicolons, tabs or vertical bars.

    The heading is the first of the first 20 lines whose keys `is_heading` accepts, or else the first line that says
    anything. Empty headings at the end are dropped. Lines and cells are counted before one is read. Raises
    CatalogueError (is_a_workbook, not_a_sheet; wrong_count for more than MOST_LINES lines or MOST_COLUMNS headings;
    file_too_full for more than MOST_TABLE_CELLS or MOST_CELLS_OF_A_ROW).
    """
    text, encoding = decode(file, content) if isinstance(content, bytes) else (_clean(file, content), "UTF-8")
    separator = _SEP_LINE.match(text)
    body = text[separator.end() :] if separator else text
    titles = _lines_of_titles(body, separator[1] if separator else None, is_heading) if is_heading else []
    body = body[sum(map(len, titles)) :]
    first_line = _FIRST_LINE.match(body)
    heads = first_line[1] if first_line else ""

    class Dialect(csv.excel):
        delimiter = separator[1] if separator else _separator(heads)

    begins = (2 if separator else 1) + len(titles)
    require_table(file, _count_lines(body), body.count(Dialect.delimiter))
    rows = _rows(file, body, Dialect, begins)
    first = next((cells for _, cells in rows if any(cell.strip() for cell in cells)), [])
    while first and not first[-1].strip():
        first.pop()
    if len(first) > MOST_COLUMNS:
        parameters = {"count": len(first), "least": 1, "most": MOST_COLUMNS}
        raise CatalogueError([Problem(file, None, None, None, None, "wrong_count", parameters)])
    heading = [written.heading(cell) for cell in first]
    while heading and not heading[-1]:
        heading.pop()
    if not heading:
        raise _error(file, "not_a_sheet")
    return Table(encoding, heading, rows)


def _separator(line: str) -> str:
    return max(_SEPARATORS, key=line.count)


def _lines_of_titles(body: str, separator: str | None, is_heading: Callable[[list[str]], bool]) -> list[str]:
    """Return the lines before the first one that is a heading; none where no line is one."""
    before: list[str] = []
    for found in islice(_LINE.finditer(body), _MOST_TITLE_LINES):
        line = found[0]
        cells = line.strip().split(separator or _separator(line), MOST_COLUMNS)
        if is_heading([written.heading(cell) for cell in cells]):
            return before
        before.append(line)
    return []


def _count_lines(body: str) -> int:
    return body.count("\n") + body.count("\r") - body.count("\r\n") + 1


def _rows(file: str, body: str, dialect: type[csv.Dialect], number: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows with their numbers. A row's cells are counted line by line, before the reader keeps them all."""
    cells = 0

    def lines() -> Iterator[str]:
        nonlocal cells
        for found in _LINE.finditer(body):
            cells += found[0].count(dialect.delimiter)
            if cells > MOST_CELLS_OF_A_ROW:
                raise _error(file, "file_too_full", most=MOST_CELLS_OF_A_ROW)
            if found[0]:
                yield found[0]

    try:
        for row in enumerate(csv.reader(lines(), dialect=dialect, strict=True), number):
            cells = 0
            yield row
    except csv.Error as error:
        raise _error(file, "not_a_sheet") from error


def _decode_old(file: str, content: bytes) -> tuple[str, str]:
    """Return the text of a file in a Windows encoding, and its name.

    Raises UnicodeDecodeError, and CatalogueError (not_a_sheet).
    """
    try:
        western = content.decode("cp1252")
        if not _CENTRAL_EUROPEAN.search(western):
            return _clean(file, western), "Windows-1252"
    except UnicodeDecodeError:
        pass
    return _clean(file, content.decode("cp1250")), "Windows-1250"


def _clean(file: str, text: str) -> str:
    """Return the text. Raises CatalogueError (not_a_sheet) for a zero character: then it is no text."""
    if "\x00" in text:
        raise _error(file, "not_a_sheet")
    return text


def _error(file: str, code: str, **parameters: int) -> CatalogueError:
    return CatalogueError([Problem(file, None, None, None, None, code, parameters)])
