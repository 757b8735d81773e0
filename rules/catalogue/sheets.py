"""Units as a CSV sheet, for people who type dials from the miniatures on their shelf.

Each click and each heat step has a row, in order; its column `row` says which it is. The columns of the base are filled
in the unit's first row, and empty or repeated in the others. Equipment is a key, followed by `*` if its circle makes it
single-use. `read_units` reads a sheet of `write_units` back without a difference.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from typing import Any

from rules.catalogue.documents import Document
from rules.catalogue.problems import CatalogueError, Findings, Problem, require_count, require_rows
from rules.catalogue.vocabulary import CATALOGUE_SCHEMA, DIAL_VALUES
from rules.core.words import DAMAGE_VALUES, HEAT_VALUES

_TEXTS = ("set", "name", "variant", "class", "rank", "statistics")
_NUMBERS = ("number", "points", "front_arc", "rear_arc", "vent")
_DAMAGE = ("type", "targets", "minimum", "maximum")

BASE_COLUMNS: tuple[str, ...] = (
    "set",
    "number",
    "name",
    "variant",
    "class",
    "rank",
    "statistics",
    "points",
    "front_arc",
    "rear_arc",
    "vent",
    *(f"{value}_{part}" for value in DAMAGE_VALUES for part in _DAMAGE),
)
"""The columns that a unit needs only once."""

ROW_COLUMNS: tuple[str, ...] = (
    "row",
    *DIAL_VALUES,
    "repair_marker",
    *(f"{value}_equipment" for value in DIAL_VALUES),
)
"""The columns of each row; in a heat row the equipment columns of the damage values and of speed hold the effects."""

COLUMNS: tuple[str, ...] = ("id", *BASE_COLUMNS, *ROW_COLUMNS)

_NOT_OF_HEAT = ("attack", "defense", "repair_marker", "attack_equipment", "defense_equipment")
"""Columns that a heat row leaves empty."""

_FORMULA_SIGNS = "=+-@"
"""A text that begins with one of these gets an apostrophe in front, so that no spreadsheet computes it."""

_YES = {"yes": True, "true": True, "1": True, "x": True, "no": False, "false": False, "0": False, "": False}


def write_units(units: Iterable[Mapping[str, Any]]) -> str:
    """Return the sheet of these unit definitions, with a heading row; lines end in CR LF (RFC 4180)."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, restval="")
    writer.writeheader()
    for unit in units:
        base = _base_cells(unit)
        for click in unit["dial"]:
            writer.writerow({"id": unit["id"], **base, **_click_cells(click)})
            base = {}
        for step in unit["heat"]:
            writer.writerow({"id": unit["id"], **_heat_cells(step)})
    return text.getvalue()


def read_units(file: str, text: bytes | str) -> Document:
    """Return a sheet as a catalogue document of units, which is not validated yet.

    A cell that should be a number but is not stays text, so that the schema's check names its place. Columns are
    separated by commas, semicolons or tabs. Raises CatalogueError (not_a_sheet, sheet_column_unknown,
    sheet_column_missing, sheet_row_without_id, sheet_row_kind, sheet_cells_beyond, sheet_cell_of_clicks, sheet_differs,
    wrong_count).
    """
    try:
        decoded = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        return Document(file, {"schema": CATALOGUE_SCHEMA, "units": _read_rows(file, decoded)})
    except (UnicodeDecodeError, csv.Error) as error:
        raise CatalogueError([_problem(file, None, None, "not_a_sheet", reason=type(error).__name__)]) from error


def _read_rows(file: str, text: str) -> list[dict[str, Any]]:
    """Return the units of a sheet. It is read row by row, so that reading stops at the first unit or row too many."""
    rows = csv.reader(io.StringIO(text, newline=""), dialect=_dialect(text), strict=True)
    first = next(rows, None)
    if first is None:
        raise CatalogueError([_problem(file, None, None, "not_a_sheet", reason="empty")])
    heading = [cell.strip().lower() for cell in first]
    findings = Findings()
    findings.extend(
        _problem(file, None, None, "sheet_column_unknown", column=cell[:60] or "-")
        for cell in heading
        if cell not in COLUMNS or heading.count(cell) > 1
    )
    needed = ("id", "row", *DIAL_VALUES)
    findings.extend(
        _problem(file, None, None, "sheet_column_missing", column=cell) for cell in needed if cell not in heading
    )
    findings.refuse()
    units: dict[str, dict[str, Any]] = {}
    for number, cells in enumerate(rows, 2):
        if any(cell.strip() for cell in cells[len(heading) :]):
            findings.add(_problem(file, None, None, "sheet_cells_beyond", row=number))
        row = dict(zip(heading, (_read_text(cell.strip()) for cell in cells), strict=False))
        if any(row.values()):
            findings.extend(_read_row(file, number, row, units))
    findings.refuse()
    return list(units.values())


def _dialect(text: str) -> type[csv.Dialect]:
    """Return the dialect of a sheet by its heading: spreadsheets in half of Europe write semicolons."""
    heading = text.split("\n", 1)[0]

    class Dialect(csv.excel):
        delimiter = max(",;\t", key=heading.count)

    return Dialect


def _read_row(file: str, number: int, row: Mapping[str, str], units: dict[str, dict[str, Any]]) -> list[Problem]:
    key = row.get("id", "")
    if not key:
        return [_problem(file, None, None, "sheet_row_without_id", row=number)]
    unit = units.setdefault(key, {"id": key, "dial": [], "heat": []})
    require_count(file, "units", len(units))
    problems = []
    for path, value in _base(row):
        if not _put(unit, path, value):
            problems.append(_problem(file, key, path[-1], "sheet_differs", row=number, column="_".join(path)))
    match row.get("row", "").lower():
        case "click":
            unit["dial"].append(_click(row))
            require_rows(file, key[:60], "dial", len(unit["dial"]))
        case "heat":
            unit["heat"].append(_heat(row))
            for column in _NOT_OF_HEAT:
                if row.get(column):
                    problems.append(_problem(file, key, column, "sheet_cell_of_clicks", row=number))
            require_rows(file, key[:60], "heat", len(unit["heat"]))
        case other:
            problems.append(_problem(file, key, "row", "sheet_row_kind", row=number, found=other[:60]))
    return problems


def _base(row: Mapping[str, str]) -> Iterable[tuple[tuple[str, ...], Any]]:
    """Yield the path in the unit and the value of every filled cell of the base."""
    for name in _TEXTS:
        if row.get(name):
            yield (name,), row[name] if name in ("set", "name", "variant") else row[name].lower()
    for name in _NUMBERS:
        if row.get(name):
            yield (name,), _number(row[name])
    for value in DAMAGE_VALUES:
        for part in _DAMAGE:
            cell = row.get(f"{value}_{part}")
            if cell:
                yield (value, part), cell.lower() if part == "type" else _number(cell)


def _put(unit: dict[str, Any], path: tuple[str, ...], value: Any) -> bool:
    """Return whether a fact of the base fits the unit's earlier rows, and store it if it does."""
    if path[-1] in ("minimum", "maximum"):
        damage = unit.setdefault(path[0], {})
        limits = damage.setdefault("range", [None, None])
        index = ("minimum", "maximum").index(path[-1])
        if limits[index] not in (None, value):
            return False
        limits[index] = value
        return True
    place = unit
    for step in path[:-1]:
        place = place.setdefault(step, {})
    if path[-1] in place and place[path[-1]] != value:
        return False
    place[path[-1]] = value
    return True


def _click(row: Mapping[str, str]) -> dict[str, Any]:
    click: dict[str, Any] = {value: _number(row[value]) for value in DIAL_VALUES if row.get(value)}
    marker = row.get("repair_marker", "").lower()
    click["repair_marker"] = _YES.get(marker, marker)
    click["equipment"] = {}
    for value in DIAL_VALUES:
        cell = row.get(f"{value}_equipment", "").lower()
        if cell:
            key = cell.removesuffix("*").strip()
            click["equipment"][value] = {"key": key, "single_use": True} if cell.endswith("*") else key
    return click


def _heat(row: Mapping[str, str]) -> dict[str, Any]:
    step: dict[str, Any] = {value: _number(row[value]) for value in HEAT_VALUES if row.get(value)}
    effects = {value: row.get(f"{value}_equipment", "").lower() for value in HEAT_VALUES}
    step["effects"] = {value: effect for value, effect in effects.items() if effect}
    return step


def _number(cell: str) -> int | str:
    return int(cell) if re.fullmatch(r"[+-]?\d{1,9}", cell, re.ASCII) else cell


def _written_text(text: str) -> str:
    """Return a text as a cell that no spreadsheet takes for a formula; `_read_text` takes the mark off again."""
    return f"'{text}" if _is_formula(text) else text


def _read_text(cell: str) -> str:
    return cell[1:] if cell[:1] == "'" and _is_formula(cell) else cell


def _is_formula(text: str) -> bool:
    """Return whether a text, without apostrophes in front, begins with the sign of a formula."""
    return text.lstrip("'")[:1] in tuple(_FORMULA_SIGNS)


def _base_cells(unit: Mapping[str, Any]) -> dict[str, Any]:
    cells = {name: _written_text(unit[name]) for name in _TEXTS if name in unit}
    cells |= {name: unit[name] for name in _NUMBERS if name in unit}
    for value in DAMAGE_VALUES:
        damage = unit[value]
        facts = (damage["type"], damage["targets"], *damage["range"])
        cells |= {f"{value}_{part}": fact for part, fact in zip(_DAMAGE, facts, strict=True)}
    return cells


def _click_cells(click: Mapping[str, Any]) -> dict[str, Any]:
    cells: dict[str, Any] = {"row": "click", **{value: click[value] for value in DIAL_VALUES}}
    cells["repair_marker"] = "yes" if click["repair_marker"] else ""
    for value, item in click["equipment"].items():
        is_single_use = isinstance(item, Mapping) and bool(item.get("single_use"))
        key = item["key"] if isinstance(item, Mapping) else item
        cells[f"{value}_equipment"] = f"{key}*" if is_single_use else key
    return cells


def _heat_cells(step: Mapping[str, Any]) -> dict[str, Any]:
    effects = {f"{value}_equipment": effect for value, effect in step["effects"].items()}
    return {"row": "heat", **{value: step[value] for value in HEAT_VALUES}, **effects}


def _problem(file: str, key: str | None, field: str | None, code: str, **parameters: Any) -> Problem:
    return Problem(file, "units" if key else None, key, None, field, code, parameters)
