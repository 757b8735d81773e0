"""Positions of scenarios that cannot be set up: each fault is refused with a code and its place."""

import copy
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.refusals import Malformed
from rules.scenario.playing import Scenario, play
from rules.wording import sentence
from rules.wording.filling import MISSING
from tests.rules.board import Json, duel, scenario_documents, token
from tests.rules.spoiling import spoil

PLAIN = duel()
SHOT = {"unit": "a", "order": "ranged", "value": "primary", "targets": ["b"]}


def with_red(**keys: Any) -> Json:
    """The plain duel with a changed unit of red."""
    return duel(red=keys)


# A position with one fault each, and the code with which it is refused.
TWO_ON_ONE_VALUE = [{"id": "G-1", "slot": "attack"}, {"id": "G-2", "slot": "attack"}]
REFUSED_POSITIONS = [
    pytest.param(with_red(facing=12), "bad_setup", {"field": "units[0].facing", "value": "12"}, id="facing"),
    pytest.param(with_red(facing="0"), "bad_setup", {"field": "units[0].facing", "problem": "wrong_type"}, id="a text"),
    pytest.param(with_red(hex="9999"), "unknown_hex", {"hex": "9999"}, id="a hex that is none"),
    pytest.param(with_red(hex="0606"), "bad_setup", {"field": "units[1].hex", "problem": "hex_is_taken"}, id="one hex"),
    pytest.param(
        {**with_red(), "arena": {"hexes": {"0610": "blocking"}}},
        "bad_setup", {"field": "units[0].hex", "problem": "hex_is_rock"}, id="in rock",
    ),
    pytest.param(
        {**PLAIN, "tokens": [{**token(), "hex": "0610"}]},
        "bad_setup", {"field": "tokens[0].hex", "problem": "hex_is_taken", "other": "a"}, id="token under a unit",
    ),
    pytest.param(
        {**PLAIN, "tokens": [{**token("a"), "hex": "0611"}]},
        "bad_setup", {"field": "tokens[0].id", "problem": "duplicate_id", "other": "units[0].id"}, id="a token's name",
    ),
    pytest.param(
        {**PLAIN, "tokens": [token()]}, "bad_token", {"token": "t1", "field": "hex"}, id="no hex"
    ),
    pytest.param(with_red(heat=5), "bad_setup", {"field": "units[0].heat", "value": 5, "most": 4}, id="heat"),
    pytest.param(with_red(clicks=5), "bad_setup", {"value": 5, "least": 0, "most": 4}, id="off the dial"),
    pytest.param(with_red(orders=["sing"]), "bad_setup", {"field": "units[0].orders[0]"}, id="an order that is none"),
    pytest.param(with_red(side="blue"), "bad_setup", {"problem": "wrong_count", "count": 1}, id="one side"),
    pytest.param({**PLAIN, "start": {"order": ["a", "c"]}}, "unknown_unit", {"unit": "c"}, id="order of strangers"),
    pytest.param(
        {**PLAIN, "start": {"order": ["a", "a"]}},
        "bad_setup", {"field": "start.order[1]", "problem": "duplicate_id"}, id="twice in the order",
    ),
    pytest.param(
        {**PLAIN, "hands": {"red": {"b": []}}}, "bad_setup", {"field": "hands.red.b", "problem": "unknown_key"}, id="b"
    ),
    pytest.param(
        {**PLAIN, "reputation": {"green": 5}}, "bad_setup", {"field": "reputation.green"}, id="reputation of a stranger"
    ),
    pytest.param(
        {**PLAIN, "flags": {"red": {"home": "0602", "carrier": "c"}}}, "unknown_unit", {"unit": "c"}, id="flag"
    ),
    pytest.param({**PLAIN, "flags": {"red": 5}}, "bad_setup", {"field": "flags.red", "value": "5"}, id="no flag"),
    pytest.param(with_red(unit={"id": "husk"}), "bad_unit", {"unit": "husk", "field": "dial"}, id="no dial"),
    pytest.param(with_red(pilot={"modifiers": {"luck": 1}}), "bad_pilot", {"field": "modifiers.luck"}, id="pilot"),
    pytest.param(with_red(gear=TWO_ON_ONE_VALUE), "gear_on_same_value", {"value": "attack"}, id="R-GER-04"),
    pytest.param({**PLAIN, "arena": {"hexes": {"0101": "lava"}}}, "unknown_terrain", {"terrain": "lava"}, id="terrain"),
    pytest.param({**PLAIN, "house_rules": {"pilot_death": 1}}, "bad_house_rule", {"key": "pilot_death"}, id="switch"),
]  # fmt: skip


@pytest.mark.parametrize(("document", "code", "parameters"), REFUSED_POSITIONS)
def test_a_position_that_cannot_be_set_up_is_refused_with_a_code(
    document: dict[str, Any], code: str, parameters: dict[str, Any]
) -> None:
    with pytest.raises(Malformed) as caught:
        Scenario(document)
    assert caught.value.code == code
    assert parameters.items() <= caught.value.parameters.items()
    assert MISSING not in sentence(code, caught.value.parameters)
    assert play({**document, "expect": {"error": code}}) == (None, None)
    for expect, start in (
        ({}, f"the position is refused: {code}"),
        ({"error": "line_blocked"}, f'error: expected "line_blocked", found "{code}"'),
        ({"error": code, "winner": None}, "the position is refused, so nothing but the error can be expected"),
    ):
        assert str(play({**document, "expect": expect})[1]).startswith(start)
    for script in ({"actions": [SHOT]}, {"dice": [1]}):
        found = play({**document, "expect": {"error": code}, **script})[1]
        assert str(found).startswith("the position is refused, so nothing but the error")


SPOILT_SCENARIOS = 120


@given(seed=st.integers(0, 2**32), faults=st.integers(1, 3))
@settings(max_examples=SPOILT_SCENARIOS)
def test_a_spoilt_scenario_says_what_is_wrong_or_plays(seed: int, faults: int) -> None:
    """Units, positions, dice and actions of any scenario, changed anywhere: no exception comes out of the runner."""
    rng = random.Random(seed)
    document = copy.deepcopy(rng.choice(scenario_documents())[1])
    document["expect"] = {}
    for _ in range(faults):
        spoil(document, rng)
    scenario, difference = play(document)
    assert scenario is not None or difference
