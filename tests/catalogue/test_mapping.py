"""Units from files of a foreign shape. The numbers here are made up for the test."""

from copy import deepcopy
from typing import Any

import pytest

from rules.catalogue import Catalogue, CatalogueError, Document
from rules.catalogue.mapping import map_document, shipped_mappings

MAPPING = shipped_mappings()["tagged_clicks"]


def value(number: int, equipment: str | None = None, shape: str = "square") -> dict[str, Any]:
    return {"value": number, "tag": {"equipment": equipment, "shape": shape} if equipment else None}


def click(number: int, marker: str | None = None) -> dict[str, Any]:
    return {
        "speed": value(9 - number, "Jump Jets"),
        "primary_damage": value(4, "Full Strike", "circle"),
        "secondary_damage": value(2),
        "attack": value(8),
        "defense": value(17),
        "marker": marker,
    }


def heat(number: int, colour: str | None = None) -> dict[str, Any]:
    tag = {"colour": colour} if colour else None
    part = {"modifier": 0, "tag": None}
    return {
        "heat": number,
        "primary_damage": part,
        "secondary_damage": part,
        "speed": {"modifier": -number, "tag": tag},
    }


def foreign() -> dict[str, Any]:
    mech = {
        "id": "ZZ001",
        "name": "Testbed",
        "category": "mech",
        "variant": "TST-1-L",
        "class": "Light",
        "points": 101,
        "vent": 3,
        "damage_modes": [
            {"type": "melee", "targets": 1, "range": {"min": 0, "max": 0}},
            {"type": "Energy", "targets": 2, "range": {"min": 1, "max": 9}},
        ],
        "clicks": [click(0, "green"), click(1), click(2, "black")],
        "heat_dial": [heat(0, "green"), heat(1), heat(2, "red")],
    }
    return {"units": [mech, {"id": "ZZ002", "name": "Tank", "category": "vehicle"}]}


def test_a_mech_comes_in_with_what_the_file_says() -> None:
    document, _ = map_document(Document("own.json", foreign()), MAPPING)
    unit = Catalogue.from_documents([document]).units["ZZ001"]
    assert (unit["set"], unit["number"], unit["class"], unit["statistics"]) == ("ZZ", 1, "light", "printed")
    assert unit["secondary"] == {"type": "energy", "targets": 2, "range": [1, 9]}
    assert [item["repair_marker"] for item in unit["dial"]] == [False, False, True]
    assert unit["dial"][0]["equipment"] == {
        "primary": {"key": "full_strike", "single_use": True},
        "speed": "jump_jets",
    }
    assert [step["effects"] for step in unit["heat"]] == [{}, {}, {"speed": "avoid_shutdown_critical"}]


def test_the_report_names_every_gap_and_the_default_used() -> None:
    _, notes = map_document(Document("own.json", foreign()), MAPPING)
    said = {(note.unit, note.field, note.code): dict(note.parameters) for note in notes}
    assert said == {
        ("ZZ001", "rank", "mapped_default"): {"value": "veteran"},
        ("ZZ001", "front_arc", "mapped_default"): {"value": 180},
        ("ZZ001", "rear_arc", "mapped_default"): {"value": 90},
        ("ZZ001", "dial.primary", "mapped_circle"): {"equipment": "full_strike"},
        ("ZZ001", "heat", "mapped_shutdown_step"): {"step": 3},
        ("ZZ002", None, "mapped_left_out"): {"sort": "vehicle"},
    }


def change(path: list[Any], new: Any) -> dict[str, Any]:
    document = deepcopy(foreign())
    place: Any = document["units"][0]
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = new
    return document


@pytest.mark.parametrize(
    ("path", "new", "code"),
    [
        (["clicks", 0, "attack"], value(8, "Laser Hat"), "mapped_unknown_equipment"),
        (["heat_dial", 1], heat(1, "mauve"), "mapped_unknown_colour"),
        (["clicks", 2, "marker"], None, "mapped_no_repair_marker"),
    ],
)
def test_what_is_left_out_is_noted(path: list[Any], new: Any, code: str) -> None:
    _, notes = map_document(Document("own.json", change(path, new)), MAPPING)
    assert code in [note.code for note in notes]


@pytest.mark.parametrize(("part", "dial"), [("clicks", "dial"), ("heat_dial", "heat")])
def test_a_dial_that_is_no_list_is_left_to_the_schema(part: str, dial: str) -> None:
    mapped, _ = map_document(Document("own.json", change([part], "none")), MAPPING)
    assert mapped.content["units"][0][dial] == []


def test_a_file_that_says_more_needs_no_default() -> None:
    document = change(["shutdown_step"], 2)
    document["units"][0] |= {"rank": "Elite", "front_arc": 270, "rear_arc": 60}
    mapped, notes = map_document(Document("own.json", document), MAPPING)
    unit = mapped.content["units"][0]
    assert (unit["rank"], unit["front_arc"], unit["rear_arc"], len(unit["heat"])) == ("elite", 270, 60, 2)
    assert not [note for note in notes if note.code in ("mapped_default", "mapped_shutdown_step")]


def test_every_gap_without_a_default_is_left_to_the_schema() -> None:
    document = change(["points"], None)
    with pytest.raises(CatalogueError) as caught:
        Catalogue.from_documents([map_document(Document("own.json", document), MAPPING)[0]])
    assert [(problem.field, problem.code) for problem in caught.value.problems] == [("points", "missing_key")]


@pytest.mark.parametrize("content", [[], {}, {"units": {}}, {"units": [{"category": "vehicle"}]}, {"units": [7]}, 3])
def test_a_file_without_units_is_refused(content: Any) -> None:
    with pytest.raises(CatalogueError) as caught:
        map_document(Document("own.json", content), MAPPING)
    assert [problem.code for problem in caught.value.problems] == ["nothing_to_map"]
