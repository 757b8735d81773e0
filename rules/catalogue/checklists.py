"""A collector's checklist: which figures somebody owns, by set and number, and which of them a catalogue knows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rules.catalogue import written
from rules.catalogue.other_games import HEAD, refuse_other_game, refuse_other_program
from rules.catalogue.problems import CatalogueError, Findings, Problem, require_count
from rules.catalogue.tables import decode, read_table

_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "set": ("set", "expansion", "series", "edition", "serie", "erweiterung", "zestaw"),
    "number": ("number", "no", "nr", "nummer", "numer", "collector_number", "collection_number", "figure_number"),
    "figure": ("id", "figure", "key", "code", "figur", "figurka"),
    "name": ("name", "unit", "figure_name", "mech", "einheit", "nazwa"),
    "quantity": (
        *("quantity", "qty", "count", "owned", "have", "copies", "amount"),
        *("anzahl", "menge", "vorhanden", "sztuk", "sztuki"),
    ),
}
"""What a column means -> its headings, as keys."""

_FIGURE = re.compile(r"([A-Za-z]{1,10})[\s_#-]{0,3}([0-9]{1,4})")
"""Set and number in one cell, such as `AOD104` or `AoD #104`."""

_TIMES = re.compile(r"(?:([0-9]{1,9})\s?[x×]|[x×]\s?([0-9]{1,9}))", re.IGNORECASE)
"""A quantity such as `2x` or `×2`."""

_TICKS = ("✓", "✔", "☑", "✅")
"""Signs that spreadsheets and phones put where a figure is owned."""

_OWNED = {
    **dict.fromkeys(("yes", "y", "x", "true", "have", "own", "owned"), 1),
    **dict.fromkeys(("no", "n", "false", "none"), 0),
}


_SUMS = re.compile(r"(?:(?:sub|grand)_?)?(?:total|sum)s?(?:_|$)")
"""The key of a cell that says that its row adds up other rows."""


class Figure(NamedTuple):
    """A figure that a checklist says is owned: its row in the file, its set and number, its name or "".

    The set is "" where the checklist has no column of sets.
    """

    row: int
    set: str
    number: int
    name: str

    @property
    def place(self) -> tuple[str, int, str]:
        """What is the same for every row that names this figure: without a set, its name is needed too."""
        return self.set.casefold(), self.number, "" if self.set else written.key(self.name)


class Checklist(NamedTuple):
    """The figures that a checklist says are owned, in the order of its rows, and a problem for each row that cannot be
    read.
    """

    figures: list[Figure]
    unread: list[Problem]


class Matched(NamedTuple):
    """The ids of the units that a checklist's figures are, and the figures that the catalogue does not know."""

    keys: list[str]
    missing: list[Figure]


def read_checklist(file: str, content: bytes | str) -> Checklist:
    """Return the figures that a checklist says are owned, and the rows that cannot be read (checklist_cell).

    The columns are `set` and `number`, or one `id` with both, and, if they are there, `name` and `quantity`. A list
    of one set may leave `set` out, and a list of bare ids its heading. Without a quantity every row counts; an
    empty quantity is none. Titles above the heading, titles of parts and sums are passed over. A list that has
    battle values too is read. Raises CatalogueError (file_of_other_game, is_a_workbook, not_a_sheet,
    checklist_columns, wrong_count; checklist_cell where no row can be read).
    """
    head = content[:HEAD].decode("utf-8", "replace") if isinstance(content, bytes) else content
    refuse_other_program(file, head)
    table, added = read_table(file, content, _is_heading), 0
    if len(table.heading) == 1 and _FIGURE.fullmatch(table.heading[0]):
        text = decode(file, content)[0] if isinstance(content, bytes) else content
        table, added = read_table(file, f"figure\n{text}", _is_heading), 1
    at = _places(table.heading)
    if not _is_heading(table.heading):
        refuse_other_game(file, head)
        raise CatalogueError([Problem(file, None, None, None, None, "checklist_columns")])
    figures: list[Figure] = []
    findings = Findings()
    for line, cells in table.rows:
        row = line - added
        said = {meaning: cells[place].strip() if place < len(cells) else "" for meaning, place in at.items()}
        figure = _figure(row, said)
        if figure is None and _names_no_figure(cells, said):
            continue
        quantity = _quantity(said["quantity"]) if "quantity" in said else 1
        if quantity is None:
            findings.add(_problem(file, row, "quantity", said["quantity"]))
        elif quantity > 0 and figure is None:
            found = said.get("number") or said.get("figure") or ""
            findings.add(_problem(file, row, "number" if "number" in said else "figure", found))
        elif quantity > 0 and figure is not None:
            figures.append(figure)
            require_count(file, "units", len(figures))
    if not figures:
        findings.refuse()
    return Checklist(figures, findings.problems)


def match(figures: Iterable[Figure], units: Iterable[tuple[str, str | None, int, str]]) -> Matched:
    """Return which units the figures are. `units` are ids with set (None for a unit without one), number and name; the
    case of a set makes no difference.

    A figure is every unit with its set and number. One without a set is every unit with its number, and with its name
    where it has one, if they are all of one set. An id or a figure that comes twice counts once.
    """
    known: dict[int, list[tuple[str, str, str]]] = {}
    for key, its_set, number, name in units:
        known.setdefault(number, []).append((key, (its_set or "").casefold(), written.key(name)))
    keys: dict[str, None] = {}
    missing: dict[tuple[str, int, str], Figure] = {}
    for figure in figures:
        its_set, number, its_name = figure.place
        found = known.get(number, [])
        if figure.set:
            found = [unit for unit in found if unit[1] == its_set]
        elif its_name:
            found = [unit for unit in found if unit[2] and (unit[2] in its_name or its_name in unit[2])]
        if len({unit[1] for unit in found}) == 1:
            keys.update(dict.fromkeys(unit[0] for unit in found))
        else:
            missing.setdefault(figure.place, figure)
    return Matched(list(keys), list(missing.values()))


def _places(heading: list[str]) -> dict[str, int]:
    """Return in which column of a heading each meaning stands."""
    named = {meaning: [word for word in words if word in heading] for meaning, words in _COLUMNS.items()}
    return {meaning: heading.index(words[0]) for meaning, words in named.items() if words}


def _is_heading(heading: list[str]) -> bool:
    at = _places(heading)
    return "figure" in at or ("number" in at and (len(at) > 1 or len(heading) == 1))


def _names_no_figure(cells: list[str], said: Mapping[str, str]) -> bool:
    """Return whether a row without a figure is empty, a sum, or the title of the rows below it."""
    filled = [cell for cell in cells if cell.strip()]
    has_title = len(filled) == 1 and not (said.get("number") or said.get("figure"))
    return not filled or has_title or any(_SUMS.match(written.key(cell)) for cell in filled)


def _figure(row: int, said: Mapping[str, str]) -> Figure | None:
    name = said.get("name", "")[:80]
    number = written.number(said.get("number", ""))
    if number is None and (together := _FIGURE.fullmatch(said.get("number") or said.get("figure", ""))):
        return Figure(row, together[1], int(together[2]), name)
    if number is None or number < 0 or said.get("set") == "":
        return None
    return Figure(row, said.get("set", "")[:80], number, name)


def _quantity(cell: str) -> int | None:
    if not cell.strip(" -"):
        return 0
    if (times := _TIMES.fullmatch(cell.strip())) is not None:
        return int(times[1] or times[2])
    if cell.strip().rstrip("\ufe0f") in _TICKS:
        return 1
    number = written.number(cell)
    return number if number is not None else _OWNED.get(written.key(cell))


def _problem(file: str, row: int, column: str, found: str) -> Problem:
    return Problem(file, None, None, None, None, "checklist_cell", {"row": row, "column": column, "found": found[:60]})
