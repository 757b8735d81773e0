"""Mappings that people send, files of tables by a mapping, and files of other games. The numbers are made up."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from catalogue.models import CatalogueRelease, Collection
from catalogue.services.files import MAPPING, read_file, read_mapping
from rules.catalogue import Catalogue, CatalogueError, Document
from rules.catalogue.mapping import shipped_mappings
from tests.catalogue.own_mapping import FIGURES, OWN, ROWS, TABLE
from tests.catalogue.test_foreign_forms import by_columns, by_steps
from tests.catalogue.test_written_cells import SHEET
from tests.tools.fuzz_documents import samples, send_damaged
from web.bounds import LARGEST_MAPPING


def codes(name: str, content: bytes, form: str = "", mapping: Any = None) -> list[str]:
    with pytest.raises(CatalogueError) as caught:
        read_file(name, content, form, None if mapping is None else Document("map.json", mapping))
    return [problem.code for problem in caught.value.problems]


def test_a_table_with_a_row_for_each_click_is_read_by_a_mapping() -> None:
    read = read_file("own.csv", "\n".join(ROWS).encode(), MAPPING, Document("map.json", TABLE))
    unit = Catalogue.from_documents([read.document]).units["ZZ12"]
    assert (unit["number"], unit["primary"]["type"], len(unit["dial"])) == (12, "energy", 2)
    assert unit["dial"][1]["equipment"] == {"speed": {"key": "jump_jets", "single_use": True}}
    last = {"primary": -1, "secondary": 1, "speed": -2, "effects": {"speed": "avoid_shutdown_critical"}}
    assert unit["heat"][1] == last


def test_a_guessed_encoding_is_noted() -> None:
    read = read_file("own.csv", SHEET.replace("\u2212", "-").encode("cp1252"))
    assert [(note.code, note.parameters) for note in read.notes] == [("read_as", {"encoding": "Windows-1252"})]
    assert read_file("own.txt", SHEET.encode("utf-16")).notes == []


@pytest.mark.parametrize(
    ("name", "head"),
    [("own.xlsx", b"PK\x03\x04"), ("own.xls", b"\xd0\xcf\x11\xe0"), ("own.ods", b"PK\x03\x04"), ("own", b"PK\x03\x04")],
)
def test_f_05_a_workbook_is_known_whatever_its_name_and_form(name: str, head: bytes) -> None:
    for form, mapping in (("", None), ("json", None), ("csv", None), (MAPPING, OWN)):
        assert codes(name, head + b"rest of a workbook\x00", form, mapping) == ["is_a_workbook"]


@pytest.mark.parametrize(
    ("form", "mapping", "code"),
    [
        (MAPPING, None, "mapping_missing"),
        ("json", OWN, "mapping_unused"),
        ("", {**OWN, "mapping": 3}, "mapping_wrong"),
        ("", {**OWN, "list": "nowhere"}, "nothing_to_map"),
        ("", {**TABLE, "group": "Model"}, "sheet_column_missing"),
        ("no_such", None, "unknown_form"),
    ],
)
def test_a_file_and_a_mapping_that_do_not_fit_are_refused(form: str, mapping: Any, code: str) -> None:
    assert codes("own.json", json.dumps(FIGURES).encode(), form, mapping) == [code]


def test_a_mapping_is_not_larger_than_any_needs_to_be() -> None:
    with pytest.raises(CatalogueError) as caught:
        read_mapping("map.json", b" " * (LARGEST_MAPPING + 1))
    assert [problem.code for problem in caught.value.problems] == ["file_too_large"]


def test_a_zero_character_is_refused_before_anything_is_stored() -> None:
    assert codes("own.json", b'{"units": [{"category": "\\u0000"}]}', "tagged_clicks") == ["unprintable_text"]
    with pytest.raises(CatalogueError):
        read_mapping("map.json", b'{"title": "\\u0000"}')


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("Company.mul", "<?xml version='1.0'?>\n<unit version='0.49'><entity chassis='Testbed' model='X'/></unit>"),
        ("force.xml", '<unit version="0.49">\n<entity chassis="Testbed" model="X">'),
        ("Testbed.mtf", "Version:1.0\nTestbed\nTST-1\n"),
        ("testbed.txt", "Version:1.0\nTestbed\nConfig:Biped\nTechBase:Inner Sphere\n"),
        ("list.csv", 'Name,Tonnage,BV\nTestbed TST-1,55,"1,578"\n'),
        ("list.json", '[{"name": "Testbed", "battle_value": "1,578", "tons": 55}]'),
    ],
)
def test_f_c4_f_c5_a_file_of_another_game_gets_one_sentence(name: str, content: str) -> None:
    assert codes(name, content.encode()) == ["file_of_other_game"]


def test_files_of_this_game_are_not_taken_for_another() -> None:
    assert read_file("own.csv", SHEET.encode()).document.content["units"]
    for name, content in (("columns_of_colours", by_columns()), ("dial_steps", by_steps())):
        assert read_file("own.json", json.dumps(content).encode(), name).document.content["units"]


def test_f_03_whatever_is_sent_the_answer_is_a_refusal() -> None:
    """The same documents on every run; `make fuzz` reads 20,000 others, and documents of whole seasons."""
    refused, read = send_damaged(samples(), seed=7, count=800)
    assert read == 800
    assert [name for name in samples() if not refused[name]] == []


@pytest.fixture
def keeper(client: Client, release: CatalogueRelease) -> Client:
    client.force_login(get_user_model().objects.create_user("keeper", "keeper@example.org", "a long pass phrase"))
    return client


def sent(content: Any, name: str = "own.json") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, json.dumps(content).encode())


@pytest.mark.django_db
def test_a_person_sends_a_mapping_with_a_file(keeper: Client) -> None:
    check = reverse("catalogue:check")
    page = keeper.post(check, {"file": sent(FIGURES), "form": "mapping", "mapping": sent(OWN, "map.json")})
    assert page.status_code == 200
    assert [row["id"] for row in page.context["preview"]] == ["ZZ007"]
    broken = keeper.post(check, {"file": sent(FIGURES), "mapping": sent({**OWN, "list": 3}, "map.json")})
    assert broken.status_code == 400
    assert "The mapping is wrong here: a path." in broken.content.decode()


def test_a_mapping_that_comes_with_the_game_is_a_file_to_begin_with(client: Client) -> None:
    for name, mapping in shipped_mappings().items():
        assert client.get(reverse("catalogue:mapping", args=[name])).json() == mapping
    assert client.get(reverse("catalogue:mapping", args=["none"])).status_code == 404


@pytest.mark.django_db
def test_a_program_sends_a_mapping_with_a_file(keeper: Client) -> None:
    collection = Collection.objects.create(name="Mine", slug="mine", keeper=get_user_model().objects.get())
    address = reverse("api:catalogue_collection_imports", args=[collection.slug])
    answer = keeper.post(address, {"document": FIGURES, "mapping": OWN}, content_type="application/json")
    assert (answer.status_code, answer.json()["counts"]["added"]) == (201, 1)
    answer = keeper.post(
        reverse("api:catalogue_collection_sheets", args=[collection.slug]),
        {"sheet": "\n".join(ROWS), "mapping": TABLE},
        content_type="application/json",
    )
    assert (answer.status_code, answer.json()["counts"]["added"]) == (201, 1)
    answer = keeper.post(address, {"document": FIGURES, "mapping": {}}, content_type="application/json")
    assert (answer.status_code, answer.json()["parameters"]["problems"][0]["code"]) == (409, "mapping_wrong")


def test_the_command_reads_a_mapping(tmp_path: Path) -> None:
    (tmp_path / "own.json").write_text(json.dumps(FIGURES))
    (tmp_path / "map.json").write_text(json.dumps(OWN))
    out = StringIO()
    arguments = ["load_catalogue", str(tmp_path / "own.json"), "--check", "--mapping", str(tmp_path / "map.json")]
    call_command(*arguments, stdout=out, stderr=StringIO())
    assert "1 units" in out.getvalue()
    (tmp_path / "map.json").write_text("{}")
    with pytest.raises(CommandError, match="mapping_wrong"):
        call_command(*arguments, stdout=out, stderr=StringIO())
