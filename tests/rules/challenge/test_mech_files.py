"""Files of 'Mechs that a GM brings. All of them are made here."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.challenge.book.setup import change_list, check_form, event_of
from rules.challenge.book_cost import prices
from rules.challenge.mech_files import archive
from rules.challenge.mech_files.carrying import LONGEST_CARRIED, carry, read_carried
from rules.challenge.mech_files.gathering import MechFiles, read_files
from rules.challenge.mech_files.mtf import KEYS
from rules.challenge.mech_files.names import item_of
from rules.challenge.mech_files.reading import LARGEST_TEXT, UNREADABLE, FileMech
from rules.challenge.mechs import FLAGS
from rules.challenge.tables import read_data
from rules.core.refusals import Malformed

LEG = ("Hip", "Upper Leg Actuator", "Lower Leg Actuator", "Foot Actuator")
ARM = ("Shoulder", "Upper Arm Actuator")
POINTS = {"LA": 4, "RA": 4, "LT": 8, "RT": 8, "CT": 10, "HD": 8, "LL": 8, "RL": 8, "RTL": 2, "RTR": 2, "RTC": 2}
HEAD = {
    "chassis": "Locust", "model": "LCT-1V", "Config": "Biped", "techbase": "Inner Sphere", "mass": "20",
    "engine": "160 Fusion Engine(IS)", "structure": "IS Standard", "myomer": "Standard", "heat sinks": "10 Single",
    "walk mp": "8", "jump mp": "0", "armor": "Standard(Inner Sphere)",
}  # fmt: skip
PLACES = {
    "Left Arm": (*ARM, "Machine Gun"),
    "Right Arm": (*ARM, "Machine Gun"),
    "Center Torso": ("Fusion Engine", "Gyro", "Medium Laser", "IS Ammo MG - Full"),
    "Left Leg": (*LEG, "Heat Sink"),
    "Right Leg": (*LEG, "Heat Sink"),
}
WEAPONS = ("Medium Laser, Center Torso", "Machine Gun, Left Arm", "Machine Gun, Right Arm")
PROSE = "overview:A fast 'Mech.\nengine: a lie\nLeft Arm:\nSecret Weapon\n\nhistory:Weapons:3\nmass:95\n"


def mtf(places: dict[str, tuple[str, ...]] | None = None, weapons: tuple[str, ...] = WEAPONS, **head: str) -> bytes:
    """Return a newer .mtf file: the Locust, with changes. Keys have _ for a blank; an empty value leaves a line out."""
    said = HEAD | {key.replace("_", " "): value for key, value in head.items()}
    lines = ["# a comment", *(f"{key}:{value}" for key, value in said.items() if value), ""]
    lines += [f"{place} armor:{points}" for place, points in POINTS.items()]
    lines += ["", f"Weapons:{len(weapons)}", *weapons, ""]
    for place, slots in (PLACES | (places or {})).items():
        lines += [f"{place}:", *slots, *["-Empty-"] * (12 - len(slots)), ""]
    return ("\n".join(lines) + "\n" + PROSE).encode()


def old_mtf() -> bytes:
    """Return the same in the older form."""
    text = mtf(chassis="", model="").decode().replace("# a comment\n", "Version:1.0\nLocust\nLCT-1V\n\n")
    return text.replace("walk mp", "Walk MP").replace("mass:20", "Mass:20").replace("\n", "\r\n").encode()


def one(data: bytes) -> FileMech:
    found = read_files([("one.mtf", data)])
    assert found.unread == ()
    return found.mechs[0]


def why(name: str, data: bytes) -> list[str]:
    found = read_files([(name, data)])
    assert found.mechs == ()
    return [each.why for each in found.unread]


def zipped(members: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as found:
        for name, data in members.items():
            found.writestr(name, data)
    return stream.getvalue()


EXPORT = """MegaMek Unit Database
This file can be written again
Type,SubType,Name,Model,BV,Cost (Loaded), Cost (Unloaded),Year,TechLevel,Tonnage,Tech,Canon,Walk,Run,Jump
'Mek,Biped,Locust,LCT-1V,432,1500000,1499000,2499,Introductory,20.0,Inner Sphere,true,8,12,0
'Mek,Biped Omni,Nova Cat (Test),Prime,2000,"14,000,000",13000000,2900,Clan,70,Clan,true,5,8,0
Tank,Tracked,Heavy Tank,,900,2000000,1,2700,IS,60,Inner Sphere,true,3,5,0
'Mek,Biped,Costless,X-1,100,0,0,2700,IS,45,Inner Sphere,true,3,5,0
'Mek,Biped,Too Heavy,X-2,100,1000000,0,2700,IS,145,Inner Sphere,true,3,5,0
'Mek,Biped,Short,X-3
"""
FORCE = b"""<?xml version="1.0" encoding="UTF-8"?>
<unit version="0.50"><entity chassis="Flea" model="FLE-4" type="Biped"><pilot name="A" gunnery="4"/></entity>
<entity chassis="Nobody" model="N-1" type="Mek"/><entity chassis="Tank" model="T" type="Tank"/></unit>"""


@pytest.mark.parametrize("data", [mtf(), old_mtf()])
def test_a_sheet_of_either_form_costs_what_the_list_says(data: bytes) -> None:
    assert one(data) == FileMech(
        "Locust LCT-1V", 20, "inner_sphere", False, 8, 0, 1_512_400, "formula", (), (7 - 6, 7 - 6)
    )


def test_half_tons_double_heat_sinks_and_an_omni_count() -> None:
    plain, dear = one(mtf()), one(mtf(heat_sinks="12 IS Double", Config="Biped Omnimech"))
    assert dear.omni
    assert plain.cost is not None
    # 1.25 for the Omni, 1.2 for 20 tons: twelve double heat sinks of 6,000.
    assert dear.cost == (plain.cost + 12 * 6000 * 12 // 10) * 5 // 4


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"myomer": "Triple-Strength"}, "Myomer: Triple-Strength"),
        ({"engine": "160 Light Engine(IS)"}, "Engine: 160 Light Engine(IS)"),
        ({"engine": "420 Fusion Engine"}, "Engine: 420 Fusion Engine"),
        ({"structure": "Composite"}, "Structure: Composite"),
        ({"armor": "Stealth(Inner Sphere)"}, "Armor: Stealth(Inner Sphere)"),
        ({"heat_sinks": "10 Laser"}, "Heat sinks: 10 Laser"),
        ({"heat_sinks": "9 Single"}, "Heat sinks: 9 Single"),
        ({"cockpit": "Small"}, "Cockpit: Small"),
        ({"gyro": "XL Gyro"}, "Gyro: XL Gyro"),
        ({"ejection": "Odd"}, "Ejection: Odd"),
        ({"Config": "Tripod"}, "Config: Tripod"),
        ({"places": {"Head": ("Strange Ray",)}}, "Strange Ray"),
        ({"places": {"Head": ("IS Ammo SRM-6 Narc-capable",)}}, "IS Ammo SRM-6 Narc-capable"),
        ({"places": {"Head": ("PPC", "PPC")}}, "PPC"),
        ({"places": {"Left Leg": LEG[:3]}}, "Leg actuators"),
        ({"weapons": (*WEAPONS, "Medium Laser, Head")}, "Medium Laser"),
        ({"weapons": (*WEAPONS, "1 Odd Gun, Head, Ammo:3")}, "Odd Gun"),
    ],
)
def test_whatever_no_table_knows_is_named_and_makes_the_cost_unknown(change: dict[str, Any], named: str) -> None:
    mech = one(mtf(**change))
    assert mech.unknown == (named,)
    assert (mech.cost, mech.basis) == (None, "")


def test_a_known_part_without_a_price_is_named_as_the_file_does_and_never_costs_0() -> None:
    mech = one(mtf({"Head": ("ISTargeting Computer:SIZE:1.0",), "Left Torso": ("ISSword (omnipod)",) * 2}))
    assert mech.unknown == ()
    assert mech.unpriced == ("ISTargeting Computer:SIZE:1.0", "ISSword (omnipod)")
    assert mech.cost is None
    assert mech.flags == ("melee_weapon", "targeting_computer")


def test_marks_of_a_side_and_endings_do_not_hide_a_name() -> None:
    for name in ("ISMediumLaser", "IS Medium Laser (omnipod)", "MEDIUM LASER (R) (armored)", "CLMediumLaser"):
        assert item_of(name, "inner_sphere") == item_of("Medium Laser", "clan") is not None
    for name in ("ISLRM10 Ammo", "IS Ammo LRM-10", "IS LRM 10 Ammo"):
        found = item_of(name, "clan")
        assert found is not None
        assert found.part == "lrm_ammunition"
    # A Clan weapon is not the one of the Inner Sphere.
    assert item_of("CLERLargeLaser", "inner_sphere") is None
    assert item_of("ER Large Laser", "clan") is None


def test_the_table_of_names_is_sound() -> None:
    data = read_data("mech_items")
    keys = [
        (side, name) for row in data["rows"] for side in row.get("sides", ["inner_sphere"]) for name in row["names"]
    ]
    assert len(set(keys)) == len(keys)
    assert data["source"]
    assert all(name.isalnum() and name == name.casefold() for _, name in keys)
    assert {row["flag"] for row in data["rows"] if "flag" in row} == set(FLAGS)
    priced = {part for part, price in prices().items() if price.per in ("each", "ammunition_ton")}
    bodies = {"cockpit", "life_support", "full_head_ejection", "heat_sink.double"}
    assert priced - bodies <= {row["part"] for row in data["rows"]}


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "no_name"),
        (b"\x00\xff\xfe rubbish", "no_name"),
        (mtf(chassis="--", model="."), "no_name"),
        (mtf(chassis="x" * 61), "name_too_long"),
        (mtf(mass="15"), "no_tons"),
        (mtf(mass="heavy"), "no_tons"),
        (mtf(mass="٢٠"), "no_tons"),
        (mtf(walk_mp="fast"), "no_movement"),
        (mtf(jump_mp="99"), "no_movement"),
        (mtf(engine="none"), "no_engine"),
        (mtf().replace(b"LA armor:4", b"LA armor:many"), "no_armor"),
        (mtf(Config="Vehicle"), "not_a_mech"),
        (b"chassis:A\nmodel:B\nmass:20\n", "no_slots"),
        (b"x" * (LARGEST_TEXT + 1), "too_large"),
    ],
)
def test_a_sheet_that_does_not_say_what_the_list_needs_is_refused_by_a_code(data: bytes, code: str) -> None:
    assert why("bad.mtf", data) == [code]
    assert code in UNREADABLE


def test_each_key_of_the_head_counts_once_and_prose_changes_nothing() -> None:
    assert set(KEYS) >= {key.casefold() for key in HEAD}
    mech = one(mtf())
    assert (mech.tons, mech.cost) == (20, 1_512_400)


def test_a_zip_brings_its_sheets_and_names_what_is_not_allowed_in_it() -> None:
    found = read_files([(
        "all.zip",
        zipped({
            "mechs/Locust.mtf": mtf(), "readme.txt": b"hello", "../up.mtf": mtf(), "/root.mtf": mtf(),
            "a\\b.mtf": mtf(), "more.zip": b"PK", "large.mtf": b"x" * (LARGEST_TEXT + 1), "again.mtf": mtf(),
            "bad.mtf": b"?",
        }),
    )])  # fmt: skip
    assert [mech.name for mech in found.mechs] == ["Locust LCT-1V"]
    assert {each.place: each.why for each in found.unread} == {
        "up.mtf": "bad_path", "root.mtf": "bad_path", "more.zip": "nested_zip", "large.mtf": "too_large",
        "bad.mtf": "no_name", "again.mtf: Locust LCT-1V": "twice", "a\\b.mtf": "bad_path",
    }  # fmt: skip


def test_an_export_or_a_force_in_a_zip_is_named() -> None:
    """Both are brought beside it."""
    found = read_files([("all.zip", zipped({"a.mtf": mtf(), "x/costs.CSV": b"Name", "force.mul": FORCE}))])
    assert len(found.mechs) == 1
    assert [(each.place, each.why) for each in found.unread] == [
        ("costs.CSV", "not_in_zip"), ("force.mul", "not_in_zip"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"no zip", "bad_zip"),
        (zipped({"a.txt": b"a"}), "empty_zip"),
        (zipped({"a.mtf": mtf()}, zipfile.ZIP_BZIP2), "bad_member"),
    ],
)
def test_a_zip_that_cannot_be_read_is_refused(data: bytes, code: str) -> None:
    assert why("a.zip", data) == [code]


def test_a_zip_has_bounds_for_members_and_for_all_that_it_unpacks(monkeypatch: pytest.MonkeyPatch) -> None:
    data = zipped({f"{number}.mtf": mtf(model=f"M-{number}") for number in range(4)})
    for bound in ("MOST_MECHS", "MOST_MEMBERS"):
        with monkeypatch.context() as patch:
            patch.setattr(archive, bound, 3)
            assert read_files([("a.zip", data)]).unread[-1].why == "too_many"
    monkeypatch.setattr(archive, "MOST_UNPACKED", 2 * len(mtf()))
    found = read_files([("a.zip", data)])
    assert (len(found.mechs), found.unread[-1].why) == (2 + 1, "too_many")


def test_an_export_brings_costs_and_joins_the_sheets() -> None:
    found = read_files([("units.csv", EXPORT.encode()), ("a.mtf", mtf(myomer="Odd"))])
    locust, omni, costless = found.mechs
    assert (locust.cost, locust.basis, locust.flags, locust.unknown) == (1_500_000, "file", (), ("Myomer: Odd",))
    assert omni == FileMech("Nova Cat (Test) Prime", 70, "clan", True, 5, 0, 14_000_000, "file")
    assert (costless.name, costless.cost) == ("Costless X-1", None)
    assert [(each.place, each.why) for each in found.unread] == [
        ("units.csv, 8", "no_tons"),
        ("units.csv, 9", "bad_fields"),
    ]
    assert why("units.csv", b"a,b,c\n1,2,3\n") == ["no_heading"]


def test_a_force_names_what_the_list_lacks_and_stays_when_all_others_go() -> None:
    models = event_of({}).models
    found = read_files([("force.mul", FORCE)])
    assert found.named == ("Flea FLE-4", "Nobody N-1")
    assert found.lacking(models) == ["Nobody N-1"]
    gone = found.change(models, found.beside(models), only=True)
    assert set(models) - set(gone) == {"flea_fle_4"}
    assert set(gone.values()) == {None}
    assert found.change(models, found.beside(models)) == {}


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"<unit><pilot></unit>", "bad_xml"),
        (b"", "bad_xml"),
        (b'<?xml version="1.0" encoding="utf-99"?><unit/>', "bad_xml"),
        (b'<!DOCTYPE unit SYSTEM "file:///etc/passwd"><unit/>', "doctype"),
        (b'<!DOCTYPE u [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><u><entity chassis="&b;" model="x"/></u>', "doctype"),
        (b'<unit><entity chassis="" model=""/></unit>', "no_name"),
    ],
)
def test_a_force_that_cannot_be_read_is_refused(data: bytes, code: str) -> None:
    assert why("force.mul", data) == [code]


def test_another_kind_of_file_is_refused() -> None:
    assert why("photo.png", b"x") == ["unknown_ending"]
    assert why("no ending", b"x") == ["unknown_ending"]


def test_a_cost_that_nobody_knows_is_the_lists_or_typed_or_leaves_the_mech_out() -> None:
    models = event_of({}).models
    found = read_files(
        [("a.mtf", mtf(myomer="Odd")), ("b.mtf", mtf(model="LCT-0", myomer="Odd")), ("c.mtf", mtf(model="LCT-9"))]
    )
    offered = found.beside(models)
    assert [(each.id, each.cost, each.source) for each in offered] == [
        ("locust_lct_1v", 1_512_400, "list"), ("locust_lct_0", None, ""), ("locust_lct_9", 1_512_400, "formula"),
    ]  # fmt: skip
    assert set(found.change(models, offered)) == {"locust_lct_1v", "locust_lct_9"}
    typed = found.change(models, found.beside(models, {"locust_lct_0": 5}))
    check_form("mechs", {"mechs": typed})
    event = event_of({})
    change_list(event, typed)
    assert event.models["locust_lct_0"].cost == 5
    assert event.models["locust_lct_1v"].open_leg_slots == (1, 1)


def test_an_export_keeps_what_the_list_knows_of_a_mech() -> None:
    models = event_of({}).models
    raven = models["raven_rvn_3l"]
    line = "Mek,Biped,Raven,RVN-3L,1,7000000,1,1,IS,35,Inner Sphere,true,6,9,0\n"
    found = read_files([("u.csv", (EXPORT.splitlines()[2] + "\n" + line).encode())])
    (offered,) = found.beside(models)
    assert (offered.cost, offered.old) == (7_000_000, raven)
    assert set(offered.document()["flags"]) == raven.flags
    assert found.beside(models, keep=True)[0].cost == raven.cost


def test_with_only_a_mech_of_the_list_without_a_price_stays() -> None:
    models = event_of({}).models
    found = read_files([("a.mtf", mtf(myomer="Odd"))])
    gone = found.change(models, found.beside(models), only=True)
    assert gone["locust_lct_1v"] is not None
    assert len([each for each in gone.values() if each is None]) == len(models) - 1


def test_what_a_page_carries_is_read_again_and_checked() -> None:
    found = read_files([("u.csv", EXPORT.encode()), ("a.mtf", mtf()), ("f.mul", FORCE)])
    again = read_carried(carry(found))
    assert again == MechFiles(found.mechs, found.named)
    good = carry(found)
    for bad in ("", "[]", "null", "{", good.replace('"tons":20', '"tons":5'), good.replace("1500000", "0"),
                good.replace("Locust", "\\u0000"), good.replace("Locust LCT-1V", "--"), "[" * 100_000,
                good + " " * LONGEST_CARRIED):  # fmt: skip
        with pytest.raises(Malformed) as refused:
            read_carried(bad)
        assert refused.value.code == "bad_challenge"


GOOD = {
    "a.mtf": mtf(),
    "b.mtf": old_mtf(),
    "c.zip": zipped({"a.mtf": mtf(), "b.mtf": mtf(model="B")}),
    "d.csv": EXPORT.encode(),
    "e.mul": FORCE,
}


@settings(max_examples=150, deadline=None)
@given(
    name=st.sampled_from(sorted(GOOD)),
    cuts=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.binary(max_size=4), st.integers(0, 40)), max_size=5),
)
def test_damaged_bytes_are_read_or_refused_and_raise_nothing(name: str, cuts: list[tuple[float, bytes, int]]) -> None:
    data = GOOD[name]
    for where, put, out in cuts:
        at = int(where * len(data))
        data = data[:at] + put + data[at + out :]
    found = read_files([(name, data)])
    assert {each.why for each in found.unread} <= set(UNREADABLE)
    models = event_of({}).models
    check_form("mechs", {"mechs": found.change(models, found.beside(models))})
    assert read_carried(carry(found)).mechs == found.mechs
    assert all(mech.cost is None or mech.cost > 0 for mech in found.mechs)
