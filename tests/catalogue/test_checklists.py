"""Shelves from a collector's checklist."""

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from catalogue.models import CatalogueRelease
from catalogue.services import collections, shelves
from catalogue.services.shelves import shelve
from rules.catalogue import CatalogueError, load_builtin
from rules.catalogue.checklists import Figure, match, read_checklist
from tests.markup import closed_up

LIST = "Set;Number;Name;Qty\nSOL;001;One;1\nsol;2;Two;2\nSOL;3;Three;0\nSOL;4;Four;\nAoD;104;Other;1\nAoD;104;Again;x\n"
UNITS = [(f"SOL00{number}", "SOL", number, name) for number, name in enumerate(("One", "Two", "Three", "Four"), 1)]


@pytest.mark.parametrize(
    "content",
    [
        LIST,
        LIST.encode("utf-16"),
        "sep=;\n" + LIST,
        LIST.replace("Number", "Collector Number").replace("Set", "Expansion"),
    ],
)
def test_f_c3_a_checklist_says_which_figures_are_owned(content: str | bytes) -> None:
    figures = read_checklist("own.csv", content).figures
    matched = match(figures, UNITS)
    assert matched.keys == ["SOL001", "SOL002"]
    assert [(figure.set, figure.number, figure.name) for figure in matched.missing] == [("AoD", 104, "Other")]


@pytest.mark.parametrize("cell", ["SOL002", "sol-2", "SOL #002", "Sol 2"])
def test_set_and_number_may_stand_in_one_cell(cell: str) -> None:
    assert match(read_checklist("own.csv", f"Figure,Owned\n{cell},yes\n").figures, UNITS).keys == ["SOL002"]


@pytest.mark.parametrize(
    "content",
    [
        "set,number,quantity\nSOL,#002,1\n",
        "set,number,quantity\nSOL,2,2x\n",
        "set,number,quantity\nSOL,2,×2\n",
        "set,number,quantity\nSOL,2,\u2713\n",
        "set,number,quantity\nSOL,2,\u2714\ufe0f\nSOL,1,0x\n",
        ";;\r\n\r\nset;number;quantity\r\nSOL;2;1\r\n",
        "sep=;\rset;number;quantity\rSOL;2;1\r",
        "Serie;Nummer;Anzahl\nSOL;2;1\n",
        "Zestaw;Numer;Sztuk\nSOL;2;1\n",
        "Set,#,Have\nSOL,2,1\n",
        "SOL002\n",
        "SOL #002\r\nsol-2\r\n",
    ],
)
def test_a_checklist_is_read_as_collectors_write_it(content: str) -> None:
    assert match(read_checklist("own.csv", content).figures, UNITS) == (["SOL002"], [])


def test_a_figure_that_is_not_found_has_the_set_that_the_file_says() -> None:
    figures, _ = read_checklist("own.csv", "set,number\nAge of Destruction,104\nSOLARISONEANDTWO,1\n")
    found = match(figures, [("X1", "SOLARISONE", 1, "One")])
    assert [(figure.set, figure.number) for figure in found.missing] == [
        ("Age of Destruction", 104),
        ("SOLARISONEANDTWO", 1),
    ]


@pytest.mark.parametrize(
    ("content", "code", "row"),
    [
        ("Name,Year\nTestbed,2003\n", "checklist_columns", None),
        ("set,number,quantity\nSOL,1,many\n", "checklist_cell", 2),
        ("set,number\nSOL,one\n", "checklist_cell", 2),
        ("sep=,\nset,number\nSOL,-1\n", "checklist_cell", 3),
        ("set,number\n,1\n", "checklist_cell", 2),
        ("", "not_a_sheet", None),
        (b"PK\x03\x04", "is_a_workbook", None),
        ("set,number\n" + "".join(f"SOL,{number}\n" for number in range(3001)), "wrong_count", None),
    ],
)
def test_a_checklist_that_cannot_be_read_is_refused_with_its_place(
    content: str | bytes, code: str, row: int | None
) -> None:
    with pytest.raises(CatalogueError) as caught:
        read_checklist("own.csv", content)
    [problem] = caught.value.problems
    assert (problem.code, problem.parameters.get("row")) == (code, row)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("MercHeat.mul", '<?xml version="1.0"?>\n<unit version="0.50">\n<entity chassis="Heat" model="A"/>\n</unit>\n'),
        ("heat.txt", '<?xml version="1.0"?>\n<unit version="0.50">\n<entity chassis="Heat" model="A"/>\n</unit>\n'),
        ("Crockett.mtf", "chassis:Crockett\nmodel:A\n"),
        ("bv.csv", "Name,Tons,BV\nTestbed,50,1200\n"),
    ],
)
def test_f_06_a_shelf_knows_a_file_of_another_game(name: str, content: str) -> None:
    for sent in (content, content.encode()):
        with pytest.raises(CatalogueError) as caught:
            read_checklist(name, sent)
        assert [problem.code for problem in caught.value.problems] == ["file_of_other_game"]


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        pytest.param("set,number\nSOL,2\nSOL,104a\nSOL,1\n", [3], id="a number with a letter"),
        pytest.param("set,number,quantity\nSOL,2,1\nSOL,1,1\nSOL,3,many\n", [4], id="a quantity"),
        pytest.param("My figures\n\nas of May; mine\nset;number\nSOL;2\nSOL;1a\nSOL;1\n", [6], id="titles above"),
        pytest.param("sep=;\nMine, all of them\nset;number\nSOL;2\nSOL;1\n", [], id="a title below the separator"),
        pytest.param("set,number,quantity\nSOL,1,2\nSOL,2,1\nTotal,,3\n", [], id="a sum"),
        pytest.param("set,number,name\nSOL,1,\nSOL,2,\n,Grand total: 2,of 40\n", [], id="a sum under the numbers"),
        pytest.param("set,number,name\n,,Uniques\nSOL,1,One\nSOL,2,Two\n", [], id="a title of a part"),
        pytest.param("number,name\n2,TWO-1A Two\n1,one\n", [], id="no set"),
        pytest.param("No.;Have\n2;x\n1;x\nx;x\n", [4], id="neither set nor name"),
        pytest.param("number\n1\n2\n", [], id="numbers alone"),
    ],
)
def test_f_c3_what_else_stands_in_a_checklist_keeps_no_figure_off_the_shelf(content: str, rows: list[int]) -> None:
    figures, unread = read_checklist("own.csv", content)
    assert [(problem.code, problem.parameters["row"]) for problem in unread] == [
        ("checklist_cell", row) for row in rows
    ]
    matched = match(figures, UNITS)
    assert (sorted(matched.keys), matched.missing) == (["SOL001", "SOL002"], [])


def test_without_a_set_a_figure_is_found_where_one_set_alone_can_be_meant() -> None:
    two_sets = [*UNITS, ("AOD001", "AOD", 1, "Other"), ("AOD002", "AOD", 2, "Two")]
    figures, _ = read_checklist("own.csv", "number,name\n1,One\n1,Other\n2,Two\n3,Another\n4,\n")
    matched = match(figures, two_sets)
    assert matched.keys == ["SOL001", "AOD001", "SOL004"]
    assert [(figure.set, figure.number, figure.name) for figure in matched.missing] == [
        ("", 2, "Two"),
        ("", 3, "Another"),
    ]


def test_a_checklist_with_battle_values_beside_its_figures_is_read() -> None:
    [figure], _ = read_checklist("own.csv", "set,number,name,BV\nSOL,1,One,1200\n")
    assert (figure.set, figure.number) == ("SOL", 1)


@pytest.mark.django_db
def test_a_person_marks_their_shelf(client: Client, release: CatalogueRelease) -> None:
    user = get_user_model().objects.create_user("keeper", "keeper@example.org", "a long pass phrase")
    client.force_login(user)
    units = list(load_builtin().units.values())[:3]
    rows = [f"{unit['set']},{unit['number']}," for unit in units] + ["AOD,104,Testbed", "AOD,104a,Testbed"]
    address = reverse("catalogue:checklist")
    sent = SimpleUploadedFile("own.csv", "\n".join(["set,number,name", *rows]).encode())
    page = client.post(address, {"file": sent})
    text = closed_up(page.content.decode())
    assert page.status_code == 200
    assert "3 of 4 figures found" in text
    assert "Testbed" in text
    assert "Row 6 says “104a” in the column “number”" in text
    assert collections.owned_miniatures(user) == {unit["id"] for unit in units}
    refused = client.post(address, {"file": SimpleUploadedFile("own.csv", b"a,b\n")})
    assert refused.status_code == 400
    assert "“set” and “number”" in refused.content.decode()
    assert client.post(address).status_code == 400


@pytest.mark.django_db
def test_a_program_marks_a_shelf(client: Client, release: CatalogueRelease) -> None:
    user = get_user_model().objects.create_user("keeper", "keeper@example.org", "a long pass phrase")
    client.force_login(user)
    address = reverse("api:catalogue_checklist")
    answer = client.post(address, {"sheet": "set,number\nSOL,2\nAOD,104\nA,1b\n"}, content_type="application/json")
    assert answer.json() == {
        "units": ["SOL002"],
        "missing": [{"row": 3, "set": "AOD", "number": 104, "name": ""}],
        "unread": [
            {
                "row": 4,
                "column": "number",
                "found": "1b",
                "detail": "Row 4 says “1b” in the column “number”, which cannot be read.",
            }
        ],
    }
    assert collections.owned_miniatures(user) == {"SOL002"}
    refused = client.post(address, {"sheet": "set,number\nSOL,one\n"}, content_type="application/json")
    assert (refused.status_code, refused.json()["parameters"]["problems"][0]["code"]) == (409, "checklist_cell")


@pytest.mark.django_db
def test_a_checklist_beyond_a_full_shelf_changes_nothing(
    release: CatalogueRelease, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = get_user_model().objects.create_user("keeper", "keeper@example.org", "a long pass phrase")
    monkeypatch.setattr(shelves, "LARGEST_SHELF", 2)
    figures = [Figure(row, unit["set"], unit["number"], "") for row, unit in enumerate(load_builtin().units.values())]
    with pytest.raises(collections.ImportRefused, match="shelf_full"):
        shelve(user=user, figures=figures[:3])
    assert collections.owned_miniatures(user) == set()
    assert shelve(user=user, figures=figures[:2]).missing == []
    assert len(collections.owned_miniatures(user)) == 2
