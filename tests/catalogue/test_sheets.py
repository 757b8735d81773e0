"""Units as CSV sheets."""

import csv
import io

import pytest

from rules.catalogue import Catalogue, CatalogueError, load_builtin
from rules.catalogue.sheets import COLUMNS, read_units, write_units


def codes(text: str | bytes) -> list[str]:
    with pytest.raises(CatalogueError) as caught:
        read_units("own.csv", text)
    return [problem.code for problem in caught.value.problems]


def test_every_builtin_unit_survives_the_sheet() -> None:
    units = load_builtin().units
    read = Catalogue.from_documents([read_units("own.csv", write_units(units.values()))])
    assert read.units == units


@pytest.mark.parametrize("separator", [";", "\t"])
def test_other_separators_of_spreadsheets(separator: str) -> None:
    units = list(load_builtin().units.values())[:1]
    sheet = write_units(units)
    assert '"' not in sheet.replace('""', "").split("\r\n")[0]
    rows = list(csv.reader(io.StringIO(sheet)))
    text = io.StringIO()
    csv.writer(text, delimiter=separator).writerows(rows)
    assert read_units("own.csv", text.getvalue().encode("utf-8-sig")).content["units"] == units


def test_empty_rows_and_repeated_base_cells_are_fine() -> None:
    unit = next(iter(load_builtin().units.values()))
    lines = write_units([unit]).splitlines()
    lines.insert(2, "," * (len(COLUMNS) - 1))
    assert read_units("own.csv", "\n".join(lines)).content["units"] == [unit]


@pytest.mark.parametrize(
    ("sheet", "code"),
    [
        ("", "not_a_sheet"),
        (b"\xff\xfe\x00", "not_a_sheet"),
        ("id,row,primary,secondary,speed,attack,defense,armour", "sheet_column_unknown"),
        ("id,id,row,primary,secondary,speed,attack,defense", "sheet_column_unknown"),
        ("id,row,primary,secondary,speed,attack", "sheet_column_missing"),
        ("id,row,primary,secondary,speed,attack,defense\n,click,1,1,1,1,1", "sheet_row_without_id"),
        ("id,row,primary,secondary,speed,attack,defense\nA1,tick,1,1,1,1,1", "sheet_row_kind"),
        ("id,row,primary,secondary,speed,attack,defense\nA1,click,1,1,1,1,1,9", "sheet_cells_beyond"),
        ("id,row,primary,secondary,speed,attack,defense\nA1,heat,0,0,0,1,", "sheet_cell_of_clicks"),
        (
            "id,name,row,primary,secondary,speed,attack,defense\nA1,One,click,1,1,1,1,1\nA1,Two,click,1,1,1,1,1",
            "sheet_differs",
        ),
    ],
)
def test_a_file_that_is_not_a_sheet_of_units_is_refused(sheet: str | bytes, code: str) -> None:
    assert code in codes(sheet)


def test_a_wrong_cell_is_named_with_its_click_and_field() -> None:
    unit = next(iter(load_builtin().units.values()))
    lines = write_units([unit]).splitlines()
    cells = lines[2].split(",")
    cells[COLUMNS.index("attack")] = "nine"
    lines[2] = ",".join(cells)
    with pytest.raises(CatalogueError) as caught:
        Catalogue.from_documents([read_units("own.csv", "\n".join(lines))])
    [problem] = caught.value.problems
    assert (problem.id, problem.click, problem.field, problem.code) == (unit["id"], 2, "attack", "wrong_type")


@pytest.mark.parametrize("name", ["=1+1", "@SUM(A1)", "-Dash", "+Plus", "'quoted", "'=quoted formula"])
def test_a_spreadsheet_computes_nothing_and_the_name_comes_back(name: str) -> None:
    unit = {**next(iter(load_builtin().units.values())), "name": name}
    sheet = write_units([unit])
    cells = next(row for row in csv.reader(io.StringIO(sheet)) if unit["id"] in row[0])
    assert cells[COLUMNS.index("name")][0] not in "=+-@"
    assert read_units("own.csv", sheet).content["units"] == [unit]


@pytest.mark.parametrize(("cell", "code"), [("", "missing_key"), ("1_0", "wrong_type"), ("\u0661", "wrong_type")])
def test_a_number_of_the_heat_dial_is_neither_invented_nor_guessed(cell: str, code: str) -> None:
    unit = next(iter(load_builtin().units.values()))
    lines = write_units([unit]).splitlines()
    cells = lines[-1].split(",")
    cells[COLUMNS.index("speed")] = cell
    lines[-1] = ",".join(cells)
    with pytest.raises(CatalogueError) as caught:
        Catalogue.from_documents([read_units("own.csv", "\n".join(lines))])
    assert [problem.code for problem in caught.value.problems] == [code]
