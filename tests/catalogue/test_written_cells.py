"""Sheets as people and their spreadsheets write them. The numbers here are made up."""

import io
import zipfile
from typing import Any

import pytest

from catalogue.text.marks import EQUIPMENT_MARKS, HEAT_MARKS
from rules.catalogue import Catalogue, CatalogueError, load_builtin, parse_document, written
from rules.catalogue.colours import EFFECTS_BY_COLOUR, EQUIPMENT_BY_COLOUR
from rules.catalogue.sheets import read_units, write_units
from rules.catalogue.vocabulary import EQUIPMENT_PLACES
from rules.catalogue.wording import NAMES
from rules.core.definition_checks import HEAT_EFFECT_PLACES

HEADING = (
    "Id,Set,Number,Name,Variant,Class,Rank,Points,Front Arc,Rear Arc,Vent,Primary Type,Primary Targets,"
    "Primary Min Range,Primary Max Range,Secondary Damage Type,Secondary Targets,Secondary Minimum,Secondary Maximum,"
    "Row,Primary Damage,Secondary,Speed,Attack,Defence,Repair Marker,"
    "Primary Equipment,Speed Equipment,Defence Equipment"
)
FIRST = (
    "ZZ1,ZZ,1,Prüfstand,PST-1-L,Light,Elite,109.0,180°,90,3,Energy,1,0,8,Melee,1,0,0,Click,4,2,9,10,20,,Red,blue*,grey"
)
SECOND = "ZZ1,,,,,,,,,,,,,,,,,,,click,3,2,8,9,19,x,Pulse,Jump Jets circle,Heavy Armour"
HEAT = "ZZ1,,,,,,,,,,,,,,,,,,,Heat,0,0,0,,,,,,"
LAST = "ZZ1,,,,,,,,,,,,,,,,,,,heat,\u22121,+1,-2.0,,,,yellow,red,"
SHEET = "\r\n".join((HEADING, FIRST, SECOND, HEAT, LAST)) + "\r\n"


def unit_of(sheet: bytes | str) -> dict[str, Any]:
    return Catalogue.from_documents([read_units("own.csv", sheet)]).units["ZZ1"]


def test_f_07_a_sheet_is_read_as_people_write_it() -> None:
    unit = unit_of(SHEET)
    assert (unit["name"], unit["points"], unit["front_arc"], unit["rank"]) == ("Prüfstand", 109, 180, "elite")
    assert unit["primary"] == {"type": "energy", "targets": 1, "range": [0, 8]}
    jump_jets = {"key": "jump_jets", "single_use": True}
    expected = {"primary": "pulse", "speed": jump_jets, "defense": "heavy_armor"}
    assert [click["equipment"] for click in unit["dial"]] == [expected, expected]
    assert [click["repair_marker"] for click in unit["dial"]] == [False, True]


def test_f_02_signed_numbers_of_the_heat_dial_keep_their_signs() -> None:
    step = unit_of(SHEET)["heat"][1]
    assert (step["primary"], step["secondary"], step["speed"]) == (-1, 1, -2)
    assert step["effects"] == {"primary": "avoid_heat_sink_overload", "speed": "avoid_shutdown_critical"}


@pytest.mark.parametrize(
    "sheet",
    [
        SHEET.replace("\u2212", "-").replace(",", ";").encode("cp1252"),
        SHEET.replace(",", "\t").encode("utf-16"),
        SHEET.replace(",", "\t").encode("utf-8-sig"),
        "sep=;\r\n" + SHEET.replace(",", ";"),
        '"SEP=|"\n' + SHEET.replace(",", "|"),
        SHEET.replace("\r\n", ",,\r\n"),
    ],
    ids=["western", "unicode-text", "utf-8", "sep", "quoted-sep", "empty-columns"],
)
def test_f_05_f_06_the_files_of_spreadsheets_are_read(sheet: bytes | str) -> None:
    assert unit_of(sheet) == unit_of(SHEET)


@pytest.mark.parametrize("name", ["Zażółć gęślą", "Łódź", "ŻURAW", "Trzebież"])
def test_f_05_a_polish_spreadsheet_keeps_its_letters(name: str) -> None:
    sheet = SHEET.replace("\u2212", "-").replace("Prüfstand", name)
    assert unit_of(sheet.encode("cp1250"))["name"] == name


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"PK\x03\x04rest of a workbook", "is_a_workbook"),
        (b"\xd0\xcf\x11\xe0rest of an old workbook", "is_a_workbook"),
        (b"id,row\x00", "not_a_sheet"),
        ('id,"row', "not_a_sheet"),
        (b"\x81\x83\x90", "not_a_sheet"),
    ],
)
def test_f_05_a_file_that_is_no_table_is_refused_with_what_to_do(content: bytes | str, code: str) -> None:
    with pytest.raises(CatalogueError) as caught:
        read_units("own.csv", content)
    assert [problem.code for problem in caught.value.problems] == [code]


def test_headings_of_a_sheet_are_read_as_people_shorten_them() -> None:
    short = SHEET.replace("Number", "No.").replace("Points", "Pts").replace("Front Arc", "FrontArc")
    assert unit_of(short.replace("Rear Arc", "Rear")) == unit_of(SHEET)
    assert unit_of(SHEET.replace("Number", "#").replace("Front Arc", "Front")) == unit_of(SHEET)


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["units.csv"], "is_an_archive"),
        (["[Content_Types].xml", "xl/workbook.xml"], "is_a_workbook"),
        (["xl/workbook.xml", "[Content_Types].xml"], "is_a_workbook"),
        (["mimetype", "content.xml"], "is_a_workbook"),
    ],
)
def test_an_archive_with_a_table_in_it_is_not_called_a_workbook(names: list[str], code: str) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in names:
            archive.writestr(name, "id,row")
    with pytest.raises(CatalogueError) as caught:
        read_units("own.csv", packed.getvalue())
    assert [problem.code for problem in caught.value.problems] == [code]


def test_a_table_of_another_game_without_a_heading_gets_one_sentence() -> None:
    with pytest.raises(CatalogueError) as caught:
        read_units("own.txt", "dc001|Batman|75|Batman Family|Rookie\ndc002|Robin|45|Batman Family|Rookie\n")
    assert [(each.code, each.parameters) for each in caught.value.problems] == [
        ("sheet_column_missing", {"column": "id"})
    ]


def test_a_number_of_many_digits_is_out_of_range_and_not_of_a_wrong_type() -> None:
    sheet = "number,name,class,points,clicks\n1,Fox,light,40,9999999999999\n"
    with pytest.raises(CatalogueError) as caught:
        Catalogue.from_documents([read_units("own.csv", sheet)])
    assert [(each.field, each.code) for each in caught.value.problems] == [("clicks", "out_of_range")]


def test_a_number_without_end_in_json_is_called_a_long_number() -> None:
    with pytest.raises(CatalogueError) as caught:
        parse_document("own.json", '{"schema": 1, "units": [{"points": %s}]}' % ("9" * 6000))
    assert [each.code for each in caught.value.problems] == ["number_too_long"]


@pytest.mark.parametrize(
    ("before", "after", "place", "known"),
    [
        ("Red,blue*", "mauve,blue*", (1, "equipment.primary"), "ppc_capacitor, tsemp, pulse"),
        ("x,Pulse", "x,Pulse Lasers", (2, "equipment.primary"), "ppc_capacitor, tsemp, pulse"),
        (",yellow,red,", ",green,red,", (None, "heat[1].effects.primary"), "avoid_heat_sink_overload_critical"),
    ],
)
def test_f_07_a_word_that_means_nothing_there_has_its_place_and_the_few_words_that_do(
    before: str, after: str, place: tuple[int | None, str], known: str
) -> None:
    with pytest.raises(CatalogueError) as caught:
        read_units("own.csv", SHEET.replace(before, after))
    [problem] = caught.value.problems
    assert (problem.click, problem.field) == place
    assert problem.code == ("sheet_effect_unknown" if "effects" in problem.field else "sheet_equipment_unknown")
    assert problem.parameters["known"].startswith(known)
    assert problem.parameters["known"].count(",") <= 5


def test_f_07_a_sheet_of_colours_is_the_sheet_of_keys() -> None:
    """R-SED, R-SEM, R-SEA, R-SEF, R-HEF: the same colours as on the drawn dials."""
    units = load_builtin().units
    sheet = write_units(units.values())
    for key, mark in (EQUIPMENT_MARKS | HEAT_MARKS).items():
        sheet = sheet.replace(f",{key},", f",{mark.colour},").replace(f",{key}*,", f",{mark.colour}*,")
        sheet = sheet.replace(f",{key}\r", f",{mark.colour}\r").replace(f",{key}*\r", f",{mark.colour}*\r")
    assert Catalogue.from_documents([read_units("own.csv", sheet)]).units == units


def test_every_equipment_and_effect_has_a_colour_at_its_place() -> None:
    places = {key: place for place, found in EQUIPMENT_BY_COLOUR.items() for key in found.values()}
    families = {key: family for family, found in EFFECTS_BY_COLOUR.items() for key in found.values()}
    assert (places, families) == (EQUIPMENT_PLACES, HEAT_EFFECT_PLACES)
    assert {written.key(NAMES[key]) for key in (*places, *families)} == {*places, *families}


@pytest.mark.parametrize(
    ("found", "number"),
    [
        ("+1", 1), ("-2", -2), ("\u22121", -1), ("\u20133", -3), ("209.0", 209), ("209,0", 209), (" 7\u00a0", 7),
        (4, 4), (4.0, 4), ("1,578", None), ("1,000", None), ("1_0", None), ("\u0661", None), ("", None), ("KO", None),
        (True, None), (4.5, None), (float("inf"), None), (None, None), ([], None), ("9" * 5000, None),
    ],
)  # fmt: skip
def test_f_02_numbers_are_read_as_people_write_them_and_never_guessed(found: Any, number: int | None) -> None:
    assert written.number(found) == number
