"""Units as a CSV sheet, for people who type dials from the miniatures on their shelf.

Each click and each heat step has a row, in order; its column `row` says which it is. The columns of the base are filled
in the unit's first row, and empty or repeated in the others. Equipment is a key, followed by `*` if its circle makes it
single-use; its English name and its printed colour are read too. A unit for real tables only (`table_only`: yes) has
one row, of its base alone; so has every unit of a sheet that has no column but those of such units. `read_units` reads
a sheet of `write_units` back without a difference.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rules.catalogue import written
from rules.catalogue.colours import EFFECTS_BY_COLOUR, EQUIPMENT_BY_COLOUR
from rules.catalogue.documents import Document
from rules.catalogue.problems import CatalogueError, Findings, Problem, require_count, require_rows
from rules.catalogue.tables import Table, read_table
from rules.catalogue.vocabulary import CATALOGUE_SCHEMA, CLASS_LETTERS, DIAL_VALUES
from rules.core.table_units import MARK, is_table_only, with_id
from rules.core.words import DAMAGE_VALUES, HEAT_VALUES

_TEXTS = ("set", "name", "variant", "class", "rank", "statistics")
_NUMBERS = ("number", "points", "front_arc", "rear_arc", "vent", "clicks")
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
    MARK,
    "clicks",
)
"""The columns that a unit needs only once; the last two are those of units without a dial."""

ROW_COLUMNS: tuple[str, ...] = (
    "row",
    *DIAL_VALUES,
    "repair_marker",
    *(f"{value}_equipment" for value in DIAL_VALUES),
)
"""The columns of each row; in a heat row the equipment columns of the damage values and of speed hold the effects."""

COLUMNS: tuple[str, ...] = ("id", *BASE_COLUMNS, *ROW_COLUMNS)

BASE_ALONE: frozenset[str] = frozenset(("id", "number", "points", "clicks", *_TEXTS))
"""The columns of units without a dial. A sheet that has no other one holds such units alone, marked or not."""

BASE_ROW = "base"
"""The word of the column `row` in the only row of a unit without a dial."""

_NOT_OF_HEAT = ("attack", "defense", "repair_marker", "attack_equipment", "defense_equipment")
"""Columns that a heat row leaves empty."""

_FORMULA_SIGNS = "=+-@"
"""A text that begins with one of these gets an apostrophe in front, so that no spreadsheet computes it."""

_YES = {
    **dict.fromkeys(("yes", "y", "true", "1", "x", "black"), True),
    **dict.fromkeys(("no", "n", "false", "0", "-", "none", ""), False),
}

_HEADINGS = {
    "marker": "repair_marker",
    "repair": "repair_marker",
    "unit": "name",
    "unit_name": "name",
    "point_value": "points",
    "weight_class": "class",
    "vent_rating": "vent",
    "collector_number": "number",
    **dict.fromkeys(("no", "nr", "figure_number"), "number"),
    **dict.fromkeys(("pts", "point", "cost"), "points"),
    **dict.fromkeys(("front", "frontarc"), "front_arc"),
    **dict.fromkeys(("rear", "reararc"), "rear_arc"),
    "kind": "row",
    "no_dial": MARK,
    "real_tables_only": MARK,
}
"""Other headings of the columns."""


def write_units(units: Iterable[Mapping[str, Any]]) -> str:
    """Return the sheet of these unit definitions, with a heading row; lines end in CR LF (RFC 4180)."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, restval="")
    writer.writeheader()
    for unit in units:
        base = _base_cells(unit)
        if is_table_only(unit):
            writer.writerow({"id": unit["id"], **base, "row": BASE_ROW})
            continue
        for click in unit["dial"]:
            writer.writerow({"id": unit["id"], **base, **_click_cells(click)})
            base = {}
        for step in unit["heat"]:
            writer.writerow({"id": unit["id"], **_heat_cells(step)})
    return text.getvalue()


def read_units(file: str, text: bytes | str) -> Document:
    """Return a sheet as a catalogue document of units, which is not validated yet.

    Encodings, separators, headings and cells are read as people write them (`rules.catalogue.tables`, `written`). A
    cell that should be a number but is not stays text, so that the schema's check names its place. Raises
    CatalogueError (is_a_workbook, not_a_sheet, sheet_column_unknown, sheet_column_missing, sheet_row_without_id,
    sheet_row_kind, sheet_cells_beyond, sheet_cell_of_clicks, sheet_differs, sheet_equipment_unknown,
    sheet_effect_unknown, wrong_count).
    """
    return Document(file, {"schema": CATALOGUE_SCHEMA, "units": _read_rows(file, read_table(file, text))})


def column(heading: str) -> str:
    """Return the column that a heading means; the heading itself when it means none."""
    name = heading.removesuffix("_range") if heading.endswith(("minimum_range", "maximum_range")) else heading
    name = re.sub(r"_min(?:_range)?$", "_minimum", re.sub(r"_max(?:_range)?$", "_maximum", name))
    name = re.sub(r"^(primary|secondary)_damage(?=_|$)", r"\1", name)
    return _HEADINGS.get(name, name)


def _read_rows(file: str, table: Table) -> list[dict[str, Any]]:
    """Return the units of a sheet. It is read row by row, so that reading stops at the first unit or row too many."""
    heading = [column(cell) for cell in table.heading]
    if set(heading).isdisjoint(COLUMNS):
        # A table of something else gets one sentence, not one for each of its columns.
        raise CatalogueError([_problem(file, None, None, "sheet_column_missing", column="id")])
    findings = Findings()
    findings.extend(
        _problem(file, None, None, "sheet_column_unknown", column=cell[:60] or "-")
        for cell in heading
        if cell not in COLUMNS or heading.count(cell) > 1
    )
    has_no_dials = BASE_ALONE.issuperset(heading)
    named = ("number",) if "number" in heading and (has_no_dials or MARK in heading) else ("id",)
    needed = named if has_no_dials or MARK in heading else (*named, "row", *DIAL_VALUES)
    findings.extend(
        _problem(file, None, None, "sheet_column_missing", column=cell) for cell in needed if cell not in heading
    )
    findings.refuse()
    units: dict[str, dict[str, Any]] = {}
    for number, cells in table.rows:
        if any(cell.strip() for cell in cells[len(heading) :]):
            findings.add(_problem(file, None, None, "sheet_cells_beyond", row=number))
        row = dict(zip(heading, (_read_text(cell.strip()) for cell in cells), strict=False))
        if any(row.values()):
            findings.extend(_read_row(file, number, row | {MARK: "yes"} if has_no_dials else row, units))
    for unit in units.values():
        if is_table_only(unit) and not unit["dial"] and not unit["heat"]:
            del unit["dial"], unit["heat"]
        findings.extend(_name_equipment(file, unit))
    findings.refuse()
    return list(units.values())


def _name_equipment(file: str, unit: dict[str, Any]) -> Iterator[Problem]:
    """Put keys in the place of the names and colours of a unit's equipment and effects, once its base is known."""
    places = {value: unit.get(value, {}).get("type") if value in DAMAGE_VALUES else value for value in DIAL_VALUES}
    for click, row in enumerate(unit.get("dial", ()), 1):
        for value, cell in row["equipment"].items():
            found = written.equipment(cell, places[value])
            if found is None:
                known = ", ".join(EQUIPMENT_BY_COLOUR.get(places[value], {}).values()) or "-"
                parameters = {"found": cell[:60], "known": known}
                field = f"equipment.{value}"
                yield Problem(file, "units", unit["id"][:60], click, field, "sheet_equipment_unknown", parameters)
            else:
                row["equipment"][value] = {"key": found[0], "single_use": True} if found[1] else found[0]
    for number, step in enumerate(unit.get("heat", ())):
        for value, cell in step["effects"].items():
            effect = written.effect(cell, places[value])
            if effect is None:
                known = ", ".join(EFFECTS_BY_COLOUR.get(places[value], {}).values()) or "-"
                field = f"heat[{number}].effects.{value}"
                yield _problem(file, unit["id"][:60], field, "sheet_effect_unknown", found=cell[:60], known=known)
            else:
                step["effects"][value] = effect


def _read_row(file: str, number: int, row: Mapping[str, str], units: dict[str, dict[str, Any]]) -> list[Problem]:
    base = list(_base(row))
    key = row.get("id") or with_id({path[0]: value for path, value in base if len(path) == 1}).get("id")
    if not key:
        return [_problem(file, None, None, "sheet_row_without_id", row=number)]
    unit = units.setdefault(key, {"id": key, "dial": [], "heat": []})
    require_count(file, "units", len(units))
    problems = []
    for path, value in base:
        if not _put(unit, path, value):
            problems.append(_problem(file, key, path[-1], "sheet_differs", row=number, column="_".join(path)))
    match row.get("row", "").lower().removesuffix("s"):
        case "click":
            unit["dial"].append(_click(row))
            require_rows(file, key[:60], "dial", len(unit["dial"]))
        case "heat":
            unit["heat"].append(_heat(row))
            for column in _NOT_OF_HEAT:
                if row.get(column):
                    problems.append(_problem(file, key, column, "sheet_cell_of_clicks", row=number))
            require_rows(file, key[:60], "heat", len(unit["heat"]))
        case "" | "base" if is_table_only(unit):
            pass
        case _:
            problems.append(_problem(file, key, "row", "sheet_row_kind", row=number, found=row.get("row", "")[:60]))
    return problems


def _base(row: Mapping[str, str]) -> Iterable[tuple[tuple[str, ...], Any]]:
    """Yield the path in the unit and the value of every filled cell of the base."""
    for name in _TEXTS:
        if row.get(name):
            yield (name,), row[name] if name in ("set", "name", "variant") else _word(name, row[name])
    if row.get(MARK):
        mark = _YES.get(row[MARK].lower(), row[MARK])
        if mark is not False:
            yield (MARK,), mark
    for name in _NUMBERS:
        if row.get(name):
            yield (name,), _number(row[name])
    for value in DAMAGE_VALUES:
        for part in _DAMAGE:
            cell = row.get(f"{value}_{part}")
            if cell:
                yield (value, part), cell.lower() if part == "type" else _number(cell)


def _word(name: str, cell: str) -> str:
    """Return a cell as the word of the game that it is; a class may be its letter (L, M, H, A)."""
    return CLASS_LETTERS.get(cell.upper(), cell.lower()) if name == "class" else cell.lower()


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
    cells = {value: row.get(f"{value}_equipment", "") for value in DIAL_VALUES}
    click["equipment"] = {value: cell for value, cell in cells.items() if cell}
    return click


def _heat(row: Mapping[str, str]) -> dict[str, Any]:
    step: dict[str, Any] = {value: _number(row[value]) for value in HEAT_VALUES if row.get(value)}
    cells = {value: row.get(f"{value}_equipment", "") for value in HEAT_VALUES}
    step["effects"] = {value: cell for value, cell in cells.items() if cell}
    return step


def _number(cell: str) -> int | str:
    found = written.number(cell)
    return cell if found is None else found


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
    if is_table_only(unit):
        return cells | {MARK: "yes"}
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
