"""What no file may bring: problems, definitions and dials without end. All is counted, not timed."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from rules.catalogue import (
    Catalogue,
    CatalogueError,
    Document,
    bounds,
    documents,
    loader,
    mapping,
    parse_document,
    paths,
    problems,
    shape,
    sheets,
    tables,
    written,
)
from rules.catalogue.bounds import LONGEST_DIALS, MOST_DEFINITIONS, MOST_MARKS, MOST_PROBLEMS
from rules.catalogue.checklists import read_checklist
from rules.catalogue.mapping import map_document
from rules.catalogue.sheets import read_units
from rules.catalogue.vocabulary import DIAL_VALUES, KINDS
from tests.catalogue.test_mapping import MAPPING, foreign

HEADING = ",".join(("id", "row", *DIAL_VALUES))


def refusal(read: Callable[[], object]) -> CatalogueError:
    with pytest.raises(CatalogueError) as caught:
        read()
    assert len(caught.value.problems) <= MOST_PROBLEMS
    return caught.value


def of(content: Any) -> CatalogueError:
    return refusal(lambda: Catalogue.from_documents([{"schema": 1, **content}]))


def only_problem(refused: CatalogueError) -> tuple[str, str | None, int]:
    [problem] = refused.problems
    assert not refused.is_cut
    return problem.code, problem.field, problem.parameters["count"]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[[ModuleType, str], list[Any]]:
    """The first arguments of every call of a module's function from now on."""

    def count(module: ModuleType, name: str) -> list[Any]:
        calls: list[Any] = []
        original = getattr(module, name)

        def noted(*arguments: Any) -> Any:
            calls.append(arguments[0])
            return original(*arguments)

        monkeypatch.setattr(module, name, noted)
        return calls

    return count


def test_the_built_in_catalogue_is_a_tenth_of_what_a_file_may_hold(builtin: Catalogue) -> None:
    assert set(MOST_DEFINITIONS) == set(KINDS)
    assert all(10 * count <= MOST_DEFINITIONS[kind] for kind, count in builtin.counts().items())


def test_a_file_of_very_many_values_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty megabytes of empty objects would take half a gigabyte before anything is counted."""
    monkeypatch.setattr(documents.json, "loads", lambda *arguments, **options: pytest.fail("read"))
    refused = refusal(lambda: parse_document("own.json", b"[" + b"{}," * MOST_MARKS + b"{}]"))
    assert [problem.code for problem in refused.problems] == ["file_too_full"]


@pytest.mark.parametrize("kind", KINDS)
def test_more_definitions_than_a_file_may_hold_are_not_looked_at(kind: str, counted: Any) -> None:
    looked_at = counted(loader, "shape_problems")
    most = MOST_DEFINITIONS[kind]
    assert only_problem(of({kind: [{}] * (most + 1), "colour": "red"})) == ("wrong_count", kind, most + 1)
    assert looked_at == []
    of({kind: [{}] * most})
    assert looked_at != []


def test_the_search_stops_when_there_are_problems_enough(counted: Any) -> None:
    looked_at = counted(loader, "shape_problems")
    refused = of({"target_tokens": [{}] * MOST_DEFINITIONS["target_tokens"]})
    assert (len(refused.problems), refused.is_cut) == (MOST_PROBLEMS, True)
    assert len(looked_at) == MOST_PROBLEMS // 7 + 1  # seven keys are missing in each


def test_as_many_problems_as_are_kept_are_all(hellion: dict[str, Any]) -> None:
    faulty = [{**hellion, "id": f"HSE{number:03d}", "colour": "red"} for number in range(MOST_PROBLEMS + 1)]
    assert not of({"units": faulty[1:]}).is_cut
    assert of({"units": faulty}).is_cut


@pytest.mark.parametrize(
    "definition",
    [
        pytest.param({f"key {number}": 1 for number in range(5000)}, id="keys"),
        pytest.param({"dial": [{}] * 5000}, id="clicks"),
        pytest.param({"heat": [{"effects": dict.fromkeys(map(str, range(5000)))}]}, id="effects"),
    ],
)
def test_the_faults_of_one_definition_are_bounded_too(definition: dict[str, Any], counted: Any) -> None:
    made = counted(shape, "problem_of")
    assert of({"units": [definition]}).is_cut
    assert len(made) == MOST_PROBLEMS + 1


def test_keys_around_the_definitions_are_bounded_too() -> None:
    assert of({"units": [], **{f"key {number}": 1 for number in range(5000)}}).is_cut


def test_many_definitions_of_one_id_are_bounded_too(hellion: dict[str, Any]) -> None:
    refused = of({"units": [hellion] * (MOST_PROBLEMS + 2)})
    assert {problem.code for problem in refused.problems} == {"duplicate_id"}
    assert refused.is_cut


# --- sheets ---------------------------------------------------------------------------------------------------------


def sheet(*rows: str, heading: str = HEADING) -> CatalogueError:
    return refusal(lambda: read_units("own.csv", "\n".join([heading, *rows])))


def test_a_sheet_is_not_read_to_its_end_for_more_problems_than_are_kept(counted: Any) -> None:
    rows_read = counted(sheets, "_read_row")
    assert sheet(*["A1,tick"] * 5000).is_cut
    assert len(rows_read) == MOST_PROBLEMS + 1
    assert sheet(heading=",".join([HEADING, *["id"] * 5000])).is_cut


def test_a_sheet_holds_no_more_units_than_a_file_may(monkeypatch: pytest.MonkeyPatch, counted: Any) -> None:
    rows_read = counted(sheets, "_read_row")
    monkeypatch.setitem(bounds.MOST_DEFINITIONS, "units", 3)  # type: ignore[arg-type]
    assert only_problem(sheet(*(f"A{number},click" for number in range(100)))) == ("wrong_count", "units", 4)
    assert len(rows_read) == 4


@pytest.mark.parametrize(("row", "part"), [("click", "dial"), ("heat", "heat")])
def test_a_unit_of_a_sheet_has_no_longer_dial_than_any(row: str, part: str, counted: Any) -> None:
    rows_read = counted(sheets, "_read_row")
    longest = LONGEST_DIALS[part][1]
    assert only_problem(sheet(*[f"A1,{row}"] * 5000)) == ("wrong_count", part, longest + 1)
    assert len(rows_read) == longest + 1


def test_a_table_has_no_more_columns_than_any_needs(counted: Any) -> None:
    made_keys = counted(written, "key")
    heading = ",".join(map(str, range(bounds.MOST_COLUMNS + 1)))
    assert only_problem(sheet(heading=heading + ",,,")) == ("wrong_count", None, bounds.MOST_COLUMNS + 1)
    assert made_keys == []


@pytest.fixture
def rows_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of each row that is read of a table for a mapping."""
    numbers: list[int] = []

    def noted(row: tuple[int, list[str]]) -> tuple[int, list[str]]:
        numbers.append(row[0])
        return row

    def read_table(file: str, text: bytes | str) -> tables.Table:
        table = tables.read_table(file, text)
        return table._replace(rows=map(noted, table.rows))

    monkeypatch.setattr(mapping, "read_table", read_table)
    return numbers


def test_one_unit_of_a_table_for_a_mapping_has_no_rows_without_end(rows_read: list[int]) -> None:
    """Twenty megabytes of rows of one sign would take two gigabytes."""
    text = "Figure;P\n" + "ZZ1;1\n" * 5000
    refused = refusal(lambda: mapping.read_rows("own.csv", text, {"group": "Figure"}))
    assert only_problem(refused) == ("wrong_count", "rows", bounds.MOST_ROWS + 1)
    assert len(rows_read) == bounds.MOST_ROWS + 1
    enough = text[: text.index("\n") + 1 + bounds.MOST_ROWS * len("ZZ1;1\n")]
    [unit] = mapping.read_rows("own.csv", enough, {"group": "Figure"}).content["units"]
    assert len(unit["rows"]) == bounds.MOST_ROWS


def test_a_table_for_a_mapping_has_no_cells_without_end(monkeypatch: pytest.MonkeyPatch, rows_read: list[int]) -> None:
    """An empty cell is one byte of the file, and many of what is read."""
    monkeypatch.setattr(problems, "MOST_CELLS", 500)
    text = ",".join(f"c{number}" for number in range(100)) + ("\nx" + "," * 99) * 50
    refused = refusal(lambda: mapping.read_rows("own.csv", text, {}))
    assert [(problem.code, problem.parameters) for problem in refused.problems] == [("file_too_full", {"most": 500})]
    assert len(rows_read) == 6


def test_lines_and_cells_of_a_table_are_counted_before_one_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three million short rows would take twenty seconds, fifteen million commas half a gigabyte."""
    monkeypatch.setattr(tables.csv, "reader", lambda *arguments, **options: pytest.fail("read"))
    for line_end in ("\n", "\r", "\r\n"):
        refused = refusal(lambda end=line_end: read_units("own.csv", "set,number,name" + end * bounds.MOST_LINES))  # type: ignore[misc]
        assert only_problem(refused) == ("wrong_count", None, bounds.MOST_LINES + 1)
    refused = refusal(lambda: read_checklist("own.csv", "set,number" + "," * bounds.MOST_TABLE_CELLS))
    [problem] = refused.problems
    assert (problem.code, problem.parameters) == ("file_too_full", {"most": bounds.MOST_TABLE_CELLS})


@pytest.mark.parametrize("read", [read_units, read_checklist, lambda file, text: mapping.read_rows(file, text, {})])
@pytest.mark.parametrize("line", ["," * (bounds.MOST_CELLS_OF_A_ROW + 1), '"\n",' * (bounds.MOST_CELLS_OF_A_ROW + 1)])
def test_a_row_without_end_is_not_gathered(read: Callable[[str, str], object], line: str, counted: Any) -> None:
    """A row is kept whole, also one of many lines: its cells are counted while its lines come."""
    text = f"set,number,name\nA,1,x{',' * bounds.MOST_COLUMNS}\n" + line * 3
    refused = refusal(lambda: read("own.csv", text))
    [problem] = refused.problems
    assert (problem.code, problem.parameters) == ("file_too_full", {"most": bounds.MOST_CELLS_OF_A_ROW})


# --- files of a foreign shape ---------------------------------------------------------------------------------------


def mapped(content: Any) -> CatalogueError:
    return refusal(lambda: map_document(Document("own.json", content), MAPPING))


def test_a_foreign_file_holds_no_more_units_than_a_file_may() -> None:
    most = MOST_DEFINITIONS["units"]
    assert only_problem(mapped({"units": [{}] * (most + 1)})) == ("wrong_count", "units", most + 1)


@pytest.mark.parametrize(("listed", "part"), [("clicks", "dial"), ("heat_dial", "heat")])
def test_a_foreign_unit_has_no_longer_dial_than_any(listed: str, part: str) -> None:
    content = foreign()
    content["units"][0][listed] = [{}] * 5000
    assert only_problem(mapped(content)) == ("wrong_count", part, 5000)


class Key(str):
    """A key that counts how often one of its sort is compared with the beginning that a path asks for."""

    compared = 0

    def startswith(self, *arguments: Any) -> bool:
        Key.compared += 1
        return super().startswith(*arguments)


def keyed(count: int) -> dict[str, Any]:
    return {Key(f"x{number}"): 1 for number in range(count)}


def test_a_column_without_end_is_refused_before_a_key_is_looked_for_in_each_row() -> None:
    """Each row would go through all keys: a file ten times as long would take a hundred times as long."""
    rules = {"only": {"at": "[*x:9]", "is": ["x"]}, "values": {"speed": {"at": "speed[row]"}}}
    content = {"units": [{"category": "mech", "speed": [1] * 5000, **keyed(900)}]}
    Key.compared = 0
    refused = refusal(lambda: map_document(Document("own.json", content), {**MAPPING, "dial": rules}))
    assert only_problem(refused) == ("wrong_count", "dial", 5000)
    assert Key.compared == 0
    content["units"][0]["speed"] = [1] * bounds.MOST_ROWS
    map_document(Document("own.json", content), {**MAPPING, "dial": rules})
    assert Key.compared <= 900, "what is the same in each row is looked for once"
    named = {"values": {"speed": {"at": "speed[row]"}, "attack": {"key": "[x*:9]"}}}
    content["units"][0]["speed"] = [1] * LONGEST_DIALS["dial"][1]
    Key.compared = 0
    map_document(Document("own.json", content), {**MAPPING, "dial": named})
    assert 0 < Key.compared <= 900


def test_a_key_is_found_among_as_many_as_an_honest_object_has_and_no_more() -> None:
    step = "[x*:9]"
    assert paths.key_at(keyed(bounds.MOST_KEYS), step) == "8"
    Key.compared = 0
    assert paths.key_at(keyed(bounds.MOST_KEYS + 1), step) is None
    assert Key.compared == 0


def test_a_key_that_looks_like_the_step_of_rows_is_a_key() -> None:
    path = '["[row]"]'
    rules = {**MAPPING["dial"], "values": {"speed": {"at": path}}}
    del rules["list"]
    content = {"units": [{"category": "mech", "[row]": 4, "a": [1, 2]}]}
    rules["values"]["attack"] = {"at": "a[row]"}
    document, _ = map_document(Document("own.json", content), {**MAPPING, "dial": rules})
    assert [click["speed"] for click in document.content["units"][0]["dial"]] == [4, 4]


def test_a_long_text_is_no_number_and_a_note_repeats_a_short_one() -> None:
    content = foreign()
    content["units"][0]["id"] = "7" * 5000
    content["units"][1]["category"] = ["vehicle"] * 5000
    document, notes = map_document(Document("own.json", content), MAPPING)
    assert document.content["units"][0]["number"] == "7" * 5000, "left to the schema's check"
    assert max(len(str(value)) for note in notes for value in note.parameters.values()) == 60


def test_a_damage_type_that_is_no_text_is_left_to_the_form() -> None:
    content = foreign()
    content["units"][0]["damage_modes"][0]["type"] = {}
    content["units"][0]["heat_dial"][1]["primary_damage"] = {"modifier": 0, "tag": {"colour": "red"}}
    document, notes = map_document(Document("own.json", content), MAPPING)
    assert "mapped_unknown_colour" in [note.code for note in notes]
    refused = refusal(lambda: Catalogue.from_documents([document]))
    assert [(problem.field, problem.code) for problem in refused.problems] == [("primary.type", "not_one_of")]
