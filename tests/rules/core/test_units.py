"""Units as documents: what the base and the dials say, and what is refused (section GEN)."""

from typing import Any

import pytest

from rules.catalogue import load_builtin
from rules.catalogue.documents import Entry
from rules.catalogue.shape import shape_problems
from rules.core.equipment import EQUIPMENT, keys_of
from rules.core.equipment_hooks import timings_of
from rules.core.refusals import Malformed
from rules.core.units import PilotDefinition, UnitDefinition, total_points
from rules.solaris.tokens import TokenDefinition
from tests.rules.board import pilot, token, unit


def test_r_gen_01_02_a_unit_has_two_dials_and_ten_combat_values() -> None:
    found = UnitDefinition.from_json(unit(vent=3))
    click = found.dial[0]
    assert (click.primary, click.secondary, click.speed, click.attack, click.defense) == (3, 2, 8, 9, 19)
    base = (found.primary.minimum, found.primary.maximum, found.secondary.minimum, found.secondary.maximum)
    assert base == (0, 8, 0, 10)
    assert found.vent == 3
    assert (len(found.dial), len(found.heat)) == (5, 4)


@pytest.mark.parametrize("missing", ["dial", "heat", "primary", "secondary"])
def test_r_gen_01_a_unit_without_one_of_its_parts_is_refused(missing: str) -> None:
    document = unit()
    del document[missing]
    with pytest.raises(Malformed) as caught:
        UnitDefinition.from_json(document)
    assert caught.value.code == "bad_unit"
    assert caught.value.parameters["unit"] == "anvil"


@pytest.mark.parametrize(
    "change",
    [
        {"front_arc": 90},
        {"dial": []},
        {"heat": []},
        {"points": "many"},
        {"vent": True},
        {"primary": {"type": "sonic", "targets": 1, "range": [0, 8]}},
        {"heat": [{"effects": {"primary": "avoid_shutdown"}}]},
        {"heat": [{"effects": {"attack": "avoid_shutdown"}}]},
    ],
    ids=lambda change: "-".join(change),
)
def test_units_that_cannot_be_read_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(Malformed) as caught:
        UnitDefinition.from_json({**unit(), **change})
    assert caught.value.code == "bad_unit"


def test_r_gen_09_the_two_values_have_range_types_of_their_own() -> None:
    found = UnitDefinition.from_json(unit())
    assert (found.primary.range_type, found.secondary.range_type) == ("ballistic", "energy")


def test_r_gen_10_a_melee_value_has_range_0_to_0() -> None:
    for written in ({"range": [0, 0]}, {}):
        found = UnitDefinition.from_json(unit(primary={"type": "melee", "targets": 1, **written}))
        assert (found.primary.minimum, found.primary.maximum) == (0, 0)
    with pytest.raises(Malformed) as caught:
        UnitDefinition.from_json(unit(primary={"type": "melee", "targets": 1, "range": [0, 1]}))
    assert (caught.value.code, caught.value.parameters["problem"]) == ("bad_unit", "melee_with_range")


def test_r_gen_16_the_base_carries_rank_number_variant_and_arcs() -> None:
    """Units of the catalogue are told apart by their ids; two variants of one 'Mech are two definitions."""
    for identifier, document in load_builtin().units.items():
        assert document["id"] == identifier
        assert {"rank", "number", "variant", "front_arc", "rear_arc"} <= set(document)
    found = UnitDefinition.from_json(unit(front_arc=270, rear_arc=60, rank="elite"))
    assert (found.front_arc, found.rear_arc, found.rank) == (270, 60, "elite")


def test_r_gen_08_ranks_are_green_veteran_elite_and_unique() -> None:
    a_unit = next(iter(load_builtin().units.values()))
    for rank in ("green", "veteran", "elite", "unique"):
        assert shape_problems(Entry("file", "units", 1, {**a_unit, "rank": rank})) == []
    for rank in ("legend", "", None, 2):
        found = shape_problems(Entry("file", "units", 1, {**a_unit, "rank": rank}))
        assert [problem.field for problem in found] == ["rank"]


def test_r_bld_08_total_is_unit_pilot_and_gear() -> None:
    card = PilotDefinition.from_json(pilot())
    assert total_points(UnitDefinition.from_json(unit()), card, [{"points": 8}]) == 168


@pytest.mark.parametrize("change", [{"modifiers": {"luck": 1}}, {"points": None}, {"modifiers": {"attack": "1"}}])
def test_pilots_that_cannot_be_read_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(Malformed) as caught:
        PilotDefinition.from_json({**pilot(), **change})
    assert caught.value.code == "bad_pilot"


def test_r_tgt_07_a_token_has_defense_armor_method_and_two_values() -> None:
    found = TokenDefinition.from_json(token(armor="heavy_armor", method="energy"))
    assert (found.defense, found.armor, found.method, found.rp, found.else_rp) == (15, "heavy_armor", "energy", 10, 5)


@pytest.mark.parametrize("change", [{"method": "luck"}, {"armor": "paper"}, {"defense": None}])
def test_tokens_that_cannot_be_read_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(Malformed) as caught:
        TokenDefinition.from_json({**token(), **change})
    assert caught.value.code == "bad_token"


def test_r_seg_01_05_equipment_is_named_by_the_value_it_stands_on_and_its_shape() -> None:
    equipment = {"speed": "evade", "defense": {"key": "heavy_armor", "single_use": True}}
    found = UnitDefinition.from_json(unit(click={"equipment": equipment})).dial[0]
    assert found.equipment == {"speed": "evade", "defense": "heavy_armor"}
    assert found.single_use == {"defense"}
    bits = [row.bit for row in EQUIPMENT.values()]
    assert len(set(bits)) == len(bits) == 35
    assert [keys_of(row.bit) for row in EQUIPMENT.values()] == [[key] for key in EQUIPMENT]


@pytest.mark.parametrize(
    ("key", "rule"),
    [
        pytest.param("anti_personnel", "R-SED-04", id="R-SED-04"),
        pytest.param("infiltrate", "R-SEM-06", id="R-SEM-06"),
        pytest.param("bypass", "R-SEA-03", id="R-SEA-03"),
    ],
)
def test_q_108_unused_equipment_may_be_on_a_dial_and_does_nothing(key: str, rule: str) -> None:
    row = EQUIPMENT[key]
    assert row.is_inert
    assert row.rule == rule
    assert timings_of(key) == []
    place = {"ballistic": "primary", "speed": "speed", "attack": "attack"}[row.place]
    assert UnitDefinition.from_json(unit(click={"equipment": {place: key}})).dial[0].equipment == {place: key}


def test_a_base_has_two_damage_values() -> None:
    found = UnitDefinition.from_json(unit())
    assert [found.damage_value("primary"), found.damage_value("secondary")] == [found.primary, found.secondary]
    with pytest.raises(KeyError, match="speed"):
        found.damage_value("speed")
