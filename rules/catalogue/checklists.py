"""A collector's checklist: which figures somebody owns, by set and number, and which of them a catalogue knows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rules.catalogue import written
from rules.catalogue.bounds import MOST_DEFINITIONS
from rules.catalogue.other_games import HEAD, refuse_other_game, refuse_other_program
from rules.catalogue.problems import CatalogueError, Findings, Problem
from rules.catalogue.tables import read_table

_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "set": ("set", "expansion", "series", "edition"),
    "number": ("number", "no", "nr", "collector_number", "collection_number", "figure_number"),
    "figure": ("id", "figure", "key", "code"),
    "name": ("name", "unit", "figure_name", "mech"),
    "quantity": ("quantity", "qty", "count", "owned", "have", "copies", "amount"),
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


class Figure(NamedTuple):
    """A figure that a checklist says is owned: its row in the file, its set and number, its name or ""."""

    row: int
    set: str
    number: int
    name: str


class Matched(NamedTuple):
    """The ids of the units that a checklist's figures are, and the figures that the catalogue does not know."""

    keys: list[str]
    missing: list[Figure]


def read_checklist(file: str, content: bytes | str) -> list[Figure]:
    """Return the figures that a checklist says are owned, in the order of its rows.

    The columns are `set` and `number`, or one `id` with both, and, if they are there, `name` and `quantity`. Without a
    quantity every row counts; an empty quantity is none. A list that has battle values too is read. Raises
    CatalogueError (file_of_other_game, is_a_workbook, not_a_sheet, checklist_columns, checklist_cell, wrong_count).
    """
    head = content[:HEAD].decode("utf-8", "replace") if isinstance(content, bytes) else content
    refuse_other_program(file, head)
    table = read_table(file, content)
    at: dict[str, int] = {}
    for meaning, headings in _COLUMNS.items():
        places = [table.heading.index(heading) for heading in headings if heading in table.heading]
        if places:
            at[meaning] = places[0]
    if "figure" not in at and not {"set", "number"} <= at.keys():
        refuse_other_game(file, head)
        raise CatalogueError([Problem(file, None, None, None, None, "checklist_columns")])
    figures: list[Figure] = []
    findings = Findings()
    for row, cells in table.rows:
        said = {meaning: cells[place].strip() if place < len(cells) else "" for meaning, place in at.items()}
        if not any(said.values()):
            continue
        quantity = _quantity(said["quantity"]) if "quantity" in said else 1
        if quantity is None:
            findings.add(_problem(file, row, "quantity", said["quantity"]))
        elif quantity > 0:
            figure = _figure(row, said)
            if figure is None:
                found = said.get("number") or said.get("figure") or ""
                findings.add(_problem(file, row, "number" if "number" in said else "figure", found))
            else:
                figures.append(figure)
            if len(figures) > MOST_DEFINITIONS["units"]:
                parameters = {"count": len(figures), "least": 0, "most": MOST_DEFINITIONS["units"]}
                raise CatalogueError([Problem(file, "units", None, None, None, "wrong_count", parameters)])
    findings.refuse()
    return figures


def match(figures: Iterable[Figure], units: Iterable[tuple[str, str | None, int]]) -> Matched:
    """Return which units the figures are. `units` are ids with set (None for a unit without one) and number; the case
    of a set makes no difference.

    A figure is every unit with its set and number. An id or a figure that comes twice counts once.
    """
    known: dict[tuple[str, int], list[str]] = {}
    for key, its_set, number in units:
        found = known.setdefault(((its_set or "").casefold(), number), [])
        if key not in found:
            found.append(key)
    keys: dict[str, None] = {}
    missing: dict[tuple[str, int], Figure] = {}
    for figure in figures:
        place = (figure.set.casefold(), figure.number)
        if place in known:
            keys.update(dict.fromkeys(known[place]))
        else:
            missing.setdefault(place, figure)
    return Matched(list(keys), list(missing.values()))


def _figure(row: int, said: Mapping[str, str]) -> Figure | None:
    name = said.get("name", "")[:80]
    number = written.number(said.get("number", ""))
    if number is None and (together := _FIGURE.fullmatch(said.get("number") or said.get("figure", ""))):
        return Figure(row, together[1], int(together[2]), name)
    if number is None or number < 0 or not said.get("set"):
        return None
    return Figure(row, said["set"][:80], number, name)


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
