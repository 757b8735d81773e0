"""Files by colour, with lists for each value and units by key. The numbers here are made up for the test."""

from copy import deepcopy
from typing import Any

import pytest

from rules.catalogue import Catalogue, CatalogueError, Document, load_builtin
from rules.catalogue.bounds import MOST_NOTES
from rules.catalogue.mapping import Note, map_document, shipped_mappings
from rules.catalogue.mapping_form import checked_mapping
from rules.catalogue.paths import key_at, steps_of, value_at

CLICKS = 4


def column(first: int, *colours: str | None) -> list[list[Any]]:
    return [[first - row, colours[row] if row < len(colours) else None] for row in range(CLICKS)]


def by_columns() -> dict[str, Any]:
    """A 'Mech and a vehicle by number, with a list for each value, colours with shapes, and texts as numbers."""
    table = {
        "meleeDamage": column(4, "greenS", "greyC"),
        "energyDamage": column(5, "redS", "redC", "null"),
        "mechSpeed": [["9", "blueS"], ["8", "blueC"], ["7.0", "null"], [6, None], ["KO", None]],
        "attack": [*column(9), ["KO", None]],
        "defense": [*column(20, "greyS"), ["KO", None]],
        "repair": [[None, "green"], [None, "black"], [None, None], [None, None]],
    }
    heat = {
        "meleeDamage": [[0, "greenS"], ["+1", None], [1, None]],
        "energyDamage": [[0, "greenS"], ["-1", "null"], ["\u22122", "yellowS"]],
        "mechSpeed": [[0, "greenS"], [0, None], ["-1", "redS"]],
    }
    mech = {
        "name": "Testbed",
        "variant": "TST-9-M",
        "class": "Medium",
        "points": "121",
        "primary": [1, "0/0"],
        "secondary": [2, "1/11"],
        "vent": 3,
        "table1": table,
        "heat": heat,
    }
    return {"mechs": {"ZZ007": mech}, "vehicles": {"ZZ008": {"name": "Cart", "table1": {}}}}


def by_steps() -> dict[str, Any]:
    """The same 'Mech and vehicle with a list of steps."""
    colours = {"primary": ("green", "gray"), "secondary": ("red", "red"), "movement": ("blue", "blue")}
    columns = {"primary": 4, "secondary": 5, "movement": 9, "attack": 9, "defense": 20}
    steps = []
    for row in range(CLICKS):
        step: dict[str, Any] = {"step": row, "marker": ("green", "black", "none", "none")[row]}
        step |= {f"{value}Value": first - row for value, first in columns.items()}
        for value, found in colours.items():
            step[f"{value}EquipType"] = found[row] if row < 2 else "NA"
            step[f"{value}EquipUsageType"] = "single-use" if row == 1 else "standard"
        step["defenseEquipType"] = "Grey" if not row else "none"
        steps.append(step)
    fill = {key: "KO" if key.endswith("Value") else "NA" for key in steps[0]}
    heat = [
        {"primaryHeatValue": 0, "secondaryHeatValue": 0, "movementHeatValue": 0, "movementHeatColor": "green"},
        {"primaryHeatValue": 1, "secondaryHeatValue": -1, "movementHeatValue": 0},
        {
            "primaryHeatValue": "+1",
            "secondaryHeatValue": "-2",
            "secondaryHeatColor": "yellow",
            "movementHeatValue": "-1",
            "movementHeatColor": "red",
        },
    ]
    mech = {
        "id": "ZZ007",
        "name": "Testbed",
        "type": "Mech",
        "expansion": "ZZ",
        "collectionNumber": "007",
        "variant": "TST-9-M",
        "class": "Medium",
        "points": 121,
        "frontArc": "180",
        "rearArc": "90°",
        "rank": "NA",
        "ventCapacity": 3,
        "attackStats": [
            {"damageType": "melee", "targetCount": 1, "minRange": 0, "maxRange": 0},
            {"damageType": "energetic", "targetCount": 2, "minRange": 1, "maxRange": 11},
        ],
        "combatDial": [*steps, fill],
        "heatDial": heat,
    }
    return {"units": [mech, {"id": "ZZ008", "name": "Cart", "type": "Vehicle"}]}


def mapped(content: Any, form: str, **changes: Any) -> tuple[dict[str, Any], list[Note]]:
    document, notes = map_document(Document("own.json", content), shipped_mappings()[form] | changes)
    return Catalogue.from_documents([document]).units["ZZ007"], notes


def test_f_c1_units_by_key_with_lists_of_colours_come_in_and_vehicles_are_named() -> None:
    unit, notes = mapped(by_columns(), "columns_of_colours")
    assert (unit["set"], unit["number"], unit["points"], unit["class"]) == ("ZZ", 7, 121, "medium")
    assert unit["primary"] == {"type": "melee", "targets": 1, "range": [0, 0]}
    assert unit["secondary"] == {"type": "energy", "targets": 2, "range": [1, 11]}
    assert [click["speed"] for click in unit["dial"]] == [9, 8, 7, 6]
    assert [click["repair_marker"] for click in unit["dial"]] == [False, True, False, False]
    assert unit["dial"][0]["equipment"] == {
        "primary": "full_strike",
        "secondary": "pulse",
        "speed": "jump_jets",
        "defense": "heavy_armor",
    }
    circles = {value: item["key"] for value, item in unit["dial"][1]["equipment"].items() if item["single_use"]}
    assert circles == {"primary": "brawling", "secondary": "pulse", "speed": "jump_jets"}
    assert Note("ZZ008", None, "mapped_left_out", {"sort": "vehicles"}) in notes


@pytest.mark.parametrize(("content", "form"), [(by_columns, "columns_of_colours"), (by_steps, "dial_steps")])
def test_f_02_signed_texts_of_the_heat_dial_are_read_by_every_mapping(content: Any, form: str) -> None:
    unit, notes = mapped(content(), form)
    numbers = [(step["primary"], step["secondary"], step["speed"]) for step in unit["heat"]]
    assert numbers == [(0, 0, 0), (1, -1, 0), (1, -2, -1)]
    assert unit["heat"][2]["effects"] == {"secondary": "avoid_heat_sink_overload", "speed": "avoid_shutdown_critical"}
    assert not [note for note in notes if (note.field or "").startswith(("heat.", "dial."))
                and note.code != "mapped_circle"]  # fmt: skip


def test_f_c2_steps_with_colours_are_the_same_unit() -> None:
    assert mapped(by_steps(), "dial_steps")[0] == mapped(by_columns(), "columns_of_colours")[0]


def test_f_c7_a_dial_may_reach_as_far_and_heat_as_much_as_printed_ones_do() -> None:
    unit = deepcopy(load_builtin().units["SOL002"])
    unit["secondary"]["range"] = [0, 18]
    unit["heat"][1]["speed"], unit["heat"][2]["speed"] = 1, 2
    assert Catalogue.from_documents([Document("own.json", [unit])]).units["SOL002"] == unit


def test_a_number_that_cannot_be_read_is_refused_at_its_place_and_not_replaced() -> None:
    content = by_columns()
    content["mechs"]["ZZ007"]["table1"]["meleeDamage"][1][0] = "three"
    with pytest.raises(CatalogueError) as caught:
        mapped(content, "columns_of_colours")
    assert [(found.id, found.click, found.field, found.code) for found in caught.value.problems] == [
        ("ZZ007", 2, "primary", "wrong_type")
    ]


def test_f_c6_colour_before_number_is_taken_apart() -> None:
    content = by_columns()
    table = content["mechs"]["ZZ007"]["table1"]
    table["mechSpeed"] = ["blue 9", "blue 8", "7", "6", "KO"]
    rules = deepcopy(shipped_mappings()["columns_of_colours"]["dial"])
    rules["values"]["speed"] = {"at": "table1.mechSpeed[row]", "take": "number"}
    rules["equipment"]["speed"] = {"at": "table1.mechSpeed[row]", "take": "letters"}
    unit, _ = mapped(content, "columns_of_colours", dial=rules)
    assert [click["speed"] for click in unit["dial"]] == [9, 8, 7, 6]
    assert [click["equipment"].get("speed") for click in unit["dial"]] == ["jump_jets", "jump_jets", None, None]


def test_a_colour_without_a_meaning_there_is_noted() -> None:
    content = by_columns()
    content["mechs"]["ZZ007"]["table1"]["meleeDamage"][0][1] = "purpleS"
    unit, notes = mapped(content, "columns_of_colours")
    assert "primary" not in unit["dial"][0]["equipment"]
    assert Note("ZZ007", "dial.primary", "mapped_unknown_equipment", {"name": "purple"}) in notes


def test_words_of_a_source_hold_there_alone() -> None:
    rules = deepcopy(shipped_mappings()["dial_steps"]["fields"])
    rules["name"] = {"at": "name", "words": {"testbed": "Test Stand"}}
    content = by_steps()
    content["units"][0]["variant"] = "Testbed-M"
    unit, _ = mapped(content, "dial_steps", fields=rules)
    assert (unit["name"], unit["variant"]) == ("Test Stand", "Testbed-M")


def test_notes_are_kept_up_to_a_bound_and_the_others_counted() -> None:
    content = by_columns()
    content["vehicles"] = {f"V{number}": {} for number in range(2000)}
    colours = [f"mauve{number}" for number in range(40)]
    table = content["mechs"]["ZZ007"]["table1"]
    table["mechSpeed"] = [[40 - row, colour] for row, colour in enumerate(colours)]
    content["mechs"] = {f"ZZ{number}": content["mechs"]["ZZ007"] for number in range(100)}
    _, notes = map_document(Document("own.json", content), shipped_mappings()["columns_of_colours"])
    assert len(notes) == MOST_NOTES + 1
    assert (notes[-1].code, notes[-1].parameters["count"] > 1000) == ("mapped_more_notes", True)


def test_the_shipped_mappings_have_the_form_of_one() -> None:
    for name, mapping in shipped_mappings().items():
        assert checked_mapping(Document(name, mapping)) == mapping


@pytest.mark.parametrize(
    ("path", "new", "place"),
    [
        (["mapping"], 2, "mapping"),
        (["list"], 7, "list"),
        (["list"], [], "list"),
        (["only"], {"at": "type"}, "only.is"),
        (["words"], {"a": []}, "words.a"),
        (["words"], {str(number): 1 for number in range(501)}, "words"),
        (["fields", "name"], {"at": "a..b"}, "fields.name.at"),
        (["fields", "name"], {"at": "name", "pattern": "(a+)+$"}, "fields.name.pattern"),
        (["fields", "name"], {}, "fields.name"),
        (["fields", "dial"], {"at": "name"}, "fields.dial"),
        (["fields", "name"], {"set": {}}, "fields.name.set"),
        (["dial", "values"], [], "dial.values"),
        (["dial", "equipment", "speed", "circle"], 3, "dial.equipment.speed.circle"),
        (["dial", "repair_marker", "is"], "black", "dial.repair_marker.is"),
        (["heat", "shutdown"], {}, "heat.shutdown"),
        (["heat", "colours", "speed"], {"set": "red"}, "heat.colours.speed"),
        (["program"], "rm", "program"),
    ],
)
def test_a_mapping_of_another_form_is_refused_with_its_place(path: list[str], new: Any, place: str) -> None:
    mapping = deepcopy(shipped_mappings()["tagged_clicks"])
    target: Any = mapping
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = new
    with pytest.raises(CatalogueError) as caught:
        checked_mapping(Document("own.json", mapping))
    assert [(found.field, found.code) for found in caught.value.problems] == [(place, "mapping_wrong")]


@pytest.mark.parametrize("content", [[], None, 3, "x", {}])
def test_anything_that_is_no_mapping_is_refused(content: Any) -> None:
    with pytest.raises(CatalogueError):
        checked_mapping(Document("own.json", content))


def test_paths() -> None:
    content = {"a b": [{"redDamage": 1, "blueDamage": 2, "Damage": 3}]}
    assert value_at(content, '["a b"][0].blueDamage') == 2
    assert value_at(content, '["a b"][row][*Damage:2]', row=0) == 2
    assert key_at(content, '["a b"][0][*Damage:1]') == "red"
    assert key_at(content, '["a b"][0][*Damage:3]') is None
    assert value_at(content, "") == content
    for path in ("a..b", ".a", "a.", "a[", "[x]", "a b", "[*:0]", "a" * 201):
        with pytest.raises(ValueError, match=r".*"):
            steps_of(path)
