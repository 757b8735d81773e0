"""Heat effects that silence weapons, and odd corners of pilots and dials that no scenario file shows."""

from typing import Any

import pytest

from rules.core.refusals import Malformed
from tests.rules.board import Json, duel, pilot, placed, ran, unit

BALLISTIC = {"type": "ballistic", "targets": 1, "range": [0, 12]}
ENERGY = {"type": "energy", "targets": 1, "range": [0, 12]}


def hot(primary: Json, secondary: Json, effects: dict[str, str]) -> Json:
    """A unit one step up its heat dial, where these effects show."""
    steps = unit()["heat"]
    steps[1]["effects"] = effects
    return {"unit": unit("a", primary=primary, secondary=secondary, heat=steps), "heat": 1}


@pytest.mark.parametrize(
    ("primary", "secondary", "effects", "silent"),
    [
        pytest.param(BALLISTIC, ENERGY, {"primary": "ammunition_jam"}, ["primary"], id="R-HEF-04 one"),
        pytest.param(BALLISTIC, BALLISTIC, {"primary": "ammunition_jam"}, ["primary", "secondary"], id="R-HEF-04 both"),
        pytest.param(
            BALLISTIC, BALLISTIC, {"secondary": "ammunition_jam"}, ["primary", "secondary"], id="R-HEF-04 second"
        ),
        pytest.param(ENERGY, ENERGY, {"primary": "weapons_offline"}, ["primary", "secondary"], id="R-HEF-07 both"),
        pytest.param(BALLISTIC, ENERGY, {"secondary": "weapons_offline"}, ["secondary"], id="R-HEF-07 one"),
        pytest.param(BALLISTIC, ENERGY, {}, [], id="none"),
    ],
)
def test_r_hef_04_r_hef_07_every_value_of_the_silenced_type_is_silent(
    primary: Json, secondary: Json, effects: dict[str, str], silent: list[str]
) -> None:
    shots: dict[str, Any] = {
        value: {"unit": "a", "order": "ranged", "value": value, "targets": ["b"]} for value in ("primary", "secondary")
    }
    ran(
        duel(
            red=hot(primary, secondary, effects),
            expect={
                "legal": [shot for value, shot in shots.items() if value not in silent],
                "illegal": [shots[value] for value in silent],
            },
        )
    )
    for value in silent:
        ran(duel(red=hot(primary, secondary, effects), actions=[shots[value]], expect={"error": "value_jammed"}))


def test_w_02_r_het_13_heat_numbers_lower_damage_and_speed_and_nothing_else() -> None:
    """-1 at secondary damage and at speed; a run is twice the lowered speed: 14 is seven hexes."""
    steps = unit()["heat"]
    steps[1] |= {"secondary": -1, "speed": -1}
    document = duel(
        red={"unit": unit("a", heat=steps), "heat": 1}, start={"round": 1, "phase": "move", "order": ["a", "b"]},
        blue={"hex": "0101"},
    )  # fmt: skip
    shown = ran(document).match.snapshot()["units"]["a"]
    assert [shown[key] for key in ("primary", "secondary", "speed", "attack", "defense")] == [3, 1, 7, 9, 19]
    column = [f"06{row:02d}" for row in range(9, 1, -1)]
    for length, error in ((7, None), (8, "path_too_long")):
        order = {"unit": "a", "order": "move", "path": column[:length], "facing": 0, "run": True}
        ran({**document, "actions": [order], "expect": {"error": error}})


def test_r_unc_02_the_modifiers_of_an_unconscious_pilot_are_off() -> None:
    strong = pilot(primary=1, secondary=1, speed=1, attack=1, defense=1)
    values = []
    for unconscious in (False, True):
        shown = ran(duel(red={"pilot": strong, "unconscious": unconscious})).match.snapshot()["units"]["a"]
        values.append([shown[key] for key in ("primary", "secondary", "speed", "attack", "defense")])
    assert values == [[4, 3, 9, 10, 20], [3, 2, 8, 9, 19]]


def test_a_revival_with_an_unknown_key_is_malformed() -> None:
    document = duel(
        blue={"pilot": pilot(), "unconscious": True},
        actions=[{"unit": "a", "order": "ranged", "targets": ["b"]}],
        expect={"decision": {"kind": "revive", "unit": "b"}},
    )
    match = ran(document).match
    with pytest.raises(Malformed):
        match.play({"unit": "b", "choose": "revive", "attempt": True, "twice": True})


def test_r_elm_02_q_66_three_sides_fall_together_and_each_kill_counts() -> None:
    """a and b fell each other in one clean-up; c is left with nothing and loses to the more reputation of both."""
    one = unit("a", clicks=1, points=150)
    other = unit("b", clicks=1, points=140)
    document = duel(
        units=[
            placed("a", "red", "0610", 0, one), placed("b", "blue", "0606", 6, other), placed("c", "green", "0101", 6),
        ],
        start={"round": 1, "phase": "combat", "order": ["a", "b", "c"]}, dice=[5, 4, 6, 5, 4, 6],
        actions=[
            {"unit": "a", "order": "ranged", "targets": ["b"]}, {"unit": "b", "react": "none"},
            {"unit": "b", "order": "ranged", "targets": ["a"]},
        ],
        until="round_end",
        expect={
            "units": {"a": {"eliminated": True}, "b": {"eliminated": True}}, "kills": {"red": 1, "blue": 1, "green": 0},
            "reputation": {"red": 70, "blue": 80, "green": 0}, "winner": "blue",
        },
    )  # fmt: skip
    ran(document)
