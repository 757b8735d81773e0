"""What the loader refuses, with the place of each fault."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.catalogue import Catalogue, CatalogueError, Document, Problem, load_builtin, parse_document, read_document
from rules.catalogue.vocabulary import KINDS
from rules.catalogue.wording import SENTENCES
from rules.core.refusals import Malformed

pytestmark = pytest.mark.database

Change = Callable[[dict[str, Any]], object]
Refuse = Callable[..., list[Problem]]


def problems_in(content: Any) -> list[Problem]:
    """The problems of one file, none when it is a catalogue; any other exception passes."""
    try:
        Catalogue.from_documents([Document("any.json", content)])
    except CatalogueError as error:
        return error.problems
    return []


def set_in(*path: Any, to: Any) -> Change:
    """A change that writes one value deep in a definition."""

    def change(definition: dict[str, Any]) -> None:
        *way, last = path
        target: Any = definition
        for step in way:
            target = target[step]
        target[last] = to

    return change


def drop_in(*path: Any) -> Change:
    """A change that deletes one key or list entry deep in a definition."""

    def change(definition: dict[str, Any]) -> None:
        *way, last = path
        target: Any = definition
        for step in way:
            target = target[step]
        del target[last]

    return change


UNIT_FAULTS: list[tuple[str, Change, int | None, str | None, str]] = [
    ("ragged dial, value missing", drop_in("dial", 3, "attack"), 4, "attack", "missing_key"),
    ("ragged dial, click missing", set_in("dial", 3, to=None), 4, None, "missing_click"),
    ("ragged heat dial", set_in("heat", 3, to=None), None, "heat[3]", "missing_heat_step"),
    ("heat value missing", drop_in("heat", 2, "speed"), None, "heat[2].speed", "missing_key"),
    ("marker missing", drop_in("dial", 0, "repair_marker"), 1, "repair_marker", "missing_key"),
    ("one click only", drop_in("dial", slice(1, None)), None, "dial", "wrong_count"),
    ("attack rises", set_in("dial", 4, "attack", to=12), 5, "attack", "value_rises"),
    ("damage rises", set_in("dial", 9, "secondary", to=1), 10, "secondary", "value_rises"),
    ("out of range", set_in("dial", 2, "defense", to=99), 3, "defense", "out_of_range"),
    ("negative", set_in("dial", 2, "speed", to=-1), 3, "speed", "out_of_range"),
    ("a text for a number", set_in("dial", 2, "speed", to="9"), 3, "speed", "wrong_type"),
    ("a truth for a number", set_in("dial", 2, "speed", to=True), 3, "speed", "wrong_type"),
    ("a fraction", set_in("dial", 2, "speed", to=9.0), 3, "speed", "wrong_type"),
    ("unknown key", set_in("colour", to="red"), None, "colour", "unknown_key"),
    ("unknown key in a click", set_in("dial", 1, "armour", to=1), 2, "armour", "unknown_key"),
    ("unknown equipment", set_in("dial", 0, "equipment", "speed", to="wings"), 1, "equipment.speed", "not_one_of"),
    ("equipment on no value", set_in("dial", 0, "equipment", "heat", to="evade"), 1, "equipment.heat", "unknown_key"),
    (
        "R-SED energy equipment on a ballistic value",
        set_in("dial", 0, "equipment", "primary", to="pulse"),
        1,
        "equipment.primary",
        "equipment_wrong_value",
    ),
    (
        "R-SED melee equipment on an energy value, single use",
        set_in("dial", 2, "equipment", "secondary", to={"key": "agility", "single_use": True}),
        3,
        "equipment.secondary",
        "equipment_wrong_value",
    ),
    (
        "R-SEF armour on attack",
        set_in("dial", 1, "equipment", "attack", to="heavy_armor"),
        2,
        "equipment.attack",
        "equipment_wrong_value",
    ),
    (
        "R-SEM jump jets on defense",
        set_in("dial", 1, "equipment", "defense", to="jump_jets"),
        2,
        "equipment.defense",
        "equipment_wrong_value",
    ),
    (
        "R-SEA command on speed",
        set_in("dial", 1, "equipment", "speed", to="command"),
        2,
        "equipment.speed",
        "equipment_wrong_value",
    ),
    (
        "equipment object without key",
        set_in("dial", 0, "equipment", "speed", to={"single_use": True}),
        1,
        "equipment.speed.key",
        "missing_key",
    ),
    (
        "Q-81 ammunition effect at an energy value",
        set_in("heat", 3, "effects", "secondary", to="ammunition_jam"),
        None,
        "heat[3].effects.secondary",
        "heat_effect_wrong_value",
    ),
    (
        "Q-81 overload at speed",
        set_in("heat", 4, "effects", "speed", to="avoid_heat_sink_overload"),
        None,
        "heat[4].effects.speed",
        "heat_effect_wrong_value",
    ),
    ("heat start with a number", set_in("heat", 0, "speed", to=1), None, "heat[0]", "heat_start_not_free"),
    ("R-BLD-02 class against variant", set_in("class", to="heavy"), None, "class", "class_differs_from_variant"),
    (
        "R-BLD-02 variant without a class letter",
        set_in("variant", to="HLN-1-X"),
        None,
        "variant",
        "variant_without_class",
    ),
    ("variant and no class", drop_in("class"), None, "class", "missing_key"),
    ("R-BLD-03 points above the cap", set_in("points", to=161), None, "points", "points_above_cap"),
    ("unknown class", set_in("class", to="colossal"), None, "class", "not_one_of"),
    ("arc of no base", set_in("front_arc", to=200), None, "front_arc", "not_one_of"),
    ("arcs overlap", set_in("front_arc", to=360), None, "rear_arc", "arcs_overlap"),
    ("range reversed", set_in("primary", "range", to=[9, 8]), None, "primary.range", "range_reversed"),
    ("range of one number", set_in("primary", "range", to=[8]), None, "primary.range", "wrong_count"),
    ("a line break in a name", set_in("name", to="Hellion\n"), None, "name", "unprintable_text"),
    ("an id with a blank", set_in("id", to="SOL 002"), None, "id", "wrong_format"),
    ("an id with a line break", set_in("id", to="SOL002\n"), None, "id", "unprintable_text"),
]


@pytest.mark.parametrize(
    ("change", "click", "field", "code"), [row[1:] for row in UNIT_FAULTS], ids=[row[0] for row in UNIT_FAULTS]
)
def test_a_faulty_unit_is_refused_with_its_place(
    hellion: dict[str, Any], problems_of: Refuse, change: Change, click: int | None, field: str, code: str
) -> None:
    change(hellion)
    problems = problems_of(units=[hellion])
    found = [problem for problem in problems if problem.code == code]
    assert found, problems
    assert (found[0].file, found[0].kind, found[0].id) == ("mine.json", "units", hellion["id"])
    assert (found[0].click, found[0].field) == (click, field)


def test_melee_equipment_belongs_to_melee_values_only(builtin: Catalogue, problems_of: Refuse) -> None:
    """R-GEN-10: a melee value has range 0/0; Q-81: it has no heat effects."""
    spider = copy.deepcopy(builtin.units["SOL004"])
    spider["primary"]["range"] = [0, 4]
    spider["heat"][3]["effects"]["primary"] = "ammunition_jam"
    assert [problem.code for problem in problems_of(units=[spider])] == ["melee_with_range", "heat_effect_wrong_value"]


def test_every_fault_of_every_file_is_reported_at_once(hellion: dict[str, Any], plaza: dict[str, Any]) -> None:
    hellion["dial"][3]["attack"] = 19
    hellion["dial"][5]["speed"] = 19
    plaza["hexes"]["0215"] = "water"
    with pytest.raises(CatalogueError) as caught:
        Catalogue.from_documents(
            [
                Document("units.json", {"schema": 1, "units": [hellion]}),
                Document("arenas.json", {"schema": 1, "arenas": [plaza]}),
            ]
        )
    assert [(problem.file, problem.click, problem.field) for problem in caught.value.problems] == [
        ("units.json", 4, "attack"),
        ("units.json", 6, "speed"),
        ("arenas.json", None, "hexes.0215"),
    ]
    assert isinstance(caught.value, Malformed)
    assert caught.value.code == "catalogue_invalid"
    assert "units.json: units: SOL002: click 4: attack: value_rises" in str(caught.value)


def test_duplicate_ids_name_the_other_file(hellion: dict[str, Any]) -> None:
    first = Document("first.json", {"schema": 1, "units": [hellion]})
    second = Document("second.json", {"schema": 1, "units": [copy.deepcopy(hellion)]})
    with pytest.raises(CatalogueError) as caught:
        Catalogue.from_documents([first, second])
    (problem,) = caught.value.problems
    assert (problem.file, problem.id, problem.field, problem.code) == ("second.json", "SOL002", "id", "duplicate_id")
    assert problem.parameters == {"other": "first.json"}


ARENA_FAULTS: list[tuple[str, Change, str, str]] = [
    ("row 15 of an even column", set_in("hexes", "0215", to="water"), "hexes.0215", "hex_off_map"),
    ("column 12", set_in("hexes", "1201", to="water"), "hexes.1201", "hex_off_map"),
    ("a hex that is none", set_in("hexes", "abcd", to="water"), "hexes.abcd", "wrong_format"),
    ("unknown terrain", set_in("hexes", "0101", to="lava"), "hexes.0101", "not_one_of"),
    ("start on a wall", set_in("hexes", "0302", to="blocking"), "starts.A[0]", "start_blocked"),
    ("start off the map", set_in("starts", "B", 1, to="0216"), "starts.B[1]", "start_off_map"),
    ("start twice", set_in("starts", "B", 0, to="0302"), "starts.B[0]", "start_repeated"),
    ("area missing", drop_in("starts", "C"), "starts.C", "missing_key"),
    ("one end only", drop_in("starts", "C", 1), "starts.C", "wrong_count"),
    ("R-TGT-05 centre blocked", set_in("hexes", "0607", to="blocking+elevated"), "hexes.0607", "centre_blocked"),
    ("another width", set_in("columns", to=12), "columns", "not_one_of"),
]


@pytest.mark.parametrize(
    ("change", "field", "code"), [row[1:] for row in ARENA_FAULTS], ids=[row[0] for row in ARENA_FAULTS]
)
def test_a_faulty_arena_is_refused(
    plaza: dict[str, Any], problems_of: Refuse, change: Change, field: str, code: str
) -> None:
    change(plaza)
    assert (field, code) in [(problem.field, problem.code) for problem in problems_of(arenas=[plaza])]


def test_r_ter_19_a_start_that_nobody_on_foot_can_reach(plaza: dict[str, Any], problems_of: Refuse) -> None:
    around = ["0301", "0303", "0201", "0202", "0401", "0402"]
    plaza["hexes"].update(dict.fromkeys(around, "clear+abrupt"))
    codes = {problem.code for problem in problems_of(arenas=[plaza])}
    assert codes == {"start_unreachable"}
    plaza["hexes"].update({"0303": "clear+elevated", "0304": "clear"})
    Catalogue.from_documents([{"schema": 1, "arenas": [plaza]}])


GUNSLINGER = {
    "id": "GS-900",
    "kind": "gunslinger",
    "name": "Tester",
    "points": 15,
    "alternative": {"points": 25, "unit": "SOL002"},
    "requires": {"class": ["light"]},
    "modifiers": {"attack": 1},
    "ability": "steady_hand",
}
GEAR = {
    "id": "G-900",
    "name": "Piercing Rounds",
    "points": 8,
    "slot": "primary",
    "requires": {"class": ["light"], "type": "ballistic"},
    "modifiers": {"primary": 1},
    "equipment": "armor_piercing",
}
RALLY_CARD = {"id": "R-900", "name": "Last Stand", "requires": {"value": "attack", "below": 8}, "ability": "last_stand"}


def test_the_schema_knows_what_is_not_shipped_yet() -> None:
    document = {"schema": 1, "pilots": [GUNSLINGER], "gear": [GEAR], "rally_cards": [RALLY_CARD]}
    assert Catalogue.from_documents([document]).counts() == {
        "units": 0,
        "gear": 1,
        "pilots": 1,
        "rally_cards": 1,
        "target_tokens": 0,
        "arenas": 0,
    }


@pytest.mark.parametrize(
    ("kind", "definition", "field", "code"),
    [
        ("gear", {**GEAR, "equipment": "jump_jets"}, "equipment", "equipment_wrong_value"),
        ("gear", {**GEAR, "equipment": "pulse"}, "equipment", "equipment_wrong_value"),
        ("gear", {**GEAR, "slot": "defense"}, "equipment", "equipment_wrong_value"),
        ("gear", {**GEAR, "slot": "hat"}, "slot", "not_one_of"),
        ("pilots", {**GUNSLINGER, "id": "P-900"}, "id", "pilot_number_of_other_kind"),
        ("pilots", {**GUNSLINGER, "id": "P-900", "kind": "common"}, "ability", "common_pilot_with_text"),
        ("pilots", {**GUNSLINGER, "requires": {"class": []}}, "requires.class", "wrong_count"),
        ("pilots", {**GUNSLINGER, "modifiers": {"luck": 1}}, "modifiers.luck", "unknown_key"),
        ("rally_cards", {**RALLY_CARD, "requires": {"value": "attack"}}, "requires.below", "missing_key"),
        ("rally_cards", {**RALLY_CARD, "requires": {}}, "requires", "wrong_format"),
        ("target_tokens", {"id": "T-900", "name": "Kite", "defense": 15}, "armor", "missing_key"),
    ],
)
def test_other_kinds_are_checked_too(
    problems_of: Refuse, kind: str, definition: dict[str, Any], field: str, code: str
) -> None:
    assert (field, code) in [(problem.field, problem.code) for problem in problems_of(**{kind: [definition]})]


def test_r_bld_14_a_unit_from_before_age_of_destruction_needs_no_class(hellion: dict[str, Any]) -> None:
    del hellion["variant"], hellion["class"]
    hellion["points"] = 420
    assert Catalogue.from_documents([{"schema": 1, "units": [hellion]}]).counts()["units"] == 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b"", "not_json"),
        (b"{", "not_json"),
        (b"\xff\xfe", "not_json"),
        (b'{"schema": NaN}', "not_json"),
        (b"[" * 100_000, "not_json"),
        (b'{"schema": 1, "schema": 1}', "repeated_key"),
        (b'{"units": ["\\ud800"]}', "not_json"),
    ],
)
def test_text_that_is_not_json(text: bytes, code: str) -> None:
    with pytest.raises(CatalogueError) as caught:
        parse_document("mine.json", text)
    (problem,) = caught.value.problems
    assert (problem.file, problem.code) == ("mine.json", code)


@pytest.mark.parametrize("content", [None, 1, "units", [], [1], {}, {"schema": 1}, {"monsters": []}, [{"id": "x"}]])
def test_json_that_is_no_catalogue(content: Any) -> None:
    with pytest.raises(CatalogueError) as caught:
        Catalogue.from_documents([Document("mine.json", content)])
    assert [problem.code for problem in caught.value.problems] == ["not_a_catalogue"]


def test_the_frame_of_a_document_is_checked(problems_of: Refuse) -> None:
    codes = {problem.code for problem in problems_of(units=[], monsters=[])}
    assert codes == {"unknown_key"}
    with pytest.raises(CatalogueError) as caught:
        Catalogue.from_documents([{"schema": 2, "units": {}}])
    assert [problem.code for problem in caught.value.problems] == ["unknown_schema", "wrong_type"]
    (problem,) = problems_of(units=[7])
    assert (problem.id, problem.code) == ("#1", "wrong_type")


def test_bare_definitions_are_read_by_their_keys(builtin: Catalogue) -> None:
    definitions = [builtin.units["SOL002"], builtin.pilots["P-001"], builtin.arenas["plaza"], GEAR, RALLY_CARD]
    definitions.append(builtin.target_tokens["T-001"])
    assert list(Catalogue.from_documents([Document("all.json", definitions)]).counts().values()) == [1] * 6
    assert Catalogue.from_documents([Document("one.json", definitions[0])]).counts()["units"] == 1


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError) as caught:
        read_document(tmp_path / "nowhere.json")
    assert caught.value.problems[0].code == "file_unreadable"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=8,
    ),
    st.sampled_from(KINDS),
)
@settings(max_examples=60, deadline=None)
def test_any_json_gives_a_catalogue_error_and_no_other(content: Any, kind: str) -> None:
    for document in (content, {"schema": 1, kind: content}, {"schema": 1, kind: [content]}):
        assert all(problem.code in SENTENCES for problem in problems_in(document))


@given(st.sampled_from(sorted(load_builtin().units)), st.data())
@settings(max_examples=60, deadline=None)
def test_a_unit_with_any_part_replaced_never_breaks_the_loader(key: str, data: st.DataObject) -> None:
    unit = copy.deepcopy(load_builtin().units[key])
    target: Any = unit
    while True:
        step = data.draw(st.sampled_from(sorted(target) if isinstance(target, dict) else range(len(target))))
        if not isinstance(target[step], dict | list) or not target[step] or data.draw(st.booleans()):
            break
        target = target[step]
    target[step] = data.draw(st.sampled_from([None, -1, 0, 1.5, "", "jump_jets", [], {}, True, [None]]))
    assert all(problem.code in SENTENCES for problem in problems_in({"schema": 1, "units": [unit]}))


def test_every_problem_has_a_sentence_that_its_parameters_fill(
    hellion: dict[str, Any], plaza: dict[str, Any], problems_of: Refuse
) -> None:
    seen = []
    for faults, good, kind in (
        ([row[1] for row in UNIT_FAULTS], hellion, "units"),
        ([row[1] for row in ARENA_FAULTS], plaza, "arenas"),
    ):
        for change in faults:
            broken = copy.deepcopy(good)
            change(broken)
            seen.extend(problems_of(**{kind: [broken]}))
    for problem in seen:
        wanted = {name for _, name, _, _ in Formatter().parse(SENTENCES[problem.code]) if name}
        assert wanted <= set(problem.parameters), problem
        assert json.dumps(problem.to_json())
