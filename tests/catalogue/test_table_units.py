"""Units for real tables only: their form, and every way in which the catalogue carries them."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from catalogue.models import CatalogueEntry, Collection
from catalogue.selectors.releases import entry
from catalogue.services.collections import confirm_import, draft_import, make_collection, put_definition
from catalogue.services.files import ReadFile, read_file
from catalogue.services.shelves import shelve
from catalogue.text import labels
from rules.catalogue import Catalogue, CatalogueError, Document, load_builtin
from rules.catalogue.checklists import read_checklist
from rules.catalogue.sheets import read_units, write_units
from rules.competition.setups import read_setup
from rules.core.inline import inline_shape
from rules.core.refusals import Malformed
from rules.core.shape_checks import check_of
from rules.core.shapes import SHAPES
from rules.core.table_units import clicks_of, is_table_only
from rules.core.units import UnitDefinition
from rules.wording import sentence

from .table_unit import FIGURE, UNCOUNTED

SENTENCE = str(labels.NO_DIAL)
"""What stands where the dial of another unit stands."""


def catalogue_of(*units: dict[str, Any]) -> Catalogue:
    return Catalogue.from_documents([{"schema": 1, "units": list(units)}])


def codes(*units: dict[str, Any]) -> list[tuple[str, str | None]]:
    with pytest.raises(CatalogueError) as refused:
        catalogue_of(*units)
    return [(problem.code, problem.field) for problem in refused.value.problems]


def test_the_base_alone_is_a_unit() -> None:
    found = catalogue_of(FIGURE, UNCOUNTED).units
    assert found == {"ICE001": FIGURE, "002-Old-Frost": UNCOUNTED}
    assert [is_table_only(unit) for unit in found.values()] == [True, True]
    assert [clicks_of(unit) for unit in found.values()] == [40, 8]


def test_name_number_class_and_points_are_enough() -> None:
    bare = {key: value for key, value in UNCOUNTED.items() if key != "id"}
    assert catalogue_of(bare).units == {"002-Old-Frost": UNCOUNTED}
    assert Catalogue.from_documents([Document("own.json", [bare])]).units == {"002-Old-Frost": UNCOUNTED}
    assert catalogue_of(bare | {"set": "ICE"}).units == {"ICE002": UNCOUNTED | {"set": "ICE", "id": "ICE002"}}


@pytest.mark.parametrize("missing", ["number", "name", "class", "points"])
def test_without_a_dial_a_unit_still_needs_its_base(missing: str) -> None:
    assert codes({key: value for key, value in FIGURE.items() if key != missing}) == [("missing_key", missing)]


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"dial": []}, [("unknown_key", "dial")]),
        ({"vent": 2}, [("unknown_key", "vent")]),
        ({"table_only": "yes"}, [("not_one_of", "table_only")]),
        ({"clicks": 41}, [("out_of_range", "clicks")]),
        ({"class": "heavy"}, [("class_differs_from_variant", "class")]),
        ({"points": 161}, [("points_above_cap", "points")]),
    ],
)
def test_what_such_a_unit_cannot_be(changes: dict[str, Any], found: list[tuple[str, str | None]]) -> None:
    assert codes(FIGURE | changes) == found


def test_a_unit_without_the_mark_needs_its_dial() -> None:
    assert ("missing_key", "dial") in codes({key: value for key, value in FIGURE.items() if key != "table_only"})


def test_a_false_mark_is_refused_and_hides_no_dial() -> None:
    whole = load_builtin().units["HSE007"]
    assert ("not_one_of", "table_only") in codes({**whole, "table_only": False})


def test_the_form_that_matches_read_does_not_know_the_mark() -> None:
    """Stored matches read as before, and none can hold such a unit."""
    assert "table_only" not in SHAPES["units"]["properties"]
    assert not check_of(inline_shape("units")).fits(FIGURE)


def test_the_engine_refuses_it_in_a_sentence() -> None:
    with pytest.raises(Malformed) as refused:
        UnitDefinition.from_json(FIGURE)
    assert (refused.value.code, refused.value.parameters) == ("unit_without_dial", {"name": "Frostbite"})
    assert sentence(refused.value.code, refused.value.parameters) == (
        "Frostbite has no dial here. It plays at a real table only."
    )


def test_a_setup_with_it_is_refused() -> None:
    catalogue = load_builtin()
    setup = {
        "schema": 1,
        "format": "standard",
        "arena": catalogue.arenas["plaza"],
        "house_rules": {"target_tokens": False},
        "sides": [
            {
                "id": side,
                "units": [{"id": f"{side}-1", "unit": unit, "pilot": None, "gear": [], "clicks": 0}],
                "tokens": [],
            }
            for side, unit in (("red", catalogue.units["HSE007"]), ("blue", FIGURE))
        ],
    }
    with pytest.raises(Malformed) as refused:
        read_setup(setup)
    assert refused.value.code == "unit_without_dial"


# Sheets ---------------------------------------------------------------------------------------------------------------


def test_a_sheet_is_read_back_without_a_difference() -> None:
    units = [FIGURE, load_builtin().units["HSE007"], UNCOUNTED]
    assert read_units("units.csv", write_units(units)).content["units"] == units


def test_a_sheet_of_bases_alone_needs_few_columns() -> None:
    text = "Id;Set;Number;Name;Class;Rank;Points;Table only\nICE001;ICE;1;Frostbite;Light;Veteran;96;x\n"
    assert read_units("units.csv", text).content["units"] == [
        {key: value for key, value in FIGURE.items() if key not in ("variant", "clicks")}
    ]


@pytest.mark.parametrize(
    "sheet",
    [
        "Name;Number;Class;Points\nOld Frost;2;Light;96\n",
        "Unit Name,Number,Class,Point Value\nOld Frost,#2,Light,96\n",
        "Points,Class,Unit,Collector number,Table only\n96,light,Old Frost,2,x\n",
    ],
)
def test_a_sheet_of_name_number_class_and_points_is_enough(sheet: str) -> None:
    assert list(Catalogue.from_documents([read_units("own.csv", sheet)]).units.values()) == [UNCOUNTED]


@pytest.mark.parametrize(("letter", "word"), [("L", "light"), ("m", "medium"), ("H", "heavy"), ("A", "assault")])
def test_a_class_may_be_its_letter(letter: str, word: str) -> None:
    [unit] = read_units("own.csv", f"name,number,class,points\nOld Frost,2,{letter},9\n").content["units"]
    assert unit["class"] == word


def test_a_sheet_of_bases_alone_names_the_row_that_no_id_follows_from() -> None:
    with pytest.raises(CatalogueError) as refused:
        read_units(
            "own.csv",
            "name,number,class,points\nOld Frost,two,light,96\nOld Frost,2,light,96\nNew,2,light,9\nNew,2,light,8\n",
        )
    assert [(problem.code, problem.parameters["row"]) for problem in refused.value.problems] == [
        ("sheet_row_without_id", 2),
        ("sheet_differs", 5),
    ]


def test_a_mapping_that_says_nothing_of_dials_reads_a_collectors_file() -> None:
    fields = {"name": "figure", "number": "no", "class": "weight", "points": "cost"}
    mapping = {"mapping": 1, "read": "csv", "list": "units", "words": {"L": "light"}}
    mapping |= {"fields": {field: {"at": column} for field, column in fields.items()}}
    rows = b"Figure;No;Weight;Cost\nOld Frost;2;L;96\n"
    read = read_file("own.csv", rows, mapping=Document("map.json", mapping))
    assert list(Catalogue.from_documents([read.document]).units.values()) == [UNCOUNTED]
    with pytest.raises(CatalogueError) as refused:
        read_file("own.csv", rows, mapping=Document("map.json", mapping | {"dial": {"values": {}}}))
    assert [(problem.code, problem.field) for problem in refused.value.problems] == [
        ("mapping_wrong", "heat"),
        ("mapping_wrong", "heat"),
    ]


def test_a_row_of_the_base_without_the_mark_is_still_no_row() -> None:
    text = "id,name,table_only\nICE001,Frostbite,no\n"
    with pytest.raises(CatalogueError) as refused:
        read_units("units.csv", text)
    assert [problem.code for problem in refused.value.problems] == ["sheet_row_kind"]


def test_clicks_beside_the_mark_are_a_problem_of_the_unit() -> None:
    lines = write_units([load_builtin().units["HSE007"]]).splitlines()
    heading = lines[0].split(",")
    first = lines[1].split(",")
    first[heading.index("table_only")] = "yes"
    document = read_units("units.csv", "\r\n".join([lines[0], ",".join(first), *lines[2:]]))
    with pytest.raises(CatalogueError) as refused:
        Catalogue.from_documents([document])
    assert ("unknown_key", "dial") in [(problem.code, problem.field) for problem in refused.value.problems]


# Pages ----------------------------------------------------------------------------------------------------------------

CLASS_FIELDS = {key: str(value) for key, value in FIGURE.items() if key not in ("table_only", "clicks")}
CLASS_FIELDS |= {"table_only": "on", "real-clicks": str(FIGURE["clicks"])}


@pytest.fixture
def person(release: Any) -> Any:
    return get_user_model().objects.create_user("keeper", "keeper@example.org", "a long pass phrase")


@pytest.fixture
def keeper(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def figures(person: Any) -> Collection:
    """A collection with a unit that has a dial, and two that have none."""
    collection = make_collection(name="Figures", keeper=person)
    whole = {**load_builtin().units["HSE007"], "id": "OWN1"}
    read = ReadFile(Document("own.json", {"schema": 1, "units": [FIGURE, UNCOUNTED, whole]}), [])
    confirm_import(public_id=draft_import(collection=collection, user=person, read=read).public_id, user=person)
    return collection


@pytest.mark.django_db
def test_every_list_and_page_says_that_there_is_no_dial(keeper: Client, figures: Collection) -> None:
    for name, arguments, counted in (
        ("catalogue:index", [], 2),
        ("catalogue:unit", ["ICE001"], 1),
        ("catalogue:unit", ["002-Old-Frost"], 1),
    ):
        answer = keeper.get(reverse(name, args=arguments), {"collection": figures.slug})
        assert (answer.status_code, answer.content.decode().count(SENTENCE)) == (200, counted), (name, arguments)
    sheets = keeper.get(
        reverse("catalogue:sheets"), {"collection": figures.slug, "unit": ["ICE001", "002-Old-Frost", "OWN1"]}
    )
    text = sheets.content.decode()
    assert (sheets.status_code, text.count(SENTENCE), text.count("☐")) == (200, 2, FIGURE["clicks"])
    assert keeper.get(reverse("catalogue:sheets"), {"collection": figures.slug}).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("order", ["-speed", "-attack", "-defense", "-reach", "-clicks", "points", "name", "-points"])
def test_lists_in_any_order_have_units_without_the_number_last(keeper: Client, figures: Collection, order: str) -> None:
    answer = keeper.get(reverse("catalogue:index"), {"collection": figures.slug, "sort": order})
    keys = [unit.key for unit in answer.context["units"]]
    assert sorted(keys) == ["002-Old-Frost", "ICE001", "OWN1"]
    if order in ("-speed", "-attack", "-defense", "-reach", "-clicks"):
        assert keys[0] == "OWN1"


@pytest.mark.django_db
def test_what_is_exported_can_be_imported(keeper: Client, figures: Collection) -> None:
    stored = CatalogueEntry.objects.get(release__content_hash=figures.versions.get().release.content_hash, key="ICE001")
    assert (stored.definition, stored.clicks, stored.speed, stored.unit_class) == (FIGURE, 8, None, "light")
    sheet = keeper.get(reverse("catalogue:export_csv"), {"collection": figures.slug}).content
    whole = keeper.get(reverse("catalogue:export_json"), {"collection": figures.slug}).json()
    assert FIGURE in read_units("units.csv", sheet).content["units"]
    assert FIGURE in Catalogue.from_documents([whole]).units.values()


@pytest.mark.django_db
def test_the_editor_makes_one_and_opens_it_again(keeper: Client) -> None:
    fields = CLASS_FIELDS | {"new_collection": "Mine", "do": "check"}
    checked = keeper.post(reverse("catalogue:editor"), fields)
    assert (checked.context["problem_count"], SENTENCE in checked.content.decode()) == (0, True)
    assert keeper.post(reverse("catalogue:editor"), fields | {"do": "save"}).status_code == 302
    stored = CatalogueEntry.objects.get(key="ICE001")
    assert stored.definition == FIGURE
    bare = {"table_only": "on", "rank": "", "collection": "mine", "do": "save"}
    bare |= {key: str(UNCOUNTED[key]) for key in ("name", "number", "class", "points")}
    assert keeper.post(reverse("catalogue:editor"), bare).status_code == 302
    assert CatalogueEntry.objects.get(key="002-Old-Frost").definition == UNCOUNTED
    again = keeper.get(reverse("catalogue:editor"), {"from": "ICE001", "collection": "mine"})
    assert (again.status_code, again.context["form"]["table_only"].value()) == (200, True)
    assert 'name="real-clicks" value="8"' in again.content.decode()


@pytest.mark.django_db
def test_a_box_ticked_by_mistake_takes_no_typed_dial_away(keeper: Client) -> None:
    click = {f"dial-0-{value}": "3" for value in ("primary", "secondary", "speed", "attack", "defense")}
    shown = keeper.post(reverse("catalogue:editor"), CLASS_FIELDS | click | {"do": "check"})
    assert shown.context["form"].clicks[0]["attack"].value() == 3
    assert 'name="dial-0-attack" value="3"' in shown.content.decode()


@pytest.mark.django_db
def test_the_editor_takes_no_stored_dial_away(keeper: Client, figures: Collection) -> None:
    """The id follows from set and number, and a unit with a dial has it."""
    derived = {key: value for key, value in CLASS_FIELDS.items() if key != "id"}
    fields = derived | {"set": "OWN", "number": "1", "collection": figures.slug, "do": "save"}
    dialled = {**load_builtin().units["HSE007"], "id": "OWN001"}
    put_definition(collection=figures, user=figures.keeper, kind="units", definition=dialled)
    refused = keeper.post(reverse("catalogue:editor"), fields)
    said = sentence("dial_would_go", {"id": "OWN001", "unit": "Frostbite"})
    assert (refused.status_code, said in refused.content.decode()) == (409, True)
    assert figures.versions.count() == 2, "nothing is stored"
    put_definition(collection=figures, user=figures.keeper, kind="units", definition={**FIGURE, "points": 97})


@pytest.mark.django_db
def test_the_preview_says_which_unit_would_lose_its_dial(keeper: Client, figures: Collection) -> None:
    read = ReadFile(Document("base.json", {"schema": 1, "units": [{**FIGURE, "id": "OWN1"}, UNCOUNTED]}), [])
    draft = draft_import(collection=figures, user=figures.keeper, read=read)
    page = keeper.get(reverse("catalogue:import", args=[draft.public_id]))
    lost = [row["change"].key for row in page.context["changes"] if row["change"].loses_dial]
    assert (lost, page.context["dials_lost"]) == (["OWN1"], 1)
    assert page.content.decode().count("loses its dial") == 2
    confirm_import(public_id=draft.public_id, user=figures.keeper)
    back = {**load_builtin().units["HSE007"], "id": "OWN1"}
    again = ReadFile(Document("own.json", {"schema": 1, "units": [back]}), [])
    typed = draft_import(collection=figures, user=figures.keeper, read=again)
    assert keeper.get(reverse("catalogue:import", args=[typed.public_id])).context["dials_lost"] == 0


@pytest.mark.django_db
def test_the_preview_names_the_units_of_the_game_whose_ids_would_have_no_dial(
    keeper: Client, figures: Collection, release: Any
) -> None:
    units = [UNCOUNTED, {**FIGURE, "id": "HSE007"}]
    read = ReadFile(Document("base.json", {"schema": 1, "units": units}), [])
    draft = draft_import(collection=figures, user=figures.keeper, read=read)
    page = keeper.get(reverse("catalogue:import", args=[draft.public_id]))
    assert (page.context["over_dials"], page.context["dials_lost"]) == ([entry(release, "units", "HSE007").name], 0)


@pytest.mark.django_db
def test_the_screens_of_the_phone_do_not_ask_for_it(keeper: Client) -> None:
    assert 'name="table_only"' not in keeper.get(reverse("catalogue:dial")).content.decode()
    assert 'name="table_only"' in keeper.get(reverse("catalogue:editor")).content.decode()


@pytest.mark.django_db
def test_a_checklist_knows_it(keeper: Client, figures: Collection) -> None:
    figures_owned, _ = read_checklist("list.csv", "set,number\nICE,1\nICE,2\n")
    assert shelve(user=figures.keeper, figures=figures_owned).keys == ["ICE001"]


@pytest.mark.django_db
def test_the_interface_shows_it_with_nothing_for_what_it_lacks(keeper: Client, figures: Collection) -> None:
    hash_of = figures.versions.get().release.content_hash
    row = keeper.get(f"/api/v1/catalogue/releases/{hash_of}/units/ICE001/")
    assert row.status_code == 200, row.content
    body = row.json()
    assert body["definition"] == FIGURE
    assert (body["table_only"], body["clicks"], body["speed"], body["reach"], body["types"]) == (
        True,
        8,
        None,
        None,
        [],
    )
